//! What the relay knows: Records it shows, how each Prompt stands in each Place, Commands on their way, running inputs.
//! Only data and small questions about it; every change is made in the file of the event that causes it.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use super::facts::FactKind;
use crate::answer::Actor;
use crate::ask::Question;
use crate::id::{AckId, BootId, Identity, MessageId, Place, RecordKey, ResolutionId, SendId};
use crate::port::{Command, CommandAct, Receipt, Reply};
use crate::prompt::Draft;
use crate::record::Record;
use crate::time::Time;
use crate::token::Nonce;

/// One Record in one Place.
pub(super) type Pair = (RecordKey, Place);

/// One person in one Place.
pub(super) type Seat = (Place, Identity);

/// Where a Record stands, as far as the relay was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Phase {
    /// It waits for an answer.
    Open,
    /// It ended; its state says how. Final.
    Ended,
    /// Its gateway does not know it any more, and nobody can say how it ended. A gateway that knows better is believed.
    Lost,
}

/// A Record that is or was shown somewhere.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Tracked {
    pub(super) record: Arc<Record>,
    pub(super) phase: Phase,
    /// With no Place reached it ends as not delivered.
    pub(super) must_reach: bool,
    /// Names that lead nowhere, for the reason of a failed delivery.
    pub(super) faults: Vec<String>,
    pub(super) reminded: bool,
    /// The start of its gateway that knew it last, where a start forgets what was before.
    #[serde(default)]
    pub(super) boot: Option<BootId>,
    /// It is lost because its gateway started anew.
    #[serde(default)]
    pub(super) forgotten: bool,
    #[serde(skip)]
    pub(super) showings: BTreeMap<Place, Showing>,
    /// Commands about it that are on their way, oldest first.
    #[serde(skip)]
    pub(super) commands: Vec<ResolutionId>,
    /// It ended everywhere, and its end is only remembered for those who come late.
    #[serde(skip)]
    pub(super) resting: bool,
}

/// How a Prompt stands in a Place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Showing {
    /// What its tokens carry.
    pub(super) nonce: Nonce,
    /// What tokens of copies carry that came from another Place.
    pub(super) nonces: Vec<Nonce>,
    /// Names the message to be shown, over all tries.
    pub(super) send: SendId,
    /// The messages that show it: one, unless a Receipt was lost or the conversation moved.
    pub(super) copies: Vec<Posted>,
    /// Why it cannot be shown here.
    pub(super) failed: Option<String>,
    /// The platform refused its controls: it is shown as text.
    pub(super) plain: bool,
    /// How often a message that vanished was replaced.
    pub(super) replaced: u32,
    /// A message may show it that nobody here knows of: its Receipt was lost on the way.
    pub(super) doubtful: bool,
    #[serde(skip)]
    pub(super) draft: Draft,
    #[serde(skip)]
    pub(super) flight: Option<Flight>,
    /// A timer will try again.
    #[serde(skip)]
    pub(super) waits: bool,
    /// Failed tries in a row.
    #[serde(skip)]
    pub(super) tries: u32,
    /// The platform refused the full text of the end: it is told in its shortest form.
    #[serde(skip)]
    pub(super) short: bool,
}

/// One message, or several in a row, that show a Prompt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Posted {
    pub(super) receipt: Receipt,
    pub(super) position: Option<i64>,
    pub(super) at: Time,
    pub(super) drawn: Drawn,
    /// The line about who may answer that it shows.
    #[serde(default)]
    pub(super) audience: String,
    /// The conversation moved away from it: it is retired like the rest, but shows the question to nobody.
    pub(super) left_behind: bool,
}

/// What a message shows now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Drawn {
    /// Nobody can say.
    Unknown,
    /// The question, at this revision of its draft.
    Open(u32),
    /// The end, as far as it is known.
    Ended {
        /// How it ended is said too.
        known: bool,
    },
    /// Nothing can be changed about it any more.
    Left,
}

/// The one order that is under way for a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flight {
    pub(super) send: SendId,
    pub(super) sent: Sent,
    /// The line about who may answer that it shows.
    pub(super) audience: String,
}

/// What was ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// To show it, at this revision.
    Show(u32),
    /// To bring this copy to this state.
    Redraw {
        /// Which, by index.
        copy: usize,
        /// What it is to show.
        to: Drawn,
    },
}

/// A Command that its gateway has not settled yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Outgoing {
    pub(super) command: Command,
    /// The message that made it, so that its author can be answered.
    pub(super) message: Option<MessageId>,
    /// Its author knows the end already.
    pub(super) told: bool,
    /// The interaction that made it, while its platform may still carry words.
    #[serde(skip)]
    pub(super) ack: Option<AckId>,
}

/// An input for own words that a person's own press opened.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Input {
    pub(super) key: RecordKey,
    /// Which question, by index.
    pub(super) question: usize,
    pub(super) send: SendId,
    /// When it was opened: older texts do not count.
    pub(super) at: Time,
    pub(super) position: Option<i64>,
    /// The message of the Prompt that was pressed.
    #[serde(default)]
    pub(super) pressed: Option<MessageId>,
    /// The message that asks is there. Until then texts wait for it, and none is taken for the words.
    #[serde(default)]
    pub(super) there: bool,
    /// That message, where the platform names it.
    pub(super) message: Option<MessageId>,
    /// The asking message is under way.
    #[serde(skip)]
    pub(super) asking: bool,
    /// A timer will try again.
    #[serde(skip)]
    pub(super) waits: bool,
    /// Failed tries in a row.
    #[serde(skip)]
    pub(super) tries: u32,
}

