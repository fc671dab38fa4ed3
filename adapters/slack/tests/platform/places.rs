//! Where people and the bot write: direct conversations, channels, threads, organisations.

use askrelay_core::port::{Act, Order, SenderKind};
use askrelay_kit::slack::{Channel, Post};
use askrelay_kit::surface::Stage;

use crate::room::{Room, identity, place};
use crate::{channel, prompt, show, shown, ts};

/// Text, the message it replies to, and whether it is meant for the bot.
fn text(act: Act) -> (String, Option<String>, bool) {
    match act {
        Act::Text { text, reply_to, addressed } => {
            (text.unwrap_or_default(), reply_to.map(|id| id.as_str().to_owned()), addressed)
        }
        other => panic!("expected a text, got {other:?}"),
    }
}

async fn shown_in(stage: &mut Stage<Room>, send: &str, conversation: &str) -> String {
    stage.order(show(send, place(conversation), "Which colour?", &["Red"])).await;
    let (receipt, _) = stage.shown(send).await;
    assert_eq!(receipt.place, place(conversation));
    ts(&receipt.messages)
}

#[tokio::test]
async fn a_person_is_written_to_by_their_id() {
    let mut stage = Stage::<Room>::online().await;
    let lee = stage.platform.team.person("Lee");
    let here = format!("@{}", lee.id());
    for send in ["one", "two"] {
        shown_in(&mut stage, send, &here).await;
    }
    assert_eq!(stage.platform.stand_in.calls_of("conversations.open").len(), 1, "looked up once");
    let dm: Channel = lee.open(&stage.platform.app);
    assert_eq!(dm.from_apps().len(), 2);
    lee.write(&dm, "red");
    let reply = stage.reply().await;
    assert_eq!((reply.place, reply.private), (place(&here), true));
}

#[tokio::test]
async fn whoever_wrote_first_needs_no_look_up() {
    let mut stage = Stage::<Room>::online().await;
    stage.platform.person.write(&stage.platform.channel, "hello");
    let reply = stage.reply().await;
    stage.order(crate::say(reply.place, "Hello.")).await;
    stage.platform.channel.until_seen("Hello.").await;
    assert_eq!(stage.platform.stand_in.calls_of("conversations.open"), []);
}

#[tokio::test]
async fn a_reply_in_a_prompts_thread_is_a_reply_to_it() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    let person = stage.platform.person.clone();
    let dm = stage.platform.channel.clone();
    let private = format!("@{}", person.id());
    for (conversation, room) in [(team.id().to_owned(), &team), (private, &dm)] {
        let message = shown_in(&mut stage, &conversation, &conversation).await;
        person.reply(room, &message, "red");
        let reply = stage.reply().await;
        assert_eq!(reply.place, place(&conversation));
        assert_eq!(text(reply.act), ("red".to_owned(), Some(message.clone()), true));
        // What is said about it stays in the thread.
        let said =
            Order::Say { place: reply.place, to: None, reply_to: reply.message, text: "Noted.".to_owned() };
        stage.order(said).await;
        let seen = room.until_seen("Noted.").await;
        assert_eq!(seen.thread, Some(message));
    }
}

#[tokio::test]
async fn a_reply_that_the_channel_sees_too_counts_once() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    let message = shown_in(&mut stage, "one", team.id()).await;
    stage.platform.person.send(&team, Post::text("red").in_thread(&message).broadcast());
    let reply = stage.reply().await;
    assert_eq!(text(reply.act), ("red".to_owned(), Some(message), true));
    stage.platform.app.until_quiet().await;
    stage.nothing_more().await;
}

#[tokio::test]
async fn a_persons_thread_is_a_place_of_its_own() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    let person = stage.platform.person.clone();
    let root = person.write(&team, "let us release");
    let first = stage.reply().await;
    assert_eq!((first.place.clone(), text(first.act).2), (place(team.id()), false));
    let thread = format!("{}/{root}", team.id());
    let message = shown_in(&mut stage, "one", &thread).await;
    assert_eq!(team.message(&message).thread.as_deref(), Some(root.as_str()));
    person.reply(&team, &root, "red");
    let reply = stage.reply().await;
    assert_eq!(reply.place, place(&thread));
    assert_eq!(text(reply.act), ("red".to_owned(), None, false));
    person.tap(&team, &message, "Red");
    let press = stage.reply().await;
    assert_eq!(press.place, place(&thread));
    assert_eq!(press.message.as_ref().map(|id| id.as_str()), Some(message.as_str()));
}

