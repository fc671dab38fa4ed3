//! Recorded payloads, each with the Report it gives, and payloads that nobody would record. Sends nothing.

use askrelay_core::port::Act;
use proptest::prelude::*;

use super::*;

const PAYLOADS: &str = include_str!("../../tests/payloads.json");

fn account() -> Account {
    Account { surface: SURFACE.into(), name: "main".into() }
}

fn me() -> Me {
    Me {
        user: "U0BOT".to_owned(),
        bot: Some("B0BOT".to_owned()),
        team: "T0ACME".to_owned(),
        enterprise: None,
        everywhere: false,
        teams: BTreeSet::new(),
        handle: Some("askbot".to_owned()),
    }
}

fn decoded_by(payload: &Value, me: &Me) -> Option<(Reply, Option<crate::presses::Press>)> {
    let account = account();
    let is_ours = |channel: &str, ts: &str| (channel, ts) == ("C0TEAM", "1764500000.000777");
    let context = Context { account: &account, me, now: Time(1_764_500_200_000), is_ours: &is_ours };
    match interaction(payload, &context) {
        Some(Interaction { reply, press }) => Some((reply, Some(press))),
        None => event(payload, &context).map(|heard| (heard.reply, None)),
    }
}

fn decoded(payload: &Value) -> Option<(Reply, Option<crate::presses::Press>)> {
    decoded_by(payload, &me())
}

/// A Reply on a few lines.
fn lines(reply: &Reply, press: Option<&crate::presses::Press>) -> String {
    let (sender, act) = (&reply.sender, &reply.act);
    let place = format!("  in {}{}", reply.place.conversation, if reply.private { ", private" } else { "" });
    let who = format!("  by {} '{}', {:?}", sender.identity.user, sender.display_name, sender.kind);
    let when = format!(
        "  {} at {} position {:?} message {:?}",
        reply.update,
        reply.at.0,
        reply.position,
        reply.message.as_ref().map(|id| id.as_str()),
    );
    let answer = press.map(|press| {
        let way = press.response_url.as_ref().map_or("no address", |_| "an address");
        let trigger = press.trigger.as_ref().map_or("no trigger", |_| "a trigger");
        let modal = press.modal.as_ref().map(|modal| &modal.fields);
        format!(
            "  {way}, {trigger}, channel {:?}, thread {:?}, modal {modal:?}\n",
            press.channel, press.thread
        )
    });
    format!("{place}\n{who}\n{when}\n  {act:?}\n{}", answer.unwrap_or_default())
}

#[test]
fn recorded_payloads_give_their_reports() {
    let rows: Vec<Value> = serde_json::from_str(PAYLOADS).unwrap();
    let mut golden = String::new();
    for row in rows {
        golden.push_str(&format!("{}\n", row["name"].as_str().unwrap()));
        match decoded(&row["payload"]) {
            Some((reply, press)) => golden.push_str(&lines(&reply, press.as_ref())),
            None => golden.push_str("  nothing\n"),
        }
    }
    insta::assert_snapshot!(golden);
}

fn row(name: &str) -> Value {
    let rows: Vec<Value> = serde_json::from_str(PAYLOADS).unwrap();
    rows.into_iter().find(|row| row["name"] == name).unwrap()["payload"].take()
}

