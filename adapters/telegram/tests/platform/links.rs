//! The connection: what is asked for at its start, what is confirmed when, and who else is on the line.

use askrelay_core::port::{Order, Report};
use askrelay_kit::surface::Stage;
use askrelay_kit::telegram::{Fault, StandIn};
use serde_json::json;
use tokio::sync::mpsc::channel;

use crate::room::{Room, config, place};

fn saved(update: &askrelay_core::id::UpdateId) -> Order {
    Order::Saved { account: place(0).account, update: update.clone() }
}

#[tokio::test]
async fn the_start_makes_everything_ready() {
    let stage = Stage::<Room>::online().await;
    let stand_in = &stage.platform.stand_in;
    let methods: Vec<String> = stand_in.calls().into_iter().map(|call| call.method).collect();
    assert_eq!(methods[..4], ["getMe", "setMyCommands", "deleteWebhook", "getUpdates"]);
    let commands = stage.platform.bot.commands();
    let names: Vec<&str> =
        commands.as_array().unwrap().iter().filter_map(|c| c["command"].as_str()).collect();
    assert_eq!(names, ["start", "questions", "skip", "cancel", "whoami", "help"]);
    let allowed =
        json!(["message", "edited_message", "channel_post", "edited_channel_post", "callback_query"]);
    for call in stand_in.until_called("getUpdates", 2).await {
        assert_eq!(call.body["allowed_updates"], allowed);
    }
}

#[tokio::test]
async fn the_bot_is_named() {
    let stand_in = StandIn::start();
    let bot = stand_in.bot("AskBot");
    let (_orders, surface_orders) = channel(1);
    let (surface_reports, mut reports) = channel(1);
    let task = tokio::spawn(askrelay_telegram::run(config(&stand_in, &bot), surface_orders, surface_reports));
    match reports.recv().await {
        Some(Report::Named { account, bot: named }) => {
            assert_eq!(account, place(0).account);
            assert_eq!((named.handle.as_deref(), named.prefix), (Some("AskBot"), '/'));
            assert_eq!(named.id, Some(bot.id().to_string()));
        }
        other => panic!("expected a name, got {other:?}"),
    }
    drop(reports);
    task.await.unwrap();
}

#[tokio::test]
async fn nothing_is_confirmed_before_it_is_saved() {
    let mut stage = Stage::<Room>::online().await;
    let (person, chat) = (stage.platform.person.clone(), stage.platform.chat.clone());
    person.write(&chat, "one");
    person.write(&chat, "two");
    let (first, second) = (stage.reply().await.update, stage.reply().await.update);
    stage.order(saved(&second)).await;
    let polls = stage.platform.stand_in.calls_of("getUpdates").len();
    stage.platform.stand_in.until_called("getUpdates", polls + 3).await;
    assert_eq!(stage.platform.bot.pending().len(), 2, "the first one is not saved");
    person.write(&chat, "three");
    let third = stage.reply().await.update;
    stage.order(saved(&first)).await;
    stage.platform.bot.until_pending(1).await;
    stage.order(saved(&third)).await;
    stage.platform.bot.until_pending(0).await;
    stage.nothing_more().await;
}

#[tokio::test]
async fn what_says_nothing_is_confirmed() {
    let mut stage = Stage::<Room>::online().await;
    stage.platform.bot.deliver_unknown();
    stage.platform.bot.deliver_garbage();
    stage.platform.bot.until_pending(0).await;
    stage.nothing_more().await;
}

