//! Modals: opened as the first answer to a press, kept open by what is wrong, closed in time whatever the relay does.

use std::time::Duration;

use askrelay_core::id::AckId;
use askrelay_core::port::{Acknowledgement, Act, Field, Report};
use askrelay_kit::slack::{Fault, Form, StandIn};
use askrelay_kit::surface::Stage;
use serde_json::Value;
use tokio::sync::mpsc::channel;

use crate::room::{Room, config, place};
use crate::{Spoil, acknowledge, input, menu, prompt, say, show, shown};

fn form() -> Acknowledgement {
    Acknowledgement::Form {
        token: "t.form".to_owned(),
        title: "Your colour".to_owned(),
        fields: vec![input("Colour", "t.colour"), menu(Some("Shade"), "t.shade", &["Light", "Dark"], 1)],
    }
}

fn errors(wrong: &[(&str, &str)]) -> Acknowledgement {
    Acknowledgement::Errors(
        wrong.iter().map(|(token, what)| ((*token).to_owned(), (*what).to_owned())).collect(),
    )
}

/// A modal before the person, opened by a press.
async fn opened(stage: &mut Stage<Room>) -> Form {
    let message = shown(stage, "one", prompt("Which colour?", &["Other"])).await;
    stage.platform.person.tap(&stage.platform.channel, &message, "Other");
    let ack = stage.reply().await.ack;
    stage.order(acknowledge(ack, form())).await;
    stage.platform.person.until_modal("a form", |_| true).await
}

