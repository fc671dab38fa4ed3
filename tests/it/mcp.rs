//! Agents that ask through MCP: the real binary, a client that speaks the protocol line by line, and people on the stand-in Telegram.

mod agent;
mod forms;
mod http;
mod tasks;

use std::time::Instant;

use serde_json::{Value, json};

use agent::Agent;

use crate::program::PATIENCE;
use crate::telegram::Phone;

fn choice() -> Value {
    json!({ "question": "Where to?", "options": [{ "label": "Staging" }, { "label": "Production" }] })
}

/// How many prompts the owner was shown.
fn prompts(phone: &Phone) -> usize {
    phone.chat.messages().iter().filter(|seen| seen.text.contains("Where to?")).count()
}

/// The prompt of this question, once what its platform calls it is on disk: killed before that, it may be shown twice.
fn settled(phone: &Phone, question: &str) -> i64 {
    let asked = phone.question(question).id;
    let begin = Instant::now();
    let times = || phone.succeeds(&["audit"]).matches("prompt.shown").count();
    while times() < phone.chat.messages().len() {
        assert!(begin.elapsed() < PATIENCE, "the receipt was never kept");
    }
    asked
}

#[test]
fn an_agent_asks_and_the_phone_answers() {
    let phone = Phone::new();
    let mut agent = Agent::start(&phone.program, &[]);
    let call = agent.call("ask_choice", &choice());
    let asked = phone.question("Where to?");
    phone.tap(asked.id, "Production");
    let result = agent.result(call);
    let fields = ["status", "via", "answer", "selected", "answered_by", "verified"].map(|name| &result[name]);
    assert_eq!(json!(fields), json!(["answered", "chat", "Production", ["Production"], "owner", true]));
    assert!(!agent.signs_of_life().is_empty(), "a waiting call tells that it lives");
    agent.ends();
}

#[test]
fn every_tool_brings_what_the_person_gave() {
    let phone = Phone::new();
    let mut agent = Agent::start(&phone.program, &[]);
    let options = json!([{ "label": "Lint" }, { "label": "Docs" }]);
    let question = json!({ "id": "env", "header": "Env", "question": "Which one?", "options": options });
    let schema =
        json!({ "type": "object", "properties": { "go": { "type": "boolean" } }, "required": ["go"] });
    for (tool, arguments, shown, taps, member, expected) in [
        (
            "ask_user",
            json!({ "questions": [question] }),
            "Which one?",
            vec!["Docs"],
            "answers",
            json!({ "answers": { "env": ["Docs"] } }),
        ),
        ("ask_confirm", json!({ "question": "Really?" }), "Really?", vec!["Yes"], "confirmed", json!(true)),
        (
            "ask_multi_select",
            json!({ "question": "Which of them?", "options": options }),
            "Which of them?",
            vec!["☐ Lint", "☐ Docs", "Submit (2)"],
            "selected",
            json!(["Lint", "Docs"]),
        ),
        (
            "ask",
            json!({ "prompt": "Shall it go?", "outputSchema": schema }),
            "Shall it go?",
            vec!["Yes"],
            "answer",
            json!({ "go": true }),
        ),
    ] {
        let call = agent.call(tool, &arguments);
        let asked = phone.question(shown);
        for label in taps {
            phone.tap(asked.id, label);
        }
        assert_eq!(agent.result(call)[member], expected, "{tool}");
    }
    agent.ends();
}

#[test]
fn a_client_that_cuts_calls_gets_the_answer_by_calling_again() {
    let phone = Phone::new();
    let mut agent = Agent::start(&phone.program, &["--call-wait", "1s"]);
    let first = agent.call("ask_choice", &choice());
    let first = agent.result(first);
    assert_eq!((&first["status"], &first["reason"]), (&json!("timeout"), &json!("pending")));
    let asked = phone.question("Where to?");
    phone.tap(asked.id, "Staging");
    let answered = agent.until("ask_choice", &choice(), |result| result["status"] == "answered");
    assert_eq!((&answered["answer"], &answered["ask_id"]), (&json!("Staging"), &first["ask_id"]));
    assert_eq!(prompts(&phone), 1, "one question, one prompt");
    // Handed out once; the same call is a new question then.
    let third = agent.call("ask_choice", &choice());
    let third = agent.result(third);
    assert_ne!(third["ask_id"], first["ask_id"]);
    agent.ends();
}