#[tokio::test]
async fn what_was_not_saved_comes_again_after_a_restart() {
    let mut stage = Stage::<Room>::online().await;
    let (person, chat) = (stage.platform.person.clone(), stage.platform.chat.clone());
    person.write(&chat, "one");
    person.write(&chat, "two");
    let (first, second) = (stage.reply().await, stage.reply().await);
    stage.order(saved(&first.update)).await;
    stage.platform.bot.until_pending(1).await;
    let (room, _) = stage.end().await;

    let (_orders, surface_orders) = channel(16);
    let (surface_reports, mut reports) = channel(16);
    let config = config(&room.stand_in, &room.bot);
    let _task = tokio::spawn(askrelay_telegram::run(config, surface_orders, surface_reports));
    let reply = loop {
        match reports.recv().await.unwrap() {
            Report::Replied(reply) => break reply,
            Report::Named { .. } | Report::Online { .. } => {}
            other => panic!("expected the text again, got {other:?}"),
        }
    };
    assert_eq!((reply.update, reply.act), (second.update, second.act));
}

#[tokio::test]
async fn a_wrong_token_is_named() {
    let stand_in = StandIn::start();
    let bot = stand_in.bot("askbot");
    let mut config = config(&stand_in, &bot);
    config.token = "7000000009:revoked".into();
    let (_orders, surface_orders) = channel(1);
    let (surface_reports, mut reports) = channel(1);
    let _task = tokio::spawn(askrelay_telegram::run(config, surface_orders, surface_reports));
    match reports.recv().await {
        Some(Report::Offline { why, .. }) => {
            assert!(why.contains("BotFather") && !why.contains("revoked"), "{why}");
        }
        other => panic!("expected to be offline, got {other:?}"),
    }
}

#[tokio::test]
async fn another_program_on_the_same_bot_is_named_and_outlived() {
    let mut stage = Stage::<Room>::online().await;
    let account = place(0).account;
    stage.platform.stand_in.until_called("getUpdates", 2).await;
    stage.platform.bot.poll_elsewhere();
    match stage.report().await {
        Report::Offline { why, .. } => assert!(why.contains("another program polls"), "{why}"),
        other => panic!("expected to be offline, got {other:?}"),
    }
    assert_eq!(stage.report().await, Report::Online { account });
    shown_again(&mut stage, "one").await;
}

#[tokio::test]
async fn a_webhook_of_another_program_is_named_and_not_fought_over() {
    let mut stage = Stage::<Room>::online().await;
    let (token, hook) = (stage.platform.bot.token(), json!({ "url": "https://elsewhere.example" }));
    stage.platform.stand_in.call(&token, "setWebhook", &hook).await.unwrap();
    match stage.report().await {
        Report::Offline { why, .. } => assert!(why.contains("webhook"), "{why}"),
        other => panic!("expected to be offline, got {other:?}"),
    }
    assert_eq!(stage.platform.stand_in.calls_of("deleteWebhook").len(), 1, "only at the start");
    stage.platform.stand_in.call(&token, "deleteWebhook", &json!({})).await.unwrap();
    assert_eq!(stage.report().await, Report::Online { account: place(0).account });
}

#[tokio::test]
async fn polls_that_fail_are_outlived() {
    let rows = [
        ("server error", Fault::Refuse(500, "Internal Server Error".to_owned())),
        ("a proxy's error", Fault::Refuse(502, "Bad Gateway".to_owned())),
        ("flood", Fault::Flood(1)),
        ("garbage", Fault::Garbage),
        ("answer lost", Fault::DropAfter),
    ];
    for (name, fault) in rows {
        let mut stage = Stage::<Room>::online().await;
        stage.platform.stand_in.fail("getUpdates", 1, fault);
        stage.platform.person.write(&stage.platform.chat, "red");
        let mut reports = Vec::new();
        while !matches!(reports.last(), Some(Report::Replied(_))) {
            reports.push(stage.report().await);
        }
        let offline = reports.iter().filter(|report| matches!(report, Report::Offline { .. })).count();
        let online = reports.iter().filter(|report| matches!(report, Report::Online { .. })).count();
        assert!(offline == online && offline <= 1, "{name}: {reports:?}");
    }
}

async fn shown_again(stage: &mut Stage<Room>, send: &str) {
    crate::shown(stage, send, "Still there?", &["Yes"]).await;
}
