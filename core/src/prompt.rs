//! What one Place is to show for one Record: readable text and, where the platform has them, native controls. Decided from
//! the Record, its draft and [`crate::limits`] alone; sends nothing and names no platform.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

use crate::ask::Question;
use crate::id::QuestionId;
use crate::limits::Limits;
use crate::record::Record;
use crate::time::Time;
use crate::token::Nonce;

mod clean;
mod controls;
mod fit;
mod form;
mod layout;
mod native;
mod outcome;
mod text;

pub mod shorten;
pub mod when;
pub mod wording;

pub use clean::line as one_line;

/// Everything that decides what one Place shows for one Record.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The Record.
    pub record: &'a Record,
    /// What the Place's Surface can show.
    pub limits: &'a Limits,
    /// What was put together so far.
    pub draft: &'a Draft,
    /// Who may answer, from [`crate::audience`]; empty shows nothing.
    pub audience: &'a str,
    /// Names this Prompt in the tokens of its controls.
    pub nonce: Nonce,
    /// The present.
    pub now: Time,
    /// Offset east of UTC of printed times, in minutes.
    pub zone_minutes: i32,
    /// Typed replies in this Place may answer it; otherwise nobody is invited to type.
    pub typed: bool,
    /// Where its gateway's own panel shows it, if that is known.
    pub panel: Option<&'a str>,
    /// Its gateway started anew and knows it no more.
    pub forgotten: bool,
    /// It is drawn anew in a message that stands alone: nothing can be put above that any more.
    pub alone: bool,
}

/// What to show. Surfaces translate it; they never add, drop or reword.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// One message, or several where the text does not fit one; controls belong to the last, and only the last changes while the
    /// Record waits.
    pub messages: Vec<Body>,
    /// Native controls, row by row; empty on text surfaces and once the Record ended.
    pub controls: Vec<Row>,
}

/// The text of one message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body(pub Vec<Piece>);

/// Text in one style. The style is never the only carrier of a meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// The text; agent text in it is already harmless, and is data, never markup.
    pub text: String,
    /// How it may look.
    pub style: Style,
}

/// How a piece of text may look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Style {
    /// As any text.
    Plain,
    /// Strong.
    Strong,
    /// Less prominent.
    Quiet,
    /// A link to the address the agent gave in `url`.
    Link(String),
}

/// Controls side by side.
pub type Row = Vec<Control>;

/// One native control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Control {
    /// A button.
    Button {
        /// Its words.
        label: String,
        /// What comes back when it is pressed (a [`crate::token::Token`] as text).
        token: String,
        /// How it may look.
        look: Look,
        /// Asked of the person before the press counts, where the platform has a dialog for that; others leave it out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confirm: Option<String>,
    },
    /// A button that opens a link and tells us nothing.
    Link {
        /// Its words.
        label: String,
        /// Where it leads.
        url: String,
    },
    /// A select menu; what comes back are entry values.
    Menu {
        /// What it is for, where the text above does not say so.
        label: Option<String>,
        /// Shown while nothing is taken.
        placeholder: String,
        /// What comes back as the control's token.
        token: String,
        /// The entries; at least one.
        entries: Vec<Entry>,
        /// Fewest entries a person can take.
        min: usize,
        /// Most.
        max: usize,
    },
    /// A place for own words, in forms and in Prompts that are forms.
    Input {
        /// What is asked for.
        label: String,
        /// What comes back with the words.
        token: String,
        /// Hint inside the empty input.
        placeholder: Option<String>,
        /// Filled in already.
        value: Option<String>,
        /// It may not be left empty.
        required: bool,
    },
}

impl Control {
    /// A button that asks nothing more.
    pub fn button(label: impl Into<String>, token: impl Into<String>, look: Look) -> Self {
        Self::Button { label: label.into(), token: token.into(), look, confirm: None }
    }

    /// What comes back from it; nothing from a link.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        match self {
            Self::Button { token, .. } | Self::Menu { token, .. } | Self::Input { token, .. } => Some(token),
            Self::Link { .. } => None,
        }
    }
}

/// How a button may look; never the only carrier of a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Look {
    /// As any button.
    Plain,
    /// The main one.
    Primary,
    /// What it chooses destroys something.
    Danger,
}

/// One entry of a menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its words.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
    /// What comes back: the choice's zero-based index in decimal digits.
    pub value: String,
    /// Taken already, by the draft.
    pub taken: bool,
}

/// What a person has put together so far. On a message that several people share it belongs to the Place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Grows with every change; a control drawn at an older one is stale.
    pub revision: u32,
    /// Values so far: labels in option order, then own words.
    pub answers: BTreeMap<QuestionId, Vec<String>>,
    /// Remarks kept beside choices.
    pub notes: BTreeMap<QuestionId, String>,
    /// Which question of several is shown; the number of questions is the review.
    pub step: usize,
    /// Which page of its choices, zero-based.
    pub page: usize,
}

/// What a pending Record shows. An ended one is shown as [`ended`].
#[must_use]
pub fn open(view: &View<'_>) -> Prompt {
    if !view.record.state.is_pending() {
        return ended(view);
    }
    native::prompt(view).unwrap_or_else(|| text::prompt(view))
}

/// Which choices of every Question [`open`]'s controls speak for: all of them, one page of them, or none where the Question is
/// not shown or the Surface shows text. The values of a menu replace what the draft holds of these choices, and leave the
/// others alone.
#[must_use]
pub fn choices_shown(view: &View<'_>) -> Vec<Range<usize>> {
    native::choices_shown(view)
}

/// The fields of a form for the whole Ask, where a modal form can hold them; empty where there is none.
#[must_use]
pub fn form_fields(view: &View<'_>) -> Vec<Control> {
    form::in_modal(view).unwrap_or_default()
}

/// What an ended Record shows: the question and its outcome, in one message that takes the place of the open Prompt's last,
/// with links as the only controls. A Record that still waits is shown as closed with an unknown end (its gateway forgot it).
#[must_use]
pub fn ended(view: &View<'_>) -> Prompt {
    outcome::prompt(view)
}

/// Whether these values are enough for the question, and not too many.
#[must_use]
pub fn complete(question: &Question, values: &[String]) -> bool {
    let max = if question.multi_select { question.max.unwrap_or(usize::MAX) } else { 1 };
    let min = if question.multi_select { question.min.unwrap_or(1).max(1) } else { 1 };
    (min..=max).contains(&values.len())
}
