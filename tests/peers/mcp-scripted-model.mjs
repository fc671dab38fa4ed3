// A model that thinks nothing, for agents nobody here wrote: told `CALL TOOL {...}` it calls that tool, and given the tool's result it says
// that result and no more. Speaks the two interfaces that the agents of the checks ask for, streamed or not: Anthropic's messages and OpenAI's
// chat completions. Knows no key, and prints the address where it listens.
import http from "node:http";

const USAGE = { input_tokens: 1, output_tokens: 1 };

// The last thing that the agent said: { called: {name, input} }, { text } to repeat, or neither.
function wanted(messages, tools) {
  for (const message of [...messages].reverse()) {
    const parts = typeof message.content === "string" ? [{ type: "text", text: message.content }] : (message.content ?? []);
    if (message.role === "tool") return { text: parts.map((part) => part.text).join("\n") };
    const result = parts.find((part) => part.type === "tool_result");
    if (result) {
      const of = result.content ?? "";
      return { text: typeof of === "string" ? of : of.map((part) => part.text ?? "").join("\n") };
    }
    if (message.role !== "user") continue;
    for (const { text } of parts.filter((part) => part.type === "text").reverse()) {
      const call = /CALL (\S+) (\{.*\})/s.exec(text);
      if (!call) continue;
      if (!tools.length) break;
      if (!tools.includes(call[1])) return { text: `no tool ${call[1]} among ${tools.join(", ")}` };
      return { called: { name: call[1], input: JSON.parse(call[2]) } };
    }
  }
  return { text: "ok" };
}

function messages(request) {
  const { called, text } = wanted(request.messages, (request.tools ?? []).map((tool) => tool.name));
  const block = called ? { type: "tool_use", id: `toolu_${Date.now()}`, ...called } : { type: "text", text };
  const head = { id: "msg_1", type: "message", role: "assistant", model: request.model, stop_sequence: null, usage: USAGE };
  const stop_reason = called ? "tool_use" : "end_turn";
  if (!request.stream) return { whole: { ...head, content: [block], stop_reason } };
  const empty = called ? { ...block, input: {} } : { type: "text", text: "" };
  const delta = called
    ? { type: "input_json_delta", partial_json: JSON.stringify(called.input) }
    : { type: "text_delta", text };
  const events = [
    { type: "message_start", message: { ...head, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: empty },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  return { events: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`) };
}

function completions(request) {
  const { called, text } = wanted(request.messages, (request.tools ?? []).map((tool) => tool.function.name));
  const call = called && { id: `call_${Date.now()}`, type: "function", function: { name: called.name, arguments: JSON.stringify(called.input) } };
  const message = call ? { role: "assistant", content: null, tool_calls: [{ index: 0, ...call }] } : { role: "assistant", content: text };
  const finish_reason = call ? "tool_calls" : "stop";
  const head = { id: "chatcmpl-1", created: 1, model: request.model };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (!request.stream) return { whole: { ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage } };
  const chunk = (delta, finish_reason) => ({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
  const chunks = [chunk(message, null), { ...chunk({}, finish_reason), usage }];
  return { events: [...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), "data: [DONE]\n\n"] };
}

http
  .createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const path = request.url.split("?")[0];
    if (process.env.MODEL_LOG) console.error(request.method, request.url, body.slice(0, 300), "...", body.slice(-300));
    const answer = path.endsWith("/messages") ? messages : path.endsWith("/chat/completions") ? completions : () => ({ whole: {} });
    const { whole, events } = answer(body ? JSON.parse(body) : {});
    response.writeHead(200, { "content-type": events ? "text/event-stream" : "application/json" });
    response.end(events ? events.join("") : JSON.stringify(whole));
  })
  .listen(0, "127.0.0.1", function () {
    console.log(`http://127.0.0.1:${this.address().port}`);
  });
