//! A relay with three surfaces, one gateway and four people, driven by the words of a script. Ids get short names in the order
//! they appear: `s1` messages, `r1` Commands. Facts are kept as a store would keep them, so that a `crash` can lose the rest.

use std::collections::BTreeMap;
use std::sync::Arc;

use askrelay_core::answer::{Actor, Way};
use askrelay_core::audit::Entry;
use askrelay_core::foreign::{Foreign, RunOf};
use askrelay_core::id::{Account, Fresh, Identity, Place};
use askrelay_core::limits::{ControlLimits, FormLimits, InputLimits, Limits, MenuLimits, Unit};
use askrelay_core::permit::Refused;
use askrelay_core::person::{People, Person, Scope};
use askrelay_core::port::{Acknowledgement, Command, CommandAct, Event, Notice, Order, Report};
use askrelay_core::prompt::{Control, Prompt};
use askrelay_core::record::{Record, WhyCancelled};
use askrelay_core::relay::facts::{Fact, FactKind};
use askrelay_core::relay::{Config, Door, Effect, Out, Relay, Step};
use askrelay_core::route::{Routes, Rule};
use askrelay_core::time::Time;
use askrelay_core::token::{Nonce, Token};

/// When every script starts: 2026-11-30 12:00 UTC.
pub(crate) const START: Time = Time(1_796_040_000_000);

/// The relay and what a script knows about it.
pub(crate) struct World {
    pub(crate) relay: Relay,
    pub(crate) now: Time,
    pub(crate) records: BTreeMap<String, Arc<Record>>,
    pub(crate) nonces: BTreeMap<(String, Place), Nonce>,
    /// Long ids by their short names, and the other way round.
    pub(crate) names: BTreeMap<String, String>,
    short: BTreeMap<String, String>,
    counts: BTreeMap<char, usize>,
    facts: BTreeMap<(FactKind, String), Fact>,
    trail: Vec<Entry>,
    fresh: Counter,
    pub(crate) updates: u64,
}

/// Ids that count up.
struct Counter(u128);

impl Fresh for Counter {
    fn bytes(&mut self) -> [u8; 16] {
        self.0 += 1;
        (self.0 << 64 | self.0).to_be_bytes()
    }
}

pub(crate) fn account(surface: &str) -> Account {
    Account { surface: surface.into(), name: "main".into() }
}

/// `b:1` is conversation 1 of surface `b`.
pub(crate) fn place(text: &str) -> Place {
    let (surface, conversation) = text.split_once(':').unwrap_or_else(|| panic!("no place: {text}"));
    Place { account: account(surface), conversation: conversation.into() }
}

/// `b` has buttons, edits and asks for replies; `m` has modals; `t` has text only and cannot edit; `s` has menus that hold what is
/// taken until a press, forms of up to three fields in a message and of eight in a modal.
fn limits(surface: &str) -> Limits {
    let menu = MenuLimits { entries: 20, label: 40, description: 0, several: true, held: true };
    let controls = ControlLimits {
        buttons: 20,
        row: 5,
        rows: 10,
        label: 40,
        choices: 10,
        form: (surface == "s").then_some(FormLimits { fields: 3, label: 40, menus: true }),
        menu: (surface == "s").then_some(menu),
        input: if surface == "b" {
            InputLimits::ForcedReply { placeholder: 64 }
        } else {
            modal(surface == "s")
        },
        link: Some(512),
    };
    Limits {
        unit: Unit::CodePoints,
        message: 4000,
        messages: 3,
        line: None,
        controls: (surface != "t").then_some(controls),
        edits: surface != "t",
        private_notes: surface == "m",
        command_prefix: '/',
        shared: true,
        hears_all: true,
    }
}

/// Ana and Bob may answer, Adm may everything, Eve is nobody.
pub(crate) fn people(without: Option<&str>) -> Arc<People> {
    let scopes = |name: &str| match name {
        "adm" => [Scope::QuestionsAdmin].into(),
        _ => [Scope::QuestionsAnswer].into(),
    };
    let names = ["ana", "bob", "adm", "owner"].into_iter().filter(|name| Some(*name) != without);
    Arc::new(
        names
            .map(|name| Person {
                id: name.into(),
                display_name: name.to_owned(),
                scopes: scopes(name),
                identities: ["b", "m", "t", "s"].map(|surface| identity(surface, name)).into(),
            })
            .collect(),
    )
}

