//! The MCP server beside the gateway it asks: the same question put by the bare protocol and by a tool's call over standard input and
//! output, in turn, so that both meet the same machine; and the memory of a process whose client asks nothing. Speaks as much MCP
//! as that takes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::time::Instant;

use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::bench::BenchError;
use crate::platform::Platform;
use crate::presses::configured;
use crate::process::{Gateway, ProcessError, anonymous_kib, resident_kib};
use crate::rounds::{Pair, Took};
use crate::socket::Socket;

/// Round trips of one kind before those of the other are measured.
const TURN: usize = 50;

/// Round trips of each kind before anything counts.
const WARM: usize = 50;

/// What was found.
pub(crate) struct Found {
    /// Of the process that serves the client, before the first question: all of it, and what holds no file.
    pub(crate) idle_kib: (u64, u64),
    /// By the bare protocol.
    pub(crate) bare: Took,
    /// From the tool's call to its result.
    pub(crate) called: Took,
}

/// Measures `count` round trips of each kind, one at a time.
pub(crate) async fn beside(
    program: &Path,
    platform: Box<dyn Platform>,
    count: usize,
) -> Result<Found, BenchError> {
    let platforms = [platform];
    let mut gateway = configured(program, &platforms)?;
    let (_, _socket) = gateway.start().await?;
    let [platform] = &platforms;
    // A tool asks by chat only where one runs.
    platform.connected().await;
    let mut agent = Agent::start(&gateway).await?;
    let pid = agent.child.id();
    let idle_kib = (resident_kib(pid)?, anonymous_kib(pid)?);
    let mut found = Found { idle_kib, bare: Took::default(), called: Took::default() };
    bare(&gateway, "warm", WARM).await?;
    agent.rounds(&gateway, WARM).await?;
    while found.called.rounds.len() < count {
        let turn = TURN.min(count - found.called.rounds.len());
        let prefix = format!("bare-{}", found.called.rounds.len());
        add(&mut found.bare, bare(&gateway, &prefix, turn).await?);
        add(&mut found.called, agent.rounds(&gateway, turn).await?);
    }
    Ok(found)
}

fn add(all: &mut Took, took: Took) {
    all.rounds.extend(took.rounds);
    all.all += took.all;
    all.refused += took.refused;
}

async fn bare(gateway: &Gateway, prefix: &str, count: usize) -> Result<Took, BenchError> {
    let mut pair = Pair::connect(&gateway.url, &gateway.token, prefix.to_owned()).await?;
    Ok(pair.rounds(count, 1).await?)
}

/// An MCP client and the process that serves it.
struct Agent {
    child: Child,
    input: ChildStdin,
    /// What it writes, read by a thread of its own, which is counted against it.
    output: UnboundedReceiver<String>,
    next: u64,
}

impl Agent {
    /// One that has looked at the tools.
    async fn start(gateway: &Gateway) -> Result<Self, BenchError> {
        let mut command = gateway.command(&["mcp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|source| broken("starting `askrelay mcp`", source))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(BenchError::Unexpected("`askrelay mcp` has no pipes".to_owned()));
        };
        let (tell, lines) = unbounded_channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(output).lines().map_while(Result::ok);
            // Nobody who listens any more wants none of it.
            lines.all(|line| tell.send(line).is_ok())
        });
        let mut agent = Self { child, input, output: lines, next: 0 };
        let client = json!({ "name": "bench", "version": "1" });
        let begin = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        agent.call("initialize", &begin)?;
        agent.result().await?;
        agent.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        agent.call("tools/list", &json!({}))?;
        agent.result().await?;
        Ok(agent)
    }

    fn write(&mut self, message: &Value) -> Result<(), BenchError> {
        let line = format!("{message}\n");
        self.input.write_all(line.as_bytes()).map_err(|source| broken("standard input", source))
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<(), BenchError> {
        self.next += 1;
        let id = self.next;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    }

    /// The result of the call that was made last.
    async fn result(&mut self) -> Result<Value, BenchError> {
        loop {
            let line = self.output.recv().await;
            let line = line.ok_or_else(|| BenchError::Unexpected("`askrelay mcp` ended".to_owned()))?;
            let mut message: Value =
                serde_json::from_str(&line).map_err(|_| BenchError::Unexpected(line.clone()))?;
            if message["id"] == self.next {
                return match message["result"].take() {
                    Value::Null => Err(BenchError::Unexpected(line)),
                    result => Ok(result),
                };
            }
        }
    }

    /// Asks by a tool; somebody else answers each as soon as they are told of it.
    async fn rounds(&mut self, gateway: &Gateway, count: usize) -> Result<Took, BenchError> {
        let mut answerer = Socket::connect(&gateway.url, &gateway.token).await?;
        let options = json!([{ "label": "Staging", "description": "safe first" }, { "label": "Production" }]);
        let mut took = Took::default();
        for _ in 0..count {
            let question = format!("Where should release {} go?", self.next);
            let begin = Instant::now();
            let arguments = json!({ "question": question, "options": options });
            self.call("tools/call", &json!({ "name": "ask_choice", "arguments": arguments }))?;
            answered(&mut answerer, &question).await?;
            let result = self.result().await?;
            took.rounds.push(begin.elapsed());
            if result["structuredContent"]["answer"] != "Production" {
                return Err(BenchError::Unexpected(result.to_string()));
            }
        }
        took.all = took.rounds.iter().sum();
        Ok(took)
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // A process that is gone already needs no killing.
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}

/// Answers the question as soon as the gateway tells of it.
async fn answered(answerer: &mut Socket, question: &str) -> Result<(), BenchError> {
    loop {
        let text = answerer.next().await?;
        let frame: Value =
            serde_json::from_str(&text).map_err(|_| BenchError::Unexpected(text.to_string()))?;
        let payload = &frame["payload"];
        if frame["event"] == "question.requested" && payload["questions"][0]["question"] == question {
            let answers =
                json!({ payload["questions"][0]["questionId"].as_str().unwrap_or_default(): ["Production"] });
            let params = json!({ "id": payload["id"], "answers": { "answers": answers } });
            answerer.request("answer", "question.resolve", &params.to_string()).await?;
            return Ok(answerer.flush().await?);
        }
    }
}

fn broken(what: &str, source: std::io::Error) -> BenchError {
    BenchError::Process(ProcessError::File { what: what.to_owned(), source })
}
