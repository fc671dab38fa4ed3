//! Native controls: which kind carries the choices of one Question, how many fit a page, and the rows themselves. Reads the
//! limits alone; the text above the controls is [`super::native`]'s.

use std::ops::Range;

use super::shorten::{fits, shorten, shorten_apart};
use super::text::Shown;
use super::wording;
use super::{Control, Entry, Look, Row, View};
use crate::ask::Question;
use crate::limits::{ControlLimits, MenuLimits, Unit};
use crate::token::{Nonce, Press, Token};

/// So many choices always stand one a row, at full width.
const ROWS_ALONE_MAX: usize = 4;
/// Labels up to so many columns may share a row, at most this many beside each other.
const SHARED_COLUMNS: [(usize, usize); 3] = [(6, 4), (10, 3), (16, 2)];
/// A label shortened to fewer units than this says nothing: its number stands alone.
const LABEL_MIN: usize = 4;

/// What carries the choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    /// Buttons, so many beside each other.
    Buttons { beside: usize },
    /// A select menu.
    Menu,
}

/// How the choices of one Question are carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) carrier: Carrier,
    /// Most choices on a page; at least one.
    pub(super) page: usize,
}

/// One Question's controls in the making.
pub(super) struct Deck<'a> {
    unit: Unit,
    limits: &'a ControlLimits,
    /// Pages can be turned: what is shown can be edited.
    pages: bool,
    nonce: Nonce,
    revision: u32,
    /// Which Question.
    index: u16,
    question: &'a Question,
    shown: &'a Shown,
    /// Taking a choice of a single-choice Question does not end the Ask, so what was taken is marked.
    marks: bool,
}

