//! What the bot may do, told before anybody misses it.

use askrelay_kit::discord::StandIn;
use askrelay_kit::discord::permission::{READ_MESSAGE_HISTORY, SEND_MESSAGES, SEND_MESSAGES_IN_THREADS};

use crate::room::config;

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
