//! Presses and forms: each is reported, and answered in time whatever the relay does; words are for the one who pressed.

use std::time::Duration;

use askrelay_core::id::AckId;
use askrelay_core::port::{Acknowledgement, Act, Field, Order, Report};
use askrelay_core::prompt::{Control, Entry};
use askrelay_discord::Policy;
use askrelay_kit::discord::{Answered, Bot, Fault, Person, Route, Scope, StandIn};
use askrelay_kit::surface::{Stage, input};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::room::{Room, config, place, private};
use crate::{acknowledge, say, server, show, shown, shown_in};

fn toast(ack: Option<AckId>, text: &str, otherwise: Order) -> Order {
    Order::Toast { ack: ack.unwrap(), text: text.to_owned(), otherwise: Some(Box::new(otherwise)) }
}

fn note(text: &str) -> Answered {
    Answered::Note { text: text.to_owned(), ephemeral: true }
}

#[tokio::test]
async fn what_became_of_a_press_is_told_to_the_one_who_pressed() {
    let mut stage = Stage::<Room>::online().await;
    let (_, team) = server(&stage.platform);
    let (_, message) = shown_in(&mut stage, place(team.id()), "one", &["Red", "Blue"]).await;
    let press = stage.platform.person.tap(&team, message, "Red");
    let reply = stage.reply().await;
    assert_eq!(reply.act, Act::Press { token: "t.Red".to_owned(), values: Vec::new(), fields: Vec::new() });
    assert_eq!(reply.place, place(team.id()));
    assert!(!reply.private);
    stage.order(acknowledge(reply.ack, Acknowledgement::Later)).await;
    assert_eq!(press.answered().await, Answered::Silent, "at once");
    stage.order(toast(reply.ack, "Recorded: Red", say(reply.place, "said instead"))).await;
    let told = press.until_note("Recorded: Red").await;
    assert!(told.ephemeral);
    stage.nothing_more().await;
    assert_eq!(team.from_bots().len(), 1, "nobody else sees it");
}

#[tokio::test]
async fn a_press_is_answered_at_once_where_that_is_ordered() {
    let mut stage = Stage::<Room>::online().await;
    let (_, message) = shown(&mut stage, "one", &["Red"]).await;
    let rows = [
        (Acknowledgement::Silent, Answered::Silent),
        (Acknowledgement::Later, Answered::Silent),
        (Acknowledgement::Toast("Not for *you*.".to_owned()), note("Not for \\*you\\*.")),
        (Acknowledgement::Errors(vec![("t".to_owned(), "a number".to_owned())]), note("a number")),
    ];
    for (with, expected) in rows {
        let press = stage.platform.person.tap(&stage.platform.channel, message, "Red");
        let reply = stage.reply().await;
        assert!(reply.private);
        stage.order(acknowledge(reply.ack, with)).await;
        assert_eq!(press.answered().await, expected);
    }
}

/// A surface whose relay says nothing for longer than the platform waits.
async fn impatient() -> (StandIn, Sender<Order>, Receiver<Report>, Bot) {
    started(|policy| policy.acknowledge_after = Duration::ZERO).await
}

/// A surface with other waits.
async fn started(change: impl FnOnce(&mut Policy)) -> (StandIn, Sender<Order>, Receiver<Report>, Bot) {
    let stand_in = StandIn::start();
    let bot = stand_in.bot("askbot");
    let mut config = config(&stand_in, &bot);
    change(&mut config.policy);
    let (orders, surface_orders) = channel(16);
    let (surface_reports, reports) = channel(16);
    tokio::spawn(askrelay_discord::run(config, surface_orders, surface_reports));
    bot.until_told().await;
    (stand_in, orders, reports, bot)
}

async fn until_reply(reports: &mut Receiver<Report>) -> askrelay_core::port::Reply {
    loop {
        if let Report::Replied(reply) = reports.recv().await.unwrap() {
            return *reply;
        }
    }
}

