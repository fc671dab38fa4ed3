//! The cases of controls, inputs and acknowledgements. A platform that has none of them passes by saying so.

use askrelay_core::id::AckId;
use askrelay_core::port::{Acknowledgement, Act, Order, Receipt, Reply};

use super::{Platform, Stage, input, pressable, prompt};

const TOKEN: &str = "00112233445566778899aabbccddeeff.0.c0-1";

/// A Prompt with one control is shown and pressed; `None` where a platform has no controls.
async fn pressed<P: Platform>() -> Option<(Stage<P>, Receipt, Reply)> {
    let mut stage = Stage::<P>::online().await;
    let (receipt, _) = show(&mut stage).await;
    if !stage.platform.press(TOKEN).await {
        return None;
    }
    let reply = stage.reply().await;
    Some((stage, receipt, reply))
}

async fn show<P: Platform>(stage: &mut Stage<P>) -> (Receipt, Option<i64>) {
    let place = stage.platform.place();
    let prompt = pressable("Which colour?", TOKEN);
    stage.order(Order::Show { send: "one".into(), place, prompt }).await;
    stage.shown("one").await
}

async fn acknowledge<P: Platform>(stage: &Stage<P>, ack: AckId, with: Acknowledgement) {
    stage.order(Order::Acknowledge { ack, with }).await;
}

async fn toast<P: Platform>(stage: &Stage<P>, ack: AckId, text: &str) {
    let place = stage.platform.place();
    let say = Order::Say { place, to: None, reply_to: None, text: text.to_owned() };
    stage.order(Order::Toast { ack, text: text.to_owned(), otherwise: Some(Box::new(say)) }).await;
}

fn owed(reply: &Reply) -> AckId {
    reply.ack.expect("a press owes an acknowledgement")
}

/// What can be pressed is what the Prompt says, and nothing once it is retired.
pub async fn controls_are_shown_until_the_prompt_is_retired<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let (receipt, _) = show(&mut stage).await;
    let Some(controls) = stage.platform.controls().await else { return };
    assert_eq!(controls, ["Red"]);
    stage.order(Order::Retire { send: "two".into(), receipt, prompt: prompt("Answered: Red") }).await;
    stage.shown("two").await;
    assert_eq!(stage.platform.controls().await, Some(Vec::new()));
}

/// A press is reported with its token as it is, and with who pressed and where.
pub async fn press_says_what_who_and_where<P: Platform>() {
    let Some((stage, receipt, reply)) = pressed::<P>().await else { return };
    assert_eq!(reply.act, Act::Press { token: TOKEN.to_owned(), values: Vec::new(), fields: Vec::new() });
    assert_eq!(reply.sender.identity, stage.platform.person());
    assert_eq!(reply.place, stage.platform.place());
    assert!(reply.message.is_some_and(|message| receipt.messages.contains(&message)), "on the Prompt");
}

/// However often it is acknowledged, the platform hears it once.
pub async fn press_is_acknowledged_once<P: Platform>() {
    let Some((mut stage, _, reply)) = pressed::<P>().await else { return };
    for with in [Acknowledgement::Silent, Acknowledgement::Silent, Acknowledgement::Toast("Again".to_owned())]
    {
        acknowledge(&stage, owed(&reply), with).await;
    }
    stage.nothing_more().await;
    assert_eq!(stage.platform.acknowledged(0).await, [None]);
}

/// A press that the platform brings twice is known by its update, if the surface lets it through at all, and acknowledged once.
pub async fn repeated_press_is_acknowledged_once<P: Platform>() {
    let Some((mut stage, _, reply)) = pressed::<P>().await else { return };
    if !stage.platform.repeat().await {
        return;
    }
    stage.platform.write("That was it.").await;
    let next = stage.reply().await;
    let mut acks = vec![reply.ack];
    if matches!(next.act, Act::Press { .. }) {
        assert_eq!(next.update, reply.update);
        acks.push(next.ack);
        stage.reply().await;
    }
    for ack in acks.into_iter().flatten() {
        acknowledge(&stage, ack, Acknowledgement::Silent).await;
    }
    stage.nothing_more().await;
    assert_eq!(stage.platform.acknowledged(0).await, [None]);
}

