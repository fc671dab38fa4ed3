//! Somebody unknown writes to the bot in private: they knock at the gateway, which gives a code or takes an invite, and are
//! told what it said. Lets nobody in, and says nothing about who is known or what is asked.

use super::state::Seat;
use super::turn::Turn;
use super::{Door, Relay};
use crate::id::{Identity, Place};
use crate::permit::Refused;
use crate::port::{Acknowledgement, Knock, Reply, Welcome};
use crate::prompt::wording;
use crate::reply::{Service, service};

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
        if invite.is_none() && !self.told.may_refuse(&seat, Refused::Unknown, self.clock.steady()) {
            return Some(Acknowledgement::Silent);
        }
        if !self.links.contains_key(&gateway) {
            return Some(Acknowledgement::Toast(wording::door_closed()));
        }
        let (place, identity) = seat;
        let display_name = reply.sender.display_name.clone();
        turn.knock(&gateway, Knock { place, identity, display_name, invite });
        Some(Acknowledgement::Silent)
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
