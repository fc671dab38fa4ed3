// Plays one script of question calls against a gateway of protocol 4 and writes down what came back, so that two gateways can be
// compared; every frame received is held against OpenClaw's published schema. Decides nothing: openclaw-compare.mjs does.
// Usage: node openclaw-transcript.mjs URL TOKEN PACKAGES OUTPUT
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [url, token, packages, output] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${packages}/`));
const Ajv = require("ajv").default;
const schema = JSON.parse(readFileSync(`${packages}/node_modules/@openclaw/gateway-protocol/protocol.schema.json`, "utf8"));
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema({ ...schema, $id: "protocol" });

const RESULTS = {
  "question.request": "QuestionRequestResult",
  "question.waitAnswer": "QuestionWaitAnswerResult",
  "question.resolve": "QuestionResolveResult",
  "question.get": "QuestionGetResult",
  "question.list": "QuestionListResult",
  connect: "HelloOk",
};
const EVENTS = { "question.requested": "QuestionRecord", "question.resolved": "QuestionResolvedEvent" };
const deviations = new Set();

function hold(definition, value, about) {
  const validate = ajv.getSchema(`protocol#/definitions/${definition}`);
  if (validate(value)) return;
  // Of an anyOf, only that no branch fits is said by all; the fields that were too many are what differs between versions.
  for (const error of validate.errors) {
    const extra = error.params.additionalProperty ?? "";
    const where = error.instancePath.replace(/\/\d+/g, "/*");
    if (extra || validate.errors.length === 1) deviations.add(`${about} ${where} ${error.keyword} ${extra}`.trim());
  }
}

// One connection: its calls, and its events in the order they came.
async function connect(name, scopes = ["operator.questions"]) {
  const socket = new WebSocket(url);
  const waiting = new Map();
  const connection = { name, events: [], hello: undefined, looks: [] };
  let count = 0;
  connection.call = (method, params) =>
    new Promise((resolve) => {
      const id = `${name}-${(count += 1)}`;
      waiting.set(id, { method, resolve });
      socket.send(JSON.stringify({ type: "req", id, method, params }));
    });
  connection.close = () => socket.close();
  connection.event = (matches) =>
    new Promise((found, missed) => {
      const timer = setTimeout(() => missed(new Error(`${name}: an event did not come`)), 20000);
      const look = () => {
        const hit = connection.events.find(matches);
        if (!hit) return connection.looks.push(look);
        clearTimeout(timer);
        found(hit);
      };
      look();
    });
  await new Promise((ready, failed) => {
    socket.onerror = () => failed(new Error(`${name}: the connection failed`));
    socket.onmessage = async ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.type === "event") {
        hold("EventFrame", frame, `event ${frame.event}`);
        if (frame.event === "connect.challenge") {
          connection.hello = await connection.call("connect", {
            minProtocol: 4,
            maxProtocol: 4,
            client: { id: "gateway-client", mode: "backend", version: "1", platform: "linux" },
            role: "operator",
            scopes,
            caps: [],
            auth: { token },
          });
          return ready();
        }
        if (!(frame.event in EVENTS)) return;
        hold(EVENTS[frame.event], frame.payload, `payload ${frame.event}`);
        connection.events.push(frame);
        for (const look of connection.looks.splice(0)) look();
        return;
      }
      const { method, resolve } = waiting.get(frame.id);
      waiting.delete(frame.id);
      hold("ResponseFrame", frame, `response ${method}`);
      if (frame.ok && method in RESULTS) hold(RESULTS[method], frame.payload, `result ${method}`);
      resolve(frame);
    };
  });
  return connection;
}

// What may differ between two runs of one gateway: ids that were made, and times.
const ids = new Map();
function plain(value, key) {
  if (Array.isArray(value)) return value.map((each) => plain(each));
  if (value && typeof value === "object")
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((each) => [each, plain(value[each], each)]),
    );
  if (key === "createdAtMs" || key === "expiresAtMs") return "TIME";
  if (key === "id" && typeof value === "string" && !value.startsWith("ask_")) {
    if (!ids.has(value)) ids.set(value, `ID${ids.size + 1}`);
    return ids.get(value);
  }
  return value;
}

const transcript = [];
function tell(title, frame) {
  if (frame.ok) transcript.push({ title, result: plain(frame.payload) });
  else {
    const { code, details = {}, retryable = false } = frame.error;
    const { code: detail, reason } = details;
    transcript.push({ title, error: { code, ...(detail && { detail }), ...(reason && { reason }), retryable } });
  }
  return frame;
}

