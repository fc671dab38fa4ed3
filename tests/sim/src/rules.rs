//! The rules of DESIGN section 4 as checks, each named by its number. They watch what goes into the relay, what comes out, what
//! is carried out and what the world really is; they never ask the relay. Rule 12 is about tasks, of which the relay has none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use askrelay_core::answer::Actor;
use askrelay_core::id::{
    Account, AckId, ConversationId, GatewayId, Identity, MessageId, Place, RecordKey, ResolutionId, SendId,
};
use askrelay_core::person::People;
use askrelay_core::port::{CommandAct, Event, Notice, Order, Reply, Report};
use askrelay_core::prompt::Prompt;
use askrelay_core::record::{Record, State};
use askrelay_core::relay::facts::FactKind;
use askrelay_core::relay::{Effect, Out, Step};
use askrelay_core::token::Nonce;

use crate::store::Store;
use crate::surface::Surface;

mod answering;
mod ending;
mod showing;
mod telling;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Its number.
    pub rule: u8,
    /// What was seen.
    pub what: String,
}

/// Whether a rule holds.
pub type Verdict = Result<(), Violation>;

/// One Record as it really is.
#[derive(Debug)]
pub(crate) struct Truth {
    pub(crate) record: Arc<Record>,
    pub(crate) state: State,
    /// Its gateway lost it.
    pub(crate) forgotten: bool,
}

/// Something that somebody did, as it was heard.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) reply: Reply,
    /// Its true place in the conversation's order.
    pub(crate) position: i64,
}

/// A Command that was given.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) key: RecordKey,
    pub(crate) act: CommandAct,
    pub(crate) process: u64,
    /// Its author was told what counts instead.
    pub(crate) told: bool,
    pub(crate) settled: bool,
    /// It really went out; one that did not may be lost in a crash.
    pub(crate) released: bool,
}

/// One Record in one conversation.
pub(crate) type Pair = (RecordKey, Place);

/// Everything the rules know.
#[derive(Debug)]
pub struct Rules {
    pub(crate) truths: BTreeMap<RecordKey, Truth>,
    numbers: BTreeMap<(String, u64), RecordKey>,
    /// The rights that the relay was told of.
    pub(crate) people: Arc<People>,
    /// What this process was told: still open, or how it ended.
    pub(crate) told: BTreeMap<RecordKey, Option<Arc<Record>>>,
    /// Where everything written stands, by update.
    positions: BTreeMap<(Account, String), i64>,
    pub(crate) heard: BTreeMap<Identity, Vec<Heard>>,
    pub(crate) given: BTreeMap<ResolutionId, Given>,
    /// Who was told how a Record ended; what they decided before may be sent only afterwards.
    pub(crate) knows_the_end: BTreeSet<(RecordKey, Identity)>,
    pub(crate) nonces: BTreeMap<Nonce, Pair>,
    /// Which Prompt a message shows, and whether the relay can know of it.
    pub(crate) copies: BTreeMap<(Place, MessageId), (RecordKey, bool)>,
    /// Where the first copy stands in the order of its conversation.
    pub(crate) first: BTreeMap<Pair, i64>,
    /// Orders under way.
    pub(crate) flights: BTreeMap<SendId, Pair>,
    /// The name under which a Prompt is being shown, and whether another one may follow.
    pub(crate) shows: BTreeMap<Pair, (SendId, bool)>,
    pub(crate) acks: BTreeMap<AckId, (String, Place)>,
    /// How often each update was delivered to this process and confirmed by it.
    pub(crate) deliveries: BTreeMap<(Account, String), (u32, u32)>,
    pub(crate) moved: BTreeMap<Place, ConversationId>,
    pub(crate) jumped: bool,
    seen_updates: BTreeSet<(Account, String)>,
}

