//! One prompt in a group, one person or nobody in front of it, and one try to answer it: through the relay and on to the ledger, as
//! an answer goes, or straight to the ledger where no surface is between. Judges nothing.

use std::sync::Arc;

use askrelay_core::answer::{Actor, Answers, Way};
use askrelay_core::ask::{Ask, Binding, Choice, Creator, Question, WhenUnanswered};
use askrelay_core::id::{Account, Fresh, Identity, Place};
use askrelay_core::ledger::{Answering, Ledger, OpenVerdict, ResolveVerdict, Standing};
use askrelay_core::limits::{ControlLimits, FormLimits, InputLimits, Limits, Unit};
use askrelay_core::permit::{Caller, WireScope};
use askrelay_core::person::{People, Person, Scope, Scopes};
use askrelay_core::port::{
    Acknowledgement, Act, CommandAct, Event, Field, Notice, Order, Receipt, Reply, Report, Sender, SenderKind,
};
use askrelay_core::prompt::Control;
use askrelay_core::record::Record;
use askrelay_core::relay::{Config, Effect, Out, Relay, Step};
use askrelay_core::route::Routes;
use askrelay_core::time::{Span, Time};

const NOW: Time = Time(1_796_040_000_000);

/// Who tries, as far as the product varies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Creator,
    Operator,
    Guest,
    Stranger,
    Member,
    Promoted,
    Bot,
    Anonymous,
    Channel,
}

/// How.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Try {
    Control,
    Form,
    Text,
    Call,
    Terminal,
    Elicitation,
}

/// One combination of everything that decides.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) binding: Binding,
    pub(crate) held: Scopes,
    pub(crate) rights: Scopes,
    pub(crate) relation: Relation,
    pub(crate) by: Try,
}

struct Counter(u128);

impl Fresh for Counter {
    fn bytes(&mut self) -> [u8; 16] {
        self.0 += 1;
        self.0.to_be_bytes()
    }
}

impl Relation {
    /// Somebody known.
    pub(crate) const fn is_known(self) -> bool {
        matches!(self, Self::Creator | Self::Operator | Self::Guest | Self::Promoted)
    }

    /// Has the rights by roles on the platform, at which nobody looks where there is no human.
    const fn has_roles(self) -> bool {
        matches!(self, Self::Member | Self::Promoted | Self::Bot | Self::Anonymous | Self::Channel)
    }

    const fn kind(self) -> SenderKind {
        match self {
            Self::Bot => SenderKind::Bot,
            Self::Anonymous | Self::Channel => SenderKind::Anonymous,
            _ => SenderKind::Human,
        }
    }
}

fn place() -> Place {
    Place { account: Account { surface: "chat".into(), name: "main".into() }, conversation: "group".into() }
}

fn identity() -> Identity {
    Identity { surface: "chat".into(), user: "1".into() }
}

impl Scene {
    /// What becomes of the try, in one word.
    pub(crate) fn verdict(&self) -> String {
        let people = self.people();
        let mut ledger = Ledger::new("local".into());
        let OpenVerdict::Opened(record) = ledger.open(NOW, "ask_1".into(), self.ask(), 9) else {
            panic!("it does not open")
        };
        let (caller, standing) = match self.by {
            Try::Control | Try::Form | Try::Text => match self.through_relay(&record, &people) {
                Ok(actor) => (Caller::Ring, Standing::Asserted(actor)),
                Err(word) => return word,
            },
            Try::Call => (self.bearer(), Standing::Own),
            Try::Terminal => (Caller::Ring, Standing::Asserted(self.unverified(Way::AskingTerminal))),
            Try::Elicitation => (Caller::Ring, Standing::Asserted(self.unverified(Way::Elicitation))),
        };
        let answering = Answering {
            id: "ask_1".into(),
            resolution: "r".into(),
            answers: Answers([("q".into(), vec!["Staging".to_owned()])].into()),
            notes: Default::default(),
            words: None,
            standing,
        };
        match ledger.resolve(NOW, &people, &caller, answering) {
            ResolveVerdict::Recorded(_) => "answers".to_owned(),
            ResolveVerdict::Refused(why) => why.name().to_owned(),
            ResolveVerdict::Unknown => "unseen".to_owned(),
            other => panic!("{other:?}"),
        }
    }

