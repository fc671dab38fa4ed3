//! Faults planted around the relay, one at a time, to prove that the rules notice: what goes in or comes out is changed, the
//! relay itself never is. Knows nothing of how a rule is checked.

use askrelay_core::answer::Way;
use askrelay_core::port::{Acknowledgement, Act, Command, CommandAct, Event, Notice, Order, Report};
use askrelay_core::record::WhyCancelled;
use askrelay_core::relay::facts::{Fact as SavedFact, FactKind};
use askrelay_core::relay::{Effect, Out, Step};
use askrelay_core::time::Span;

use crate::chance::Chance;
use crate::scene;

/// One planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Everything is done before it is saved.
    TellBeforeSave,
    /// Updates are confirmed twice.
    SavedTwice,
    /// Whoever came second hears nothing.
    ForgetLosers,
    /// The end that is shown names another choice.
    WrongOutcome,
    /// An answer is sent in another person's name.
    WrongActor,
    /// Rights that were taken away still count.
    StaleRights,
    /// The next choice is sent instead.
    WrongChoice,
    /// Own words become the word "Other".
    InventedWords,
    /// Tokens can be guessed.
    GuessableToken,
    /// Every Prompt has the same nonce.
    ReusedNonce,
    /// Prompts are not retired.
    DropRetire,
    /// Prompts are retired while the question waits.
    RetireEarly,
    /// A refusal is silent.
    SilentRefusal,
    /// An Ask that reached nobody just stays open.
    SwallowUndelivered,
    /// Another gateway's Record is ended because nobody was reached.
    CancelTheirs,
    /// Interactions are acknowledged twice.
    AckTwice,
    /// Interactions are acknowledged after the save.
    AckLate,
    /// Interactions are not acknowledged.
    AckNever,
    /// Garbage makes the step panic.
    PanicOnGarbage,
    /// What is typed is kept with the facts.
    SecretInFacts,
    /// What is typed is repeated to everybody.
    SecretInSay,
    /// A surface gets everything at once.
    Flood,
    /// A message is tried again under another name.
    FreshSendId,
    /// An order is given before the last one is over.
    TwoInFlight,
    /// A Command is tried again under another name.
    FreshResolution,
    /// Commands are lost.
    LoseCommand,
    /// Old texts look new.
    OldTextsLookNew,
    /// A Command goes to the other gateway.
    SwapGateway,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 28] = [
        Self::TellBeforeSave,
        Self::SavedTwice,
        Self::ForgetLosers,
        Self::WrongOutcome,
        Self::WrongActor,
        Self::StaleRights,
        Self::WrongChoice,
        Self::InventedWords,
        Self::GuessableToken,
        Self::ReusedNonce,
        Self::DropRetire,
        Self::RetireEarly,
        Self::SilentRefusal,
        Self::SwallowUndelivered,
        Self::CancelTheirs,
        Self::AckTwice,
        Self::AckLate,
        Self::AckNever,
        Self::PanicOnGarbage,
        Self::SecretInFacts,
        Self::SecretInSay,
        Self::Flood,
        Self::FreshSendId,
        Self::TwoInFlight,
        Self::FreshResolution,
        Self::LoseCommand,
        Self::OldTextsLookNew,
        Self::SwapGateway,
    ];

    /// The rule that it breaks.
    #[must_use]
    pub const fn rule(self) -> u8 {
        match self {
            Self::TellBeforeSave => 1,
            Self::ForgetLosers | Self::WrongOutcome => 2,
            Self::WrongActor | Self::StaleRights => 3,
            Self::WrongChoice | Self::InventedWords => 4,
            Self::GuessableToken | Self::ReusedNonce => 5,
            Self::DropRetire | Self::RetireEarly => 6,
            Self::SilentRefusal | Self::SwallowUndelivered | Self::CancelTheirs => 7,
            Self::AckTwice | Self::AckLate | Self::AckNever => 8,
            Self::PanicOnGarbage => 9,
            Self::SecretInFacts | Self::SecretInSay => 10,
            Self::Flood => 11,
            Self::SavedTwice
            | Self::FreshSendId
            | Self::TwoInFlight
            | Self::FreshResolution
            | Self::LoseCommand => 13,
            Self::OldTextsLookNew => 14,
            Self::SwapGateway => 15,
        }
    }
}

/// Changes what goes in and comes out.
#[derive(Debug)]
pub struct Tamper {
    fault: Option<Fault>,
    nonce: Option<String>,
    shows: std::collections::BTreeSet<String>,
    commands: std::collections::BTreeSet<String>,
    people_told: bool,
}

