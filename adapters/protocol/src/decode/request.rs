//! Reads what a client sends. The frame is split without looking into its params, those are read once into their typed
//! form, and only when that fails they are walked again to collect every fault.

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

use askrelay_core::ask::Fault;

use super::administration::{
    ApproveWire, AuditWire, InviteCreateWire, KnockWire, PeopleChangeWire, PeoplePutWire, RejectWire,
    TokensCreateWire,
};
use super::ask::AskWire;
use super::call::{AnswerWire, CancelWire, ListWire, NamedWire, NothingWire, WaitWire};
use super::connect::ConnectWire;
use super::notify::{NotifiedWire, NotifyWire};
use super::scalar::{Object, present};
use super::shape::{Shape, mend};
use super::shapes;
use crate::call::{AskParams, InviteCall, PairingCall, PeopleCall, ResolveParams, TokenCall};
use crate::error::WireError;
use crate::frame::{Call, Caps, ClientFrame, Method};

/// Text that is no JSON: close the connection before the hello, ignore it after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the frame is not JSON text")]
pub struct NotJson;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameWire<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    id: String,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

/// The typed reading of one request's params.
pub(super) trait Params: DeserializeOwned {
    /// What they are in the core's types.
    type Typed;
    /// What they look like; says the same as the typed reading.
    const SHAPE: Shape;

    /// Whether a peer without the cap may send them.
    fn fits_plain(&self) -> bool {
        true
    }

    /// In the core's types.
    fn typed(self) -> Self::Typed;

    /// What else is wrong with them once their shape is right.
    fn contract_faults(_typed: Self::Typed, _caps: Caps) -> Vec<Fault> {
        Vec::new()
    }
}

impl ClientFrame {
    /// Reads one frame of a client with these caps. Params of `question.request` may still break the contract:
    /// [`AskParams::into_ask`] tells.
    ///
    /// # Errors
    /// The text is no JSON. Everything else that is wrong comes as [`ClientFrame::Invalid`].
    pub fn parse(text: &str, caps: Caps) -> Result<Self, NotJson> {
        match serde_json::from_str::<Object<FrameWire<'_>>>(text) {
            Ok(Object(frame)) if frame.kind == "req" && !frame.id.is_empty() && !frame.method.is_empty() => {
                Ok(read(frame.id, &frame.method, frame.params.map_or("{}", RawValue::get), caps))
            }
            _ => read_slowly(text, caps),
        }
    }
}

impl AskParams {
    /// Reads the params of `question.request` alone, as the HTTP front door and a file give them.
    ///
    /// # Errors
    /// `INVALID_REQUEST` with every fault of shape and contract.
    pub fn parse(text: &str, caps: Caps) -> Result<Self, WireError> {
        params::<AskWire>(Method::Request, text, caps)
    }
}

impl ResolveParams {
    /// Reads the params of `question.resolve` alone.
    ///
    /// # Errors
    /// `INVALID_REQUEST` with every fault.
    pub fn parse(text: &str, caps: Caps) -> Result<Self, WireError> {
        let answer = serde_json::from_str::<Object<AnswerWire>>(text);
        match answer {
            Ok(Object(wire)) if caps.wide || wire.fits_plain() => Ok(wire.typed()),
            _ if cancels(text) => params::<CancelWire>(Method::Resolve, text, caps),
            _ => params::<AnswerWire>(Method::Resolve, text, caps),
        }
    }
}

/// Whether the params of `question.resolve` are of the kind that cancels.
fn cancels(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Kind {
        #[serde(default, deserialize_with = "present")]
        cancel: Option<IgnoredAny>,
    }
    serde_json::from_str::<Kind>(text).is_ok_and(|kind| kind.cancel.is_some())
}

fn read(id: String, method: &str, text: &str, caps: Caps) -> ClientFrame {
    let Some(method) = Method::named(method, caps) else {
        return ClientFrame::Request { id, call: Call::Unknown { method: method.to_owned() } };
    };
    match read_call(method, text, caps) {
        Ok(call) => ClientFrame::Request { id, call },
        Err(error) => ClientFrame::Invalid { id: Some(id), error },
    }
}

