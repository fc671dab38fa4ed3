//! What people met on Discord: limits, late presses, kept-back words. Direct messages are the owner's own; servers have others.

use askrelay_kit::discord::{Answered, Fault, Guild, Person, Post, Press, Route, Seen};

use super::stories::{DEPLOY, prints};
use crate::chats::discord::Discord;
use crate::chats::{Chat, Desk};

/// askrelay with the owner's direct messages.
fn direct() -> (Desk, Discord) {
    let discord = Discord::new();
    (Desk::new(vec![Box::new(discord.clone())]), discord)
}

/// A channel of a server with the bot, the owner and Eve, whom nobody knows, and the channel's Place.
fn server(discord: &Discord) -> (Guild, Discord, Person, String) {
    let (guild, guest) = (discord.stand_in.guild("Ops"), discord.stand_in.person("Eve"));
    guild.add_bot(&discord.bot);
    guild.add(&discord.person);
    guild.add(&guest);
    let room = Discord { channel: guild.text_channel("deploys"), ..discord.clone() };
    let place = format!("discord/main/{}", room.channel.id());
    (guild, room, guest, place)
}

/// The message as it stands now.
fn seen(discord: &Discord, message: &str) -> Seen {
    discord.channel.message(message.parse().unwrap())
}

/// What the one who pressed, and nobody else, is told of it.
fn told(press: &Press, text: &str) -> String {
    let note = press.wait_note(text);
    assert!(note.ephemeral, "for one person alone: {note:?}");
    note.text
}

/// Answers the prompt of this message in some way.
type Answer<'a> = &'a dyn Fn(&str);

/// Presses a button, or takes the entry of a menu.
fn take(discord: &Discord, message: &str, label: &str) {
    match seen(discord, message).selects().next() {
        Some(_) => _ = discord.person.choose(&discord.channel, message.parse().unwrap(), &[label]),
        None => discord.press(message, label),
    }
}

/// Waits until the bot has dealt with everything that was written so far.
fn everything_was_read(direct: &Discord) {
    let told = |messages: &[Seen]| messages.iter().filter(|seen| seen.text.contains("Your id here")).count();
    let before = told(&direct.channel.messages());
    direct.write("!whoami");
    direct.channel.wait("who the owner is", |messages| (told(messages) > before).then_some(()));
}

#[test]
fn b20_labels_at_the_limit_and_beyond_can_be_taken() {
    let (desk, discord) = direct();
    let _server = desk.serve();
    // A button takes 80, an entry of a menu 100.
    for limit in [80, 100] {
        let (fits, beyond) = ("f".repeat(limit), "g".repeat(limit + 1));
        let asking = desk.ask(&["Which?", "-o", &fits, "-o", &beyond]);
        let message = discord.question("Which?");
        let shown = seen(&discord, &message);
        assert!(shown.text.contains(&beyond), "whole in the text: {shown:?}");
        take(&discord, &message, shown.labels()[1]);
        prints(asking, &format!("{beyond}\n"));
        discord.retired(&message, &beyond);
    }
    assert_eq!(discord.stand_in.calls_of(Route::CreateMessage).len(), 2, "nothing was refused");
}

#[test]
fn b20_what_the_platform_refuses_is_sent_as_text() {
    let (desk, discord) = direct();
    let _server = desk.serve();
    let refuse = || Fault::Refuse(400, 50035, "Invalid Form Body".to_owned());
    discord.stand_in.fail(Route::CreateMessage, 1, refuse());
    let asking = desk.ask(&DEPLOY);
    let shown = discord.channel.wait_seen("Where?");
    assert!(shown.rows.is_empty() && shown.text.contains("Production"), "shown as text: {shown:?}");
    discord.write("2");
    prints(asking, "Production\n");
}

#[test]
fn b22_twelve_long_options_are_all_there_in_every_alphabet() {
    let (desk, discord) = direct();
    let _server = desk.serve();
    for (question, letter) in [("Which way?", "x"), ("どれ?", "字")] {
        let labels: Vec<String> = (10..22).map(|n| format!("{n}{}", letter.repeat(83))).collect();
        let mut ask = vec![question];
        ask.extend(labels.iter().flat_map(|label| ["-o", label.as_str()]));
        let asking = desk.ask(&ask);
        let message = discord.question(question);
        let texts: String = discord.channel.from_bots().into_iter().map(|seen| seen.text).collect();
        for label in &labels {
            assert!(texts.contains(label.as_str()), "{label} in {texts}");
        }
        take(&discord, &message, seen(&discord, &message).labels()[6]);
        prints(asking, &format!("{}\n", labels[6]));
    }
}

#[test]
fn b22_a_question_that_cannot_be_sent_is_told_at_once() {
    let (desk, discord) = direct();
    let _server = desk.serve();
    let refuse = Fault::Refuse(400, 50035, "Invalid Form Body".to_owned());
    discord.stand_in.fail(Route::CreateMessage, 2, refuse);
    let (code, stdout, stderr) = desk.ask(&DEPLOY).ends();
    assert_eq!((code, stdout.as_str()), (Some(3), ""), "{stderr}");
    assert!(stderr.contains("Invalid Form Body"), "the platform's reason: {stderr}");
}

