//! One request through its asker's door: what each tool does, and how a task stands. Which tools there are, and which requests the
//! protocol has, is the server's.

use std::sync::Arc;

use askrelay_client::CallError;
use askrelay_core::ask::Origin;
use askrelay_core::id::RecordId;
use askrelay_core::record::Record;
use askrelay_core::time::{Span, Time};
use askrelay_protocol::call::{AskParams, ListParams, NotifyParams};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DetailedTask, InputRequiredResult,
    TaskPayload, TaskStatus,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Map, Value};

use crate::asking::{Asking, Forms, Outcome, Returned, in_words, reached_nobody};
use crate::client_log::ClientLog;
use crate::config::Way;
use crate::delivery::Handing;
use crate::door::Door;
use crate::form_of_client::{requests, returned};
use crate::joined::{Asker, Same};
use crate::server::{META, is_stateless};
use crate::taken_back::TakenBack;
use crate::tasks::{self, Begun, Tasks};
use crate::tool::{self, Asked, Collecting, End, Listing, Meant, Settings, Shape, Standing, Told};
use crate::wanted::{Fallback, Finished, How, Via, Wanted};

/// How far back `list_asks` looks for ends.
const LISTED: Span = Span::seconds(24 * 60 * 60);

/// One asker's call through their door.
pub(crate) struct Visit<'a> {
    pub(crate) door: &'a Door,
    pub(crate) tasks: &'a Tasks,
    pub(crate) settings: Settings,
    pub(crate) handing: Handing,
    pub(crate) taken_back: TakenBack,
    pub(crate) log: ClientLog,
}

/// What a call says of itself.
#[derive(Clone, Debug, Default)]
struct Said {
    origin: Origin,
    project: Option<String>,
}