// A gateway that starts refuses for a while.
async function patiently(name) {
  for (let tries = 120; ; tries -= 1) {
    try {
      const connection = await connect(name);
      if (connection.hello.ok) return connection;
      if (tries === 0) throw new Error(`not let in: ${JSON.stringify(connection.hello.error)}`);
    } catch (error) {
      if (tries === 0) throw error;
    }
    await new Promise((again) => setTimeout(again, 500));
  }
}

const asker = await patiently("asker");
const answerer = await connect("answerer");
const stranger = await connect("stranger", []);

const target = {
  questionId: "target",
  header: "Target",
  question: "Where should this go?",
  options: [{ label: "Staging", description: "no traffic" }, { label: "Production" }],
};
const checks = {
  questionId: "checks",
  header: "Checks",
  question: "Which checks?",
  options: [{ label: "Lint" }, { label: "Unit, integration" }, { label: "Docs" }],
  multiSelect: true,
};
const words = { questionId: "words", header: "", question: "What shall it say?", options: [] };
const open = { ...target, isOther: true };

let asks = 0;
async function ask(title, params) {
  return tell(title, await asker.call("question.request", { timeoutMs: 600000, ...params }));
}
async function asked(questions, more = {}) {
  const id = `ask_${String((asks += 1)).padStart(32, "0")}`;
  await ask(`asked ${id}`, { id, questions, ...more });
  return id;
}
const resolve = async (title, params) => tell(title, await answerer.call("question.resolve", params));
const values = (answers) => ({ answers: { answers } });

// Asking.
const anonymous = await ask("one choice, no id", { questions: [target] });
await ask("an id of the asker's", { id: "ask_own", questions: [open], agentId: "main", sessionKey: "agent:main:main", runId: "run-1" });
await ask("the same id again, another question", { id: "ask_own", questions: [words] });
await ask("a link", { questions: [{ ...target, url: "https://ci.example.org/run/7" }] });
const refused = {
  "no questions": [],
  "four questions": [1, 2, 3, 4].map((n) => ({ ...target, questionId: `q${n}` })),
  "one option": [{ ...target, options: [{ label: "One" }] }],
  "five options": [{ ...target, options: ["a", "b", "c", "d", "e"].map((label) => ({ label })) }],
  "a long header": [{ ...target, header: "Thirteen long" }],
  "no header": [{ ...target, header: undefined }],
  "an empty question": [{ ...target, question: "" }],
  "an empty label": [{ ...target, options: [{ label: "" }, { label: "b" }] }],
  "labels that differ in case only": [{ ...target, options: [{ label: "Staging" }, { label: " staging" }] }],
  "two questions of one id": [target, target],
  "an id with capitals": [{ ...target, questionId: "Target" }],
  "a link that is none": [{ ...target, url: "ftp://example.org" }],
  "a link with a password": [{ ...target, url: "https://me:secret@example.org" }],
  "a member nobody knows": [{ ...target, colour: "red" }],
  "a secret": [{ ...words, isSecret: true }],
};
for (const [title, questions] of Object.entries(refused)) await ask(`refused: ${title}`, { questions });
await ask("refused: a member of the call nobody knows", { questions: [target], colour: "red" });
await ask("refused: no time at all", { questions: [target], timeoutMs: 0 });
await ask("refused: half a millisecond", { questions: [target], timeoutMs: 1.5 });

