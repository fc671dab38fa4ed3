//! What the relay says beside a Prompt: re-asks, echoes, refusals, what came too late. One line each, for one person or one
//! Place; says nothing about a question to somebody who may not see it.

use std::fmt::Write as _;

use super::{
    SUBMIT, all_values, any_of, bare_markers, expected, how_many, lower_first, quoted, reply_with, value,
};
use crate::answer::{Answers, Notes};
use crate::ask::{Origin, Question};
use crate::id::QuestionId;
use crate::limits::Limits;
use crate::permit::Refused;
use crate::prompt::shorten::shorten;
use crate::prompt::when::clock;
use crate::prompt::{clean, complete};
use crate::record::{Record, State, WhyCancelled};
use crate::reply::{Reason, Unclear};
use crate::time::Time;

/// Where and when a sentence is read.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    /// What the Surface can show: how commands start there, and how long a message may be.
    pub limits: &'a Limits,
    /// The present.
    pub now: Time,
    /// Offset east of UTC of printed times, in minutes.
    pub zone_minutes: i32,
}

impl Reader<'_> {
    pub(super) fn clock(&self, at: Time) -> String {
        clock(at, self.now, self.zone_minutes)
    }

    fn skip(&self) -> String {
        self.command("skip")
    }

    /// A command as it is typed there.
    pub(super) fn command(&self, name: &str) -> String {
        format!("{}{name}", self.limits.command_prefix)
    }

    /// One line of text as one message of the Surface.
    pub(super) fn say(&self, text: &str) -> String {
        let most = self.limits.line.unwrap_or(self.limits.message).min(self.limits.message);
        shorten(text, self.limits.unit, most).into_owned()
    }
}

/// A reply did not decide: names the reason and the way out, in one line; of several questions names only what is open.
#[must_use]
pub fn reask(questions: &[Question], unclear: &Unclear, reader: &Reader<'_>) -> String {
    let subject = unclear.open.first().and_then(|id| questions.iter().find(|question| question.id == *id));
    let reason = reason(unclear.reason, subject.or(questions.first()));
    let offer = unclear.suggestion.as_ref().and_then(|(id, choice)| suggestion(questions, id, *choice));
    let mut text = reason;
    if let Some(offer) = offer {
        let _ = write!(text, " {offer}");
    }
    match questions {
        [one] => {
            let _ = write!(text, " {}", ways(one, reader));
        }
        _ => {
            let open = unclear.open.iter().filter_map(|id| open_question(questions, id));
            let open: Vec<String> = open.collect();
            let _ = write!(text, " Still open: {}.", open.join(", "));
            let first = unclear.open.first().and_then(|id| position(questions, id)).unwrap_or_default();
            let skip = reader.skip();
            let _ = write!(text, " Reply like “Q{}: your answer”, {skip} to skip all.", first + 1);
        }
    }
    reader.say(&text)
}

fn reason(reason: Reason, question: Option<&Question>) -> String {
    let multi = question.is_some_and(|question| question.multi_select);
    match reason {
        Reason::Empty => "There was nothing to read in that.".to_owned(),
        Reason::Conflict => "That says two different things.".to_owned(),
        Reason::OutOfRange => match question.map(bare_markers).unwrap_or_default().as_slice() {
            [] => "That number is not in the list.".to_owned(),
            [only] => format!("Only {only} here."),
            [first, .., last] => format!("Only {first}–{last} here."),
        },
        Reason::TooMany if multi => {
            let how = question.map(how_many).unwrap_or_default();
            format!("That is too many: {}.", lower_first(&how))
        }
        Reason::TooMany => "Only one choice counts here.".to_owned(),
        Reason::MissingQuestion => "Not every question is answered yet.".to_owned(),
        Reason::Ambiguous => "I am not sure what you chose.".to_owned(),
        Reason::UnknownOption => "That is not one of the choices.".to_owned(),
        Reason::Constraint => {
            let expected = question.and_then(|question| question.constraint.as_ref()).map(expected);
            match expected.filter(|text| !text.is_empty()) {
                Some(expected) => format!("That does not fit. {expected}"),
                None => "That does not fit.".to_owned(),
            }
        }
    }
}

/// `Reply 1, 2 or 3, “other: …” for your own words, /skip to skip.`
fn ways(question: &Question, reader: &Reader<'_>) -> String {
    let skip = reader.skip();
    if question.choices.is_empty() {
        return format!("{}, {skip} to skip.", reply_with(question, reader.limits));
    }
    let listed = Question { other: false, ..question.clone() };
    let own = if question.other { ", “other: …” for your own words" } else { "" };
    format!("{}{own}, {skip} to skip.", reply_with(&listed, reader.limits))
}

