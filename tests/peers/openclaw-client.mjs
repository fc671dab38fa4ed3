// Drives a running askrelay gateway with OpenClaw's own gateway client: what its bots rely on must hold here too.
// Usage: node openclaw-client.mjs URL TOKEN. Prints one line a check; exits 1 on the first that fails.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { createConnection, createServer } from "node:net";
import { pathToFileURL } from "node:url";

const [url, token, packages] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${packages}/`));
const { GatewayClient } = await import(pathToFileURL(require.resolve("@openclaw/gateway-client")));

function connect(url) {
  const events = [];
  const waiting = [];
  let hellos = 0;
  return new Promise((resolve, reject) => {
    const client = new GatewayClient({
      url,
      token,
      minProtocol: 4,
      maxProtocol: 4,
      role: "operator",
      scopes: ["operator.questions"],
      onHelloOk: (hello) => {
        hellos += 1;
        for (const look of waiting.splice(0)) look();
        resolve({ client, hello, event, again });
      },
      onConnectError: reject,
      onEvent: (incoming) => {
        events.push(incoming);
        for (const look of waiting.splice(0)) look();
      },
    });
    const once = (find) =>
      new Promise((found) => {
        const look = () => {
          const hit = find();
          if (hit) found(hit);
          else waiting.push(look);
        };
        look();
      });
    // The event that `matches`, now or as soon as it comes.
    const event = (matches) => once(() => events.find(matches));
    // Let in so many times.
    const again = (times) => once(() => hellos >= times);
    client.start();
  });
}

// A line to the gateway that can be cut.
function line() {
  const ends = new Set();
  const { hostname, port } = new URL(url);
  const server = createServer((near) => {
    const far = createConnection(Number(port), hostname);
    for (const [end, other] of [[near, far], [far, near]]) {
      ends.add(end);
      end.on("error", () => {});
      end.on("close", () => other.destroy());
      end.pipe(other);
    }
  });
  const cut = () => {
    for (const end of ends) end.destroy();
  };
  return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready({ url: `ws://127.0.0.1:${server.address().port}`, cut })));
}

async function refusal(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("was not refused");
}

const choice = {
  questionId: "target",
  header: "Target",
  question: "Where should this go?",
  options: [{ label: "Staging", description: "no traffic" }, { label: "Production" }],
};

let passed = 0;
function check(name) {
  passed += 1;
  console.log(`ok ${passed} ${name}`);
}

const asker = await connect(url);
const answerer = await connect(url);
assert.equal(asker.hello.protocol, 4);
for (const method of ["question.request", "question.waitAnswer", "question.resolve", "question.get", "question.list"])
  assert.ok(asker.hello.features.methods.includes(method), method);
check("hello names protocol 4 and the question methods");

const asked = await asker.client.request("question.request", { questions: [choice], sessionKey: "main", timeoutMs: 60000 });
assert.ok(asked.id && asked.expiresAtMs > Date.now());
const requested = await answerer.event((e) => e.event === "question.requested" && e.payload.id === asked.id);
assert.equal(requested.payload.questions[0].question, choice.question);
assert.equal(requested.payload.status, "pending");
check("a request reaches another connection as an event");

const listed = await answerer.client.request("question.list", {});
assert.ok(listed.questions.some((record) => record.id === asked.id));
check("and is listed");

const bad = await refusal(answerer.client.request("question.resolve", { id: asked.id, answers: { answers: { target: ["Mars"] } } }));
assert.match(String(bad.message), /unknown option/);
check("an unknown option is refused and the question stays open");

const waiting = asker.client.request("question.waitAnswer", { id: asked.id, timeoutMs: 30000 });
const resolved = await answerer.client.request("question.resolve", {
  id: asked.id,
  answers: { answers: { target: [" Production "] } },
});
assert.equal(resolved.status, "answered");
assert.deepEqual((await waiting).answers, { answers: { target: ["Production"] } });
await asker.event((e) => e.event === "question.resolved" && e.payload.id === asked.id && e.payload.status === "answered");
check("an answer ends the wait, in the option's own spelling");

const late = await refusal(answerer.client.request("question.resolve", { id: asked.id, answers: { answers: { target: ["Staging"] } } }));
assert.match(JSON.stringify(late.details ?? late), /QUESTION_ALREADY_TERMINAL/);
check("the second answer is told that it is too late");

const skipped = await asker.client.request("question.request", { questions: [choice], timeoutMs: 60000 });
assert.equal((await answerer.client.request("question.resolve", { id: skipped.id, cancel: true })).status, "cancelled");
assert.equal((await asker.client.request("question.waitAnswer", { id: skipped.id })).status, "cancelled");
check("a cancelled question says so");

const short = await asker.client.request("question.request", { questions: [choice], timeoutMs: 50 });
assert.equal((await asker.client.request("question.waitAnswer", { id: short.id })).status, "expired");
check("a deadline that passes is expired, never an answer");

const faults = await refusal(asker.client.request("question.request", { questions: [{ ...choice, options: [{ label: "One" }] }] }));
assert.match(JSON.stringify(faults), /INVALID_REQUEST|options/);
check("one option is refused");

const unknown = await refusal(asker.client.request("question.get", { id: "no-such-question" }));
assert.match(JSON.stringify(unknown.details ?? unknown), /QUESTION_NOT_FOUND/);
check("an unknown id is not found");

const got = await answerer.client.request("question.get", { id: asked.id });
assert.deepEqual([got.question.id, got.question.status], [asked.id, "answered"]);
check("one that has ended can be looked at");

const cuttable = await line();
const roaming = await connect(cuttable.url);
const kept = await asker.client.request("question.request", { questions: [choice], timeoutMs: 60000 });
await roaming.event((e) => e.event === "question.requested" && e.payload.id === kept.id);
const cutOff = refusal(roaming.client.request("question.waitAnswer", { id: kept.id }));
cuttable.cut();
assert.ok(await cutOff);
await roaming.again(2);
const still = await roaming.client.request("question.list", {});
assert.ok(still.questions.some((record) => record.id === kept.id));
const later = roaming.client.request("question.waitAnswer", { id: kept.id });
await answerer.client.request("question.resolve", { id: kept.id, answers: { answers: { target: ["Staging"] } } });
assert.deepEqual((await later).answers, { answers: { target: ["Staging"] } });
await roaming.event((e) => e.event === "question.resolved" && e.payload.id === kept.id);
check("a connection that is cut comes back by itself, and hears the end of what was open");

roaming.client.stop();
asker.client.stop();
answerer.client.stop();
console.log(`${passed} passed, 0 failed`);
process.exit(0);