pub(crate) fn identity(surface: &str, user: &str) -> Identity {
    Identity { surface: surface.into(), user: user.into() }
}

/// A gateway whose agent `main` is Ana's, and whose questions go to her alone.
fn claw() -> Foreign {
    let rule = Rule { places: vec!["b:1".to_owned()], ..Rule::default() };
    let run = RunOf { agent: Some("main".to_owned()), session: None, person: "ana".into() };
    Foreign { runs: vec![run], rules: vec![rule], panel: Some("http://claw:1".to_owned()) }
}

fn config() -> Config {
    let seat = Actor {
        identity: Some(identity("t", "owner")),
        ..Actor::new(Some("owner".into()), Way::AskingTerminal)
    };
    Config {
        accounts: ["b", "m", "t", "s"].map(|surface| (account(surface), limits(surface))).into(),
        routes: Routes {
            named: ["b:1", "b:2", "b:9", "m:1", "s:1", "t:1", "t:tty", "x:1"]
                .map(|name| (name.to_owned(), place(name)))
                .into(),
            ..Routes::default()
        },
        delivers_for: Some("local".into()),
        foreign: [("claw".into(), claw())].into(),
        gateways: ["local", "claw", "theirs"].map(Into::into).into(),
        doors: [(account("b"), Door::Pairing), (account("t"), Door::Allowlist)].into(),
        seats: [(place("t:tty"), seat)].into(),
        ..Config::default()
    }
}

impl World {
    pub(crate) fn new() -> Self {
        let (relay, _) = Relay::recover(config(), []);
        let mut world = Self {
            relay,
            now: START,
            records: BTreeMap::new(),
            nonces: BTreeMap::new(),
            names: BTreeMap::new(),
            short: BTreeMap::new(),
            counts: BTreeMap::new(),
            facts: BTreeMap::new(),
            trail: Vec::new(),
            fresh: Counter(0),
            updates: 0,
        };
        world.connect();
        world
    }

    /// Everybody is there and the gateway has nothing pending.
    fn connect(&mut self) {
        self.step(Event::Notice("local".into(), Notice::People(people(None))));
        for surface in ["b", "m", "t", "s"] {
            self.step(Event::Report(Report::Online { account: account(surface) }));
        }
        self.step(Event::Notice("local".into(), Notice::Online { boot: None }));
        self.step(Event::Notice("local".into(), Notice::Snapshot { records: Vec::new(), last: true }));
    }

    /// Loses everything that was not saved.
    pub(crate) fn restart(&mut self) {
        let (relay, problems) = Relay::recover(config(), self.facts.values().cloned());
        assert!(problems.is_empty(), "{problems:?}");
        self.relay = relay;
    }

    /// Loses the saved Records too, with everything else that was not saved.
    pub(crate) fn lose_records(&mut self) {
        self.facts.retain(|(kind, _), _| *kind != FactKind::Record);
        (self.relay, _) = Relay::recover(config(), self.facts.values().cloned());
    }

    /// One step, as lines.
    pub(crate) fn step(&mut self, event: Event) -> Vec<String> {
        let Step { facts, audit, effects } = self.relay.step(self.now, event, &mut self.fresh);
        self.trail.extend(audit);
        for fact in facts {
            let key = (fact.kind, fact.key.clone());
            match fact.body {
                Some(_) => self.facts.insert(key, fact),
                None => self.facts.remove(&key),
            };
        }
        effects.iter().map(|effect| self.line(effect)).collect()
    }

    /// The trail since it was looked at last.
    pub(crate) fn trail(&mut self) -> Vec<String> {
        let line = |entry: Entry| {
            let Entry { what, actor, record, place, detail, .. } = entry;
            let who = actor.map(|actor| {
                let name = actor.person.map(|person| person.to_string());
                format!(" {}", name.or_else(|| Some(actor.identity?.user.to_string())).unwrap_or_default())
            });
            let record = record.map(|record| format!(" {}", record.id));
            let place = place.map(|place| format!(" in {}", place.conversation));
            let detail = detail.map(|detail| format!(": {detail}"));
            let rest: String = [who, record, place, detail].into_iter().flatten().collect();
            format!("{what}{rest}")
        };
        std::mem::take(&mut self.trail).into_iter().map(line).collect()
    }