#[tokio::test]
async fn a_mention_is_one_update_whether_it_comes_once_or_twice() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    let (app, person) = (stage.platform.app.clone(), stage.platform.person.clone());
    person.send(&team, Post::text("2").mentioning(&app));
    let (first, second) = (stage.reply().await, stage.reply().await);
    assert_eq!((&first.update, &first.place), (&second.update, &second.place));
    let (words, _, addressed) = text(first.act);
    assert!(words.contains(&format!("<@{}>", app.user_id())) && words.contains('2') && addressed, "{words}");
    app.remove_event("message.channels");
    person.send(&team, Post::text("3").mentioning(&app));
    let only = stage.reply().await;
    assert!(text(only.act).2);
    stage.nothing_more().await;
}

#[tokio::test]
async fn words_for_one_person_in_a_channel_are_theirs_alone() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    let person = stage.platform.person.clone();
    let sam = identity(stage.platform.team.id(), person.id());
    let message = shown_in(&mut stage, "one", team.id()).await;
    person.reply(&team, &message, "9");
    let reply = stage.reply().await;
    let say = |text: &str| Order::Say {
        place: place(team.id()),
        to: Some(sam.clone()),
        reply_to: reply.message.clone(),
        text: text.to_owned(),
    };
    stage.order(say("Only 1 to 3 here.")).await;
    let note = person.until_told(&team, "Only 1 to 3 here.").await;
    assert_eq!(note.thread, Some(message.clone()), "where they wrote");
    // Whoever is not in the channel is told in the thread.
    team.remove(&person);
    stage.order(say("Only 1 to 3 there.")).await;
    let aloud = team.until_seen("Only 1 to 3 there.").await;
    assert_eq!(aloud.thread, Some(message));
    assert_eq!(aloud.pings.iter().filter(|ping| ping.contains(person.id())).count(), aloud.pings.len());
}

#[tokio::test]
async fn own_words_are_asked_for_below_the_prompt() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    stage.order(show("one", place(team.id()), "Which colour?", &["Other"])).await;
    let (receipt, _) = stage.shown("one").await;
    let message = ts(&receipt.messages);
    let to = identity(stage.platform.team.id(), stage.platform.person.id());
    let ask = Order::AskForText {
        send: "two".into(),
        place: place(team.id()),
        to,
        text: "Type your colour".to_owned(),
        placeholder: None,
        receipt,
    };
    stage.order(ask).await;
    stage.shown("two").await;
    let seen = team.until_seen("Type your colour").await;
    assert_eq!(seen.thread, Some(message));
    assert!(seen.pings.contains(&format!("@{}", stage.platform.person.id())));
}

#[tokio::test]
async fn bots_and_webhooks_are_told_apart_from_people() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    team.post_by_webhook("1");
    let hook = stage.reply().await;
    assert_eq!(hook.sender.kind, SenderKind::Bot);
    stage.platform.person.write(&team, "1");
    assert_eq!(stage.reply().await.sender.kind, SenderKind::Human);
}

#[tokio::test]
async fn nothing_that_is_said_reaches_beyond_words() {
    let mut stage = Stage::<Room>::online().await;
    let hostile = "<!channel> <@U0000001> *b* <https://evil.example|x> https://evil.example R&D";
    let message = shown(&mut stage, "one", prompt(hostile, &["<!here> & co"])).await;
    let seen = stage.platform.channel.message(&message);
    assert!(seen.lines.concat().contains(hostile), "{seen:?}");
    assert!(seen.text.contains(hostile), "read as it is where blocks are not shown: {}", seen.text);
    assert_eq!((seen.pings.len(), seen.unfurls), (0, false), "{seen:?}");
    assert_eq!(seen.controls[0].label, "<!here> & co");
}
