//! Recorded events, each with the Report it gives, and events that nobody would record. Sends nothing.

use std::collections::BTreeSet;

use askrelay_core::person::Scope;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const EVENTS: &str = include_str!("../../tests/events.json");

fn account() -> Account {
    Account { surface: SURFACE.into(), name: "main".into() }
}

fn me() -> Me {
    let id = Snowflake(700_000_000_000_000_001);
    Me { id, handle: "askbot".to_owned(), application: id }
}

fn roles() -> Roles {
    let answer = BTreeSet::from([Scope::QuestionsAnswer]);
    let admin = BTreeSet::from([Scope::QuestionsAdmin]);
    Roles::from([("500".to_owned(), answer), ("502".to_owned(), admin)])
}

fn decoded(event: &str, data: &Value) -> Option<Report> {
    let (account, me, roles) = (account(), me(), roles());
    let context = Context { account: &account, me: &me, roles: &roles, now: Time(1_764_600_000_000) };
    report(event, &data.to_string(), &context, |_, _| Some(AckId(1)))
}

/// A Report on a few lines.
fn lines(report: &Report) -> String {
    let reply = match report {
        Report::Replied(reply) => reply,
        other => return format!("  {other:?}\n"),
    };
    let (sender, act) = (&reply.sender, &reply.act);
    let place = format!("  in {}{}", reply.place.conversation, if reply.private { ", private" } else { "" });
    let who = format!(
        "  by {} '{}', {:?}, granted {:?}",
        sender.identity.user, sender.display_name, sender.kind, sender.granted
    );
    let when = format!(
        "  update {} at {} position {:?} message {:?} ack {:?}",
        reply.update.as_str(),
        reply.at.0,
        reply.position,
        reply.message.as_ref().map(|id| id.as_str()),
        reply.ack.map(|ack| ack.0)
    );
    format!("{place}\n{who}\n{when}\n  {act:?}\n")
}

#[test]
fn recorded_events_give_their_reports() {
    let rows: Vec<Value> = serde_json::from_str(EVENTS).unwrap();
    let mut golden = String::new();
    for row in rows {
        golden.push_str(&format!("{}\n", row["name"].as_str().unwrap()));
        match decoded(row["event"].as_str().unwrap(), &row["data"]) {
            Some(report) => golden.push_str(&lines(&report)),
            None => golden.push_str("  nothing\n"),
        }
    }
    insta::assert_snapshot!(golden);
}

#[test]
fn an_interaction_owes_one_answer_only() {
    let data = json!({
        "id": "77", "type": 5, "token": "aW50", "channel_id": "4711", "guild_id": "1",
        "member": { "user": { "id": "5" } }, "data": { "custom_id": "x" },
    });
    let (account, me, roles) = (account(), me(), roles());
    let context = Context { account: &account, me: &me, roles: &roles, now: Time(0) };
    let again = report("INTERACTION_CREATE", &data.to_string(), &context, |owed, place| {
        let by = Identity { surface: SURFACE.into(), user: "5".into() };
        let token = InteractionToken::new("aW50".to_owned());
        assert_eq!(owed, Owed { id: "77".to_owned(), token, by, is_form: true });
        assert!(!format!("{owed:?}").contains("aW50"), "whoever reads it could answer");
        assert_eq!(place.conversation.as_str(), "4711");
        None
    });
    assert!(matches!(&again, Some(Report::Replied(reply)) if reply.ack.is_none()), "{again:?}");
}

/// Anything that JSON can hold.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        "[0-9]{1,20}".prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "id",
        "type",
        "channel_id",
        "guild_id",
        "author",
        "member",
        "content",
        "mentions",
        "data",
        "custom_id",
        "values",
        "components",
        "component",
        "message",
        "user",
        "roles",
        "token",
        "message_reference",
    ]);
    leaf.prop_recursive(6, 48, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(names.clone().prop_map(str::to_owned), inner, 0..8)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

const KINDS: [&str; 3] = ["MESSAGE_CREATE", "MESSAGE_UPDATE", "INTERACTION_CREATE"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_comes_in_breaks_it(data in anything(), text in "\\PC{0,40}") {
        for kind in KINDS {
            decoded(kind, &data);
            let (account, me, roles) = (account(), me(), roles());
            let context = Context { account: &account, me: &me, roles: &roles, now: Time(0) };
            report(kind, &text, &context, |_, _| None);
        }
    }

    #[test]
    fn a_spoilt_event_breaks_nothing(row in 0_usize..48, spoilt in anything(), cut in any::<prop::sample::Index>()) {
        let rows: Vec<Value> = serde_json::from_str(EVENTS).unwrap();
        let row = &rows[row % rows.len()];
        let mut data = row["data"].clone();
        if let Some(fields) = data.as_object_mut().filter(|fields| !fields.is_empty()) {
            let names: Vec<String> = fields.keys().cloned().collect();
            fields.insert(names[cut.index(names.len())].clone(), spoilt);
        }
        decoded(row["event"].as_str().unwrap(), &data);
    }
}