/// A payload, and whose it is where the app is installed in the workspace `T0ACME` alone, and where in all of its organisation
/// `E0ORG`. A question mark is a person of whom nobody says where they belong.
const WHOSE: [(&str, &str, &str); 27] = [
    ("a text in a channel", "T0ACME/U0SAM", "E0ORG/U0SAM"),
    ("a person without a team", "T0ACME/U0SAM", "E0ORG/U0SAM"),
    ("a button", "T0ACME/U0SAM", "E0ORG/U0SAM"),
    ("a modal", "T0ACME/U0SAM", "E0ORG/U0SAM"),
    ("a guest's text", "T0OTHER/W0EXT", "T0OTHER/W0EXT"),
    ("a guest's text, of a team alone", "T0LONE/W0EXT", "T0LONE/W0EXT"),
    ("a guest's text, with every team", "T0OTHER/W0EXT", "T0OTHER/W0EXT"),
    ("a guest's mention", "E0OTHER/W0EXT", "E0OTHER/W0EXT"),
    ("a guest's mention, of a team alone", "T0LONE/W0EXT", "T0LONE/W0EXT"),
    ("a guest's mention by the profile alone", "E0OTHER/W0EXT", "E0OTHER/W0EXT"),
    ("a guest's mention by its source alone", "E0OTHER/W0EXT", "E0OTHER/W0EXT"),
    ("a text in a shared channel without any team", "?/W0EXT", "?/W0EXT"),
    ("our text in a shared channel", "T0ACME/W0SAM", "E0ORG/W0SAM"),
    ("our mention in a shared channel", "T0ACME/W0SAM", "E0ORG/W0SAM"),
    ("our text in a channel of theirs", "T0ACME/W0SAM", "E0ORG/W0SAM"),
    ("our text by the organisation", "T0ACME/W0SAM", "E0ORG/W0SAM"),
    ("our text from another workspace", "T0TWO/W0SAM", "E0ORG/W0SAM"),
    ("a guest's button", "T0OTHER/W0EXT", "T0OTHER/W0EXT"),
    ("a guest's button, with their team", "T0OTHER/W0EXT", "T0OTHER/W0EXT"),
    ("a guest's button, with our team", "T0OTHER/W0EXT", "T0OTHER/W0EXT"),
    ("a guest's button by their organisation", "E0OTHER/W0EXT", "E0OTHER/W0EXT"),
    ("a button without any team", "?/W0EXT", "?/W0EXT"),
    ("our button from another workspace", "T0TWO/W0SAM", "E0ORG/W0SAM"),
    ("our button by the organisation", "T0ACME/W0SAM", "E0ORG/W0SAM"),
    ("our button", "T0ACME/W0SAM", "E0ORG/W0SAM"),
    ("a guest's modal", "T0OTHER/W0EXT", "T0OTHER/W0EXT"),
    ("our modal", "T0ACME/W0SAM", "E0ORG/W0SAM"),
];

