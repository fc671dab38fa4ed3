//! What people write: who is heard, what counts as addressed, and what rights come with it.

use std::collections::BTreeSet;

use askrelay_core::person::{Scope, Scopes};
use askrelay_core::port::{Act, Order, Reply, Report, SenderKind};
use askrelay_discord::Config;
use askrelay_kit::discord::{Bot, Channel, Guild, Person, Post, Role, StandIn};
use askrelay_kit::surface::{Stage, input};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::room::{Room, config, identity, place, private};
use crate::{acknowledge, server, show, shown, shown_in};

/// The words, the message they reply to, and whether they are meant for the bot.
fn text(reply: &Reply) -> (Option<&str>, Option<&str>, bool) {
    match &reply.act {
        Act::Text { text, reply_to, addressed } => {
            (text.as_deref(), reply_to.as_ref().map(|id| id.as_str()), *addressed)
        }
        other => panic!("expected a text, got {other:?}"),
    }
}

#[tokio::test]
async fn without_the_intent_only_what_is_meant_for_the_bot_is_heard() {
    let mut stage = Stage::<Room>::online().await;
    let (_, team) = server(&stage.platform);
    let (_, message) = shown_in(&mut stage, place(team.id()), "one", &["Red"]).await;
    let (person, bot) = (stage.platform.person.clone(), stage.platform.bot.clone());
    person.write(&team, "lunch?");
    person.mention_bot(&team, &bot, "red");
    let mention = format!("<@{}> red", bot.id());
    assert_eq!(text(&stage.reply().await), (Some(mention.as_str()), None, true), "the talk is not reported");
    let id = message.to_string();
    person.reply(&team, message, "red");
    assert_eq!(text(&stage.reply().await), (Some("red"), Some(id.as_str()), true), "a reply calls the bot");
    person.send(&team, Post::text("red").reply_to(message).quietly());
    assert_eq!(text(&stage.reply().await), (None, Some(id.as_str()), true), "its words are kept from us");
}

/// A server in which the bot may read what people write.
struct Team {
    stand_in: StandIn,
    bot: Bot,
    guild: Guild,
    person: Person,
    deployer: Role,
    team: Channel,
}

async fn reader(prepare: impl FnOnce(&Team, &mut Config)) -> (Team, Sender<Order>, Receiver<Report>) {
    let stand_in = StandIn::start();
    let bot = stand_in.bot("askbot");
    bot.allow_message_content(true);
    let (guild, person) = (stand_in.guild("Team"), stand_in.person("Sam"));
    guild.add_bot(&bot);
    guild.add(&person);
    let (deployer, team) = (guild.role("deployer", 0), guild.text_channel("deploys"));
    let room = Team { stand_in, bot, guild, person, deployer, team };
    let mut config = config(&room.stand_in, &room.bot);
    prepare(&room, &mut config);
    let (orders, surface_orders) = channel(16);
    let (surface_reports, reports) = channel(16);
    tokio::spawn(askrelay_discord::run(config, surface_orders, surface_reports));
    room.bot.until_told().await;
    (room, orders, reports)
}

async fn reply(reports: &mut Receiver<Report>) -> Reply {
    loop {
        if let Report::Replied(reply) = reports.recv().await.unwrap() {
            return *reply;
        }
    }
}

#[tokio::test]
async fn with_the_intent_every_text_is_heard() {
    let (room, _orders, mut reports) = reader(|_, _| {}).await;
    room.person.write(&room.team, "red");
    let heard = reply(&mut reports).await;
    assert_eq!(text(&heard), (Some("red"), None, false));
    assert_eq!((heard.place, heard.sender.identity), (place(room.team.id()), identity(&room.person)));
    room.person.send(&room.team, Post::picture());
    room.person.write(&room.team, "after the picture");
    assert_eq!(text(&reply(&mut reports).await).0, Some("after the picture"), "nothing was said with it");
}

