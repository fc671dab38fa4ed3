//! Clients that take a handle instead of waiting, and come back for the end; and helpers, who are offered nothing that asks.

use std::time::Instant;

use serde_json::{Value, json};

use super::agent::Agent;
use super::choice;
use super::forms::modern;
use crate::phone::retired;
use crate::program::PATIENCE;
use crate::telegram::Phone;

/// What a client says that polls.
fn polling() -> Value {
    json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } })
}

fn request(agent: &mut Agent, method: &str, params: &Value) -> Value {
    let call = modern(agent, method, params, &polling());
    agent.answer(call)
}

/// Calls a tool, which gives a handle; its id.
fn begin(agent: &mut Agent, arguments: &Value) -> String {
    let begun = request(agent, "tools/call", &json!({ "name": "ask_choice", "arguments": arguments }));
    let task = &begun["result"];
    assert_eq!((&task["resultType"], &task["status"]), (&json!("task"), &json!("working")), "{begun}");
    assert!(task["pollIntervalMs"].is_u64() && task["ttlMs"].is_u64(), "{task}");
    task["taskId"].as_str().unwrap().to_owned()
}

fn look(agent: &mut Agent, id: &str) -> Value {
    request(agent, "tasks/get", &json!({ "taskId": id }))
}

/// The task, once it does not work any more.
fn done(agent: &mut Agent, id: &str) -> Value {
    let until = Instant::now() + PATIENCE;
    loop {
        let task = look(agent, id)["result"].clone();
        if task["status"] != "working" {
            return task;
        }
        assert!(Instant::now() < until, "it never ended: {task}");
    }
}

#[test]
fn a_task_brings_what_its_call_would_have_returned() {
    let phone = Phone::new();
    let mut agent = Agent::spawned(&phone.program, &[], &[]);
    let id = begin(&mut agent, &choice());
    let asked = phone.question("Where to?");
    assert_eq!(look(&mut agent, &id)["result"]["status"], "working");
    phone.tap(asked.id, "Production");
    let task = done(&mut agent, &id);
    assert_eq!(task["status"], "completed", "{task}");
    let result = &task["result"]["structuredContent"];
    let fields = ["tool", "status", "via", "answer", "ask_id"].map(|name| &result[name]);
    assert_eq!(json!(fields), json!(["ask_choice", "answered", "chat", "Production", id]), "{task}");
    assert!(task["result"]["content"][0]["text"].is_string(), "{task}");
    assert_eq!(done(&mut agent, &id)["result"], task["result"], "it stays");
    // Handed out, so that the same question is a new one.
    assert_ne!(begin(&mut agent, &choice()), id);
    agent.ends();
}

#[test]
fn a_task_that_is_taken_back_is_retired_on_the_phone() {
    let phone = Phone::new();
    let mut agent = Agent::spawned(&phone.program, &[], &[]);
    let id = begin(&mut agent, &choice());
    let asked = phone.question("Where to?");
    let taken = request(&mut agent, "tasks/cancel", &json!({ "taskId": id }));
    assert!(taken["error"].is_null(), "{taken}");
    assert_eq!(done(&mut agent, &id)["status"], "cancelled");
    retired(&phone.chat, asked.id, "Withdrawn");
    assert_ne!(begin(&mut agent, &choice()), id, "the same words are a new question");
    agent.ends();
}

#[test]
fn what_was_taken_back_can_be_asked_again() {
    let phone = Phone::new();
    let mut agent = Agent::start(&phone.program, &[]);
    let asking = |question: &str| json!({ "question": question, "options": [{ "label": "Staging" }, { "label": "Production" }], "on_cancel": "withdraw" });
    for how in ["by its tool", "by the client"] {
        let withdrawn = asking(&format!("Where to, {how}?"));
        let call = agent.call("ask_choice", &withdrawn);
        let asked = phone.question(how);
        if how == "by its tool" {
            let listing = agent.call("list_asks", &json!({}));
            let id = agent.result(listing)["asks"][0]["ask_id"].clone();
            let taken = agent.call("cancel_ask", &json!({ "ask_id": id }));
            assert_eq!(agent.result(taken)["status"], "cancelled", "{how}");
            agent.result(call);
        } else {
            agent.cancel(call);
        }
        retired(&phone.chat, asked.id, "Withdrawn");
        let again = agent.call("ask_choice", &withdrawn);
        let anew = phone.chat.wait(how, |seen| {
            seen.iter()
                .find(|seen| seen.id > asked.id && seen.text.contains(how) && !seen.buttons.is_empty())
                .cloned()
        });
        phone.tap(anew.id, "Staging");
        assert_eq!(agent.result(again)["answer"], "Staging", "{how}");
    }
    agent.ends();
}

#[test]
fn only_a_task_that_is_there_is_told_of_and_only_to_who_polls() {
    let phone = Phone::new();
    let mut agent = Agent::spawned(&phone.program, &[], &[]);
    for method in ["tasks/get", "tasks/cancel"] {
        let answer = request(&mut agent, method, &json!({ "taskId": "mcp-none" }));
        assert_eq!(answer["error"]["code"], -32602, "{method}: {answer}");
    }
    let id = begin(&mut agent, &choice());
    let answer = request(&mut agent, "tasks/update", &json!({ "taskId": id, "inputResponses": {} }));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let call = modern(&mut agent, "tasks/get", &json!({ "taskId": id }), &json!({}));
    assert_eq!(agent.answer(call)["error"]["code"], -32021, "it did not say that it polls");
    agent.ends();
}

#[test]
fn a_task_of_a_process_that_was_killed_is_joined_by_the_same_call() {
    let phone = Phone::new();
    let _server = phone.serve();
    let mut agent = Agent::spawned(&phone.program, &[], &[]);
    let id = begin(&mut agent, &choice());
    let asked = phone.question("Where to?");
    agent.kill();
    phone.tap(asked.id, "Staging");
    retired(&phone.chat, asked.id, "Staging");
    let mut agent = Agent::spawned(&phone.program, &[], &[]);
    assert_eq!(look(&mut agent, &id)["error"]["code"], -32602, "another process knows no such task");
    let call = json!({ "name": "ask_choice", "arguments": choice() });
    let result = request(&mut agent, "tools/call", &call)["result"]["structuredContent"].clone();
    assert_eq!((&result["answer"], &result["ask_id"]), (&json!("Staging"), &json!(id)), "{result}");
    agent.ends();
}

#[test]
fn a_helper_is_offered_nothing_that_asks() {
    let phone = Phone::new();
    let mut agent = Agent::start(&phone.program, &[]);
    for (helper, meta) in [(true, json!({ "askrelay": { "subagent": true } })), (false, json!({}))] {
        let call = agent.send("tools/list", &json!({ "_meta": meta }));
        let answer = agent.answer(call);
        let names: Vec<_> =
            answer["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
        assert_eq!(names.contains(&json!("ask_user")), !helper, "{names:?}");
        assert!(names.contains(&json!("list_asks")), "{names:?}");
    }
    agent.ends();
}
