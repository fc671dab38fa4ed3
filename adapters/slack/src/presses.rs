//! Interactions that wait for their acknowledgement: between the update that brought one and the Order that ends it. Sends nothing
//! and reads no clock.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use askrelay_core::id::AckId;
use reqwest::Url;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::limits::{REMEMBERED, RESPONSES};
use crate::place::Spot;

/// What answering an interaction needs.
#[derive(Clone, PartialEq)]
pub(crate) struct Press {
    /// Where it was.
    pub(crate) spot: Spot,
    /// The channel of that, where it is known.
    pub(crate) channel: Option<String>,
    /// The thread in which its message stands.
    pub(crate) thread: Option<String>,
    /// Who.
    pub(crate) user: String,
    /// The `ts` of its message.
    pub(crate) message: Option<String>,
    /// Opens a modal, for three seconds.
    pub(crate) trigger: Option<String>,
    /// Brings words to the one who pressed, for half an hour. Whoever has it can write there.
    pub(crate) response_url: Option<Url>,
    /// The modal that was sent; none where a message's control was pressed.
    pub(crate) modal: Option<Modal>,
}

/// A modal that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Modal {
    /// Its title.
    pub(crate) title: String,
    /// Its fields: token and label.
    pub(crate) fields: Vec<(String, String)>,
}

/// What the platform's own request is answered with; nothing is success without words.
pub(crate) type Answer = Option<Value>;

/// Neither the trigger nor the address: whoever has them can open something or write there.
impl fmt::Debug for Press {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { spot, user, message, .. } = self;
        let mut press = formatter.debug_struct("Press");
        press.field("spot", spot).field("user", user).field("message", message).finish_non_exhaustive()
    }
}

/// An interaction that came.
struct Owed {
    update: String,
    press: Press,
    came: Instant,
    /// An Order has acknowledged it.
    acknowledged: bool,
    /// How often words were sent by its address.
    responses: usize,
    /// What the platform's requests that brought it are answered with, once that is known.
    answer: Option<Answer>,
    /// Those requests.
    requests: Vec<oneshot::Sender<Answer>>,
}

/// Not what it was answered with, which is what people said and what they were told.
impl fmt::Debug for Owed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { press, acknowledged, answer, .. } = self;
        let mut owed = formatter.debug_struct("Owed");
        owed.field("press", press).field("acknowledged", acknowledged);
        owed.field("answered", &answer.is_some()).finish_non_exhaustive()
    }
}

/// Interactions by the acknowledgement that they owe.
#[derive(Debug, Default)]
pub(crate) struct Presses {
    owed: BTreeMap<AckId, Owed>,
    /// The oldest first.
    order: VecDeque<AckId>,
    by_update: BTreeMap<String, AckId>,
    count: u64,
}

impl Presses {
    /// An interaction came. One that is delivered again owes nothing new, and its request gets the same answer.
    pub(crate) fn came(
        &mut self,
        update: &str,
        press: Press,
        request: Option<oneshot::Sender<Answer>>,
        now: Instant,
    ) -> Option<AckId> {
        if let Some(owed) = self.by_update.get(update).and_then(|ack| self.owed.get_mut(ack)) {
            match (&owed.answer, request) {
                (Some(answer), Some(request)) => end(request, answer.clone()),
                (None, Some(request)) => owed.requests.push(request),
                (_, None) => {}
            }
            return None;
        }
        self.forget(now);
        self.count += 1;
        let ack = AckId(self.count);
        let update = update.to_owned();
        self.by_update.insert(update.clone(), ack);
        self.order.push_back(ack);
        let requests = Vec::from_iter(request);
        let owed =
            Owed { update, press, came: now, acknowledged: false, responses: 0, answer: None, requests };
        self.owed.insert(ack, owed);
        Some(ack)
    }

    /// It is acknowledged now: what answering it needs, and when it came. Nothing where none is owed.
    pub(crate) fn acknowledge(&mut self, ack: AckId) -> Option<(Press, Instant)> {
        let owed = self.owed.get_mut(&ack).filter(|owed| !owed.acknowledged)?;
        owed.acknowledged = true;
        Some((owed.press.clone(), owed.came))
    }

    /// What answering it needs, acknowledged or not; nothing where it is unknown.
    pub(crate) fn known(&self, ack: AckId) -> Option<Press> {
        self.owed.get(&ack).map(|owed| owed.press.clone())
    }