impl Tamper {
    /// Plants a fault, or none.
    #[must_use]
    pub fn new(fault: Option<Fault>) -> Self {
        Self {
            fault,
            nonce: None,
            shows: Default::default(),
            commands: Default::default(),
            people_told: false,
        }
    }

    /// What the relay gets instead of an event.
    pub fn event(&mut self, mut event: Event) -> Event {
        match (self.fault, &mut event) {
            (Some(Fault::OldTextsLookNew), Event::Report(Report::Replied(reply))) => {
                reply.position = reply.position.map(|position| position + 1_000_000);
                reply.at = reply.at.after(Span::seconds(86_400));
            }
            (Some(Fault::StaleRights), Event::Notice(_, Notice::People(people))) => {
                if self.people_told {
                    *people = scene::people(&[]);
                }
                self.people_told = true;
            }
            _ => {}
        }
        event
    }

    /// Panics like a careless decoder.
    pub fn poison(&self, event: &Event) {
        if self.fault == Some(Fault::PanicOnGarbage)
            && let Event::Report(Report::Replied(reply)) = event
            && let Act::Press { token, .. } = &reply.act
            && token.split('.').count() != 3
        {
            std::panic::resume_unwind(Box::new("planted"));
        }
    }

    /// What comes out instead of a step.
    pub fn step(&mut self, event: &Event, mut step: Step, chance: &mut Chance) -> Step {
        let Some(fault) = self.fault else { return step };
        if fault == Fault::SecretInFacts {
            remember_words(event, &mut step);
        }
        let effects = std::mem::take(&mut step.effects);
        let is_notice = matches!(event, Event::Notice(..));
        for effect in effects {
            let now = matches!(effect, Effect::Now(_));
            let (Effect::Now(out) | Effect::AfterSave(out)) = effect;
            for (now, out) in self.out(fault, now, out, is_notice, chance) {
                step.effects.push(if now { Effect::Now(out) } else { Effect::AfterSave(out) });
            }
        }
        if fault == Fault::SecretInSay {
            repeat_words(event, &mut step);
        }
        step
    }

    fn out(
        &mut self,
        fault: Fault,
        now: bool,
        out: Out,
        notice: bool,
        chance: &mut Chance,
    ) -> Vec<(bool, Out)> {
        match out {
            Out::Order(account, order) => {
                let orders = self.order(fault, (now, order), notice, chance);
                orders.into_iter().map(|(now, order)| (now, Out::Order(account.clone(), order))).collect()
            }
            Out::Knock(..) | Out::Notified(..) => vec![(now, out)],
            Out::Command(gateway, command) => match self.command(fault, command, chance) {
                Some(command) if fault == Fault::SwapGateway => {
                    let other = scene::GATEWAYS.into_iter().find(|name| *name != gateway.as_str());
                    vec![(now, Out::Command(other.unwrap_or("local").into(), command))]
                }
                Some(command) => {
                    vec![(now || fault == Fault::TellBeforeSave, Out::Command(gateway, command))]
                }
                None => Vec::new(),
            },
        }
    }

    fn order(
        &mut self,
        fault: Fault,
        (now, mut order): (bool, Order),
        notice: bool,
        chance: &mut Chance,
    ) -> Vec<(bool, Order)> {
        match (fault, &mut order) {
            (Fault::TellBeforeSave, _) => return vec![(true, order)],
            (Fault::SavedTwice, Order::Saved { .. }) | (Fault::AckTwice, Order::Acknowledge { .. }) => {
                return vec![(now, order.clone()), (now, order)];
            }
            (Fault::TwoInFlight, Order::Edit { .. }) => return vec![(now, order.clone()), (now, order)],
            (Fault::Flood, Order::Show { .. }) => return vec![(now, order); 64],
            (Fault::AckLate, Order::Acknowledge { .. }) => return vec![(false, order)],
            (Fault::AckNever, Order::Acknowledge { .. }) | (Fault::DropRetire, Order::Retire { .. }) => {
                return Vec::new();
            }
            (Fault::ForgetLosers, Order::Say { to: Some(_), .. } | Order::Toast { .. }) if notice => {
                return Vec::new();
            }
            (Fault::WrongOutcome, Order::Retire { prompt, .. }) => {
                for piece in prompt.messages.iter_mut().flat_map(|body| &mut body.0) {
                    piece.text =
                        piece.text.replace("Red", "Mauve").replace("Blue", "Mauve").replace("words", "Mauve");
                }
            }
            (Fault::SilentRefusal, Order::Acknowledge { with, .. }) => {
                if matches!(with, Acknowledgement::Toast(_)) {
                    *with = Acknowledgement::Silent;
                }
            }
            (Fault::RetireEarly, Order::Edit { send, receipt, prompt }) => {
                let (send, receipt, prompt) = (send.clone(), receipt.clone(), prompt.clone());
                return vec![(now, Order::Retire { send, receipt, prompt })];
            }
            (Fault::GuessableToken | Fault::ReusedNonce, Order::Show { prompt, .. }) => {
                self.tokens(fault, &mut prompt.controls);
            }
            (Fault::FreshSendId, Order::Show { send, .. }) if !self.shows.insert(send.to_string()) => {
                *send = format!("{:024x}", chance.bits()).into();
            }
            _ => {}
        }
        vec![(now, order)]
    }

