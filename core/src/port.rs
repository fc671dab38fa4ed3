//! The four ports of the ring. Gateway to relay: [`Notice`]. Relay to surface: [`Order`]. Surface to relay: [`Report`].
//! Relay to gateway: [`Command`]. Adapters translate these; none of them calls another, and no call returns a result
//! sideways: a surface does not answer an Order, it files a Report.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::answer::{Actor, Answers, Notes};
use crate::ask::Origin;
use crate::id::{
    Account, AckId, BootId, ConversationId, GatewayId, Identity, MessageId, PersonId, Place, RecordKey,
    ResolutionId, SendId, UpdateId,
};
use crate::permit::Refused;
use crate::person::{People, Scopes};
use crate::prompt::{Control, Prompt};
use crate::record::{Record, State, WhyCancelled};
use crate::reply::Bot;
use crate::time::{Span, Time};

/// What a gateway tells the relay.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A Record was created.
    Opened(Arc<Record>),
    /// A Record ended; also tells late answers kept on one that had ended before. Settles every Command that ended it or was
    /// kept as late, and every cancel.
    Closed(Arc<Record>),
    /// A Command did not take effect and never will; the Record stays as the gateway says. Every Command that is sent is
    /// settled by this or by `Closed`, or the connection goes offline and it is sent again.
    Refused {
        /// The Command's fixed id.
        resolution: ResolutionId,
        /// The Record.
        key: RecordKey,
        /// Why.
        why: Rejection,
    },
    /// Rights, identities or names changed.
    People(Arc<People>),
    /// What the gateway says to somebody unknown who knocked.
    Knocked {
        /// Where they are to be told; a Place that only they and the bot share.
        place: Place,
        /// Whom.
        identity: Identity,
        /// What.
        welcome: Welcome,
    },
    /// Somebody is to be told something that asks for no answer.
    Notify(Notification),
    /// One page of everything pending there, after coming online. What an earlier session showed and no page holds has
    /// ended meanwhile.
    Snapshot {
        /// Pending Records, and ended ones that the gateway still knows and we showed.
        records: Vec<Arc<Record>>,
        /// No page follows.
        last: bool,
    },
    /// The connection stands; a snapshot follows.
    Online {
        /// Which start of the gateway it is, where its Records do not outlive one.
        boot: Option<BootId>,
    },
    /// The connection is gone; Commands wait.
    Offline,
}

/// Why a gateway rejected a Command for good.
#[derive(Clone, Debug, PartialEq)]
pub enum Rejection {
    /// The Record had ended; its state tells how, where the gateway says.
    Ended(Option<Box<State>>),
    /// The actor may not.
    NotPermitted(Refused),
    /// The gateway does not know the Record (any more).
    Unknown,
    /// The values are no answer to it; the gateway's own words.
    Invalid(String),
}

/// Somebody unknown wants to be known: they wrote to a bot in private. Not a fact; whoever is not answered knocks again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knock {
    /// Where; a Place that only they and the bot share.
    pub place: Place,
    /// Who.
    pub identity: Identity,
    /// The name they show; never trusted.
    pub display_name: String,
    /// The code of an invite, if they brought one.
    pub invite: Option<String>,
}

/// What somebody who knocked is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Welcome {
    /// An operator lets them in with this code.
    Code {
        /// The code.
        code: String,
        /// How long it is good for.
        good_for: Span,
    },
    /// They are let in, by an invite.
    In {
        /// The Person they are now.
        person: PersonId,
        /// How that Person is called.
        display_name: String,
    },
    /// The invite they brought is used up, too old or unknown.
    InviteRefused,
    /// Too many knock at the moment, or nobody is let in.
    Closed,
}

/// What an agent tells people without asking anything. Not a fact: what could not be said at once is said to nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The gateway's name for it, as long as it runs.
    pub number: u64,
    /// The text.
    pub message: String,
    /// Which agent, session and run tells it.
    pub origin: Origin,
    /// The Person it is told for.
    pub creator: Option<PersonId>,
    /// Where, by name; none: where the routes say.
    pub places: Vec<String>,
}

