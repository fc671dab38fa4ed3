// Claude Code itself with the settings that `askrelay hook claude-code` prints: its own questions and permissions are answered by the person
// on the stand-in while nobody sits at its terminal, and are the terminal's at once where no chat is set up. Its model is scripted. Prints
// one line a check; exits 1 on the first that fails.
// Usage: node mcp-claude-code.mjs CLAUDE, in a folder that has the settings
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import readline from "node:readline";

const [claude] = process.argv.slice(2);
const FLAGS = "-p --verbose --input-format stream-json --output-format stream-json --permission-prompt-tool stdio".split(" ");

let passed = 0;
function check(name, found, expected) {
  assert.deepEqual(found, expected, name);
  passed += 1;
  console.log(`ok ${passed} ${name}`);
}

// One turn in which the model calls a tool: what came of it, and what the terminal was asked. The terminal says no to everything, but only
// where it is said to have somebody; a terminal that is left waiting is no answer.
async function turn(tool, input, { env = {}, attended = false } = {}) {
  const child = spawn(claude, FLAGS, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] });
  const say = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  say({ type: "user", message: { role: "user", content: `CALL ${tool} ${JSON.stringify(input)}` } });
  const asked = [];
  let result;
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const message = JSON.parse(line);
    if (message.type === "control_request") {
      asked.push(message.request.tool_name);
      const response = { behavior: "deny", message: "Not from this terminal." };
      if (attended) say({ type: "control_response", response: { subtype: "success", request_id: message.request_id, response } });
    }
    if (message.type === "result") {
      result = message.result;
      child.stdin.end();
    }
  }
  return { result, asked };
}

const options = (...labels) => labels.map((label) => ({ label, description: `What ${label} means` }));
const where = { question: "Where does Claude Code release to?", header: "Target", options: options("Staging", "Production"), multiSelect: false };
const signals = { question: "Which signals does it send?", header: "Signals", options: options("Logs", "Traces"), multiSelect: false };

const both = await turn("AskUserQuestion", { questions: [where, signals] });
check("both answers of the person are the tool's", [where, signals].map((one) => both.result.includes(`"${one.question}"="${one.options[0].label}"`)), [true, true]);

const bash = await turn("Bash", { command: "touch made-by-permission", description: "Make a file" });
check("the person's permission lets the command run", [existsSync("made-by-permission"), bash.result.includes("Not from")], [true, false]);

mkdirSync(`${process.env.SCRATCH}/no-chat-hook`, { recursive: true });
const nobody = { env: { ASKRELAY_HOME: `${process.env.SCRATCH}/no-chat-hook` }, attended: true };
const left = await turn("AskUserQuestion", { questions: [where] }, nobody);
check("without a chat the terminal is asked", [left.asked, left.result.includes("Not from this terminal")], [["AskUserQuestion"], true]);
const refused = await turn("Bash", { command: "touch made-by-nobody", description: "Make a file" }, nobody);
check("for permissions too", [refused.asked, existsSync("made-by-nobody")], [["Bash"], false]);
console.log(`${passed} passed, 0 failed`);
