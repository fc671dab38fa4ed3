//! The relay after a start: what was saved is taken up again. Whatever cannot be read is reported and left out; nothing is
//! ordered before the surfaces and gateways say that they are there.

use std::collections::BTreeMap;

use super::facts::{Fact, FactKind, Problem};
use super::seen;
use super::state::{Dirty, Input, Outgoing, Pair, Seat, SendOf, Showing, Tracked};
use super::turn::Turn;
use super::{Config, Relay};
use crate::id::{ConversationId, Place, RecordKey, ResolutionId};
use crate::prompt::Draft;
use crate::time::Time;

/// Facts by kind, read.
#[derive(Default)]
struct Saved {
    tracked: BTreeMap<RecordKey, Tracked>,
    showings: Vec<(Pair, Showing)>,
    drafts: Vec<(Pair, Draft)>,
    commands: Vec<(ResolutionId, Outgoing)>,
    inputs: Vec<(Seat, Input)>,
    seen: Vec<(Time, seen::Key)>,
    moved: BTreeMap<Place, ConversationId>,
}

impl Relay {
    /// A relay that takes up what an earlier one saved; with no facts, an empty one. Also what it could not take up.
    #[must_use]
    pub fn recover(config: Config, facts: impl IntoIterator<Item = Fact>) -> (Self, Vec<Problem>) {
        let mut saved = Saved::default();
        let mut problems = Vec::new();
        for fact in facts {
            if let Err(problem) = saved.take(&fact) {
                problems.push(problem);
            }
        }
        let mut relay = Self::empty(config);
        relay.moved = saved.moved;
        relay.tracked = saved.tracked;
        relay.seen.recover(saved.seen);
        for (pair, showing) in saved.showings {
            match relay.tracked.get_mut(&pair.0) {
                Some(tracked) => {
                    tracked.showings.insert(pair.1, showing);
                }
                None => problems.push(orphan(FactKind::Prompt, &pair)),
            }
        }
        for (pair, draft) in saved.drafts {
            match relay.showing_mut(&pair) {
                Some(showing) => showing.draft = draft,
                None => problems.push(orphan(FactKind::Draft, &pair)),
            }
        }
        for (resolution, outgoing) in saved.commands {
            if let Some(tracked) = relay.tracked.get_mut(&outgoing.command.key) {
                tracked.commands.push(resolution.clone());
            }
            relay.commands.insert(resolution, outgoing);
        }
        for (seat, input) in saved.inputs {
            relay.index.sends.insert(input.send.clone(), SendOf::Input(seat.clone()));
            relay.inputs.insert(seat, input);
        }
        relay.look_over(&mut problems);
        (relay, problems)
    }

    /// Fills the index, and sees to Places whose Account is not configured any more.
    fn look_over(&mut self, problems: &mut Vec<Problem>) {
        for (key, tracked) in &mut self.tracked {
            for (place, showing) in &mut tracked.showings {
                let pair = (key.clone(), place.clone());
                // It may have been shown just before the end of the last process.
                showing.doubtful |= !showing.is_shown() && showing.failed.is_none();
                self.index.add(&pair, showing, tracked.phase);
                if !self.config.accounts.contains_key(&place.account) {
                    let why = format!("no account '{}' is configured any more", place.account);
                    problems.push(Problem { kind: FactKind::Prompt, key: pair_key(&pair), why: why.clone() });
                    showing.failed.get_or_insert(why);
                }
            }
        }
    }

    /// What follows the clock, at the first step, and what a crash left unfinished.
    pub(super) fn start(&mut self, turn: &mut Turn<'_>) {
        let keys: Vec<RecordKey> = self.tracked.keys().cloned().collect();
        for key in keys {
            self.schedule_reminder(&key);
            self.rest(&key);
            self.check_reached(turn, &key);
            // Nobody will ever tell how it ended, and no answer will reach it.
            let is_configured =
                self.config.gateways.is_empty() || self.config.gateways.contains(&key.gateway);
            if !is_configured && self.tracked.get(&key).is_some_and(Tracked::is_open) {
                self.abandon(turn, &key);
            }
        }
        let lost: Vec<Seat> = self
            .inputs
            .iter()
            .filter(|(_, input)| !self.tracked.get(&input.key).is_some_and(Tracked::is_open))
            .map(|(seat, _)| seat.clone())
            .collect();
        for seat in lost {
            self.inputs.remove(&seat);
            turn.dirty.insert(Dirty::Input(seat));
        }
    }
}

impl Saved {
    fn take(&mut self, fact: &Fact) -> Result<(), Problem> {
        match fact.kind {
            FactKind::Record => {
                let (key, tracked): (RecordKey, Tracked) = fact.read()?;
                self.tracked.insert(key, tracked);
            }
            FactKind::Prompt => self.showings.push(fact.read()?),
            FactKind::Draft => self.drafts.push(fact.read()?),
            FactKind::Command => self.commands.push(fact.read()?),
            FactKind::Input => self.inputs.push(fact.read()?),
            FactKind::Seen => {
                let (key, at) = fact.read()?;
                self.seen.push((at, key));
            }
            FactKind::Moved => {
                let (from, to) = fact.read()?;
                self.moved.insert(from, to);
            }
        }
        Ok(())
    }
}

fn pair_key(pair: &Pair) -> String {
    format!("{} in {}", pair.0, pair.1)
}

fn orphan(kind: FactKind, pair: &Pair) -> Problem {
    Problem { kind, key: pair_key(pair), why: "its Record was not saved".to_owned() }
}