/// What leaves the relay for a gateway.
#[derive(Clone, Debug, PartialEq)]
pub enum Errand {
    /// A decision to carry, saved before.
    Command(Command),
    /// Somebody knocks.
    Knock(Knock),
    /// A [`Notification`] went out.
    Notified {
        /// Which.
        number: u64,
        /// To how many Places.
        places: usize,
    },
}

/// What the relay asks a gateway to do. A saved fact with a fixed id until the gateway closed or refused it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// Fixed: repeating the Command changes nothing.
    pub resolution: ResolutionId,
    /// Which Record.
    pub key: RecordKey,
    /// What to do.
    pub act: CommandAct,
}

/// What to do with a Record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CommandAct {
    /// Answer it.
    Resolve {
        /// Canonical values.
        answers: Answers,
        /// Remarks beside choices.
        notes: Notes,
        /// The words of a typed reply.
        words: Option<String>,
        /// Who answers.
        actor: Actor,
    },
    /// End it without an answer.
    Cancel {
        /// Why.
        why: WhyCancelled,
        /// Who, if a person did.
        actor: Option<Actor>,
    },
}

/// What the relay tells one surface to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Show a Prompt that is not there yet. Answered by `shown` or `failed`.
    Show {
        /// Idempotency key of the message.
        send: SendId,
        /// Where.
        place: Place,
        /// What.
        prompt: Box<Prompt>,
    },
    /// Change a shown Prompt: its messages take the place of as many of the Receipt's last, and those before stay as they are.
    /// Answered by `shown` or `failed`.
    Edit {
        /// Names this edit.
        send: SendId,
        /// Which one.
        receipt: Receipt,
        /// What it is to show now.
        prompt: Box<Prompt>,
    },
    /// Take a Prompt's controls away and show the outcome. Answered by `shown` or `failed`.
    Retire {
        /// Names this edit.
        send: SendId,
        /// Which one.
        receipt: Receipt,
        /// The question and its outcome.
        prompt: Box<Prompt>,
    },
    /// Answer a platform's interaction, at once and exactly once.
    Acknowledge {
        /// Which.
        ack: AckId,
        /// With what.
        with: Acknowledgement,
    },
    /// Ask one person for own words. Answered by `shown` or `failed`; the text comes as a Report.
    AskForText {
        /// Idempotency key of the message.
        send: SendId,
        /// Where.
        place: Place,
        /// Whom.
        to: Identity,
        /// What is asked for, in one line.
        text: String,
        /// Hint inside the empty input.
        placeholder: Option<String>,
        /// The Prompt it belongs to.
        receipt: Receipt,
    },
    /// Say what became of an interaction that was acknowledged with [`Acknowledgement::Later`], if its platform still lets it
    /// carry words. Answered by nothing.
    Toast {
        /// Which interaction.
        ack: AckId,
        /// The words.
        text: String,
        /// What to do instead where it cannot carry them any more.
        otherwise: Option<Box<Order>>,
    },
    /// Say one short thing. Answered by nothing: losing it loses no fact.
    Say {
        /// Where.
        place: Place,
        /// Only to this person, where the platform allows it.
        to: Option<Identity>,
        /// The message it refers to.
        reply_to: Option<MessageId>,
        /// The words.
        text: String,
    },
    /// The effects of this update are on disk: it may be confirmed to the platform.
    Saved {
        /// At which Account.
        account: Account,
        /// Which update.
        update: UpdateId,
    },
}

/// How an interaction is acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acknowledgement {
    /// Received; what became of it follows as an edit or a note.
    Silent,
    /// Received; what became of it may follow as [`Order::Toast`] as soon as it is saved. A surface whose platform leaves it the
    /// time may wait up to a second for that; any other takes this as silence.
    Later,
    /// A short note only this person sees.
    Toast(String),
    /// Open a form.
    Form {
        /// Comes back with what was filled in.
        token: String,
        /// What is asked for.
        title: String,
        /// Inputs and menus, each on its own row; at least one. Each comes back by its own token.
        fields: Vec<Control>,
    },
    /// The form stays open; what is wrong, by field token.
    Errors(Vec<(String, String)>),
}