    fn people(&self) -> People {
        let mut people: People = [person("owner", [Scope::QuestionsAdmin].into())].into_iter().collect();
        if self.relation.is_known() {
            let own = if self.relation.has_roles() { Scopes::new() } else { self.rights.clone() };
            let mut dana = person("dana", own);
            if self.relation == Relation::Operator {
                dana.scopes.insert(Scope::QuestionsAdmin);
            }
            dana.identities.insert(identity());
            people.put(dana);
        }
        people
    }

    fn ask(&self) -> Ask {
        let choice = |label: &str| Choice::new(label);
        let question = Question {
            id: "q".into(),
            text: "Where to?".to_owned(),
            choices: vec![choice("Staging"), choice("Production")],
            other: true,
            ..Question::default()
        };
        let creator = match (self.binding, self.relation) {
            (Binding::Run, Relation::Creator) => Some("dana".into()),
            (Binding::Run, _) => Some("owner".into()),
            (Binding::Attached | Binding::None, _) => None,
        };
        let scopes = if creator.is_some() { self.held.clone() } else { Scopes::new() };
        Ask {
            questions: vec![question],
            wait: Span::seconds(900),
            origin: Default::default(),
            creator: Creator { person: creator, token: None, binding: self.binding, scopes },
            answerers: Vec::new(),
            places: vec!["group".to_owned()],
            needs_surface: false,
            when_unanswered: WhenUnanswered::Fail,
            terminal_proof: None,
        }
    }

    /// Their token lets everything through; whoever is nobody known bears a service's.
    fn bearer(&self) -> Caller {
        let person = self.relation.is_known().then(|| "dana".into());
        let scopes = match &person {
            Some(_) => WireScope::ALL.into(),
            None => [WireScope::Questions].into(),
        };
        Caller::Token { id: "t".into(), person, scopes }
    }

    /// Whoever is nobody known goes by the identity, as far as roles give anything.
    fn unverified(&self, way: Way) -> Actor {
        let granted = self.granted();
        let by_roles = || (!granted.is_empty()).then(|| identity().person());
        let person = self.relation.is_known().then(|| "dana".into()).or_else(by_roles);
        Actor { identity: Some(identity()), granted, ..Actor::new(person, way) }
    }

    fn sender(&self) -> Sender {
        Sender {
            identity: identity(),
            display_name: "Dana".to_owned(),
            kind: self.relation.kind(),
            granted: self.granted(),
        }
    }

    fn granted(&self) -> Scopes {
        if self.relation.has_roles() { self.rights.clone() } else { Scopes::new() }
    }

    /// Who answers, if the relay takes it for an answer; else what the trail says, or `ignored`.
    fn through_relay(&self, record: &Arc<Record>, people: &People) -> Result<Actor, String> {
        let mut relay = Running::start(people, self.sender());
        let tokens = relay.shows(record);
        let step = match self.by {
            Try::Control => relay.presses(&tokens.choice),
            Try::Form => {
                let step = relay.presses(&tokens.other);
                match input(&step) {
                    Some(token) => {
                        let values = vec!["the blue cluster".to_owned()];
                        let fields = vec![Field { token: token.clone(), values }];
                        relay.does(Act::Form { token, fields })
                    }
                    None => step,
                }
            }
            _ => {
                let text = Some("staging".to_owned());
                relay.does(Act::Text { text, reply_to: Some("m1".into()), addressed: true })
            }
        };
        let command = step.effects.iter().find_map(|effect| match effect {
            Effect::Now(Out::Command(_, command)) | Effect::AfterSave(Out::Command(_, command)) => {
                Some(command.clone())
            }
            _ => None,
        });
        if let Some(CommandAct::Resolve { actor, .. }) = command.map(|command| command.act) {
            return Ok(actor);
        }
        let written = step.audit.iter().find(|entry| entry.what == "answer.refused");
        let written = written.and_then(|entry| entry.detail.clone());
        // To somebody whom no platform can name, a press says so and nothing is written.
        let told = step.effects.iter().any(|effect| match effect {
            Effect::Now(Out::Order(_, Order::Acknowledge { with: Acknowledgement::Toast(text), .. })) => {
                *text == askrelay_core::prompt::wording::refused(askrelay_core::permit::Refused::Unknown)
            }
            _ => false,
        });
        Err(written.unwrap_or_else(|| if told { "unknown" } else { "ignored" }.to_owned()))
    }
}