impl Rules {
    pub(crate) fn new(people: Arc<People>) -> Self {
        Self {
            truths: BTreeMap::new(),
            numbers: BTreeMap::new(),
            people,
            told: BTreeMap::new(),
            positions: BTreeMap::new(),
            heard: BTreeMap::new(),
            given: BTreeMap::new(),
            knows_the_end: BTreeSet::new(),
            nonces: BTreeMap::new(),
            copies: BTreeMap::new(),
            first: BTreeMap::new(),
            flights: BTreeMap::new(),
            shows: BTreeMap::new(),
            acks: BTreeMap::new(),
            deliveries: BTreeMap::new(),
            moved: BTreeMap::new(),
            jumped: false,
            seen_updates: BTreeSet::new(),
        }
    }

    // --- What happens in the world -----------------------------------------------------------------------------

    pub(crate) fn asked(&mut self, record: &Arc<Record>, number: u64) {
        self.numbers.insert((record.key.gateway.to_string(), number), record.key.clone());
        let truth = Truth { record: Arc::clone(record), state: State::Pending, forgotten: false };
        self.truths.insert(record.key.clone(), truth);
    }

    pub(crate) fn ended(&mut self, record: &Arc<Record>) -> Verdict {
        let Some(truth) = self.truths.get_mut(&record.key) else { return Ok(()) };
        if !truth.state.is_pending() {
            return broken(2, format!("{} ended twice", record.key));
        }
        truth.state = record.state.clone();
        Ok(())
    }

    pub(crate) fn forgot(&mut self, gateway: &GatewayId) {
        for (key, truth) in &mut self.truths {
            truth.forgotten |= key.gateway == *gateway;
        }
    }

    pub(crate) fn written(&mut self, reply: &Reply, position: i64) {
        let update = (reply.place.account.clone(), reply.update.to_string());
        self.positions.insert(update, position);
    }

    pub(crate) fn moved(&mut self, account: &Account, from: &ConversationId, to: &ConversationId) {
        let place = |conversation: &ConversationId| Place {
            account: account.clone(),
            conversation: conversation.clone(),
        };
        self.moved.insert(place(from), to.clone());
        let followed: Vec<Pair> = self.first.keys().filter(|pair| pair.1 == place(from)).cloned().collect();
        for pair in followed {
            if let Some(position) = self.first.remove(&pair) {
                self.first.insert((pair.0, place(to)), position);
            }
        }
        let shows: Vec<Pair> = self.shows.keys().filter(|pair| pair.1 == place(from)).cloned().collect();
        for pair in shows {
            if let Some((send, _)) = self.shows.remove(&pair) {
                self.shows.insert((pair.0, place(to)), (send, true));
            }
        }
        for pair in self.flights.values_mut().filter(|pair| pair.1 == place(from)) {
            pair.1 = place(to);
        }
        for pair in self.nonces.values_mut().filter(|pair| pair.1 == place(from)) {
            pair.1 = place(to);
        }
    }

    pub(crate) fn deleted(&mut self, place: &Place, id: &MessageId) {
        if let Some((key, _)) = self.copies.get(&(place.clone(), id.clone()))
            && let Some((_, free)) = self.shows.get_mut(&(key.clone(), place.clone()))
        {
            *free = true;
        }
    }

    pub(crate) const fn clock_jumped(&mut self) {
        self.jumped = true;
    }

    pub(crate) fn crashed(&mut self, store: &Store) {
        let prompts: Vec<&str> =
            store.facts_of(FactKind::Prompt).filter_map(|fact| fact.body.as_deref()).collect();
        for ((place, message), (_, known)) in &mut self.copies {
            let (surface, id) = (format!("\"{}\"", place.account.surface), format!("\"{message}\""));
            *known = *known && prompts.iter().any(|body| body.contains(&surface) && body.contains(&id));
        }
        self.told.clear();
        self.knows_the_end.clear();
        self.given.retain(|_, given| given.released);
        self.flights.clear();
        self.deliveries.clear();
        self.people = Arc::default();
    }