fn read_call(method: Method, text: &str, caps: Caps) -> Result<Call, WireError> {
    Ok(match method {
        Method::Connect => Call::Connect(Box::new(params::<ConnectWire>(method, text, caps)?)),
        Method::Request => Call::Request(Box::new(params::<AskWire>(method, text, caps)?)),
        Method::WaitAnswer => Call::WaitAnswer(params::<WaitWire>(method, text, caps)?),
        Method::Resolve => Call::Resolve(Box::new(ResolveParams::parse(text, caps)?)),
        Method::Get => Call::Get { id: params::<NamedWire>(method, text, caps)? },
        Method::List => Call::List(params::<ListWire>(method, text, caps)?),
        Method::Collect => Call::Collect { id: params::<NamedWire>(method, text, caps)? },
        Method::NotifySend => Call::Notify(params::<NotifyWire>(method, text, caps)?),
        Method::NotifySent => Call::Notify(params::<NotifiedWire>(method, text, caps)?),
        method => read_administration(method, text, caps)?,
    })
}

/// The calls about people, their doors and the trail.
fn read_administration(method: Method, text: &str, caps: Caps) -> Result<Call, WireError> {
    let nothing = || params::<NothingWire>(method, text, caps);
    let named = || params::<NamedWire>(method, text, caps);
    Ok(match method {
        Method::PeopleList => nothing().map(|()| Call::People(PeopleCall::List))?,
        Method::PeopleAdd => Call::People(PeopleCall::Add(params::<PeoplePutWire>(method, text, caps)?)),
        Method::PeopleChange => {
            Call::People(PeopleCall::Change(params::<PeopleChangeWire>(method, text, caps)?))
        }
        Method::PeoplePut => Call::People(PeopleCall::Put(params::<PeoplePutWire>(method, text, caps)?)),
        Method::PeopleRemove => Call::People(PeopleCall::Remove(named()?.as_str().into())),
        Method::TokensCreate => {
            Call::Tokens(TokenCall::Create(params::<TokensCreateWire>(method, text, caps)?))
        }
        Method::TokensList => nothing().map(|()| Call::Tokens(TokenCall::List))?,
        Method::TokensRevoke => Call::Tokens(TokenCall::Revoke(named()?.as_str().into())),
        Method::PairingsKnock => Call::Pairings(PairingCall::Knock(params::<KnockWire>(method, text, caps)?)),
        Method::PairingsList => nothing().map(|()| Call::Pairings(PairingCall::List))?,
        Method::PairingsApprove => {
            Call::Pairings(PairingCall::Approve(params::<ApproveWire>(method, text, caps)?))
        }
        Method::PairingsReject => {
            Call::Pairings(PairingCall::Reject(params::<RejectWire>(method, text, caps)?))
        }
        Method::InvitesCreate => {
            Call::Invites(InviteCall::Create(params::<InviteCreateWire>(method, text, caps)?))
        }
        Method::InvitesList => nothing().map(|()| Call::Invites(InviteCall::List))?,
        Method::InvitesRevoke => Call::Invites(InviteCall::Revoke(named()?.as_str().into())),
        Method::AuditList => Call::Audit(params::<AuditWire>(method, text, caps)?),
        Method::Connect
        | Method::Request
        | Method::WaitAnswer
        | Method::Resolve
        | Method::Get
        | Method::List
        | Method::Collect
        | Method::NotifySend
        | Method::NotifySent => Call::Unknown { method: method.name().to_owned() },
    })
}

fn params<P: Params>(method: Method, text: &str, caps: Caps) -> Result<P::Typed, WireError> {
    match serde_json::from_str::<Object<P>>(text) {
        Ok(Object(wire)) if caps.wide || wire.fits_plain() => Ok(wire.typed()),
        read => params_slowly::<P>(text, caps, read.err().map(|error| error.to_string()))
            .map_err(|faults| WireError::invalid_params(method.name(), faults)),
    }
}