    /// What is kept, by kind.
    pub(crate) fn kept(&self) -> Vec<String> {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for (kind, _) in self.facts.keys() {
            *kinds.entry(kind.name()).or_default() += 1;
        }
        kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect()
    }

    /// The short name of an id.
    fn name(&mut self, kind: char, id: &str) -> String {
        if let Some(name) = self.short.get(id) {
            return name.clone();
        }
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        let name = format!("{kind}{count}");
        self.short.insert(id.to_owned(), name.clone());
        self.names.insert(name.clone(), id.to_owned());
        name
    }

    fn line(&mut self, effect: &Effect) -> String {
        let (mark, out) = match effect {
            Effect::Now(out) => ("! ", out),
            Effect::AfterSave(out) => ("", out),
        };
        let text = match out {
            Out::Order(account, order) => format!("{} {}", account.surface, self.order(order)),
            Out::Knock(gateway, knock) => {
                let invite = knock.invite.as_ref().map(|code| format!(" with {code}")).unwrap_or_default();
                format!("{gateway} knock {} in {}{invite}", knock.identity.user, knock.place.conversation)
            }
            Out::Notified(gateway, number, places) => format!("{gateway} notified {number} in {places}"),
            Out::Command(gateway, command) => format!("{gateway} {}", self.command(command)),
        };
        format!("{mark}{text}")
    }

    fn order(&mut self, order: &Order) -> String {
        match order {
            Order::Show { send, place, prompt } => {
                let name = self.name('s', send.as_str());
                self.learn(place, prompt);
                format!("show {name} in {}: {}", place.conversation, drawn(prompt))
            }
            Order::Edit { send, receipt, prompt } => {
                format!(
                    "edit {} of {}: {}",
                    self.name('s', send.as_str()),
                    list(&receipt.messages),
                    drawn(prompt)
                )
            }
            Order::Retire { send, receipt, prompt } => {
                let name = self.name('s', send.as_str());
                format!("retire {name} of {}: {}", list(&receipt.messages), outcome(prompt))
            }
            Order::Acknowledge { ack, with } => format!("ack {}: {}", ack.0, acknowledged(with)),
            Order::AskForText { send, to, text, receipt, .. } => {
                let name = self.name('s', send.as_str());
                format!("ask {name} {} on {}: {text}", to.user, list(&receipt.messages))
            }
            Order::Say { place, to, reply_to, text } => {
                let to = to.as_ref().map(|to| format!(" to {}", to.user)).unwrap_or_default();
                let re = reply_to.as_ref().map(|message| format!(" re {message}")).unwrap_or_default();
                format!("say in {}{to}{re}: {}", place.conversation, text.replace('\n', " / "))
            }
            Order::Toast { ack, text, otherwise } => {
                let say = otherwise.as_ref().map(|order| format!(", or {}", self.order(order)));
                format!("toast {}: {text}{}", ack.0, say.unwrap_or_default())
            }
            Order::Saved { update, .. } => format!("saved {update}"),
        }
    }

    fn command(&mut self, command: &Command) -> String {
        let name = self.name('r', command.resolution.as_str());
        let who = |actor: &Actor| {
            let person = actor.person.as_ref().map_or("nobody", |person| person.as_str());
            let name = actor.name.as_ref().map(|name| format!(" called {name}")).unwrap_or_default();
            format!("{person}{name} by {:?}", actor.way)
        };
        match &command.act {
            CommandAct::Resolve { answers, notes, words, actor } => {
                let answers: Vec<String> = answers.0.values().map(|values| values.join(" + ")).collect();
                let notes: String = notes.values().map(|note| format!(" (note: {note})")).collect();
                let words = words.as_ref().map(|words| format!(" from {words:?}")).unwrap_or_default();
                format!(
                    "resolve {name} {}: {}{notes}{words}, {}",
                    command.key.id,
                    answers.join(" / "),
                    who(actor)
                )
            }
            CommandAct::Cancel { why, actor } => {
                let why = match why {
                    WhyCancelled::NotDelivered { detail } => format!("not delivered: {detail}"),
                    why => format!("{why:?}").to_lowercase(),
                };
                let who = actor.as_ref().map(|actor| format!(", {}", who(actor))).unwrap_or_default();
                format!("cancel {name} {}: {why}{who}", command.key.id)
            }
        }
    }

