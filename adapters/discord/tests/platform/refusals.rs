//! Places out of reach and payloads that the platform refuses, each told in plain words.

use askrelay_core::port::FailureKind;
use askrelay_kit::discord::permission::{READ_MESSAGE_HISTORY, SEND_MESSAGES, VIEW_CHANNEL};
use askrelay_kit::surface::Stage;

use crate::room::{Room, place};
use crate::{failed, server, show};

/// A name, what makes a Place unreachable and names it, and what the failure says.
type Row = (&'static str, fn(&Room) -> String, &'static str);

const ROWS: [Row; 10] = [
    (
        "a person who takes no direct messages",
        |room| {
            room.person.refuse_direct(true);
            format!("@{}", room.person.id())
        },
        "takes no direct messages",
    ),
    (
        "a person whom the bot never met",
        |room| format!("@{}", room.stand_in.person("Lee").id()),
        "in a server with it",
    ),
    ("a person whom nobody knows", |_| "@4711".to_owned(), "no such person"),
    ("a channel that nobody knows", |_| "4711".to_owned(), "no such channel"),
    ("a channel's name", |_| "#deploys".to_owned(), "no Discord conversation"),
    (
        "a server without the bot",
        |room| {
            let (guild, channel) = server(room);
            guild.kick_bot(&room.bot);
            channel.id().to_string()
        },
        "the bot",
    ),
    (
        "a channel that the bot does not see",
        |room| {
            let (_, channel) = server(room);
            channel.overwrite_bot(&room.bot, 0, VIEW_CHANNEL);
            channel.id().to_string()
        },
        "View Channel",
    ),
    (
        "a channel in which the bot may not write",
        |room| {
            let (_, channel) = server(room);
            channel.overwrite_bot(&room.bot, READ_MESSAGE_HISTORY, SEND_MESSAGES);
            channel.id().to_string()
        },
        "Send Messages",
    ),
    (
        "a forum",
        |room| {
            let (guild, _) = server(room);
            guild.forum("questions").id().to_string()
        },
        "posts",
    ),
    (
        "a channel that was deleted",
        |room| {
            let (_, channel) = server(room);
            channel.delete();
            channel.id().to_string()
        },
        "no such channel",
    ),
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
    let here = crate::room::private(&stage.platform.person);
    stage.order(show("long", here.clone(), &"x".repeat(2001), &["Red"])).await;
    let failure = failed(&mut stage, "long").await;
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.why.contains("content") && failure.why.contains("2000"), "{}", failure.why);
    stage.order(show("label", here, "Which colour?", &[&"x".repeat(90)])).await;
    let failure = failed(&mut stage, "label").await;
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(failure.why.contains("label"), "{}", failure.why);
}