#[test]
fn nobody_is_taken_for_one_of_another_team() {
    let enterprise = Some("E0ORG".to_owned());
    let alone = Me { enterprise: enterprise.clone(), ..me() };
    let everywhere =
        Me { enterprise, everywhere: true, teams: BTreeSet::from(["T0ACME".to_owned()]), ..me() };
    let mut wrong = Vec::new();
    for (name, in_one, in_all) in WHOSE {
        for (me, expected) in [(&alone, in_one), (&everywhere, in_all)] {
            let (reply, _) = decoded_by(&row(name), me).unwrap();
            let said = reply.sender.identity.user;
            if said.as_str() != expected {
                wrong.push(format!("{name}, everywhere {}: {said} and not {expected}", me.everywhere));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What the platform tells as somebody's names, by where they stand, and what is shown.
type Named<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);

#[test]
fn names_are_one_short_line() {
    let long = "Ä".repeat(5000);
    let bound = "Ä".repeat(128);
    let in_texts: [Named<'_>; 6] = [
        ("the shown one", &[("display_name", "sam"), ("real_name", "Sam Grey")], "sam"),
        ("nothing shown", &[("display_name", " \t "), ("real_name", " Sam\u{a0} Grey ")], "Sam Grey"),
        ("lines", &[("display_name", "Sam\nAnswered: yes\r\n\u{2028}by Alex")], "Sam Answered: yes by Alex"),
        ("turned around", &[("display_name", "\u{202e}maS\u{202c}")], "maS"),
        ("long", &[("display_name", &long)], &bound),
        ("none", &[], "U0SAM"),
    ];
    for (name, said, expected) in in_texts {
        let mut payload = row("a text in a channel");
        for (field, value) in said {
            payload["event"]["user_profile"][*field] = (*value).into();
        }
        assert_eq!(decoded(&payload).unwrap().0.sender.display_name, expected, "a text: {name}");
    }
    let in_presses: [Named<'_>; 5] = [
        ("its own", &[("name", " sam ")], "sam"),
        ("an older field", &[("name", " "), ("username", "sam")], "sam"),
        ("lines", &[("name", "sam\n\nAnswered: yes")], "sam Answered: yes"),
        ("long", &[("name", &long)], &bound),
        ("none", &[("name", ""), ("username", "\u{200b}")], "U0SAM"),
    ];
    for (name, said, expected) in in_presses {
        for kind in ["a button", "a modal"] {
            let mut payload = row(kind);
            for (field, value) in said {
                payload["user"][*field] = (*value).into();
            }
            assert_eq!(decoded(&payload).unwrap().0.sender.display_name, expected, "{kind}: {name}");
        }
    }
}

#[test]
fn a_channel_that_has_another_id_has_moved() {
    let (account, me) = (account(), me());
    let context = Context { account: &account, me: &me, now: Time(0), is_ours: &|_, _| false };
    let changed = |old: &str, new: &str| {
        let event =
            serde_json::json!({ "type": "channel_id_changed", "old_channel_id": old, "new_channel_id": new });
        moved(&serde_json::json!({ "type": "event_callback", "event": event }), &context)
    };
    let from = Place { account: account.clone(), conversation: "G0OLD".into() };
    assert_eq!(changed("G0OLD", "C0NEW"), Some(Report::Moved { from, to: "C0NEW".into() }));
    assert_eq!(changed("G0OLD", ""), None);
    assert_eq!(moved(&row("a text in a channel"), &context), None);
}

#[test]
fn a_message_and_its_mention_are_one_update() {
    let updates = ["a mention, as a message", "a mention, as a mention"].map(|name| {
        let (reply, _) = decoded(&row(name)).unwrap();
        assert!(matches!(reply.act, Act::Text { addressed: true, .. }), "{name}");
        (reply.update, reply.place, reply.position)
    });
    assert_eq!(updates[0], updates[1]);
}

#[test]
fn a_modal_that_is_sent_again_is_another_update() {
    let update = |payload: &Value| decoded(payload).unwrap().0.update;
    let first = row("a modal");
    assert_eq!(update(&first), update(&first), "delivered again");
    let mut second = first.clone();
    second["trigger_id"] = "13345224800.738474920.bb".into();
    assert_ne!(update(&first), update(&second));
    let without_trigger = |value: &str| {
        let mut payload = first.clone();
        payload.as_object_mut().unwrap().remove("trigger_id");
        payload["view"]["state"]["values"]["t.5"]["t.5"]["value"] = value.into();
        payload
    };
    assert_eq!(update(&without_trigger("red")), update(&without_trigger("red")));
    assert_ne!(update(&without_trigger("red")), update(&without_trigger("blue")));
}

/// Anything that JSON can hold.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "message",
            "app_mention",
            "block_actions",
            "view_submission",
            "button",
            "im"
        ])
        .prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "type",
        "event",
        "channel",
        "ts",
        "user",
        "text",
        "thread_ts",
        "actions",
        "action_id",
        "value",
        "container",
        "message_ts",
        "state",
        "values",
        "view",
        "private_metadata",
        "id",
        "team",
        "subtype",
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
    fn nothing_that_comes_in_breaks_it(payload in anything()) {
        decoded(&payload);
    }

    #[test]
    fn a_spoilt_payload_breaks_nothing(
        row in any::<prop::sample::Index>(),
        path in any::<prop::sample::Index>(),
        spoilt in anything(),
    ) {
        let rows: Vec<Value> = serde_json::from_str(PAYLOADS).unwrap();
        let mut payload = rows[row.index(rows.len())]["payload"].clone();
        let paths = paths(&payload, "");
        *payload.pointer_mut(&paths[path.index(paths.len())]).unwrap() = spoilt;
        decoded(&payload);
    }

    #[test]
    fn words_never_break(raw in "[ -~é🙂<>|@#!&;]{0,80}") {
        words::read(&raw);
        words::names(&raw, "U0BOT");
    }
}

/// Every place in a value.
fn paths(value: &Value, at: &str) -> Vec<String> {
    let inner: Vec<String> = match value {
        Value::Object(fields) => {
            fields.iter().flat_map(|(key, value)| paths(value, &format!("{at}/{key}"))).collect()
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(index, value)| paths(value, &format!("{at}/{index}")))
            .collect(),
        _ => Vec::new(),
    };
    inner.into_iter().chain([at.to_owned()]).collect()
}
