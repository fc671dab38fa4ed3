//! Reads a typed reply to the Questions of one Ask. Delivers nothing: it only says what was understood. Secret Questions never
//! come here; the caller keeps them out of chat.

use std::sync::OnceLock;

use crate::answer::{Answers, Notes, canonical, check_text, same_label};
use crate::ask::{Constraint, Question};
use crate::id::QuestionId;

mod asked;
mod choice;
mod clean;
mod command;
mod fold;
mod guard;
mod key;
mod label;
mod lead;
mod many;
mod number;
mod one;
mod own;
mod partial;
mod range;
mod remark;
mod several;
mod speech;
mod token;
mod words;

use asked::Asked;
use command::{Command, command};
use key::Keys;
use label::Hit;
pub use number::{Markers, markers};
use one::Outcome;
use several::Parts;

/// What the core understood of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A complete answer: every question has its values, in canonical form.
    Answer {
        /// The values.
        answers: Answers,
        /// Remarks that stood beside a choice.
        notes: Notes,
    },
    /// Nothing is delivered; one short re-ask is due.
    Clarify(Unclear),
    /// The person dismissed the whole Ask.
    Skip,
    /// Not an answer and not ours: another bot's command.
    NotAnAnswer,
}

/// Why a reply did not decide, and what of it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unclear {
    /// The first reason that applies.
    pub reason: Reason,
    /// What was understood of several questions; a draft, not an answer.
    pub kept: Answers,
    /// Remarks beside the choices that are kept.
    pub notes: Notes,
    /// The questions that are still open, in order.
    pub open: Vec<QuestionId>,
    /// A close hit worth offering by its number: question and zero-based choice.
    pub suggestion: Option<(QuestionId, usize)>,
}

/// Why a reply did not decide. First that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Nothing left after the envelope was removed.
    Empty,
    /// Number and label disagree, or one question was answered twice differently.
    Conflict,
    /// A number or ordinal outside the list.
    OutOfRange,
    /// Two or more choices where one is allowed, or more than a multi-select takes.
    TooMany,
    /// Some question has no part in the reply.
    MissingQuestion,
    /// It refers to an option, or is yes/no-like, but does not decide; or names fewer than a multi-select needs.
    Ambiguous,
    /// Nothing in it refers to an option, and own words are not allowed.
    UnknownOption,
    /// Own words that break the question's constraint.
    Constraint,
}

pub use command::{Service, service};
pub(crate) use fold::is_unseen;
pub use fold::{is_blank, trim};
pub use own::stands_for_own_words;

/// How the bot is addressed where the reply was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bot {
    /// The handle people type after `@`, without it.
    pub handle: Option<String>,
    /// The platform's id, as in `<@U123>`.
    pub id: Option<String>,
    /// What typed commands start with there; `/` is understood everywhere.
    pub prefix: char,
}

impl Default for Bot {
    fn default() -> Self {
        Self { handle: None, id: None, prefix: '/' }
    }
}

/// Reads one reply to `questions`, all of them open. Keep a [`Reader`] to read several.
#[must_use]
pub fn read(questions: &[Question], reply: &str, bot: &Bot) -> Reading {
    Reader::new(questions).read(reply, bot)
}

/// Questions prepared for reading replies. Making one is cheap: what a reply needs is worked out when it is needed.
#[derive(Debug)]
pub struct Reader<'q> {
    questions: &'q [Question],
    asked: Vec<Asked<'q>>,
    keys: OnceLock<Keys>,
}

impl<'q> Reader<'q> {
    /// Prepares `questions`.
    #[must_use]
    pub fn new(questions: &'q [Question]) -> Self {
        Self { questions, asked: questions.iter().map(Asked::new).collect(), keys: OnceLock::new() }
    }

    /// Reads one reply, all questions open.
    #[must_use]
    pub fn read(&self, reply: &str, bot: &Bot) -> Reading {
        self.read_open(&Answers::default(), reply, bot)
    }