#[tokio::test]
async fn a_press_is_answered_in_time_whatever_the_relay_does() {
    let (stand_in, orders, mut reports, bot) = impatient().await;
    let person = stand_in.person("Sam");
    let direct = person.open(&bot);
    orders.send(show("one", private(&person), "Which colour?", &["Red"])).await.unwrap();
    let message = direct.until_seen("Which colour?").await.id;
    let late = [
        (Acknowledgement::Toast("Recorded: Red".to_owned()), Some("Recorded: Red")),
        (input("t", "Your colour", "such as lilac"), Some("press it again")),
        (Acknowledgement::Errors(vec![("t".to_owned(), "a number".to_owned())]), Some("a number")),
        (Acknowledgement::Silent, None),
    ];
    for (with, words) in late {
        let press = person.tap(&direct, message, "Red");
        assert_eq!(press.answered().await, Answered::Silent, "before any Order");
        let reply = until_reply(&mut reports).await;
        orders.send(acknowledge(reply.ack, with)).await.unwrap();
        match words {
            Some(words) => assert!(press.until_note(words).await.ephemeral),
            None => assert_eq!(press.notes(), []),
        }
    }
    let press = person.tap(&direct, message, "Red");
    let reply = until_reply(&mut reports).await;
    press.answered().await;
    orders.send(acknowledge(reply.ack, Acknowledgement::Later)).await.unwrap();
    orders.send(toast(reply.ack, "Recorded: Red", say(private(&person), "said instead"))).await.unwrap();
    press.until_note("Recorded: Red").await;
    assert!(direct.messages().iter().all(|message| message.text != "said instead"));
}

#[tokio::test]
async fn a_press_is_answered_before_the_end() {
    let mut stage = Stage::<Room>::online().await;
    let (_, message) = shown(&mut stage, "one", &["Red"]).await;
    let press = stage.platform.person.tap(&stage.platform.channel, message, "Red");
    stage.reply().await;
    stage.end().await;
    assert_eq!(press.answer(), Some(Answered::Silent));
}

#[tokio::test]
async fn words_that_come_too_late_are_told_otherwise() {
    let mut stage = Stage::<Room>::online().await;
    let (_, message) = shown(&mut stage, "one", &["Red"]).await;
    let rows = [("after three seconds", false, 4), ("after a quarter of an hour", true, 1000)];
    for (name, acknowledged, seconds) in rows {
        let press = stage.platform.person.tap(&stage.platform.channel, message, "Red");
        let reply = stage.reply().await;
        if acknowledged {
            stage.order(acknowledge(reply.ack, Acknowledgement::Later)).await;
            press.answered().await;
        }
        stage.platform.stand_in.pass(seconds);
        let otherwise = format!("Recorded {name}");
        stage.order(toast(reply.ack, "Recorded: Red", say(reply.place, &otherwise))).await;
        stage.platform.channel.until_seen(&otherwise).await;
        assert_eq!(press.has_failed(), !acknowledged, "{name}");
    }
    stage.nothing_more().await;
}

/// What is ordered for a press of this person.
type Answer = fn(AckId, &Person) -> Order;

/// A callback that hangs is tried again within the platform's three seconds, here a part of one, and then given up.
#[tokio::test]
async fn a_callback_that_hangs_holds_up_nothing_and_is_told_otherwise() {
    let (stand_in, orders, mut reports, bot) = started(|policy| {
        policy.answer_within = Duration::from_millis(300);
    })
    .await;
    let person = stand_in.person("Sam");
    let direct = person.open(&bot);
    orders.send(show("one", private(&person), "Which colour?", &["Red"])).await.unwrap();
    let message = direct.until_seen("Which colour?").await.id;
    let rows: [(&str, Answer); 3] = [
        ("a toast", |ack, _| {
            acknowledge(Some(ack), Acknowledgement::Toast("Not for you (a toast).".to_owned()))
        }),
        ("errors", |ack, _| {
            let wrong = vec![("t".to_owned(), "Not for you (errors).".to_owned())];
            acknowledge(Some(ack), Acknowledgement::Errors(wrong))
        }),
        ("an outcome", |ack, person| {
            let otherwise = say(private(person), "Not for you (an outcome).");
            toast(Some(ack), "Not for you (an outcome).", otherwise)
        }),
    ];
    for (name, order) in rows {
        let hold = stand_in.hold_requests(Route::CreateCallback, usize::MAX);
        let hanging = person.tap(&direct, message, "Red");
        let ack = until_reply(&mut reports).await.ack.unwrap();
        orders.send(order(ack, &person)).await.unwrap();
        stand_in.until_called(Route::CreateCallback, 1).await;
        direct.until_seen(&format!("Not for you ({name}).")).await;
        hold.release();
        drop(hanging);
    }
}

