//! Frames to text, in the shape that the peer's caps ask for. A plain peer gets OpenClaw's members and no others; whether
//! it may get a Record at all ([`crate::check::plain_can_express`]) and may see it is decided before.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::error::{Details, WireError};
use crate::frame::{Call, Caps, Challenge, Event, ServerFrame};
use crate::reply::{Reply, Waited};

mod administration;
mod call;
mod connect;
mod record;

pub use administration::{EntryView, InviteView, PairingView, PersonView};
use administration::{KnockedView, NotificationView, PeopleView, TokenView, WelcomeView};
use record::EndingView;
pub use record::RecordView;

/// The members of an object under construction.
struct Members<M>(M);

impl ServerFrame {
    /// The frame as JSON text for a peer with these caps.
    #[must_use]
    pub fn encode(&self, caps: Caps) -> String {
        text(&FrameView { frame: self, caps })
    }
}

/// One request as JSON text for a gateway with these caps; members that a plain gateway would refuse are left out.
#[must_use]
pub fn encode_request(id: &str, call: &Call, caps: Caps) -> String {
    text(&call::RequestView { id, call, caps })
}

/// Writing JSON into memory fails only for a map key that is no string, and no view has one.
fn text(view: &impl Serialize) -> String {
    serde_json::to_string(view).unwrap_or_default()
}

impl<M: SerializeMap> Members<M> {
    fn put<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), M::Error> {
        self.0.serialize_entry(name, value)
    }

    fn put_some<T: Serialize>(&mut self, name: &'static str, value: &Option<T>) -> Result<(), M::Error> {
        value.as_ref().map_or(Ok(()), |value| self.put(name, value))
    }

    fn put_true(&mut self, name: &'static str, value: bool) -> Result<(), M::Error> {
        if value { self.put(name, &true) } else { Ok(()) }
    }

    fn put_list<T: Serialize>(&mut self, name: &'static str, list: &[T]) -> Result<(), M::Error> {
        if list.is_empty() { Ok(()) } else { self.put(name, list) }
    }
}

/// An object whose members `fill` writes.
fn object<S: Serializer>(
    to: S,
    fill: impl FnOnce(&mut Members<S::SerializeMap>) -> Result<(), S::Error>,
) -> Result<S::Ok, S::Error> {
    let mut members = Members(to.serialize_map(None)?);
    fill(&mut members)?;
    members.0.end()
}

/// A list that is made while it is written.
struct ListView<F>(F);

impl<I: IntoIterator<Item: Serialize>, F: Fn() -> I> Serialize for ListView<F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq((self.0)())
    }
}

struct FrameView<'a> {
    frame: &'a ServerFrame,
    caps: Caps,
}

impl Serialize for FrameView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let caps = self.caps;
        object(to, |frame| match self.frame {
            ServerFrame::Response { id, result } => {
                frame.put("type", "res")?;
                frame.put("id", id)?;
                frame.put("ok", &result.is_ok())?;
                match result {
                    Ok(reply) => frame.put("payload", &ReplyView { reply, caps }),
                    Err(error) => frame.put("error", &ErrorView { error, caps }),
                }
            }
            ServerFrame::Event { seq, event } => {
                frame.put("type", "event")?;
                frame.put("event", event.name())?;
                frame.put("payload", &EventView { event, caps })?;
                frame.put_some("seq", seq)
            }
        })
    }
}

struct EventView<'a> {
    event: &'a Event,
    caps: Caps,
}

impl Serialize for EventView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let caps = self.caps;
        match self.event {
            Event::Challenge(Challenge { nonce, ts, capabilities }) => object(to, |payload| {
                payload.put("nonce", nonce)?;
                payload.put("ts", ts)?;
                payload.put("capabilities", capabilities)
            }),
            Event::QuestionRequested(record) => RecordView { record, caps }.serialize(to),
            Event::QuestionResolved(ending) => {
                EndingView { ending, caps, with_id: true, with_resolution: false }.serialize(to)
            }
            Event::People(people) => PeopleView(people).serialize(to),
            Event::Knocked { place, identity, welcome } => {
                KnockedView { place, identity, welcome }.serialize(to)
            }
            Event::Notify(notification) => NotificationView(notification).serialize(to),
            Event::Tick { ts } => object(to, |payload| payload.put("ts", ts)),
            Event::Shutdown { reason, restart_expected_ms } => object(to, |payload| {
                payload.put("reason", reason)?;
                payload.put_some("restartExpectedMs", restart_expected_ms)
            }),
            Event::Unknown { .. } => object(to, |_| Ok(())),
        }
    }
}

struct ReplyView<'a> {
    reply: &'a Reply,
    caps: Caps,
}

