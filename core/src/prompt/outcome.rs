//! What a Prompt becomes when its Record ends: the question, what was chosen, who decided and when. One message without
//! controls, links apart; it takes the place of the last message of the open Prompt.

use super::fit::{Caps, Page, fit};
use super::layout::{Line, Room, plain, quiet, strong};
use super::shorten::shorten;
use super::text::{Block, Shown};
use super::when::clock;
use super::wording;
use super::{Body, Control, Prompt, View, clean};
use crate::answer::{Actor, Answered, Way};
use crate::record::{State, WhyCancelled};
use crate::time::Time;

/// The Prompt of a Record that ended; of one that still waits, a Prompt that says its end is not known here.
pub(super) fn prompt(view: &View<'_>) -> Prompt {
    let questions = &view.record.ask.questions;
    let shown: Vec<Shown> = (0..questions.len()).filter_map(|index| Shown::of(view, index)).collect();
    let links = links(view, &shown);
    let shown: Vec<Shown> =
        if links.is_empty() { shown } else { shown.into_iter().map(Shown::without_link).collect() };
    let page = Ended {
        view,
        blocks: shown.iter().map(|shown| Block { shown, choices: 0..0, state: false }).collect(),
    };
    let room = Room::of(view.limits).one();
    let messages = fit(&room, &page)
        .unwrap_or_else(|| vec![Body(plain(shorten(&page.short(), room.unit, room.line.min(room.message))))]);
    Prompt { messages, controls: links }
}

/// Links as controls, where all of them fit; otherwise they stay in the text.
fn links(view: &View<'_>, shown: &[Shown]) -> Vec<super::Row> {
    let Some(controls) = &view.limits.controls else { return Vec::new() };
    let urls: Vec<&str> = shown.iter().filter_map(Shown::address).collect();
    let opens = |url: &&str| controls.link.is_some_and(|most| view.limits.unit.measure(url) <= most);
    if urls.len() > controls.buttons.min(controls.rows) || !urls.iter().all(opens) {
        return Vec::new();
    }
    let label = shorten(wording::OPEN_LINK, view.limits.unit, controls.label);
    urls.into_iter()
        .map(|url| vec![Control::Link { label: label.clone().into_owned(), url: url.to_owned() }])
        .collect()
}

struct Ended<'a> {
    view: &'a View<'a>,
    blocks: Vec<Block<'a>>,
}

impl Page for Ended<'_> {
    fn lines(&self, caps: &Caps) -> Vec<Line> {
        let unit = self.view.limits.unit;
        let mut lines = Vec::new();
        let answered = match &self.view.record.state {
            State::Answered(answered) => Some(&**answered),
            _ => None,
        };
        for (block, question) in self.blocks.iter().zip(&self.view.record.ask.questions) {
            lines.extend(block.head(caps, unit));
            if let Some(answered) = answered {
                let values = answered.answers.of(&question.id);
                lines.push(strong(wording::answered(&full_values(question, values, caps, unit))));
                let note = answered.notes.get(&question.id).filter(|_| !question.secret);
                let note = note.map(|note| caps.description(&clean::line(note), unit).into_owned());
                lines.extend(note.filter(|text| !text.is_empty()).map(|note| quiet(wording::remark(&note))));
            }
            lines.push(Line::new());
        }
        let outcome = self.outcome();
        let mut outcome = outcome.iter();
        if answered.is_none() {
            lines.extend(outcome.next().map(strong));
        }
        lines.extend(outcome.map(quiet));
        lines
    }
}

impl Ended<'_> {
    /// The outcome without the question, for where both do not fit.
    fn short(&self) -> String {
        let line = self.outcome().into_iter().next().unwrap_or_default();
        match &self.view.record.state {
            State::Answered(answered) => {
                let values = wording::all_values(&self.view.record.ask.questions, &answered.answers);
                format!("{}. {line}", wording::answered(&values))
            }
            _ => line,
        }
    }

    /// How it ended, in one line; then what came late.
    fn outcome(&self) -> Vec<String> {
        let record = self.view.record;
        let time = |at: Time| clock(at, self.view.now, self.view.zone_minutes);
        let first = match &record.state {
            State::Pending if self.view.forgotten => wording::lost_question(),
            State::Pending => wording::END_UNKNOWN.to_owned(),
            State::Answered(answered) => wording::decided(&decider(answered), &time(answered.at)),
            State::Expired { at } => wording::expired(&time(*at)),
            State::Cancelled(cancelled) => {
                let at = time(cancelled.at);
                let by = who(cancelled.by_name.as_deref(), cancelled.by.as_ref());
                match &cancelled.why {
                    WhyCancelled::Declined => wording::skipped(by.as_deref(), &at),
                    WhyCancelled::Withdrawn => wording::withdrawn(&at),
                    WhyCancelled::Unavailable => wording::unavailable(&at),
                    WhyCancelled::NotDelivered { detail } => wording::not_delivered_at(detail, &at),
                }
            }
        };
        let late = record.late.iter().map(|late| {
            let values = wording::all_values(&record.ask.questions, &late.answers);
            wording::late_line(&decider(late), &time(late.at), &values)
        });
        [first].into_iter().chain(late).collect()
    }
}

fn full_values(
    question: &crate::ask::Question,
    values: &[String],
    caps: &Caps,
    unit: crate::limits::Unit,
) -> String {
    if question.secret {
        return wording::values(question, values);
    }
    let own = super::text::own_words(question, values);
    let shown = values.iter().map(|value| {
        let text = clean::line(value);
        let text = caps.label(&text, unit);
        let quoted = own.contains(&value.as_str()) && !question.choices.is_empty();
        if quoted { wording::quoted(&text) } else { text.into_owned() }
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// Who decided, as far as it is known and was verified.
fn decider(answered: &Answered) -> String {
    let by = who(answered.by_name.as_deref(), Some(&answered.by));
    match (answered.by.way, by) {
        (Way::AskingTerminal, _) => wording::AT_THE_TERMINAL.to_owned(),
        (Way::Elicitation, _) => wording::IN_THE_FORM.to_owned(),
        (_, Some(name)) => name,
        (_, None) => wording::SOMEBODY.to_owned(),
    }
}

/// Who, and on which surface.
fn who(name: Option<&str>, actor: Option<&Actor>) -> Option<String> {
    let person = actor.and_then(|actor| actor.person.as_ref()).map(|person| wording::value(person.as_str()));
    let name = name.map(wording::value).filter(|name| !name.is_empty()).or(person)?;
    let place = actor.and_then(|actor| actor.place.as_ref());
    Some(match place {
        Some(place) => wording::on_surface(&name, place.account.surface.as_str()),
        None => name,
    })
}
