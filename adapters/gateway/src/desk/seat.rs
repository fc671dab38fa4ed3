//! Who sits at the other end of a connection or call, and what that one may call at all. Which Records it may see or
//! answer is the core's to say.

use askrelay_core::permit::{Caller, WireScope};
use askrelay_core::person::People;
use askrelay_protocol::call::{NotifyCall, PairingCall};
use askrelay_protocol::error::{Code, WireError};
use askrelay_protocol::frame::{Call, Caps};

/// Numbers connections from the start of the gateway on.
pub(crate) type ConnectionId = u64;

/// A caller and the shape it understands.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub(crate) caller: Caller,
    pub(crate) caps: Caps,
}

/// What a call is about, as far as scopes matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Creates an Ask, or tells people something.
    Ask,
    /// Reads, waits for or ends one.
    Question,
}

impl Seat {
    /// Whether the caller may make such a call at all.
    pub(super) fn may_call(&self, call: &Call, people: &People) -> Result<(), WireError> {
        let kind = match call {
            Call::Request(_) | Call::Notify(NotifyCall::Send(_)) => Kind::Ask,
            Call::WaitAnswer(_)
            | Call::Resolve(_)
            | Call::Get { .. }
            | Call::List(_)
            | Call::Collect { .. } => Kind::Question,
            Call::Pairings(PairingCall::Knock(_)) if self.caller != Caller::Ring => {
                return Err(WireError::new(Code::Forbidden, "only the ring's own connection knocks"));
            }
            Call::Notify(NotifyCall::Sent { .. }) if self.caller == Caller::Ring => return Ok(()),
            Call::Notify(NotifyCall::Sent { .. }) => {
                return Err(WireError::new(
                    Code::Forbidden,
                    "only the ring's own connection says what it told",
                ));
            }
            Call::People(_) | Call::Tokens(_) | Call::Pairings(_) | Call::Invites(_) | Call::Audit(_) => {
                return self.may_administer(people);
            }
            Call::Connect(_) => return Err(WireError::new(Code::InvalidRequest, "already connected")),
            // Somebody without all rights cannot tell an unknown method from a forbidden one.
            Call::Unknown { method } if self.caller.has(WireScope::Admin) => {
                return Err(WireError::new(Code::InvalidRequest, format!("unknown method: {method}")));
            }
            Call::Unknown { .. } => return Err(WireError::missing_scope("operator.admin")),
        };
        self.may(kind)
    }

    /// Whether the caller may read about questions, lists and events included.
    pub(super) fn may_read(&self) -> Result<(), WireError> {
        self.may(Kind::Question)
    }

    fn may_administer(&self, people: &People) -> Result<(), WireError> {
        if self.caller.administers(people) {
            return Ok(());
        }
        if self.caller.has(WireScope::Admin) {
            let words = "this needs the token of a person who holds questions.admin";
            return Err(WireError::new(Code::Forbidden, words));
        }
        Err(WireError::missing_scope("operator.admin"))
    }

    fn may(&self, kind: Kind) -> Result<(), WireError> {
        match kind {
            _ if self.caller.has(WireScope::Questions) => Ok(()),
            Kind::Question if self.caller.has(WireScope::SessionsWrite) => match self.caller.person() {
                Some(_) => Ok(()),
                None => {
                    let words = "Session-scoped access requires a verified user profile.";
                    Err(WireError::new(Code::Forbidden, words))
                }
            },
            Kind::Ask | Kind::Question => Err(WireError::missing_scope("operator.questions")),
        }
    }
}