    /// Reads one reply when `kept` was understood before. Only questions without a kept value are open: a reply without keys
    /// is theirs, while a key may still name any question by its place in the Ask and answer it anew.
    #[must_use]
    pub fn read_open(&self, kept: &Answers, reply: &str, bot: &Bot) -> Reading {
        let draft = Draft::new(self.questions, kept);
        let open = draft.to_read();
        if let Some(choice) =
            self.only(&open).and_then(|(index, one)| exactly(one, reply).map(|hit| (index, hit)))
        {
            return self.finish(draft, Parts { outcomes: vec![choice], fault: None });
        }
        let text = clean::clean(reply, bot, &self.asked);
        let free = self.asked.iter().all(Asked::is_free);
        if text.is_empty() || (!free && !clean::has_content(&text)) {
            return self.finish(draft, Parts { outcomes: Vec::new(), fault: Some(Reason::Empty) });
        }
        let is_label = |(_, one): (usize, &Asked<'_>)| one.labels().whole(&text) != Hit::None;
        if !text.starts_with(['/', '／', '!', '！', bot.prefix]) || self.only(&open).is_some_and(is_label) {
            return self.finish(draft, self.parts(&open, &text));
        }
        let text_allowed = open.iter().filter_map(|index| self.asked.get(*index)).any(Asked::takes_text);
        match command(&text, bot, text_allowed) {
            Command::Skip => Reading::Skip,
            Command::Foreign => Reading::NotAnAnswer,
            Command::Unclear(reason) => {
                self.finish(draft, Parts { outcomes: Vec::new(), fault: Some(reason) })
            }
            Command::Answer(answer) => self.finish(draft, self.parts(&open, answer)),
            Command::Position(number) if !free => {
                self.finish(draft, self.parts(&open, &format!("#{number}")))
            }
            Command::None | Command::Position(_) => self.finish(draft, self.parts(&open, &text)),
        }
    }

    /// The one question, where there is only one in all.
    fn only(&self, open: &[usize]) -> Option<(usize, &Asked<'q>)> {
        match (open, self.asked.as_slice()) {
            ([_], [one]) => Some((0, one)),
            _ => None,
        }
    }

    /// What `text` says: to the open questions, or else to all of them together.
    fn parts(&self, open: &[usize], text: &str) -> Parts {
        if let Some((index, one)) = self.only(open) {
            return Parts { outcomes: vec![(index, one::read(one, text))], fault: None };
        }
        let keys = self.keys.get_or_init(|| Keys::new(&self.asked));
        let parts = several::read(&self.asked, keys, open, text);
        if open.len() < self.asked.len() && !parts.is_complete(open) {
            let every: Vec<usize> = (0..self.asked.len()).collect();
            let anew = several::read(&self.asked, keys, &every, text);
            if anew.is_complete(&every) {
                return anew;
            }
        }
        parts
    }

    /// Puts what was read beside what was kept, and says what is missing.
    fn finish(&self, mut draft: Draft<'_>, parts: Parts) -> Reading {
        let mut reasons: Vec<Reason> = parts.fault.into_iter().collect();
        let mut suggestion = None;
        let faultless = reasons.is_empty();
        let touched: Vec<usize> = parts.outcomes.iter().map(|(index, _)| *index).collect();
        for (index, outcome) in parts.outcomes {
            let Some(question) = self.questions.get(index) else { continue };
            match values(question, outcome) {
                Ok((values, note)) => draft.take(question, values, note),
                Err((reason, near)) => {
                    draft.drop(question);
                    reasons.push(reason);
                    suggestion = suggestion.or(near.map(|choice| (question.id.clone(), choice)));
                }
            }
        }
        if faultless && draft.open().iter().any(|index| !touched.contains(index)) {
            reasons.push(Reason::MissingQuestion);
        }
        let Some(reason) = reasons.into_iter().min() else {
            return draft.answer();
        };
        draft.unclear(reason, suggestion)
    }
}

/// A text that is a label byte for byte, even one that looks like a quote, an address or a command.
fn exactly(one: &Asked<'_>, reply: &str) -> Option<Outcome> {
    if one.is_free() || one.question.multi_select {
        return None;
    }
    let text = trim(reply);
    match one.labels().exact(text) {
        Hit::One(choice) => Some(Outcome::choice(choice)),
        Hit::Several => Some(Outcome::unclear(Reason::Ambiguous)),
        Hit::None => None,
    }
}

/// The values of one question, checked against it, and the remark; or why there are none.
type Values = Result<(Vec<String>, Option<String>), (Reason, Option<usize>)>;

/// Values in canonical form: labels in option order without duplicates, then own words.
fn values(question: &Question, outcome: Outcome) -> Values {
    let (mut choices, own, note) = match outcome {
        Outcome::Taken { choices, own, note } => (choices, own, note),
        Outcome::Unclear { reason, near } => return Err((reason, near)),
    };
    let mut words: Vec<String> = Vec::new();
    for text in own {
        let label = question.choices.iter().position(|choice| same_label(&choice.label, &text));
        match label {
            Some(choice) => choices.push(choice),
            None => {
                let text = constrained(question, text).ok_or((Reason::Constraint, None))?;
                if !words.contains(&text) {
                    words.push(text);
                }
            }
        }
    }
    choices.sort_unstable();
    choices.dedup();
    let labels = choices.iter().filter_map(|choice| question.choices.get(*choice));
    let mut values: Vec<String> = Vec::with_capacity(choices.len() + words.len());
    for choice in labels {
        if !values.contains(&choice.label) {
            values.push(choice.label.clone());
        }
    }
    values.append(&mut words);
    let count = values.len();
    if question.multi_select && question.max.is_some_and(|max| count > max) {
        return Err((Reason::TooMany, None));
    }
    if question.multi_select && question.min.is_some_and(|min| count < min) {
        return Err((Reason::Ambiguous, None));
    }
    Ok((values, note))
}

/// Own words that keep the question's constraint; a number is taken in any script's digits.
fn constrained(question: &Question, text: String) -> Option<String> {
    let text = match question.constraint {
        Some(Constraint::Integer { .. } | Constraint::Number { .. }) => fold::ascii_digits(&text),
        _ => text,
    };
    check_text(question, &text).is_ok().then_some(text)
}

/// What is understood so far.
struct Draft<'a> {
    questions: &'a [Question],
    kept: Answers,
    notes: Notes,
    /// Values came from outside and may not be canonical.
    foreign: bool,
}

