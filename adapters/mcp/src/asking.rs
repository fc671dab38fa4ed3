//! One call that asks: finds or puts its ask, waits for its end with signs of life, and goes from one way of asking to the next. The
//! ask lives in the gateway: whatever becomes of the call, another one gets the answer.

use std::sync::Arc;
use std::time::Duration;

use askrelay_client::CallError;
use askrelay_core::id::{RecordId, ResolutionId};
use askrelay_core::record::{NoAnswer, Record, WhyCancelled};
use askrelay_core::time::{Span, Time};
use askrelay_protocol::call::{AskParams, ResolveAct, ResolveParams};
use askrelay_protocol::error::Reason;
use askrelay_protocol::reply::Ending;
use axum::http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;

use crate::client_log::ClientLog;
use crate::config::Way;
use crate::delivery::Handing;
use crate::door::Door;
use crate::elicitation::Form;
use crate::form_of_client::Given;
use crate::joined::{Asker, Joined, Same};
use crate::server::is_stateless;
use crate::taken_back::TakenBack;
use crate::tasks::{Begun, was_taken_back};
use crate::tool::{self, Asked, End};
use crate::wanted::{Fallback, Finished, How, OnCancel, Via};

/// What a call comes to.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Its result.
    Done(Finished),
    /// The client is to fill this form and call again with this state: how the era without sessions asks.
    FormWanted(Box<Form>, String),
    /// The ask runs, and its client comes back for the end.
    Task(Box<Begun>, Arc<Record>),
    /// The state that came with the call is none of its own.
    Forged,
}

/// One call that asks.
pub(crate) struct Asking<'a> {
    pub(crate) door: &'a Door,
    pub(crate) asker: Asker,
    pub(crate) same: Same,
    pub(crate) asked: Asked,
    pub(crate) context: &'a RequestContext<RoleServer>,
    pub(crate) handing: Handing,
    pub(crate) taken_back: TakenBack,
    pub(crate) log: ClientLog,
    /// The client shows forms, and how it is asked for them.
    pub(crate) forms: Forms,
    /// What a call that was made again brings of its form.
    pub(crate) returned: Option<Returned>,
    /// The client takes a handle and comes back for the end.
    pub(crate) polls: bool,
}

/// How the client is asked for a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forms {
    /// It shows none.
    None,
    /// By a request while the call waits.
    Request,
    /// By the call's own result, and the call is made again.
    Result,
}

/// What came back of a form by a call made again.
#[derive(Debug)]
pub(crate) struct Returned {
    pub(crate) state: String,
    pub(crate) given: Option<Given>,
}

mod by_form;
mod by_page;

/// How one way of asking ended.
enum Tried {
    /// With this end.
    End(End),
    /// The client has to fill a form first.
    Form(Box<Form>, String),
    /// It runs, and is looked at again by its client.
    Task(Box<Begun>, Arc<Record>),
    /// Nobody was reached, for this reason; the next way is tried.
    Nobody(String),
    /// The state that came with the call is none of its own.
    Forged,
}

/// Why a call waits no longer.
enum Waited {
    Ended(Ending),
    Cancelled,
    LongEnough,
}

