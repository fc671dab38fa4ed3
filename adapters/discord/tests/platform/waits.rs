//! Limits of every scope and slow conversations: what waits is not lost, and nobody else waits with it.

use std::time::Duration;

use askrelay_core::port::{Acknowledgement, FailureKind, Report};
use askrelay_kit::discord::{Fault, Rates, Route, Scope, StandIn};
use askrelay_kit::surface::Stage;
use tokio::sync::mpsc::channel;

use crate::room::{Room, config, private};
use crate::{acknowledge, show, shown};

#[tokio::test]
async fn a_limit_stops_what_it_is_about_and_loses_nothing() {
    for (scope, elsewhere_first) in [(Scope::User, true), (Scope::Shared, true), (Scope::Global, false)] {
        let mut stage = Stage::<Room>::online().await;
        let other = stage.platform.stand_in.person("Lee");
        other.open(&stage.platform.bot);
        // Both channels are known, so that nothing but the messages counts.
        shown(&mut stage, "zero", &["Red"]).await;
        stage.order(show("there", private(&other), "Elsewhere", &["Red"])).await;
        stage.shown("there").await;
        let calls = stage.platform.stand_in.calls_of(Route::CreateMessage).len();
        stage.platform.stand_in.fail(Route::CreateMessage, 1, Fault::Flood(scope, 0.2));
        let here = private(&stage.platform.person);
        stage.order(show("one", here.clone(), "First", &["Red"])).await;
        stage.platform.stand_in.until_called(Route::CreateMessage, calls + 1).await;
        stage.order(show("two", here, "Second", &["Red"])).await;
        stage.order(show("three", private(&other), "Elsewhere again", &["Red"])).await;
        let mut sends = Vec::new();
        while sends.len() < 3 {
            match stage.report().await {
                Report::Shown { send, .. } => sends.push(send.as_str().to_owned()),
                other => panic!("{scope:?}: {other:?}"),
            }
        }
        let place = |name: &str| sends.iter().position(|send| send == name);
        assert!(place("one") < place("two"), "{scope:?}: {sends:?}");
        assert!(!elsewhere_first || place("three") == Some(0), "{scope:?}: {sends:?}");
        assert_eq!(stage.platform.stand_in.calls_of(Route::CreateMessage).len(), calls + 4, "{scope:?}");
    }
}

#[tokio::test]
async fn what_the_platform_tells_of_its_limits_is_kept() {
    let mut stage = Stage::<Room>::online().await;
    // The stand-in's clock stands still, so whatever goes beyond the limit would be refused.
    stage.platform.stand_in.set_rates(Rates { bucket: Some((2, 100)), global: None });
    let here = private(&stage.platform.person);
    for send in ["one", "two"] {
        stage.order(show(send, here.clone(), "Which colour?", &["Red"])).await;
        stage.shown(send).await;
    }
    stage.platform.stand_in.pass_ms(100);
    for send in ["three", "four"] {
        stage.order(show(send, here.clone(), "Which colour?", &["Red"])).await;
        stage.shown(send).await;
    }
    let calls = stage.platform.stand_in.calls_of(Route::CreateMessage);
    assert!(calls.iter().all(|call| call.status == Some(200)), "{calls:?}");
}

#[tokio::test]
async fn a_call_that_hangs_holds_up_its_conversation_only() {
    let mut stage = Stage::<Room>::online().await;
    let (_, message) = shown(&mut stage, "zero", &["Red"]).await;
    let other = stage.platform.stand_in.person("Lee");
    other.open(&stage.platform.bot);
    let hold = stage.platform.stand_in.hold_requests(Route::CreateMessage, 1);
    stage.order(show("one", private(&stage.platform.person), "First", &["Red"])).await;
    stage.platform.stand_in.until_called(Route::CreateMessage, 2).await;
    stage.order(show("two", private(&other), "Elsewhere", &["Red"])).await;
    stage.shown("two").await;
    // Presses in the conversation that hangs are answered all the same.
    let press = stage.platform.person.tap(&stage.platform.channel, message, "Red");
    let ack = stage.reply().await.ack;
    stage.order(acknowledge(ack, Acknowledgement::Silent)).await;
    press.answered().await;
    hold.release();
    stage.shown("one").await;
}

#[tokio::test]
async fn an_order_given_again_while_it_waits_is_carried_out_once() {
    let mut stage = Stage::<Room>::online().await;
    let hold = stage.platform.stand_in.hold_requests(Route::CreateMessage, 1);
    let order = show("one", private(&stage.platform.person), "First", &["Red"]);
    stage.order(order.clone()).await;
    stage.platform.stand_in.until_called(Route::CreateMessage, 1).await;
    stage.order(order).await;
    hold.release();
    stage.shown("one").await;
    stage.nothing_more().await;
    assert_eq!(stage.platform.stand_in.calls_of(Route::CreateMessage).len(), 2, "one, and the fence");
}

/// An end while the platform wants to be left alone, and too many Orders.
#[tokio::test]
async fn what_cannot_be_sent_in_time_is_given_back() {
    let stand_in = StandIn::start();
    let (bot, person) = (stand_in.bot("askbot"), stand_in.person("Sam"));
    person.open(&bot);
    stand_in.fail(Route::CreateMessage, 1, Fault::Flood(Scope::User, 3600.0));
    let mut config = config(&stand_in, &bot);
    config.policy.queue = 2;
    config.policy.end_wait = Duration::from_millis(50);
    let (orders, surface_orders) = channel(16);
    let (surface_reports, mut reports) = channel(16);
    let task = tokio::spawn(askrelay_discord::run(config, surface_orders, surface_reports));
    orders.send(show("flooded", private(&person), "First", &[])).await.unwrap();
    stand_in.until_called(Route::CreateMessage, 1).await;
    for send in ["waits", "also", "too much", "still too much"] {
        orders.send(show(send, private(&person), "More", &[])).await.unwrap();
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
