//! The one gate: who may answer, see or withdraw a Record now. Only this module can make a [`Permit`]; whether the Record
//! still waits is [`crate::ledger`]'s, and telling a person about a refusal is [`crate::relay`]'s.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use crate::answer::{Actor, Way};
use crate::ask::{Binding, Creator};
use crate::id::{PersonId, RecordKey, TokenId};
use crate::person::{People, Person, Scope, Scopes};
use crate::record::Record;

/// Proof that this Person may answer this Record now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit {
    person: PersonId,
    record: RecordKey,
}

/// Why somebody may not answer. Told to the person in words that say nothing about the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    /// Nobody known: no Person stands behind it.
    Unknown,
    /// The Person lacks the right, or holds it only for other sessions.
    NoRight,
    /// The Ask names its answerers and this is none of them, or nobody verified that it is.
    NotAnAnswerer,
    /// Typed text cannot answer this Record; its controls or a panel can.
    NeedsControls,
    /// The creator held rights that this Person does not hold now.
    FewerRights,
}

impl Refused {
    /// The reason as one word, as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::NoRight => "no_right",
            Self::NotAnAnswerer => "not_an_answerer",
            Self::NeedsControls => "needs_controls",
            Self::FewerRights => "fewer_rights",
        }
    }
}

/// A scope of a connection, as the wire spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WireScope {
    /// Reads and asks; resolves only for a Person with `questions.answer`.
    #[serde(rename = "operator.questions")]
    Questions,
    /// Answers ordinary asks of the Person's own sessions.
    #[serde(rename = "operator.sessions.write")]
    SessionsWrite,
    /// All of it.
    #[serde(rename = "operator.admin")]
    Admin,
}

/// Who is at the other end of a connection, as the gateway established it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The ring's own connection: sees everything and asserts the actors of the answers it forwards.
    Ring,
    /// A local process of the data directory's user: asks as the owner, waits and withdraws, never answers.
    Local {
        /// The Person it asks as.
        owner: PersonId,
    },
    /// The bearer of a token.
    Token {
        /// The token's public id.
        id: TokenId,
        /// The Person it belongs to; none makes it a service.
        person: Option<PersonId>,
        /// What the token may do, at most.
        scopes: BTreeSet<WireScope>,
    },
}

impl WireScope {
    /// Every scope.
    pub const ALL: [Self; 3] = [Self::Questions, Self::SessionsWrite, Self::Admin];

    /// The scope's name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Questions => "operator.questions",
            Self::SessionsWrite => "operator.sessions.write",
            Self::Admin => "operator.admin",
        }
    }

    /// The scope of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

impl Permit {
    /// The Person who may answer.
    #[must_use]
    pub const fn person(&self) -> &PersonId {
        &self.person
    }

    /// The Record that may be answered.
    #[must_use]
    pub const fn record(&self) -> &RecordKey {
        &self.record
    }
}

/// Whether `actor` may answer or decline `record` now, by the rules of DESIGN section 8. Rights are read from `people` at
/// this moment, so a revoked right counts at once; those that roles gave count beside them, or alone for nobody stored.
///
/// # Errors
/// Why not.
pub fn permit(record: &Record, people: &People, actor: &Actor) -> Result<Permit, Refused> {
    let id = actor.person.as_ref().ok_or(Refused::Unknown)?;
    // Where nobody verified who it is, nobody verified their roles.
    let mut scopes = if actor.unverified() { Scopes::new() } else { actor.granted.clone() };
    match people.get(id) {
        Some(person) => scopes.extend(&person.scopes),
        None => {
            // The name of somebody removed lends its asks and mentions to nobody.
            let by_roles = actor.identity.as_ref().is_some_and(|identity| identity.person() == *id);
            if !by_roles || scopes.is_empty() {
                return Err(Refused::Unknown);
            }
        }
    }
    judge(record, id, Rights::of(&scopes), actor.way, actor.unverified())
}

/// The rights that count in one judgement: somebody's, or what a connection lets through of them.
#[derive(Clone, Copy)]
struct Rights {
    answer: bool,
    write: bool,
    admin: bool,
}

impl Rights {
    /// An admin holds every right.
    fn of(scopes: &Scopes) -> Self {
        let admin = scopes.contains(&Scope::QuestionsAdmin);
        Self {
            answer: admin || scopes.contains(&Scope::QuestionsAnswer),
            write: admin || scopes.contains(&Scope::SessionsWrite),
            admin,
        }
    }

    const fn holds(self, scope: Scope) -> bool {
        match scope {
            Scope::QuestionsAnswer => self.answer,
            Scope::SessionsWrite => self.write,
            Scope::QuestionsAdmin => self.admin,
        }
    }
}

fn judge(
    record: &Record,
    person: &PersonId,
    rights: Rights,
    way: Way,
    unverified: bool,
) -> Result<Permit, Refused> {
    let ask = &record.ask;
    if !ask.answerers.is_empty() && (unverified || !ask.answerers.contains(person)) {
        return Err(Refused::NotAnAnswerer);
    }
    let administrative =
        ask.creator.binding == Binding::None || ask.questions.iter().any(|question| question.secret);
    if administrative && (unverified || !rights.admin) {
        return Err(Refused::NoRight);
    }
    let own_session = ask.creator.binding == Binding::Run && ask.creator.person.as_ref() == Some(person);
    let writes_there = own_session && rights.write;
    if !rights.answer && !writes_there {
        return Err(Refused::NoRight);
    }
    if way == Way::Text {
        judge_text(&ask.creator, rights)?;
    }
    Ok(Permit { person: person.clone(), record: record.key.clone() })
}

