//! An MCP client of the tests: it speaks the protocol line by line and believes nothing. Every line that comes must be the protocol's.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use crate::program::{PATIENCE, Program};

/// What the person at the client does with a form.
pub(crate) type Filling = fn(&Value) -> Value;

/// A client and the process that serves it.
pub(crate) struct Agent {
    child: Child,
    lines: Receiver<Value>,
    hears: Arc<AtomicBool>,
    came: HashMap<u64, Value>,
    signs: Vec<String>,
    told: Vec<Value>,
    next: u64,
    filling: Option<Filling>,
}

impl Agent {
    /// A client that shows no forms.
    pub(crate) fn start(program: &Program, arguments: &[&str]) -> Self {
        Self::with(program, arguments, &[], None)
    }

    /// One that shows forms to somebody who fills them so.
    pub(crate) fn with_forms(program: &Program, environment: &[(&str, &str)], filling: Filling) -> Self {
        Self::with(program, &[], environment, Some(filling))
    }

    pub(crate) fn with(
        program: &Program,
        arguments: &[&str],
        environment: &[(&str, &str)],
        filling: Option<Filling>,
    ) -> Self {
        let mut agent = Self::spawned(program, arguments, environment);
        agent.filling = filling;
        let capabilities = if filling.is_some() { json!({ "elicitation": {} }) } else { json!({}) };
        let told = agent.begin(&capabilities, &json!({}));
        assert!(told.contains("Never ask whether to go on"), "{told}");
        agent
    }

    /// One of the era without handshakes: nothing is said before the first call.
    pub(crate) fn spawned(program: &Program, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut all = vec!["mcp"];
        all.extend(arguments);
        Self::of(program, program.command(&all), environment)
    }

    /// One whose server logs into this file.
    pub(crate) fn logging(program: &Program, environment: &[(&str, &str)], log: &std::path::Path) -> Self {
        let mut command = program.command(&["mcp"]);
        command.stderr(std::fs::File::create(log).unwrap());
        Self::of(program, command, environment)
    }

    fn of(program: &Program, mut command: Command, environment: &[(&str, &str)]) -> Self {
        command.current_dir(program.home()).envs(environment.iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = channel();
        let hears = Arc::new(AtomicBool::new(true));
        let still_hears = Arc::clone(&hears);
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if !still_hears.load(Ordering::SeqCst) {
                    return;
                }
                let message: Value =
                    serde_json::from_str(&line).unwrap_or_else(|_| json!({ "not protocol": line }));
                if tell.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            lines,
            hears,
            came: HashMap::new(),
            signs: Vec::new(),
            told: Vec::new(),
            next: 0,
            filling: None,
        }
    }

    /// Begins a session; the instructions that the server gives.
    pub(crate) fn begin(&mut self, capabilities: &Value, meta: &Value) -> String {
        self.begin_as("agent", capabilities, meta)
    }

    pub(crate) fn begin_as(&mut self, name: &str, capabilities: &Value, meta: &Value) -> String {
        let client = json!({ "name": name, "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client, "_meta": meta });
        let begin = self.send("initialize", &params);
        let begun = self.answer(begin);
        assert_eq!(begun["result"]["serverInfo"]["name"], "askrelay", "{begun}");
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        begun["result"]["instructions"].as_str().unwrap().to_owned()
    }

    fn write(&mut self, message: &Value) {
        let input = self.child.stdin.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    /// Sends a request; its number.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        self.write(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        self.next
    }

    /// Calls a tool, and wants to know that the call lives.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.call_with(tool, arguments, &json!({}))
    }

    pub(crate) fn call_with(&mut self, tool: &str, arguments: &Value, meta: &Value) -> u64 {
        let mut meta = meta.clone();
        meta["progressToken"] = json!(self.next + 1);
        self.send("tools/call", &json!({ "name": tool, "arguments": arguments, "_meta": meta }))
    }

    pub(crate) fn cancel(&mut self, call: u64) {
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": call } }));
    }

    /// The whole answer to a request. What the server asks meanwhile is answered.
    pub(crate) fn answer(&mut self, call: u64) -> Value {
        loop {
            if let Some(answer) = self.came.remove(&call) {
                return answer;
            }
            let message = self.lines.recv_timeout(PATIENCE).expect("the server goes on talking");
            assert_eq!(message["jsonrpc"], "2.0", "standard output carries the protocol alone: {message}");
            match (message["method"].as_str(), message["id"].as_u64()) {
                (None, Some(id)) => drop(self.came.insert(id, message)),
                (Some("notifications/progress"), _) => {
                    self.signs.push(message["params"]["message"].as_str().unwrap().to_owned());
                }
                (Some("notifications/message"), _) => self.told.push(message["params"].clone()),
                (Some("elicitation/create"), Some(id)) => {
                    let filling = self.filling.expect("a client that shows no forms is sent none");
                    let result = filling(&message["params"]);
                    self.write(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
                }
                other => panic!("unexpected {other:?}: {message}"),
            }
        }
    }

    /// The structured result of a call.
    pub(crate) fn result(&mut self, call: u64) -> Value {
        let answer = self.answer(call);
        let result = &answer["result"];
        assert!(result["content"][0]["text"].is_string(), "text for those who read only text: {answer}");
        result["structuredContent"].clone()
    }

    /// The words of a call that failed as a tool.
    pub(crate) fn error_of(&mut self, call: u64) -> String {
        let answer = self.answer(call);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Makes the same call again until its result is wanted.
    pub(crate) fn until(&mut self, tool: &str, arguments: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
        let begin = std::time::Instant::now();
        loop {
            let call = self.call(tool, arguments);
            let result = self.result(call);
            if wanted(&result) {
                return result;
            }
            assert!(begin.elapsed() < PATIENCE, "the result never came: {result}");
        }
    }

    /// The names of the tools that are offered to whoever asks so.
    pub(crate) fn tools_with(&mut self, meta: &Value) -> Vec<String> {
        let call = self.send("tools/list", &json!({ "_meta": meta }));
        let answer = self.answer(call);
        let tools = answer["result"]["tools"].as_array().unwrap().iter();
        tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// What the server told of calls that live.
    pub(crate) fn signs_of_life(&self) -> &[String] {
        &self.signs
    }

    /// What the server told of its calls' course.
    pub(crate) fn told(&self) -> &[Value] {
        &self.told
    }

    /// The next such sign.
    pub(crate) fn sign_of_life(&mut self) -> String {
        let message = self.lines.recv_timeout(PATIENCE).expect("the server goes on talking");
        message["params"]["message"]
            .as_str()
            .unwrap_or_else(|| panic!("no sign of life: {message}"))
            .to_owned()
    }

    /// Reads nothing more: whatever is written to it from now on breaks.
    pub(crate) fn goes_deaf(&mut self) {
        self.hears.store(false, Ordering::SeqCst);
        // The answer to this is the last that is read.
        self.send("ping", &json!({}));
        while self.lines.recv_timeout(PATIENCE).is_ok() {}
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Closes the client's side; the process ends by itself and in order.
    pub(crate) fn ends(mut self) {
        drop(self.child.stdin.take());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // After an end in order there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
