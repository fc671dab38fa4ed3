//! Edits and retirements of what stands in a conversation, and sends whose outcome nobody knows.

use askrelay_core::port::{Acknowledgement, FailureKind};
use askrelay_kit::discord::{Fault, Route};
use askrelay_kit::surface::Stage;

use crate::room::{Room, private};
use crate::{acknowledge, edit, failed, retire, show, shown};

#[tokio::test]
async fn a_retired_prompt_has_no_buttons() {
    let mut stage = Stage::<Room>::online().await;
    let (receipt, message) = shown(&mut stage, "one", &["Red", "Blue"]).await;
    stage.order(edit("two", &receipt, "Which colour? (Red)", &["Red ✓", "Blue"])).await;
    assert_eq!(stage.shown("two").await.0, receipt);
    assert_eq!(stage.platform.channel.message(message).labels(), ["Red ✓", "Blue"]);
    stage.order(retire("three", &receipt, "Answered: Red")).await;
    assert_eq!(stage.shown("three").await.0, receipt);
    let seen = stage.platform.channel.message(message);
    assert_eq!((seen.text.as_str(), seen.labels().len()), ("Answered: Red", 0));
}

/// What a press allows ends after a quarter of an hour; a question may live for days.
#[tokio::test]
async fn a_prompt_is_edited_and_retired_long_after_the_press() {
    let mut stage = Stage::<Room>::online().await;
    let (receipt, message) = shown(&mut stage, "one", &["Red", "Blue"]).await;
    let press = stage.platform.person.tap(&stage.platform.channel, message, "Red");
    let ack = stage.reply().await.ack;
    stage.order(acknowledge(ack, Acknowledgement::Silent)).await;
    press.answered().await;
    stage.platform.stand_in.pass(16 * 60);
    stage.order(edit("two", &receipt, "Which colour? (Red)", &["Red ✓", "Blue"])).await;
    assert_eq!(stage.shown("two").await.0, receipt);
    assert_eq!(stage.platform.channel.message(message).labels(), ["Red ✓", "Blue"]);
    stage.order(retire("three", &receipt, "Answered: Red")).await;
    assert_eq!(stage.shown("three").await.0, receipt);
    assert_eq!(stage.platform.channel.message(message).text, "Answered: Red");
}

#[tokio::test]
async fn a_deleted_message_is_gone() {
    let mut stage = Stage::<Room>::online().await;
    let (receipt, message) = shown(&mut stage, "one", &["Red"]).await;
    stage.platform.person.delete(&stage.platform.channel, message);
    stage.order(retire("two", &receipt, "Answered: Red")).await;
    assert_eq!(failed(&mut stage, "two").await.kind, FailureKind::MessageGone);
}

#[tokio::test]
async fn what_may_have_taken_effect_is_sent_again_and_seen_once() {
    let error = || Fault::Refuse(500, 0, "500: Internal Server Error".to_owned());
    let faults = [
        ("took effect, answer lost", Fault::DropAfter),
        ("took effect, and failed all the same", Fault::FailAfter),
        ("took effect, answer garbled", Fault::Garbage),
        ("dropped before it took effect", Fault::DropBefore),
        ("server error", error()),
        ("a proxy's error", Fault::Refuse(502, 0, String::new())),
    ];
    for (name, fault) in faults {
        let mut stage = Stage::<Room>::online().await;
        stage.platform.stand_in.fail(Route::CreateMessage, 1, fault);
        let (receipt, message) = shown(&mut stage, "one", &["Red"]).await;
        assert_eq!(stage.platform.channel.from_bots().len(), 1, "{name}");
        assert_eq!(stage.platform.channel.message(message).labels(), ["Red"], "{name}");
        stage.platform.stand_in.fail(Route::EditMessage, 1, error());
        stage.order(retire("two", &receipt, "Answered: Red")).await;
        assert_eq!(stage.shown("two").await.0, receipt, "{name}");
    }
}

#[tokio::test]
async fn what_fails_again_and_again_is_given_back_and_not_doubled_later() {
    let mut stage = Stage::<Room>::online().await;
    let here = private(&stage.platform.person);
    stage.platform.stand_in.fail(Route::CreateMessage, 3, Fault::DropAfter);
    stage.order(show("one", here.clone(), "Which colour?", &["Red"])).await;
    assert_eq!(failed(&mut stage, "one").await.kind, FailureKind::Unknown);
    // The relay's own decision to try again, with what is to be seen by now.
    stage.order(show("one", here, "Which colour now?", &["Red", "Blue"])).await;
    stage.shown("one").await;
    let seen = stage.platform.channel.from_bots();
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!((seen[0].text.as_str(), seen[0].labels()), ("Which colour now?", vec!["Red", "Blue"]));
}

#[tokio::test]
async fn what_is_said_is_not_said_twice() {
    let mut stage = Stage::<Room>::online().await;
    let here = private(&stage.platform.person);
    stage.platform.stand_in.fail(Route::CreateMessage, 1, Fault::DropAfter);
    stage.order(crate::say(here, "Only Red here.")).await;
    stage.nothing_more().await;
    let seen = stage.platform.channel.from_bots();
    assert_eq!(seen.iter().filter(|message| message.text == "Only Red here.").count(), 1);
}

#[tokio::test]
async fn only_the_newest_look_of_a_message_is_sent() {
    let mut stage = Stage::<Room>::online().await;
    let (receipt, message) = shown(&mut stage, "one", &["Red"]).await;
    // The conversation is busy while the first one is on its way.
    let hold = stage.platform.stand_in.hold_requests(Route::EditMessage, 1);
    stage.order(edit("two", &receipt, "Red", &["Red"])).await;
    stage.platform.stand_in.until_called(Route::EditMessage, 1).await;
    stage.order(edit("three", &receipt, "Red, Blue", &["Red"])).await;
    stage.order(edit("four", &receipt, "Blue", &["Red"])).await;
    stage.order(retire("five", &receipt, "Answered: Blue")).await;
    hold.release();
    for send in ["two", "three", "four", "five"] {
        assert_eq!(stage.shown(send).await.0, receipt, "{send}");
    }
    assert_eq!(stage.platform.stand_in.calls_of(Route::EditMessage).len(), 2);
    assert_eq!(stage.platform.channel.message(message).text, "Answered: Blue");
}