fn judge_text(creator: &Creator, rights: Rights) -> Result<(), Refused> {
    if creator.binding != Binding::Run {
        return Err(Refused::NeedsControls);
    }
    if !rights.answer || !creator.scopes.iter().all(|scope| rights.holds(*scope)) {
        return Err(Refused::FewerRights);
    }
    Ok(())
}

impl Caller {
    /// The Person behind the connection.
    #[must_use]
    pub const fn person(&self) -> Option<&PersonId> {
        match self {
            Self::Ring => None,
            Self::Local { owner } => Some(owner),
            Self::Token { person, .. } => person.as_ref(),
        }
    }

    /// Whether the connection was granted the scope; `operator.admin` grants all.
    #[must_use]
    pub fn has(&self, scope: WireScope) -> bool {
        match self {
            Self::Ring => true,
            Self::Local { .. } => scope == WireScope::Questions,
            Self::Token { scopes, .. } => scopes.contains(&scope) || scopes.contains(&WireScope::Admin),
        }
    }

    /// The creator of an Ask made on this connection now. A Person's connection binds as its run; a service binds as
    /// attached when it names a session, else to nobody. Whoever acts for somebody who is not known any more is no service.
    #[must_use]
    pub fn creator(&self, people: &People, session: bool) -> Creator {
        let person = self.person().and_then(|id| people.get(id));
        let token = match self {
            Self::Token { id, .. } => Some(id.clone()),
            Self::Ring | Self::Local { .. } => None,
        };
        let binding = match person {
            Some(_) => Binding::Run,
            None if session && self.person().is_none() => Binding::Attached,
            None => Binding::None,
        };
        let through = |person| {
            let rights = self.rights(person);
            Scope::ALL.into_iter().filter(|scope| rights.holds(*scope)).collect::<Scopes>()
        };
        let scopes = person.map(through).unwrap_or_default();
        Creator { person: person.map(|person| person.id.clone()), token, binding, scopes }
    }

    /// Whether the connection may know that the Record exists: its creator, an admin, or somebody who may answer it.
    /// What a caller may not see looks nonexistent.
    #[must_use]
    pub fn may_see(&self, record: &Record, people: &People) -> bool {
        match self {
            Self::Ring => true,
            _ if self.created(record) => true,
            Self::Local { .. } => false,
            Self::Token { person, .. } => {
                let Some(person) = person else { return self.has(WireScope::Admin) };
                people
                    .get(person)
                    .is_some_and(|person| self.rights(person).admin || self.permit(record, people).is_ok())
            }
        }
    }

    /// Whether the connection may take the Record back: whoever created it, or an admin.
    #[must_use]
    pub fn may_withdraw(&self, record: &Record, people: &People) -> bool {
        match self {
            Self::Ring => true,
            _ if self.created(record) => true,
            Self::Local { .. } => false,
            Self::Token { .. } => self.administers(people),
        }
    }

    /// Whether the connection may change who is known, and read the trail: the ring, the data directory's own user (who could
    /// write the store by hand, so that refusing would protect nobody), an admin whose token lets that through, or a service
    /// that was made for it.
    #[must_use]
    pub fn administers(&self, people: &People) -> bool {
        match self {
            Self::Ring | Self::Local { .. } => true,
            Self::Token { person: None, .. } => self.has(WireScope::Admin),
            Self::Token { person: Some(id), .. } => {
                people.get(id).is_some_and(|person| self.rights(person).admin)
            }
        }
    }

    /// Whether the connection itself may answer the Record: its token's Person, with the rights that the token lets
    /// through. The ring asserts actors instead, and a local connection never answers.
    ///
    /// # Errors
    /// Why not.
    pub fn permit(&self, record: &Record, people: &People) -> Result<Permit, Refused> {
        let Self::Token { person: Some(id), .. } = self else {
            return Err(Refused::Unknown);
        };
        let person = people.get(id).ok_or(Refused::Unknown)?;
        judge(record, id, self.rights(person), Way::Call, false)
    }

    fn created(&self, record: &Record) -> bool {
        let creator = &record.ask.creator;
        match self {
            Self::Ring => false,
            Self::Local { owner } => creator.person.as_ref() == Some(owner),
            Self::Token { id, person, .. } => {
                creator.token.as_ref() == Some(id) || (person.is_some() && creator.person == *person)
            }
        }
    }

    /// What the connection's scopes let through of the Person's rights.
    fn rights(&self, person: &Person) -> Rights {
        let all = Rights::of(&person.scopes);
        let Self::Token { .. } = self else { return all };
        Rights {
            answer: all.answer && self.has(WireScope::Questions),
            write: all.write && self.has(WireScope::SessionsWrite),
            admin: all.admin && self.has(WireScope::Admin),
        }
    }
}