#[test]
fn get_answer_waits_for_an_earlier_ask() {
    let phone = Phone::new();
    let mut agent = Agent::start(&phone.program, &["--call-wait", "1s"]);
    let first = agent.call("ask_choice", &choice());
    let id = agent.result(first)["ask_id"].clone();
    let call = agent.call("get_answer", &json!({ "ask_id": id, "waitSeconds": 60 }));
    let asked = phone.question("Where to?");
    phone.tap(asked.id, "Staging");
    let result = agent.result(call);
    assert_eq!(result["answers"], json!({ "answers": { "choice": ["Staging"] } }));
    let unknown = agent.call("get_answer", &json!({ "ask_id": "nobody" }));
    assert_eq!(agent.result(unknown)["status"], "no_answer");
    agent.ends();
}

#[test]
fn another_project_or_agent_does_not_join() {
    let phone = Phone::new();
    let _server = phone.serve();
    let wait = ["--call-wait", "1s", "--project"];
    let mut ids = Vec::new();
    for project in ["/", "/tmp", "/"] {
        let mut agent = Agent::start(&phone.program, &[&wait[..], &[project]].concat());
        let call = agent.call("ask_choice", &choice());
        ids.push(agent.result(call)["ask_id"].clone());
        agent.ends();
    }
    assert_eq!(ids[0], ids[2], "the same project joins");
    assert_ne!(ids[0], ids[1], "another project asks by itself");
}

#[test]
fn a_key_joins_across_projects_of_nobody_else() {
    let phone = Phone::new();
    let _server = phone.serve();
    let mut agent = Agent::start(&phone.program, &["--call-wait", "1s"]);
    let mut arguments = choice();
    arguments["idempotency_key"] = json!("release-7");
    let first = agent.call("ask_choice", &arguments);
    let first = agent.result(first);
    phone.tap(phone.question("Where to?").id, "Staging");
    let again = agent.until("ask_choice", &arguments, |result| result["status"] == "answered");
    let later = agent.call("ask_choice", &arguments);
    let later = agent.result(later);
    assert_eq!((&again["ask_id"], &later["ask_id"]), (&first["ask_id"], &first["ask_id"]));
    assert_eq!(later["answer"], "Staging", "a key names one question for ever");
    arguments["question"] = json!("Where else?");
    let other = agent.call("ask_choice", &arguments);
    let other = agent.result(other);
    assert_eq!(other["status"], "error", "another question cannot have the key: {other}");
    agent.ends();
}

/// Two that choose the same key are two all the same; one that comes back is the same, whatever session it is in.
#[test]
fn a_key_joins_nobody_elses_ask() {
    let phone = Phone::new();
    let _server = phone.serve();
    let mut arguments = choice();
    arguments["idempotency_key"] = json!("1");
    let ask = |client: &str, flags: &[&str]| {
        let mut agent = Agent::spawned(&phone.program, &[&["--call-wait", "1s"], flags].concat(), &[]);
        agent.begin_as(client, &json!({}), &json!({}));
        let call = agent.call("ask_choice", &arguments);
        let result = agent.result(call);
        agent.ends();
        result["ask_id"].as_str().unwrap_or_else(|| panic!("{client} {flags:?}: {result}")).to_owned()
    };
    let first = ask("codex", &[]);
    for (client, flags, same) in [
        ("codex", vec![], true),
        ("codex", vec!["--session", "another"], true),
        ("cursor", vec![], false),
        ("codex", vec!["--agent", "reviewer"], false),
        ("codex", vec!["--project", "/"], false),
    ] {
        assert_eq!(ask(client, &flags) == first, same, "{client} {flags:?}");
    }
}