/// A note for the one who pressed is seen.
pub async fn toast_is_seen<P: Platform>() {
    let Some((mut stage, _, reply)) = pressed::<P>().await else { return };
    acknowledge(&stage, owed(&reply), Acknowledgement::Toast("Not for you.".to_owned())).await;
    assert_eq!(stage.platform.acknowledged(0).await, [Some("Not for you.".to_owned())]);
}

/// What became of a press is told once: by the press itself where the platform leaves it the time, else by what is said instead.
pub async fn later_takes_the_toast_that_follows<P: Platform>() {
    let Some((mut stage, _, reply)) = pressed::<P>().await else { return };
    acknowledge(&stage, owed(&reply), Acknowledgement::Later).await;
    toast(&stage, owed(&reply), "Recorded: Red.").await;
    let acknowledged = stage.platform.acknowledged(0).await;
    stage.nothing_more().await;
    let said = stage.platform.seen().await.matches("Recorded: Red.").count();
    match acknowledged.as_slice() {
        [Some(text)] => assert_eq!((text.as_str(), said), ("Recorded: Red.", 0)),
        [None] => assert_eq!(said, 1),
        other => panic!("acknowledged once, not {other:?}"),
    }
}

/// When nothing follows, the person's client still stops waiting.
pub async fn later_alone_is_still_acknowledged<P: Platform>() {
    let Some((mut stage, _, reply)) = pressed::<P>().await else { return };
    acknowledge(&stage, owed(&reply), Acknowledgement::Later).await;
    stage.nothing_more().await;
    assert_eq!(stage.platform.acknowledged(0).await, [None]);
}

/// What the press cannot carry any more is told in the other way.
pub async fn toast_that_comes_too_late_does_what_it_says<P: Platform>() {
    let Some((mut stage, _, reply)) = pressed::<P>().await else { return };
    acknowledge(&stage, owed(&reply), Acknowledgement::Later).await;
    stage.nothing_more().await;
    stage.platform.acknowledged(0).await;
    toast(&stage, owed(&reply), "Recorded: Red.").await;
    stage.show("after", "Anything else?").await;
    assert_eq!(stage.platform.seen().await.matches("Recorded: Red.").count(), 1);
    assert_eq!(stage.platform.acknowledged(0).await, [None]);
}

/// After a restart nobody knows the press; the words still come.
pub async fn toast_of_the_unknown_does_what_it_says<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    toast(&stage, AckId(4711), "Recorded: Red.").await;
    stage.nothing_more().await;
    assert_eq!(stage.platform.seen().await.matches("Recorded: Red.").count(), 1);
}

/// Whoever presses what is not there any more is reported like anybody, so that they can be told.
pub async fn press_after_retirement_is_reported<P: Platform>() {
    let Some((mut stage, receipt, first)) = pressed::<P>().await else { return };
    acknowledge(&stage, owed(&first), Acknowledgement::Silent).await;
    stage.order(Order::Retire { send: "two".into(), receipt, prompt: prompt("Answered: Red") }).await;
    stage.shown("two").await;
    stage.platform.press(TOKEN).await;
    let late = stage.reply().await;
    assert_eq!(late.act, first.act);
    assert_ne!((late.update, late.ack), (first.update, first.ack));
    acknowledge(&stage, late.ack.expect("it owes one too"), Acknowledgement::Toast("Too late.".to_owned()))
        .await;
    assert_eq!(stage.platform.acknowledged(1).await, [Some("Too late.".to_owned())]);
}

/// What is typed into an input that a press opened comes back with the input's token, unchanged.
pub async fn input_brings_its_token_and_exact_words<P: Platform>() {
    let Some((mut stage, _, reply)) = pressed::<P>().await else { return };
    let input = input("form", "Your colour", "such as lilac");
    acknowledge(&stage, owed(&reply), input).await;
    stage.nothing_more().await;
    let words = " Lilac, *not* <b>red</b>\n\u{1F642} ";
    if stage.platform.submit(words).await {
        let form = stage.reply().await;
        assert_eq!(form.act, super::words("form", words));
        assert_eq!(form.sender.identity, stage.platform.person());
    }
}