#[tokio::test]
async fn a_callback_that_hangs_once_is_given_in_time() {
    let (stand_in, orders, mut reports, bot) = started(|policy| {
        policy.answer_within = Duration::from_millis(900);
    })
    .await;
    let person = stand_in.person("Sam");
    let direct = person.open(&bot);
    orders.send(show("one", private(&person), "Which colour?", &["Red"])).await.unwrap();
    let message = direct.until_seen("Which colour?").await.id;
    let _hold = stand_in.hold_requests(Route::CreateCallback, 1);
    let hanging = person.tap(&direct, message, "Red");
    let first = until_reply(&mut reports).await.ack;
    orders.send(acknowledge(first, Acknowledgement::Toast("Recorded".to_owned()))).await.unwrap();
    stand_in.until_called(Route::CreateCallback, 1).await;
    let press = person.tap(&direct, message, "Red");
    let second = until_reply(&mut reports).await.ack;
    orders.send(acknowledge(second, Acknowledgement::Silent)).await.unwrap();
    assert_eq!(press.answered().await, Answered::Silent, "it waits for no other");
    assert_eq!(hanging.answered().await, note("Recorded"), "tried again");
}

/// It took effect, but the answer to it is lost: what was said is not said again.
#[tokio::test]
async fn a_callback_that_took_effect_is_said_once() {
    let mut stage = Stage::<Room>::online().await;
    let (_, message) = shown(&mut stage, "one", &["Red"]).await;
    for fault in [Fault::DropAfter, Fault::FailAfter] {
        stage.platform.stand_in.fail(Route::CreateCallback, 1, fault);
        let press = stage.platform.person.tap(&stage.platform.channel, message, "Red");
        let reply = stage.reply().await;
        stage.order(acknowledge(reply.ack, Acknowledgement::Toast("Recorded".to_owned()))).await;
        assert_eq!(press.answered().await, note("Recorded"));
    }
    for fault in [Fault::DropBefore, Fault::Refuse(502, 0, String::new())] {
        stage.platform.stand_in.fail(Route::CreateCallback, 1, fault);
        let press = stage.platform.person.tap(&stage.platform.channel, message, "Red");
        let reply = stage.reply().await;
        stage.order(acknowledge(reply.ack, Acknowledgement::Toast("Recorded".to_owned()))).await;
        assert_eq!(press.answered().await, note("Recorded"), "tried again");
    }
    stage.nothing_more().await;
    assert!(stage.platform.channel.from_bots().iter().all(|seen| seen.text != "Recorded"), "not in public");
}

#[tokio::test]
async fn a_press_that_comes_twice_is_answered_once() {
    let mut stage = Stage::<Room>::online().await;
    let (_, message) = shown(&mut stage, "one", &["Red"]).await;
    let press = stage.platform.person.tap(&stage.platform.channel, message, "Red");
    let first = stage.reply().await;
    assert!(stage.platform.bot.deliver_again());
    let second = stage.reply().await;
    assert_eq!((&first.update, second.ack), (&second.update, None), "the first one is still owed");
    stage.order(acknowledge(first.ack, Acknowledgement::Toast("Recorded".to_owned()))).await;
    assert_eq!(press.answered().await, note("Recorded"));
    stage.nothing_more().await;
    assert_eq!(stage.platform.stand_in.calls_of(Route::CreateCallback).len(), 1);
}

#[tokio::test]
async fn an_answer_that_the_platform_puts_off_is_given_again() {
    let mut stage = Stage::<Room>::online().await;
    let (_, message) = shown(&mut stage, "one", &["Red"]).await;
    for fault in [Fault::Flood(Scope::User, 0.05), Fault::Flood(Scope::Global, 0.05)] {
        stage.platform.stand_in.fail(Route::CreateCallback, 1, fault);
        let press = stage.platform.person.tap(&stage.platform.channel, message, "Red");
        let reply = stage.reply().await;
        stage.order(acknowledge(reply.ack, Acknowledgement::Toast("Recorded".to_owned()))).await;
        assert_eq!(press.answered().await, note("Recorded"));
    }
}

