//! People, who waits at their door, invites, tokens and the trail as JSON, for frames and for the HTTP front door. Shows no
//! secret, and decides nothing about who may see any of it.

use serde::ser::{Serialize, Serializer};

use askrelay_core::audit::Entry;
use askrelay_core::id::{Identity, Place, RecordKey};
use askrelay_core::invite::Invite;
use askrelay_core::pairing::Pairing;
use askrelay_core::person::{People, Person};
use askrelay_core::port::{Notification, Welcome};
use askrelay_core::time::Time;

use super::record::{ActorView, IdentityView, PlaceView};
use super::{ListView, object};
use crate::reply::TokenInfo;

/// A Person as JSON.
pub struct PersonView<'a>(pub &'a Person);

/// Somebody who waits, as JSON.
pub struct PairingView<'a>(pub &'a Pairing);

/// An invite as JSON, without its code.
pub struct InviteView<'a>(pub &'a Invite);

/// One line of the trail as JSON.
pub struct EntryView<'a> {
    /// Its number.
    pub number: i64,
    /// The line.
    pub entry: &'a Entry,
}

pub(super) struct PeopleView<'a>(pub(super) &'a People);
pub(super) struct TokenView<'a>(pub(super) &'a TokenInfo);
pub(super) struct WelcomeView<'a>(pub(super) &'a Welcome);
pub(super) struct NotificationView<'a>(pub(super) &'a Notification);
pub(super) struct KnockedView<'a> {
    pub(super) place: &'a Place,
    pub(super) identity: &'a Identity,
    pub(super) welcome: &'a Welcome,
}
struct KeyView<'a>(&'a RecordKey);

impl Serialize for PersonView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let person = self.0;
        object(to, |out| {
            out.put("id", &person.id)?;
            out.put("displayName", &person.display_name)?;
            out.put("scopes", &person.scopes)?;
            out.put("identities", &ListView(|| person.identities.iter().map(IdentityView)))
        })
    }
}

impl Serialize for PeopleView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |payload| payload.put("people", &ListView(|| self.0.iter().map(PersonView))))
    }
}

impl Serialize for TokenView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let TokenInfo { id, person, scopes, label, created_at, expires_at } = self.0;
        object(to, |token| {
            token.put("id", id)?;
            token.put_some("person", person)?;
            token.put("scopes", scopes)?;
            token.put_some("label", label)?;
            token.put("createdAtMs", created_at)?;
            token.put_some::<Time>("expiresAtMs", expires_at)
        })
    }
}

impl Serialize for WelcomeView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| match self.0 {
            Welcome::Code { code, good_for } => {
                out.put("welcome", "code")?;
                out.put("code", code)?;
                out.put("goodForMs", good_for)
            }
            Welcome::In { person, display_name } => {
                out.put("welcome", "in")?;
                out.put("person", person)?;
                out.put("displayName", display_name)
            }
            Welcome::InviteRefused => out.put("welcome", "inviteRefused"),
            Welcome::Closed => out.put("welcome", "closed"),
        })
    }
}

impl Serialize for KnockedView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| {
            out.put("place", &PlaceView(self.place))?;
            out.put("identity", &IdentityView(self.identity))?;
            out.put("told", &WelcomeView(self.welcome))
        })
    }
}

impl Serialize for NotificationView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Notification { number, message, origin, creator, places } = self.0;
        object(to, |out| {
            out.put("number", number)?;
            out.put("message", message)?;
            out.put("origin", origin)?;
            out.put_some("creator", creator)?;
            out.put_list("places", places)
        })
    }
}

impl Serialize for PairingView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let pairing = self.0;
        object(to, |out| {
            out.put("code", &pairing.code)?;
            out.put("identity", &IdentityView(&pairing.identity))?;
            out.put("place", &PlaceView(&pairing.place))?;
            out.put("displayName", &pairing.display_name)?;
            out.put("sinceMs", &pairing.since)?;
            out.put("expiresAtMs", &pairing.expires_at)
        })
    }
}

impl Serialize for InviteView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let invite = self.0;
        object(to, |out| {
            out.put("id", &invite.id)?;
            out.put("person", &invite.person)?;
            out.put_some("scopes", &invite.scopes)?;
            out.put("createdAtMs", &invite.created_at)?;
            out.put("expiresAtMs", &invite.expires_at)
        })
    }
}

impl Serialize for EntryView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Entry { at, what, actor, token, record, place, answers, words, detail } = self.entry;
        object(to, |out| {
            out.put("number", &self.number)?;
            out.put("atMs", at)?;
            out.put("what", what)?;
            out.put_some("actor", &actor.as_ref().map(ActorView))?;
            out.put_some("token", token)?;
            out.put_some("ask", &record.as_ref().map(KeyView))?;
            out.put_some("place", &place.as_ref().map(PlaceView))?;
            out.put_some("answers", answers)?;
            out.put_some("words", words)?;
            out.put_some("detail", detail)
        })
    }
}

impl Serialize for KeyView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |out| {
            out.put("gateway", &self.0.gateway)?;
            out.put("id", &self.0.id)?;
            out.put("createdAtMs", &self.0.created_at)
        })
    }
}
