//! How asks end through `ask_user`, `ask` and `get_answer`, and the results of the tools that ask nothing.

use std::sync::Arc;

use askrelay_core::answer::Way;
use askrelay_core::ask::Binding;
use askrelay_core::record::{State, WhyCancelled};
use serde_json::{Value, json};

use super::world::*;
use super::{keeps, meant};
use crate::tool::{
    Asked, End, Settings, Standing, cancelled as taken_back, collected, gone, listed, notified, status,
};

fn choice() -> Asked {
    let options = json!([{"label": "Staging"}, {"label": "Production", "description": "live"}]);
    asked("ask_choice", &json!({ "question": "Where to?", "options": options }))
}

fn user() -> Asked {
    let options = json!([{"label": "A"}, {"label": "B", "description": "the other one"}]);
    let question = json!({ "id": "env", "header": "Env", "question": "Where?", "options": options, "multiSelect": true });
    asked("ask_user", &json!({ "questions": [question] }))
}

fn typed_ask() -> Asked {
    let n = json!({ "type": "integer", "description": "How many replicas?", "minimum": 1 });
    let schema = json!({ "type": "object", "properties": { "n": n }, "required": ["n"] });
    asked("ask", &json!({ "prompt": "Scale out?", "outputSchema": schema }))
}

#[test]
fn results_of_ask_user() {
    let asked = user();
    let answer = State::Answered(Box::new(answered(&[("env", &["A"])], None, Way::Elicitation)));
    let over = |state| End::Ended(ended(&asked, state));
    for (end, status, reason) in [
        (over(answer), "answered", json!(null)),
        (over(cancelled(WhyCancelled::Declined)), "no_answer", json!("declined")),
        (over(State::Expired { at: NOW }), "no_answer", json!("expired")),
        (over(cancelled(WhyCancelled::Unavailable)), "no_answer", json!("unavailable")),
        (End::Pending(ended(&asked, State::Pending)), "no_answer", json!("pending")),
        (End::HandedBack("No chat.".to_owned()), "no_answer", json!("handed_back")),
        (End::Declined, "no_answer", json!("declined")),
        (End::Unsupported, "no_answer", json!("unavailable")),
        (End::Dismissed, "no_answer", json!("declined")),
        (End::Unreadable("nothing was chosen".to_owned()), "no_answer", json!("unavailable")),
        (End::Failed("the gateway is gone".to_owned()), "no_answer", json!("unavailable")),
    ] {
        let finished = finish("ask_user", &asked, &end, &how());
        assert_eq!(finished.structured["status"], status, "{end:?}");
        assert_eq!(finished.structured["reason"], reason, "{end:?}");
        let answers = json!({ "answers": { "env": ["A"] } });
        let expected = (status == "answered").then_some(&answers);
        assert_eq!(finished.structured.get("answers"), expected, "{end:?}");
        assert_eq!(finished.is_error, matches!(end, End::Unsupported | End::Failed(_)), "{end:?}");
        assert!(finished.text.contains(finished.structured["next_step"].as_str().expect("is text")));
    }
}

#[test]
fn late_answers_are_told_and_never_passed_off() {
    let asked = choice();
    let mut record = Arc::unwrap_or_clone(ended(&asked, State::Expired { at: NOW }));
    record.late.push(answered(&[("choice", &["Staging"])], None, Way::Control));
    let finished = finish("ask_choice", &asked, &End::Ended(Arc::new(record)), &how());
    assert_eq!(finished.structured["status"], "timeout");
    assert_eq!(finished.structured["answer"], json!(null));
    assert_eq!(
        finished.structured["late"],
        json!({ "answers": { "choice": ["Staging"] }, "answered_by": "Ada" })
    );
    assert!(finished.text.contains("After the end Ada answered: Staging"), "{}", finished.text);
}

#[test]
fn every_result_of_ask() {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    let fail = json!({ "prompt": "How many?", "outputSchema": schema });
    let stand_in = json!({ "prompt": "How many?", "outputSchema": schema, "whenUnanswered": "default", "default": { "n": 3 } });
    let typed = |arguments: &Value| asked("ask", arguments);
    let id = typed(&fail).wanted.params.questions[0].id.to_string();
    let answer = State::Answered(Box::new(answered(&[(id.as_str(), &["7"])], None, Way::Control)));
    let expired = State::Expired { at: NOW };
    let declined = cancelled(WhyCancelled::Declined);
    let nowhere = || cancelled(WhyCancelled::NotDelivered { detail: "gone".to_owned() });
    let over = |state| End::Ended(ended(&typed(&fail), state));
    let (seven, three) = (json!({ "n": 7 }), json!({ "n": 3 }));
    for (end, with_fail, with_default) in [
        (
            over(answer),
            json!([seven, true, null, "answered", false]),
            json!([seven, true, null, "answered", false]),
        ),
        (over(expired), failed("unavailable"), stood_in(&three, "unavailable")),
        (over(declined), failed("declined"), stood_in(&three, "declined")),
        (over(cancelled(WhyCancelled::Withdrawn)), failed("declined"), stood_in(&three, "declined")),
        (over(cancelled(WhyCancelled::Unavailable)), failed("unavailable"), stood_in(&three, "unavailable")),
        (over(nowhere()), failed("unavailable"), stood_in(&three, "unavailable")),
        (End::Declined, failed("declined"), stood_in(&three, "declined")),
        (End::Dismissed, failed("declined"), stood_in(&three, "declined")),
        (End::HandedBack("No chat.".to_owned()), failed("unavailable"), stood_in(&three, "unavailable")),
        (End::Unsupported, failed("unavailable"), stood_in(&three, "unavailable")),
        (End::Unreadable("no number".to_owned()), failed("unavailable"), stood_in(&three, "unavailable")),
        (
            End::Failed("the gateway is gone".to_owned()),
            failed("unavailable"),
            stood_in(&three, "unavailable"),
        ),
        (End::Pending(ended(&typed(&fail), State::Pending)), pending(), pending()),
    ] {
        for (arguments, expected) in [(&fail, with_fail), (&stand_in, with_default)] {
            let finished = finish("ask", &typed(arguments), &end, &how());
            let member = |name: &str| finished.structured.get(name).cloned().unwrap_or_default();
            let found = json!([
                member("answer"),
                member("answered"),
                member("reason"),
                member("status"),
                finished.is_error
            ]);
            assert_eq!(found, expected, "{arguments} {end:?}");
            assert!(
                finished.text.contains(member("next_step").as_str().expect("is text")),
                "{}",
                finished.text
            );
            assert_eq!(finished.text.contains("whenUnanswered"), finished.is_error, "{}", finished.text);
        }
    }
}