impl Visit<'_> {
    pub(crate) async fn called(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.clone().unwrap_or_default();
        let said = said(context, &self.door.config.origin);
        let meant = match tool::read(&request.name, &arguments, &self.settings) {
            Ok(meant) => meant,
            Err(refused) => return Ok(response(refused)),
        };
        let finished = match meant {
            Meant::Ask(asked) => return self.ask(&request, &arguments, *asked, said, context).await,
            Meant::Status { verbose } => Ok(self.status(context, verbose)),
            Meant::List(listing) => self.list(listing).await,
            Meant::Cancel(id) => self.cancel(&id).await,
            Meant::Answer(collecting) => self.collected(&collecting, context).await,
            Meant::Notify(told) => self.notify(told, said.origin).await,
        };
        Ok(response(finished.unwrap_or_else(|error| Finished {
            structured: Value::Null,
            text: format!("It failed: {}", in_words(&error)),
            is_error: true,
        })))
    }

    async fn ask(
        &self,
        request: &CallToolRequestParams,
        arguments: &Map<String, Value>,
        mut asked: Asked,
        said: Said,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let session = format!("{:?}", said.origin);
        let agent = said.origin.agent_id.clone();
        asked.wanted.params.origin = said.origin;
        let client = context.client_info().map(|client| client.name);
        let asking = Asking {
            door: self.door,
            asker: Asker {
                client,
                project: said.project.or_else(|| self.door.project.clone()),
                agent,
                session,
            },
            same: Same::of(&request.name, arguments),
            asked,
            context,
            handing: self.handing.clone(),
            taken_back: self.taken_back.clone(),
            log: self.log.clone(),
            forms: forms(context),
            // A task is found again by whose it is.
            polls: self.door.who.is_some()
                && context.client_capabilities().is_some_and(|client| client.supports_tasks()),
            returned: request
                .request_state
                .clone()
                .map(|state| Returned { state, given: request.input_responses.as_ref().and_then(returned) }),
        };
        match asking.run().await {
            Outcome::Done(finished) => Ok(response(finished)),
            Outcome::FormWanted(form, state) => match requests(&form) {
                Some(requests) => Ok(InputRequiredResult::new(Some(requests), Some(state)).into()),
                None => Err(ErrorData::internal_error("the protocol has no room for this form", None)),
            },
            Outcome::Task(begun, record) => {
                self.tasks.begin(*begun);
                Ok(CallToolResponse::Task(tasks::handle(&record)))
            }
            Outcome::Forged => {
                Err(ErrorData::invalid_params("the requestState was not given for this call", None))
            }
        }
    }

    async fn list(&self, listing: Listing) -> Result<Finished, CallError> {
        let since = Time(self.door.around.now().0.saturating_sub_unsigned(LISTED.0));
        let mut params = ListParams { ended_since: listing.ended.then_some(since), ..ListParams::default() };
        let mut records = Vec::new();
        loop {
            let page = self.door.client.list(params.clone()).await?;
            records.extend(page.records);
            match page.next {
                Some(next) => params.after = Some(next),
                None => return Ok(tool::listed(records.iter().map(AsRef::as_ref))),
            }
        }
    }

    async fn notify(&self, told: Told, origin: Origin) -> Result<Finished, CallError> {
        let params = NotifyParams { message: told.message, origin, places: Vec::new() };
        Ok(tool::notified(self.door.client.notify(params).await?))
    }

    async fn cancel(&self, id: &RecordId) -> Result<Finished, CallError> {
        if let End::Failed(_) = self.door.stands(id).await? {
            return Ok(tool::gone("cancel_ask", id));
        }
        Ok(match self.door.withdraw(id).await? {
            End::Ended(record) | End::Pending(record) => tool::cancelled(&record),
            _ => tool::gone("cancel_ask", id),
        })
    }

    /// An earlier ask's answer, late ones too.
    async fn collected(
        &self,
        collecting: &Collecting,
        context: &RequestContext<RoleServer>,
    ) -> Result<Finished, CallError> {
        let (id, began_at) = (&collecting.id, self.door.around.now());
        let mut end = self.door.stands(id).await?;
        if let (End::Pending(_), Some(wait)) = (&end, collecting.wait) {
            let limit = std::time::Duration::from_millis(wait.0);
            tokio::select! {
                ended = self.door.client.wait_answer(id.clone()) => drop(ended?),
                () = context.ct.cancelled() => {}
                () = tokio::time::sleep(limit) => {}
            }
            end = self.door.stands(id).await?;
        }
        if let End::Failed(_) = end {
            return Ok(tool::gone("get_answer", id));
        }
        let how = How {
            via: Via::Chat,
            began_at,
            now: self.door.around.now(),
            fallback: self.door.config.settings.human.fallback,
            joined: true,
            ..How::default()
        };
        if let (End::Ended(_), false) = (&end, context.ct.is_cancelled()) {
            self.handing.hand(&self.door.client, id);
        }
        Ok(Shape::User.finish(&Wanted::default(), &end, &how))
    }

    /// How a task stands; with its result, once its ask ended.
    pub(crate) async fn task(&self, id: &str) -> Result<DetailedTask, ErrorData> {
        let begun = self.tasks.of(id, self.door.who.as_deref()).ok_or_else(|| no_task(id))?;
        let end = self.door.stands(&begun.id).await.map_err(|error| not_now(&error))?;
        let record = match &end {
            End::Pending(record) | End::Ended(record) => Arc::clone(record),
            _ => return Err(no_task(id)),
        };
        let task = tasks::task(&record);
        let payload = match task.status {
            TaskStatus::Working => TaskPayload::Working,
            TaskStatus::Cancelled => TaskPayload::Cancelled,
            _ => {
                let result = self.result(&begun, end, &record);
                self.handing.hand(&self.door.client, &begun.id);
                TaskPayload::Completed { result }
            }
        };
        Ok(DetailedTask::new(task, payload))
    }

    /// What the task's call would have returned.
    fn result(&self, begun: &Begun, end: End, record: &Record) -> Map<String, Value> {
        let how = How {
            via: Via::Chat,
            began_at: begun.began_at,
            now: record.state.ended_at().unwrap_or_else(|| self.door.around.now()),
            client_elicitation: begun.client_elicitation,
            fallback: self.door.config.settings.human.fallback,
            joined: begun.joined,
            ..How::default()
        };
        // A task has no other way to go on to.
        let end = match how.fallback {
            _ if !reached_nobody(record) => end,
            Fallback::Off => End::Unsupported,
            Fallback::Return | Fallback::Http => End::HandedBack(tool::words(record)),
        };
        let result = called(begun.asked.shape.finish(&begun.asked.wanted, &end, &how));
        match serde_json::to_value(result) {
            Ok(Value::Object(result)) => result,
            // A result is an object by the protocol.
            _ => Map::new(),
        }
    }

    /// Takes the ask of a task back: a client that cancels a task says that nobody needs it, as one that cuts a call does not.
    pub(crate) async fn cancel_task(&self, id: &str) -> Result<(), ErrorData> {
        let begun = self.tasks.of(id, self.door.who.as_deref()).ok_or_else(|| no_task(id))?;
        self.door.withdraw(&begun.id).await.map(drop).map_err(|error| not_now(&error))
    }

    fn status(&self, context: &RequestContext<RoleServer>, verbose: bool) -> Finished {
        let config = &self.door.config;
        let chat = self.door.around.chat(&AskParams::default());
        let form = forms(context) != Forms::None;
        let open = |way: &&Way| match way {
            Way::Chat => chat,
            Way::Elicitation => form,
            Way::Fallback => true,
        };
        let client = context.client_info();
        let client =
            client.map(|client| serde_json::json!({ "name": client.name, "version": client.version }));
        let capabilities = context.client_capabilities();
        let url =
            capabilities.as_ref().and_then(|all| all.elicitation.as_ref()).is_some_and(|e| e.url.is_some());
        let standing = Standing {
            version: config.version.clone(),
            ways: config.ways.iter().filter(open).map(|way| way.name()).collect(),
            chat,
            form_elicitation: form,
            url_elicitation: url,
            client,
            // What a client says of itself is JSON by the protocol.
            capabilities: capabilities.and_then(|all| serde_json::to_value(all).ok()),
        };
        tool::status(&standing, &self.settings, verbose)
    }
}

