//! The cases of the contract of every Surface. Each says in its name what must hold; none knows a platform.

use askrelay_core::id::{AckId, SendId};
use askrelay_core::port::{Acknowledgement, Act, FailureKind, Order, Receipt, Report, SenderKind};

use super::{Platform, Stage, input, prompt, prompt_of, show};

/// The account is online before anything else is told.
pub async fn comes_online_first<P: Platform>() {
    let stage = Stage::<P>::online().await;
    let (_, rest) = stage.end().await;
    assert_eq!(rest, [], "nothing happened after it");
}

/// A shown Prompt is reported exactly once, where it was to be, and the person sees it.
pub async fn show_is_answered_once<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let (receipt, _) = stage.show("one", "Which colour?").await;
    assert_eq!(receipt.place, stage.platform.place());
    assert!(!receipt.messages.is_empty(), "a handle on what was shown");
    assert!(stage.platform.seen().await.contains("Which colour?"));
    stage.nothing_more().await;
}

/// The same Order again shows nothing new and has the same answer.
pub async fn repeated_show_is_seen_once<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let first = stage.show("one", "Which colour?").await;
    let again = stage.show("one", "Which colour?").await;
    assert_eq!(first, again);
    assert_eq!(stage.platform.seen().await.matches("Which colour?").count(), 1);
}

/// Two Prompts are two handles, even with the same text.
pub async fn every_show_has_its_own_receipt<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let (first, _) = stage.show("one", "Which colour?").await;
    let (second, _) = stage.show("two", "Which colour?").await;
    assert_ne!(first, second);
}

/// A Prompt of several messages is seen whole and in order.
pub async fn all_messages_of_a_prompt_are_seen<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let place = stage.platform.place();
    stage
        .order(Order::Show { send: "one".into(), place, prompt: prompt_of(&["First part", "Second part"]) })
        .await;
    stage.shown("one").await;
    let seen = stage.platform.seen().await;
    let places = [seen.find("First part"), seen.find("Second part")];
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{seen}");
}

/// A Place that does not exist is unreachable.
pub async fn show_elsewhere_fails<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let mut place = stage.platform.place();
    place.conversation = "nowhere".into();
    stage.order(show("one", place, "Which colour?")).await;
    assert_eq!(failure(stage.report().await, "one"), FailureKind::Unreachable);
    assert!(!stage.platform.seen().await.contains("Which colour?"));
}

/// An edited Prompt is seen as it is now.
pub async fn edit_shows_the_new_text<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let (receipt, _) = stage.show("one", "Which colour?").await;
    stage
        .order(Order::Edit { send: "two".into(), receipt: receipt.clone(), prompt: prompt("Red taken") })
        .await;
    let (edited, _) = stage.shown("two").await;
    assert_eq!(edited.place, receipt.place);
    assert!(stage.platform.seen().await.contains("Red taken"));
}

/// An edit of fewer messages leaves those before the last as they are.
pub async fn shorter_edit_keeps_what_stands_before<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let place = stage.platform.place();
    let long = prompt_of(&["A long story", "Which colour?"]);
    stage.order(Order::Show { send: "one".into(), place, prompt: long }).await;
    let (receipt, _) = stage.shown("one").await;
    stage
        .order(Order::Edit { send: "two".into(), receipt: receipt.clone(), prompt: prompt("Red taken") })
        .await;
    let (edited, _) = stage.shown("two").await;
    assert_eq!(edited, receipt);
    let seen = stage.platform.seen().await;
    let places = [seen.find("A long story"), seen.find("Red taken")];
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{seen}");
    assert!(!P::EDITS || !seen.contains("Which colour?"), "{seen}");
}

/// A retired Prompt shows its outcome.
pub async fn retire_shows_the_outcome<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let (receipt, _) = stage.show("one", "Which colour?").await;
    stage.order(Order::Retire { send: "two".into(), receipt, prompt: prompt("Answered: Red") }).await;
    stage.shown("two").await;
    assert_eq!(stage.platform.seen().await.matches("Answered: Red").count(), 1);
}

/// The same retirement again is answered again and changes nothing.
pub async fn repeated_retire_is_seen_once<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let (receipt, _) = stage.show("one", "Which colour?").await;
    for _ in 0..2 {
        let outcome = prompt("Answered: Red");
        stage.order(Order::Retire { send: "two".into(), receipt: receipt.clone(), prompt: outcome }).await;
        stage.shown("two").await;
    }
    assert_eq!(stage.platform.seen().await.matches("Answered: Red").count(), 1);
}

