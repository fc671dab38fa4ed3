//! One question and one text: the rules in their order, each stage a function that decides or passes on. Knows nothing of
//! commands, mail or other questions.

use super::Reason;
use super::asked::Asked;
use super::choice::{Verdict, outright, unspelled};
use super::fold::trim;
use super::guard::{has_label_word, is_choice_shaped, is_guarded, is_reference, is_struck};
use super::label::{Hit, Set, only};
use super::lead::{core, echo, settle, stripped};
use super::many::{Taken, all_except, is_list_too, list};
use super::number;
use super::own;
use super::partial::{self, Near, Part};
use super::remark;
use super::speech::{Item, Speech, What};
use super::words::Lists;

/// What one question got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Choices, own words, and the remark beside them.
    Taken { choices: Vec<usize>, own: Vec<String>, note: Option<String> },
    /// Nothing; perhaps a close hit worth suggesting.
    Unclear { reason: Reason, near: Option<usize> },
}

impl Outcome {
    pub(super) const fn unclear(reason: Reason) -> Self {
        Self::Unclear { reason, near: None }
    }

    pub(super) fn own(text: &str) -> Self {
        Self::Taken { choices: Vec::new(), own: vec![trim(text).to_owned()], note: None }
    }

    pub(super) fn choice(choice: usize) -> Self {
        Self::Taken { choices: vec![choice], own: Vec::new(), note: None }
    }
}

impl From<Reason> for Outcome {
    fn from(reason: Reason) -> Self {
        Self::unclear(reason)
    }
}

/// Longer replies are no choices (rule 12), unless the labels themselves are that long.
const CHOICE_CHARACTERS_MAX: usize = 600;

/// Longer replies are no choices whatever the labels are, unless they spell one.
const LISTED_CHARACTERS_MAX: usize = 20_000;

/// Reads `text` as the answer to the only question there is; it may name the question.
pub(super) fn read(asked: &Asked<'_>, text: &str) -> Outcome {
    if let Some(outcome) = at_once(asked, text) {
        return outcome;
    }
    match super::key::value(asked, text) {
        Some(keyed) => value(asked, keyed),
        None => staged(asked, trim(text)),
    }
}

/// Reads `text` as the value of one question: rules 10 to 36.
pub(super) fn value(asked: &Asked<'_>, text: &str) -> Outcome {
    at_once(asked, text).unwrap_or_else(|| staged(asked, trim(text)))
}

/// What needs no look at the words: free text, a label, a plain number, marked own words.
fn at_once(asked: &Asked<'_>, text: &str) -> Option<Outcome> {
    let text = trim(text);
    if text.is_empty() {
        return Some(Outcome::unclear(Reason::Empty));
    }
    if asked.is_free() {
        return Some(Outcome::own(text));
    }
    if let Some(verdict) = number::plain(asked, text) {
        return Some(decided(verdict, text));
    }
    spelled(asked, text).or_else(|| own::marked(asked, text))
}

/// Rules 12 and 15 to 36.
fn staged(asked: &Asked<'_>, text: &str) -> Outcome {
    if is_long(asked, text) {
        return if asked.takes_text() {
            Outcome::own(text)
        } else {
            refused(asked, &Speech::new(start(text), asked))
        };
    }
    if is_struck(text) {
        return Outcome::unclear(Reason::Ambiguous);
    }
    let ticked = own::ticked(text);
    match ticked.as_deref() {
        Some("") => Outcome::unclear(Reason::Ambiguous),
        Some(ticked) => stages(&Reply { asked, text: ticked, speech: Speech::new(ticked, asked) }),
        None => stages(&Reply { asked, text, speech: Speech::new(text, asked) }),
    }
}

/// The whole text is a label or its short form.
fn spelled(asked: &Asked<'_>, text: &str) -> Option<Outcome> {
    let choice = match asked.labels().whole(text) {
        Hit::None => return None,
        Hit::Several => return Some(Outcome::unclear(Reason::Ambiguous)),
        Hit::One(choice) => choice,
    };
    let is_number = asked.question.choices.get(choice).is_some_and(|choice| {
        choice.label.bytes().any(|byte| byte.is_ascii_digit())
            && !text.bytes().all(|byte| byte.is_ascii_digit())
    });
    if is_number {
        let speech = Speech::new(text, asked);
        if let Some(Verdict::Unclear(reason)) = outright(asked, &speech, &speech.items) {
            return Some(Outcome::unclear(reason));
        }
    }
    let twice = is_list_too(asked, text, choice);
    Some(if twice { Outcome::unclear(Reason::Ambiguous) } else { Outcome::choice(choice) })
}

