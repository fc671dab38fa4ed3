//! Recorded updates, each with the Report it gives, and updates that nobody would record. Sends nothing.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const UPDATES: &str = include_str!("../../tests/updates.json");

fn account() -> Account {
    Account { surface: SURFACE.into(), name: "main".into() }
}

fn me() -> Me {
    Me { id: 7_000_000_001, handle: Some("askbot".to_owned()), reads_groups: false }
}

fn decoded(update: Value) -> Vec<Report> {
    let (account, me) = (account(), me());
    let context = Context { account: &account, me: &me, now: Time(1_764_500_200_000) };
    reports(update, &context, |_| Some(AckId(1)))
}

/// A Report on a few lines.
fn lines(report: &Report) -> String {
    let reply = match report {
        Report::Replied(reply) => reply,
        other => return format!("  {other:?}\n"),
    };
    let (sender, act) = (&reply.sender, &reply.act);
    let place = format!("  in {}{}", reply.place.conversation, if reply.private { ", private" } else { "" });
    let who = format!("  by {} '{}', {:?}", sender.identity.user, sender.display_name, sender.kind);
    let when = format!(
        "  at {} position {:?} message {:?} ack {:?}",
        reply.at.0,
        reply.position,
        reply.message.as_ref().map(|id| id.as_str()),
        reply.ack.map(|ack| ack.0)
    );
    format!("{place}\n{who}\n{when}\n  {act:?}\n")
}

#[test]
fn recorded_updates_give_their_reports() {
    let rows: Vec<Value> = serde_json::from_str(UPDATES).unwrap();
    let mut golden = String::new();
    for row in rows {
        let (name, update) = (row["name"].as_str().unwrap(), row["update"].clone());
        assert!(update_id(&update).is_some(), "{name}: can be confirmed");
        golden.push_str(&format!("{name}\n"));
        let reports = decoded(update.clone());
        for report in &reports {
            if let Report::Replied(reply) = report {
                assert_eq!(reply.update.as_str(), update["update_id"].to_string(), "{name}");
            }
            golden.push_str(&lines(report));
        }
        if reports.is_empty() {
            golden.push_str("  nothing\n");
        }
    }
    insta::assert_snapshot!(golden);
}

#[test]
fn a_press_owes_one_acknowledgement_only() {
    let update = json!({
        "update_id": 1,
        "callback_query": { "id": "77", "from": { "id": 5 }, "data": "x" },
    });
    let (account, me) = (account(), me());
    let context = Context { account: &account, me: &me, now: Time(0) };
    let again = reports(update, &context, |press| {
        assert_eq!(press, "77");
        None
    });
    assert!(matches!(&again[..], [Report::Replied(reply)] if reply.ack.is_none()), "{again:?}");
}

/// Anything that JSON can hold.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "update_id",
        "message",
        "callback_query",
        "id",
        "chat",
        "from",
        "text",
        "entities",
        "type",
        "offset",
        "length",
        "message_id",
        "date",
        "data",
        "reply_to_message",
        "caption",
        "user",
        "sender_chat",
    ]);
    leaf.prop_recursive(6, 48, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(names.clone().prop_map(str::to_owned), inner, 0..8)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_comes_in_breaks_it(update in anything()) {
        decoded(update);
    }

    #[test]
    fn a_spoilt_update_breaks_nothing(row in 0_usize..59, key in "[a-z_]{2,16}", spoilt in anything(), cut in any::<prop::sample::Index>()) {
        let rows: Vec<Value> = serde_json::from_str(UPDATES).unwrap();
        let mut update = rows[row % rows.len()]["update"].clone();
        let parts = update.as_object_mut().unwrap();
        let names: Vec<String> = parts.keys().cloned().collect();
        let part = parts.get_mut(&names[cut.index(names.len())]).unwrap();
        match part {
            Value::Object(fields) if !fields.is_empty() => {
                let names: Vec<String> = fields.keys().cloned().collect();
                fields.insert(names[cut.index(names.len())].clone(), spoilt.clone());
                fields.insert(key, spoilt);
            }
            other => *other = spoilt,
        }
        decoded(update);
    }
}
