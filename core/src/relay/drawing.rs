//! Puts together what a Prompt is drawn from, and who reads a sentence. How it looks is [`crate::prompt`]'s.

use super::Relay;
use super::state::{Drawn, Pair, Sent, Showing, Tracked};
use crate::ask::Binding;
use crate::audience;
use crate::id::Place;
use crate::limits::Limits;
use crate::prompt::wording::{self, Reader};
use crate::prompt::{self, Body, Control, Piece, Prompt, Style, View};
use crate::record::Record;
use crate::time::Time;
use std::ops::Range;

impl Relay {
    /// What the pair's next message shows.
    pub(super) fn draw(&self, now: Time, pair: &Pair, sent: Sent) -> Option<Prompt> {
        let tracked = self.tracked.get(&pair.0)?;
        let showing = tracked.showings.get(&pair.1)?;
        let ending = matches!(sent, Sent::Redraw { to: Drawn::Ended { .. }, .. });
        if ending && showing.short {
            let text = wording::late(&tracked.record, &self.reader(now, &pair.1)?);
            let body = Body(vec![Piece { text, style: Style::Plain }]);
            return Some(Prompt { messages: vec![body], controls: Vec::new() });
        }
        let draw = if ending { prompt::ended } else { prompt::open };
        let alone = match sent {
            Sent::Redraw { copy, .. } => {
                showing.copies.get(copy).is_some_and(|copy| copy.receipt.messages.len() < 2)
            }
            Sent::Show(_) => false,
        };
        self.viewed(now, &pair.1, tracked, showing, |view| draw(&View { alone, ..*view }))
    }

    /// Which choices of every question the pair's controls speak for.
    pub(super) fn choices_shown(&self, now: Time, pair: &Pair) -> Vec<Range<usize>> {
        let Some(tracked) = self.tracked.get(&pair.0) else { return Vec::new() };
        let Some(showing) = tracked.showings.get(&pair.1) else { return Vec::new() };
        self.viewed(now, &pair.1, tracked, showing, prompt::choices_shown).unwrap_or_default()
    }

    /// The fields of a modal form for the pair's whole Ask.
    pub(super) fn form_fields(&self, now: Time, pair: &Pair) -> Vec<Control> {
        let Some(tracked) = self.tracked.get(&pair.0) else { return Vec::new() };
        let Some(showing) = tracked.showings.get(&pair.1) else { return Vec::new() };
        self.viewed(now, &pair.1, tracked, showing, prompt::form_fields).unwrap_or_default()
    }

    fn viewed<T>(
        &self,
        now: Time,
        place: &Place,
        tracked: &Tracked,
        showing: &Showing,
        look: impl FnOnce(&View<'_>) -> T,
    ) -> Option<T> {
        let limits = self.limits(place)?;
        let text_only;
        let limits = if showing.plain {
            text_only = Limits { controls: None, ..limits.clone() };
            &text_only
        } else {
            limits
        };
        let record = &tracked.record;
        let seat = self.config.seats.contains_key(place);
        let typed = seat || record.ask.creator.binding == Binding::Run;
        let foreign = self.config.foreign.get(&record.key.gateway);
        let panel = foreign.and_then(|foreign| foreign.panel_of(&record.key.id));
        Some(look(&View {
            record,
            limits,
            draft: &showing.draft,
            audience: &self.audience(record, limits),
            nonce: showing.nonce,
            now,
            zone_minutes: self.config.zone_offset_minutes,
            typed: typed && !tracked.secret(),
            panel: panel.as_deref(),
            forgotten: tracked.forgotten,
            alone: false,
        }))
    }

    /// The line about who may answer, as it is to be shown.
    pub(super) fn audience(&self, record: &Record, limits: &Limits) -> String {
        audience::line(record, &self.people, limits.shared)
    }

    /// Whoever reads a sentence in that Place.
    pub(super) fn reader(&self, now: Time, place: &Place) -> Option<Reader<'_>> {
        let limits = self.limits(place)?;
        Some(Reader { limits, now, zone_minutes: self.config.zone_offset_minutes })
    }
}
