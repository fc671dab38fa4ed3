//! What the bot may do, told before anybody misses it.

use std::time::Duration;

use askrelay_core::port::Report;
use askrelay_discord::Pace;
use askrelay_kit::discord::permission::{READ_MESSAGE_HISTORY, SEND_MESSAGES, SEND_MESSAGES_IN_THREADS};
use askrelay_kit::discord::{Fault, Route, Scope, StandIn};
use tokio::sync::mpsc::channel;

use crate::room::{config, place};
use crate::show;

#[tokio::test]
async fn what_is_missing_is_told_and_where() {
    let stand_in = StandIn::start();
    let (bot, guild, person) = (stand_in.bot("askbot"), stand_in.guild("Team"), stand_in.person("Sam"));
    guild.add_bot(&bot);
    guild.add(&person);
    let fine = guild.text_channel("fine");
    let mute = guild.text_channel("mute");
    mute.overwrite_everyone(0, SEND_MESSAGES | READ_MESSAGE_HISTORY);
    let threads = guild.text_channel("threads");
    threads.overwrite_bot(&bot, 0, SEND_MESSAGES_IN_THREADS);
    let thread = guild.thread(&threads, "the release");
    let forum = guild.forum("questions");
    let gone = guild.text_channel("gone");
    gone.delete();
    let rows = [
        (fine.id().to_string(), None),
        (format!("@{}", person.id()), None),
        (
            mute.id().to_string(),
            Some("(#mute): the bot lacks the permissions Send Messages, Read Message History"),
        ),
        (
            thread.id().to_string(),
            Some("(#the release): the bot lacks the permissions Send Messages in Threads"),
        ),
        (forum.id().to_string(), Some("(#questions): this is a forum: name one of its posts")),
        (gone.id().to_string(), Some("there is no such channel")),
        ("deploys".to_owned(), Some("no Discord conversation")),
    ];
    bot.allow_message_content(true);
    for (conversation, expected) in rows {
        let mut config = config(&stand_in, &bot);
        config.places = vec![conversation.as_str().into()];
        let found = askrelay_discord::check(&config).await.unwrap();
        match expected {
            None => assert_eq!(found, Vec::<String>::new(), "{conversation}"),
            Some(words) => {
                assert!(found.len() == 1 && found[0].starts_with(&conversation), "{found:?}");
                assert!(found[0].contains(words), "{conversation}: {found:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_missing_intent_is_told_with_what_will_not_work() {
    let stand_in = StandIn::start();
    let bot = stand_in.bot("askbot");
    let found = askrelay_discord::check(&config(&stand_in, &bot)).await.unwrap();
    assert!(found.len() == 1 && found[0].contains("Message Content intent"), "{found:?}");
    assert!(found[0].contains("typed replies") && found[0].contains("developer portal"), "{found:?}");
    bot.allow_message_content(true);
    assert_eq!(askrelay_discord::check(&config(&stand_in, &bot)).await.unwrap(), Vec::<String>::new());
    let mut wrong = config(&stand_in, &bot);
    wrong.token = "MTIz.Gx.revoked".into();
    let found = askrelay_discord::check(&wrong).await.unwrap();
    assert!(found.len() == 1 && found[0].contains("token"), "{found:?}");
}

/// Calls by which it is looked at what the bot may do.
const LOOKS: [Route; 3] = [Route::GetChannel, Route::GetGuildRoles, Route::GetGuildMember];

fn looks(stand_in: &StandIn) -> Vec<usize> {
    LOOKS.iter().map(|route| stand_in.calls_of(*route).len()).collect()
}

/// A server with this many channels, of which one may not be written in, and a configuration that names them all.
fn many(count: usize) -> (StandIn, askrelay_discord::Config) {
    let stand_in = StandIn::start();
    let (bot, guild) = (stand_in.bot("askbot"), stand_in.guild("Team"));
    guild.add_bot(&bot);
    bot.allow_message_content(true);
    let mut config = config(&stand_in, &bot);
    for number in 0..count {
        let channel = guild.text_channel(&format!("channel-{number}"));
        if number == 7 {
            channel.overwrite_bot(&bot, 0, SEND_MESSAGES);
        }
        config.places.push(channel.id().to_string().into());
    }
    (stand_in, config)
}

#[tokio::test]
async fn many_conversations_are_looked_at_one_by_one_and_their_server_once() {
    let (stand_in, config) = many(60);
    stand_in.fail(Route::GetChannel, 1, Fault::Flood(Scope::User, 0.01));
    stand_in.fail(Route::GetGuildRoles, 1, Fault::Flood(Scope::Global, 0.01));
    let found = askrelay_discord::check(&config).await.unwrap();
    assert!(found.len() == 1 && found[0].contains("#channel-7"), "{found:?}");
    assert_eq!(looks(&stand_in), [61, 2, 1], "each once, and what was put off once more");
}

#[tokio::test]
async fn a_look_that_takes_too_long_says_what_is_left() {
    let (stand_in, mut config) = many(9);
    config.policy.look_within = Duration::from_millis(50);
    let channel = |number: usize| format!("/channels/{}", config.places[number].as_str());
    let _hold = stand_in.hold_requests(Route::GetGuildRoles, 1);
    let found = askrelay_discord::check(&config).await.unwrap();
    assert!(found.len() == 1 && found[0].starts_with("9 of the configured"), "{found:?}");
    assert!(stand_in.calls_of(Route::GetChannel)[0].path.ends_with(&channel(0)));
}

#[tokio::test]
async fn a_look_around_holds_up_nothing_and_keeps_its_pace() {
    let (stand_in, mut config) = many(60);
    config.policy.looks = Pace { most: 5, within: Duration::from_secs(3600) };
    let here = place(config.places[0].as_str());
    let hold = stand_in.hold_requests(Route::GetChannel, 1);
    let (orders, surface_orders) = channel(16);
    let (surface_reports, mut reports) = channel(16);
    let task = tokio::spawn(askrelay_discord::run(config, surface_orders, surface_reports));
    assert!(matches!(reports.recv().await, Some(Report::Named { .. })));
    assert!(matches!(reports.recv().await, Some(Report::Online { .. })), "before anything is looked at");
    stand_in.until_called(Route::GetChannel, 1).await;
    assert_eq!(looks(&stand_in), [1, 0, 0], "one after the other");
    hold.release();
    stand_in.until_called(Route::GetChannel, 3).await;
    // Whatever is done meanwhile, nothing more is looked at.
    for send in ["one", "two", "three"] {
        orders.send(show(send, here.clone(), "Which colour?", &["Red"])).await.unwrap();
        assert!(matches!(reports.recv().await, Some(Report::Shown { .. })));
    }
    drop(orders);
    assert_eq!(reports.recv().await, None);
    task.await.unwrap();
    assert_eq!(looks(&stand_in), [3, 1, 1], "no more than the pace allows");
}
