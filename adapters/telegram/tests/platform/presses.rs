//! Presses: each is reported, and ended once, whatever became of its message.

use askrelay_core::port::{Acknowledgement, Act, Order, SenderKind};
use askrelay_kit::surface::{Stage, input};

use crate::room::{Room, place};
use crate::{acknowledge, say, shown};

fn toast(ack: Option<askrelay_core::id::AckId>, text: &str, otherwise: Order) -> Order {
    Order::Toast { ack: ack.unwrap(), text: text.to_owned(), otherwise: Some(Box::new(otherwise)) }
}

#[tokio::test]
async fn a_press_is_ended_with_what_became_of_it() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", "Which colour?", &["Red", "Blue"]).await;
    let tap = stage.platform.person.tap(&stage.platform.chat, message, "Red");
    let reply = stage.reply().await;
    assert_eq!(reply.act, Act::Press { token: "t.Red".to_owned(), values: Vec::new(), fields: Vec::new() });
    assert_eq!(reply.message.as_ref().map(|id| id.as_str().to_owned()), Some(message.to_string()));
    assert!(reply.private);
    stage.order(acknowledge(reply.ack, Acknowledgement::Later)).await;
    stage.order(toast(reply.ack, "Recorded: Red", say(reply.place, "said instead"))).await;
    assert_eq!(tap.answered().await.text.as_deref(), Some("Recorded: Red"));
    stage.nothing_more().await;
    let seen = stage.platform.chat.messages();
    assert!(seen.iter().all(|message| message.text != "said instead"), "{seen:?}");
}

#[tokio::test]
async fn a_press_whose_outcome_takes_long_is_ended_in_silence_and_told_otherwise() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", "Which colour?", &["Red"]).await;
    let tap = stage.platform.person.tap(&stage.platform.chat, message, "Red");
    let reply = stage.reply().await;
    stage.order(acknowledge(reply.ack, Acknowledgement::Later)).await;
    assert_eq!(tap.answered().await.text, None, "after a second at most");
    stage.order(toast(reply.ack, "Recorded: Red", say(reply.place, "Recorded, late"))).await;
    stage.platform.chat.until_seen("Recorded, late").await;
}

#[tokio::test]
async fn a_press_is_ended_at_once_where_that_is_ordered() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", "Which colour?", &["Red"]).await;
    let long = "You may not answer this question, since it was asked for somebody else. ".repeat(2);
    let rows = [
        (Acknowledgement::Silent, None, false),
        (Acknowledgement::Toast("Not for you".to_owned()), Some("Not for you".to_owned()), false),
        (Acknowledgement::Toast(long.trim().to_owned()), Some(long.trim().to_owned()), true),
        (input("t", "Words", "such as 3"), None, false),
    ];
    for (with, text, alert) in rows {
        let tap = stage.platform.person.tap(&stage.platform.chat, message, "Red");
        let reply = stage.reply().await;
        stage.order(acknowledge(reply.ack, with)).await;
        let answer = tap.answered().await;
        assert_eq!((answer.text, answer.alert), (text, alert));
    }
}

#[tokio::test]
async fn a_query_that_is_too_old_is_told_otherwise() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", "Which colour?", &["Red"]).await;
    stage.platform.person.tap(&stage.platform.chat, message, "Red");
    let reply = stage.reply().await;
    stage.platform.stand_in.pass(600);
    stage.order(toast(reply.ack, "Recorded: Red", say(reply.place, "Recorded all the same"))).await;
    stage.platform.chat.until_seen("Recorded all the same").await;
    stage.nothing_more().await;
}

#[tokio::test]
async fn a_press_that_comes_twice_is_ended_once() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", "Which colour?", &["Red"]).await;
    let tap = stage.platform.person.tap(&stage.platform.chat, message, "Red");
    let first = stage.reply().await;
    let account = first.place.account.clone();
    stage.order(Order::Saved { account, update: first.update.clone() }).await;
    assert!(stage.platform.bot.deliver_again());
    let second = stage.reply().await;
    assert_eq!(
        (&first.update, second.ack),
        (&second.update, None),
        "the first acknowledgement is still owed"
    );
    stage.order(acknowledge(first.ack, Acknowledgement::Toast("Recorded".to_owned()))).await;
    assert_eq!(tap.answered().await.text.as_deref(), Some("Recorded"));
    stage.nothing_more().await;
    assert_eq!(stage.platform.stand_in.calls_of("answerCallbackQuery").len(), 1);
}

#[tokio::test]
async fn presses_on_what_is_not_there_any_more_are_reported() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", "Which colour?", &["Red"]).await;
    let (person, chat) = (stage.platform.person.clone(), stage.platform.chat.clone());
    let unknown = person.press(&chat, message, "no button of ours");
    let reply = stage.reply().await;
    assert_eq!(
        reply.act,
        Act::Press { token: "no button of ours".to_owned(), values: Vec::new(), fields: Vec::new() }
    );
    stage.order(acknowledge(reply.ack, Acknowledgement::Toast("Not in use any more".to_owned()))).await;
    assert!(unknown.answered().await.text.is_some());

    person.delete(&chat, message);
    let late = person.press(&chat, message, "t.Red");
    let reply = stage.reply().await;
    assert_eq!(reply.place, place(chat.id()), "a message that cannot be seen any more still has its place");
    assert_eq!(reply.message.as_ref().map(|id| id.as_str().to_owned()), Some(message.to_string()));
    stage.order(acknowledge(reply.ack, Acknowledgement::Silent)).await;
    late.answered().await;
}

#[tokio::test]
async fn an_administrator_without_a_name_is_nobody() {
    let mut stage = Stage::<Room>::online().await;
    let group = stage.platform.stand_in.supergroup("Team");
    group.add_bot(&stage.platform.bot);
    group.add(&stage.platform.person);
    stage.order(crate::show("one", place(group.id()), "Which colour?", &["Red"])).await;
    let (receipt, _) = stage.shown("one").await;
    let message = receipt.messages[0].as_str().parse().unwrap();
    stage.platform.person.press_anonymously(&group, message, "t.Red");
    let reply = stage.reply().await;
    assert_eq!(reply.sender.kind, SenderKind::Anonymous);
    assert!(!reply.private);
}
