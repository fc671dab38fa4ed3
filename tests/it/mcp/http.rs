//! Agents that come over HTTP with a token: who is let in, sessions, connections that break while a person thinks, and the era without
//! sessions.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::{choice, prompts};
use crate::program::{PATIENCE, Program, Server};
use crate::telegram::Phone;

/// A client with a token, and perhaps a session.
struct Remote {
    address: String,
    token: String,
    session: Option<String>,
}

/// A response that is still coming.
struct Coming {
    head: String,
    body: BufReader<TcpStream>,
    last_event: Option<String>,
}

fn address(program: &Program) -> String {
    let status = program.run(&["status", "--json"]);
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    status["listen"].as_str().unwrap().to_owned()
}

fn served(phone: &Phone, arguments: &[&str]) -> (Server, Remote) {
    let server = phone.serve();
    let mut all = vec!["token", "create", "--scopes", "operator.questions"];
    all.extend(arguments);
    let token = phone.succeeds(&all).trim().to_owned();
    (server, Remote { address: address(&phone.program), token, session: None })
}

impl Remote {
    fn request(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Coming {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
            self.address,
            self.token,
            body.len()
        );
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(session) = &self.session {
            head.push_str(&format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n"));
        }
        write!(socket, "{head}\r\n{body}").unwrap();
        let mut body = BufReader::new(socket);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(body.read_line(&mut head).unwrap() > 0, "the answer broke off: {head}");
        }
        Coming { head, body, last_event: None }
    }

    fn send(&self, message: &Value) -> Coming {
        self.request("POST", &[], &message.to_string())
    }

    /// Begins a session.
    fn begin(&mut self) {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "remote", "version": "1" } });
        let mut begun =
            self.send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
        assert_eq!(begun.answer(0)["result"]["serverInfo"]["name"], "askrelay");
        self.session = Some(begun.header("mcp-session-id").unwrap());
        let told = self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assert!(told.head.starts_with("HTTP/1.1 202"), "{}", told.head);
    }

    fn call(&self, id: u64, arguments: &Value) -> Coming {
        let params =
            json!({ "name": "ask_choice", "arguments": arguments, "_meta": { "progressToken": id } });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
    }

    /// The same in the era without sessions, where a request says everything by itself.
    fn modern(&self, id: u64, arguments: &Value) -> Coming {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "remote", "version": "2" },
            "io.modelcontextprotocol/clientCapabilities": {},
            "progressToken": id,
        });
        let params = json!({ "name": "ask_choice", "arguments": arguments, "_meta": meta });
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "ask_choice"),
        ];
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        self.request("POST", &headers, &call.to_string())
    }
}

impl Coming {
    fn header(&self, name: &str) -> Option<String> {
        let line = self.head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}: ")))?;
        Some(line.split_once(": ")?.1.to_owned())
    }

    fn message(&mut self) -> Value {
        self.next().unwrap_or_else(|| panic!("the answer broke off: {}", self.head))
    }

    /// The next message, while there is one. A body comes in chunks, whose lengths are lines of their own; JSON alone is a message
    /// too.
    fn next(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.body.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(id) = line.strip_prefix("id: ") {
                self.last_event = Some(id.to_owned());
            }
            let text = line.strip_prefix("data: ").unwrap_or(line);
            if let Ok(message @ Value::Object(_)) = serde_json::from_str(text) {
                return Some(message);
            }
        }
    }

    /// The answer to a request, whatever comes before it.
    fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.message();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn result(&mut self, id: u64) -> Value {
        self.answer(id)["result"]["structuredContent"].clone()
    }
}

#[test]
fn only_who_has_a_token_is_let_in() {
    let phone = Phone::new();
    let (_server, remote) = served(&phone, &["--as", "owner"]);
    for token in ["", "guessed"] {
        let other = Remote { token: token.to_owned(), address: remote.address.clone(), session: None };
        let mut refused = other.call(1, &choice());
        assert!(refused.head.starts_with("HTTP/1.1 401"), "{}", refused.head);
        let mut words = String::new();
        refused.body.by_ref().take(64).read_to_string(&mut words).unwrap();
        assert!(words.contains("token"), "{words}");
    }
    let mut socket = TcpStream::connect(&remote.address).unwrap();
    write!(
        socket,
        "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 4") && !answer.starts_with("HTTP/1.1 401"), "{answer}");
}

#[test]
fn a_session_asks_and_the_phone_answers() {
    let phone = Phone::new();
    let (_server, mut remote) = served(&phone, &["--as", "owner"]);
    remote.begin();
    let mut call = remote.call(1, &choice());
    phone.tap(phone.question("Where to?").id, "Production");
    let result = call.result(1);
    let fields = ["status", "via", "answer", "binding"].map(|name| &result[name]);
    assert_eq!(json!(fields), json!(["answered", "chat", "Production", "run"]));
    let ended = remote.request("DELETE", &[], "");
    assert!(ended.head.starts_with("HTTP/1.1 204 "), "the session is over: {}", ended.head);
    let after = remote.call(2, &choice());
    assert!(after.head.starts_with("HTTP/1.1 404 "), "{}", after.head);
}

