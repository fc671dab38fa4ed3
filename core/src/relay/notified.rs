//! What an agent tells people without asking anything: where it goes, by the routes of Asks. Remembers nothing, so that nobody is
//! told twice; a Place that cannot be reached at the moment is not told.

use super::Relay;
use super::turn::Turn;
use crate::id::GatewayId;
use crate::port::Notification;
use crate::prompt::wording;
use crate::route::Sent;

impl Relay {
    /// Tells it everywhere it goes, and its gateway in how many Places that is.
    pub(super) fn notify(&self, turn: &mut Turn<'_>, gateway: &GatewayId, notification: &Notification) {
        let Notification { number, message, origin, creator, places } = notification;
        let sent = Sent { origin, creator: creator.as_ref(), places };
        let mut told = 0;
        for place in self.config.routes.of(sent).places {
            let place = self.at(place);
            let Some(reader) = self.reader(turn.now, &place) else { continue };
            if self.online.contains(&place.account) {
                turn.say(&place, None, None, wording::notification(origin, message, &reader));
                told += 1;
            }
        }
        turn.notified(gateway, *number, told);
    }
}
