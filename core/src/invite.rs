//! Invites: an operator's word for one Person, good once. The secret part of its code is the gateway's to make and to check;
//! here is only what the invite stands for.

use serde::{Deserialize, Serialize};

use crate::id::{InviteId, PersonId};
use crate::person::Scopes;
use crate::time::{Span, Time};

/// How long an invite is good for when nobody says otherwise.
pub const GOOD_FOR: Span = Span::seconds(7 * 24 * 3600);

/// Longest that an invite may be good for.
pub const GOOD_FOR_MAX: Span = Span::seconds(365 * 24 * 3600);

/// Most invites that are open at a time.
pub const OPEN_MAX: usize = 1000;

/// An invite that was not used yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invite {
    /// Its public id; opens nothing.
    pub id: InviteId,
    /// Whom it makes of whoever brings it: somebody known, or a new Person.
    pub person: PersonId,
    /// The rights that come with it; without any, somebody new may answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Scopes>,
    /// When it was made.
    pub created_at: Time,
    /// Until when it is good.
    pub expires_at: Time,
}

impl Invite {
    /// Whether it is good now.
    #[must_use]
    pub fn is_good(&self, now: Time) -> bool {
        now < self.expires_at
    }
}