impl<'a> Draft<'a> {
    fn new(questions: &'a [Question], kept: &Answers) -> Self {
        let known = |id: &QuestionId| questions.iter().any(|question| question.id == *id);
        let kept = kept.0.iter().filter(|(id, values)| known(id) && !values.is_empty());
        let kept = Answers(kept.map(|(id, v)| (id.clone(), v.clone())).collect());
        Self { questions, foreign: !kept.0.is_empty(), kept, notes: Notes::new() }
    }

    /// The questions that a reply without keys is for: the open ones, or all when none is.
    fn to_read(&self) -> Vec<usize> {
        let open = self.open();
        if open.is_empty() { (0..self.questions.len()).collect() } else { open }
    }

    /// Indexes of the questions without values.
    fn open(&self) -> Vec<usize> {
        self.questions
            .iter()
            .enumerate()
            .filter(|(_, question)| self.kept.of(&question.id).is_empty())
            .map(|(index, _)| index)
            .collect()
    }

    fn take(&mut self, question: &Question, values: Vec<String>, note: Option<String>) {
        self.kept.0.insert(question.id.clone(), values);
        match note {
            Some(note) => self.notes.insert(question.id.clone(), note),
            None => self.notes.remove(&question.id),
        };
    }

    fn drop(&mut self, question: &Question) {
        self.kept.0.remove(&question.id);
    }

    fn answer(self) -> Reading {
        if !self.foreign {
            return Reading::Answer { answers: self.kept, notes: self.notes };
        }
        match canonical(self.questions, &self.kept) {
            Ok(answers) => Reading::Answer { answers, notes: self.notes },
            Err(_) => self.unclear(Reason::Ambiguous, None),
        }
    }

    fn unclear(self, reason: Reason, suggestion: Option<(QuestionId, usize)>) -> Reading {
        let open =
            self.open().iter().filter_map(|index| self.questions.get(*index)).map(|q| q.id.clone()).collect();
        Reading::Clarify(Unclear { reason, kept: self.kept, notes: self.notes, open, suggestion })
    }
}
