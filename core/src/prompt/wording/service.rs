//! What the bot says about itself: greetings, codes for strangers, what is open, who somebody is. Says nothing about a question
//! to somebody who is not known.

use std::fmt::Write as _;

use super::notes::Reader;
use super::{quoted, value};
use crate::id::Identity;
use crate::person::{Person, Scopes};
use crate::record::Record;
use crate::time::Span;

/// Most open questions that are listed; more are counted.
const LISTED_MAX: usize = 10;

/// A Record that waits for somebody.
#[derive(Clone, Copy, Debug)]
pub struct Open<'a> {
    /// The Record.
    pub record: &'a Record,
    /// It is shown in the Place where they asked.
    pub here: bool,
}

/// Somebody is known.
#[must_use]
pub fn welcome(display_name: &str, open: usize, reader: &Reader<'_>) -> String {
    let waiting = match open {
        0 => "Questions for you will come here.".to_owned(),
        1 => format!("One question is open for you: {}.", reader.command("questions")),
        more => format!("{more} questions are open for you: {}.", reader.command("questions")),
    };
    reader.say(&format!("Hello {}. {waiting}", value(display_name)))
}

/// Somebody is not known, and this is not the place to become known.
#[must_use]
pub fn unknown_here() -> String {
    "I do not know you. Write to me in a private chat to be let in.".to_owned()
}

/// A stranger's code.
#[must_use]
pub fn pairing_code(code: &str, good_for: Span) -> String {
    let minutes = good_for.0.div_ceil(60_000);
    format!(
        "I do not know you yet. Give this code to whoever runs this bot: {code}. It is good for {minutes} minutes. They let you in \
         with: askrelay pair approve {code} --as NAME"
    )
}

/// An invite that opens nothing.
#[must_use]
pub fn invite_refused() -> String {
    "That invite cannot be used: it was used before, is too old, or never was one. Ask for a new one."
        .to_owned()
}

/// A second invite came right after the first.
#[must_use]
pub fn too_soon() -> String {
    "One moment, please. Try that again in a few seconds.".to_owned()
}

/// Nobody is let in at the moment.
#[must_use]
pub fn door_closed() -> String {
    "I cannot take in anybody new at the moment. Please try again later.".to_owned()
}

/// As whom somebody is known, and which rights they have from roles there.
#[must_use]
pub fn who(person: Option<&Person>, granted: &Scopes, identity: &Identity, reader: &Reader<'_>) -> String {
    let rights = granted.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(", ");
    let known = match person {
        Some(person) => {
            let roles = if granted.is_empty() {
                String::new()
            } else {
                format!(" Your roles here also give you {rights}.")
            };
            format!("You are {} ({}).{roles}", value(&person.display_name), value(person.id.as_str()))
        }
        None if granted.is_empty() => "I do not know you.".to_owned(),
        None => format!("I know you by your roles here, which give you {rights}."),
    };
    let id = value(identity.user.as_str());
    reader.say(&format!("{known} Your id here is {}/{id}.", identity.surface))
}

/// What can be typed.
#[must_use]
pub fn help(reader: &Reader<'_>) -> String {
    let command = |name: &str| reader.command(name);
    reader.say(&format!(
        "I bring you questions. Press a button, or reply with a number, a choice or your own words. {} lists what is open for you, \
         {} dismisses a question, {} says as whom I know you.",
        command("questions"),
        command("skip"),
        command("whoami"),
    ))
}

/// Nothing waits.
#[must_use]
pub fn nothing_open() -> String {
    "Nothing is open here.".to_owned()
}

/// What is open, one line each.
#[must_use]
pub fn open_questions(open: &[Open<'_>], reader: &Reader<'_>) -> String {
    if open.is_empty() {
        return "Nothing is open for you.".to_owned();
    }
    let mut text = format!("Open for you: {}.", open.len());
    for Open { record, here } in open.iter().take(LISTED_MAX) {
        let what = match record.ask.questions.as_slice() {
            [one] => quoted(&value(&one.text)),
            several => format!("{} questions", several.len()),
        };
        let elsewhere = if *here { "" } else { ", shown elsewhere" };
        // Writing to a String cannot fail.
        let _ = write!(text, "\n- {what}, until {}{elsewhere}", reader.clock(record.expires_at));
    }
    if open.len() > LISTED_MAX {
        let _ = write!(text, "\nand {} more", open.len() - LISTED_MAX);
    }
    reader.say(&text)
}