fn act(colour: &[&str], shade: &[&str]) -> Act {
    let field = |token: &str, values: &[&str]| Field {
        token: token.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    Act::Form { token: "t.form".to_owned(), fields: vec![field("t.colour", colour), field("t.shade", shade)] }
}

#[tokio::test]
async fn a_modal_brings_what_was_filled_in() {
    let mut stage = Stage::<Room>::online().await;
    let modal = opened(&mut stage).await;
    assert_eq!((modal.title.as_str(), modal.submit.as_deref()), ("Your colour", Some("Submit")));
    let person = stage.platform.person.clone();
    person.fill("Colour", " lilac & <more>\n");
    person.pick("Shade", &["Dark"]);
    let tap = person.submit();
    let reply = stage.reply().await;
    assert_eq!(reply.act, act(&[" lilac & <more>\n"], &["1"]));
    assert_eq!(reply.place, place(&format!("@{}", person.id())));
    assert!(reply.message.is_some() && reply.private);
    stage.order(acknowledge(reply.ack, Acknowledgement::Silent)).await;
    assert_eq!(tap.answered().await, Value::Null);
    person.until_no_modal().await;
}

#[tokio::test]
async fn what_is_wrong_stands_at_its_field_and_can_be_mended() {
    let mut stage = Stage::<Room>::online().await;
    opened(&mut stage).await;
    let person = stage.platform.person.clone();
    person.fill("Colour", "5");
    person.submit();
    let first = stage.reply().await;
    stage
        .order(acknowledge(first.ack, errors(&[("t.colour", "Expected a colour."), ("t.gone", "And more.")])))
        .await;
    let modal = person.until_modal("a form with errors", |form| !form.errors.is_empty()).await;
    assert_eq!(modal.error("Colour"), Some("Expected a colour. And more."));
    person.fill("Colour", "lilac");
    let tap = person.submit();
    let second = stage.reply().await;
    assert_ne!((&first.update, first.ack), (&second.update, second.ack), "the same view, sent again");
    assert_eq!(second.act, act(&["lilac"], &[]));
    stage.order(acknowledge(second.ack, Acknowledgement::Later)).await;
    tap.answered().await;
    person.until_no_modal().await;
    assert_eq!(stage.platform.app.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn a_modal_that_is_sent_after_the_end_says_so() {
    let mut stage = Stage::<Room>::online().await;
    opened(&mut stage).await;
    let person = stage.platform.person.clone();
    person.fill("Colour", "lilac");
    person.submit();
    let reply = stage.reply().await;
    let words = "Already answered: Red, by Alex.".to_owned();
    stage.order(acknowledge(reply.ack, Acknowledgement::Toast(words))).await;
    let said = |form: &Form| form.lines.iter().any(|line| line.contains("Already answered: Red, by Alex."));
    let modal = person.until_modal("words in place of the form", said).await;
    assert_eq!((modal.submit, modal.close.as_str()), (None, "Close"));
    assert!(modal.controls.is_empty());
}

#[tokio::test]
async fn words_that_follow_a_modal_are_seen_by_its_sender_alone() {
    let mut stage = Stage::<Room>::online().await;
    opened(&mut stage).await;
    let person = stage.platform.person.clone();
    person.fill("Colour", "lilac");
    person.submit();
    let reply = stage.reply().await;
    stage.order(acknowledge(reply.ack, Acknowledgement::Later)).await;
    let otherwise = Some(Box::new(say(reply.place.clone(), "said instead")));
    let text = "Recorded: lilac".to_owned();
    stage.order(askrelay_core::port::Order::Toast { ack: reply.ack.unwrap(), text, otherwise }).await;
    person.until_told(&stage.platform.channel, "Recorded: lilac").await;
    stage.nothing_more().await;
    assert!(stage.platform.channel.messages().iter().all(|seen| !seen.contains("said instead")));
}

/// A surface whose own wait is short, and a relay that says nothing.
#[tokio::test]
async fn a_modal_is_closed_in_time_though_the_relay_says_nothing() {
    let stand_in = StandIn::start();
    let team = stand_in.team("Acme");
    let (app, person) = (team.app("askbot"), team.person("Sam"));
    let dm = person.open(&app);
    let mut config = config(&stand_in, &app);
    config.policy.acknowledge_after = Duration::from_millis(30);
    let (orders, surface_orders) = channel(16);
    let (surface_reports, mut reports) = channel(16);
    let _task = tokio::spawn(askrelay_slack::run(config, surface_orders, surface_reports));
    app.until_connected(1).await;
    let here = place(&format!("@{}", person.id()));
    orders.send(show("one", here, "Which colour?", &["Other"])).await.unwrap();
    let seen = dm.until_seen("Which colour?").await;
    person.tap(&dm, &seen.ts, "Other");
    let press = reply(&mut reports).await;
    orders.send(acknowledge(press.ack, form())).await.unwrap();
    person.until_modal("a form", |_| true).await;
    person.fill("Colour", "5");
    let tap = person.submit();
    assert_eq!(tap.answered().await, Value::Null, "nobody ordered anything");
    let sent = reply(&mut reports).await;
    // What is wrong can be told all the same.
    orders.send(acknowledge(sent.ack, errors(&[("t.colour", "Expected a colour.")]))).await.unwrap();
    person.until_told(&dm, "Colour: Expected a colour.").await;
}

async fn reply(reports: &mut tokio::sync::mpsc::Receiver<Report>) -> askrelay_core::port::Reply {
    loop {
        match reports.recv().await.unwrap() {
            Report::Replied(reply) => return *reply,
            Report::Failed { failure, .. } => panic!("{failure:?}"),
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_modal_that_comes_twice_gets_the_same_answer() {
    let mut stage = Stage::<Room>::online().await;
    opened(&mut stage).await;
    let person = stage.platform.person.clone();
    person.fill("Colour", "5");
    person.submit();
    let first = stage.reply().await;
    assert!(stage.platform.app.deliver_again());
    let second = stage.reply().await;
    assert_eq!((&first.update, second.ack), (&second.update, None::<AckId>));
    stage.order(acknowledge(first.ack, errors(&[("t.colour", "Expected a colour.")]))).await;
    let answers = stage.platform.app.until_deliveries("two answers", |all| {
        let delivery = all.last()?;
        (delivery.answers.len() == 2).then(|| delivery.answers.clone())
    });
    let answers = answers.await;
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0]["response_action"], "errors");
}

#[tokio::test]
async fn a_modal_that_does_not_open_is_told() {
    let rows: [(&str, Spoil); 3] = [
        ("too late", |room| room.stand_in.pass(4)),
        ("refused", |room| {
            room.stand_in.fail("views.open", 1, Fault::Refuse(200, "invalid_arguments".to_owned()));
        }),
        ("out of order", |room| {
            room.stand_in.fail("views.open", 1, Fault::Refuse(500, "fatal_error".to_owned()));
        }),
    ];
    for (name, spoil) in rows {
        let mut stage = Stage::<Room>::online().await;
        let message = shown(&mut stage, "one", prompt("Which colour?", &["Other"])).await;
        stage.platform.person.tap(&stage.platform.channel, &message, "Other");
        let reply = stage.reply().await;
        spoil(&stage.platform);
        stage.order(acknowledge(reply.ack, form())).await;
        stage.platform.person.until_told(&stage.platform.channel, "press it again").await;
        assert_eq!(stage.platform.person.modal(), None, "{name}");
    }
}