#[test]
fn a_killed_process_loses_nothing() {
    let phone = Phone::new();
    for with_server in [false, true] {
        let server = with_server.then(|| phone.serve());
        let question = format!("Where to, {with_server}?");
        let mut arguments = choice();
        arguments["question"] = json!(question);
        let mut agent = Agent::start(&phone.program, &[]);
        agent.call("ask_choice", &arguments);
        let asked = settled(&phone, &question);
        agent.kill();
        let mut agent = Agent::start(&phone.program, &[]);
        let call = agent.call("ask_choice", &arguments);
        phone.tap(asked, "Production");
        let result = agent.result(call);
        assert_eq!((&result["answer"], &result["joined"]), (&json!("Production"), &json!(true)));
        let shown = phone.chat.messages().iter().filter(|seen| seen.text.contains(&question)).count();
        assert_eq!(shown, 1, "one question, one prompt");
        agent.ends();
        drop(server);
    }
}

#[test]
fn an_answer_that_was_never_written_is_not_handed_out() {
    let phone = Phone::new();
    let _server = phone.serve();
    let mut agent = Agent::start(&phone.program, &[]);
    agent.call("ask_choice", &choice());
    let asked = settled(&phone, "Where to?");
    agent.goes_deaf();
    phone.tap(asked, "Production");
    // The process ends after it tried to write what it had to say.
    agent.ends();
    let mut agent = Agent::start(&phone.program, &[]);
    let call = agent.call("ask_choice", &choice());
    let result = agent.result(call);
    assert_eq!((&result["answer"], &result["joined"]), (&json!("Production"), &json!(true)));
    assert_eq!(prompts(&phone), 1, "one question, one prompt");
    agent.ends();
}

#[test]
fn a_killed_server_loses_nothing() {
    let phone = Phone::new();
    let server = phone.serve();
    let mut agent = Agent::start(&phone.program, &[]);
    let call = agent.call("ask_choice", &choice());
    let asked = settled(&phone, "Where to?");
    server.kill();
    // The client's process runs the ring now, the bot included.
    phone.tap(asked, "Staging");
    assert_eq!(agent.result(call)["answer"], "Staging");
    assert_eq!(prompts(&phone), 1);
    agent.ends();
}

#[test]
fn a_cancelled_call_leaves_its_ask_open_unless_it_said_otherwise() {
    let phone = Phone::new();
    let mut agent = Agent::start(&phone.program, &[]);
    let kept = agent.call("ask_choice", &choice());
    let asked = phone.question("Where to?");
    agent.cancel(kept);
    let call = agent.call("ask_choice", &choice());
    phone.tap(asked.id, "Staging");
    assert_eq!(agent.result(call)["joined"], true);

    let mut arguments = choice();
    arguments["question"] = json!("And where then?");
    arguments["on_cancel"] = json!("withdraw");
    let taken_back = agent.call("ask_choice", &arguments);
    phone.question("And where then?");
    agent.cancel(taken_back);
    phone.chat.wait("the question taken back", |messages| {
        messages
            .iter()
            .any(|seen| seen.text.contains("And where then?") && seen.text.contains("ithdrawn"))
            .then_some(())
    });
    agent.ends();
}

/// A client that goes takes nothing back, whatever its calls said of being cancelled and whoever runs the ring.
#[test]
fn the_end_of_a_client_is_no_cancellation() {
    let phone = Phone::new();
    for with_server in [false, true] {
        let server = with_server.then(|| phone.serve());
        let asks = ["keep", "withdraw"].map(|on_cancel| {
            let question = format!("Shall it {on_cancel}, {with_server}?");
            json!({ "question": question, "on_cancel": on_cancel, "timeout_ms": 60000 })
        });
        let mut agent = Agent::start(&phone.program, &[]);
        let shown = asks.each_ref().map(|ask| {
            agent.call("ask_confirm", ask);
            settled(&phone, ask["question"].as_str().unwrap())
        });
        agent.ends();
        let mut agent = Agent::start(&phone.program, &[]);
        for (ask, shown) in asks.iter().zip(shown) {
            let call = agent.call("ask_confirm", ask);
            phone.tap(shown, "Yes");
            let result = agent.result(call);
            let joined = (&result["confirmed"], &result["joined"]);
            assert_eq!(joined, (&json!(true), &json!(true)), "{ask}: {result}");
        }
        agent.ends();
        drop(server);
    }
}