    /// A message shows a Prompt now.
    pub(crate) fn seen(&mut self, surface: &Surface, place: &Place, id: &MessageId) {
        let Some(message) = surface.message(&place.conversation, id) else { return };
        let Some(key) = message.prompt.as_ref().and_then(|prompt| self.key_of(prompt)) else { return };
        self.copies.entry((place.clone(), id.clone())).or_insert((key.clone(), false));
        let first = self.first.entry((key, self.now_at(place))).or_insert(message.position);
        *first = message.position.min(*first);
    }

    /// Somebody's act reaches the process.
    pub(crate) fn heard(&mut self, reply: &Reply) {
        let update = (reply.place.account.clone(), reply.update.to_string());
        self.deliveries.entry(update.clone()).or_default().0 += 1;
        let position = self.positions.get(&update).copied().unwrap_or_default();
        let all = self.heard.entry(reply.sender.identity.clone()).or_default();
        all.push(Heard { reply: reply.clone(), position });
        if let Some(ack) = reply.ack {
            self.acks.insert(ack, (reply.sender.identity.user.to_string(), reply.place.clone()));
        }
    }

    pub(crate) fn presser(&self, account: &Account, ack: AckId) -> Option<(String, Place)> {
        self.acks.get(&ack).filter(|(_, place)| place.account == *account).cloned()
    }

    // --- What the relay does -----------------------------------------------------------------------------------

    /// Before the relay takes an event.
    pub(crate) fn before(&mut self, event: &Event) {
        match event {
            Event::Notice(_, Notice::People(people)) => self.people = Arc::clone(people),
            Event::Notice(_, Notice::Opened(record)) => self.tell(record),
            Event::Notice(_, Notice::Closed(record)) => self.tell(record),
            Event::Notice(_, Notice::Snapshot { records, .. }) => {
                records.iter().for_each(|record| self.tell(record))
            }
            Event::Notice(_, Notice::Refused { resolution, .. }) => {
                if let Some(given) = self.given.get_mut(resolution) {
                    given.settled = true;
                }
            }
            Event::Report(Report::Offline { account, .. }) => {
                self.flights.retain(|_, pair| pair.1.account != *account);
            }
            Event::Report(Report::Shown { send, receipt, .. }) => self.reported_shown(send, receipt),
            Event::Report(Report::Failed { send, failure }) => self.reported_failed(send, failure.kind),
            Event::Report(Report::Replied(reply)) => self.reported_press(reply),
            _ => {}
        }
    }

    fn tell(&mut self, record: &Arc<Record>) {
        let ended = (!record.state.is_pending()).then(|| Arc::clone(record));
        let told = self.told.entry(record.key.clone()).or_default();
        if told.is_none() {
            *told = ended;
        }
    }

    /// Every rule that speaks about one step.
    pub(crate) fn stepped(&mut self, event: &Event, step: &Step, process: u64) -> Verdict {
        let reply = match event {
            Event::Report(Report::Replied(reply)) => Some(&**reply),
            _ => None,
        };
        let again = reply.is_some_and(|reply| {
            !self.seen_updates.insert((reply.place.account.clone(), reply.update.to_string()))
        });
        self.rule_08_acknowledged_at_once(reply, step)?;
        self.rule_10_secrets_stay_out(step)?;
        self.rule_11_bounded_orders(step)?;
        for effect in &step.effects {
            let (Effect::Now(out) | Effect::AfterSave(out)) = effect;
            match out {
                Out::Command(gateway, command) => {
                    self.rule_15_the_right_gateway(gateway, command)?;
                    self.rule_07_ends_only_what_is_ours(command)?;
                    self.rule_03_only_with_a_permit(command)?;
                    self.rule_13_one_name_for_one_attempt(command)?;
                    if !self.given.contains_key(&command.resolution) {
                        self.rule_04_a_declared_choice_or_exact_words(command)?;
                        self.rule_14_nothing_older_than_its_prompt(command)?;
                    }
                    self.give(command, process);
                }
                Out::Knock(..) | Out::Notified(..) => {}
                Out::Order(_, order) => {
                    self.rule_13_one_order_at_a_time(order)?;
                    self.rule_05_tokens(order)?;
                    self.rule_06_not_retired_early(order)?;
                    self.rule_02_the_end_as_it_was(order)?;
                }
            }
        }
        self.rule_07_a_press_has_an_outcome(reply.filter(|_| !again), step)?;
        self.rule_02_losers_are_told(event, step, process)
    }

