//! Somebody unknown writes to the bot in private: they knock at the gateway, which gives a code or takes an invite, and are
//! told what it said. Lets nobody in, and says nothing about who is known or what is asked.

use std::collections::{BTreeMap, VecDeque};

use super::state::Seat;
use super::turn::Turn;
use super::{Door, Relay};
use crate::id::{Account, Identity, Place};
use crate::permit::Refused;
use crate::port::{Acknowledgement, Knock, Reply, Welcome};
use crate::prompt::wording;
use crate::reply::{Service, service};

/// Shortest time between two invites that somebody tries, in milliseconds.
const INVITE_PAUSE_MS: u64 = 3_000;

/// How long tries are counted, in milliseconds.
const INVITES_KEPT_MS: u64 = 3_600_000;

/// Most invites that one identity tries within that time.
const INVITES_MAX: usize = 10;

/// Most invites that are tried at one Account within that time, whoever tries.
const INVITES_PER_ACCOUNT_MAX: usize = 200;

/// The invites that were tried of late, by Account: when and by whom. Not saved: a restart forgives.
#[derive(Debug, Default)]
pub(super) struct Tries(BTreeMap<Account, VecDeque<(u64, Identity)>>);

/// Whether an invite may be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Try {
    Go,
    /// Hardly a moment after the last one.
    TooSoon,
    TooMany,
}

impl Tries {
    fn count(&mut self, account: &Account, identity: &Identity, steady: u64) -> Try {
        let tries = self.0.entry(account.clone()).or_default();
        tries.retain(|(at, _)| steady.saturating_sub(*at) < INVITES_KEPT_MS);
        let theirs = || tries.iter().filter(|(_, who)| who == identity);
        if theirs().any(|(at, _)| steady.saturating_sub(*at) < INVITE_PAUSE_MS) {
            return Try::TooSoon;
        }
        if tries.len() >= INVITES_PER_ACCOUNT_MAX || theirs().count() >= INVITES_MAX {
            return Try::TooMany;
        }
        tries.push_back((steady, identity.clone()));
        Try::Go
    }
}

impl Relay {
    /// What becomes of a stranger's text; nothing where strangers get no word.
    pub(super) fn stranger(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        text: &str,
    ) -> Option<Acknowledgement> {
        let door = self.config.doors.get(&reply.place.account).copied().unwrap_or(Door::Off);
        if door == Door::Off {
            return None;
        }
        let bot = self.config.bots.get(&reply.place.account).cloned().unwrap_or_default();
        let invite = match service(text, &bot) {
            Some((Service::Start, code)) if !code.is_empty() => Some(code.to_owned()),
            _ => None,
        };
        let seat: Seat = (reply.place.clone(), reply.sender.identity.clone());
        if invite.is_none() && door == Door::Allowlist {
            return Some(self.refuse(turn, reply, None, Refused::Unknown));
        }
        let gateway = self.config.delivers_for.clone()?;
        let steady = self.clock.steady();
        if !self.links.contains_key(&gateway) {
            return Some(self.turn_away(&seat, wording::door_closed()));
        }
        if invite.is_none() && !self.told.may_refuse(&seat, Refused::Unknown, steady) {
            return Some(Acknowledgement::Silent);
        }
        let tried = invite.as_ref().map(|_| self.tries.count(&seat.0.account, &seat.1, steady));
        match tried {
            None | Some(Try::Go) => {}
            Some(Try::TooSoon) => return Some(self.turn_away(&seat, wording::too_soon())),
            Some(Try::TooMany) => return Some(self.turn_away(&seat, wording::door_closed())),
        }
        let (place, identity) = seat;
        let display_name = reply.sender.display_name.clone();
        turn.knock(&gateway, Knock { place, identity, display_name, invite });
        Some(Acknowledgement::Silent)
    }

    /// They are not let in now; told once in a while.
    fn turn_away(&mut self, seat: &Seat, text: String) -> Acknowledgement {
        if self.told.may_turn_away(seat, self.clock.steady()) {
            Acknowledgement::Toast(text)
        } else {
            Acknowledgement::Silent
        }
    }

    /// The gateway answered somebody who knocked.
    pub(super) fn welcomed(&self, turn: &mut Turn<'_>, place: &Place, identity: &Identity, welcome: Welcome) {
        let place = self.at(place.clone());
        let text = match welcome {
            Welcome::Code { code, good_for } => wording::pairing_code(&code, good_for),
            Welcome::In { display_name, .. } => {
                let Some(reader) = self.reader(turn.now, &place) else { return };
                wording::welcome(&display_name, 0, &reader)
            }
            Welcome::InviteRefused => wording::invite_refused(),
            Welcome::Closed => wording::door_closed(),
        };
        turn.say(&place, Some(identity), None, text);
    }
}
