//! What people met on Slack: limits, threads, entities, bystanders. Several places at once are here too, since it is from a thread
//! that people ask.

use askrelay_kit::slack::{Fault, Person, Post, Seen};

use super::stories::{DEPLOY, prints};
use crate::chats::discord::Discord;
use crate::chats::slack::Slack;
use crate::chats::{Chat, Desk};
use crate::telegram::Asking;

/// askrelay with the owner's direct conversation.
fn direct() -> (Desk, Slack) {
    let slack = Slack::new();
    (Desk::new(vec![Box::new(slack.clone())]), slack)
}

/// A channel with the app, the owner and Eve, whom nobody knows, and its Place.
fn channel(slack: &Slack) -> (Slack, Person, String) {
    let (channel, guest) = (slack.team.channel("deploys"), slack.team.person("Eve"));
    channel.add_app(&slack.app);
    channel.add(&slack.person);
    channel.add(&guest);
    let place = format!("slack/main/{}", channel.id());
    (Slack { channel, ..slack.clone() }, guest, place)
}

/// Waits until the app has dealt with everything that was written so far.
fn everything_was_read(direct: &Slack) {
    let told = |messages: &[Seen]| messages.iter().filter(|seen| seen.contains("Your id here")).count();
    let before = told(&direct.channel.messages());
    direct.write("!whoami");
    direct.channel.wait("who the owner is", |messages| (told(messages) > before).then_some(()));
}

/// It waits for its answer, although everything was read.
fn still_waits(asking: &mut Asking, direct: &Slack) {
    everything_was_read(direct);
    assert!(asking.is_running());
}

#[test]
fn b11_talk_in_a_thread_is_not_eaten() {
    let (desk, slack) = direct();
    let (room, _, place) = channel(&slack);
    let root = room.person.write(&room.channel, "let us release");
    let thread = format!("{place}/{root}");
    let _server = desk.serve();
    for other in [false, true] {
        let ask = if other { &DEPLOY[..5] } else { &DEPLOY[..] };
        let mut asking = desk.ask(&[ask, &["--to", &thread]].concat());
        let message = room.question("Where?");
        room.person.reply(&room.channel, &root, "just checking how this looks, nothing to decide");
        still_waits(&mut asking, &slack);
        room.person.reply(&room.channel, &root, "2");
        prints(asking, "Production\n");
        room.retired(&message, "Production");
        let understood = room.channel.wait_seen("Understood: Production");
        assert_eq!(understood.thread.as_deref(), Some(root.as_str()), "said where it was written");
    }
}

#[test]
fn b20_labels_at_the_limit_and_beyond_can_be_taken_on_slack() {
    let (desk, slack) = direct();
    let _server = desk.serve();
    let (fits, beyond) = ("f".repeat(75), "g".repeat(76));
    for label in [&fits, &beyond] {
        let asking = desk.ask(&["Which?", "-o", "Short", "-o", label]);
        let message = slack.question("Which?");
        let seen = slack.channel.message(&message);
        assert!(seen.body().contains(label), "whole in the text: {seen:?}");
        let shown = seen.labels()[1].to_owned();
        assert_eq!(shown == *label, *label == fits, "whole there too where it fits: {shown}");
        if seen.controls[0].options.is_empty() {
            slack.press(&message, &shown);
        } else {
            slack.person.choose(&slack.channel, &message, &[&shown]);
        }
        prints(asking, &format!("{label}\n"));
        slack.retired(&message, label);
    }
    assert_eq!(slack.stand_in.calls_of("chat.postMessage").len(), 2, "nothing was refused");
}

#[test]
fn b20_what_the_platform_refuses_is_sent_as_text_on_slack() {
    let (desk, slack) = direct();
    let _server = desk.serve();
    slack.stand_in.fail("chat.postMessage", 1, Fault::Refuse(200, "invalid_blocks".to_owned()));
    let asking = desk.ask(&DEPLOY);
    let seen = slack.channel.wait_seen("Where?");
    assert!(seen.controls.is_empty() && seen.contains("2. Production"), "shown as text: {seen:?}");
    slack.write("2");
    prints(asking, "Production\n");
}