/// What is not there cannot be edited.
pub async fn edit_of_the_unknown_fails<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let receipt = Receipt { place: stage.platform.place(), messages: vec!["4711".into()] };
    stage.order(Order::Edit { send: "one".into(), receipt, prompt: prompt("Red taken") }).await;
    assert_eq!(failure(stage.report().await, "one"), FailureKind::MessageGone);
}

/// What is not there cannot be retired.
pub async fn retire_of_the_unknown_fails<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let receipt = Receipt { place: stage.platform.place(), messages: vec!["4711".into()] };
    stage.order(Order::Retire { send: "one".into(), receipt, prompt: prompt("Answered: Red") }).await;
    assert_eq!(failure(stage.report().await, "one"), FailureKind::MessageGone);
}

/// An acknowledgement that nothing owes is dropped, of whatever kind it is.
pub async fn acknowledging_the_unknown_is_harmless<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let input = input("token", "Your words", "such as 3");
    let kinds = [
        Acknowledgement::Silent,
        Acknowledgement::Toast("Recorded".to_owned()),
        input,
        Acknowledgement::Errors(vec![("token".to_owned(), "a whole number".to_owned())]),
    ];
    for (number, with) in (1..).zip(kinds) {
        stage.order(Order::Acknowledge { ack: AckId(number), with }).await;
    }
    stage.nothing_more().await;
}

/// What is said is seen; it owes no answer.
pub async fn say_is_seen_and_not_answered<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    for to in [None, Some(stage.platform.person())] {
        let place = stage.platform.place();
        stage.order(Order::Say { place, to, reply_to: None, text: "Only 1 to 3 here.".to_owned() }).await;
    }
    stage.nothing_more().await;
    assert_eq!(stage.platform.seen().await.matches("Only 1 to 3 here.").count(), 2);
}

/// A saved update owes no answer, known or not.
pub async fn saved_is_not_answered<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let account = stage.platform.place().account;
    stage.platform.write("hello").await;
    let update = stage.reply().await.update;
    for update in [update, "4711".into()] {
        stage.order(Order::Saved { account: account.clone(), update }).await;
    }
    stage.nothing_more().await;
}

/// Own words are asked for, and what comes is an ordinary text.
pub async fn asking_for_text_is_shown<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let (receipt, _) = stage.show("one", "Which colour?").await;
    let order = Order::AskForText {
        send: "two".into(),
        place: stage.platform.place(),
        to: stage.platform.person(),
        text: "Type your colour".to_owned(),
        placeholder: Some("such as lilac".to_owned()),
        receipt,
    };
    stage.order(order).await;
    let (asked, _) = stage.shown("two").await;
    assert_eq!(asked.place, stage.platform.place());
    assert!(stage.platform.seen().await.contains("Type your colour"));
    stage.platform.write("lilac").await;
    assert_eq!(text(stage.reply().await.act), "lilac");
}

/// A text comes with its place, its sender and its update id, addressed to the bot where only the two are.
pub async fn text_says_who_and_where<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    stage.show("one", "Which colour?").await;
    stage.platform.write("red").await;
    let reply = stage.reply().await;
    assert_eq!(reply.place, stage.platform.place());
    assert_eq!(reply.sender.identity, stage.platform.person());
    assert_eq!(reply.sender.kind, SenderKind::Human);
    assert!(!reply.update.as_str().is_empty());
    assert!(matches!(reply.act, Act::Text { addressed: true, .. }), "{:?}", reply.act);
}

/// The words arrive as they were typed.
pub async fn text_keeps_its_exact_words<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    for words in ["2", "/skip", "*not* <b>markup</b> &amp;", "Straße 🙂 日本", "a  b"] {
        stage.platform.write(words).await;
        assert_eq!(text(stage.reply().await.act), words);
    }
}

/// Equal words sent twice are two updates.
pub async fn updates_have_their_own_ids<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    stage.platform.write("red").await;
    stage.platform.write("red").await;
    let (first, second) = (stage.reply().await, stage.reply().await);
    assert_ne!(first.update, second.update);
}

/// One update delivered twice keeps its id, if the surface lets it through at all.
pub async fn repeated_update_keeps_its_id<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    stage.platform.write("red").await;
    let first = stage.reply().await;
    if stage.platform.repeat().await {
        stage.platform.write("blue").await;
        let next = stage.reply().await;
        if text(next.act) == "red" {
            assert_eq!(next.update, first.update);
            assert_eq!(text(stage.reply().await.act), "blue");
        }
    }
}

