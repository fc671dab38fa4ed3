//! Floods, slow conversations, answers that get lost: what waits is not lost, what may have happened is not repeated.

use std::time::Duration;

use askrelay_core::port::{Acknowledgement, FailureKind, Order, Report};
use askrelay_kit::slack::{Fault, StandIn};
use askrelay_kit::surface::Stage;
use tokio::sync::mpsc::channel as queue;

use crate::room::{Room, config, place};
use crate::{acknowledge, channel, failed, prompt, show, shown};

#[tokio::test]
async fn a_flooded_conversation_waits_alone_and_loses_nothing() {
    let mut stage = Stage::<Room>::online().await;
    let (here, there) = (channel(&stage.platform), channel(&stage.platform));
    stage.platform.stand_in.fail("chat.postMessage", 1, Fault::Flood(1));
    stage.order(show("one", place(here.id()), "First", &["Red"])).await;
    stage.platform.stand_in.until_called("chat.postMessage", 1).await;
    stage.order(show("two", place(here.id()), "Second", &["Red"])).await;
    stage.order(show("three", place(there.id()), "Elsewhere", &["Red"])).await;
    for send in ["three", "one", "two"] {
        stage.shown(send).await;
    }
    let seen: Vec<String> = here.from_apps().into_iter().map(|seen| seen.text).collect();
    assert_eq!(seen, ["First", "Second"]);
    assert_eq!(stage.platform.stand_in.calls_of("chat.postMessage").len(), 4);
}

#[tokio::test]
async fn flooded_edits_wait_and_messages_do_not() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    stage.order(show("zero", place(team.id()), "Which colour?", &["Red"])).await;
    let (receipt, _) = stage.shown("zero").await;
    stage.platform.stand_in.fail("chat.update", 1, Fault::Flood(1));
    stage.order(Order::Retire { send: "end".into(), receipt, prompt: prompt("Answered: Red", &[]) }).await;
    stage.platform.stand_in.until_called("chat.update", 1).await;
    stage.order(show("one", place(team.id()), "Next", &["Red"])).await;
    for send in ["one", "end"] {
        stage.shown(send).await;
    }
    assert!(team.from_apps()[0].body().contains("Answered: Red"));
}

#[tokio::test]
async fn a_call_that_hangs_holds_up_its_conversation_only() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    let message = shown(&mut stage, "zero", prompt("Which colour?", &["Red"])).await;
    let hold = stage.platform.stand_in.hold_requests("chat.postMessage", 1);
    let person = stage.platform.person.clone();
    stage.order(show("one", place(&format!("@{}", person.id())), "First", &["Red"])).await;
    stage.platform.stand_in.until_called("chat.postMessage", 2).await;
    stage.order(show("two", place(team.id()), "Elsewhere", &["Red"])).await;
    stage.shown("two").await;
    // Whoever presses in the one that hangs is answered all the same.
    person.tap(&stage.platform.channel, &message, "Red");
    let ack = stage.reply().await.ack;
    stage.order(acknowledge(ack, Acknowledgement::Toast("Noted.".to_owned()))).await;
    person.until_told(&stage.platform.channel, "Noted.").await;
    hold.release();
    stage.shown("one").await;
}

#[tokio::test]
async fn what_may_have_happened_is_not_repeated() {
    let rows = [
        ("answer lost", Fault::DropAfter, 1),
        ("garbage", Fault::Garbage, 1),
        ("failed half-way", Fault::RefuseAfter(500, "fatal_error".to_owned()), 1),
        ("a proxy's error", Fault::Refuse(502, "Bad Gateway".to_owned()), 0),
    ];
    for (name, fault, seen) in rows {
        let mut stage = Stage::<Room>::online().await;
        let team = channel(&stage.platform);
        stage.platform.stand_in.fail("chat.postMessage", 1, fault);
        stage.order(show("one", place(team.id()), "Which colour?", &["Red"])).await;
        let failure = failed(&mut stage, "one").await;
        assert_eq!(failure.kind, FailureKind::Unknown, "{name}: {failure:?}");
        assert_eq!(stage.platform.stand_in.calls_of("chat.postMessage").len(), 1, "{name}");
        assert_eq!(team.from_apps().len(), seen, "{name}");
    }
}

