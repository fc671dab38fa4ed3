//! Places and messages that cannot be reached, each with the platform's reason in plain words.

use askrelay_core::port::{FailureKind, Order, Receipt};
use askrelay_kit::slack::Fault;
use askrelay_kit::surface::Stage;

use crate::room::{Room, place};
use crate::{Spoil, channel, failed, prompt, show, shown};

/// A name, what is done to the stand-in and gives a conversation, and a part of the words.
type Row = (&'static str, fn(&Room) -> String, &'static str);

const ROWS: [Row; 6] = [
    ("a channel nobody knows", |_| "C0NOWHERE".to_owned(), "no channel C0NOWHERE"),
    ("a channel without the bot", |room| room.team.channel("team").id().to_owned(), "/invite @askbot"),
    (
        "an archived channel",
        |room| {
            let team = channel(room);
            team.archive();
            team.id().to_owned()
        },
        "archived",
    ),
    ("a person nobody knows", |_| "@U0NOBODY".to_owned(), "no such person"),
    (
        "a deactivated person",
        |room| {
            let lee = room.team.person("Lee");
            lee.deactivate();
            format!("@{}", lee.id())
        },
        "deactivated",
    ),
    ("no conversation of this platform", |_| "4711".to_owned(), "is no Slack conversation"),
];

#[tokio::test]
async fn places_out_of_reach_are_named() {
    for (name, prepare, words) in ROWS {
        let mut stage = Stage::<Room>::online().await;
        let conversation = prepare(&stage.platform);
        stage.order(show("one", place(&conversation), "Which colour?", &["Red"])).await;
        let failure = failed(&mut stage, "one").await;
        assert_eq!(failure.kind, FailureKind::Unreachable, "{name}: {failure:?}");
        assert!(failure.why.contains(words), "{name}: {}", failure.why);
    }
}

#[tokio::test]
async fn what_a_person_must_mend_is_tried_again_later() {
    let rows: [(&str, Spoil, &str); 3] = [
        ("a token that was revoked", |room| room.app.revoke(), "revoked"),
        ("a bot that was removed", |room| room.app.deactivate(), "install the app anew"),
        ("a scope that is missing", |room| room.app.remove_scope("chat:write"), "chat:write"),
    ];
    for (name, spoil, words) in rows {
        let mut stage = Stage::<Room>::online().await;
        let team = channel(&stage.platform);
        spoil(&stage.platform);
        stage.order(show("one", place(team.id()), "Which colour?", &["Red"])).await;
        let failure = failed(&mut stage, "one").await;
        assert!(matches!(failure.kind, FailureKind::Later(_)), "{name}: {failure:?}");
        assert!(failure.why.contains(words), "{name}: {}", failure.why);
    }
}

/// A name, what is done to the message of this `ts`, and a part of the words.
type Gone = (&'static str, fn(&Room, &str), &'static str);

#[tokio::test]
async fn messages_that_cannot_be_changed_are_gone() {
    let rows: [Gone; 2] = [
        ("deleted", |room, ts| room.channel.delete(ts), "deleted"),
        (
            "too old for the workspace",
            |room, _| {
                room.team.set_edit_window(Some(60));
                room.stand_in.pass(120);
            },
            "this old",
        ),
    ];
    for (name, spoil, words) in rows {
        let mut stage = Stage::<Room>::online().await;
        let message = shown(&mut stage, "one", prompt("Which colour?", &["Red"])).await;
        spoil(&stage.platform, &message);
        let place = place(&format!("@{}", stage.platform.person.id()));
        let receipt = Receipt { place, messages: vec![message.as_str().into()] };
        for order in [
            Order::Edit { send: "two".into(), receipt: receipt.clone(), prompt: prompt("Red taken", &[]) },
            Order::Retire { send: "two".into(), receipt: receipt.clone(), prompt: prompt("Answered", &[]) },
        ] {
            stage.order(order).await;
            let failure = failed(&mut stage, "two").await;
            assert_eq!(failure.kind, FailureKind::MessageGone, "{name}: {failure:?}");
            assert!(failure.why.contains(words), "{name}: {}", failure.why);
        }
    }
}

#[tokio::test]
async fn a_payload_that_the_platform_refuses_is_told() {
    let rows = [("msg_too_long", "too long"), ("invalid_blocks", "invalid_blocks")];
    for (error, words) in rows {
        let mut stage = Stage::<Room>::online().await;
        let team = channel(&stage.platform);
        stage.platform.stand_in.fail("chat.postMessage", 1, Fault::Refuse(200, error.to_owned()));
        stage.order(show("one", place(team.id()), "Which colour?", &["Red"])).await;
        let failure = failed(&mut stage, "one").await;
        assert_eq!(failure.kind, FailureKind::Refused, "{error}: {failure:?}");
        assert!(failure.why.contains(words), "{error}: {}", failure.why);
    }
}

/// A label one character too long is refused by the platform, and the Order says so.
#[tokio::test]
async fn a_label_that_is_too_long_is_refused_not_lost() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    for (length, fine) in [(75, true), (76, false)] {
        let (send, label) = (length.to_string(), "x".repeat(length));
        stage.order(show(&send, place(team.id()), "Which colour?", &[&label])).await;
        if fine {
            stage.shown(&send).await;
        } else {
            let failure = failed(&mut stage, &send).await;
            assert_eq!(failure.kind, FailureKind::Refused, "{failure:?}");
        }
    }
}