// Answering, one question of each kind, each refusal first.
const single = await asked([target], { sessionKey: "main" });
await resolve("an unknown question", { id: single, ...values({ colour: ["red"], target: ["Staging"] }) });
await resolve("nothing answered", { id: single, ...values({}) });
await resolve("no value", { id: single, ...values({ target: [] }) });
await resolve("a blank value", { id: single, ...values({ target: ["  "] }) });
await resolve("two values", { id: single, ...values({ target: ["Staging", "Production"] }) });
await resolve("an unknown option", { id: single, ...values({ target: ["Mars"] }) });
await resolve("another case", { id: single, ...values({ target: ["staging"] }) });
await resolve("a number is no option", { id: single, ...values({ target: ["1"] }) });
await resolve("cancel: false", { id: single, cancel: false });
await resolve("both kinds", { id: single, cancel: true, ...values({ target: ["Staging"] }) });
await resolve("neither kind", { id: single });
await resolve("a member nobody knows", { id: single, colour: "red", ...values({ target: ["Staging"] }) });
tell("a wait that ends first", await asker.call("question.waitAnswer", { id: single, timeoutMs: 20 }));
tell("seen while pending", await answerer.call("question.get", { id: single }));
const waited = asker.call("question.waitAnswer", { id: single, includeResolutionId: true });
await resolve("answered, with spaces around", { id: single, resolvedBy: "telegram:1", resolutionId: "res-1", ...values({ target: [" Production "] }) });
tell("the wait", await waited);
tell("waited for once more", await asker.call("question.waitAnswer", { id: single }));
tell("seen when answered", await answerer.call("question.get", { id: single }));
await resolve("the same again", { id: single, resolutionId: "res-1", ...values({ target: ["Production"] }) });
await resolve("another answer", { id: single, ...values({ target: ["Staging"] }) });
await resolve("cancelled too late", { id: single, cancel: true });

await resolve("several values", { id: await asked([checks]), ...values({ checks: ["Lint", "Unit, integration"] }) });
await resolve("own words", { id: await asked([open]), ...values({ target: [" Mars, please "] }) });
await resolve("free text", { id: await asked([words]), ...values({ words: [" Hello\nthere "] }) });
const three = await asked([open, checks, words]);
await resolve("one of three", { id: three, ...values({ target: ["Staging"] }) });
await resolve("all three", { id: three, ...values({ target: ["Staging"], checks: ["Docs"], words: ["ok"] }) });

// Ends without an answer.
const taken = await asked([target]);
const both = [asker.call("question.waitAnswer", { id: taken }), answerer.call("question.waitAnswer", { id: taken })];
await resolve("cancelled", { id: taken, cancel: true, resolvedBy: "skip" });
for (const wait of both) tell("its wait", await wait);
await resolve("answered too late", { id: taken, ...values({ target: ["Staging"] }) });
const short = await asked([target], { timeoutMs: 60 });
tell("a deadline that passes", await asker.call("question.waitAnswer", { id: short }));
tell("seen when expired", await answerer.call("question.get", { id: short }));

// Unknown things, and somebody without rights.
for (const method of ["question.get", "question.waitAnswer"]) tell(`${method}: unknown`, await asker.call(method, { id: "ask_nobody" }));
await resolve("resolve: unknown", { id: "ask_nobody", cancel: true });
tell("get without an id", await asker.call("question.get", {}));
tell("list with a member nobody knows", await asker.call("question.list", { colour: "red" }));
tell("a method nobody knows", await asker.call("question.sing", {}));
tell("no scope: list", await stranger.call("question.list", {}));
tell("no scope: request", await stranger.call("question.request", { questions: [target] }));
tell("what is open", await answerer.call("question.list", {}));

// Two at once: one wins.
const raced = await asked([target]);
const race = await Promise.all(
  [asker, answerer].map((each, at) => each.call("question.resolve", { id: raced, ...values({ target: [at ? "Staging" : "Production"] }) })),
);
transcript.push({ title: "two at once", won: race.filter((each) => each.ok).length });

// Each event reached both, in the same order; a stranger heard none.
await answerer.event((each) => each.event === "question.resolved" && each.payload.id === raced);
await asker.event((each) => each.event === "question.resolved" && each.payload.id === raced);
const heard = ({ events }) => events.map(({ event, payload }) => ({ event, payload: plain(payload) })).filter(({ payload }) => payload.id !== raced);
transcript.push({ title: "events of the one who answers", events: heard(answerer) });
transcript.push({ title: "events of the one who asks", events: heard(asker) });
transcript.push({ title: "events of a stranger", events: heard(stranger) });
for (const connection of [asker, answerer, stranger]) {
  const gaps = connection.events.filter((each, at, all) => at > 0 && each.seq <= all[at - 1].seq);
  transcript.push({ title: `numbers of the events of the ${connection.name} that went back`, gaps: gaps.length });
}
tell("taken back", await answerer.call("question.resolve", { id: anonymous.payload.id, cancel: true }));

writeFileSync(output, JSON.stringify({ transcript, deviations: [...deviations].sort() }, null, 1));
for (const connection of [asker, answerer, stranger]) connection.close();
console.log(`${transcript.length} steps, ${deviations.size} deviations from the published schema`);
process.exit(0);