fn failed(reason: &str) -> Value {
    json!([null, false, reason, "unanswered", true])
}

fn stood_in(default: &Value, reason: &str) -> Value {
    json!([default, false, reason, "unanswered", false])
}

fn pending() -> Value {
    json!([null, false, "unavailable", "pending", false])
}

#[test]
fn earlier_asks_are_told_as_they_stand() {
    let asked = choice();
    let note = answered(&[("choice", &["Staging"])], Some(("choice", "not before noon")), Way::Control);
    let told = |record| {
        let finished = collected(record, &how());
        keeps("get_answer", &finished);
        finished
    };
    let done = told(ended(&asked, State::Answered(Box::new(note))));
    assert_eq!(done.structured["answers"], json!({ "answers": { "choice": ["Staging"] } }));
    assert_eq!(done.structured["notes"], json!({ "choice": "not before noon" }));
    assert!(done.text.contains("not before noon"), "{}", done.text);
    let open = told(ended(&asked, State::Pending));
    assert_eq!(
        (&open.structured["status"], &open.structured["reason"]),
        (&json!("no_answer"), &json!("pending"))
    );
    assert!(open.text.contains("get_answer with ask_id mcp-1"), "{}", open.text);
}

#[test]
fn an_ask_that_is_nobodys_says_what_counts() {
    for (name, asked) in [("ask_choice", choice()), ("ask_user", user()), ("ask", typed_ask())] {
        for state in [State::Pending, State::Expired { at: NOW }] {
            let mut record = Arc::unwrap_or_clone(ended(&asked, state.clone()));
            record.ask.creator.binding = Binding::Attached;
            let record = Arc::new(record);
            let end = if record.state.is_pending() { End::Pending(record) } else { End::Ended(record) };
            let finished = finish(name, &asked, &end, &how());
            assert_eq!(finished.structured["binding"], "attached");
            assert!(finished.text.contains("text typed into a chat does not"), "{}", finished.text);
        }
    }
}

#[test]
fn texts_are_as_recorded() {
    let mut text = String::new();
    for (name, asked, answer) in [
        (
            "ask_choice",
            choice(),
            answered(&[("choice", &["Staging"])], Some(("choice", "after noon")), Way::Control),
        ),
        (
            "ask_user",
            user(),
            answered(&[("env", &["A", "own words"])], Some(("env", "soon")), Way::Elicitation),
        ),
        ("ask", typed_ask(), answered(&[("n", &["7"])], None, Way::Control)),
    ] {
        for end in [
            End::Ended(ended(&asked, State::Answered(Box::new(answer)))),
            End::Ended(ended(&asked, cancelled(WhyCancelled::Declined))),
            End::Pending(ended(&asked, State::Pending)),
            End::HandedBack("No chat is configured, and the client shows no forms.".to_owned()),
        ] {
            let finished = finish(name, &asked, &end, &how());
            text.push_str(&format!("## {name}\n{}\n\n", finished.text));
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn results_of_the_other_tools_keep_their_schemas() {
    let asked = choice();
    let open = ended(&asked, State::Pending);
    keeps("list_asks", &listed([&*open].into_iter()));
    keeps("list_asks", &listed([].into_iter()));
    keeps("cancel_ask", &taken_back(&ended(&asked, cancelled(WhyCancelled::Withdrawn))));
    keeps("cancel_ask", &gone("cancel_ask", &open.key.id));
    keeps("get_answer", &gone("get_answer", &open.key.id));
    keeps("notify", &notified(0));
    keeps("notify", &notified(2));
    let standing = Standing { version: "0".to_owned(), ways: vec!["chat"], ..Standing::default() };
    keeps("human_input_status", &status(&standing, &Settings::default(), false));
    keeps("human_input_status", &status(&standing, &Settings::default(), true));
    let Err(misused) = meant("ask_choice", &json!({})) else { panic!("is wrong") };
    keeps("ask_choice", &misused);
}
