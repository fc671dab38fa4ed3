//! Requests as JSON, for a client. A plain gateway's objects are closed, so nothing of ours is sent to one.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::administration::PersonView;
use super::connect::ConnectView;
use super::record::{
    ActorView, Envelope, IdentityView, PlaceView, QuestionsView, put_when_unanswered, put_why,
};
use super::{ListView, Members, object};
use crate::call::{
    Approval, AskParams, AuditParams, InviteCall, ListParams, NewInvite, NewToken, NotifyCall, PairingCall,
    PeopleCall, ResolveAct, ResolveParams, TokenCall, WaitParams,
};
use crate::frame::{Call, Caps};
use askrelay_core::ask::Origin;
use askrelay_core::person::Change;
use askrelay_core::port::Knock;

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
            Call::Get { id } | Call::Collect { id } => object(to, |params| params.put("id", id)),
            Call::List(list) if caps.wide => object(to, |params| put_list(params, list)),
            Call::People(PeopleCall::Put(person) | PeopleCall::Add(person)) => {
                object(to, |params| params.put("person", &PersonView(person)))
            }
            Call::People(PeopleCall::Change(change)) => object(to, |params| put_change(params, change)),
            Call::People(PeopleCall::Remove(id)) => object(to, |params| params.put("id", id)),
            Call::Tokens(TokenCall::Create(token)) => object(to, |params| put_token(params, token)),
            Call::Tokens(TokenCall::Revoke(id)) => object(to, |params| params.put("id", id)),
            Call::Pairings(PairingCall::Knock(knock)) => object(to, |params| put_knock(params, knock)),
            Call::Pairings(PairingCall::Approve(approval)) => {
                object(to, |params| put_approval(params, approval))
            }
            Call::Pairings(PairingCall::Reject(code)) => object(to, |params| params.put("code", code)),
            Call::Invites(InviteCall::Create(invite)) => object(to, |params| put_invite(params, invite)),
            Call::Invites(InviteCall::Revoke(id)) => object(to, |params| params.put("id", id)),
            Call::Audit(audit) => object(to, |params| put_audit(params, audit)),
            Call::Notify(NotifyCall::Send(notify)) => object(to, |params| {
                params.put("message", &notify.message)?;
                put_origin(params, &notify.origin)?;
                params.put_some("label", &notify.origin.label)?;
                params.put_list("places", &notify.places)
            }),
            Call::Notify(NotifyCall::Sent { number, places }) => object(to, |params| {
                params.put("number", number)?;
                params.put("places", places)
            }),
            Call::List(_)
            | Call::People(PeopleCall::List)
            | Call::Tokens(TokenCall::List)
            | Call::Pairings(PairingCall::List)
            | Call::Invites(InviteCall::List)
            | Call::Unknown { .. } => object(to, |_| Ok(())),
        }
    }
}

fn put_ask<M: SerializeMap>(params: &mut Members<M>, ask: &AskParams, caps: Caps) -> Result<(), M::Error> {
    params.put_some("id", &ask.id)?;
    params.put("questions", &QuestionsView(&ask.questions, caps))?;
    put_origin(params, &ask.origin)?;
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

/// What a plain gateway may know of it too.
fn put_origin<M: SerializeMap>(params: &mut Members<M>, origin: &Origin) -> Result<(), M::Error> {
    params.put_some("agentId", &origin.agent_id)?;
    params.put_some("sessionKey", &origin.session_key)?;
    params.put_some("runId", &origin.run_id)
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
    params.put_some("endedSinceMs", &list.ended_since)?;
    params.put_some("idPrefix", &list.id_prefix)
}

fn put_token<M: SerializeMap>(params: &mut Members<M>, token: &NewToken) -> Result<(), M::Error> {
    params.put_some("person", &token.person)?;
    params.put("scopes", &token.scopes)?;
    params.put_some("label", &token.label)?;
    params.put_some("expiresAtMs", &token.expires_at)
}

fn put_change<M: SerializeMap>(params: &mut Members<M>, change: &Change) -> Result<(), M::Error> {
    params.put("id", &change.id)?;
    params.put_some("displayName", &change.display_name)?;
    for (name, scopes) in [("grant", &change.grant), ("revoke", &change.revoke)] {
        if !scopes.is_empty() {
            params.put(name, scopes)?;
        }
    }
    for (name, identities) in [("link", &change.link), ("unlink", &change.unlink)] {
        if !identities.is_empty() {
            params.put(name, &ListView(|| identities.iter().map(IdentityView)))?;
        }
    }
    Ok(())
}

fn put_knock<M: SerializeMap>(params: &mut Members<M>, knock: &Knock) -> Result<(), M::Error> {
    params.put("place", &PlaceView(&knock.place))?;
    params.put("identity", &IdentityView(&knock.identity))?;
    params.put("displayName", &knock.display_name)?;
    params.put_some("invite", &knock.invite)
}

fn put_approval<M: SerializeMap>(params: &mut Members<M>, approval: &Approval) -> Result<(), M::Error> {
    params.put("code", &approval.code)?;
    params.put("person", &approval.person)?;
    params.put_some("scopes", &approval.scopes)
}

fn put_invite<M: SerializeMap>(params: &mut Members<M>, invite: &NewInvite) -> Result<(), M::Error> {
    params.put("person", &invite.person)?;
    params.put_some("scopes", &invite.scopes)?;
    params.put_some("expiresAtMs", &invite.expires_at)
}

fn put_audit<M: SerializeMap>(params: &mut Members<M>, audit: &AuditParams) -> Result<(), M::Error> {
    params.put_some("ask", &audit.ask)?;
    params.put_some("person", &audit.person)?;
    params.put_some("after", &audit.after)?;
    params.put_some("limit", &audit.limit)
}
