//! How long the relay's steps take, with few and with many Records open in one Place. Measures the steps alone: no store, no
//! surface.

#![allow(missing_docs, reason = "criterion's macro makes a public function without any")]

use criterion::{Criterion, criterion_group, criterion_main};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

use askrelay_core::answer::Answered;
use askrelay_core::ask::{Ask, Binding, Choice, Creator, Origin, Question, WhenUnanswered};
use askrelay_core::id::{Account, AckId, Fresh, Identity, MessageId, Place, RecordKey};
use askrelay_core::limits::{ControlLimits, InputLimits, Limits, Unit};
use askrelay_core::person::{Person, Scope};
use askrelay_core::port::{
    Act, Command, CommandAct, Event, Notice, Order, Receipt, Reply, Report, Sender, SenderKind,
};
use askrelay_core::prompt::Control;
use askrelay_core::record::{Record, State};
use askrelay_core::relay::{Config, Effect, Out, Relay, Step};
use askrelay_core::route::Routes;
use askrelay_core::time::{Span, Time};

const NOW: Time = Time(1_796_040_000_000);

struct Counter(u128);

impl Fresh for Counter {
    fn bytes(&mut self) -> [u8; 16] {
        self.0 += 1;
        (self.0 << 64 | self.0).to_be_bytes()
    }
}

fn place() -> Place {
    let account = Account { surface: "buttons".into(), name: "main".into() };
    Place { account, conversation: "ops".into() }
}

fn ana() -> Identity {
    Identity { surface: "buttons".into(), user: "ana".into() }
}

fn config() -> Config {
    let controls = ControlLimits {
        buttons: 20,
        row: 5,
        rows: 8,
        label: 40,
        choices: 10,
        form: None,
        menu: None,
        input: InputLimits::ForcedReply { placeholder: 64 },
        link: None,
    };
    let limits = Limits {
        unit: Unit::CodePoints,
        message: 4000,
        messages: 3,
        line: None,
        controls: Some(controls),
        edits: true,
        private_notes: false,
        command_prefix: '/',
        shared: true,
        hears_all: true,
    };
    Config {
        accounts: [(place().account, limits)].into(),
        routes: Routes { always: vec![place()], ..Routes::default() },
        ..Config::default()
    }
}

fn record(number: usize, now: Time) -> Arc<Record> {
    let choices = ["Staging", "Production", "Nowhere"];
    let choices = choices.map(Choice::new);
    let text = "Where should this release go?".to_owned();
    let question =
        Question { id: "target".into(), text, choices: choices.into(), other: true, ..Question::default() };
    let ask = Ask {
        questions: vec![question],
        wait: Span::seconds(900),
        origin: Origin::default(),
        creator: Creator {
            person: Some("ana".into()),
            token: None,
            binding: Binding::Run,
            scopes: [Scope::QuestionsAnswer].into(),
        },
        answerers: Vec::new(),
        places: Vec::new(),
        needs_surface: false,
        when_unanswered: WhenUnanswered::Fail,
        terminal_proof: None,
    };
    let key = RecordKey { gateway: "local".into(), id: format!("ask-{number}").into(), created_at: now };
    let expires_at = now.after(Span::seconds(900));
    Arc::new(Record { key, ask, expires_at, state: State::Pending, late: Vec::new(), collected: None })
}

/// A relay at work, and what the benchmarks need to know of it.
struct World {
    relay: Relay,
    fresh: Counter,
    now: Time,
    updates: u64,
    asked: usize,
}

impl World {
    /// With this many Records open and shown.
    fn new(open: usize) -> Self {
        let (relay, _) = Relay::recover(config(), []);
        let mut world = Self { relay, fresh: Counter(0), now: NOW, updates: 0, asked: 0 };
        let scopes = [Scope::QuestionsAnswer].into();
        let person =
            Person { id: "ana".into(), display_name: "Ana".to_owned(), scopes, identities: [ana()].into() };
        let people = Notice::People(Arc::new([person].into_iter().collect()));
        world.step(notice(people));
        world.step(Event::Report(Report::Online { account: place().account }));
        world.step(notice(Notice::Online { boot: None }));
        world.step(notice(Notice::Snapshot { records: Vec::new(), last: true }));
        for _ in 0..open {
            world.open();
        }
        world
    }