#[tokio::test]
async fn no_program_answers() {
    let (room, orders, mut reports) = reader(|_, _| {}).await;
    orders.send(show("one", place(room.team.id()), "Which colour?", &["Red"])).await.unwrap();
    let prompt = room.team.until_seen("Which colour?").await.id;
    let other = room.stand_in.bot("otherbot");
    room.guild.add_bot(&other);
    other.write(&room.team, "red");
    assert_eq!(reply(&mut reports).await.sender.kind, SenderKind::Bot);
    room.team.webhook_replies("ci", "red", Some(prompt));
    assert_eq!(reply(&mut reports).await.sender.kind, SenderKind::Bot);
    room.person.send(&room.team, Post::system(7));
    room.person.write(&room.team, "red");
    let heard = reply(&mut reports).await;
    assert_eq!((heard.sender.kind, text(&heard).0), (SenderKind::Human, Some("red")), "nor the platform");
}

#[tokio::test]
async fn roles_give_rights_as_they_are_held_now() {
    let answer: Scopes = BTreeSet::from([Scope::QuestionsAnswer]);
    let (room, _orders, mut reports) = reader(|room, config| {
        config.roles.insert(room.deployer.id().to_string(), answer.clone());
    })
    .await;
    room.person.write(&room.team, "red");
    assert_eq!(reply(&mut reports).await.sender.granted, Scopes::new());
    room.guild.give(&room.person, &room.deployer);
    room.person.write(&room.team, "red");
    assert_eq!(reply(&mut reports).await.sender.granted, answer);
    room.guild.take(&room.person, &room.deployer);
    room.person.write(&room.team, "red");
    assert_eq!(reply(&mut reports).await.sender.granted, Scopes::new());
}

#[tokio::test]
async fn roles_count_for_a_press_and_for_a_form_as_they_are_held_then() {
    let answer: Scopes = BTreeSet::from([Scope::QuestionsAnswer]);
    let (room, orders, mut reports) = reader(|room, config| {
        config.roles.insert(room.deployer.id().to_string(), answer.clone());
    })
    .await;
    orders.send(show("one", place(room.team.id()), "Which colour?", &["Other..."])).await.unwrap();
    let message = room.team.until_seen("Which colour?").await.id;
    room.guild.give(&room.person, &room.deployer);
    let press = room.person.tap(&room.team, message, "Other...");
    let pressed = reply(&mut reports).await;
    assert_eq!(pressed.sender.granted, answer, "given after the question was shown");
    room.guild.take(&room.person, &room.deployer);
    orders.send(acknowledge(pressed.ack, input("t.words", "Your colour", "such as lilac"))).await.unwrap();
    let form = press.form().await.fill("Your colour", "lilac");
    room.person.submit(&form);
    assert_eq!(reply(&mut reports).await.sender.granted, Scopes::new(), "taken while the form was filled in");
}

#[tokio::test]
async fn an_edited_text_is_the_same_message() {
    let mut stage = Stage::<Room>::online().await;
    let message = stage.platform.person.write(&stage.platform.channel, "red");
    let first = stage.reply().await;
    stage.platform.person.edit(&stage.platform.channel, message, "blue");
    let second = stage.reply().await;
    assert_eq!((&first.message, first.position), (&second.message, second.position));
    assert_ne!(first.update, second.update);
    assert_eq!(text(&second).0, Some("blue"));
}

#[tokio::test]
async fn a_note_refers_to_the_message_it_is_about() {
    let mut stage = Stage::<Room>::online().await;
    let message = stage.platform.person.write(&stage.platform.channel, "purple");
    let reply = stage.reply().await;
    let note = |text: &str| Order::Say {
        place: private(&stage.platform.person),
        to: Some(identity(&stage.platform.person)),
        reply_to: reply.message.clone(),
        text: text.to_owned(),
    };
    stage.order(note("Only Red here.")).await;
    assert_eq!(stage.platform.channel.until_seen("Only Red here.").await.reply_to, Some(message));
    stage.platform.person.delete(&stage.platform.channel, message);
    stage.order(note("Only Red there.")).await;
    assert_eq!(
        stage.platform.channel.until_seen("Only Red there.").await.reply_to,
        None,
        "said all the same"
    );
}

#[tokio::test]
async fn texts_and_prompts_have_one_order() {
    let mut stage = Stage::<Room>::online().await;
    stage.platform.person.write(&stage.platform.channel, "red");
    let old = stage.reply().await.position.unwrap();
    let (_, prompt) = shown(&mut stage, "one", &["Red"]).await;
    stage.platform.person.write(&stage.platform.channel, "red");
    let new = stage.reply().await.position.unwrap();
    let prompt = i64::try_from(prompt).unwrap();
    assert!(old < prompt && prompt < new);
}