/// Texts of one Place that wait until a Prompt under way has arrived, so that old and new can be told apart.
#[derive(Debug, Default)]
pub(super) struct HeldTexts {
    pub(super) texts: VecDeque<Text>,
    /// A timer is set.
    pub(super) timed: bool,
}

/// Whether a text waited for a Prompt that was under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// It did not.
    Not,
    /// Until the Prompt arrived, or failed.
    Arrived,
    /// Until waiting longer would have been worse: what is under way may be what its author saw.
    TooLong,
}

/// A typed text.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) reply: Reply,
    /// The Record whose Prompt it replied to, as far as that was known when it came.
    pub(super) about: Option<RecordKey>,
    /// How often its update was delivered: each delivery is confirmed.
    pub(super) deliveries: u32,
}

/// A connection to a gateway.
#[derive(Debug, Default)]
pub(super) struct Link {
    /// Its snapshot is complete: Commands go out.
    pub(super) ready: bool,
    /// What the snapshot mentioned so far, while it is being taken.
    pub(super) mentioned: Option<BTreeSet<RecordKey>>,
    /// Which start of the gateway it is, where a start forgets what was before.
    pub(super) boot: Option<BootId>,
}

/// What an order's id stands for.
#[derive(Clone, Debug)]
pub(super) enum SendOf {
    Prompt(Pair),
    Input(Seat),
}

/// Something whose saved form changed in this step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dirty {
    Record(RecordKey),
    Prompt(Pair),
    Draft(Pair),
    Command(ResolutionId),
    Input(Seat),
    Moved(Place),
    Update(super::seen::Key),
}

impl Dirty {
    pub(super) const fn kind(&self) -> FactKind {
        match self {
            Self::Record(_) => FactKind::Record,
            Self::Prompt(_) => FactKind::Prompt,
            Self::Draft(_) => FactKind::Draft,
            Self::Command(_) => FactKind::Command,
            Self::Input(_) => FactKind::Input,
            Self::Moved(_) => FactKind::Moved,
            Self::Update(_) => FactKind::Seen,
        }
    }
}

impl Tracked {
    pub(super) fn new(record: Arc<Record>) -> Self {
        Self {
            record,
            phase: Phase::Open,
            must_reach: false,
            faults: Vec::new(),
            reminded: false,
            boot: None,
            forgotten: false,
            showings: BTreeMap::new(),
            commands: Vec::new(),
            resting: false,
        }
    }

    pub(super) const fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open)
    }

    pub(super) fn questions(&self) -> &[Question] {
        &self.record.ask.questions
    }

    /// Whether an answer to it may not pass through chat.
    pub(super) fn secret(&self) -> bool {
        self.questions().iter().any(|question| question.secret)
    }
}

impl Input {
    pub(super) fn new(
        key: RecordKey,
        question: usize,
        (send, at): (SendId, Time),
        pressed: Option<MessageId>,
    ) -> Self {
        Self {
            key,
            question,
            send,
            at,
            position: None,
            pressed,
            there: false,
            message: None,
            asking: false,
            waits: false,
            tries: 0,
        }
    }
}

impl Showing {
    pub(super) fn new(nonce: Nonce, send: SendId) -> Self {
        Self {
            nonce,
            nonces: Vec::new(),
            send,
            copies: Vec::new(),
            failed: None,
            plain: false,
            replaced: 0,
            doubtful: false,
            draft: Draft::default(),
            flight: None,
            waits: false,
            tries: 0,
            short: false,
        }
    }

    /// Whether a person could have read it.
    pub(super) fn is_shown(&self) -> bool {
        self.copies.iter().any(|copy| !copy.left_behind)
    }

    /// The newest copy in the Place itself. One that the conversation moved away from is none: its ids mean nothing there.
    pub(super) fn newest(&self) -> Option<&Posted> {
        self.copies.iter().rev().find(|copy| !copy.left_behind)
    }

    /// Whether it may appear any moment: it was ordered, and nobody knows yet.
    pub(super) fn arriving(&self) -> bool {
        !self.is_shown() && self.failed.is_none() && (self.flight.is_some() || self.waits)
    }

    /// Whether a reply came before every copy: by the platform's order where both have a place in it, else by time.
    pub(super) fn came_after(&self, reply: &Reply) -> bool {
        self.copies.iter().all(|copy| older(reply, copy.position.filter(|_| !copy.left_behind), copy.at))
    }
}

/// Whether a reply is older than something of that position and time.
pub(super) fn older(reply: &Reply, position: Option<i64>, at: Time) -> bool {
    match (reply.position, position) {
        (Some(reply), Some(position)) => reply < position,
        _ => reply.at < at,
    }
}

impl Outgoing {
    /// The person who decided, if a person did.
    pub(super) const fn actor(&self) -> Option<&Actor> {
        self.command.act.actor()
    }
}

impl CommandAct {
    /// The person who decided, if a person did.
    pub(super) const fn actor(&self) -> Option<&Actor> {
        match self {
            Self::Resolve { actor, .. } => Some(actor),
            Self::Cancel { actor, .. } => actor.as_ref(),
        }
    }
}

/// A reply's update, as something to recognise it by.
pub(super) fn update_key(reply: &Reply) -> super::seen::Key {
    super::seen::Key::Update(reply.place.account.clone(), reply.update.clone())
}

/// The words of a text; empty for anything else.
pub(super) fn words(reply: &Reply) -> &str {
    match &reply.act {
        crate::port::Act::Text { text, .. } => text.as_deref().unwrap_or_default(),
        _ => "",
    }
}