    /// Answers the platform's request; `false` where it was answered before.
    pub(crate) fn answer(&mut self, ack: AckId, answer: Answer) -> bool {
        let Some(owed) = self.owed.get_mut(&ack).filter(|owed| owed.answer.is_none()) else { return false };
        for request in owed.requests.drain(..) {
            end(request, answer.clone());
        }
        owed.answer = Some(answer);
        true
    }

    /// Its address, if words can still be sent by it; counts as one use.
    pub(crate) fn response_url(&mut self, ack: AckId, now: Instant) -> Option<Url> {
        let (good_for, most) = RESPONSES;
        let fresh = |owed: &&mut Owed| owed.came + good_for > now && owed.responses < most;
        let owed = self.owed.get_mut(&ack).filter(fresh)?;
        let url = owed.press.response_url.clone()?;
        owed.responses += 1;
        Some(url)
    }

    /// What the platform forgot is forgotten, and the oldest beyond what is remembered.
    fn forget(&mut self, now: Instant) {
        while let Some(oldest) = self.order.front() {
            let old = self.owed.get(oldest).is_none_or(|owed| owed.came + RESPONSES.0 <= now);
            if !old && self.order.len() < REMEMBERED {
                return;
            }
            if let Some(owed) = self.owed.remove(oldest) {
                self.by_update.remove(&owed.update);
            }
            self.order.pop_front();
        }
    }
}

/// Whoever asked may be gone.
fn end(request: oneshot::Sender<Answer>, answer: Answer) {
    let _ = request.send(answer);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::place::Room;

    fn press() -> Press {
        Press {
            spot: Spot { room: Room::Channel("C0TEAM".to_owned()), thread: None },
            channel: Some("C0TEAM".to_owned()),
            thread: None,
            user: "U0SAM".to_owned(),
            message: None,
            trigger: None,
            response_url: Url::parse("https://hooks.slack.com/actions/T0/1/x").ok(),
            modal: None,
        }
    }

    #[test]
    fn a_press_is_owed_and_ended_once() {
        let now = Instant::now();
        let mut presses = Presses::default();
        let first = presses.came("p:1", press(), None, now).unwrap();
        let second = presses.came("p:2", press(), None, now).unwrap();
        assert_ne!(first, second);
        assert_eq!(presses.came("p:1", press(), None, now), None, "delivered again");
        assert!(presses.acknowledge(first).is_some());
        assert!(presses.acknowledge(first).is_none());
        assert!(presses.known(first).is_some(), "words may still follow");
        assert_eq!(presses.came("p:1", press(), None, now), None, "delivered again after its end");
        assert!(presses.acknowledge(AckId(99)).is_none());
    }

    #[tokio::test]
    async fn every_request_that_brings_it_gets_the_same_answer() {
        let now = Instant::now();
        let mut presses = Presses::default();
        let (first, first_answer) = oneshot::channel();
        let (second, second_answer) = oneshot::channel();
        let (third, third_answer) = oneshot::channel();
        let ack = presses.came("v:1", press(), Some(first), now).unwrap();
        assert_eq!(presses.came("v:1", press(), Some(second), now), None);
        assert!(presses.answer(ack, Some(json!({ "a": 1 }))));
        assert!(!presses.answer(ack, None), "answered already");
        presses.came("v:1", press(), Some(third), now);
        for answer in [first_answer, second_answer, third_answer] {
            assert_eq!(answer.await, Ok(Some(json!({ "a": 1 }))));
        }
    }

    #[test]
    fn an_address_is_good_for_a_while_and_a_few_times() {
        let now = Instant::now();
        let mut presses = Presses::default();
        let ack = presses.came("p:1", press(), None, now).unwrap();
        let uses = (0..10).filter(|_| presses.response_url(ack, now).is_some()).count();
        assert_eq!(uses, RESPONSES.1);
        let ack = presses.came("p:2", press(), None, now).unwrap();
        assert_eq!(presses.response_url(ack, now + RESPONSES.0), None);
    }

    #[test]
    fn what_nobody_ends_is_forgotten() {
        let now = Instant::now();
        let mut presses = Presses::default();
        let first = presses.came("first", press(), None, now).unwrap();
        for number in 0..REMEMBERED {
            presses.came(&number.to_string(), press(), None, now);
        }
        assert!(presses.known(first).is_none());
        assert!(presses.owed.len() <= REMEMBERED && presses.by_update.len() <= REMEMBERED);
        presses.came("last", press(), None, now + RESPONSES.0 + Duration::from_secs(1));
        assert_eq!(presses.owed.len(), 1, "all the others are too old");
    }
}
