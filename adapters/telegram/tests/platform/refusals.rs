//! Places that cannot be reached, each with the platform's reason in plain words.

use askrelay_core::port::FailureKind;
use askrelay_kit::surface::Stage;

use crate::room::{Room, place};
use crate::{failed, show};

/// A name, what is done to the stand-in and gives a conversation, and a part of the words.
type Row = (&'static str, fn(&Room) -> String, &'static str);

const ROWS: [Row; 10] = [
    (
        "a person who never pressed Start",
        |room| room.stand_in.person("Lee").id().to_string(),
        "ask the person (user",
    ),
    ("a person nobody knows", |_| "4711".to_owned(), "press Start"),
    (
        "a person who blocked the bot",
        |room| {
            room.person.block(&room.bot);
            room.chat.id().to_string()
        },
        "unblock",
    ),
    (
        "a deleted account",
        |room| {
            room.person.deactivate();
            room.chat.id().to_string()
        },
        "deleted",
    ),
    (
        "a group that threw the bot out",
        |room| {
            let group = room.stand_in.supergroup("Team");
            group.add_bot(&room.bot);
            group.kick_bot(&room.bot);
            group.id().to_string()
        },
        "add it again",
    ),
    (
        "a group that the bot left",
        |room| {
            let group = room.stand_in.supergroup("Team");
            group.add_bot(&room.bot);
            group.remove_bot(&room.bot);
            group.id().to_string()
        },
        "add it",
    ),
    ("a group nobody knows", |_| "-100200300".to_owned(), "no such chat"),
    (
        "a topic that was deleted",
        |room| {
            let forum = room.stand_in.forum("Team");
            forum.add_bot(&room.bot);
            let topic = forum.open_topic("Ops");
            forum.delete_topic(topic);
            format!("{}/{topic}", forum.id())
        },
        "topic",
    ),
    (
        "a channel in which the bot may not write",
        |room| {
            let channel = room.stand_in.channel("News");
            channel.add_bot(&room.bot);
            channel.id().to_string()
        },
        "administrator",
    ),
    ("another bot", |room| room.stand_in.bot("otherbot").id().to_string(), "another bot"),
];

#[tokio::test]
async fn places_out_of_reach_are_named() {
    for (name, prepare, words) in ROWS {
        let mut stage = Stage::<Room>::online().await;
        let conversation = prepare(&stage.platform);
        stage.order(show("one", place(conversation), "Which colour?", &["Red"])).await;
        let failure = failed(&mut stage, "one").await;
        assert_eq!(failure.kind, FailureKind::Unreachable, "{name}: {failure:?}");
        assert!(failure.why.contains(words), "{name}: {}", failure.why);
    }
}

#[tokio::test]
async fn a_payload_that_the_platform_refuses_is_told() {
    let mut stage = Stage::<Room>::online().await;
    let here = place(stage.platform.chat.id());
    stage.order(show("long", here.clone(), &"x".repeat(5000), &["Red"])).await;
    let failure = failed(&mut stage, "long").await;
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.why.contains("too long"), "{}", failure.why);
    stage.order(show("label", here, "Which colour?", &[&"x".repeat(80)])).await;
    assert_eq!(failed(&mut stage, "label").await.kind, FailureKind::Refused, "its token is too long");
}