#[test]
fn b29_a_closing_edit_that_is_refused_falls_back_to_a_short_one() {
    let (desk, slack) = direct();
    let _server = desk.serve();
    let long = format!("Where? {}", "word ".repeat(620));
    for (refused, taken, other) in [(1, "Staging", "Production"), (2, "Production", "Staging")] {
        let asking = desk.ask(&[long.as_str(), "-o", "Staging", "-o", "Production"]);
        let message = slack.question("Press a button");
        let seen = slack.channel.message(&message);
        slack.stand_in.fail("chat.update", refused, Fault::Refuse(200, "msg_too_long".to_owned()));
        slack.press(&message, taken);
        prints(asking, &format!("{taken}\n"));
        let counts = format!("answered by owner: {taken}");
        if refused == 1 {
            let short = slack.retired(&message, &counts);
            assert!(short.chars().count() < 600, "{short}");
        } else {
            slack.stand_in.wait_called("chat.update", 4);
        }
        slack.person.tap_on(&slack.channel, &seen, other);
        slack.person.wait_told(&slack.channel, &counts);
    }
    let read = || desk.succeeds(&["audit"]);
    let told = (0..500).map(|_| read()).any(|trail| trail.contains("prompt.not_retired"));
    assert!(told, "the trail says that it still has its controls: {}", read());
}

#[test]
fn b32_a_bystander_in_a_channel_is_refused_in_private() {
    let (desk, slack) = direct();
    let (room, guest, place) = channel(&slack);
    let _server = desk.serve();
    let mut asking = desk.ask(&[&DEPLOY[..], &["--to", &place]].concat());
    let message = room.question("Where?");
    assert!(guest.tap(&room.channel, &message, "Staging").wait_answered().is_null());
    let told = guest.wait_told(&room.channel, "do not know you");
    assert!(!told.contains("Staging") && !told.contains("Where?"), "{told:?}");
    guest.reply(&room.channel, &message, "1");
    still_waits(&mut asking, &slack);
    room.press(&message, "Production");
    prints(asking, "Production\n");
    let trail = desk.succeeds(&["audit"]);
    assert!(trail.contains("answer.refused") && trail.contains(guest.id()), "{trail}");
}

#[test]
fn b50_the_first_press_after_a_restart_counts_on_slack() {
    let (desk, slack) = direct();
    let server = desk.serve();
    let asking = desk.ask(&DEPLOY);
    let message = slack.question("Where?");
    let seen = slack.channel.message(&message);
    server.kill();
    slack.app.wait_connected(0);
    let _server = desk.serve();
    slack.app.wait_connected(1);
    let press = || slack.person.tap_on(&slack.channel, &seen, "Staging");
    let (first, second) = (press(), press());
    for press in [first, second] {
        assert!(press.wait_answered().is_null(), "acknowledged");
    }
    prints(asking, "Staging\n");
    slack.person.wait_told(&slack.channel, "Staging");
    slack.retired(&message, "Staging");
}

#[test]
fn b56_a_button_and_a_form_are_acknowledged_whatever_else_is_slow() {
    let (desk, slack) = direct();
    let _server = desk.serve();
    for form in [false, true] {
        let asking = desk.ask(&["Where?", "-o", "Staging", "-o", "Production"]);
        let message = slack.question("Where?");
        let hold = slack.stand_in.hold_requests("chat.update", 1);
        if form {
            slack.press(&message, "Other…");
            let asked = slack.person.wait_modal("an input", |form| !form.controls.is_empty());
            slack.person.fill(&asked.controls[0].label, "Staging");
            assert!(slack.person.submit().wait_answered().get("errors").is_none());
        } else {
            assert!(slack.person.tap(&slack.channel, &message, "Staging").wait_answered().is_null());
        }
        prints(asking, "Staging\n");
        drop(hold);
        slack.retired(&message, "Staging");
    }
}

