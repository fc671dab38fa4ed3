//! Which ask a call means: the one that runs, the one whose end nobody has collected, or a new one. One press never answers two
//! agents: a call without a key joins only an ask of the same token, client and project.

use askrelay_client::{CallError, Requested};
use askrelay_core::id::RecordId;
use askrelay_core::record::Record;
use askrelay_core::time::Span;
use askrelay_core::time::Time;
use askrelay_protocol::call::{AskParams, ListParams};
use askrelay_protocol::error::Reason;
use serde_json::{Map, Value};

use crate::delivery::OnTheWay;
use crate::door::{Door, digest};

/// How long an end waits to be collected by a call without a key.
const UNCOLLECTED: Span = Span::seconds(24 * 60 * 60);

/// Digits of a digest in an id: as good as unique, and short enough for every wire.
const DIGITS: usize = 32;

/// Who asks, as far as calls are joined by it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asker {
    /// The client's name.
    pub(crate) client: Option<String>,
    /// The project.
    pub(crate) project: Option<String>,
    /// The agent, where it has a name.
    pub(crate) agent: Option<String>,
    /// The agent and its session, which keep two agents of one project apart.
    pub(crate) session: String,
}

/// What a call asks for, without what may differ between two calls that mean the same.
#[derive(Clone, Debug)]
pub(crate) struct Same {
    tool: String,
    arguments: String,
}

impl Same {
    pub(crate) fn of(tool: &str, arguments: &Map<String, Value>) -> Self {
        let mut arguments = arguments.clone();
        // They say how to wait, and not what is asked.
        for name in ["idempotency_key", "on_cancel"] {
            arguments.remove(name);
        }
        Self { tool: tool.to_owned(), arguments: Value::Object(arguments).to_string() }
    }

    pub(crate) fn digest(&self) -> String {
        digest(&[&self.tool, &self.arguments])
    }
}

/// An ask that a call means.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    pub(crate) id: RecordId,
    /// It was there already.
    pub(crate) was_there: bool,
}

impl Door {
    /// The ask that this call means, put to the gateway unless it is there.
    pub(crate) async fn join(
        &self,
        asker: &Asker,
        same: &Same,
        key: Option<&str>,
        params: AskParams,
        on_the_way: &OnTheWay,
    ) -> Result<Joined, CallError> {
        let Some(key) = key else { return self.unkeyed(asker, same, params, on_the_way).await };
        let id = self.keyed(asker, key);
        let there = self.client.get(id.clone()).await?;
        // The session, run and label of whoever asked first are the ask's; those of the one that comes back make no other question of it.
        let origin = there.as_ref().map_or(params.origin, |record| record.ask.origin.clone());
        self.put(&id, AskParams { origin, ..params }).await?;
        Ok(Joined { id, was_there: there.is_some() })
    }

    async fn put(&self, id: &RecordId, params: AskParams) -> Result<Requested, CallError> {
        let terminal_proof = Some(self.proof(id));
        self.client.request(AskParams { id: Some(id.clone()), terminal_proof, ..params }).await
    }

    /// The id of a call with a key of its own: the same key of the same asker is the same ask. Models choose plain keys, so that two
    /// clients or agents of one person may well have the same; a session may change, and its key still finds the ask.
    fn keyed(&self, asker: &Asker, key: &str) -> RecordId {
        let who = self.who.as_deref().unwrap_or_default();
        let [client, project, agent] =
            [&asker.client, &asker.project, &asker.agent].map(|part| part.as_deref().unwrap_or_default());
        id(&format!("mcp-k-{}", cut(&digest(&[who, client, project, agent, key]))))
    }

    /// A call without a key: the first of its kind, or whatever of that kind waits for it, or the next.
    async fn unkeyed(
        &self,
        asker: &Asker,
        same: &Same,
        params: AskParams,
        on_the_way: &OnTheWay,
    ) -> Result<Joined, CallError> {
        let (Some(who), Some(client), Some(project)) = (&self.who, &asker.client, &asker.project) else {
            let id = id(&format!("mcp-r-{}", self.fresh()));
            self.put(&id, params).await?;
            return Ok(Joined { id, was_there: false });
        };
        let family = digest(&[who, client, project, &asker.session, &same.tool, &same.arguments]);
        let prefix = format!("mcp-{}-", cut(&family));
        // Nearly always nobody asked it before, so that looking first would only take time.
        let first = id(&format!("{prefix}1"));
        match self.put(&first, params.clone()).await {
            Ok(put) if !put.was_there => return Ok(Joined { id: first, was_there: false }),
            Ok(_) => {}
            // The same words with other settings around them.
            Err(CallError::Refused(why)) if why.details.reason == Some(Reason::IdInUse) => {}
            Err(error) => return Err(error),
        }
        match self.others(&prefix, on_the_way).await? {
            Found::Running(id) => Ok(Joined { id, was_there: true }),
            Found::Free(id) => {
                let put = self.put(&id, params).await?;
                Ok(Joined { id, was_there: put.was_there })
            }
        }
    }

    /// Which of those that begin so waits for a call, or the next of them.
    async fn others(&self, prefix: &str, on_the_way: &OnTheWay) -> Result<Found, CallError> {
        let mut last = 0;
        let mut params = ListParams {
            id_prefix: Some(prefix.to_owned()),
            ended_since: Some(Time(0)),
            ..ListParams::default()
        };
        loop {
            let page = self.client.list(params.clone()).await?;
            for record in &page.records {
                if self.waits_for_this_call(record, on_the_way).await? {
                    return Ok(Found::Running(record.key.id.clone()));
                }
                let number = record.key.id.as_str().strip_prefix(prefix).and_then(|n| n.parse::<u64>().ok());
                last = last.max(number.unwrap_or_default());
            }
            match page.next {
                Some(next) => params.after = Some(next),
                None => return Ok(Found::Free(id(&format!("{prefix}{}", last + 1)))),
            }
        }
    }

    /// It is open, or ended not long ago with nobody having its end in hand. One that is on its way to somebody is waited for.
    async fn waits_for_this_call(&self, record: &Record, on_the_way: &OnTheWay) -> Result<bool, CallError> {
        let Some(at) = record.state.ended_at() else { return Ok(true) };
        if record.collected.is_some() || self.around.now().since(at) > UNCOLLECTED {
            return Ok(false);
        }
        if !on_the_way.settled(&record.key.id).await {
            return Ok(true);
        }
        let settled = self.client.get(record.key.id.clone()).await?;
        Ok(settled.is_some_and(|record| record.collected.is_none()))
    }
}

enum Found {
    Running(RecordId),
    Free(RecordId),
}

fn id(text: &str) -> RecordId {
    RecordId::from(text)
}

fn cut(digest: &str) -> &str {
    digest.get(..DIGITS).unwrap_or(digest)
}
