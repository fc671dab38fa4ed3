//! Topics, groups that move, channels, several bots in one group, and what privacy mode lets through.

use askrelay_core::port::{Act, FailureKind, Order, Reply, Report, SenderKind};
use askrelay_kit::surface::Stage;
use askrelay_kit::telegram::{Chat, Post};

use crate::room::{Room, identity, place};
use crate::{failed, say, show};

fn joined(stage: &Stage<Room>, chat: Chat) -> Chat {
    chat.add_bot(&stage.platform.bot);
    chat.add(&stage.platform.person);
    chat
}

fn text(reply: &Reply) -> (Option<&str>, Option<&str>, bool) {
    match &reply.act {
        Act::Text { text, reply_to, addressed } => {
            (text.as_deref(), reply_to.as_ref().map(|id| id.as_str()), *addressed)
        }
        other => panic!("expected a text, got {other:?}"),
    }
}

#[tokio::test]
async fn a_topic_is_a_place_of_its_own() {
    let mut stage = Stage::<Room>::online().await;
    let forum = joined(&stage, stage.platform.stand_in.forum("Team"));
    stage.platform.bot.set_privacy(false);
    let topic = forum.open_topic("Ops");
    let there = place(format!("{}/{topic}", forum.id()));
    stage.order(show("one", there.clone(), "Which colour?", &["Red"])).await;
    let (receipt, _) = stage.shown("one").await;
    assert_eq!(receipt.place, there);
    let message: i64 = receipt.messages[0].as_str().parse().unwrap();
    assert_eq!(forum.message(message).topic, Some(topic));

    let person = stage.platform.person.clone();
    person.tap(&forum, message, "Red");
    assert_eq!(stage.reply().await.place, there, "a press");
    person.send(&forum, Post::text("red").topic(topic));
    let reply = stage.reply().await;
    assert_eq!(reply.place, there, "a text");
    assert_eq!(text(&reply), (Some("red"), None, false), "it replies to nothing");
    person.send(&forum, Post::text("red").reply_to(message));
    let reply = stage.reply().await;
    assert_eq!(reply.place, there, "a reply");
    assert_eq!(text(&reply).1, Some(message.to_string().as_str()));
    stage.order(say(there, "Only Red here.")).await;
    assert_eq!(forum.until_seen("Only Red here.").await.topic, Some(topic));
}

#[tokio::test]
async fn the_general_topic_is_the_chat() {
    let mut stage = Stage::<Room>::online().await;
    let forum = joined(&stage, stage.platform.stand_in.forum("Team"));
    stage.platform.bot.set_privacy(false);
    for (send, conversation) in [("one", forum.id().to_string()), ("two", format!("{}/1", forum.id()))] {
        stage.order(show(send, place(conversation), "Which colour?", &["Red"])).await;
        let (receipt, _) = stage.shown(send).await;
        let message = receipt.messages[0].as_str().parse().unwrap();
        assert_eq!(forum.message(message).topic, None, "{send}");
    }
    stage.platform.person.write(&forum, "red");
    assert_eq!(stage.reply().await.place, place(forum.id()));
}

#[tokio::test]
async fn a_chain_of_replies_is_no_topic() {
    let mut stage = Stage::<Room>::online().await;
    let group = joined(&stage, stage.platform.stand_in.supergroup("Team"));
    stage.order(show("one", place(group.id()), "Which colour?", &["Red"])).await;
    let (receipt, _) = stage.shown("one").await;
    let message = receipt.messages[0].as_str().parse().unwrap();
    stage.platform.person.send(&group, Post::text("red").reply_to(message));
    assert_eq!(stage.reply().await.place, place(group.id()));
}

#[tokio::test]
async fn a_group_that_moves_is_told() {
    let mut stage = Stage::<Room>::online().await;
    let group = joined(&stage, stage.platform.stand_in.group("Team"));
    stage.order(show("one", place(group.id()), "Which colour?", &["Red"])).await;
    let (receipt, _) = stage.shown("one").await;
    let new = group.upgrade();
    let moved = Report::Moved { from: place(group.id()), to: new.id().to_string().into() };
    assert_eq!(stage.report().await, moved, "by the old group");
    assert_eq!(stage.report().await, moved, "by the new one");

    stage.order(show("two", place(group.id()), "Still there?", &["Yes"])).await;
    assert_eq!(stage.report().await, moved, "by the refusal");
    assert!(matches!(failed(&mut stage, "two").await.kind, FailureKind::Later(_)));
    stage.order(Order::Retire { send: "three".into(), receipt, prompt: crate::prompt("Over", &[]) }).await;
    assert_eq!(
        failed(&mut stage, "three").await.kind,
        FailureKind::MessageGone,
        "what was written stays behind"
    );
    stage.order(show("two", place(new.id()), "Still there?", &["Yes"])).await;
    stage.shown("two").await;
}

