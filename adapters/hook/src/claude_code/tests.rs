//! Events to questions, answers to decisions: recorded shapes of the public hooks reference, in words of our own.

use askrelay_core::answer::{Actor, Answers, Notes, Way};
use askrelay_core::ask::{Binding, Creator, Question};
use askrelay_core::id::{GatewayId, RecordKey};
use askrelay_core::record::Cancelled;
use askrelay_core::time::Time;
use proptest::prelude::*;

use super::*;

const ALL: Settings = Settings { wait: Span::seconds(540), permissions: true, subagents: true };
const FEW: Settings = Settings { permissions: false, subagents: false, ..ALL };

const QUESTION: &str = include_str!("../../tests/events/question.json");
const QUESTIONS: &str = include_str!("../../tests/events/questions.json");
const SUBAGENT: &str = include_str!("../../tests/events/subagent.json");
const PERMISSION: &str = include_str!("../../tests/events/permission.json");
const WRITE: &str = include_str!("../../tests/events/write.json");
const PLAN: &str = include_str!("../../tests/events/plan.json");
const BASH: &str = include_str!("../../tests/events/bash.json");

fn asked(event: &str) -> Asked {
    read(event.as_bytes(), &ALL).unwrap()
}

/// An event with one member changed, by its JSON pointer.
fn with(event: &str, pointer: &str, value: Value) -> String {
    let mut event: Value = serde_json::from_str(event).unwrap();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    event.pointer_mut(parent).and_then(Value::as_object_mut).unwrap().insert(name.to_owned(), value);
    event.to_string()
}

fn record(asked: &Asked, state: State) -> Record {
    let nobody = Creator { person: None, token: None, binding: Binding::Run, scopes: [].into() };
    let ask = asked.params.clone().into_ask(nobody, Caps { wide: true }).unwrap();
    let key = RecordKey { gateway: GatewayId::from("g"), id: "ask_1".into(), created_at: Time(0) };
    Record { key, ask, expires_at: Time(1), state, late: Vec::new(), collected: None }
}

fn answered(asked: &Asked, values: &[(&str, &[&str])], notes: &[(&str, &str)]) -> String {
    let values = values
        .iter()
        .map(|(id, values)| ((*id).into(), values.iter().map(|value| (*value).to_owned()).collect()));
    let notes: Notes = notes.iter().map(|(id, note)| ((*id).into(), (*note).to_owned())).collect();
    let answered = Answered {
        answers: Answers(values.collect()),
        notes,
        words: None,
        by: Actor::new(Some("sam".into()), Way::Control),
        by_name: Some("Sam".to_owned()),
        at: Time(0),
        resolution: "r".into(),
    };
    let decision = asked.decision(&record(asked, State::Answered(Box::new(answered)))).unwrap();
    format!("{decision:#}")
}

#[test]
fn what_is_asked() {
    let mut all = String::new();
    for event in [QUESTION, QUESTIONS, SUBAGENT, PERMISSION, WRITE, PLAN] {
        let Asked { params, .. } = asked(event);
        let AskParams { id, origin, questions, wait, needs_surface, .. } = params;
        assert!(needs_surface && wait == Some(ALL.wait));
        let id = id.map_or("(fresh)".to_owned(), |id| id.to_string());
        let label = origin.label.unwrap_or_default();
        all.push_str(&format!("== {id}, {}, {label}\n", origin.session_key.unwrap_or_default()));
        for Question { id, header, text, choices, multi_select, .. } in questions {
            all.push_str(&format!("-- {id} [{header}] several: {multi_select}\n{text}\n"));
            for choice in choices {
                let about = choice.description.unwrap_or_default();
                all.push_str(&format!("  * {}: {about}\n", choice.label));
            }
        }
    }
    assert!(!all.contains("tok_9f3K") && !all.contains("4711"), "{all}");
    insta::assert_snapshot!(all);
}

