//! The app as `deploy/slack-manifest.yaml` makes it: what it asks for is enough for everything that the surface does, and no more
//! than that.

use std::collections::BTreeSet;

use askrelay_core::port::{Acknowledgement, Order};
use askrelay_kit::slack::Post;
use askrelay_kit::surface::Stage;

use crate::room::{Room, config, identity, place};
use crate::{acknowledge, input, prompt, show};

const MANIFEST: &str = include_str!("../../../../deploy/slack-manifest.yaml");

/// Every scope of it, with the event that takes it, or the methods.
const SCOPES: [(&str, &str); 7] = [
    ("app_mentions:read", "app_mention"),
    ("channels:history", "message.channels"),
    ("chat:write", "chat.postMessage, chat.postEphemeral, chat.update"),
    ("groups:history", "message.groups"),
    ("im:history", "message.im"),
    ("im:write", "conversations.open"),
    ("mpim:history", "message.mpim"),
];

/// The entries of a list in the manifest, without what is said beside them.
fn list(name: &str) -> BTreeSet<&'static str> {
    let (_, rest) = MANIFEST.split_once(&format!("{name}:\n")).unwrap();
    let entries = rest.lines().map_while(|line| line.trim().strip_prefix("- "));
    entries.filter_map(|entry| entry.split_whitespace().next()).collect()
}

#[test]
fn the_manifest_asks_for_no_more_than_is_used() {
    assert_eq!(list("bot"), SCOPES.map(|(scope, _)| scope).into());
    let events: BTreeSet<&str> = SCOPES
        .map(|(_, by)| by)
        .into_iter()
        .filter(|by| by.contains("message.") || *by == "app_mention")
        .collect();
    let mut asked = list("bot_events");
    // Comes with any of the scopes above.
    assert!(asked.remove("channel_id_changed"));
    assert_eq!(asked, events);
    for line in [
        "socket_mode_enabled: true",
        "messages_tab_enabled: true",
        "is_enabled: true",
        "token_rotation_enabled: false",
    ] {
        assert!(MANIFEST.contains(line), "{line}");
    }
}

#[tokio::test]
async fn what_the_manifest_asks_for_is_enough_for_everything() {
    let mut stage = Stage::<Room>::online().await;
    let (app, person, team) =
        (stage.platform.app.clone(), stage.platform.person.clone(), stage.platform.team.clone());
    app.grant(&list("bot"), &list("bot_events"));
    let config = config(&stage.platform.stand_in, &app);
    assert_eq!(askrelay_slack::check(&config).await.unwrap(), Vec::<String>::new());

    let lee = team.person("Lee");
    stage.order(show("somebody new", place(&format!("@{}", lee.id())), "Which colour?", &["Other"])).await;
    stage.shown("somebody new").await;
    let rooms = [team.channel("team"), team.private_channel("core"), team.group_message()];
    for room in &rooms {
        room.add(&person);
        room.add_app(&app);
        stage.order(show(room.id(), place(room.id()), "Which colour?", &["Other"])).await;
        let (receipt, _) = stage.shown(room.id()).await;
        let to = Some(identity(team.id(), person.id()));
        let text = "Not for you.".to_owned();
        stage.order(Order::Say { place: place(room.id()), to, reply_to: None, text }).await;
        person.until_told(room, "Not for you.").await;
        person.tap(room, receipt.messages[0].as_str(), "Other");
        let (token, title, fields) = ("t.form".to_owned(), "Colour".to_owned(), vec![input("Colour", "t.1")]);
        let ack = stage.reply().await.ack;
        stage.order(acknowledge(ack, Acknowledgement::Form { token, title, fields })).await;
        person.until_modal("a form", |_| true).await;
        person.dismiss();
        let (send, end) = (format!("{} ends", room.id()), prompt("Answered", &[]));
        stage.order(Order::Retire { send: send.as_str().into(), receipt, prompt: end }).await;
        stage.shown(&send).await;
        person.write(room, "red");
        stage.reply().await;
    }
    person.write(&stage.platform.channel, "red");
    stage.reply().await;
    // Heard as a message and as a mention.
    person.send(&rooms[0], Post::text("red").mentioning(&app));
    assert_eq!(stage.reply().await.update, stage.reply().await.update);
    let calls = stage.platform.stand_in.calls();
    let refused: Vec<_> = calls.iter().filter(|call| call.answer["ok"] == false).collect();
    assert!(refused.is_empty(), "{refused:?}");
}
