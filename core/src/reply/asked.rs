//! One question as reading needs it: prepared once, each part only when a reply needs it. Decides nothing.

use std::sync::OnceLock;

use super::label::{Folds, Hashes, Labels, Vocabulary};
use super::number::{Carried, carried_numbers};
use super::token::tokens;
use crate::ask::Question;

/// A question with what is worked out about it.
#[derive(Debug)]
pub(super) struct Asked<'q> {
    pub(super) question: &'q Question,
    labels: OnceLock<Labels<'q>>,
    vocabulary: OnceLock<Vocabulary>,
    folds: OnceLock<Vec<Folds>>,
    echo: OnceLock<Hashes>,
    carried: OnceLock<Vec<Carried>>,
}

impl<'q> Asked<'q> {
    pub(super) const fn new(question: &'q Question) -> Self {
        Self {
            question,
            labels: OnceLock::new(),
            vocabulary: OnceLock::new(),
            folds: OnceLock::new(),
            echo: OnceLock::new(),
            carried: OnceLock::new(),
        }
    }

    /// How many choices it has.
    pub(super) fn count(&self) -> usize {
        self.question.choices.len()
    }

    /// Whether it takes nothing but free text.
    pub(super) fn is_free(&self) -> bool {
        self.question.choices.is_empty()
    }

    /// Whether own words are allowed.
    pub(super) fn takes_text(&self) -> bool {
        self.question.takes_text()
    }

    pub(super) fn labels(&self) -> &Labels<'q> {
        self.labels.get_or_init(|| Labels::new(&self.question.choices))
    }

    pub(super) fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.get_or_init(|| Vocabulary::new(self.labels(), &self.question.choices))
    }

    /// Every label in all folds.
    pub(super) fn folds(&self) -> &[Folds] {
        self.folds
            .get_or_init(|| self.question.choices.iter().map(|choice| Folds::of(&choice.label)).collect())
    }

    /// The numbers in its labels.
    pub(super) fn carried(&self) -> &[Carried] {
        self.carried.get_or_init(|| carried_numbers(self.question))
    }

    /// Hashes of the words of the question itself.
    pub(super) fn echo(&self) -> &Hashes {
        self.echo.get_or_init(|| {
            let Question { header, text, .. } = self.question;
            tokens(text).iter().chain(&tokens(header)).map(|token| token.hash).collect()
        })
    }
}