/// The platform's handle on a shown Prompt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Receipt {
    /// Where it stands.
    pub place: Place,
    /// Its messages there, in order; controls are under the last.
    pub messages: Vec<MessageId>,
}

/// What a surface tells the relay.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// An Order took effect.
    Shown {
        /// Which.
        send: SendId,
        /// The handle, as it is now.
        receipt: Receipt,
        /// The platform's place of the newest of its messages in the conversation's order, where it has one: a text with a
        /// smaller position is older than the Prompt.
        position: Option<i64>,
    },
    /// An Order did not take effect and the surface will not try it again by itself.
    Failed {
        /// Which.
        send: SendId,
        /// Why.
        failure: Failure,
    },
    /// A person did something.
    Replied(Box<Reply>),
    /// A conversation has another id now.
    Moved {
        /// The old one.
        from: Place,
        /// The new one.
        to: ConversationId,
    },
    /// How an Account is addressed, as its platform says.
    Named {
        /// Which.
        account: Account,
        /// Its handle and id there.
        bot: Bot,
    },
    /// An Account is connected.
    Online {
        /// Which.
        account: Account,
    },
    /// An Account is not connected, or stalled. Orders that were not reported on by now are given again once it is online, under
    /// the same `send` where they show something; a report that comes all the same is welcome.
    Offline {
        /// Which.
        account: Account,
        /// Why, in plain words.
        why: String,
    },
}

/// Why an Order did not take effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind, for the relay.
    pub kind: FailureKind,
    /// The platform's reason in plain words, for people.
    pub why: String,
}

/// What kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureKind {
    /// Worth another try after this long.
    Later(Span),
    /// The Place cannot be reached: blocked, kicked, gone, never started.
    Unreachable,
    /// The message to change is not there any more.
    MessageGone,
    /// The platform refuses the payload.
    Refused,
    /// It may or may not have taken effect.
    Unknown,
}

/// What a person did.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Names the update within its Account, so that a duplicate is noticed.
    pub update: UpdateId,
    /// Where.
    pub place: Place,
    /// Who.
    pub sender: Sender,
    /// When, by the platform's clock where it has one.
    pub at: Time,
    /// Its place in the conversation's order, comparable with [`Report::Shown`]'s.
    pub position: Option<i64>,
    /// Only this person and the bot are in the Place.
    pub private: bool,
    /// The message it is or stands on.
    pub message: Option<MessageId>,
    /// The acknowledgement it owes, if the platform wants one.
    pub ack: Option<AckId>,
    /// What it is.
    pub act: Act,
}

/// Who did it, as the platform says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// The immutable id.
    pub identity: Identity,
    /// Shown, never trusted.
    pub display_name: String,
    /// What it is.
    pub kind: SenderKind,
    /// The rights that the platform's roles give now, by the Account's configured map.
    pub granted: Scopes,
}

/// What a sender is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SenderKind {
    /// A human with an account.
    Human,
    /// A bot, ourselves included.
    Bot,
    /// Somebody who writes in the name of the group or a channel: no person can be told.
    Anonymous,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A control was pressed.
    Press {
        /// The payload that came back; untrusted.
        token: String,
        /// Entry values of a menu; untrusted.
        values: Vec<String>,
        /// What the fields of the same Prompt held when it was pressed, on platforms that hold it until then.
        fields: Vec<Field>,
    },
    /// A form was sent.
    Form {
        /// The payload that came back; untrusted.
        token: String,
        /// What was filled in.
        fields: Vec<Field>,
    },
    /// Something was written.
    Text {
        /// The words; `None` where there are none (voice, picture without caption).
        text: Option<String>,
        /// The message it is a reply to.
        reply_to: Option<MessageId>,
        /// Meant for the bot: a mention, or a private Place.
        addressed: bool,
    },
}

/// What one menu or input held; untrusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The payload that came back.
    pub token: String,
    /// Entry values of a menu, or the words of an input as the only value; none where it was left empty.
    pub values: Vec<String>,
}

/// What happens next in the ring, from either side.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// From a gateway.
    Notice(GatewayId, Notice),
    /// From a surface.
    Report(Report),
    /// Time has passed.
    Tick,
}