fn no_task(id: &str) -> ErrorData {
    let words = format!(
        "there is no task '{id}' here; where its ask is not older than a day, get_answer or the same call again brings its answer"
    );
    ErrorData::invalid_params(words, None)
}

/// The gateway did not answer, and may later.
fn not_now(error: &CallError) -> ErrorData {
    ErrorData::internal_error(in_words(error), None)
}

fn response(finished: Finished) -> CallToolResponse {
    called(finished).into()
}

fn called(finished: Finished) -> CallToolResult {
    let text = vec![ContentBlock::text(finished.text)];
    let mut result =
        if finished.is_error { CallToolResult::error(text) } else { CallToolResult::success(text) };
    result.structured_content = Some(finished.structured).filter(Value::is_object);
    result
}

/// How the client is asked for a form: it must say that it shows them, and its era decides by which way.
fn forms(context: &RequestContext<RoleServer>) -> Forms {
    let capabilities = context.client_capabilities();
    let Some(elicitation) = capabilities.and_then(|capabilities| capabilities.elicitation) else {
        return Forms::None;
    };
    // Neither kind said means forms, as before there were two.
    if elicitation.form.is_none() && elicitation.url.is_some() {
        return Forms::None;
    }
    if is_stateless(context) { Forms::Result } else { Forms::Request }
}

/// What the call's `_meta` says, over what the server was started with.
fn said(context: &RequestContext<RoleServer>, server: &Origin) -> Said {
    let ours = context.meta.get(META).and_then(Value::as_object);
    let text = |name: &str| {
        let text = ours?.get(name)?.as_str()?.trim();
        (!text.is_empty() && text.len() <= 200).then(|| text.to_owned())
    };
    Said {
        origin: Origin {
            agent_id: text("agent").or_else(|| server.agent_id.clone()),
            session_key: text("session").or_else(|| server.session_key.clone()),
            run_id: text("run").or_else(|| server.run_id.clone()),
            label: text("label").or_else(|| server.label.clone()),
        },
        project: text("project"),
    }
}