    /// Every rule that speaks about the moment something is really done.
    pub(crate) fn released(&mut self, out: &Out, store: &Store) -> Verdict {
        self.rule_13_one_name_for_one_message(out)?;
        self.rule_01_save_then_tell(out, store)?;
        if let Out::Command(_, command) = out
            && let Some(given) = self.given.get_mut(&command.resolution)
        {
            given.released = true;
        }
        self.rule_13_confirmed_once(out)
    }

    fn give(&mut self, command: &askrelay_core::port::Command, process: u64) {
        let author = actor_of(&command.act).and_then(|actor| actor.identity.clone());
        let given = Given {
            key: command.key.clone(),
            act: command.act.clone(),
            process,
            told: author.is_some_and(|author| self.knows_the_end.contains(&(command.key.clone(), author))),
            settled: false,
            released: false,
        };
        self.given.entry(command.resolution.clone()).or_insert(given);
    }

    // --- Small questions ---------------------------------------------------------------------------------------

    /// Which Record a Prompt is about, by the mark in its words.
    pub(crate) fn key_of(&self, prompt: &Prompt) -> Option<RecordKey> {
        let text: String =
            prompt.messages.iter().flat_map(|body| &body.0).map(|piece| piece.text.as_str()).collect();
        let mark = text.split("Colour-").nth(1)?;
        let mut parts = mark.split('-');
        let (gateway, number) = (parts.next()?, parts.next()?);
        self.numbers.get(&(gateway.to_owned(), number.parse().ok()?)).cloned()
    }

    /// Where a Place is now.
    pub(crate) fn now_at(&self, place: &Place) -> Place {
        let mut place = place.clone();
        while let Some(to) = self.moved.get(&place) {
            place.conversation = to.clone();
        }
        place
    }

    /// The pair of an Order that shows, edits or retires.
    pub(crate) fn pair_of(&self, order: &Order) -> Option<Pair> {
        match order {
            Order::Show { place, prompt, .. } => Some((self.key_of(prompt)?, self.now_at(place))),
            Order::Edit { receipt, prompt, .. } | Order::Retire { receipt, prompt, .. } => {
                let message = receipt.messages.last()?;
                let shown = self.copies.get(&(receipt.place.clone(), message.clone()));
                let key = shown.map(|(key, _)| key.clone()).or_else(|| self.key_of(prompt))?;
                Some((key, self.now_at(&receipt.place)))
            }
            _ => None,
        }
    }
}

pub(crate) fn send_of(order: &Order) -> Option<&SendId> {
    match order {
        Order::Show { send, .. } | Order::Edit { send, .. } | Order::Retire { send, .. } => Some(send),
        _ => None,
    }
}

pub(crate) fn actor_of(act: &CommandAct) -> Option<&Actor> {
    match act {
        CommandAct::Resolve { actor, .. } => Some(actor),
        CommandAct::Cancel { actor, .. } => actor.as_ref(),
    }
}

/// The words of a Prompt in a row.
pub(crate) fn text_of(prompt: &Prompt) -> String {
    prompt.messages.iter().flat_map(|body| &body.0).map(|piece| piece.text.as_str()).collect()
}

pub(crate) fn broken<T>(rule: u8, what: String) -> Result<T, Violation> {
    Err(Violation { rule, what })
}
