//! Reads the params of the other `question.*` requests. Closed and typed; those about people are in [`super::administration`].

use serde::Deserialize;
use std::collections::BTreeMap;

use askrelay_core::answer::{Actor, Answers, Notes, Way};
use askrelay_core::id::{Account, Identity, Place, QuestionId, RecordId};
use askrelay_core::person::Scopes;
use askrelay_core::record::WhyCancelled;
use askrelay_core::time::{Span, Time};

use super::request::Params;
use super::scalar::{Filled, Object, Text, True, Whole, present};
use super::shape::Shape;
use super::shapes;
use crate::call::{Cursor, ListParams, PAGE_MAX, ResolveAct, ResolveParams, WaitParams};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct WaitWire {
    id: Filled,
    #[serde(default, deserialize_with = "present")]
    timeout_ms: Option<Whole>,
    #[serde(default, deserialize_with = "present")]
    include_resolution_id: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedWire {
    id: Filled,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NothingWire {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EnvelopeWire {
    pub(super) answers: BTreeMap<QuestionId, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AnswerWire {
    id: Filled,
    answers: Object<EnvelopeWire>,
    #[serde(default, deserialize_with = "present")]
    resolved_by: Option<Filled>,
    #[serde(default, deserialize_with = "present")]
    resolution_id: Option<Text<1, 128>>,
    #[serde(default, deserialize_with = "present")]
    created_at_ms: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    notes: Option<Notes>,
    #[serde(default, deserialize_with = "present")]
    words: Option<String>,
    #[serde(default, deserialize_with = "present")]
    actor: Option<Object<ActorWire>>,
    #[serde(default, deserialize_with = "present")]
    terminal_secret: Option<Filled>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CancelWire {
    id: Filled,
    #[serde(rename = "cancel")]
    _cancel: True,
    #[serde(default, deserialize_with = "present")]
    resolved_by: Option<Filled>,
    #[serde(default, deserialize_with = "present")]
    resolution_id: Option<Text<1, 128>>,
    #[serde(default, deserialize_with = "present")]
    created_at_ms: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    reason: Option<WhyWire>,
    #[serde(default, deserialize_with = "present")]
    detail: Option<String>,
    #[serde(default, deserialize_with = "present")]
    actor: Option<Object<ActorWire>>,
    #[serde(default, deserialize_with = "present")]
    terminal_secret: Option<Filled>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WhyWire {
    Declined,
    Withdrawn,
    Unavailable,
    NotDelivered,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActorWire {
    #[serde(default, deserialize_with = "present")]
    person: Option<Filled>,
    #[serde(default, deserialize_with = "present")]
    identity: Option<Object<IdentityWire>>,
    #[serde(default, deserialize_with = "present")]
    place: Option<Object<PlaceWire>>,
    way: Way,
    #[serde(default, deserialize_with = "present")]
    granted: Option<Scopes>,
    #[serde(default, deserialize_with = "present")]
    name: Option<Filled>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IdentityWire {
    surface: Filled,
    user: Filled,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceWire {
    surface: Filled,
    account: Filled,
    conversation: Filled,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ListWire {
    #[serde(default, deserialize_with = "present")]
    after: Option<CursorWire>,
    #[serde(default, deserialize_with = "present")]
    limit: Option<Whole<1, { PAGE_MAX as u64 }>>,
    #[serde(default, deserialize_with = "present")]
    ended_since_ms: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    id_prefix: Option<Filled>,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct CursorWire(Cursor);

impl TryFrom<String> for CursorWire {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Cursor::parse(&text).map(Self).ok_or("not a cursor")
    }
}

impl Params for WaitWire {
    type Typed = WaitParams;
    const SHAPE: Shape = shapes::WAIT;

    fn typed(self) -> WaitParams {
        WaitParams {
            id: self.id.0.into(),
            wait: self.timeout_ms.map(|wait| Span(wait.0)),
            include_resolution: self.include_resolution_id.unwrap_or_default(),
        }
    }
}

impl Params for NamedWire {
    type Typed = RecordId;
    const SHAPE: Shape = shapes::NAMED;

    fn typed(self) -> RecordId {
        self.id.0.into()
    }
}

impl Params for NothingWire {
    type Typed = ();
    const SHAPE: Shape = shapes::NOTHING;

    fn typed(self) {}
}

impl Params for AnswerWire {
    type Typed = ResolveParams;
    const SHAPE: Shape = shapes::ANSWER;

    fn fits_plain(&self) -> bool {
        self.created_at_ms.is_none()
            && self.notes.is_none()
            && self.words.is_none()
            && self.actor.is_none()
            && self.terminal_secret.is_none()
    }

    fn typed(self) -> ResolveParams {
        ResolveParams {
            id: self.id.0.into(),
            created_at: self.created_at_ms.map(Time),
            act: ResolveAct::Answer {
                answers: Answers(self.answers.0.answers),
                notes: self.notes.unwrap_or_default(),
                words: self.words,
            },
            resolved_by: self.resolved_by.map(|by| by.0),
            resolution: self.resolution_id.map(|id| id.0.into()),
            actor: self.actor.map(|actor| actor.0.into()),
            terminal_secret: self.terminal_secret.map(|secret| secret.0.into()),
        }
    }
}

impl Params for CancelWire {
    type Typed = ResolveParams;
    const SHAPE: Shape = shapes::CANCEL;

    fn fits_plain(&self) -> bool {
        self.resolution_id.is_none()
            && self.created_at_ms.is_none()
            && self.reason.is_none()
            && self.detail.is_none()
            && self.actor.is_none()
            && self.terminal_secret.is_none()
    }

    fn typed(self) -> ResolveParams {
        let detail = self.detail;
        ResolveParams {
            id: self.id.0.into(),
            created_at: self.created_at_ms.map(Time),
            act: ResolveAct::Cancel { why: self.reason.map(|reason| reason.why(detail)) },
            resolved_by: self.resolved_by.map(|by| by.0),
            resolution: self.resolution_id.map(|id| id.0.into()),
            actor: self.actor.map(|actor| actor.0.into()),
            terminal_secret: self.terminal_secret.map(|secret| secret.0.into()),
        }
    }
}

impl WhyWire {
    pub(super) fn why(self, detail: Option<String>) -> WhyCancelled {
        match self {
            Self::Declined => WhyCancelled::Declined,
            Self::Withdrawn => WhyCancelled::Withdrawn,
            Self::Unavailable => WhyCancelled::Unavailable,
            Self::NotDelivered => WhyCancelled::NotDelivered { detail: detail.unwrap_or_default() },
        }
    }
}

impl Params for ListWire {
    type Typed = ListParams;
    const SHAPE: Shape = shapes::LIST;

    fn fits_plain(&self) -> bool {
        self.after.is_none()
            && self.limit.is_none()
            && self.ended_since_ms.is_none()
            && self.id_prefix.is_none()
    }

    fn typed(self) -> ListParams {
        ListParams {
            after: self.after.map(|cursor| cursor.0),
            limit: self.limit.and_then(|limit| usize::try_from(limit.0).ok()),
            ended_since: self.ended_since_ms.map(Time),
            id_prefix: self.id_prefix.map(|prefix| prefix.0),
        }
    }
}

impl From<ActorWire> for Actor {
    fn from(wire: ActorWire) -> Self {
        Self {
            person: wire.person.map(|person| person.0.into()),
            identity: wire.identity.map(|identity| identity.0.into()),
            place: wire.place.map(|place| place.0.into()),
            way: wire.way,
            granted: wire.granted.unwrap_or_default(),
            name: wire.name.map(|name| name.0),
        }
    }
}

impl From<IdentityWire> for Identity {
    fn from(wire: IdentityWire) -> Self {
        Self { surface: wire.surface.0.into(), user: wire.user.0.into() }
    }
}

impl From<PlaceWire> for Place {
    fn from(wire: PlaceWire) -> Self {
        let account = Account { surface: wire.surface.0.into(), name: wire.account.0.into() };
        Self { account, conversation: wire.conversation.0.into() }
    }
}