fn is_long(asked: &Asked<'_>, text: &str) -> bool {
    if text.len() <= CHOICE_CHARACTERS_MAX {
        return false;
    }
    let lengths = asked.question.choices.iter().map(|choice| choice.label.chars().count());
    let labels: usize = if asked.question.multi_select { lengths.sum() } else { lengths.max().unwrap_or(0) };
    let allowed = CHOICE_CHARACTERS_MAX.max(labels.saturating_mul(2)).min(LISTED_CHARACTERS_MAX);
    text.chars().count() > allowed
}

/// The start of a text too long to be a choice: enough to see whether it speaks of the choices.
fn start(text: &str) -> &str {
    text.get(..text.floor_char_boundary(CHOICE_CHARACTERS_MAX)).unwrap_or(text)
}

/// A text while it is being read.
struct Reply<'r, 'q> {
    asked: &'r Asked<'q>,
    text: &'r str,
    speech: Speech<'r>,
}

fn stages(reply: &Reply<'_, '_>) -> Outcome {
    let items = reply.speech.items.as_slice();
    let core = core(reply.asked, &reply.speech, items);
    reply
        .unspelled(items)
        .or_else(|| reply.reasoned(items))
        .or_else(|| reply.excepted(core))
        .or_else(|| reply.guarded(items))
        .or_else(|| reply.stripped(items, core))
        .or_else(|| reply.echoed(core))
        .or_else(|| reply.listed(core))
        .or_else(|| reply.remarked(items))
        .or_else(|| reply.partly(core))
        .or_else(|| reply.nearly(core))
        .or_else(|| reply.stalled(items))
        .unwrap_or_else(|| reply.rest(items))
}