/// Where the platform has an order, a text from before the Prompt is smaller and one from after it larger.
pub async fn older_text_has_a_smaller_position<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    stage.platform.write("old").await;
    stage.order(show("one", stage.platform.place(), "Which colour?")).await;
    let (mut old, mut shown) = (None, None);
    for _ in 0..2 {
        match stage.report().await {
            Report::Replied(reply) => old = Some(reply.position),
            Report::Shown { position, .. } => shown = Some(position),
            other => panic!("expected a reply and a shown prompt, got {other:?}"),
        }
    }
    stage.platform.write("new").await;
    let new = stage.reply().await.position;
    let positions = [old.flatten(), shown.flatten(), new];
    if positions.iter().all(Option::is_some) {
        assert!(positions.is_sorted_by(|a, b| a < b), "{positions:?}");
    }
}

/// Text of an agent stays text.
pub async fn hostile_text_is_harmless<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    for (index, (text, never)) in stage.platform.hostile().into_iter().enumerate() {
        stage.show(&index.to_string(), text).await;
        let place = stage.platform.place();
        stage.order(Order::Say { place, to: None, reply_to: None, text: text.to_owned() }).await;
        stage.show(&format!("after-{index}"), "Still here?").await;
        let seen = stage.platform.seen().await;
        assert!(!seen.contains(never), "{text:?} was shown as {seen:?}");
    }
}

/// The end of the Orders ends the surface, after the Orders before it.
pub async fn orders_before_the_end_are_carried_out<P: Platform>() {
    let stage = Stage::<P>::online().await;
    let place = stage.platform.place();
    for send in ["one", "two", "three"] {
        stage.order(show(send, place.clone(), "Which colour?")).await;
    }
    let (mut platform, rest) = stage.end().await;
    let shown = rest.iter().filter(|report| matches!(report, Report::Shown { .. })).count();
    assert_eq!(shown, 3, "{rest:?}");
    assert_eq!(platform.seen().await.matches("Which colour?").count(), 3);
}

/// A driver that went away holds nothing up.
pub async fn ends_when_nobody_takes_reports<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    stage.reports.close();
    stage.platform.write("hello").await;
    stage.end().await;
}

/// With queues of one, a driver that orders without reading for a while still gets every answer, and every text.
pub async fn full_queues_do_not_deadlock<P: Platform>() {
    const SHOWS: usize = 40;
    let mut stage = Stage::<P>::open(1).await;
    let (orders, place) = (stage.orders(), stage.platform.place());
    let ordering = tokio::spawn(async move {
        for send in 0..SHOWS {
            orders
                .send(show(&send.to_string(), place.clone(), "Which colour?"))
                .await
                .expect("the surface runs");
        }
    });
    for _ in 0..SHOWS {
        stage.platform.write("red").await;
    }
    let (mut shown, mut replied) = (0, 0);
    while shown < SHOWS || replied < SHOWS {
        match stage.report().await {
            Report::Shown { .. } => shown += 1,
            Report::Replied(_) => replied += 1,
            Report::Online { .. } => {}
            other => panic!("nothing fails here: {other:?}"),
        }
    }
    ordering.await.expect("every order was taken");
}

/// A cut connection is told; what is ordered meanwhile fails or waits, and is possible again after it is mended.
pub async fn cut_connection_is_told<P: Platform>() {
    let mut stage = Stage::<P>::online().await;
    let account = stage.platform.place().account;
    stage.platform.cut().await;
    match stage.report().await {
        Report::Offline { account: offline, why } => {
            assert_eq!(offline, account);
            assert!(!why.is_empty(), "says why");
        }
        other => panic!("expected to be offline, got {other:?}"),
    }
    if stage.platform.mend().await {
        assert_eq!(stage.report().await, Report::Online { account });
        stage.show("one", "Which colour?").await;
    } else {
        stage.order(show("one", stage.platform.place(), "Which colour?")).await;
        assert_eq!(failure(stage.report().await, "one"), FailureKind::Unreachable);
    }
}

fn failure(report: Report, expected: &str) -> FailureKind {
    match report {
        Report::Failed { send, failure } if send == SendId::from(expected) => failure.kind,
        other => panic!("expected '{expected}' to fail, got {other:?}"),
    }
}

fn text(act: Act) -> String {
    match act {
        Act::Text { text: Some(text), .. } => text,
        other => panic!("expected a text, got {other:?}"),
    }
}