    fn step(&mut self, event: Event) -> Step {
        self.relay.step(self.now, event, &mut self.fresh)
    }

    /// Opens a Record and shows it; its number, and the token of its first control.
    fn open(&mut self) -> (usize, String) {
        self.asked += 1;
        let number = self.asked;
        let step = self.step(notice(Notice::Opened(record(number, self.now))));
        self.carry_out(&step, number)
    }

    /// Reports what the surface did; the token of the first control, where something was shown.
    fn carry_out(&mut self, step: &Step, number: usize) -> (usize, String) {
        let mut token = String::new();
        for effect in &step.effects {
            let Effect::AfterSave(Out::Order(_, order)) = effect else { continue };
            let (Order::Show { send, prompt, .. }
            | Order::Edit { send, prompt, .. }
            | Order::Retire { send, prompt, .. }) = order
            else {
                continue;
            };
            if let Some(Control::Button { token: first, .. }) = prompt.controls.iter().flatten().next() {
                token.clone_from(first);
            }
            let receipt = Receipt { place: place(), messages: vec![format!("m{number}").into()] };
            let position = Some(number as i64);
            self.step(Event::Report(Report::Shown { send: send.clone(), receipt, position }));
        }
        (number, token)
    }

    fn reply(&mut self, act: Act) -> Step {
        self.updates += 1;
        let sender = Sender {
            identity: ana(),
            display_name: "Ana".to_owned(),
            kind: SenderKind::Human,
            granted: Default::default(),
        };
        self.step(Event::Report(Report::Replied(Box::new(Reply {
            update: format!("u{}", self.updates).into(),
            place: place(),
            sender,
            at: self.now,
            position: Some(i64::MAX),
            private: false,
            message: None,
            ack: Some(AckId(self.updates)),
            act,
        }))))
    }

    /// One Ask from its opening over a press to its retired Prompt; a day later it is forgotten.
    fn whole_ask(&mut self) {
        let (number, token) = self.open();
        let pressed = self.reply(Act::Press { token, values: Vec::new(), fields: Vec::new() });
        let command = pressed.effects.iter().find_map(|effect| match effect {
            Effect::AfterSave(Out::Command(_, command)) => Some(command.clone()),
            _ => None,
        });
        let mut record = (*record(number, self.now)).clone();
        if let Some(Command { resolution, act: CommandAct::Resolve { answers, actor, .. }, .. }) = command {
            record.state = State::Answered(Box::new(Answered {
                answers,
                notes: BTreeMap::new(),
                words: None,
                by: actor,
                by_name: Some("Ana".to_owned()),
                at: self.now,
                resolution,
            }));
        }
        let closed = self.step(notice(Notice::Closed(Arc::new(record))));
        self.carry_out(&closed, number);
        // Far enough that whatever ended is forgotten before it piles up.
        self.now = self.now.after(Span::seconds(60));
        self.step(Event::Tick);
    }
}

fn notice(notice: Notice) -> Event {
    Event::Notice("local".into(), notice)
}

fn steps(criterion: &mut Criterion) {
    for open in [1, 1_000] {
        let mut group = criterion.benchmark_group(format!("relay, {open} open"));
        group.bench_function("a typed reply that nobody understands", |bencher| {
            let mut world = World::new(open);
            let last: MessageId = format!("m{}", world.asked).into();
            bencher.iter(|| {
                let text = Some("the second or the third".to_owned());
                black_box(world.reply(Act::Text { text, reply_to: Some(last.clone()), addressed: false }))
            });
        });
        group.bench_function("a whole Ask: opened, shown, pressed, closed, retired, a tick", |bencher| {
            let mut world = World::new(open);
            bencher.iter(|| world.whole_ask());
        });
        group.finish();
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
