//! Every status of the uniform result, through each of its tools, and the fields that an answer fills.

use askrelay_core::answer::{Answered, Way};
use askrelay_core::record::{State, WhyCancelled};
use serde_json::{Value, json};

use super::meant;
use super::world::*;
use crate::tool::End;
use crate::wanted::{Fallback, How};

/// Checks every end of an ask of one tool, whose person gives `value`.
fn check_statuses(name: &str, arguments: &Value, id: &str, value: &str) {
    let asked = asked(name, arguments);
    let over = |state| End::Ended(ended(&asked, state));
    let label = |note| State::Answered(Box::new(answered(&[(id, &[value])], note, Way::Control)));
    let off = How { fallback: Fallback::Off, ..how() };
    let form = How { client_elicitation: true, ..off.clone() };
    let fast = How { auto_reject_suspected: true, ..how() };
    let nowhere = || WhyCancelled::NotDelivered { detail: "the chat is gone".to_owned() };
    for (end, how, status, is_error) in [
        (over(label(None)), how(), "answered", false),
        (over(label(Some((id, "after lunch")))), how(), "answered", false),
        (over(cancelled(WhyCancelled::Declined)), how(), "declined", false),
        (End::Declined, how(), "declined", false),
        (over(cancelled(WhyCancelled::Withdrawn)), how(), "cancelled", false),
        (End::Dismissed, how(), "cancelled", false),
        (over(State::Expired { at: NOW }), how(), "timeout", false),
        (End::Pending(ended(&asked, State::Pending)), how(), "timeout", false),
        (over(cancelled(nowhere())), how(), "needs_user_input", false),
        (End::HandedBack("No chat is configured.".to_owned()), fast, "needs_user_input", false),
        (over(cancelled(nowhere())), off.clone(), "unsupported", true),
        (End::Unsupported, off, "unsupported", true),
        (End::Unsupported, form, "error", true),
        (End::Unreadable("nothing was chosen".to_owned()), how(), "invalid_response", false),
        (End::Failed("the gateway is gone".to_owned()), how(), "error", true),
    ] {
        let finished = finish(name, &asked, &end, &how);
        assert_eq!(finished.structured["status"], status, "{name} {end:?}");
        assert_eq!(finished.is_error, is_error, "{name} {end:?}");
        assert!(finished.text.starts_with(&format!("{name}: {status} (via ")), "{}", finished.text);
        assert!(finished.text.contains(finished.structured["message"].as_str().expect("is text")));
        assert_eq!(finished.structured["question"], "Q?");
        assert_eq!(finished.structured["elapsed_ms"], 1500);
        assert!(!finished.structured["next_step"].as_str().expect("is text").is_empty());
    }
}

#[test]
fn every_status_of_the_uniform_result() {
    let options = json!([{"label": "A"}, {"label": "B"}]);
    let (choice, open) = (json!({ "question": "Q?", "options": options }), json!({ "question": "Q?" }));
    check_statuses("ask_choice", &choice, "choice", "B");
    check_statuses("ask_multi_select", &choice, "choices", "B");
    check_statuses("ask_confirm", &open, "confirm", "No");
    check_statuses("ask_text", &open, "text", "some words");
    // Own words where a choice was wanted are there to be talked about.
    let asked = asked("ask_choice", &choice);
    let words = State::Answered(Box::new(answered(&[("choice", &["Neither, wait"])], None, Way::Text)));
    let finished = finish("ask_choice", &asked, &End::Ended(ended(&asked, words)), &how());
    assert_eq!(finished.structured["status"], "discussion");
    assert_eq!(finished.structured["next_step"], crate::instructions::READ_IT);
    let misused = meant("ask_choice", &json!({ "question": "Q?" })).expect_err("is refused");
    assert_eq!((misused.structured["status"].as_str(), misused.is_error), (Some("error"), true));
}

/// Checks the fields that an answer fills.
fn check_answer(name: &str, arguments: &Value, answer: Answered, fields: &Value) {
    let asked = asked(name, arguments);
    let end = End::Ended(ended(&asked, State::Answered(Box::new(answer))));
    let finished = finish(name, &asked, &end, &how());
    let names = ["answer", "free_text", "selected", "confirmed", "answered_by", "verified"];
    let found: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), finished.structured[*name].clone())).collect();
    assert_eq!(Value::Object(found), *fields, "{name} {arguments}");
}

#[test]
fn answers_fill_their_fields() {
    let options = json!([{"label": "A"}, {"label": "B"}, {"label": "C"}]);
    let choice = json!({ "question": "Q?", "options": options });
    let none = json!({ "question": "Q?", "options": options, "min": 0 });
    let yes = json!({ "question": "Q?" });
    let fields = |answer: Value, free: Value, selected: Value, confirmed: Value| {
        json!({ "answer": answer, "free_text": free, "selected": selected, "confirmed": confirmed,
                "answered_by": "Ada", "verified": true })
    };
    let by = |values: &[(&str, &[&str])], note| answered(values, note, Way::Control);
    for (name, arguments, answer, expected) in [
        (
            "ask_choice",
            &choice,
            by(&[("choice", &["B"])], None),
            fields(json!("B"), json!(null), json!(["B"]), json!(null)),
        ),
        (
            "ask_choice",
            &choice,
            by(&[("choice", &["B"])], Some(("choice", "not today"))),
            fields(json!("B"), json!("not today"), json!(["B"]), json!(null)),
        ),
        (
            "ask_choice",
            &choice,
            by(&[("choice", &["Why?"])], None),
            fields(json!("Why?"), json!("Why?"), json!([]), json!(null)),
        ),
        (
            "ask_multi_select",
            &choice,
            by(&[("choices", &["A", "C"])], None),
            fields(json!("A, C"), json!(null), json!(["A", "C"]), json!(null)),
        ),
        (
            "ask_multi_select",
            &none,
            by(&[("choices", &["None of these"])], None),
            fields(json!(""), json!(null), json!([]), json!(null)),
        ),
        (
            "ask_confirm",
            &yes,
            by(&[("confirm", &["Yes"])], None),
            fields(json!("yes"), json!(null), json!([]), json!(true)),
        ),
        (
            "ask_confirm",
            &yes,
            by(&[("confirm", &["No"])], None),
            fields(json!("no"), json!(null), json!([]), json!(false)),
        ),
        (
            "ask_text",
            &yes,
            by(&[("text", &["Hello there"])], None),
            fields(json!("Hello there"), json!(null), json!([]), json!(null)),
        ),
    ] {
        check_answer(name, arguments, answer, &expected);
    }
}