fn suggestion(questions: &[Question], id: &QuestionId, choice: usize) -> Option<String> {
    let question = questions.iter().find(|question| question.id == *id)?;
    let marker = bare_markers(question).get(choice)?.clone();
    let label = value(&question.choices.get(choice)?.label);
    let key =
        if questions.len() > 1 { format!("Q{}: ", position(questions, id)? + 1) } else { String::new() };
    Some(format!("Did you mean {key}{marker} ({label})?"))
}

fn position(questions: &[Question], id: &QuestionId) -> Option<usize> {
    questions.iter().position(|question| question.id == *id)
}

/// `Q2 Strategy (1 or 2)`.
fn open_question(questions: &[Question], id: &QuestionId) -> Option<String> {
    let index = position(questions, id)?;
    let question = questions.get(index)?;
    let header = value(&question.header);
    let gap = if header.is_empty() { "" } else { " " };
    let markers = bare_markers(question);
    let choices = if markers.is_empty() { String::new() } else { format!(" ({})", any_of(&markers)) };
    Some(format!("Q{}{gap}{header}{choices}", index + 1))
}

fn sentence(start: &str, questions: &[Question], answers: &Answers, notes: &Notes) -> String {
    let mut text = format!("{start}: {}.", all_values(questions, answers));
    let secret = questions.iter().any(|question| question.secret);
    if !notes.is_empty() && !secret {
        let notes: Vec<String> = notes.values().map(|note| quoted(&value(note))).collect();
        let _ = write!(text, " Your remark is passed on: {}.", notes.join(", "));
    }
    text
}

/// What was understood, before it is saved.
#[must_use]
pub fn understood(questions: &[Question], answers: &Answers, notes: &Notes, reader: &Reader<'_>) -> String {
    reader.say(&sentence("Understood", questions, answers, notes))
}

/// The echo after the save: what is recorded.
#[must_use]
pub fn recorded(questions: &[Question], answers: &Answers, notes: &Notes, reader: &Reader<'_>) -> String {
    reader.say(&sentence("Recorded", questions, answers, notes))
}

/// A skip is recorded.
#[must_use]
pub fn recorded_skip() -> String {
    "Skipped. Nothing was answered.".to_owned()
}

/// An acknowledgement from memory, before anything is saved.
#[must_use]
pub fn received() -> String {
    "Got it…".to_owned()
}

/// Another decision of the same person is on its way.
#[must_use]
pub fn decided_before() -> String {
    "Your first decision is on its way; this one does not count.".to_owned()
}

/// An answer is kept here while the gateway is away.
#[must_use]
pub fn kept_until_online() -> String {
    "Kept. It is sent on when the gateway is back; it counts only then.".to_owned()
}

/// What became of a question whose gateway started anew.
#[must_use]
pub fn lost_question() -> String {
    "Lost by the gateway: it has restarted and does not know this question any more.".to_owned()
}

/// What became of an answer to it.
#[must_use]
pub fn lost_answer() -> String {
    "Your answer was not delivered: the gateway has restarted and lost the question.".to_owned()
}

/// A decision that was kept is about a question that is not known any more.
#[must_use]
pub fn forgotten() -> String {
    "Your decision was not sent on: the question it was for is not known any more.".to_owned()
}

/// Why somebody may not answer; says nothing about the question.
#[must_use]
pub fn refused(why: Refused) -> String {
    match why {
        Refused::Unknown => "I do not know you here. An operator can let you in.",
        Refused::NoRight => "You may not answer this. An operator can change that.",
        Refused::NotAnAnswerer => "This one is for somebody else to answer.",
        Refused::NeedsControls => {
            "Typing cannot answer this one. Use a panel, or its buttons where it has some."
        }
        Refused::FewerRights => {
            "You may not answer this by typing. Use a panel, or its buttons where it has some."
        }
    }
    .to_owned()
}

/// Too late: what the Record's end was, for somebody who may answer it.
#[must_use]
pub fn late(record: &Record, reader: &Reader<'_>) -> String {
    reader.say(&what_counts(record, reader))
}

/// A late answer was kept on the Record, which says what counts instead.
#[must_use]
pub fn kept_late(record: &Record, reader: &Reader<'_>) -> String {
    reader.say(&format!("Your answer is kept as a late one. {}", what_counts(record, reader)))
}

fn what_counts(record: &Record, reader: &Reader<'_>) -> String {
    match &record.state {
        State::Pending => "It is still open.".to_owned(),
        State::Answered(answered) => {
            let by =
                answered.by_name.as_deref().map(|name| format!(" by {}", value(name))).unwrap_or_default();
            format!("Already answered{by}: {}.", all_values(&record.ask.questions, &answered.answers))
        }
        State::Expired { at } => format!("Too late: it expired at {}.", reader.clock(*at)),
        State::Cancelled(cancelled) => match &cancelled.why {
            WhyCancelled::Declined => {
                let name = cancelled.by_name.as_deref();
                format!(
                    "Already skipped{}.",
                    name.map(|name| format!(" by {}", value(name))).unwrap_or_default()
                )
            }
            WhyCancelled::Withdrawn => "It was withdrawn; no answer is needed any more.".to_owned(),
            WhyCancelled::Unavailable | WhyCancelled::NotDelivered { .. } => {
                "It ended because nobody could be reached.".to_owned()
            }
        },
    }
}

