//! Requests as JSON, for a client. A plain gateway's objects are closed, so nothing of ours is sent to one.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::connect::ConnectView;
use super::record::{ActorView, Envelope, PersonView, QuestionsView, put_when_unanswered, put_why};
use super::{Members, object};
use crate::call::{
    AskParams, ListParams, NewToken, PeopleCall, ResolveAct, ResolveParams, TokenCall, WaitParams,
};
use crate::frame::{Call, Caps};

pub(super) struct RequestView<'a> {
    pub(super) id: &'a str,
    pub(super) call: &'a Call,
    pub(super) caps: Caps,
}

impl Serialize for RequestView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |frame| {
            frame.put("type", "req")?;
            frame.put("id", self.id)?;
            let method = match self.call {
                Call::Unknown { method } => method.as_str(),
                call => call.method().map_or("", crate::frame::Method::name),
            };
            frame.put("method", method)?;
            frame.put("params", &ParamsView(self.call, self.caps))
        })
    }
}

struct ParamsView<'a>(&'a Call, Caps);

impl Serialize for ParamsView<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let caps = self.1;
        match self.0 {
            Call::Connect(connect) => ConnectView(connect).serialize(to),
            Call::Request(ask) => object(to, |params| put_ask(params, ask, caps)),
            Call::WaitAnswer(wait) => object(to, |params| put_wait(params, wait)),
            Call::Resolve(resolve) => object(to, |params| put_resolve(params, resolve, caps)),
            Call::Get { id } => object(to, |params| params.put("id", id)),
            Call::List(list) if caps.wide => object(to, |params| put_list(params, list)),
            Call::People(PeopleCall::Put(person)) => {
                object(to, |params| params.put("person", &PersonView(person)))
            }
            Call::People(PeopleCall::Remove(id)) => object(to, |params| params.put("id", id)),
            Call::Tokens(TokenCall::Create(token)) => object(to, |params| put_token(params, token)),
            Call::Tokens(TokenCall::Revoke(id)) => object(to, |params| params.put("id", id)),
            Call::List(_)
            | Call::People(PeopleCall::List)
            | Call::Tokens(TokenCall::List)
            | Call::Unknown { .. } => object(to, |_| Ok(())),
        }
    }
}

fn put_ask<M: SerializeMap>(params: &mut Members<M>, ask: &AskParams, caps: Caps) -> Result<(), M::Error> {
    params.put_some("id", &ask.id)?;
    params.put("questions", &QuestionsView(&ask.questions, caps))?;
    params.put_some("agentId", &ask.origin.agent_id)?;
    params.put_some("sessionKey", &ask.origin.session_key)?;
    params.put_some("runId", &ask.origin.run_id)?;
    params.put_some("timeoutMs", &ask.wait)?;
    if !caps.wide {
        return Ok(());
    }
    params.put_some("label", &ask.origin.label)?;
    params.put_list("answerers", &ask.answerers)?;
    params.put_list("places", &ask.places)?;
    params.put_true("needsSurface", ask.needs_surface)?;
    put_when_unanswered(params, &ask.when_unanswered)?;
    params.put_some("terminalProof", &ask.terminal_proof)
}

fn put_wait<M: SerializeMap>(params: &mut Members<M>, wait: &WaitParams) -> Result<(), M::Error> {
    params.put("id", &wait.id)?;
    params.put_some("timeoutMs", &wait.wait)?;
    params.put_true("includeResolutionId", wait.include_resolution)
}

fn put_resolve<M: SerializeMap>(
    params: &mut Members<M>,
    resolve: &ResolveParams,
    caps: Caps,
) -> Result<(), M::Error> {
    params.put("id", &resolve.id)?;
    params.put_some("resolvedBy", &resolve.resolved_by)?;
    let answers = matches!(resolve.act, ResolveAct::Answer { .. });
    if caps.wide || answers {
        params.put_some("resolutionId", &resolve.resolution)?;
    }
    if caps.wide {
        params.put_some("createdAtMs", &resolve.created_at)?;
        params.put_some("actor", &resolve.actor.as_ref().map(ActorView))?;
        params.put_some("terminalSecret", &resolve.terminal_secret)?;
    }
    match &resolve.act {
        ResolveAct::Answer { answers, notes, words } => {
            params.put("answers", &Envelope(answers))?;
            if caps.wide && !notes.is_empty() {
                params.put("notes", notes)?;
            }
            if caps.wide { params.put_some("words", words) } else { Ok(()) }
        }
        ResolveAct::Cancel { why } => {
            params.put("cancel", &true)?;
            match why {
                Some(why) if caps.wide => put_why(params, why),
                _ => Ok(()),
            }
        }
    }
}

fn put_list<M: SerializeMap>(params: &mut Members<M>, list: &ListParams) -> Result<(), M::Error> {
    params.put_some("after", &list.after.as_ref().map(ToString::to_string))?;
    params.put_some("limit", &list.limit)?;
    params.put_some("endedSinceMs", &list.ended_since)
}

fn put_token<M: SerializeMap>(params: &mut Members<M>, token: &NewToken) -> Result<(), M::Error> {
    params.put_some("person", &token.person)?;
    params.put("scopes", &token.scopes)?;
    params.put_some("label", &token.label)?;
    params.put_some("expiresAtMs", &token.expires_at)
}
