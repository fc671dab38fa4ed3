//! Edits and retirements of what stands in a chat, and sends whose outcome nobody knows.

use askrelay_core::port::{FailureKind, Order, Receipt};
use askrelay_kit::surface::Stage;
use askrelay_kit::telegram::Fault;

use crate::room::{Room, place};
use crate::{failed, prompt, show, shown};

fn receipt(stage: &Stage<Room>, message: i64) -> Receipt {
    Receipt { place: place(stage.platform.chat.id()), messages: vec![message.to_string().into()] }
}

fn edit(send: &str, receipt: &Receipt, text: &str, buttons: &[&str]) -> Order {
    Order::Edit { send: send.into(), receipt: receipt.clone(), prompt: prompt(text, buttons) }
}

fn retire(send: &str, receipt: &Receipt, text: &str) -> Order {
    Order::Retire { send: send.into(), receipt: receipt.clone(), prompt: prompt(text, &[]) }
}

#[tokio::test]
async fn a_retired_prompt_has_no_buttons() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", "Which colour?", &["Red", "Blue"]).await;
    let receipt = receipt(&stage, message);
    stage.order(edit("two", &receipt, "Which colour? (Red)", &["Red ✓", "Blue"])).await;
    assert_eq!(stage.shown("two").await.0, receipt);
    assert_eq!(stage.platform.chat.message(message).labels(), ["Red ✓", "Blue"]);
    stage.order(retire("three", &receipt, "Answered: Red")).await;
    assert_eq!(stage.shown("three").await.0, receipt);
    let seen = stage.platform.chat.message(message);
    assert_eq!((seen.text.as_str(), seen.labels().len()), ("Answered: Red", 0));
}

#[tokio::test]
async fn an_edit_that_changes_nothing_is_done() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", "Which colour?", &["Red"]).await;
    let receipt = receipt(&stage, message);
    stage.order(edit("two", &receipt, "Which colour?", &["Red"])).await;
    assert_eq!(stage.shown("two").await.0, receipt);
}

#[tokio::test]
async fn a_deleted_message_is_gone() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", "Which colour?", &["Red"]).await;
    stage.platform.person.delete(&stage.platform.chat, message);
    let receipt = receipt(&stage, message);
    stage.order(retire("two", &receipt, "Answered: Red")).await;
    assert_eq!(failed(&mut stage, "two").await.kind, FailureKind::MessageGone);
}

#[tokio::test]
async fn what_may_have_taken_effect_is_not_repeated() {
    let faults = [
        ("took effect, answer lost", Fault::DropAfter, 1),
        ("took effect, answer garbled", Fault::Garbage, 1),
        ("dropped before it took effect", Fault::DropBefore, 0),
        ("server error", Fault::Refuse(500, "Internal Server Error".to_owned()), 0),
        ("a proxy's error", Fault::Refuse(502, "Bad Gateway".to_owned()), 0),
    ];
    for (name, fault, copies) in faults {
        let mut stage = Stage::<Room>::online().await;
        stage.platform.stand_in.fail("sendMessage", 1, fault);
        stage.order(show("one", place(stage.platform.chat.id()), "Which colour?", &["Red"])).await;
        assert_eq!(failed(&mut stage, "one").await.kind, FailureKind::Unknown, "{name}");
        assert_eq!(stage.platform.stand_in.calls_of("sendMessage").len(), 1, "{name}");
        let seen = stage.platform.chat.from_bots();
        assert_eq!(seen.len(), copies, "{name}");
        // The relay's own decision to try again makes one extra copy at most.
        shown(&mut stage, "one", "Which colour?", &["Red"]).await;
        assert_eq!(stage.platform.chat.from_bots().len(), copies + 1, "{name}");
    }
}

#[tokio::test]
async fn only_the_newest_look_of_a_message_is_sent() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", "Which colour?", &["Red"]).await;
    let receipt = receipt(&stage, message);
    // The chat is busy while the first one is on its way.
    let hold = stage.platform.stand_in.hold_requests("editMessageText", 1);
    stage.order(edit("two", &receipt, "Red", &["Red"])).await;
    stage.platform.stand_in.until_called("editMessageText", 1).await;
    stage.order(edit("three", &receipt, "Red, Blue", &["Red"])).await;
    stage.order(edit("four", &receipt, "Blue", &["Red"])).await;
    stage.order(retire("five", &receipt, "Answered: Blue")).await;
    hold.release();
    for send in ["two", "three", "four", "five"] {
        assert_eq!(stage.shown(send).await.0, receipt, "{send}");
    }
    assert_eq!(stage.platform.stand_in.calls_of("editMessageText").len(), 2);
    assert_eq!(stage.platform.chat.message(message).text, "Answered: Blue");
}
