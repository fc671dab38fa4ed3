//! What a Record tells an asker: who answered, why nobody did, what came late. Writes no result by itself.

use askrelay_core::answer::Answered;
use askrelay_core::ask::Binding;
use askrelay_core::record::{Record, State, WhyCancelled};
use serde_json::{Value, json};

impl Who {
    /// Their name, with a word where nothing establishes that it was them.
    pub(super) fn in_words(&self) -> String {
        let name = self.name.as_deref().unwrap_or("Somebody");
        format!("{name}{}", if self.verified { "" } else { " (not verified)" })
    }
}

/// What a model is told where typed replies do not count.
const ATTACHED: &str = "It belongs to no person here (binding attached), so that buttons and panels answer it, and text typed into a chat does not.";

/// Who ended a Record.
pub(super) struct Who {
    /// Their name, if one is known.
    pub(super) name: Option<String>,
    /// It is established that it was them.
    pub(super) verified: bool,
}

/// The answer, once there is one.
pub(super) fn answer(record: &Record) -> Option<&Answered> {
    match &record.state {
        State::Answered(answered) => Some(answered),
        _ => None,
    }
}

/// Who answered.
pub(super) fn who(record: &Record) -> Option<Who> {
    answer(record).map(by)
}

fn by(answered: &Answered) -> Who {
    let actor = &answered.by;
    let person = actor.person.as_ref().map(ToString::to_string);
    let name = answered.by_name.clone().or(person);
    Who { name, verified: !actor.unverified() }
}

/// The last answer that came after the end.
pub(super) fn late(record: &Record) -> Option<Value> {
    let late = record.late.last()?;
    Some(json!({ "answers": late.answers, "answered_by": by(late).name }))
}

/// How the ask is tied to a person.
pub(super) const fn binding(binding: Binding) -> &'static str {
    match binding {
        Binding::Run => "run",
        Binding::Attached => "attached",
        Binding::None => "none",
    }
}

/// Why there is no answer, in words for a model.
pub(crate) fn words(record: &Record) -> String {
    let mut words = match &record.state {
        State::Pending => "Nobody has answered yet; the question is open still.".to_owned(),
        State::Answered(_) => String::new(),
        State::Expired { .. } => "Nobody answered in time.".to_owned(),
        State::Cancelled(cancelled) => match &cancelled.why {
            WhyCancelled::Declined => match &cancelled.by_name {
                Some(name) => format!("{name} declined to answer."),
                None => "The person declined to answer.".to_owned(),
            },
            WhyCancelled::Withdrawn => "The question was taken back.".to_owned(),
            WhyCancelled::Unavailable => "Nobody could be asked.".to_owned(),
            WhyCancelled::NotDelivered { detail } => format!("Nobody could be asked: {detail}"),
        },
    };
    if let Some(late) = record.late.last() {
        let values: Vec<&str> = late.answers.0.values().flatten().map(String::as_str).collect();
        words.push_str(&format!(" After the end {} answered: {}", by(late).in_words(), values.join(", ")));
    }
    if record.ask.creator.binding == Binding::Attached && !matches!(record.state, State::Answered(_)) {
        words.push(' ');
        words.push_str(ATTACHED);
    }
    words
}
