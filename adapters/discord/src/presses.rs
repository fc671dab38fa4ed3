//! Interactions that wait for their answer, or for words after it: between the event that brought one and the Order that ends it.
//! Pure over the time that is handed in; sends nothing.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use askrelay_core::id::{AckId, Place};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::decode::Owed;
use crate::limits::{PRESSES, TOKEN_LIVES};

/// Interactions that came lately.
#[derive(Debug, Default)]
pub(crate) struct Presses {
    open: BTreeMap<AckId, Press>,
    /// By the platform's id, the oldest first.
    lately: VecDeque<String>,
    count: u64,
}

#[derive(Debug)]
struct Press {
    owed: Owed,
    place: Place,
    came: Instant,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Nothing was answered.
    Owed,
    /// Answered in silence since no Order came in time: what an Order says now can only follow.
    Overdue(Over),
    /// Answered in silence by an Order that promised words.
    Later(Over),
}

/// Becomes true when the first answer is over, before which nothing can follow it.
pub(crate) type Over = watch::Receiver<bool>;

/// How something is told to whoever pressed.
#[derive(Debug)]
pub(crate) enum Way {
    /// By the first answer.
    Answer(First),
    /// By what follows it, in this conversation, once it is over.
    Follow(Owed, Place, Over),
}

/// The first answer to an interaction, still to be given.
#[derive(Debug)]
pub(crate) struct First {
    pub(crate) owed: Owed,
    /// Where it came from, and when.
    pub(crate) place: Place,
    pub(crate) came: Instant,
    /// Told when it is over.
    pub(crate) over: watch::Sender<bool>,
}

impl Presses {
    /// An interaction came. One that is delivered again owes nothing new.
    pub(crate) fn came(&mut self, owed: Owed, place: Place, now: Instant) -> Option<AckId> {
        if self.lately.iter().rev().any(|known| *known == owed.id) {
            return None;
        }
        if self.lately.len() >= PRESSES {
            self.lately.pop_front();
        }
        if self.open.len() >= PRESSES {
            self.open.pop_first();
        }
        self.lately.push_back(owed.id.clone());
        self.count += 1;
        self.open.insert(AckId(self.count), Press { owed, place, came: now, state: State::Owed });
        Some(AckId(self.count))
    }

    /// How it can be acknowledged; nothing where it was, or nobody knows it. `later`: words are promised.
    pub(crate) fn acknowledge(&mut self, ack: AckId, later: bool) -> Option<Way> {
        match &self.open.get(&ack)?.state {
            State::Later(_) => None,
            State::Owed if later => {
                let (sender, over) = watch::channel(false);
                let press = self.open.get_mut(&ack)?;
                press.state = State::Later(over);
                Some(Way::Answer(press.first(sender)))
            }
            State::Overdue(over) if later => {
                let over = over.clone();
                self.open.get_mut(&ack)?.state = State::Later(over);
                None
            }
            State::Owed | State::Overdue(_) => self.open.remove(&ack).map(Press::way),
        }
    }

    /// How words can be told that an Order brings after the acknowledgement; nothing where they cannot any more.
    pub(crate) fn follow(&mut self, ack: AckId, now: Instant) -> Option<Way> {
        let press = self.open.remove(&ack)?;
        (now.duration_since(press.came) < TOKEN_LIVES).then(|| press.way())
    }

    /// One that waited too long for its Order, and is to be answered in silence now.
    pub(crate) fn overdue(&mut self, now: Instant, after: Duration) -> Option<First> {
        let is_over = |press: &Press| matches!(press.state, State::Owed) && press.came + after <= now;
        let press = self.open.values_mut().find(|press| is_over(press))?;
        let (sender, over) = watch::channel(false);
        press.state = State::Overdue(over);
        Some(press.first(sender))
    }

    /// When the next one has waited too long.
    pub(crate) fn due(&self, after: Duration) -> Option<Instant> {
        // They came in the order of their numbers.
        let owed = self.open.values().find(|press| matches!(press.state, State::Owed));
        owed.map(|press| press.came + after)
    }
}

impl Press {
    fn first(&self, over: watch::Sender<bool>) -> First {
        First { owed: self.owed.clone(), place: self.place.clone(), came: self.came, over }
    }