/// A press on the copy whose answer was lost is reported with its message, so that it can be retired.
#[tokio::test]
async fn a_copy_that_nobody_knows_of_is_found_by_a_press() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    stage.platform.stand_in.fail("chat.postMessage", 1, Fault::DropAfter);
    stage.order(show("one", place(team.id()), "Which colour?", &["Red"])).await;
    failed(&mut stage, "one").await;
    let copy = team.from_apps().pop().unwrap();
    stage.platform.person.tap(&team, &copy.ts, "Red");
    let reply = stage.reply().await;
    assert_eq!(reply.message.as_ref().map(|id| id.as_str()), Some(copy.ts.as_str()));
    assert_eq!(reply.place, place(team.id()));
}

#[tokio::test]
async fn an_edit_whose_answer_was_lost_can_be_given_again() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    stage.order(show("one", place(team.id()), "Which colour?", &["Red"])).await;
    let (receipt, _) = stage.shown("one").await;
    stage.platform.stand_in.fail("chat.update", 1, Fault::DropAfter);
    let retire = Order::Retire { send: "end".into(), receipt, prompt: prompt("Answered: Red", &[]) };
    stage.order(retire.clone()).await;
    assert_eq!(failed(&mut stage, "end").await.kind, FailureKind::Unknown);
    stage.order(retire).await;
    stage.shown("end").await;
    assert!(team.from_apps()[0].controls.is_empty());
}

#[tokio::test]
async fn an_order_given_again_while_it_waits_is_carried_out_once() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    let hold = stage.platform.stand_in.hold_requests("chat.postMessage", 1);
    let order = show("one", place(team.id()), "First", &["Red"]);
    stage.order(order.clone()).await;
    stage.platform.stand_in.until_called("chat.postMessage", 1).await;
    stage.order(order).await;
    hold.release();
    stage.shown("one").await;
    stage.nothing_more().await;
    assert_eq!(team.from_apps().len(), 1);
}

/// An end during a flood, and too many Orders.
#[tokio::test]
async fn what_cannot_be_sent_in_time_is_given_back() {
    let stand_in = StandIn::start();
    let team = stand_in.team("Acme");
    let (app, person) = (team.app("askbot"), team.person("Sam"));
    let here = place(&format!("@{}", person.id()));
    stand_in.fail("chat.postMessage", 1, Fault::Flood(3600));
    let mut config = config(&stand_in, &app);
    config.policy.queue = 2;
    config.policy.end_wait = Duration::from_millis(50);
    let (orders, surface_orders) = queue(16);
    let (surface_reports, mut reports) = queue(16);
    let task = tokio::spawn(askrelay_slack::run(config, surface_orders, surface_reports));
    orders.send(show("flooded", here.clone(), "First", &[])).await.unwrap();
    stand_in.until_called("chat.postMessage", 1).await;
    for send in ["waits", "also", "too much", "still too much"] {
        orders.send(show(send, here.clone(), "More", &[])).await.unwrap();
    }
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

#[tokio::test]
async fn a_call_that_hangs_does_not_hold_up_the_end() {
    let stand_in = StandIn::start();
    let team = stand_in.team("Acme");
    let (app, person) = (team.app("askbot"), team.person("Sam"));
    stand_in.fail("chat.postMessage", 1, Fault::HoldRequest(1));
    let mut config = config(&stand_in, &app);
    config.policy.end_wait = Duration::from_millis(50);
    config.policy.call = Duration::from_secs(3600);
    let (orders, surface_orders) = queue(16);
    let (surface_reports, mut reports) = queue(16);
    let task = tokio::spawn(askrelay_slack::run(config, surface_orders, surface_reports));
    let here = place(&format!("@{}", person.id()));
    orders.send(show("hangs", here, "First", &[])).await.unwrap();
    stand_in.until_called("chat.postMessage", 1).await;
    drop(orders);
    tokio::time::timeout(Duration::from_secs(30), task).await.expect("it ends").unwrap();
    while let Some(report) = reports.recv().await {
        assert!(!matches!(report, Report::Shown { .. }), "nobody knows whether it was shown: {report:?}");
    }
}