#[tokio::test]
async fn presses_on_what_is_not_there_any_more_are_reported() {
    let mut stage = Stage::<Room>::online().await;
    let (_, message) = shown(&mut stage, "one", &["Red"]).await;
    let press = stage.platform.person.press(&stage.platform.channel, message, "no button of ours");
    let reply = stage.reply().await;
    let unknown = "no button of ours".to_owned();
    assert_eq!(reply.act, Act::Press { token: unknown, values: Vec::new(), fields: Vec::new() });
    stage.order(acknowledge(reply.ack, Acknowledgement::Toast("Not in use any more".to_owned()))).await;
    assert_eq!(press.answered().await, note("Not in use any more"));
}

fn menu() -> Control {
    let entry = |label: &str, value: &str| Entry {
        label: label.to_owned(),
        description: None,
        value: value.to_owned(),
        taken: false,
    };
    Control::Menu {
        label: Some("Where?".to_owned()),
        placeholder: "Choose".to_owned(),
        token: "t.where".to_owned(),
        entries: vec![entry("Staging", "0"), entry("Production", "1")],
        min: 1,
        max: 2,
    }
}

#[tokio::test]
async fn a_menu_brings_what_was_chosen() {
    let mut stage = Stage::<Room>::online().await;
    let mut prompt = crate::prompt("Where?", &[]);
    prompt.controls = vec![vec![menu()]];
    let here = private(&stage.platform.person);
    stage.order(Order::Show { send: "one".into(), place: here, prompt }).await;
    let (receipt, _) = stage.shown("one").await;
    let message = receipt.messages[0].as_str().parse().unwrap();
    stage.platform.person.choose(&stage.platform.channel, message, &["Production", "Staging"]);
    let values = vec!["1".to_owned(), "0".to_owned()];
    let act = Act::Press { token: "t.where".to_owned(), values, fields: Vec::new() };
    assert_eq!(stage.reply().await.act, act);
}

#[tokio::test]
async fn a_form_brings_every_field_and_tells_what_is_wrong() {
    let mut stage = Stage::<Room>::online().await;
    let (_, team) = server(&stage.platform);
    let (_, message) = shown_in(&mut stage, place(team.id()), "one", &["Other..."]).await;
    let press = stage.platform.person.tap(&team, message, "Other...");
    let reply = stage.reply().await;
    let Acknowledgement::Form { token, title, mut fields } = input("t.words", "Your colour", "such as lilac")
    else {
        panic!("no form")
    };
    fields.insert(0, menu());
    stage.order(acknowledge(reply.ack, Acknowledgement::Form { token, title, fields })).await;
    let form = press.form().await;
    assert_eq!(form.title, "Your colour");
    assert_eq!(form.fields[1].placeholder.as_deref(), Some("such as lilac"));
    let form = form.choose("Where?", &["Production"]).fill("Your colour", " Lilac\n");
    let sent = stage.platform.person.submit(&form);
    let reply = stage.reply().await;
    let field = |token: &str, value: &str| Field { token: token.to_owned(), values: vec![value.to_owned()] };
    let fields = vec![field("t.where", "1"), field("t.words", " Lilac\n")];
    assert_eq!(reply.act, Act::Form { token: "t.words".to_owned(), fields });
    assert_eq!(reply.message.as_ref().map(|id| id.as_str().to_owned()), Some(message.to_string()));
    let wrong = vec![("t.words".to_owned(), "at most 3 characters".to_owned())];
    stage.order(acknowledge(reply.ack, Acknowledgement::Errors(wrong))).await;
    assert_eq!(sent.answered().await, note("Your colour: at most 3 characters"));
}

#[tokio::test]
async fn no_form_follows_a_form() {
    let mut stage = Stage::<Room>::online().await;
    let (_, message) = shown(&mut stage, "one", &["Other..."]).await;
    let press = stage.platform.person.tap(&stage.platform.channel, message, "Other...");
    let reply = stage.reply().await;
    stage.order(acknowledge(reply.ack, input("t", "Your colour", "such as lilac"))).await;
    let form = press.form().await.fill("Your colour", "lilac");
    let sent = stage.platform.person.submit(&form);
    let reply = stage.reply().await;
    stage.order(acknowledge(reply.ack, input("t", "Another", "such as lilac"))).await;
    assert!(matches!(sent.answered().await, Answered::Note { ephemeral: true, .. }));
}
