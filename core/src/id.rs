//! Names of things, one type each so that they cannot be mixed up. Makes no fresh ids: those come in as arguments.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

use crate::time::Time;

macro_rules! name {
    ($(#[$doc:meta] $type:ident),+ $(,)?) => {$(
        #[$doc]
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $type(Arc<str>);

        impl $type {
            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $type {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $type {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::borrow::Borrow<str> for $type {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    )+};
}

name! {
    /// A gateway, as the configuration names it; `local` is the embedded one.
    GatewayId,
    /// One start of a gateway that forgets its Records when it stops.
    BootId,
    /// A Record's wire `id`; unique within one gateway at one time only (see [`RecordKey`]).
    RecordId,
    /// A Question within its Ask: the wire's `questionId`.
    QuestionId,
    /// A Person.
    PersonId,
    /// An access token's public id; never the token itself.
    TokenId,
    /// An invite's public id; never the invite itself.
    InviteId,
    /// The fixed id of one attempt to end a Record; repeating it changes nothing.
    ResolutionId,
    /// A Surface's name: `terminal`, `telegram`, ...
    SurfaceName,
    /// One bot login, as the configuration names it within its Surface.
    AccountName,
    /// A platform's immutable id of one of its users.
    UserId,
    /// A platform's id of one conversation, thread or topic, as the adapter writes it.
    ConversationId,
    /// A platform's id of one message in its conversation.
    MessageId,
    /// A platform's id of one incoming update within its Account; used to notice duplicates.
    UpdateId,
    /// Idempotency key of one outgoing message.
    SendId,
}

/// A Record's identity: two gateways may use one id, and a gateway may use an id again after the Record ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RecordKey {
    /// The gateway that owns the Record.
    pub gateway: GatewayId,
    /// Its id there.
    pub id: RecordId,
    /// When the gateway created it.
    pub created_at: Time,
}

/// One bot login on a Surface.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Account {
    /// The Surface.
    pub surface: SurfaceName,
    /// The login's name in the configuration.
    pub name: AccountName,
}

/// One conversation of one Account.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The Account that speaks there.
    pub account: Account,
    /// The conversation, thread or topic.
    pub conversation: ConversationId,
}

/// A human on one Surface, by the platform's immutable id; never a display name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Identity {
    /// The Surface.
    pub surface: SurfaceName,
    /// The user there.
    pub user: UserId,
}

/// Names an acknowledgement that a Report owes its platform; answered by exactly one `acknowledge` Order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AckId(pub u64);

/// A source of unguessable bytes, handed to the core by its caller: the operating system's in the program, a seeded one in tests.
pub trait Fresh {
    /// The next 16 bytes.
    fn bytes(&mut self) -> [u8; 16];
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.surface, self.name)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.account, self.conversation)
    }
}

impl Identity {
    /// The identity that `SURFACE/USER` names, such as `telegram/123456`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (surface, user) = text.split_once('/')?;
        let is_fine = !surface.is_empty() && !user.is_empty() && !text.chars().any(char::is_control);
        is_fine.then(|| Self { surface: surface.into(), user: user.into() })
    }

    /// As whom somebody acts for whom no Person is stored, such as `discord:1234`. Nobody can be added under such a name.
    #[must_use]
    pub fn person(&self) -> PersonId {
        format!("{}:{}", self.surface, self.user).into()
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.surface, self.user)
    }
}

impl fmt::Display for RecordKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}@{}", self.gateway, self.id, self.created_at.0)
    }
}
