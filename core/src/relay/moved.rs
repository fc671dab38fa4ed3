//! A conversation has another id: everything that names it is rewritten in one step, and open questions are shown anew, since
//! a platform may not carry messages over.

use super::Relay;
use super::state::{Dirty, SendOf, Text};
use super::turn::Turn;
use crate::id::{ConversationId, Place, RecordKey};
use crate::port::{Act, Reply};

impl Relay {
    pub(super) fn moved(&mut self, turn: &mut Turn<'_>, from: &Place, to: &ConversationId) {
        let from = self.at(from.clone());
        let to = Place { account: from.account.clone(), conversation: to.clone() };
        if from == to {
            return;
        }
        // Moving back ends a circle: the older move is forgotten.
        if self.moved.remove(&to).is_some() {
            turn.dirty.insert(Dirty::Moved(to.clone()));
        }
        self.moved.insert(from.clone(), to.conversation.clone());
        turn.dirty.insert(Dirty::Moved(from.clone()));
        let has_it = |(key, tracked): (&RecordKey, &super::Tracked)| {
            tracked.showings.contains_key(&from).then(|| key.clone())
        };
        let keys: Vec<RecordKey> = self.tracked.iter().filter_map(has_it).collect();
        for key in keys {
            self.move_showing(turn, &key, &from, &to);
        }
        self.move_people(turn, &from, &to);
    }

    /// Takes a reply to where its conversation is now. Ids and order of the one that moved mean nothing there, where other
    /// messages may have them; the Record whose Prompt a text replied to is still known, and returned.
    pub(super) fn follow(&self, reply: &mut Reply) -> Option<RecordKey> {
        let place = self.at(reply.place.clone());
        let Act::Text { reply_to, .. } = &mut reply.act else {
            if place != reply.place {
                (reply.message, reply.position) = (None, None);
                reply.place = place;
            }
            return None;
        };
        let about = reply_to.as_ref().and_then(|message| self.index.shown_by(&reply.place, message)).cloned();
        if place != reply.place {
            (reply.message, reply.position, *reply_to) = (None, None, None);
            reply.place = place;
        }
        about
    }

    fn move_showing(&mut self, turn: &mut Turn<'_>, key: &RecordKey, from: &Place, to: &Place) {
        let send = turn.send_id();
        let Some(tracked) = self.tracked.get_mut(key) else { return };
        let Some(mut showing) = tracked.showings.remove(from) else { return };
        let (before, after) = ((key.clone(), from.clone()), (key.clone(), to.clone()));
        self.index.remove(&before, &showing);
        for copy in &mut showing.copies {
            // Its message ids mean nothing in the new conversation, where other messages may have them.
            copy.left_behind = true;
        }
        turn.dirty.extend([Dirty::Prompt(before.clone()), Dirty::Draft(before.clone())]);
        turn.dirty.extend([Dirty::Prompt(after.clone()), Dirty::Draft(after.clone())]);
        turn.touch(&after);
        if let Some(there) = tracked.showings.get_mut(to) {
            // It was shown under both ids: the copies are now copies of one Prompt.
            self.lanes.leave(&before);
            there.nonces.push(showing.nonce);
            there.nonces.append(&mut showing.nonces);
            there.copies.append(&mut showing.copies);
            self.index.sends.insert(showing.send, SendOf::Prompt(after.clone()));
            self.index.add(&after, there, tracked.phase);
            return;
        }
        self.lanes.rename(&before, &after);
        if showing.flight.is_none() {
            showing.send = send;
            showing.waits = false;
        }
        showing.failed = None;
        self.index.add(&after, &showing, tracked.phase);
        tracked.showings.insert(to.clone(), showing);
    }

    /// Running inputs and held texts go along.
    fn move_people(&mut self, turn: &mut Turn<'_>, from: &Place, to: &Place) {
        let seats: Vec<_> = self.inputs.keys().filter(|seat| seat.0 == *from).cloned().collect();
        for seat in seats {
            self.move_input(turn, &seat, to);
        }
        if let Some(mut held) = self.held.remove(from) {
            for Text { reply, about, .. } in &mut held.texts {
                *about = self.follow(reply).or(about.take());
            }
            self.held.entry(to.clone()).or_default().texts.append(&mut held.texts);
            self.time_held(to);
        }
    }
}