impl<'r> Reply<'r, '_> {
    /// Rules 16 to 21 on the whole text, which is no label.
    fn unspelled(&self, items: &[Item]) -> Option<Outcome> {
        unspelled(self.asked, &self.speech, items).map(|verdict| decided(verdict, self.text))
    }

    /// Rule 23.
    fn reasoned(&self, items: &[Item]) -> Option<Outcome> {
        let (head, reason) = remark::reason(&self.speech, items)?;
        let head = self.head(head)?;
        if remark::has_condition(reason) {
            return Some(self.words_or(Reason::Ambiguous));
        }
        Some(with_note(head, self.speech.text(reason)))
    }

    /// Rule 34: all but some.
    fn excepted(&self, core: &[Item]) -> Option<Outcome> {
        all_except(self.asked, &self.speech, core).map(|found| listed(found.map(Taken::of)))
    }

    /// Rule 22.
    fn guarded(&self, items: &[Item]) -> Option<Outcome> {
        if !is_guarded(items) {
            return None;
        }
        let asks =
            items.iter().rev().take_while(|item| item.is_sign()).any(|item| item.what == What::Sign('?'));
        Some(if !self.asked.takes_text() {
            refused(self.asked, &self.speech)
        } else if asks || is_choice_shaped(self.asked, &self.speech, items) {
            Outcome::unclear(Reason::Ambiguous)
        } else {
            Outcome::own(self.text)
        })
    }

    /// Rule 24.
    fn stripped(&self, items: &[Item], core: &[Item]) -> Option<Outcome> {
        stripped(self.asked, &self.speech, items, core).map(|verdict| decided(verdict, self.text))
    }

    /// Rules 28 and 33 to 36.
    fn listed(&self, items: &[Item]) -> Option<Outcome> {
        list(self.asked, &self.speech, items).map(listed)
    }

    /// Rule 25.
    fn echoed(&self, items: &[Item]) -> Option<Outcome> {
        let mut choices = Vec::new();
        for verdict in echo(self.asked, &self.speech, items)? {
            match verdict {
                Verdict::Choice(choice) => choices.push(choice),
                verdict => return Some(decided(verdict, self.text)),
            }
        }
        Some(listed(Ok(Taken::of(choices))))
    }

    /// Rule 26: only where own words are not allowed, for there they would say more.
    fn remarked(&self, items: &[Item]) -> Option<Outcome> {
        if self.asked.takes_text() {
            return None;
        }
        let many = self.asked.question.multi_select;
        let separators: &[char] =
            if many { &['.', '-', '(', '!'] } else { &[',', ';', '.', '-', '(', '!', '\n'] };
        let (head, remark) = remark::parted(&self.speech, items, separators)?;
        let head = self.head(head)?;
        let Outcome::Taken { choices, .. } = &head else { return None };
        let chosen = choices.iter().fold(0, |set: Set, choice| set | only(*choice));
        if !remark::is_harmless(self.asked, &self.speech, chosen, remark) {
            return Some(Outcome::unclear(Reason::Ambiguous));
        }
        Some(with_note(head, self.speech.text(remark)))
    }

    /// Rule 27.
    fn partly(&self, items: &[Item]) -> Option<Outcome> {
        match (partial::part_of(self.asked, &self.speech, items), self.asked.takes_text()) {
            (Part::None, _) => None,
            (Part::One(choice), false) => Some(Outcome::choice(choice)),
            (Part::One(choice) | Part::Negated(choice), _) => {
                Some(Outcome::Unclear { reason: Reason::Ambiguous, near: Some(choice) })
            }
            (Part::Several, _) => Some(Outcome::unclear(Reason::Ambiguous)),
        }
    }

    /// Rule 29.
    fn nearly(&self, items: &[Item]) -> Option<Outcome> {
        let near = match partial::near(self.asked, self.speech.text(items)) {
            Near::None => return None,
            Near::One(choice) => Some(choice),
            Near::Several => None,
        };
        let doubtful =
            self.asked.takes_text() || self.speech.items.iter().any(|item| is_reference(self.asked, item));
        let reason = if doubtful { Reason::Ambiguous } else { Reason::UnknownOption };
        Some(Outcome::Unclear { reason, near })
    }

    /// Rule 30, and words that only announce an answer.
    fn stalled(&self, items: &[Item]) -> Option<Outcome> {
        let talk =
            Lists::STALLER | Lists::GREETING | Lists::THANKS | Lists::OTHER | Lists::POSITION | Lists::AROUND;
        let filler = Lists::POLITE | Lists::SMILEY | Lists::ARTICLE;
        let idle = |item: &Item| item.is_sign() || item.what == What::Emoji || item.is_word(talk | filler);
        let talks = items.iter().any(|item| item.is_word(talk | Lists::POLITE));
        (self.asked.takes_text() && talks && items.iter().all(idle))
            .then(|| Outcome::unclear(Reason::Ambiguous))
    }

    /// Rule 31. Words that are a failed attempt at a choice are no own words.
    fn rest(&self, items: &[Item]) -> Outcome {
        if !self.asked.takes_text() {
            return refused(self.asked, &self.speech);
        }
        let refers = items.iter().any(|item| is_reference(self.asked, item))
            || has_label_word(self.asked, &self.speech, items);
        let position =
            |number: u32| usize::try_from(number).is_ok_and(|n| (1..=self.asked.count()).contains(&n));
        let values = items.iter().any(|item| matches!(item.what, What::Number(n, _) if !position(n)));
        if refers && !values && is_choice_shaped(self.asked, &self.speech, items) {
            Outcome::unclear(Reason::Ambiguous)
        } else {
            Outcome::own(self.text)
        }
    }

    /// A choice at the head of a longer reply.
    fn head(&self, items: &[Item]) -> Option<Outcome> {
        let core = core(self.asked, &self.speech, items);
        let settled = settle(self.asked, &self.speech, items).map(|verdict| decided(verdict, self.text));
        settled.or_else(|| self.echoed(core)).or_else(|| self.listed(core)).or_else(|| {
            let text = self.asked.takes_text();
            if text { None } else { self.partly(core) }
        })
    }

    fn words_or(&self, reason: Reason) -> Outcome {
        if self.asked.takes_text() { Outcome::own(self.text) } else { Outcome::unclear(reason) }
    }
}

fn decided(verdict: Verdict, text: &str) -> Outcome {
    match verdict {
        Verdict::Choice(choice) => Outcome::choice(choice),
        Verdict::Own => Outcome::own(text),
        Verdict::Unclear(reason) => Outcome::unclear(reason),
    }
}

fn listed(found: Result<Taken<'_>, Reason>) -> Outcome {
    match found {
        Ok(Taken { mut choices, own }) => {
            choices.sort_unstable();
            choices.dedup();
            let own = own.into_iter().map(|text| trim(text).to_owned()).collect();
            Outcome::Taken { choices, own, note: None }
        }
        Err(reason) => Outcome::unclear(reason),
    }
}

fn with_note(outcome: Outcome, remark: &str) -> Outcome {
    match outcome {
        Outcome::Taken { choices, own, .. } if !choices.is_empty() => {
            let inside = remark.strip_suffix(')').filter(|inside| !inside.contains('('));
            let note = Some(trim(inside.unwrap_or(remark)).to_owned());
            Outcome::Taken { choices, own, note }
        }
        outcome => outcome,
    }
}

/// Without own words: ambiguous if anything refers to a choice, else unknown.
fn refused(asked: &Asked<'_>, speech: &Speech<'_>) -> Outcome {
    let refers = speech.items.iter().any(|item| is_reference(asked, item))
        || has_label_word(asked, speech, &speech.items);
    Outcome::unclear(if refers { Reason::Ambiguous } else { Reason::UnknownOption })
}
