// OpenClaw's own gateway client behind standard input and output, so that a test can ask at a real gateway and run it.
// Usage: node openclaw-asker.mjs URL TOKEN PACKAGES SCOPE [FINGERPRINT]. Reads one {"id", "method", "params"} a line, writes one
// {"id", "payload"} or {"id", "error"} for each as soon as it is there, and {"ready": VERSION} once it is connected.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [url, token, packages, scope, tlsFingerprint] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${packages}/`));
const { GatewayClient } = await import(pathToFileURL(require.resolve("@openclaw/gateway-client")));
const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const client = new GatewayClient({
  url,
  token,
  tlsFingerprint,
  minProtocol: 4,
  maxProtocol: 4,
  role: "operator",
  scopes: [scope],
  clientName: "gateway-client",
  mode: "backend",
  onHelloOk: (hello) => write({ ready: hello.server.version }),
  onConnectError: (error) => write({ connect: String(error.message ?? error) }),
});
client.start();

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  try {
    write({ id, payload: await client.request(method, params, { timeoutMs: null }) });
  } catch (error) {
    write({ id, error: { message: String(error.message ?? error), details: error.details ?? null } });
  }
}).on("close", () => process.exit(0));