#[test]
fn a_service_learns_that_its_ask_is_nobodys() {
    let phone = Phone::new();
    let (_server, mut remote) = served(&phone, &[]);
    remote.begin();
    let mut params = json!({ "name": "ask_choice", "arguments": choice(), "_meta": { "askrelay": { "session": "build-7" } } });
    params["arguments"]["question"] = json!("Where to now?");
    let mut call =
        remote.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    phone.tap(phone.question("Where to now?").id, "Staging");
    let result = call.result(1);
    assert_eq!((&result["answer"], &result["binding"]), (&json!("Staging"), &json!("attached")), "{result}");
}

#[test]
fn an_answer_given_while_the_connection_was_broken_is_there_afterwards() {
    let phone = Phone::new();
    let (_server, mut remote) = served(&phone, &["--as", "owner"]);
    remote.begin();
    let mut call = remote.call(1, &choice());
    // The first sign of life has the number of an event to go on from.
    while call.last_event.is_none() {
        call.message();
    }
    let last = call.last_event.clone().unwrap();
    drop(call);
    let asked = phone.question("Where to?").id;
    phone.tap(asked, "Staging");
    crate::telegram::retired(&phone.chat, asked, "Staging");
    // What is kept so far comes at once; whoever is too early looks again, as clients do.
    let begin = std::time::Instant::now();
    let answer = loop {
        let mut resumed = remote.request("GET", &[("Last-Event-ID", &last)], "");
        if let Some(answer) = std::iter::from_fn(|| resumed.next()).find(|message| message["id"] == 1) {
            break answer;
        }
        assert!(begin.elapsed() < PATIENCE, "the answer was never kept");
    };
    assert_eq!(answer["result"]["structuredContent"]["answer"], "Staging");
}

#[test]
fn without_a_session_a_broken_call_is_joined_by_its_key() {
    let phone = Phone::new();
    let (_server, remote) = served(&phone, &["--as", "owner"]);
    let mut arguments = choice();
    arguments["idempotency_key"] = json!("release-7");
    let mut call = remote.modern(1, &arguments);
    call.message();
    let asked = phone.question("Where to?").id;
    drop(call);
    let mut again = remote.modern(2, &arguments);
    again.message();
    phone.tap(asked, "Staging");
    let result = again.result(2);
    assert_eq!((&result["answer"], &result["joined"]), (&json!("Staging"), &json!(true)));
    assert_eq!(prompts(&phone), 1, "one question, one prompt");
}

#[test]
fn an_answer_is_handed_out_when_its_response_was_written() {
    let phone = Phone::new();
    let (_server, mut remote) = served(&phone, &["--as", "owner"]);
    let meta = |id: u64| json!({ "progressToken": id, "askrelay": { "project": "/srv/site" } });
    let call = |remote: &Remote, id: u64| {
        let params = json!({ "name": "ask_choice", "arguments": choice(), "_meta": meta(id) });
        remote.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
    };
    remote.begin();
    let mut broken = call(&remote, 1);
    broken.message();
    let first = phone.question("Where to?").id;
    drop(broken);
    phone.tap(first, "Staging");
    crate::telegram::retired(&phone.chat, first, "Staging");
    // Nobody got it: another session of the same client, token and project does, once.
    remote.session = None;
    remote.begin();
    let result = call(&remote, 2).result(2);
    assert_eq!((&result["answer"], &result["joined"]), (&json!("Staging"), &json!(true)), "{result}");
    let mut third = call(&remote, 3);
    let sign = third.message();
    assert!(!sign.to_string().contains(result["ask_id"].as_str().unwrap()), "a new question: {sign}");
}

#[test]
fn the_end_of_a_session_is_no_cancellation() {
    let phone = Phone::new();
    let (_server, mut remote) = served(&phone, &["--as", "owner"]);
    let mut arguments = choice();
    arguments["idempotency_key"] = json!("release-7");
    arguments["on_cancel"] = json!("withdraw");
    for ending in ["the client", "the session"] {
        remote.session = None;
        remote.begin();
        let mut call = remote.call(1, &arguments);
        call.message();
        phone.question("Where to?");
        drop(call);
        if ending == "the session" {
            let ended = remote.request("DELETE", &[], "");
            assert!(ended.head.starts_with("HTTP/1.1 20"), "{}", ended.head);
        }
    }
    remote.session = None;
    remote.begin();
    let mut again = remote.call(2, &arguments);
    again.message();
    phone.tap(phone.question("Where to?").id, "Staging");
    let result = again.result(2);
    assert_eq!((&result["answer"], &result["joined"]), (&json!("Staging"), &json!(true)), "{result}");
    assert_eq!(prompts(&phone), 1, "one question, one prompt");
}

#[test]
fn a_revoked_token_opens_nothing() {
    let phone = Phone::new();
    let (_server, mut remote) = served(&phone, &["--as", "owner"]);
    remote.begin();
    let listed = phone.succeeds(&["token", "list"]);
    let id = listed.split_whitespace().next().unwrap().to_owned();
    phone.succeeds(&["token", "revoke", &id]);
    let refused = remote.call(1, &choice());
    assert!(refused.head.starts_with("HTTP/1.1 401"), "{}", refused.head);
}
