//! Reads what is about people, their doors and the trail: the params of requests, closed and typed, and what a gateway
//! answers, openly.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use askrelay_core::answer::Answers;
use askrelay_core::audit::Entry;
use askrelay_core::id::{InviteId, PersonId, QuestionId, RecordKey, TokenId};
use askrelay_core::invite::Invite;
use askrelay_core::pairing::{Code, Pairing};
use askrelay_core::permit::WireScope;
use askrelay_core::person::{Change, People, Person, Scope, Scopes};
use askrelay_core::port::{Knock, Welcome};
use askrelay_core::time::{Span, Time};

use super::call::{ActorWire, IdentityWire, PlaceWire};
use super::request::Params;
use super::response::typed;
use super::scalar::{Filled, Object, Whole, present};
use super::shape::Shape;
use super::shapes;
use crate::call::{Approval, AuditParams, NewInvite, NewToken, PAGE_MAX};
use crate::frame::Event;
use crate::reply::{Reply, TokenInfo};
use crate::secret::Secret;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PersonWire {
    id: Filled,
    display_name: String,
    scopes: BTreeSet<Scope>,
    identities: Vec<Object<IdentityWire>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PeoplePutWire {
    person: Object<PersonWire>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct TokensCreateWire {
    #[serde(default, deserialize_with = "present")]
    person: Option<Filled>,
    scopes: BTreeSet<WireScope>,
    #[serde(default, deserialize_with = "present")]
    label: Option<String>,
    #[serde(default, deserialize_with = "present")]
    expires_at_ms: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PeopleChangeWire {
    id: Filled,
    #[serde(default, deserialize_with = "present")]
    display_name: Option<String>,
    #[serde(default)]
    grant: BTreeSet<Scope>,
    #[serde(default)]
    revoke: BTreeSet<Scope>,
    #[serde(default)]
    link: Vec<Object<IdentityWire>>,
    #[serde(default)]
    unlink: Vec<Object<IdentityWire>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct KnockWire {
    place: Object<PlaceWire>,
    identity: Object<IdentityWire>,
    display_name: String,
    #[serde(default, deserialize_with = "present")]
    invite: Option<Filled>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ApproveWire {
    code: Filled,
    person: Filled,
    #[serde(default, deserialize_with = "present")]
    scopes: Option<BTreeSet<Scope>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RejectWire {
    code: Filled,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct InviteCreateWire {
    person: Filled,
    #[serde(default, deserialize_with = "present")]
    scopes: Option<BTreeSet<Scope>>,
    #[serde(default, deserialize_with = "present")]
    expires_at_ms: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AuditWire {
    #[serde(default, deserialize_with = "present")]
    ask: Option<Filled>,
    #[serde(default, deserialize_with = "present")]
    person: Option<Filled>,
    #[serde(default, deserialize_with = "present")]
    after: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    limit: Option<Whole<1, { PAGE_MAX as u64 }>>,
}

impl Params for PeoplePutWire {
    type Typed = Person;
    const SHAPE: Shape = shapes::PEOPLE_PUT;

    fn typed(self) -> Person {
        self.person.0.into()
    }
}

impl Params for TokensCreateWire {
    type Typed = NewToken;
    const SHAPE: Shape = shapes::TOKENS_CREATE;

    fn typed(self) -> NewToken {
        NewToken {
            person: self.person.map(|person| person.0.into()),
            scopes: self.scopes,
            label: self.label,
            expires_at: self.expires_at_ms.map(Time),
        }
    }
}

impl Params for PeopleChangeWire {
    type Typed = Change;
    const SHAPE: Shape = shapes::PEOPLE_CHANGE;

    fn typed(self) -> Change {
        let identities = |wires: Vec<Object<IdentityWire>>| wires.into_iter().map(|wire| wire.0.into());
        Change {
            id: self.id.0.into(),
            display_name: self.display_name,
            grant: self.grant,
            revoke: self.revoke,
            link: identities(self.link).collect(),
            unlink: identities(self.unlink).collect(),
        }
    }
}

impl Params for KnockWire {
    type Typed = Knock;
    const SHAPE: Shape = shapes::KNOCK;

    fn typed(self) -> Knock {
        Knock {
            place: self.place.0.into(),
            identity: self.identity.0.into(),
            display_name: self.display_name,
            invite: self.invite.map(|code| code.0),
        }
    }
}

impl Params for ApproveWire {
    type Typed = Approval;
    const SHAPE: Shape = shapes::APPROVE;

    fn typed(self) -> Approval {
        Approval { code: Code::typed(&self.code.0), person: self.person.0.into(), scopes: self.scopes }
    }
}

impl Params for RejectWire {
    type Typed = Code;
    const SHAPE: Shape = shapes::REJECT;

    fn typed(self) -> Code {
        Code::typed(&self.code.0)
    }
}

impl Params for InviteCreateWire {
    type Typed = NewInvite;
    const SHAPE: Shape = shapes::INVITE;

    fn typed(self) -> NewInvite {
        let expires_at = self.expires_at_ms.map(Time);
        NewInvite { person: self.person.0.into(), scopes: self.scopes, expires_at }
    }
}

impl Params for AuditWire {
    type Typed = AuditParams;
    const SHAPE: Shape = shapes::AUDIT;

    fn typed(self) -> AuditParams {
        AuditParams {
            ask: self.ask.map(|id| id.0.into()),
            person: self.person.map(|id| id.0.into()),
            after: self.after,
            limit: self.limit.and_then(|limit| usize::try_from(limit.0).ok()),
        }
    }
}

impl From<PersonWire> for Person {
    fn from(wire: PersonWire) -> Self {
        Self {
            id: wire.id.0.into(),
            display_name: wire.display_name,
            scopes: wire.scopes,
            identities: wire.identities.into_iter().map(|identity| identity.0.into()).collect(),
        }
    }
}

#[derive(Deserialize)]
struct PeopleWire {
    people: Vec<PersonWire>,
}

#[derive(Deserialize)]
struct OnePersonWire {
    person: PersonWire,
}

#[derive(Deserialize)]
struct TokenCreatedWire {
    id: TokenId,
    token: Secret,
}

#[derive(Deserialize)]
struct TokensWire {
    tokens: Vec<TokenWire>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TokenWire {
    id: TokenId,
    #[serde(default)]
    person: Option<String>,
    scopes: Vec<WireScope>,
    #[serde(default)]
    label: Option<String>,
    created_at_ms: i64,
    #[serde(default)]
    expires_at_ms: Option<i64>,
}

#[derive(Deserialize)]
#[serde(tag = "welcome", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum WelcomeWire {
    Code { code: String, good_for_ms: u64 },
    In { person: PersonId, display_name: String },
    InviteRefused,
    Closed,
}

#[derive(Deserialize)]
struct KnockedWire {
    place: PlaceWire,
    identity: IdentityWire,
    told: WelcomeWire,
}

#[derive(Deserialize)]
struct PairingsWire {
    pairings: Vec<PairingWire>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PairingWire {
    code: String,
    identity: IdentityWire,
    place: PlaceWire,
    display_name: String,
    since_ms: i64,
    expires_at_ms: i64,
}

#[derive(Deserialize)]
struct InvitesWire {
    invites: Vec<InviteWire>,
}

#[derive(Deserialize)]
struct InviteCreatedWire {
    invite: InviteWire,
    code: Secret,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InviteWire {
    id: InviteId,
    person: PersonId,
    #[serde(default)]
    scopes: Option<Scopes>,
    created_at_ms: i64,
    expires_at_ms: i64,
}

#[derive(Deserialize)]
struct TrailWire {
    entries: Vec<EntryWire>,
    #[serde(default)]
    next: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntryWire {
    number: i64,
    at_ms: i64,
    what: String,
    #[serde(default)]
    actor: Option<ActorWire>,
    #[serde(default)]
    token: Option<TokenId>,
    #[serde(default)]
    ask: Option<AskKeyWire>,
    #[serde(default)]
    place: Option<PlaceWire>,
    #[serde(default)]
    answers: Option<BTreeMap<QuestionId, Vec<String>>>,
    #[serde(default)]
    words: Option<String>,
    #[serde(default)]
    detail: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AskKeyWire {
    gateway: String,
    id: String,
    created_at_ms: i64,
}

pub(super) fn people(payload: &str) -> Result<Arc<People>, String> {
    let wire: PeopleWire = typed(payload)?;
    Ok(Arc::new(wire.people.into_iter().map(Into::into).collect()))
}

pub(super) fn person(payload: &str) -> Result<Reply, String> {
    let wire: OnePersonWire = typed(payload)?;
    Ok(Reply::Person(Box::new(wire.person.into())))
}

pub(super) fn token_created(payload: &str) -> Result<Reply, String> {
    let wire: TokenCreatedWire = typed(payload)?;
    Ok(Reply::TokenCreated { id: wire.id, token: wire.token })
}

pub(super) fn tokens(payload: &str) -> Result<Reply, String> {
    let wire: TokensWire = typed(payload)?;
    Ok(Reply::Tokens(wire.tokens.into_iter().map(Into::into).collect()))
}

pub(super) fn welcome(payload: &str) -> Result<Reply, String> {
    Ok(Reply::Knocked(typed::<WelcomeWire>(payload)?.into()))
}

pub(super) fn knocked(payload: &str) -> Result<Event, String> {
    let KnockedWire { place, identity, told } = typed(payload)?;
    Ok(Event::Knocked { place: place.into(), identity: identity.into(), welcome: told.into() })
}

pub(super) fn pairings(payload: &str) -> Result<Reply, String> {
    let wire: PairingsWire = typed(payload)?;
    Ok(Reply::Pairings(wire.pairings.into_iter().map(Into::into).collect()))
}

pub(super) fn invites(payload: &str) -> Result<Reply, String> {
    let wire: InvitesWire = typed(payload)?;
    Ok(Reply::Invites(wire.invites.into_iter().map(Into::into).collect()))
}

pub(super) fn invite_created(payload: &str) -> Result<Reply, String> {
    let wire: InviteCreatedWire = typed(payload)?;
    Ok(Reply::InviteCreated { invite: wire.invite.into(), code: wire.code })
}

pub(super) fn trail(payload: &str) -> Result<Reply, String> {
    let wire: TrailWire = typed(payload)?;
    let entries = wire.entries.into_iter().map(|entry| (entry.number, entry.into())).collect();
    Ok(Reply::Trail { entries, next: wire.next })
}

impl From<TokenWire> for TokenInfo {
    fn from(wire: TokenWire) -> Self {
        Self {
            id: wire.id,
            person: wire.person.map(Into::into),
            scopes: wire.scopes.into_iter().collect(),
            label: wire.label,
            created_at: Time(wire.created_at_ms),
            expires_at: wire.expires_at_ms.map(Time),
        }
    }
}

impl From<WelcomeWire> for Welcome {
    fn from(wire: WelcomeWire) -> Self {
        match wire {
            WelcomeWire::Code { code, good_for_ms } => Self::Code { code, good_for: Span(good_for_ms) },
            WelcomeWire::In { person, display_name } => Self::In { person, display_name },
            WelcomeWire::InviteRefused => Self::InviteRefused,
            WelcomeWire::Closed => Self::Closed,
        }
    }
}

impl From<PairingWire> for Pairing {
    fn from(wire: PairingWire) -> Self {
        Self {
            code: Code::typed(&wire.code),
            identity: wire.identity.into(),
            place: wire.place.into(),
            display_name: wire.display_name,
            since: Time(wire.since_ms),
            expires_at: Time(wire.expires_at_ms),
            rejected: false,
        }
    }
}

impl From<InviteWire> for Invite {
    fn from(wire: InviteWire) -> Self {
        Self {
            id: wire.id,
            person: wire.person,
            scopes: wire.scopes,
            created_at: Time(wire.created_at_ms),
            expires_at: Time(wire.expires_at_ms),
        }
    }
}

impl From<EntryWire> for Entry {
    fn from(wire: EntryWire) -> Self {
        Self {
            at: Time(wire.at_ms),
            what: wire.what,
            actor: wire.actor.map(Into::into),
            token: wire.token,
            record: wire.ask.map(|ask| RecordKey {
                gateway: ask.gateway.into(),
                id: ask.id.into(),
                created_at: Time(ask.created_at_ms),
            }),
            place: wire.place.map(Into::into),
            answers: wire.answers.map(Answers),
            words: wire.words,
            detail: wire.detail,
        }
    }
}