    /// Remembers the nonce of a Prompt, for presses.
    fn learn(&mut self, place: &Place, prompt: &Prompt) {
        let tokens =
            prompt.controls.iter().flatten().filter_map(|control| control.token().and_then(Token::parse));
        let text: String =
            prompt.messages.iter().flat_map(|body| &body.0).map(|piece| piece.text.as_str()).collect();
        if let Some(token) = tokens.into_iter().next() {
            let record = self.records.keys().find(|id| text.contains(&format!("{id}?")));
            if let Some(id) = record {
                self.nonces.insert((id.clone(), place.clone()), token.nonce);
            }
        }
    }
}

fn list(messages: &[askrelay_core::id::MessageId]) -> String {
    let names: Vec<&str> = messages.iter().map(|message| message.as_str()).collect();
    names.join("+")
}

/// The question's words, then the words on its controls.
fn drawn(prompt: &Prompt) -> String {
    let text: String =
        prompt.messages.iter().flat_map(|body| &body.0).map(|piece| piece.text.as_str()).collect();
    let question = text.split_whitespace().find(|word| word.ends_with('?')).unwrap_or("(none)");
    let controls: String = prompt.controls.iter().flatten().map(label).collect();
    format!("{question}{}", if controls.is_empty() { " as text".to_owned() } else { controls })
}

fn label(control: &Control) -> String {
    match control {
        Control::Button { label, .. } | Control::Link { label, .. } => format!(" [{label}]"),
        Control::Input { label, .. } => format!(" [input {label}]"),
        Control::Menu { entries, .. } => {
            let taken = |taken: bool| if taken { "*" } else { "" };
            let labels = entries.iter().map(|entry| format!("{}{}", taken(entry.taken), entry.label));
            format!(" [menu {}]", labels.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The lines that say how it ended.
fn outcome(prompt: &Prompt) -> String {
    let text: String =
        prompt.messages.iter().flat_map(|body| &body.0).map(|piece| piece.text.as_str()).collect();
    let starts = [
        "Answered",
        "Closed",
        "Expired",
        "Lost",
        "Skipped",
        "Withdrawn",
        "Ended",
        "Not delivered",
        "By ",
        "Already",
        "Too late",
    ];
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| starts.iter().any(|start| line.starts_with(start)))
        .collect();
    lines.join(" ")
}

fn acknowledged(with: &Acknowledgement) -> String {
    match with {
        Acknowledgement::Silent => "silent".to_owned(),
        Acknowledgement::Later => "later".to_owned(),
        Acknowledgement::Toast(text) => format!("toast {text}"),
        Acknowledgement::Form { title, fields, .. } => {
            let field = |field: &Control| match field {
                Control::Input { value: Some(value), label, .. } => format!(" [{label} with {value:?}]"),
                Control::Input { label, .. } => format!(" [{label}]"),
                other => label(other),
            };
            format!("form {title}:{}", fields.iter().map(field).collect::<String>())
        }
        Acknowledgement::Errors(errors) => {
            let errors: Vec<&str> = errors.iter().map(|(_, what)| what.as_str()).collect();
            format!("errors {}", errors.join(" "))
        }
    }
}

/// Reasons a script can name.
pub(crate) fn refused(word: &str) -> Refused {
    match word {
        "unknown" => Refused::Unknown,
        _ => Refused::NoRight,
    }
}

fn modal(menus: bool) -> InputLimits {
    let form = FormLimits { fields: 8, label: 45, menus };
    InputLimits::Modal { title: 45, placeholder: 100, value: 4000, form }
}
