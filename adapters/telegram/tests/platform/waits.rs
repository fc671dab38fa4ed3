//! Floods and slow chats: what waits is not lost, and nobody else waits with it.

use std::time::Duration;

use askrelay_core::port::{FailureKind, Order, Report};
use askrelay_kit::surface::Stage;
use askrelay_kit::telegram::{Fault, StandIn};
use tokio::sync::mpsc::channel;

use crate::room::{Room, config, place};
use crate::{show, shown};

#[tokio::test]
async fn a_flooded_chat_waits_alone_and_loses_nothing() {
    let mut stage = Stage::<Room>::online().await;
    let other = stage.platform.stand_in.person("Lee").open(&stage.platform.bot);
    stage.platform.stand_in.fail("sendMessage", 1, Fault::Flood(1));
    let (here, there) = (place(stage.platform.chat.id()), place(other.id()));
    stage.order(show("one", here.clone(), "First", &["Red"])).await;
    stage.platform.stand_in.until_called("sendMessage", 1).await;
    stage.order(show("two", here, "Second", &["Red"])).await;
    stage.order(show("three", there, "Elsewhere", &["Red"])).await;
    for send in ["three", "one", "two"] {
        stage.shown(send).await;
    }
    let seen: Vec<String> = stage.platform.chat.from_bots().into_iter().map(|message| message.text).collect();
    assert_eq!(seen, ["First", "Second"]);
    assert_eq!(stage.platform.stand_in.calls_of("sendMessage").len(), 4);
}

#[tokio::test]
async fn a_call_that_hangs_holds_up_its_chat_only() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "zero", "Which colour?", &["Red"]).await;
    let other = stage.platform.stand_in.person("Lee").open(&stage.platform.bot);
    let hold = stage.platform.stand_in.hold_requests("sendMessage", 1);
    stage.order(show("one", place(stage.platform.chat.id()), "First", &["Red"])).await;
    stage.platform.stand_in.until_called("sendMessage", 2).await;
    stage.order(show("two", place(other.id()), "Elsewhere", &["Red"])).await;
    stage.shown("two").await;
    // Presses in the chat that hangs are ended all the same.
    let tap = stage.platform.person.tap(&stage.platform.chat, message, "Red");
    let ack = stage.reply().await.ack;
    stage.order(crate::acknowledge(ack, askrelay_core::port::Acknowledgement::Silent)).await;
    tap.answered().await;
    hold.release();
    stage.shown("one").await;
}

#[tokio::test]
async fn an_order_given_again_while_it_waits_is_carried_out_once() {
    let mut stage = Stage::<Room>::online().await;
    let hold = stage.platform.stand_in.hold_requests("sendMessage", 1);
    let order = show("one", place(stage.platform.chat.id()), "First", &["Red"]);
    stage.order(order.clone()).await;
    stage.platform.stand_in.until_called("sendMessage", 1).await;
    stage.order(order).await;
    hold.release();
    stage.shown("one").await;
    stage.nothing_more().await;
    assert_eq!(stage.platform.stand_in.calls_of("sendMessage").len(), 2, "one, and the fence");
}

/// An end during a flood, and too many Orders.
#[tokio::test]
async fn what_cannot_be_sent_in_time_is_given_back() {
    let stand_in = StandIn::start();
    let bot = stand_in.bot("askbot");
    let chat = stand_in.person("Sam").open(&bot);
    stand_in.fail("sendMessage", 1, Fault::Flood(3600));
    let mut config = config(&stand_in, &bot);
    config.policy.queue = 2;
    config.policy.end_wait = Duration::from_millis(50);
    let (orders, surface_orders) = channel(16);
    let (surface_reports, mut reports) = channel(16);
    let task = tokio::spawn(askrelay_telegram::run(config, surface_orders, surface_reports));
    orders.send(show("flooded", place(chat.id()), "First", &[])).await.unwrap();
    stand_in.until_called("sendMessage", 1).await;
    for send in ["waits", "also", "too much", "still too much"] {
        orders.send(show(send, place(chat.id()), "More", &[])).await.unwrap();
    }
    let account = place(0).account;
    orders.send(Order::Saved { account, update: "1".into() }).await.unwrap();
    drop(orders);
    let mut given_back = Vec::new();
    while let Some(report) = reports.recv().await {
        if let Report::Failed { send, failure } = report {
            assert!(matches!(failure.kind, FailureKind::Later(_)), "{failure:?}");
            given_back.push(send.as_str().to_owned());
        }
    }
    given_back.sort();
    assert_eq!(given_back, ["also", "flooded", "still too much", "too much", "waits"]);
    task.await.unwrap();
}
