// Compares what openclaw-transcript.mjs wrote of OpenClaw's own gateway and of ours: the same steps, results, error codes and order of
// events, but for what askrelay does otherwise on purpose, which stands in DIFFERENT with its reason. A frame of ours may deviate
// from the published schema only where a frame of the real gateway, which is newer than the schema, does too.
// Usage: node openclaw-compare.mjs THEIRS OURS
import { readFileSync } from "node:fs";

const [theirs, ours] = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, "utf8")));

const answered = { status: "answered", answers: { answers: { target: ["Production"] } } };
const DIFFERENT = [
  {
    why: "a repeated resolution with the same resolutionId is the same resolution, so that a lost reply can be asked for again",
    title: "the same again",
    theirs: { error: { code: "INVALID_REQUEST", reason: "QUESTION_ALREADY_TERMINAL", retryable: false } },
    ours: { result: answered },
  },
];
// Members of a record that differ wherever a record is shown.
const RECORD = {
  // An agent is whatever the asker says; there is no list of agents whose session a short key could mean.
  sessionKey: (key) => (key.startsWith("agent:") ? key : `agent:main:${key}`),
  // The one who was verified, never the free text that the resolver gave of itself.
  resolvedBy: () => "SOMEBODY",
};

function alike(value) {
  if (Array.isArray(value)) return value.map(alike);
  if (!value || typeof value !== "object") return value;
  const same = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, key in RECORD ? RECORD[key](each) : alike(each)]));
  if ("sessionKey" in same && !("agentId" in same)) same.agentId = same.sessionKey.split(":")[1];
  return same;
}
// Members in one order, whoever wrote them.
const text = (value) =>
  JSON.stringify(value, (_, each) =>
    each && typeof each === "object" && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );

const faults = [];
const known = new Set();
for (let at = 0; at < Math.max(theirs.transcript.length, ours.transcript.length); at += 1) {
  const [one, other] = [theirs, ours].map(({ transcript }) => transcript[at] ?? { title: "(nothing)" });
  if (text(alike(one)) === text(alike(other))) continue;
  const { title } = one;
  const meant = DIFFERENT.find((each) => each.title === title);
  if (meant && text({ title, ...meant.theirs }) === text(one) && text({ title, ...meant.ours }) === text(other)) known.add(meant);
  else faults.push(`${title}\n  OpenClaw: ${text(one).slice(0, 600)}\n  askrelay: ${text(other).slice(0, 600)}`);
}
for (const each of DIFFERENT) if (!known.has(each)) faults.push(`no longer different: ${each.title}`);
for (const each of ours.deviations)
  if (!theirs.deviations.includes(each)) faults.push(`not in the published schema, nor sent by OpenClaw's gateway: ${each}`);

for (const fault of faults) console.log(`differs: ${fault}`);
for (const { title, why } of known) console.log(`differs on purpose: ${title}: ${why}`);
console.log(`${theirs.transcript.length} steps compared, ${faults.length} faulty`);
process.exit(faults.length ? 1 : 0);
