//! Channels, threads in and out of the archive, posts of forums, direct messages.

use askrelay_core::port::{FailureKind, Order};
use askrelay_kit::discord::permission::{MANAGE_THREADS, SEND_MESSAGES_IN_THREADS};
use askrelay_kit::discord::{Channel, Route};
use askrelay_kit::surface::Stage;

use crate::room::{Room, identity, place, private};
use crate::{failed, retire, say, server, show, shown_in};

#[tokio::test]
async fn every_kind_of_channel_is_a_place_of_its_own() {
    let mut stage = Stage::<Room>::online().await;
    let (guild, team) = server(&stage.platform);
    let thread = guild.thread(&team, "the release");
    let forum = guild.forum("questions");
    let person = stage.platform.person.clone();
    let post = guild.post(&person, &forum, "Which colour?", "I wonder.");
    for (name, channel) in [("a channel", team), ("a thread", thread), ("a post", post)] {
        let here = place(channel.id());
        let (receipt, message) = shown_in(&mut stage, here.clone(), name, &["Red"]).await;
        assert_eq!(receipt.place, here, "{name}");
        person.tap(&channel, message, "Red");
        assert_eq!(stage.reply().await.place, here, "{name}: a press");
        person.reply(&channel, message, "red");
        let reply = stage.reply().await;
        assert_eq!((&reply.place, reply.private), (&here, false), "{name}: a reply");
        stage.order(say(here, "Only Red here.")).await;
        channel.until_seen("Only Red here.").await;
    }
}

#[tokio::test]
async fn a_person_is_written_to_by_their_id() {
    let mut stage = Stage::<Room>::online().await;
    let (guild, _) = server(&stage.platform);
    let lee = stage.platform.stand_in.person("Lee");
    guild.add(&lee);
    for send in ["one", "two"] {
        let (receipt, _) = shown_in(&mut stage, private(&lee), send, &["Red"]).await;
        assert_eq!(receipt.place, private(&lee));
    }
    assert_eq!(stage.platform.stand_in.calls_of(Route::CreateDirect).len(), 1, "opened once");
    let direct = lee.direct(&stage.platform.bot);
    let message = direct.from_bots()[0].id;
    lee.tap(&direct, message, "Red");
    let reply = stage.reply().await;
    assert_eq!((reply.place, reply.private), (private(&lee), true), "a press");
    lee.write(&direct, "red");
    let reply = stage.reply().await;
    assert_eq!((reply.place, reply.private), (private(&lee), true), "a text");
}

#[tokio::test]
async fn who_writes_first_needs_no_channel_to_be_opened() {
    let mut stage = Stage::<Room>::online().await;
    stage.platform.person.write(&stage.platform.channel, "hello");
    let here = stage.reply().await.place;
    stage.order(say(here, "Hello.")).await;
    stage.platform.channel.until_seen("Hello.").await;
    assert_eq!(stage.platform.stand_in.calls_of(Route::CreateDirect).len(), 0);
}

fn archived(stage: &Stage<Room>) -> (Channel, Channel) {
    let (guild, team) = server(&stage.platform);
    let thread = guild.thread(&team, "the release");
    (team, thread)
}

#[tokio::test]
async fn an_archived_thread_is_opened_to_retire_what_stands_there() {
    let mut stage = Stage::<Room>::online().await;
    let (_, thread) = archived(&stage);
    let (receipt, message) = shown_in(&mut stage, place(thread.id()), "one", &["Red"]).await;
    thread.archive();
    stage.order(retire("two", &receipt, "Answered: Red")).await;
    assert_eq!(stage.shown("two").await.0, receipt);
    assert_eq!(thread.message(message).text, "Answered: Red");
    // A new message opens it by itself.
    thread.archive();
    shown_in(&mut stage, place(thread.id()), "three", &["Red"]).await;
    assert!(!thread.is_archived());
}

#[tokio::test]
async fn a_locked_thread_is_named() {
    let mut stage = Stage::<Room>::online().await;
    let (team, thread) = archived(&stage);
    let (receipt, _) = shown_in(&mut stage, place(thread.id()), "one", &["Red"]).await;
    team.overwrite_bot(&stage.platform.bot, SEND_MESSAGES_IN_THREADS, MANAGE_THREADS);
    thread.archive();
    thread.set_locked(true);
    stage.order(retire("two", &receipt, "Answered: Red")).await;
    let failure = failed(&mut stage, "two").await;
    assert_eq!(failure.kind, FailureKind::Unreachable);
    assert!(failure.why.contains("archived") && failure.why.contains("Manage Threads"), "{}", failure.why);
    stage.order(show("three", place(thread.id()), "Which colour?", &["Red"])).await;
    assert!(failed(&mut stage, "three").await.why.contains("Manage Threads"));
    // Once it may, what is left is done.
    team.overwrite_bot(&stage.platform.bot, MANAGE_THREADS, 0);
    stage.order(retire("four", &receipt, "Answered: Red")).await;
    stage.shown("four").await;
}

#[tokio::test]
async fn only_the_people_asked_are_called() {
    let mut stage = Stage::<Room>::online().await;
    let (_, team) = server(&stage.platform);
    let person = stage.platform.person.clone();
    let hostile = format!("@everyone {} Red?", person.mention());
    stage.order(show("one", place(team.id()), &hostile, &["Red"])).await;
    stage.shown("one").await;
    let seen = team.from_bots().pop().unwrap();
    assert_eq!((seen.called.len(), seen.called_everyone), (0, false), "by no Prompt");

    let to = |reply_to: Option<u64>, text: &str| Order::Say {
        place: place(team.id()),
        to: Some(identity(&person)),
        reply_to: reply_to.map(|id| id.to_string().into()),
        text: text.to_owned(),
    };
    stage.order(to(None, "Only Red here, @everyone.")).await;
    let seen = team.until_seen("Only Red here").await;
    assert_eq!((seen.called, seen.called_everyone), (vec![person.id()], false));
    assert!(seen.text.starts_with(&person.mention()), "{}", seen.text);

    let message = person.mention_bot(&team, &stage.platform.bot, "purple");
    stage.reply().await;
    stage.order(to(Some(message), "Only Blue here.")).await;
    let seen = team.until_seen("Only Blue here.").await;
    assert_eq!((seen.reply_to, seen.called), (Some(message), vec![person.id()]));
    assert!(!seen.text.contains("<@"), "the reply calls them");
}