impl<'a> Deck<'a> {
    /// The controls of the Question at `index` of the view's Ask.
    pub(super) fn of(
        view: &View<'_>,
        limits: &'a ControlLimits,
        (index, question): (usize, &'a Question),
        shown: &'a Shown,
    ) -> Self {
        Self {
            unit: view.limits.unit,
            limits,
            pages: view.limits.edits,
            nonce: view.nonce,
            revision: view.draft.revision,
            index: small(index),
            question,
            shown,
            marks: view.record.ask.questions.len() > 1,
        }
    }

    /// How all choices fit beside `others` more buttons; nothing when they do not.
    pub(super) fn plan(&self, others: usize) -> Option<Plan> {
        let count = self.shown.labels.len();
        if count == 0 {
            return self.rows_left(others).map(|_| Plan { carrier: Carrier::Menu, page: 1 });
        }
        if self.question.multi_select && !self.pages {
            return None;
        }
        let menu = self.menu().is_some();
        let whole_labels = self.shown.labels.iter().all(|label| fits(label, self.unit, self.limits.label));
        let small = count <= self.limits.choices && whole_labels;
        // Only a button can look like what it does.
        let by_buttons = small || self.destroys();
        let prefers_menu = menu && (self.question.multi_select || !by_buttons);
        let whole = if prefers_menu { self.by_menu(count, others) } else { None };
        whole
            .or_else(|| if by_buttons || !menu { self.by_buttons(count, others) } else { None })
            .or_else(|| self.by_menu(count, others))
            .or_else(|| self.paged(others))
    }

    /// The same over several pages, with two more buttons to turn them.
    pub(super) fn paged(&self, others: usize) -> Option<Plan> {
        if !self.pages {
            return None;
        }
        let others = others + 2;
        let by_menu = self.menu().filter(|_| self.rows_left(others).is_some_and(|rows| rows > 0));
        if let Some(menu) = by_menu {
            return Some(Plan { carrier: Carrier::Menu, page: menu.entries });
        }
        (1..=self.most_buttons()).rev().find_map(|count| self.by_buttons(count, others))
    }

    /// A press may destroy something.
    fn destroys(&self) -> bool {
        !self.question.multi_select && self.question.choices.iter().any(|choice| choice.destructive)
    }

    /// Most choices as buttons on one page: as many as there is room for where one of them may destroy something.
    fn most_buttons(&self) -> usize {
        if self.destroys() { self.limits.buttons } else { self.limits.choices }
    }

    fn by_buttons(&self, count: usize, others: usize) -> Option<Plan> {
        if count > self.most_buttons() || count + others > self.limits.buttons {
            return None;
        }
        let rows = self.rows_left(others)?;
        let beside = (self.beside(count)..=self.limits.row).find(|beside| count.div_ceil(*beside) <= rows)?;
        Some(Plan { carrier: Carrier::Buttons { beside }, page: count })
    }

    fn by_menu(&self, count: usize, others: usize) -> Option<Plan> {
        let holds = count <= self.menu()?.entries && self.rows_left(others)? > 0;
        holds.then_some(Plan { carrier: Carrier::Menu, page: count })
    }

    /// The menu that can carry this Question.
    fn menu(&self) -> Option<&MenuLimits> {
        self.limits
            .menu
            .as_ref()
            .filter(|menu| menu.entries > 0 && (menu.several || !self.question.multi_select))
    }

    /// Rows left for choices beside `others` buttons.
    fn rows_left(&self, others: usize) -> Option<usize> {
        if others > self.limits.buttons || self.limits.row == 0 {
            return None;
        }
        self.limits.rows.checked_sub(others.div_ceil(self.limits.row))
    }

    /// How many of `count` choices stand beside each other when there are rows enough.
    fn beside(&self, count: usize) -> usize {
        if count <= ROWS_ALONE_MAX {
            return 1;
        }
        let within =
            |columns: usize| self.shown.labels.iter().all(|label| fits(label, Unit::Columns, columns));
        let shared =
            SHARED_COLUMNS.into_iter().find(|(columns, _)| within(*columns)).map(|(_, beside)| beside);
        shared.unwrap_or(1).clamp(1, self.limits.row.max(1))
    }

    /// The controls of these choices.
    pub(super) fn rows(&self, plan: Plan, choices: Range<usize>) -> Vec<Row> {
        match plan.carrier {
            _ if choices.is_empty() => Vec::new(),
            Carrier::Menu => vec![vec![self.menu_of(choices)]],
            Carrier::Buttons { beside } => {
                let words = self.words(self.limits.label.saturating_sub(self.mark_room()));
                let buttons: Vec<Control> = choices.map(|choice| self.choice(choice, &words)).collect();
                buttons.chunks(beside.max(1)).map(<[Control]>::to_vec).collect()
            }
        }
    }

    fn choice(&self, choice: usize, words: &[String]) -> Control {
        let (question, taken) = (self.index, self.shown.is_taken(choice));
        let number = small(choice);
        let (mark, press) = if self.question.multi_select {
            let mark = if taken { wording::ON } else { wording::OFF };
            (mark, Press::Toggle { question, choice: number, on: !taken })
        } else {
            let mark = if taken && self.marks { wording::TAKEN } else { "" };
            (mark, Press::Choose { question, choice: number })
        };
        let words = format!("{mark}{}", words.get(choice).map(String::as_str).unwrap_or_default());
        if !self.question.choices.get(choice).is_some_and(|choice| choice.destructive) {
            return self.button(&words, press, Look::Plain);
        }
        // What still waits for Submit needs no second question.
        let decides = !self.question.multi_select && !self.marks;
        let asked = self.shown.labels.get(choice).filter(|_| decides);
        Control::Button {
            label: self.label(&words),
            token: self.token(press),
            look: Look::Danger,
            confirm: asked.map(|label| wording::really(label)),
        }
    }

    /// Units kept free for the mark, so that a label does not change when it is taken.
    fn mark_room(&self) -> usize {
        let marks = match (self.question.multi_select, self.marks) {
            (true, _) => [wording::ON, wording::OFF],
            (false, true) => [wording::TAKEN; 2],
            (false, false) => [""; 2],
        };
        marks.into_iter().map(|mark| self.unit.measure(mark)).max().unwrap_or_default()
    }

    /// The choices' words within `room` units: their labels where all of them fit and differ, otherwise each behind its
    /// number, shortened so that they still differ.
    fn words(&self, room: usize) -> Vec<String> {
        let (labels, markers) = (&self.shown.labels, &self.shown.markers);
        if self.shown.labels_differ && labels.iter().all(|label| fits(label, self.unit, room)) {
            return labels.clone();
        }
        let number = markers.last().map(|marker| self.unit.measure(marker) + 1).unwrap_or_default();
        let left = room.saturating_sub(number);
        if left < LABEL_MIN {
            return markers.clone();
        }
        let short = shorten_apart(labels, self.unit, left);
        markers.iter().zip(short).map(|(marker, label)| format!("{marker} {label}")).collect()
    }

    /// A menu of all choices as a field of a form; its last entry stands for own words where one choice is to be taken, since what
    /// was taken once cannot be given back everywhere. Nothing where no menu carries them.
    pub(super) fn field(&self, label: String, own_words: bool, enforced: bool) -> Option<Control> {
        let count = self.shown.labels.len();
        let own = self.question.other && !self.question.multi_select;
        let menu = self.menu().filter(|menu| count + usize::from(own) <= menu.entries)?;
        let mut entries = self.entries(0..count, menu.label, menu.description);
        if own {
            let label = wording::OTHER.to_owned();
            entries.push(Entry { label, description: None, value: count.to_string(), taken: own_words });
        }
        let most =
            if self.question.multi_select { self.question.max.unwrap_or(count).clamp(1, count) } else { 1 };
        Some(Control::Menu {
            label: Some(label),
            placeholder: shorten(&wording::how_many(self.question), self.unit, menu.label).into_owned(),
            token: self.token(Press::Fill { question: self.index }),
            entries,
            min: usize::from(enforced && !self.question.other),
            max: most,
        })
    }

    fn entries(&self, choices: Range<usize>, label: usize, description: usize) -> Vec<Entry> {
        let words = self.words(label);
        let entry = |choice: usize| Entry {
            label: words.get(choice).cloned().unwrap_or_default(),
            description: self
                .shown
                .descriptions
                .get(choice)
                .map(|text| shorten(text, self.unit, description).into_owned())
                .filter(|text| !text.is_empty()),
            value: choice.to_string(),
            taken: self.shown.is_taken(choice) && (self.marks || self.question.multi_select),
        };
        choices.map(entry).collect()
    }

    fn menu_of(&self, choices: Range<usize>) -> Control {
        let (label, description) =
            self.menu().map_or((self.limits.label, 0), |menu| (menu.label, menu.description));
        let all = choices.len() == self.shown.labels.len();
        let most = choices.len();
        let (min, max) = match self.question.multi_select {
            false => (1, 1),
            // Own words and other pages count too, so only a whole list without them has a least number here.
            true if all && !self.question.other => {
                (self.question.min.unwrap_or(1), self.question.max.unwrap_or(most))
            }
            true => (0, self.question.max.unwrap_or(most)),
        };
        Control::Menu {
            label: None,
            placeholder: shorten(&wording::how_many(self.question), self.unit, label).into_owned(),
            token: self.token(Press::Fill { question: self.index }),
            entries: self.entries(choices, label, description),
            min: min.min(most),
            max: max.clamp(1, most.max(1)),
        }
    }

    pub(super) fn button(&self, words: &str, press: Press, look: Look) -> Control {
        Control::button(self.label(words), self.token(press), look)
    }

    fn label(&self, words: &str) -> String {
        shorten(words, self.unit, self.limits.label).into_owned()
    }

    pub(super) fn token(&self, press: Press) -> String {
        Token { nonce: self.nonce, revision: self.revision, press }.to_string()
    }

    /// Groups of buttons, each in a row of its own where there are rows enough beside `used`, else filled up.
    pub(super) fn pack(&self, groups: Vec<Vec<Control>>, used: usize) -> Vec<Row> {
        let row = self.limits.row.max(1);
        let alone: Vec<Row> =
            groups.iter().flat_map(|group| group.chunks(row)).map(<[Control]>::to_vec).collect();
        if used + alone.len() <= self.limits.rows {
            return alone;
        }
        let flat: Vec<Control> = groups.into_iter().flatten().collect();
        flat.chunks(row).map(<[Control]>::to_vec).collect()
    }
}

/// An index as tokens carry it. The contracts keep questions and choices far below the most that fits.
pub(super) fn small(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}
