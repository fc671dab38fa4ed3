//! The MCP server: which tools there are, and what each call does. Every revision of the protocol comes through here.

use std::sync::Arc;

use askrelay_client::CallError;
use askrelay_core::ask::Origin;
use askrelay_core::id::RecordId;
use askrelay_core::record::WhyCancelled;
use askrelay_core::time::{Span, Time};
use askrelay_protocol::call::{AskParams, ListParams, NotifyParams, ResolveAct};
use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    InputRequiredResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value};

use crate::asking::{Asking, Forms, Outcome, Returned, in_words};
use crate::config::{Config, Way};
use crate::door::Door;
use crate::form_of_client::{requests, returned};
use crate::instructions::INSTRUCTIONS;
use crate::joined::{Asker, Same};
use crate::tool::{self, Asked, Collecting, End, Listing, Meant, Shape, Standing, Told};
use crate::wanted::{Finished, How, Via, Wanted};

/// The member of a call's `_meta` that is ours: agent, session, run, label, project, subagent.
const META: &str = "askrelay";

/// How far back `list_asks` looks for ends.
const LISTED: Span = Span::seconds(24 * 60 * 60);

/// The server of one asker, or of everybody who comes with a door of their own.
#[derive(Clone, Debug)]
pub struct Server {
    config: Arc<Config>,
    door: Option<Door>,
}

/// One asker's call through their door.
struct Visit<'a> {
    door: &'a Door,
}

/// What a call says of itself.
#[derive(Clone, Debug, Default)]
struct Said {
    origin: Origin,
    project: Option<String>,
    subagent: bool,
}

impl Server {
    /// The server behind one door.
    #[must_use]
    pub fn new(door: Door) -> Self {
        Self { config: Arc::clone(&door.config), door: Some(door) }
    }

    /// The server of everybody: each request brings the door that its sender came through.
    #[must_use]
    pub const fn of_everybody(config: Arc<Config>) -> Self {
        Self { config, door: None }
    }

    /// The door of a request.
    fn door(&self, context: &RequestContext<RoleServer>) -> Result<Door, ErrorData> {
        let brought = || context.extensions.get::<Parts>()?.extensions.get::<Door>().cloned();
        let door = self.door.clone().or_else(brought);
        door.ok_or_else(|| ErrorData::internal_error("the request came through no door", None))
    }
}

impl Visit<'_> {
    async fn called(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.clone().unwrap_or_default();
        let said = said(context, &self.door.config.origin);
        let mut settings = self.door.config.settings.clone();
        settings.subagent |= said.subagent;
        let meant = match tool::read(&request.name, &arguments, &settings) {
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
        asked.wanted.params.origin = said.origin;
        let client = context.client_info().map(|client| client.name);
        let asking = Asking {
            door: self.door,
            asker: Asker { client, project: said.project.or_else(|| self.door.project.clone()), session },
            same: Same::of(&request.name, arguments),
            asked,
            context,
            forms: forms(context),
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
        self.door.resolve(id, ResolveAct::Cancel { why: Some(WhyCancelled::Withdrawn) }).await?;
        Ok(match self.door.stands(id).await? {
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
            self.door.client.collect(id.clone()).await?;
        }
        Ok(Shape::User.finish(&Wanted::default(), &end, &how))
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
        tool::status(&standing, &config.settings, verbose)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let us = Implementation::new("askrelay", self.config.version.clone());
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(us)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tool::tools(&self.config.settings).into_iter().map(shown);
        #[cfg(feature = "conformance")]
        let tools = tools.chain(crate::fixture::tools());
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        #[cfg(feature = "conformance")]
        if let Some(response) = crate::fixture::called(&request, &context).await {
            return response;
        }
        let known = self.config.settings.subagent
            || tool::tools(&self.config.settings).iter().any(|tool| tool.name == request.name);
        if !known {
            return Err(ErrorData::invalid_params(format!("there is no tool '{}'", request.name), None));
        }
        let door = self.door(&context)?;
        Visit { door: &door }.called(request, &context).await
    }
}

/// A tool as the protocol shows it.
fn shown(tool: tool::Tool) -> Tool {
    let hints = ToolAnnotations::with_title(tool.title)
        .read_only(tool.hints.read_only)
        .destructive(tool.hints.destructive)
        .idempotent(tool.hints.idempotent)
        .open_world(tool.hints.open_world);
    Tool::new(tool.name, tool.description, Arc::new(tool.input))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(tool.output))
        .with_annotations(hints)
}

fn response(finished: Finished) -> CallToolResponse {
    let text = vec![ContentBlock::text(finished.text)];
    let mut result =
        if finished.is_error { CallToolResult::error(text) } else { CallToolResult::success(text) };
    result.structured_content = Some(finished.structured).filter(Value::is_object);
    result.into()
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
    let version = context.protocol_version();
    let stateless = version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    if stateless { Forms::Result } else { Forms::Request }
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
        subagent: ours.and_then(|ours| ours.get("subagent")).is_some_and(|value| value == &Value::Bool(true)),
    }
}
