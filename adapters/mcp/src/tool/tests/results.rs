//! Every way in which an ask can end, through every shape of result; each result keeps its tool's output schema.

use std::sync::Arc;

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{Ask, Binding, Creator, WhenUnanswered};
use askrelay_core::id::{GatewayId, PersonId, QuestionId, RecordKey, ResolutionId};
use askrelay_core::record::{Cancelled, State, WhyCancelled};
use askrelay_core::time::Time;
use serde_json::{Value, json};

use super::{Meant, keeps, meant};
use crate::tool::*;
use crate::wanted::{Fallback, How, Via};

const NOW: Time = Time(1_796_057_711_239);

/// The call, as a Record that ended so.
fn ended(asked: &Asked, state: State) -> Arc<Record> {
    let params = &asked.wanted.params;
    Arc::new(Record {
        key: RecordKey { gateway: GatewayId::from("embedded"), id: "mcp-1".into(), created_at: NOW },
        ask: Ask {
            questions: params.questions.clone(),
            wait: params.wait.unwrap_or_default(),
            origin: params.origin.clone(),
            creator: Creator { person: None, token: None, binding: Binding::Run, scopes: Default::default() },
            answerers: Vec::new(),
            places: Vec::new(),
            needs_surface: false,
            when_unanswered: WhenUnanswered::Fail,
            terminal_proof: None,
        },
        expires_at: NOW,
        state,
        late: Vec::new(),
        collected: None,
    })
}

fn answered(values: &[(&str, &[&str])], note: Option<(&str, &str)>, way: Way) -> Answered {
    let values = values.iter().map(|(id, values)| {
        (QuestionId::from(*id), values.iter().map(|value| (*value).to_owned()).collect())
    });
    Answered {
        answers: Answers(values.collect()),
        notes: note.into_iter().map(|(id, note)| (QuestionId::from(id), note.to_owned())).collect(),
        words: None,
        by: Actor::new(Some(PersonId::from("ada")), way),
        by_name: Some("Ada".to_owned()),
        at: NOW,
        resolution: ResolutionId::from("r"),
    }
}

fn cancelled(why: WhyCancelled) -> State {
    State::Cancelled(Cancelled { at: NOW, why, by: None, by_name: None })
}

fn asked(name: &str, arguments: &Value) -> Asked {
    match meant(name, arguments) {
        Ok(Meant::Ask(asked)) => *asked,
        other => panic!("asks nothing: {other:?}"),
    }
}

/// The result, which keeps the tool's own output schema.
fn finish(name: &str, asked: &Asked, end: &End, how: &How) -> Finished {
    let finished = asked.shape.finish(&asked.wanted, end, how);
    keeps(name, &finished);
    finished
}

const CHOICE: &str = "ask_choice";

fn choice() -> Asked {
    asked(
        CHOICE,
        &json!({ "question": "Where to?", "options": [{"label": "Staging"}, {"label": "Production", "description": "live"}] }),
    )
}

fn how() -> How {
    How { via: Via::Chat, began_at: NOW, now: Time(NOW.0 + 1500), ..How::default() }
}

#[test]
fn every_status_of_the_uniform_result() {
    let asked = choice();
    let over = |state| End::Ended(ended(&asked, state));
    let label = |note| State::Answered(Box::new(answered(&[("choice", &["Staging"])], note, Way::Control)));
    let words = State::Answered(Box::new(answered(&[("choice", &["Neither, wait"])], None, Way::Text)));
    let off = How { fallback: Fallback::Off, ..how() };
    let form = How { client_elicitation: true, ..off.clone() };
    let fast = How { auto_reject_suspected: true, ..how() };
    let nowhere = || WhyCancelled::NotDelivered { detail: "the chat is gone".to_owned() };
    for (end, how, status, is_error) in [
        (over(label(None)), how(), "answered", false),
        (over(label(Some(("choice", "after lunch")))), how(), "answered", false),
        (over(words), how(), "discussion", false),
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
        let finished = finish(CHOICE, &asked, &end, &how);
        assert_eq!(finished.structured["status"], status, "{end:?}");
        assert_eq!(finished.is_error, is_error, "{end:?}");
        assert!(finished.text.starts_with(&format!("ask_choice: {status} (via ")), "{}", finished.text);
        assert_eq!(finished.structured["elapsed_ms"], 1500);
        assert!(!finished.structured["next_step"].as_str().expect("is text").is_empty());
    }
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

#[test]
fn results_of_ask_user() {
    let asked = asked(
        "ask_user",
        &json!({ "questions": [{"id": "env", "header": "Env", "question": "Where?", "options": [{"label": "A"}, {"label": "B"}]}] }),
    );
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
        (End::Failed("the gateway is gone".to_owned()), "no_answer", json!("unavailable")),
    ] {
        let finished = finish("ask_user", &asked, &end, &how());
        assert_eq!(finished.structured["status"], status, "{end:?}");
        assert_eq!(finished.structured["reason"], reason, "{end:?}");
        let answers = if status == "answered" { json!({ "answers": { "env": ["A"] } }) } else { json!(null) };
        assert_eq!(finished.structured["answers"], answers);
    }
}

#[test]
fn late_answers_are_told_and_never_passed_off() {
    let asked = choice();
    let mut record = Arc::unwrap_or_clone(ended(&asked, State::Expired { at: NOW }));
    record.late.push(answered(&[("choice", &["Staging"])], None, Way::Control));
    let finished = finish(CHOICE, &asked, &End::Ended(Arc::new(record)), &how());
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
    for (arguments, state, result, is_error) in [
        (&fail, answer.clone(), json!([{ "n": 7 }, true, null]), false),
        (&stand_in, answer, json!([{ "n": 7 }, true, null]), false),
        (&fail, expired.clone(), json!([null, false, "unavailable"]), true),
        (&fail, declined.clone(), json!([null, false, "declined"]), true),
        (&stand_in, expired, json!([{ "n": 3 }, false, "unavailable"]), false),
        (&stand_in, declined, json!([{ "n": 3 }, false, "declined"]), false),
        (
            &stand_in,
            cancelled(WhyCancelled::NotDelivered { detail: "gone".into() }),
            json!([{ "n": 3 }, false, "unavailable"]),
            false,
        ),
    ] {
        let asked = typed(arguments);
        let finished = finish("ask", &asked, &End::Ended(ended(&asked, state)), &how());
        let found = json!([
            finished.structured["answer"],
            finished.structured["answered"],
            finished.structured["reason"]
        ]);
        assert_eq!((found, finished.is_error), (result, is_error), "{arguments}");
        if is_error {
            assert!(finished.text.contains("whenUnanswered"), "{}", finished.text);
        }
    }
}

#[test]
fn results_of_the_other_tools_keep_their_schemas() {
    let asked = choice();
    let open = ended(&asked, State::Pending);
    keeps("list_asks", &listed([&*open].into_iter()));
    keeps("list_asks", &listed([].into_iter()));
    keeps("cancel_ask", &super::super::cancelled(&ended(&asked, cancelled(WhyCancelled::Withdrawn))));
    keeps("cancel_ask", &gone("cancel_ask", &open.key.id));
    keeps("get_answer", &gone("get_answer", &open.key.id));
    keeps("notify", &notified(0));
    keeps("notify", &notified(2));
    let standing = Standing { version: "0".to_owned(), ways: vec!["chat"], ..Standing::default() };
    keeps("human_input_status", &status(&standing, &Settings::default(), false));
    keeps("human_input_status", &status(&standing, &Settings::default(), true));
    let Err(misused) = meant(CHOICE, &json!({})) else { panic!("is wrong") };
    keeps(CHOICE, &misused);
}