/// Finds every fault of shape, and with the faulty values mended every fault of the contract. A text without a fault
/// after all is one that names a member twice: the last one counts, as in JavaScript.
fn params_slowly<P: Params>(text: &str, caps: Caps, why: Option<String>) -> Result<P::Typed, Vec<Fault>> {
    let at_root = |what: String| vec![Fault { path: String::new(), what }];
    let value: Value = serde_json::from_str(text).map_err(|error| at_root(error.to_string()))?;
    let mended = mend(&value, &P::SHAPE, caps);
    let mut faults = mended.faults;
    let typed = serde_json::from_value::<P>(mended.value).map(P::typed);
    match (typed, faults.is_empty()) {
        (Ok(typed), true) => Ok(typed),
        (Ok(typed), false) => {
            let all = P::contract_faults(typed, caps).into_iter();
            faults.extend(all.filter(|fault| !mended.stand_ins.iter().any(|path| covers(path, &fault.path))));
            Err(faults)
        }
        (Err(_), false) => Err(faults),
        (Err(error), true) => Err(at_root(why.unwrap_or_else(|| error.to_string()))),
    }
}

/// Whether a stand-in at `outer` makes a fault at `inner` meaningless.
fn covers(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn read_slowly(text: &str, caps: Caps) -> Result<ClientFrame, NotJson> {
    let value: Value = serde_json::from_str(text).map_err(|_| NotJson)?;
    let id = value.get("id").and_then(Value::as_str).filter(|id| !id.is_empty()).map(str::to_owned);
    let faults = mend(&value, &shapes::FRAME, caps).faults;
    let method = value.get("method").and_then(Value::as_str);
    if let (Some(id), Some(method), true) = (&id, method, faults.is_empty()) {
        let params = value.get("params").filter(|params| !params.is_null());
        let params = params.map_or_else(|| "{}".to_owned(), Value::to_string);
        return Ok(read(id.clone(), method, &params, caps));
    }
    let mut error = WireError::invalid_params("request frame", faults);
    error.message = error.message.replacen(" params:", ":", 1);
    Ok(ClientFrame::Invalid { id, error })
}

/// Whether the typed reading of some params and the walk over them come to the same judgement.
#[cfg(test)]
pub(crate) fn readings_agree(method: Method, text: &str, caps: Caps) -> bool {
    fn agree<P: Params>(text: &str, caps: Caps) -> bool {
        let typed = serde_json::from_str::<Object<P>>(text);
        let typed = typed.is_ok_and(|wire| caps.wide || wire.0.fits_plain());
        let Ok(value) = serde_json::from_str::<Value>(text) else { return !typed };
        let mended = mend(&value, &P::SHAPE, caps);
        typed == mended.faults.is_empty() && serde_json::from_value::<P>(mended.value).is_ok()
    }
    match method {
        Method::Connect => agree::<ConnectWire>(text, caps),
        Method::Request => agree::<AskWire>(text, caps),
        Method::WaitAnswer => agree::<WaitWire>(text, caps),
        Method::Resolve => agree::<AnswerWire>(text, caps) && agree::<CancelWire>(text, caps),
        Method::List => agree::<ListWire>(text, caps),
        Method::PeopleAdd | Method::PeoplePut => agree::<PeoplePutWire>(text, caps),
        Method::PeopleChange => agree::<PeopleChangeWire>(text, caps),
        Method::TokensCreate => agree::<TokensCreateWire>(text, caps),
        Method::PairingsKnock => agree::<KnockWire>(text, caps),
        Method::PairingsApprove => agree::<ApproveWire>(text, caps),
        Method::PairingsReject => agree::<RejectWire>(text, caps),
        Method::InvitesCreate => agree::<InviteCreateWire>(text, caps),
        Method::AuditList => agree::<AuditWire>(text, caps),
        Method::NotifySend => agree::<NotifyWire>(text, caps),
        Method::NotifySent => agree::<NotifiedWire>(text, caps),
        Method::Get
        | Method::Collect
        | Method::PeopleRemove
        | Method::TokensRevoke
        | Method::InvitesRevoke => agree::<NamedWire>(text, caps),
        Method::PeopleList | Method::TokensList | Method::PairingsList | Method::InvitesList => {
            agree::<NothingWire>(text, caps)
        }
    }
}