#[test]
fn what_is_decided() {
    let (one, many, permission) = (asked(QUESTION), asked(QUESTIONS), asked(PERMISSION));
    let all = [
        answered(&one, &[("q1", &["Production"])], &[]),
        answered(&one, &[("q1", &["Mars"])], &[]),
        answered(
            &many,
            &[("q1", &["Production"]), ("q2", &["Logs", "Traces", "heat"]), ("q3", &["Grid"])],
            &[("q1", "after six")],
        ),
        answered(&permission, &[("permission", &["Allow"])], &[]),
        answered(&permission, &[("permission", &["Allow"])], &[("permission", "but without the publish")]),
        answered(&permission, &[("permission", &["Deny"])], &[]),
        answered(&permission, &[("permission", &["Deny"])], &[("permission", "too early")]),
        answered(&permission, &[("permission", &["use the mirror"])], &[]),
        answered(&asked(PLAN), &[("permission", &["Allow"])], &[]),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn what_is_left_to_the_terminal() {
    let long = "x".repeat(3001);
    let questions = "/tool_input/questions";
    let one: Value = serde_json::from_str::<Value>(QUESTION).unwrap()["tool_input"]["questions"][0].clone();
    let of = |event: String| read(event.as_bytes(), &ALL).unwrap_err().to_string();
    let rows = [
        (of(String::new()), "the event is not readable: EOF while parsing a value at line 1 column 0"),
        (of("{".to_owned()), "the event is not readable: EOF while parsing an object at line 1 column 1"),
        (of("[]".to_owned()), "the event has no text at /hook_event_name"),
        (of("7".to_owned()), "the event has no text at /hook_event_name"),
        (of(" ".repeat(EVENT_BYTES_MAX + 1)), "the event is not readable: it has more than 4194304 bytes"),
        (of(BASH.to_owned()), "PreToolUse of Bash is nothing that a person is asked about here"),
        (
            of(with(BASH, "/hook_event_name", json!("Stop"))),
            "Stop of Bash is nothing that a person is asked about here",
        ),
        (of(with(BASH, "/hook_event_name", json!(3))), "the event has no text at /hook_event_name"),
        (
            of(with(QUESTION, "/hook_event_name", json!("PermissionRequest"))),
            "PermissionRequest of AskUserQuestion is nothing that a person is asked about here",
        ),
        (of(with(QUESTION, "/tool_input", json!([]))), "the event has no object at /tool_input"),
        (
            of(with(QUESTION, questions, json!([]))),
            "the event has no list of one to four questions at /tool_input/questions",
        ),
        (
            of(with(QUESTION, questions, json!([one, one, one, one, one]))),
            "the event has no list of one to four questions at /tool_input/questions",
        ),
        (
            of(with(QUESTION, questions, json!([7]))),
            "the event has no text at /tool_input/questions/0/question",
        ),
        (
            of(with(QUESTION, "/tool_input/questions/0/options", json!(["Yes"]))),
            "the event has no text at /tool_input/questions/0/options/0/label",
        ),
        (
            of(with(QUESTION, questions, json!([one, one]))),
            "the questions cannot be asked: two questions have the same text",
        ),
        (
            of(with(QUESTION, "/tool_input/questions/0/question", json!(" "))),
            "the questions cannot be asked: /questions/0/question: must not be blank",
        ),
        (
            of(with(QUESTION, "/tool_input/answers", json!({"Where should this release go?": "Mars"}))),
            "the question has answers already",
        ),
        (of(with(PERMISSION, "/tool_name", json!(null))), "the event has no text at /tool_name"),
        (of(with(PERMISSION, "/tool_input/command", json!(long))), "it is too long to be judged on a phone"),
        (
            read(SUBAGENT.as_bytes(), &FEW).unwrap_err().to_string(),
            "a subagent asks; --subagents asks for those too",
        ),
        (
            read(PERMISSION.as_bytes(), &FEW).unwrap_err().to_string(),
            "a permission is wanted; --permissions asks for those too",
        ),
    ];
    for (said, expected) in rows {
        assert_eq!(said, expected);
    }
    assert!(
        read(with(QUESTION, "/agent_type", json!("reviewer")).as_bytes(), &FEW).is_ok(),
        "a main session"
    );
}

/// An answer that came when its hook was gone is for whoever asks the same; a permission never is.
#[test]
fn what_was_asked_before() {
    let sam = |at| Answered {
        answers: Answers([("q1".into(), vec!["Production".to_owned()])].into()),
        notes: Notes::default(),
        words: None,
        by: Actor::new(Some("sam".into()), Way::Control),
        by_name: Some("Sam".to_owned()),
        at: Time(at),
        resolution: "r".into(),
    };
    let pending = || State::Pending;
    let answered = || State::Answered(Box::new(sam(0)));
    let expired = || State::Expired { at: Time(1) };
    let withdrawn =
        State::Cancelled(Cancelled { at: Time(0), why: WhyCancelled::Withdrawn, by: None, by_name: None });
    let again = |event: &str, pointer, value| {
        with(&with(event, "/tool_use_id", json!("toolu_again")), pointer, value)
    };
    let same = |event: &str| again(event, "/tool_use_id", json!("toolu_again"));
    let day = i64::try_from(UNCOLLECTED.0).unwrap();
    let rows = [
        ("still open", same(QUESTION), pending(), false, None, 0, true),
        ("answered", same(QUESTION), answered(), false, None, day, true),
        ("answered long ago", same(QUESTION), answered(), false, None, day + 1, false),
        ("brought already", same(QUESTION), answered(), false, Some(Time(0)), 0, false),
        ("expired", same(QUESTION), expired(), false, None, 2, false),
        ("answered late", same(QUESTION), expired(), true, None, 2, true),
        ("taken back", same(QUESTION), withdrawn, false, None, 0, false),
        (
            "of another session",
            again(QUESTION, "/session_id", json!("other")),
            answered(),
            false,
            None,
            0,
            false,
        ),
        (
            "of another project",
            again(QUESTION, "/cwd", json!("/srv/other")),
            answered(),
            false,
            None,
            0,
            false,
        ),
        ("another question", same(QUESTIONS), answered(), false, None, 0, false),
        ("of a subagent", same(SUBAGENT), answered(), false, None, 0, false),
    ];
    for (name, event, state, late, collected, now, expected) in rows {
        let late = if late { vec![sam(2)] } else { Vec::new() };
        let before = Record { late, collected, ..record(&asked(QUESTION), state) };
        assert_eq!(asked(&event).was_asked_in(&before, Time(now)), expected, "{name}");
    }
    let permission = asked(PERMISSION);
    assert!(!permission.was_asked_in(&record(&permission, State::Pending), Time(0)), "a permission");
    let late = Record { late: vec![sam(2)], ..record(&asked(QUESTION), expired()) };
    let decision = asked(QUESTION).decision(&late).unwrap();
    let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
    assert_eq!(*answers, json!({ "Where should this release go?": "Production" }));
}

#[test]
fn an_end_without_an_answer() {
    let cancelled = |why| State::Cancelled(Cancelled { at: Time(0), why, by: None, by_name: None });
    let detail = "the bot was blocked".to_owned();
    let rows = [
        (QUESTION, State::Pending, Left::Pending),
        (QUESTION, State::Expired { at: Time(1) }, Left::Expired),
        (QUESTION, cancelled(WhyCancelled::Withdrawn), Left::Withdrawn),
        (
            QUESTION,
            cancelled(WhyCancelled::NotDelivered { detail: detail.clone() }),
            Left::NotDelivered(detail),
        ),
        (
            PERMISSION,
            cancelled(WhyCancelled::Unavailable),
            Left::NotDelivered("no chat is reachable".to_owned()),
        ),
        (PERMISSION, cancelled(WhyCancelled::Declined), Left::Skipped),
    ];
    for (event, state, expected) in rows {
        let asked = asked(event);
        assert_eq!(asked.decision(&record(&asked, state)), Err(expected));
    }
    let skipped = asked(QUESTION);
    let decision = skipped.decision(&record(&skipped, cancelled(WhyCancelled::Declined))).unwrap();
    assert_eq!(decision["hookSpecificOutput"]["permissionDecision"], "deny");
}

#[test]
fn the_settings_wait_longer_than_the_hook() {
    insta::assert_snapshot!(format!("{:#}", config("askrelay hook claude-code --permissions", &ALL)));
    let few = config("askrelay hook claude-code", &FEW);
    assert_eq!(few["hooks"].as_object().unwrap().keys().collect::<Vec<_>>(), ["PreToolUse"]);
}

proptest! {
    /// Whatever comes, it is a question that keeps the contract or a sentence.
    #[test]
    fn any_event_is_read(noise in proptest::collection::vec(any::<u8>(), 0..200), at in 0usize..400, by in any::<u8>()) {
        let _ = read(&noise, &ALL);
        for event in [QUESTION, PERMISSION] {
            let mut bytes = event.as_bytes().to_vec();
            let index = at % bytes.len();
            bytes[index] = by;
            match read(&bytes, &ALL) {
                Ok(asked) => prop_assert_eq!(asked.params.faults(Caps { wide: true }), Vec::new()),
                Err(why) => prop_assert!(!why.to_string().is_empty()),
            }
        }
    }
}