impl Serialize for ReplyView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let caps = self.caps;
        match self.reply {
            Reply::HelloOk(hello) => connect::HelloView(hello).serialize(to),
            Reply::Requested { id, expires_at, was_there } => object(to, |payload| {
                payload.put("id", id)?;
                payload.put("expiresAtMs", expires_at)?;
                payload.put_true("wasThere", caps.wide && *was_there)
            }),
            Reply::Waited(Waited::Pending) => object(to, |payload| payload.put("status", "pending")),
            Reply::Waited(Waited::Ended { ending, include_resolution }) => {
                EndingView { ending, caps, with_id: false, with_resolution: *include_resolution }
                    .serialize(to)
            }
            Reply::Resolved(ending) => {
                EndingView { ending, caps, with_id: false, with_resolution: false }.serialize(to)
            }
            Reply::Question(record) => {
                object(to, |payload| payload.put("question", &RecordView { record, caps }))
            }
            Reply::Questions { records, next } => object(to, |payload| {
                let list = || records.iter().map(|record| RecordView { record, caps });
                payload.put("questions", &ListView(list))?;
                match next {
                    Some(next) if caps.wide => payload.put("next", &next.to_string()),
                    _ => Ok(()),
                }
            }),
            Reply::People(people) => PeopleView(people).serialize(to),
            Reply::TokenCreated { id, token } => object(to, |payload| {
                payload.put("id", id)?;
                payload.put("token", token)
            }),
            Reply::Tokens(tokens) => {
                object(to, |payload| payload.put("tokens", &ListView(|| tokens.iter().map(TokenView))))
            }
            Reply::Person(person) => object(to, |payload| payload.put("person", &PersonView(person))),
            Reply::Notified { places } => object(to, |payload| payload.put("places", places)),
            Reply::Knocked(welcome) => WelcomeView(welcome).serialize(to),
            Reply::Pairings(pairings) => {
                object(to, |payload| payload.put("pairings", &ListView(|| pairings.iter().map(PairingView))))
            }
            Reply::InviteCreated { invite, code } => object(to, |payload| {
                payload.put("invite", &InviteView(invite))?;
                payload.put("code", code)
            }),
            Reply::Invites(invites) => {
                object(to, |payload| payload.put("invites", &ListView(|| invites.iter().map(InviteView))))
            }
            Reply::Trail { entries, next } => object(to, |payload| {
                let list = || entries.iter().map(|(number, entry)| EntryView { number: *number, entry });
                payload.put("entries", &ListView(list))?;
                payload.put_some("next", next)
            }),
            Reply::Done => object(to, |_| Ok(())),
        }
    }
}

struct ErrorView<'a> {
    error: &'a WireError,
    caps: Caps,
}

impl Serialize for ErrorView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let WireError { code, message, details, retryable, retry_after_ms } = self.error;
        let details = DetailsView { details, caps: self.caps };
        object(to, |error| {
            error.put("code", code.as_str())?;
            error.put("message", message)?;
            if !details.is_empty() {
                error.put("details", &details)?;
            }
            error.put_true("retryable", *retryable)?;
            error.put_some("retryAfterMs", retry_after_ms)
        })
    }
}

struct DetailsView<'a> {
    details: &'a Details,
    caps: Caps,
}

impl DetailsView<'_> {
    fn is_empty(&self) -> bool {
        let all = self.details;
        let plain = all.code.is_none()
            && all.reason.is_none()
            && all.missing_scope.is_none()
            && all.required_scopes.is_empty()
            && all.method.is_none()
            && all.phase.is_none()
            && all.request_id.is_none()
            && !all.wait_then_retry;
        let wide = all.faults.is_empty() && all.record.is_none() && all.refused.is_none();
        plain && (wide || !self.caps.wide)
    }
}

impl Serialize for DetailsView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let all = self.details;
        object(to, |details| {
            details.put_some("code", &all.code.as_ref().map(|code| code.as_str()))?;
            details.put_some("reason", &all.reason.as_ref().map(|reason| reason.as_str()))?;
            details.put_some("missingScope", &all.missing_scope)?;
            details.put_list("requiredScopes", &all.required_scopes)?;
            details.put_some("method", &all.method)?;
            details.put_some("phase", &all.phase)?;
            details.put_some("requestId", &all.request_id)?;
            if all.wait_then_retry {
                details.put("recommendedNextStep", "wait_then_retry")?;
            }
            if self.caps.wide {
                details.put_list("faults", &all.faults.iter().map(FaultView).collect::<Vec<_>>())?;
                let record = all.record.as_ref().map(|record| RecordView { record, caps: self.caps });
                details.put_some("record", &record)?;
                details.put_some("refused", &all.refused)?;
            }
            Ok(())
        })
    }
}

struct FaultView<'a>(&'a askrelay_core::ask::Fault);

impl Serialize for FaultView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |fault| {
            fault.put("path", &self.0.path)?;
            fault.put("message", &self.0.what)
        })
    }
}