#[test]
fn agents_side_by_side_share_one_bot() {
    let phone = Phone::new();
    let mut agents: Vec<Agent> = (0..3).map(|_| Agent::start(&phone.program, &[])).collect();
    let calls: Vec<u64> = agents
        .iter_mut()
        .enumerate()
        .map(|(at, agent)| agent.call("ask_confirm", &json!({ "question": format!("Go, {at}?") })))
        .collect();
    for at in 0..3 {
        phone.tap(phone.question(&format!("Go, {at}?")).id, "Yes");
    }
    for (agent, call) in agents.iter_mut().zip(calls) {
        assert_eq!(agent.result(call)["confirmed"], true);
    }
    agents.into_iter().for_each(Agent::ends);
}

/// A helper of an agent, however it is marked, is offered and allowed to look, and never to ask.
#[test]
fn a_helper_of_an_agent_may_look_but_not_ask() {
    let phone = Phone::new();
    let (marked, unmarked) = (json!({ "askrelay": { "subagent": true } }), json!({}));
    let (named, unnamed) = (("ASKRELAY_SUBAGENT", "1"), ("ASKRELAY_SUBAGENT", "0"));
    for (how, flags, environment, begin, request, helper) in [
        ("a flag", vec!["--subagent"], unnamed, &unmarked, &unmarked, true),
        ("the environment", vec![], named, &unmarked, &unmarked, true),
        ("the session's _meta", vec![], unnamed, &marked, &unmarked, true),
        ("the request's _meta", vec![], unnamed, &unmarked, &marked, true),
        ("nothing", vec![], unnamed, &unmarked, &unmarked, false),
    ] {
        // A flag is there or not; the environment's "0" would be read beside it.
        let environment = if flags.is_empty() { vec![environment] } else { vec![] };
        let mut agent = Agent::spawned(&phone.program, &flags, &environment);
        let told = agent.begin(&json!({}), begin);
        let offered = agent.tools_with(request);
        let asking = offered.iter().filter(|name| name.starts_with("ask") || *name == "notify").count();
        assert_eq!(asking == 0, helper, "{how}: {offered:?}");
        assert!(offered.contains(&"list_asks".to_owned()), "{how}: {offered:?}");
        // What is said only of a request cannot be known when the session begins.
        assert_eq!(told.contains("You are a helper"), helper && request == &unmarked, "{how}: {told}");
        if helper {
            let call = agent.call_with("ask_confirm", &json!({ "question": "Go?" }), request);
            assert!(agent.error_of(call).contains("main agent"), "{how}");
        }
        agent.ends();
    }
}

#[test]
fn news_is_told_and_waits_for_nothing() {
    let phone = Phone::new();
    let mut agent = Agent::start(&phone.program, &["--label", "ci"]);
    let asked = agent.call("ask_choice", &choice());
    phone.question("Where to?");
    let call = agent.call("notify", &json!({ "message": "The <b>build</b> is green." }));
    assert_eq!(agent.result(call), json!({ "status": "sent", "places": 1 }));
    assert_eq!(
        phone.chat.wait("the news", |seen| seen
            .iter()
            .find(|seen| seen.text.contains("green"))
            .map(|seen| seen.text.clone())),
        "ci: The <b>build</b> is green."
    );
    agent.cancel(asked);
    agent.ends();
}

#[test]
fn asks_are_listed_and_taken_back() {
    let phone = Phone::new();
    let mut agent = Agent::start(&phone.program, &["--call-wait", "1s"]);
    let call = agent.call("ask_choice", &choice());
    let id = agent.result(call)["ask_id"].clone();
    let call = agent.call("list_asks", &json!({}));
    let listed = agent.result(call);
    assert_eq!(listed["asks"][0]["ask_id"], id);
    let call = agent.call("cancel_ask", &json!({ "ask_id": id }));
    assert_eq!(agent.result(call)["status"], "cancelled");
    let call = agent.call("list_asks", &json!({}));
    assert_eq!(agent.result(call)["asks"], json!([]));
    let call = agent.call("cancel_ask", &json!({ "ask_id": "nobody" }));
    assert_eq!(agent.result(call)["status"], "not_found");
    agent.ends();
}