/// What an agent tells without asking: who tells it, and its words, shortened to one message.
#[must_use]
pub fn notification(origin: &Origin, message: &str, reader: &Reader<'_>) -> String {
    let from = origin.label.as_deref().or(origin.agent_id.as_deref()).map(value);
    let words = if reader.limits.line.is_some() { clean::line(message) } else { clean::paragraph(message) };
    match from.filter(|from| !from.is_empty()) {
        Some(from) => reader.say(&format!("{from}: {words}")),
        None => reader.say(&words),
    }
}

/// Not much time is left.
#[must_use]
pub fn reminder(record: &Record, reader: &Reader<'_>) -> String {
    let what = match record.ask.questions.as_slice() {
        [one] => quoted(&value(&one.text)),
        several => format!("{} questions", several.len()),
    };
    reader.say(&format!("Still waiting for an answer until {}: {what}", reader.clock(record.expires_at)))
}

/// The Ask could not be shown where it was to be shown.
#[must_use]
pub fn not_delivered(why: &str) -> String {
    format!("The question could not be shown: {}", value(why))
}

/// A message without words: voice, picture, sticker.
#[must_use]
pub fn no_text() -> String {
    "I can only read text. Please type your answer.".to_owned()
}

/// A text that is older than the Prompt it came to.
#[must_use]
pub fn early() -> String {
    "That came before the question was shown. Please answer it again.".to_owned()
}

/// A text for a question whose answer may not pass through chat.
#[must_use]
pub fn secret() -> String {
    "That cannot be answered in a chat, because it asks for a secret. Please answer in a panel.".to_owned()
}

/// A Record that ended, nobody knows how.
#[must_use]
pub fn closed() -> String {
    "It is closed; no answer is needed any more.".to_owned()
}

/// The message that asks for own words could not be shown.
#[must_use]
pub fn input_failed() -> String {
    "I could not ask for your own words. Please reply to the question with them.".to_owned()
}

/// A text came while its author still waits to be asked for own words.
#[must_use]
pub fn unasked() -> String {
    "I still have to ask for your own words. Please wait for that, or reply to the question.".to_owned()
}

/// Several Prompts are open and a text does not say which it is for.
#[must_use]
pub fn which() -> String {
    "Several questions are open here. Please reply to the one you mean.".to_owned()
}

/// A control that is not there any more.
#[must_use]
pub fn dead_control() -> String {
    "That button does not work any more.".to_owned()
}

/// Somebody changed the draft first.
#[must_use]
pub fn stale() -> String {
    "It changed meanwhile. Please look again and press once more.".to_owned()
}

/// A Submit with too few or too many values, or open questions.
#[must_use]
pub fn incomplete(questions: &[Question], answers: &Answers) -> String {
    let wrong =
        questions.iter().enumerate().find(|(_, question)| !complete(question, answers.of(&question.id)));
    match (wrong, questions.len()) {
        (Some((_, question)), 1) => format!("{}, then {SUBMIT}.", how_many(question)),
        (Some((index, _)), _) => format!("Q{} still needs an answer.", index + 1),
        (None, _) => received(),
    }
}

/// What one question of a form still needs.
#[must_use]
pub fn incomplete_one(question: &Question) -> String {
    if question.choices.is_empty() {
        "An answer is needed here.".to_owned()
    } else {
        format!("{}.", how_many(question))
    }
}

/// What would be right, for whoever typed something else.
#[must_use]
pub fn expected_text(what: &str) -> String {
    format!("Expected {what}.")
}

/// What is to be said about one question of several.
#[must_use]
pub fn about(question: usize, what: &str) -> String {
    format!("Q{}: {what}", question + 1)
}

/// The entry for own words was taken, and nothing was written.
#[must_use]
pub fn own_words_missing() -> String {
    "Write your own words here, or choose another.".to_owned()
}

/// What a form for several questions is titled.
#[must_use]
pub fn form_title(questions: &[Question]) -> String {
    format!("{} questions", questions.len())
}

/// What an input for own words is titled, or what a message that asks for them says.
#[must_use]
pub fn input_title(question: &Question) -> String {
    let header = value(&question.header);
    if header.is_empty() { "Your answer".to_owned() } else { header }
}

/// The message that asks one person for own words.
#[must_use]
pub fn input_request(question: &Question) -> String {
    let expected = question.constraint.as_ref().map(expected).unwrap_or_default();
    let gap = if expected.is_empty() { "" } else { " " };
    format!("Your own words for {}.{gap}{expected}", quoted(&value(&question.text)))
}

/// The gateway took the values for no answer; its own words.
#[must_use]
pub fn invalid(why: &str) -> String {
    format!("That was not accepted, and the question is still open: {}", value(why))
}
