//! Changes of who is known, judged before they are made: names, identities that belong to somebody else, and the last Person
//! who holds all rights. Changes nothing by itself and decides nothing about who may ask for a change.

use std::collections::BTreeSet;

use super::{People, Person, Scope, Scopes};
use crate::id::{Identity, PersonId};

/// Longest name of a Person, in characters.
pub const NAME_MAX: usize = 64;

/// Longest name shown for a Person, in characters.
pub const DISPLAY_NAME_MAX: usize = 128;

/// What is to become of a Person. Whatever is already so is no fault, so that a change may be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Whom.
    pub id: PersonId,
    /// What others are shown from now on.
    pub display_name: Option<String>,
    /// Rights to be held.
    pub grant: Scopes,
    /// Rights to be held no more; wins over `grant`.
    pub revoke: Scopes,
    /// Identities of theirs.
    pub link: BTreeSet<Identity>,
    /// Identities that are not theirs any more; wins over `link`.
    pub unlink: BTreeSet<Identity>,
}

/// Why a change is not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeFault {
    /// The name could not be typed or printed safely.
    #[error("'{0}' is no name for a person: use 1 to {NAME_MAX} letters, digits, '.', '_', '-' or '@'")]
    Name(String),
    /// The shown name is too long, or holds what cannot be shown.
    #[error("a shown name has 1 to {DISPLAY_NAME_MAX} characters on one line")]
    DisplayName,
    /// Somebody else has that name.
    #[error("somebody is called '{0}' already")]
    Exists(PersonId),
    /// Nobody has that name.
    #[error("nobody is called '{0}'; `askrelay people list` shows everybody")]
    Nobody(PersonId),
    /// The identity is somebody else's.
    #[error("{identity} belongs to '{person}'; unlink it there first")]
    Taken {
        /// Which identity.
        identity: Identity,
        /// Whose it is.
        person: PersonId,
    },
    /// Nobody would be left who may do everything.
    #[error("'{0}' is the last who holds questions.admin; grant it to somebody else first")]
    LastAdmin(PersonId),
}

impl Change {
    /// One that changes nothing yet.
    #[must_use]
    pub fn of(id: PersonId) -> Self {
        Self {
            id,
            display_name: None,
            grant: Scopes::new(),
            revoke: Scopes::new(),
            link: BTreeSet::new(),
            unlink: BTreeSet::new(),
        }
    }
}

impl People {
    /// The Person to be added. Somebody who is there exactly so is no fault: the request came twice.
    ///
    /// # Errors
    /// The name or an identity is taken, or the name is none.
    pub fn added(&self, person: Person) -> Result<Person, ChangeFault> {
        check(&person)?;
        match self.get(&person.id) {
            Some(known) if *known == person => Ok(person),
            Some(_) => Err(ChangeFault::Exists(person.id)),
            None => {
                self.check_free(&person.id, &person.identities)?;
                Ok(person)
            }
        }
    }

    /// The Person as the change leaves them.
    ///
    /// # Errors
    /// Nobody has the name, an identity is somebody else's, or no admin would be left.
    pub fn changed(&self, change: &Change) -> Result<Person, ChangeFault> {
        let mut person =
            self.get(&change.id).cloned().ok_or_else(|| ChangeFault::Nobody(change.id.clone()))?;
        self.check_free(&person.id, change.link.difference(&change.unlink))?;
        if let Some(name) = &change.display_name {
            person.display_name.clone_from(name);
        }
        person.scopes.extend(&change.grant);
        person.scopes.retain(|scope| !change.revoke.contains(scope));
        person.identities.extend(change.link.iter().cloned());
        person.identities.retain(|identity| !change.unlink.contains(identity));
        self.replaced(person)
    }

    /// The Person who takes the place of whoever has the name now; their identities come with them.
    ///
    /// # Errors
    /// The name is none, or no admin would be left.
    pub fn replaced(&self, person: Person) -> Result<Person, ChangeFault> {
        check(&person)?;
        if !person.scopes.contains(&Scope::QuestionsAdmin) {
            self.check_last_admin(&person.id)?;
        }
        Ok(person)
    }

    /// Whether the Person may be forgotten.
    ///
    /// # Errors
    /// Nobody has the name, or no admin would be left.
    pub fn check_removal(&self, id: &PersonId) -> Result<(), ChangeFault> {
        if self.get(id).is_none() {
            return Err(ChangeFault::Nobody(id.clone()));
        }
        self.check_last_admin(id)
    }

    /// Somebody who is let in: the identity becomes the Person's, who is new or gets the rights on top of their own. Without
    /// `scopes` somebody new may answer, and somebody known gets nothing more.
    ///
    /// # Errors
    /// The name is none, or the identity is somebody else's.
    pub fn admitted(
        &self,
        id: &PersonId,
        scopes: Option<&Scopes>,
        identity: &Identity,
    ) -> Result<Person, ChangeFault> {
        self.check_free(id, [identity])?;
        let mut person = self.get(id).cloned().unwrap_or_else(|| Person {
            id: id.clone(),
            display_name: id.to_string(),
            scopes: if scopes.is_none() { [Scope::QuestionsAnswer].into() } else { Scopes::new() },
            identities: BTreeSet::new(),
        });
        person.scopes.extend(scopes.into_iter().flatten());
        person.identities.insert(identity.clone());
        check(&person)?;
        Ok(person)
    }

    fn check_free<'a>(
        &self,
        id: &PersonId,
        identities: impl IntoIterator<Item = &'a Identity>,
    ) -> Result<(), ChangeFault> {
        for identity in identities {
            if let Some(person) = self.behind(identity).filter(|person| person.id != *id) {
                return Err(ChangeFault::Taken { identity: identity.clone(), person: person.id.clone() });
            }
        }
        Ok(())
    }

    fn check_last_admin(&self, id: &PersonId) -> Result<(), ChangeFault> {
        let admin = |person: &Person| person.scopes.contains(&Scope::QuestionsAdmin);
        let is_last =
            self.get(id).is_some_and(admin) && !self.iter().any(|other| other.id != *id && admin(other));
        if is_last { Err(ChangeFault::LastAdmin(id.clone())) } else { Ok(()) }
    }
}

fn check(person: &Person) -> Result<(), ChangeFault> {
    check_name(&person.id)?;
    let shown = &person.display_name;
    let is_fine = !shown.trim().is_empty()
        && shown.chars().count() <= DISPLAY_NAME_MAX
        && !shown.chars().any(char::is_control);
    if is_fine { Ok(()) } else { Err(ChangeFault::DisplayName) }
}

/// Whether a Person may have this name: it is typed in commands, stands in paths and is printed.
///
/// # Errors
/// It is none.
pub fn check_name(id: &PersonId) -> Result<(), ChangeFault> {
    let name = id.as_str();
    let is_fine = (1..=NAME_MAX).contains(&name.chars().count())
        && !name.starts_with('-')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-@".contains(c));
    if is_fine { Ok(()) } else { Err(ChangeFault::Name(name.chars().take(NAME_MAX).collect())) }
}