    fn way(self) -> Way {
        match self.state {
            State::Owed => Way::Answer(self.first(watch::channel(false).0)),
            State::Overdue(over) | State::Later(over) => Way::Follow(self.owed, self.place, over),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER: Duration = Duration::from_secs(2);

    fn owed(id: &str) -> Owed {
        let by = askrelay_core::id::Identity { surface: "discord".into(), user: "80351110224678912".into() };
        let token = crate::token::InteractionToken::new(format!("token-{id}"));
        Owed { id: id.to_owned(), token, by, is_form: false }
    }

    fn place() -> Place {
        let account = askrelay_core::id::Account { surface: "discord".into(), name: "main".into() };
        Place { account, conversation: "4711".into() }
    }

    /// `answer 77`, `follow 77` or nothing.
    fn told(way: Option<Way>) -> String {
        match way {
            Some(Way::Answer(first)) => format!("answer {}", first.owed.id),
            Some(Way::Follow(owed, ..)) => format!("follow {}", owed.id),
            None => "nothing".to_owned(),
        }
    }

    #[test]
    fn an_interaction_is_answered_once() {
        let (mut presses, now) = (Presses::default(), Instant::now());
        let first = presses.came(owed("77"), place(), now).unwrap();
        assert_eq!(presses.came(owed("77"), place(), now), None, "delivered again");
        assert_eq!(told(presses.acknowledge(first, false)), "answer 77");
        assert_eq!(told(presses.acknowledge(first, false)), "nothing");
        assert_eq!(presses.came(owed("77"), place(), now), None, "delivered again after its end");
        assert_eq!(told(presses.acknowledge(AckId(99), false)), "nothing");
        assert_eq!(told(presses.follow(first, now)), "nothing");
    }

    #[test]
    fn promised_words_follow_once() {
        let (mut presses, now) = (Presses::default(), Instant::now());
        let ack = presses.came(owed("77"), place(), now).unwrap();
        assert_eq!(told(presses.acknowledge(ack, true)), "answer 77");
        assert_eq!(told(presses.acknowledge(ack, false)), "nothing", "it is acknowledged");
        assert_eq!(told(presses.follow(ack, now)), "follow 77");
        assert_eq!(told(presses.follow(ack, now)), "nothing");
        let old = presses.came(owed("78"), place(), now).unwrap();
        presses.acknowledge(old, true);
        assert_eq!(told(presses.follow(old, now + TOKEN_LIVES)), "nothing", "its token is used up");
        let early = presses.came(owed("79"), place(), now).unwrap();
        assert_eq!(told(presses.follow(early, now)), "answer 79", "the words are its first answer");
    }

    #[test]
    fn what_waits_too_long_is_answered_in_silence() {
        let (mut presses, now) = (Presses::default(), Instant::now());
        assert_eq!(presses.due(AFTER), None);
        let ack = presses.came(owed("77"), place(), now).unwrap();
        assert_eq!(presses.due(AFTER), Some(now + AFTER));
        assert!(presses.overdue(now, AFTER).is_none());
        assert_eq!(presses.overdue(now + AFTER, AFTER).unwrap().owed, owed("77"));
        assert!(presses.overdue(now + AFTER, AFTER).is_none(), "once");
        assert_eq!(presses.due(AFTER), None);
        assert_eq!(told(presses.acknowledge(ack, true)), "nothing", "silence was there already");
        assert_eq!(told(presses.acknowledge(ack, false)), "nothing");
        assert_eq!(told(presses.follow(ack, now + AFTER)), "follow 77");
        let late = presses.came(owed("78"), place(), now).unwrap();
        presses.overdue(now + AFTER, AFTER);
        assert_eq!(told(presses.acknowledge(late, false)), "follow 78", "the words come after it");
    }

    #[test]
    fn what_nobody_ends_is_forgotten() {
        let (mut presses, now) = (Presses::default(), Instant::now());
        let first = presses.came(owed("first"), place(), now).unwrap();
        for number in 0..PRESSES {
            presses.came(owed(&number.to_string()), place(), now);
        }
        assert_eq!(told(presses.acknowledge(first, false)), "nothing");
        assert!(presses.lately.len() <= PRESSES && presses.open.len() <= PRESSES);
    }
}