#[test]
fn b28_a_late_press_is_told_and_a_late_text_is_no_answer() {
    let (desk, discord) = direct();
    let _server = desk.serve();
    let asking = desk.ask(&["Where?", "-o", "Staging", "--timeout", "1s"]);
    let message = discord.question("Where?");
    let shown = seen(&discord, &message);
    let staging = shown.buttons().next().and_then(|button| button.custom_id.clone()).unwrap();
    assert_eq!(asking.ends().0, Some(3));
    discord.retired(&message, "Expired");
    told(&discord.person.press(&discord.channel, shown.id, &staging), "it expired");
    discord.write("1");
    everything_was_read(&discord);
    let said = discord.channel.from_bots();
    assert!(said.iter().all(|seen| !seen.text.contains("Understood")), "{said:?}");
}

#[test]
fn b40_every_way_to_answer_has_the_same_judge() {
    let (desk, discord) = direct();
    let (guild, room, guest, place) = server(&discord);
    let kim = discord.stand_in.person("Kim");
    guild.add(&kim);
    desk.succeeds(&["people", "add", "kim", "--grant", "questions.admin"]);
    desk.succeeds(&["people", "link", "kim", &format!("discord/{}", kim.id())]);
    let kim = Discord { person: kim, ..room.clone() };
    let _server = desk.serve();
    let ask = ["Where?", "-o", "Staging", "-o", "Production", "--to", &place];
    let ways: [(Answer<'_>, &str); 4] = [
        (&|message| kim.press(message, "Staging"), "Staging\n"),
        (&|message| _ = kim.person.reply(&kim.channel, message.parse().unwrap(), "2"), "Production\n"),
        (&|_| _ = kim.person.mention_bot(&kim.channel, &kim.bot, "staging"), "Staging\n"),
        (&|message| kim.words(message, "Other…", "the DR site"), "the DR site\n"),
    ];
    for (answer, expected) in ways {
        let mut asking = desk.ask(&ask);
        let message = room.question("Where?");
        let id = message.parse().unwrap();
        told(&guest.tap(&room.channel, id, "Production"), "do not know you");
        guest.reply(&room.channel, id, "1");
        everything_was_read(&discord);
        assert!(asking.is_running(), "a stranger decides nothing");
        answer(&message);
        prints(asking, expected);
        room.retired(&message, expected.trim());
    }
}

#[test]
fn b50_the_first_press_after_a_restart_counts_on_discord() {
    let (desk, discord) = direct();
    let server = desk.serve();
    let asking = desk.ask(&DEPLOY);
    let message = discord.question("Where?");
    let shown = seen(&discord, &message);
    let staging = shown.buttons().next().and_then(|button| button.custom_id.clone()).unwrap();
    let sessions = discord.bot.identified();
    server.kill();
    let _server = desk.serve();
    discord.bot.wait_identified(sessions + 1);
    let press = || discord.person.press(&discord.channel, shown.id, &staging);
    let (first, second) = (press(), press());
    told(&first, "Staging");
    assert!(!matches!(second.wait_answered(), Answered::Form(_)), "no press is without an outcome");
    prints(asking, "Staging\n");
    discord.retired(&message, "Staging");
}

#[test]
fn b56_a_press_is_answered_whatever_else_is_slow_on_discord() {
    let (desk, discord) = direct();
    let _server = desk.serve();
    let asking = desk.ask(&DEPLOY);
    let message = discord.question("Where?");
    let hold = discord.stand_in.hold_requests(Route::EditMessage, 1);
    let press = discord.person.tap(&discord.channel, message.parse().unwrap(), "Staging");
    told(&press, "Staging");
    prints(asking, "Staging\n");
    drop(hold);
    discord.retired(&message, "Staging");
}

#[test]
fn b79_words_that_are_kept_back_are_no_answer() {
    let (desk, discord) = direct();
    let (_, room, _, place) = server(&discord);
    let server = desk.serve();
    let asking = desk.ask(&["Where?", "-o", "Staging", "-o", "Production", "--id", "one", "--to", &place]);
    let message = room.question("Where?");
    assert!(
        seen(&room, &message).text.contains("reply to me"),
        "says what is heard: {:?}",
        seen(&room, &message)
    );
    room.write("1");
    // Without the call that comes with a reply its words are kept back too.
    let quiet = Post::text("1").reply_to(message.parse().unwrap()).quietly();
    room.person.send(&room.channel, quiet);
    everything_was_read(&discord);
    let record = desk.succeeds(&["show", "one", "--json"]);
    assert!(record.contains("\"pending\""), "{record}");
    room.person.mention_bot(&room.channel, &room.bot, "2");
    prints(asking, "Production\n");
    let asking = desk.ask(&DEPLOY);
    discord.question("Where?");
    discord.write("1");
    prints(asking, "Staging\n");
    drop(server);
    // Where everything may be read, a number is enough.
    discord.bot.allow_message_content(true);
    let _server = desk.serve();
    let asking = desk.ask(&["When?", "-o", "Now", "-o", "Later", "--to", &place]);
    room.question("When?");
    room.write("2");
    prints(asking, "Later\n");
}
