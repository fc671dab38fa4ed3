// Asks through askrelay with both of the official TypeScript SDKs, over standard input and output and over HTTP, in every revision that
// they speak. A person on the stand-in answers, or somebody who fills the client's own form. Prints one line a check; exits 1 on the first
// that fails.
// Usage: node mcp-clients.mjs ASKRELAY URL TOKEN PACKAGES
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [askrelay, url, token, packages] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${packages}/`));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const headers = { Authorization: `Bearer ${token}` };

const types = await load("@modelcontextprotocol/sdk/types.js");
const one = {
  name: "TypeScript v1",
  Client: (await load("@modelcontextprotocol/sdk/client/index.js")).Client,
  Stdio: (await load("@modelcontextprotocol/sdk/client/stdio.js")).StdioClientTransport,
  Http: (await load("@modelcontextprotocol/sdk/client/streamableHttp.js")).StreamableHTTPClientTransport,
  call: (client, params, options) => client.callTool(params, undefined, options),
  fills: (client, fill) => client.setRequestHandler(types.ElicitRequestSchema, fill),
};
const two = {
  name: "TypeScript v2",
  Client: (await load("@modelcontextprotocol/client")).Client,
  Stdio: (await load("@modelcontextprotocol/client/stdio")).StdioClientTransport,
  Http: (await load("@modelcontextprotocol/client")).StreamableHTTPClientTransport,
  call: (client, params, options) => client.callTool(params, options),
  fills: (client, fill) => client.setRequestHandler("elicitation/create", fill),
};
const legacy = { mode: "legacy" };
const eras = [
  [one, "2025-11-25", {}],
  [two, "2025-06-18", { versionNegotiation: legacy, supportedProtocolVersions: ["2025-06-18"] }],
  [two, "2025-11-25", { versionNegotiation: legacy, supportedProtocolVersions: ["2025-11-25"] }],
  [two, "2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
];

let passed = 0;
function check(name, found, expected) {
  assert.deepEqual(found, expected, name);
  passed += 1;
  console.log(`ok ${passed} ${name}`);
}

const stdio = ({ Stdio }, env = {}) => new Stdio({ command: askrelay, args: ["mcp"], env: { ...process.env, ...env } });
const http = ({ Http }) => new Http(new URL(url), { requestInit: { headers } });
const ways = { stdio, http };

// The person says yes.
async function asks(sdk, era, options, over) {
  const client = new sdk.Client({ name: "peer", version: "1" }, options);
  await client.connect(ways[over](sdk));
  const name = `${sdk.name}, ${era}, ${over}`;
  if (client.getNegotiatedProtocolVersion) check(`${name}: the revision`, client.getNegotiatedProtocolVersion(), era);
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === "ask_choice"));
  const { structuredContent } = await sdk.call(client, { name: "ask_confirm", arguments: { question: `May ${name} go on?` } });
  check(`${name}: a person says yes`, [structuredContent.confirmed, structuredContent.via], [true, "chat"]);
  await client.close();
}

// The client cuts its calls after two seconds; the person takes four.
async function isImpatient(sdk, era, options, over) {
  const client = new sdk.Client({ name: "peer", version: "1" }, options);
  await client.connect(ways[over](sdk));
  const question = `Shall it go slowly for ${sdk.name} in ${era} over ${over}?`;
  const params = { name: "ask_confirm", arguments: { question, idempotency_key: question } };
  let cut = 0;
  let result;
  while (!result && cut < 10) {
    // Only what the time limit cuts may be made again.
    result = await sdk.call(client, params, { timeout: 2000 }).catch((error) => {
      assert.match(error.message, /timed out/i);
      cut += 1;
    });
  }
  const name = `${sdk.name}, ${era}, ${over}: cut calls`;
  check(`${name} get the answer when made again`, [result.structuredContent.confirmed, cut > 0], [true, true]);
  await client.close();
}

// No chat is set up: the client's own form asks.
async function fills(sdk, era, options) {
  const home = `${process.env.SCRATCH}/no-chat-${sdk.name.replace(" ", "-")}-${era}`;
  mkdirSync(home, { recursive: true });
  const client = new sdk.Client({ name: "peer", version: "1" }, { ...options, capabilities: { elicitation: { form: {} } } });
  let asked;
  sdk.fills(client, ({ params }) => {
    asked = params;
    return { action: "accept", content: { choice: params.requestedSchema.properties.choice.enum[1] } };
  });
  await client.connect(stdio(sdk, { ASKRELAY_HOME: home, HIM_AUTO_REJECT_MS: "0" }));
  const choices = [{ label: "Staging" }, { label: "Production" }];
  const { structuredContent } = await sdk.call(client, { name: "ask_choice", arguments: { question: "Where to?", options: choices } });
  check(`${sdk.name}, ${era}: the form asks`, asked.message.includes("Where to?"), true);
  check(`${sdk.name}, ${era}: the form answers`, [structuredContent.answer, structuredContent.via], ["Production", "elicitation"]);
  await client.close();
}

for (const [sdk, era, options] of eras) {
  for (const over of Object.keys(ways)) await asks(sdk, era, options, over);
  await fills(sdk, era, options);
}
await Promise.all(eras.flatMap(([sdk, era, options]) => Object.keys(ways).map((over) => isImpatient(sdk, era, options, over))));
console.log(`${passed} passed, 0 failed`);
process.exit(0);
