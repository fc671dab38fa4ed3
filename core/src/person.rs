//! People, their identities on surfaces and their rights. Decides nothing: [`crate::permit`] does.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

use crate::id::{Identity, PersonId};

mod change;

pub use change::{Change, ChangeFault, DISPLAY_NAME_MAX, NAME_MAX, check_name};

/// A right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Scope {
    /// Answers asks.
    #[serde(rename = "questions.answer")]
    QuestionsAnswer,
    /// Writes in sessions; alone it answers only asks of the person's own sessions.
    #[serde(rename = "sessions.write")]
    SessionsWrite,
    /// All of it, and the secret and sessionless asks.
    #[serde(rename = "questions.admin")]
    QuestionsAdmin,
}

/// A set of rights.
pub type Scopes = BTreeSet<Scope>;

/// A human with rights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Immutable name.
    pub id: PersonId,
    /// What others are shown.
    pub display_name: String,
    /// The rights held now.
    pub scopes: Scopes,
    /// The same human on surfaces.
    pub identities: BTreeSet<Identity>,
}

/// Everybody known, looked up by name or by identity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People {
    by_id: BTreeMap<PersonId, Person>,
    by_identity: BTreeMap<Identity, PersonId>,
}

impl Scope {
    /// Every right, weakest first.
    pub const ALL: [Self; 3] = [Self::QuestionsAnswer, Self::SessionsWrite, Self::QuestionsAdmin];

    /// The right's name, as people type it and as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::QuestionsAnswer => "questions.answer",
            Self::SessionsWrite => "sessions.write",
            Self::QuestionsAdmin => "questions.admin",
        }
    }

    /// The right of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

impl People {
    /// Adds or replaces a person; an identity belongs to the person who was given it last.
    pub fn put(&mut self, person: Person) {
        self.remove(&person.id);
        for identity in &person.identities {
            if let Some(before) = self.by_identity.insert(identity.clone(), person.id.clone())
                && let Some(other) = self.by_id.get_mut(&before)
            {
                other.identities.remove(identity);
            }
        }
        self.by_id.insert(person.id.clone(), person);
    }

    /// Forgets a person and all their identities.
    pub fn remove(&mut self, id: &PersonId) -> Option<Person> {
        let person = self.by_id.remove(id)?;
        for identity in &person.identities {
            self.by_identity.remove(identity);
        }
        Some(person)
    }

    /// The person of that name.
    #[must_use]
    pub fn get(&self, id: &PersonId) -> Option<&Person> {
        self.by_id.get(id)
    }

    /// The person behind an identity; unknown identities are nobody.
    #[must_use]
    pub fn behind(&self, identity: &Identity) -> Option<&Person> {
        self.by_identity.get(identity).and_then(|id| self.by_id.get(id))
    }

    /// Everybody, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Person> {
        self.by_id.values()
    }
}

impl FromIterator<Person> for People {
    fn from_iter<I: IntoIterator<Item = Person>>(people: I) -> Self {
        let mut all = Self::default();
        for person in people {
            all.put(person);
        }
        all
    }
}
