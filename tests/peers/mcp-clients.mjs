// Asks through askrelay with both of the official TypeScript SDKs, over standard input and output and over HTTP; the newer one in both
// eras. A person on the stand-in answers. Prints one line a check; exits 1 on the first that fails.
// Usage: node mcp-clients.mjs ASKRELAY URL TOKEN PACKAGES
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [askrelay, url, token, packages] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${packages}/`));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const headers = { Authorization: `Bearer ${token}` };

const one = {
  name: "TypeScript v1",
  Client: (await load("@modelcontextprotocol/sdk/client/index.js")).Client,
  Stdio: (await load("@modelcontextprotocol/sdk/client/stdio.js")).StdioClientTransport,
  Http: (await load("@modelcontextprotocol/sdk/client/streamableHttp.js")).StreamableHTTPClientTransport,
};
const two = {
  name: "TypeScript v2",
  Client: (await load("@modelcontextprotocol/client")).Client,
  Stdio: (await load("@modelcontextprotocol/client/stdio")).StdioClientTransport,
  Http: (await load("@modelcontextprotocol/client")).StreamableHTTPClientTransport,
};

let passed = 0;
async function check({ name, Client, Stdio, Http }, era, options) {
  for (const [over, transport] of [
    ["stdio", () => new Stdio({ command: askrelay, args: ["mcp"], env: { ...process.env } })],
    ["http", () => new Http(new URL(url), { requestInit: { headers } })],
  ]) {
    const client = new Client({ name: "peer", version: "1" }, options);
    await client.connect(transport());
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "ask_choice"));
    const result = await client.callTool({ name: "ask_confirm", arguments: { question: `May ${name} go on in ${era} over ${over}?` } });
    assert.equal(result.structuredContent.confirmed, true);
    assert.equal(result.structuredContent.via, "chat");
    await client.close();
    passed += 1;
    console.log(`ok ${passed} ${name}, ${era}, ${over}: a person says yes`);
  }
}

await check(one, "2025-11-25", {});
await check(two, "legacy", { versionNegotiation: { mode: "legacy" } });
await check(two, "2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } });
console.log(`${passed} passed, 0 failed`);
process.exit(0);
