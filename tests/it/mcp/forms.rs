//! The client's own form, where no chat is set up: in the era with sessions, and in the one without.

use std::io::{Read as _, Write as _};

use serde_json::{Value, json};

use super::agent::{Agent, Filling};
use super::choice;
use crate::program::Program;

/// Checks what a client's form comes to.
fn check(filling: Filling, environment: &[(&str, &str)], expected: &Value) {
    let program = Program::new();
    let mut agent = Agent::with_forms(&program, environment, filling);
    let call = agent.call("ask_choice", &choice());
    let result = agent.result(call);
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(result[name], *value, "{name} of {result}");
    }
    agent.ends();
}

/// A person who takes their time, as far as the setting goes.
const SLOW: &[(&str, &str)] = &[("HIM_AUTO_REJECT_MS", "0")];

#[test]
fn the_clients_own_form_answers_where_no_chat_is_set_up() {
    let accept: Filling = |params| {
        assert!(params["message"].as_str().unwrap().starts_with("Where to?"), "{params}");
        assert_eq!(params["requestedSchema"]["properties"]["choice"]["enum"][1], "Production", "{params}");
        json!({ "action": "accept", "content": { "choice": "Production" } })
    };
    check(
        accept,
        SLOW,
        &json!({ "status": "answered", "via": "elicitation", "answer": "Production", "verified": false, "client_elicitation": true }),
    );
    // Own words have a form of their own, as with JustAskMe.
    let own: Filling = |params| match params["requestedSchema"]["properties"]["choice"]["enum"].as_array() {
        Some(labels) => json!({ "action": "accept", "content": { "choice": labels.last().unwrap() } }),
        None => json!({ "action": "accept", "content": { "free_text": "Neither" } }),
    };
    check(
        own,
        SLOW,
        &json!({ "status": "discussion", "answer": "Neither", "free_text": "Neither", "selected": [] }),
    );
    let decline: Filling = |_| json!({ "action": "decline" });
    check(decline, SLOW, &json!({ "status": "declined", "via": "elicitation", "reason": "declined" }));
    let cancel: Filling = |_| json!({ "action": "cancel" });
    check(cancel, SLOW, &json!({ "status": "cancelled", "reason": "withdrawn" }));
    let nonsense: Filling = |_| json!({ "action": "accept", "content": { "choice": 7 } });
    check(nonsense, SLOW, &json!({ "status": "invalid_response", "via": "elicitation" }));
    check(
        decline,
        &[("HIM_AUTO_REJECT_MS", "60000")],
        &json!({ "status": "needs_user_input", "via": "none", "auto_reject_suspected": true }),
    );
}

#[test]
fn without_any_way_the_setting_decides() {
    for (fallback, status) in [("return", "needs_user_input"), ("off", "unsupported")] {
        let program = Program::new();
        let mut agent = Agent::spawned(&program, &[], &[("HIM_FALLBACK", fallback)]);
        let call = modern(
            &mut agent,
            "tools/call",
            &json!({ "name": "ask_choice", "arguments": choice() }),
            &json!({}),
        );
        let result = agent.answer(call);
        assert_eq!(result["result"]["structuredContent"]["status"], status, "{result}");
        agent.ends();
    }
}

