//! Ends a Record exactly once over connections that come and go. Our gateway takes a repeated resolution for the same one;
//! another gateway is asked which resolution won.

use std::sync::Arc;
use std::time::Duration;

use askrelay_core::id::RecordId;
use askrelay_core::record::{Record, State};
use askrelay_protocol::call::{ResolveAct, ResolveParams};
use askrelay_protocol::error::{Code, Reason, WireError};
use askrelay_protocol::frame::Call;
use askrelay_protocol::reply::{Ending, PlainEnd, Reply};

use crate::client::{Client, is, unexpected};
use crate::error::CallError;

/// How long a question about a Record that has ended may take: it is answered at once.
const AT_ONCE: Duration = Duration::from_millis(1);

impl Client {
    /// Answers or cancels a Record, again and again until the gateway took it or refused it for good. On a gateway
    /// without the cap a creation time in `params` is compared first, because an id may name another Record by now.
    ///
    /// # Errors
    /// The gateway refused it, or there will be no connection.
    pub async fn resolve(&self, mut params: ResolveParams) -> Result<Ending, CallError> {
        let mut tries = self.tries();
        loop {
            let attempt = self.resolve_once(&params).await;
            match attempt {
                Err(CallError::Refused(error)) if is(&error, &Reason::AlreadyTerminal) => {
                    let ours = match &error.details.record {
                        // A gateway that tells the Record knows repeats, so this one is none.
                        Some(_) => None,
                        None => self.resolved_before(&params, tries.lost).await?,
                    };
                    return ours.ok_or(CallError::Refused(error));
                }
                Err(CallError::Refused(error)) if params.resolution.is_some() && self.is_too_old(&error) => {
                    params.resolution = None;
                }
                Err(error) => tries.again(error).await?,
                ended => return ended,
            }
        }
    }

    async fn resolve_once(&self, params: &ResolveParams) -> Result<Ending, CallError> {
        // Which gateway it will be is known only once one is there.
        let online = self.online().await.map_err(CallError::Ended)?;
        if let Some(created_at) = params.created_at
            && !online.caps.wide
        {
            let record = self.get(params.id.clone()).await?;
            if record.is_none_or(|record| record.key.created_at != created_at) {
                return Err(WireError::not_found(params.id.as_str()).into());
            }
        }
        match self.call(Call::Resolve(Box::new(params.clone()))).await? {
            Reply::Resolved(ending) => Ok(ending),
            other => Err(unexpected(&other)),
        }
    }

    /// Whether a plain gateway refused a member that only newer ones know.
    pub(crate) fn is_too_old(&self, error: &WireError) -> bool {
        !self.caps().wide && error.code == Code::InvalidRequest && error.details.reason.is_none()
    }

    /// How the Record ended, if it was an earlier try of ours that ended it: one whose answer got lost, or one of a process
    /// that is gone.
    async fn resolved_before(&self, params: &ResolveParams, lost: bool) -> Result<Option<Ending>, CallError> {
        match &params.act {
            ResolveAct::Answer { .. } => {
                let ended = self.end_of(params.id.clone()).await?;
                Ok(ended.filter(|ending| {
                    params.resolution.is_some() && resolution(ending) == params.resolution.as_ref()
                }))
            }
            ResolveAct::Cancel { .. } if !lost => Ok(None),
            // A cancel has no resolution in the plain shape; cancelled is what it wanted, whoever did it.
            ResolveAct::Cancel { .. } => {
                let record = self.get(params.id.clone()).await?;
                Ok(record.filter(|record| is_cancelled(record)).map(Ending::Record))
            }
        }
    }

    /// How a Record ended that waits no more, with the resolution where the gateway tells it; nothing when it still waits or is
    /// forgotten. Asked until it is answered: what may have been our own doing must not be guessed.
    pub(crate) async fn end_of(&self, id: RecordId) -> Result<Option<Ending>, CallError> {
        let mut tries = self.tries();
        loop {
            match self.wait_once(id.clone(), Some(AT_ONCE)).await {
                Err(CallError::Refused(error)) if is(&error, &Reason::NotFound) => return Ok(None),
                Err(error) => tries.again(error).await?,
                ended => return ended,
            }
        }
    }

    /// How a Record stands that had ended before our resolution, where the gateway tells.
    pub(crate) async fn state_of(&self, id: RecordId, error: &WireError) -> Option<Arc<Record>> {
        match &error.details.record {
            Some(record) => Some(Arc::clone(record)),
            None => self.get(id).await.ok().flatten(),
        }
    }
}

fn is_cancelled(record: &Record) -> bool {
    matches!(record.state, State::Cancelled(_))
}

fn resolution(ending: &Ending) -> Option<&askrelay_core::id::ResolutionId> {
    match ending {
        Ending::Record(record) => match &record.state {
            State::Answered(answered) => Some(&answered.resolution),
            State::Pending | State::Cancelled(_) | State::Expired { .. } => None,
        },
        Ending::Plain { end: PlainEnd::Answered { resolution, .. }, .. } => resolution.as_ref(),
        Ending::Plain { .. } => None,
    }
}