impl Asking<'_> {
    /// Asks, by one way after the other.
    pub(crate) async fn run(mut self) -> Outcome {
        let mut how = How {
            began_at: self.door.around.now(),
            client_elicitation: self.forms != Forms::None,
            fallback: self.door.config.settings.human.fallback,
            ..How::default()
        };
        let mut why = "No chat is set up to which this question could go.".to_owned();
        let ways = self.door.config.ways.clone();
        let end = 'asked: {
            for way in ways {
                match self.tried(way, &mut how, &why).await {
                    Ok(Some(Tried::End(end))) => break 'asked end,
                    Ok(Some(Tried::Form(form, state))) => return Outcome::FormWanted(form, state),
                    Ok(Some(Tried::Task(begun, record))) => return Outcome::Task(begun, record),
                    Ok(Some(Tried::Forged)) => return Outcome::Forged,
                    Ok(Some(Tried::Nobody(reason))) => {
                        self.log.warn(self.context, &reason).await;
                        why = reason;
                    }
                    Ok(None) => {}
                    Err(error) => break 'asked End::Failed(in_words(&error)),
                }
            }
            End::HandedBack(why)
        };
        how.now = self.door.around.now();
        let finished = self.asked.shape.finish(&self.asked.wanted, &end, &how);
        self.hand_out(&end);
        Outcome::Done(finished)
    }

    /// Tries one way; nothing when it is not open.
    async fn tried(&mut self, way: Way, how: &mut How, why: &str) -> Result<Option<Tried>, CallError> {
        match way {
            Way::Chat if self.returned.is_none() && self.door.around.chat(&self.asked.wanted.params) => {
                how.via = Via::Chat;
                let joined = self.put().await?;
                how.joined = joined.was_there;
                if self.polls
                    && let End::Pending(record) = self.stands(&joined.id).await?
                {
                    return Ok(Some(Tried::Task(Box::new(self.begun(joined, how)), record)));
                }
                let end = self.wait(&joined.id, None).await?;
                Ok(Some(reached(end)))
            }
            Way::Elicitation if self.forms != Forms::None => self.by_form(how).await,
            Way::Chat | Way::Elicitation => Ok(None),
            Way::Fallback => {
                how.via = Via::None;
                Ok(Some(Tried::End(match how.fallback {
                    Fallback::Return => End::HandedBack(why.to_owned()),
                    Fallback::Http => return self.by_page(how).await.map(Some),
                    Fallback::Off => End::Unsupported,
                })))
            }
        }
    }

    /// What is kept of the call until its client comes back for the end.
    fn begun(&self, joined: Joined, how: &How) -> Begun {
        Begun {
            id: joined.id,
            who: self.door.who.clone(),
            asked: self.asked.clone(),
            began_at: how.began_at,
            joined: joined.was_there,
            client_elicitation: how.client_elicitation,
        }
    }

    /// Puts the ask to the gateway, unless it is there.
    async fn put(&self) -> Result<Joined, CallError> {
        let params: AskParams = self.asked.wanted.params.clone();
        self.door
            .join(&self.asker, &self.same, self.asked.wanted.key.as_deref(), params, &self.handing.on_the_way)
            .await
    }

    /// Waits for the end of an ask, with signs of life, as long as the call may wait. A call that its client takes back leaves the ask open,
    /// unless it said otherwise.
    async fn wait(&self, id: &RecordId, page: Option<&str>) -> Result<End, CallError> {
        let until = self.door.config.call_wait;
        let waiting = async {
            tokio::select! {
                ended = self.door.client.wait_answer(id.clone()) => ended.map(Waited::Ended),
                () = self.context.ct.cancelled() => Ok(Waited::Cancelled),
                () = after(until) => Ok(Waited::LongEnough),
            }
        };
        let waited = tokio::select! {
            waited = waiting => waited?,
            never = self.signs_of_life(id, page) => match never {},
        };
        // Our own gateway tells all of an end at once, so that it needs no asking for.
        if let Waited::Ended(Ending::Record(record)) = waited {
            return Ok(End::Ended(record));
        }
        let cancelled = matches!(waited, Waited::Cancelled);
        if cancelled && self.asked.wanted.on_cancel == OnCancel::Withdraw && self.was_taken_back().await {
            return self.door.withdraw(id).await;
        }
        self.stands(id).await
    }

    /// The client itself ended the call. The end of the client, of its session or of this process is no such word; in the era without
    /// sessions, closing the one stream of a request is.
    async fn was_taken_back(&self) -> bool {
        let alone = is_stateless(self.context) && self.context.extensions.get::<Parts>().is_some();
        alone || self.taken_back.was(&self.context.id).await
    }

    /// Tells a client that wants to know that the call goes on.
    async fn signs_of_life(&self, id: &RecordId, page: Option<&str>) -> std::convert::Infallible {
        let Some(token) = self.context.meta.get_progress_token() else { return std::future::pending().await };
        let mut beat = tokio::time::interval(self.door.config.progress);
        let mut count = 0.0;
        let at = page.map(|page| format!(" at {page}")).unwrap_or_default();
        loop {
            beat.tick().await;
            count += 1.0;
            let sign = ProgressNotificationParam::new(token.clone(), count)
                .with_message(format!("Waiting for the person{at}; ask_id {id}"));
            // Whoever does not hear it is gone, which the call's own end shows.
            let _ = self.context.peer.notify_progress(sign).await;
        }
    }

    async fn stands(&self, id: &RecordId) -> Result<End, CallError> {
        self.door.stands(id).await
    }

    async fn cancel(&self, id: &RecordId, why: WhyCancelled) -> Result<(), CallError> {
        self.resolve(id, ResolveAct::Cancel { why: Some(why) }).await
    }

    async fn resolve(&self, id: &RecordId, act: ResolveAct) -> Result<(), CallError> {
        self.door.resolve(id, act).await
    }

    /// The end goes out with the call's result. A call that has ended hands out nothing.
    fn hand_out(&self, end: &End) {
        if let (End::Ended(record), false) = (end, self.context.ct.is_cancelled()) {
            self.handing.hand(&self.door.client, &record.key.id);
        }
    }

    /// The state that a call is made again with: its ask, and a proof that this asker put it there.
    fn sealed(&self, id: &RecordId) -> String {
        format!("{id}.{}", self.seal(id))
    }

    fn seal(&self, id: &RecordId) -> String {
        let who = self.door.who.as_deref().unwrap_or_default();
        crate::door::digest(&["state", &self.door.around.secret(id), who, &self.same.digest()])
    }

    fn opened(&self, state: &str) -> Option<RecordId> {
        let (id, seal) = state.rsplit_once('.')?;
        let id = RecordId::from(id);
        let same = subtle::ConstantTimeEq::ct_eq(seal.as_bytes(), self.seal(&id).as_bytes());
        bool::from(same).then_some(id)
    }
}

