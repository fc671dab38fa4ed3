//! Makes a page of text fit its messages by shortening what matters least first: descriptions, then the question, then link
//! and footer, labels last. Says what it cut; what still does not fit is the caller's to refuse.

use std::borrow::Cow;

use super::Body;
use super::layout::{Line, Room, quiet};
use super::shorten::{fits, largest, shorten};
use super::wording;
use crate::limits::Unit;

/// Fewest units that a question's text is shortened to.
pub(super) const QUESTION_MIN: usize = 60;
/// Fewest units that a label is shortened to: less tells nobody what it means.
const LABEL_MIN: usize = 12;

/// Most units of a question's text whose whole stands above.
const BELOW_MAX: usize = 200;

/// How far each kind of text may go; nothing where it is whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caps {
    pub(super) description: Option<usize>,
    pub(super) question: Option<usize>,
    pub(super) label: Option<usize>,
    /// A link in the text, who asks, until when, who may answer: there or not.
    pub(super) extras: bool,
}

/// Something that can be written at any caps.
pub(super) trait Page {
    /// Its lines.
    fn lines(&self, caps: &Caps) -> Vec<Line>;
    /// Fewest units that its questions are shortened to.
    fn question_min(&self) -> usize {
        QUESTION_MIN
    }
    /// As short as it may get.
    fn least(&self) -> Caps {
        Caps {
            description: Some(0),
            question: Some(self.question_min()),
            label: Some(LABEL_MIN),
            extras: false,
        }
    }
}

impl Caps {
    pub(super) const WHOLE: Self = Self { description: None, question: None, label: None, extras: true };

    /// The same where the whole question stands above: what follows only says which one it is.
    pub(super) fn below(self, above: bool) -> Self {
        if !above {
            return self;
        }
        Self { question: Some(self.question.map_or(BELOW_MAX, |most| most.min(BELOW_MAX))), ..self }
    }

    pub(super) fn description<'a>(&self, text: &'a str, unit: Unit) -> Cow<'a, str> {
        self.description.map_or(Cow::Borrowed(text), |most| shorten(text, unit, most))
    }

    pub(super) fn question<'a>(&self, text: &'a str, unit: Unit) -> Cow<'a, str> {
        self.question.map_or(Cow::Borrowed(text), |most| shorten(text, unit, most))
    }

    pub(super) fn label<'a>(&self, text: &'a str, unit: Unit) -> Cow<'a, str> {
        self.label.map_or(Cow::Borrowed(text), |most| shorten(text, unit, most))
    }

    /// The line that says what was cut, if anything was.
    pub(super) fn cut_line(&self, texts: &Texts<'_>, unit: Unit, id: &str) -> Option<Line> {
        let longer = |texts: &[&str], most: Option<usize>| {
            most.is_some_and(|most| !texts.iter().all(|text| fits(text, unit, most)))
        };
        let parts = [
            (longer(&texts.descriptions, self.description), wording::CUT_DESCRIPTIONS),
            (longer(&texts.questions, self.question), wording::CUT_QUESTION),
            (texts.link && !self.extras, wording::CUT_LINK),
            (longer(&texts.labels, self.label), wording::CUT_CHOICES),
        ];
        let cut: Vec<&str> = parts.into_iter().filter(|(cut, _)| *cut).map(|(_, name)| name).collect();
        let line = || if texts.above { wording::CUT_ABOVE.to_owned() } else { wording::cut(&cut, id) };
        (!cut.is_empty()).then(|| quiet(line()))
    }
}

/// The texts of a page by what they are.
#[derive(Debug, Default)]
pub(super) struct Texts<'a> {
    pub(super) descriptions: Vec<&'a str>,
    pub(super) questions: Vec<&'a str>,
    pub(super) labels: Vec<&'a str>,
    /// There is a link.
    pub(super) link: bool,
    /// All of it stands whole in messages above.
    pub(super) above: bool,
}

/// The page as messages, shortened no further than it takes; nothing when not even the shortest form fits.
pub(super) fn fit(room: &Room, page: &dyn Page) -> Option<Vec<Body>> {
    let lay = |caps: &Caps| room.lay(&page.lines(caps));
    if let Some(messages) = lay(&Caps::WHOLE) {
        return Some(messages);
    }
    let most = room.message.saturating_mul(room.messages);
    let descriptions = |most| Caps { description: Some(most), ..Caps::WHOLE };
    let bare = Caps { description: Some(0), ..Caps::WHOLE };
    let questions = |most| Caps { question: Some(most), ..bare };
    let least = page.question_min();
    let unsigned = Caps { question: Some(least), extras: false, ..bare };
    let labels = |most| Caps { label: Some(most), ..unsigned };
    let holds = |caps: &Caps| lay(caps).is_some();
    let caps = largest(0, most, |most| holds(&descriptions(most)))
        .map(descriptions)
        .or_else(|| largest(least, most.max(least), |most| holds(&questions(most))).map(questions))
        .or_else(|| holds(&unsigned).then_some(unsigned))
        .or_else(|| largest(LABEL_MIN, most.max(LABEL_MIN), |most| holds(&labels(most))).map(labels))?;
    lay(&caps)
}