    fn tokens(&mut self, fault: Fault, controls: &mut [Vec<askrelay_core::prompt::Control>]) {
        use askrelay_core::prompt::Control;
        for control in controls.iter_mut().flatten() {
            let (Control::Button { token, .. } | Control::Menu { token, .. } | Control::Input { token, .. }) =
                control
            else {
                continue;
            };
            let Some((nonce, rest)) = token.split_once('.') else { continue };
            let nonce = if fault == Fault::GuessableToken {
                format!("{:032x}", 7)
            } else {
                self.nonce.get_or_insert_with(|| nonce.to_owned()).clone()
            };
            *token = format!("{nonce}.{rest}");
        }
    }

    fn command(&mut self, fault: Fault, mut command: Command, chance: &mut Chance) -> Option<Command> {
        let again = !self.commands.insert(command.resolution.to_string());
        let ours = command.key.gateway.as_str() == scene::GATEWAYS[0];
        match (fault, &mut command.act) {
            (Fault::LoseCommand, _) if chance.percent(30) => return None,
            (Fault::FreshResolution, _) if again => {
                command.resolution = format!("{:032x}", chance.bits()).into();
            }
            (
                Fault::SwallowUndelivered,
                CommandAct::Cancel { why: WhyCancelled::NotDelivered { .. }, .. },
            ) => {
                return None;
            }
            (Fault::CancelTheirs, CommandAct::Cancel { why, .. }) if !ours => {
                *why = WhyCancelled::NotDelivered { detail: "nobody was reached".to_owned() };
            }
            (Fault::WrongActor, CommandAct::Resolve { actor, .. }) => actor.person = Some("adm".into()),
            (Fault::WrongChoice, CommandAct::Resolve { answers, .. }) => {
                for value in answers.0.values_mut().flatten() {
                    let next = match value.as_str() {
                        "Red" => "Blue",
                        "Blue" => "Red",
                        other => other,
                    };
                    *value = next.to_owned();
                }
            }
            (Fault::InventedWords, CommandAct::Resolve { answers, actor, .. })
                if actor.way == Way::Control =>
            {
                for value in answers.0.values_mut().flatten() {
                    if value.starts_with("words") {
                        *value = "Other".to_owned();
                    }
                }
            }
            _ => {}
        }
        Some(command)
    }
}

/// The words of an event that somebody wrote.
fn words_of(event: &Event) -> Option<(&askrelay_core::port::Reply, &str)> {
    let Event::Report(Report::Replied(reply)) = event else { return None };
    match &reply.act {
        Act::Text { text: Some(text), .. } => Some((reply, text)),
        Act::Form { fields, .. } => {
            fields.iter().flat_map(|field| &field.values).next().map(|text| (reply.as_ref(), text.as_str()))
        }
        _ => None,
    }
}

fn remember_words(event: &Event, step: &mut Step) {
    if let Some((reply, text)) = words_of(event) {
        let key = format!("{:?}", reply.update.as_str());
        step.facts.push(SavedFact { kind: FactKind::Seen, key, body: Some(text.to_owned()) });
    }
}

fn repeat_words(event: &Event, step: &mut Step) {
    if let Some((reply, text)) = words_of(event) {
        let say = Order::Say {
            place: reply.place.clone(),
            to: None,
            reply_to: None,
            text: format!("You said {text}"),
        };
        step.effects.push(Effect::AfterSave(Out::Order(reply.place.account.clone(), say)));
    }
}