#[tokio::test]
async fn own_words_are_asked_of_one_person_in_a_group() {
    let mut stage = Stage::<Room>::online().await;
    let group = joined(&stage, stage.platform.stand_in.supergroup("Team"));
    stage.order(show("one", place(group.id()), "Which colour?", &["Other..."])).await;
    let (receipt, _) = stage.shown("one").await;
    let shown = receipt.messages[0].as_str().parse().unwrap();
    let ask = Order::AskForText {
        send: "two".into(),
        place: place(group.id()),
        to: identity(stage.platform.person.id()),
        text: "Type your colour".to_owned(),
        placeholder: Some("such as lilac".to_owned()),
        receipt,
    };
    stage.order(ask).await;
    let (asked, _) = stage.shown("two").await;
    let asked = asked.messages[0].as_str().parse().unwrap();
    let seen = group.message(asked);
    let force = seen.force_reply.expect("an input");
    assert_eq!(force["selective"], true);
    assert_eq!(force["input_field_placeholder"], "such as lilac");
    assert_eq!(seen.reply_to, Some(shown));
    assert_eq!(seen.entities[0]["user"]["id"], stage.platform.person.id());
    assert_eq!(group.message(shown).labels(), ["Other..."], "the buttons stay for the others");
    stage.platform.person.send(&group, Post::text("lilac").reply_to(asked));
    assert_eq!(text(&stage.reply().await), (Some("lilac"), Some(asked.to_string().as_str()), true));
}

#[tokio::test]
async fn several_bots_and_privacy_mode_leave_what_is_meant_for_us() {
    let mut stage = Stage::<Room>::online().await;
    let group = joined(&stage, stage.platform.stand_in.supergroup("Team"));
    let other = stage.platform.stand_in.bot("otherbot");
    group.add_bot(&other);
    stage.order(show("one", place(group.id()), "Which colour?", &["Red"])).await;
    let (receipt, _) = stage.shown("one").await;
    let shown = receipt.messages[0].as_str().parse().unwrap();
    let person = stage.platform.person.clone();
    person.write(&group, "just talk, which the bot does not see");
    person.write(&group, "/questions@otherbot");
    for (post, expected) in [
        (Post::text("/questions@askbot"), (Some("/questions@askbot"), true)),
        (Post::text("red").reply_to(shown), (Some("red"), true)),
    ] {
        person.send(&group, post);
        let reply = stage.reply().await;
        let (text, _, addressed) = text(&reply);
        assert_eq!((text, addressed), expected);
    }
    stage.platform.bot.set_privacy(false);
    for (words, addressed) in [("1", false), ("@askbot 1", true), ("@otherbot 1", false)] {
        person.write(&group, words);
        assert_eq!(text(&stage.reply().await), (Some(words), None, addressed));
    }
}

#[tokio::test]
async fn who_writes_as_a_group_or_channel_is_nobody() {
    let mut stage = Stage::<Room>::online().await;
    let group = joined(&stage, stage.platform.stand_in.supergroup("Team"));
    let channel = stage.platform.stand_in.channel("News");
    stage.platform.bot.set_privacy(false);
    channel.add_bot(&stage.platform.bot);
    channel.promote_bot(&stage.platform.bot);
    stage.platform.person.send_anonymously(&group, Post::text("red"));
    assert_eq!(stage.reply().await.sender.kind, SenderKind::Anonymous, "an administrator");
    channel.post(Post::text("red"));
    let reply = stage.reply().await;
    assert_eq!((reply.sender.kind, reply.place), (SenderKind::Anonymous, place(channel.id())), "a channel");
    stage.order(show("one", place(channel.id()), "Which colour?", &["Red"])).await;
    let (receipt, _) = stage.shown("one").await;
    let message = receipt.messages[0].as_str().parse().unwrap();
    stage.platform.person.tap(&channel, message, "Red");
    assert_eq!(stage.reply().await.sender.kind, SenderKind::Human, "but whoever presses there has a name");
}