#[test]
fn a_page_of_this_machine_answers_where_the_setting_says_so() {
    let program = Program::new();
    let page = [("HIM_FALLBACK", "http"), ("HIM_HTTP_OPEN", "0")];
    let mut agent = Agent::with(&program, &[], &page, None);
    let call = agent.call("ask_choice", &choice());
    let sign = agent.sign_of_life();
    let url = sign.split_once(" at ").and_then(|(_, rest)| rest.split_once(';')).unwrap().0.to_owned();
    let (host, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).unwrap();
    let shown = exchange(host, &format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
    assert!(shown.contains("Where to?") && shown.contains("Production"), "{shown}");
    let body = "act=send&q0=1";
    let post = format!(
        "POST /{path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let said = exchange(host, &post);
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    let result = agent.result(call);
    let fields = ["status", "via", "answer", "verified", "form_url"].map(|name| &result[name]);
    assert_eq!(json!(fields), json!(["answered", "http_form", "Production", false, url]));
    agent.ends();
}

/// A client that wants to hear of its calls' course is told where a person is waited for; one that does not is told nothing.
#[test]
fn a_client_is_told_as_much_as_it_wants() {
    let page = [("HIM_FALLBACK", "http"), ("HIM_HTTP_OPEN", "0"), ("HIM_TIMEOUT_MS", "1000")];
    for (level, told) in
        [(None, false), (Some("debug"), true), (Some("warning"), true), (Some("error"), false)]
    {
        let program = Program::new();
        let mut agent = Agent::with(&program, &[], &page, None);
        if let Some(level) = level {
            let set = agent.send("logging/setLevel", &json!({ "level": level }));
            assert_eq!(agent.answer(set)["result"], json!({}));
        }
        let call = agent.call("ask_choice", &choice());
        let url = agent.result(call)["form_url"].as_str().unwrap().to_owned();
        let of_it = |said: &&Value| {
            said["level"] == "warning" && said["data"] == format!("A question waits at {url}")
        };
        let heard = agent.told().iter().filter(of_it).count();
        assert_eq!(
            (heard, agent.told().len()),
            (usize::from(told), usize::from(told)),
            "{level:?}: {:?}",
            agent.told()
        );
        agent.ends();
    }
}

/// How much is logged, and that it is logged to standard error alone, as with JustAskMe.
#[test]
fn the_setting_decides_how_much_is_logged() {
    let begun = "Service initialized";
    let waits = "a question waits at";
    let of = |level: &str, environment: &[(&str, &str)]| {
        let program = Program::new();
        let page = [("HIM_FALLBACK", "http"), ("HIM_HTTP_OPEN", "0"), ("HIM_TIMEOUT_MS", "1000")];
        let log = program.home().join("log");
        let all: Vec<_> = [&page[..], &[("HIM_LOG", level)], environment].concat();
        let mut agent = Agent::logging(&program, &all, &log);
        agent.begin(&json!({}), &json!({}));
        let call = agent.call("ask_choice", &choice());
        assert_eq!(agent.result(call)["status"], "timeout", "{level}");
        agent.ends();
        std::fs::read_to_string(log).unwrap()
    };
    for (level, environment, logged) in [
        ("silent", None, vec![]),
        ("error", None, vec![]),
        ("warn", None, vec![waits]),
        ("", None, vec![waits]),
        ("INFO", None, vec![begun, waits]),
        ("whatever", None, vec![begun, waits]),
        ("debug", None, vec![begun, waits]),
        ("debug", Some(("ASKRELAY_LOG_LEVEL", "error")), vec![]),
    ] {
        let log = of(level, environment.as_slice());
        for line in [begun, waits] {
            assert_eq!(log.contains(line), logged.contains(&line), "{level} {line}: {log}");
        }
        assert!(!log.contains("Where to?"), "{level}: what is asked is no matter of logs: {log}");
    }
}

/// One HTTP exchange, as text.
fn exchange(host: &str, request: &str) -> String {
    let mut socket = std::net::TcpStream::connect(host).unwrap();
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

/// Sends a request of the era without handshakes, which says everything by itself.
pub(super) fn modern(agent: &mut Agent, method: &str, params: &Value, capabilities: &Value) -> u64 {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "agent", "version": "2" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    agent.send(method, &params)
}

#[test]
fn the_era_without_sessions_is_asked_by_its_own_result() {
    let program = Program::new();
    let mut agent = Agent::spawned(&program, &[], &[]);
    let forms = json!({ "elicitation": { "form": {} } });
    let found = modern(&mut agent, "server/discover", &json!({}), &forms);
    let found = agent.answer(found);
    assert!(
        found["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")),
        "{found}"
    );
    let mut params = json!({ "name": "ask_choice", "arguments": choice() });
    let call = modern(&mut agent, "tools/call", &params, &forms);
    let wanted = agent.answer(call)["result"].clone();
    assert_eq!(wanted["resultType"], "input_required", "{wanted}");
    let request = &wanted["inputRequests"]["answer"];
    assert_eq!(request["method"], "elicitation/create");
    assert!(request["params"]["message"].as_str().unwrap().starts_with("Where to?"), "{request}");
    let state = wanted["requestState"].as_str().unwrap().to_owned();

    // A state that somebody made up answers nothing.
    let filled = json!({ "answer": { "action": "accept", "content": { "choice": "Staging" } } });
    params["inputResponses"] = filled;
    params["requestState"] = json!(format!("{state}0"));
    let call = modern(&mut agent, "tools/call", &params, &forms);
    assert_eq!(agent.answer(call)["error"]["code"], -32602);

    params["requestState"] = json!(state);
    let call = modern(&mut agent, "tools/call", &params, &forms);
    let result = agent.answer(call)["result"]["structuredContent"].clone();
    assert_eq!((&result["status"], &result["answer"]), (&json!("answered"), &json!("Staging")), "{result}");
    agent.ends();
}