fn person(id: &str, scopes: Scopes) -> Person {
    Person { id: id.into(), display_name: id.to_owned(), scopes, identities: Default::default() }
}

fn input(step: &Step) -> Option<String> {
    step.effects.iter().find_map(|effect| match effect {
        Effect::Now(Out::Order(_, Order::Acknowledge { with: Acknowledgement::Form { token, .. }, .. })) => {
            Some(token.clone())
        }
        _ => None,
    })
}

/// The tokens of a shown Prompt.
struct Tokens {
    choice: String,
    other: String,
}

struct Running {
    relay: Relay,
    sender: Sender,
    fresh: Counter,
    updates: u64,
}

impl Running {
    fn start(people: &People, sender: Sender) -> Self {
        let limits = Limits {
            unit: Unit::CodePoints,
            message: 4000,
            messages: 1,
            line: None,
            controls: Some(ControlLimits {
                buttons: 20,
                row: 5,
                rows: 10,
                label: 40,
                choices: 10,
                form: None,
                menu: None,
                input: modal(45, 100, 4000),
                link: None,
            }),
            edits: true,
            private_notes: true,
            command_prefix: '/',
            shared: true,
            hears_all: true,
        };
        let account = place().account;
        let config = Config {
            accounts: [(account.clone(), limits)].into(),
            routes: Routes { named: [("group".to_owned(), place())].into(), ..Routes::default() },
            delivers_for: Some("local".into()),
            ..Config::default()
        };
        let (relay, _) = Relay::recover(config, []);
        let mut running = Self { relay, sender, fresh: Counter(0), updates: 0 };
        running.notices(Notice::People(Arc::new(people.clone())));
        running.step(Event::Report(Report::Online { account }));
        running.notices(Notice::Online { boot: None });
        running.notices(Notice::Snapshot { records: Vec::new(), last: true });
        running
    }

    fn step(&mut self, event: Event) -> Step {
        self.relay.step(NOW, event, &mut self.fresh)
    }

    fn notices(&mut self, notice: Notice) -> Step {
        self.step(Event::Notice("local".into(), notice))
    }

    /// Opens the Record, shows its Prompt as message `m1`, and gives its tokens.
    fn shows(&mut self, record: &Arc<Record>) -> Tokens {
        let step = self.notices(Notice::Opened(Arc::clone(record)));
        let (send, prompt) = step
            .effects
            .into_iter()
            .find_map(|effect| match effect {
                Effect::Now(Out::Order(_, Order::Show { send, prompt, .. }))
                | Effect::AfterSave(Out::Order(_, Order::Show { send, prompt, .. })) => Some((send, prompt)),
                _ => None,
            })
            .unwrap();
        let receipt = Receipt { place: place(), messages: vec!["m1".into()] };
        self.step(Event::Report(Report::Shown { send, receipt, position: Some(1) }));
        let token = |wanted: &str| {
            let found = prompt.controls.iter().flatten().find_map(|control| match control {
                Control::Button { label, token, .. } if label.contains(wanted) => Some(token.clone()),
                _ => None,
            });
            found.unwrap_or_else(|| panic!("no button {wanted}"))
        };
        Tokens { choice: token("Staging"), other: token("Other") }
    }

    fn presses(&mut self, token: &str) -> Step {
        self.does(Act::Press { token: token.to_owned(), values: Vec::new(), fields: Vec::new() })
    }

    fn does(&mut self, act: Act) -> Step {
        self.updates += 1;
        let is_text = matches!(act, Act::Text { .. });
        let reply = Reply {
            update: self.updates.to_string().into(),
            place: place(),
            sender: self.sender.clone(),
            at: NOW,
            position: Some(2),
            private: false,
            message: Some(if is_text { "m2" } else { "m1" }.into()),
            ack: (!is_text).then_some(askrelay_core::id::AckId(self.updates)),
            act,
        };
        self.step(Event::Report(Report::Replied(Box::new(reply))))
    }
}

fn modal(title: usize, placeholder: usize, value: usize) -> InputLimits {
    let form = FormLimits { fields: 5, label: 45, menus: false };
    InputLimits::Modal { title, placeholder, value, form }
}