impl Door {
    /// How an ask stands.
    pub(crate) async fn stands(&self, id: &RecordId) -> Result<End, CallError> {
        Ok(match self.client.get(id.clone()).await? {
            Some(record) if record.state.is_pending() => End::Pending(record),
            Some(record) => End::Ended(record),
            None => End::Failed(format!("the gateway has no ask {id} any more")),
        })
    }

    /// Takes an ask back, unless it ended before; how it stands then. Whoever took it back knows its end: the same words asked again are
    /// a new question.
    pub(crate) async fn withdraw(&self, id: &RecordId) -> Result<End, CallError> {
        self.resolve(id, ResolveAct::Cancel { why: Some(WhyCancelled::Withdrawn) }).await?;
        let end = self.stands(id).await?;
        if let End::Ended(record) = &end
            && was_taken_back(&record.state)
        {
            self.client.collect(id.clone()).await?;
        }
        Ok(end)
    }

    /// Ends an ask. One that ended before stays as it is: whoever looks at it learns how.
    pub(crate) async fn resolve(&self, id: &RecordId, act: ResolveAct) -> Result<(), CallError> {
        let created_at: Option<Time> = self.client.get(id.clone()).await?.map(|record| record.key.created_at);
        // What its person does at the asking machine is done with the ask's own secret; taking it back is the asker's own right.
        let by_person = matches!(
            act,
            ResolveAct::Answer { .. } | ResolveAct::Cancel { why: Some(WhyCancelled::Declined) }
        );
        let terminal_secret = by_person.then(|| self.secret(id));
        let params = ResolveParams {
            id: id.clone(),
            created_at,
            act,
            resolved_by: None,
            resolution: Some(ResolutionId::from(self.fresh())),
            actor: None,
            terminal_secret,
        };
        match self.client.resolve(params).await {
            Ok(_) => Ok(()),
            Err(CallError::Refused(why)) if why.details.reason == Some(Reason::AlreadyTerminal) => {
                tracing::debug!(%id, %why, "the ask had ended before");
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether a chat reached somebody: an ask that no place could show goes on to the next way.
fn reached(end: End) -> Tried {
    match &end {
        End::Ended(record) if reached_nobody(record) => Tried::Nobody(tool::words(record)),
        _ => Tried::End(end),
    }
}

/// Nobody could be asked where it went.
pub(crate) fn reached_nobody(record: &Record) -> bool {
    matches!(record.state.no_answer(), Some(NoAnswer::NotDelivered | NoAnswer::Unavailable))
}

/// An error with its causes, for a model.
pub(crate) fn in_words(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words = format!("{words}: {error}");
        cause = error.source();
    }
    words
}

async fn after(limit: Option<Span>) {
    match limit {
        Some(limit) => tokio::time::sleep(Duration::from_millis(limit.0)).await,
        None => std::future::pending().await,
    }
}