#[test]
fn b64_an_answer_in_the_prompts_thread_stays_in_it() {
    let (desk, slack) = direct();
    let (room, _, place) = channel(&slack);
    let _server = desk.serve();
    let ask = [&DEPLOY[..], &["--to", &place]].concat();
    let answers: [&dyn Fn(&str); 3] = [
        &|message| _ = room.person.reply(&room.channel, message, "1"),
        &|message| _ = room.person.send(&room.channel, Post::text("1").in_thread(message).broadcast()),
        &|_| room.write("1"),
    ];
    for (number, answer) in answers.into_iter().enumerate() {
        let asking = desk.ask(&ask);
        let message = room.question("Where?");
        answer(&message);
        prints(asking, "Staging\n");
        room.retired(&message, "Staging");
        let understood = |messages: &[Seen]| -> Vec<Seen> {
            messages.iter().filter(|seen| seen.contains("Understood")).cloned().collect()
        };
        room.channel
            .wait("what was understood", |messages| (understood(messages).len() > number).then_some(()));
        everything_was_read(&slack);
        let said = understood(&room.channel.messages());
        assert_eq!(said.len(), number + 1, "read once: {said:?}");
        if number < 2 {
            assert_eq!(said.last().unwrap().thread.as_deref(), Some(message.as_str()));
        }
    }
    let asking = desk.ask(&ask);
    let message = room.question("Where?");
    let before = room.channel.from_apps().len();
    room.press(&message, "Staging");
    prints(asking, "Staging\n");
    room.retired(&message, "Staging");
    everything_was_read(&slack);
    assert_eq!(room.channel.from_apps().len(), before, "a press adds nothing to the channel");
}

#[test]
fn b65_only_the_origin_is_shown_it_and_two_places_are_retired_together() {
    let (slack, discord) = (Slack::new(), Discord::new());
    let desk = Desk::new(vec![Box::new(slack.clone()), Box::new(discord.clone())]);
    let (room, _, place) = channel(&slack);
    let root = room.person.write(&room.channel, "let us release");
    let origin = format!("{place}/{root}");
    let _server = desk.serve();
    let asking = desk.ask(&["Only here?", "-o", "Yes", "--to", &origin]);
    let message = room.question("Only here?");
    assert_eq!(room.channel.message(&message).thread.as_deref(), Some(root.as_str()));
    room.press(&message, "Yes");
    prints(asking, "Yes\n");
    assert!(discord.channel.from_bots().is_empty() && slack.channel.from_apps().is_empty());
    let asking = desk.ask(&["Both?", "-o", "Yes", "--to", &origin, "--to", &discord.place()]);
    let (here, there) = (room.question("Both?"), discord.question("Both?"));
    discord.press(&there, "Yes");
    prints(asking, "Yes\n");
    discord.retired(&there, "Answered: Yes");
    let told = room.retired(&here, "Answered: Yes");
    assert!(told.contains("on Discord"), "says where it was answered: {told}");
}

#[test]
fn b76_three_entities_are_read_once_and_written_once() {
    let (desk, slack) = direct();
    let _server = desk.serve();
    let ask = ["Which?", "-o", "R&D > Ops", "-o", "a<b"];
    let rows = [
        (Post::kept("R&amp;D &gt; Ops"), "R&D > Ops\n"),
        (Post::text("a<b"), "a<b\n"),
        (Post::kept("&amp;lt;"), "&lt;\n"),
        (Post::text("keep &copy; as it is"), "keep &copy; as it is\n"),
    ];
    for (post, expected) in rows {
        let asking = desk.ask(&ask);
        let message = slack.question("Which?");
        let seen = slack.channel.message(&message);
        assert!(seen.labels().starts_with(&["R&D > Ops", "a<b"]), "{seen:?}");
        assert!(seen.body().contains("R&D > Ops") && seen.text.contains("R&D > Ops"), "{seen:?}");
        slack.person.send(&slack.channel, post);
        prints(asking, expected);
        slack.retired(&message, expected.trim());
    }
    let asking = desk.ask(&ask);
    let message = slack.question("Which?");
    slack.press(&message, "R&D > Ops");
    prints(asking, "R&D > Ops\n");
}
