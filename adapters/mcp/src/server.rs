//! The MCP server: which tools and requests there are, in every revision of the protocol. What each call does is the visit's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CancelledNotificationParam, GetTaskParams,
    GetTaskResult, Implementation, InitializeRequestParams, InitializeResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use crate::client_log::ClientLog;
use crate::config::Config;
use crate::delivery::{Handing, OnTheWay, Outgoing};
use crate::door::Door;
use crate::instructions::instructions;
use crate::taken_back::TakenBack;
use crate::tasks::Tasks;
use crate::tool::{self, Settings};
use crate::visit::Visit;

/// The member of a request's `_meta` that is ours: agent, session, run, label, project, subagent.
pub(crate) const META: &str = "askrelay";

/// The server of one asker, or of everybody who comes with a door of their own.
#[derive(Clone, Debug)]
pub struct Server {
    config: Arc<Config>,
    door: Option<Door>,
    tasks: Arc<Tasks>,
    /// The session began as a helper's.
    begun_by_helper: Arc<AtomicBool>,
    /// What this process hands out, to whomever.
    on_the_way: OnTheWay,
    /// The results that wait to be written, where requests bring no place of their own for them.
    outgoing: Outgoing,
    /// The calls of this session that were taken back.
    taken_back: TakenBack,
    log: ClientLog,
}

impl Server {
    /// The server behind one door.
    #[must_use]
    pub fn new(door: Door) -> Self {
        Self {
            config: Arc::clone(&door.config),
            door: Some(door),
            tasks: Arc::default(),
            begun_by_helper: Arc::default(),
            on_the_way: OnTheWay::default(),
            outgoing: Outgoing::default(),
            taken_back: TakenBack::default(),
            log: ClientLog::default(),
        }
    }

    /// The server of everybody: each request brings the door that its sender came through.
    #[must_use]
    pub(crate) fn of_everybody(config: Arc<Config>) -> Self {
        Self {
            config,
            door: None,
            tasks: Arc::default(),
            begun_by_helper: Arc::default(),
            on_the_way: OnTheWay::default(),
            outgoing: Outgoing::default(),
            taken_back: TakenBack::default(),
            log: ClientLog::default(),
        }
    }

    /// What the tools follow for a request.
    fn settings(&self, context: &RequestContext<RoleServer>) -> Settings {
        let server = &self.config.settings;
        let helper = is_helper(context) || self.begun_by_helper.load(Ordering::Relaxed);
        Settings { subagent: server.subagent || helper, ..server.clone() }
    }

    /// The same for another session: what its client said at its beginning, and what waits for it, is its own.
    pub(crate) fn for_a_session(&self) -> Self {
        Self {
            begun_by_helper: Arc::default(),
            outgoing: Outgoing::default(),
            taken_back: TakenBack::default(),
            log: ClientLog::default(),
            ..self.clone()
        }
    }

    fn visit<'a>(&'a self, door: &'a Door, context: &RequestContext<RoleServer>) -> Visit<'a> {
        Visit {
            door,
            tasks: &self.tasks,
            settings: self.settings(context),
            handing: self.handing(context),
            taken_back: self.taken_back.clone(),
            log: self.log.clone(),
        }
    }

    /// The results that wait to be written.
    pub(crate) fn outgoing(&self) -> Outgoing {
        self.outgoing.clone()
    }

    fn handing(&self, context: &RequestContext<RoleServer>) -> Handing {
        let brought = || context.extensions.get::<Parts>()?.extensions.get::<Outgoing>().cloned();
        Handing {
            on_the_way: self.on_the_way.clone(),
            outgoing: brought().unwrap_or_else(|| self.outgoing.clone()),
            request: context.id.clone(),
        }
    }

    /// The door of a request.
    fn door(&self, context: &RequestContext<RoleServer>) -> Result<Door, ErrorData> {
        let brought = || context.extensions.get::<Parts>()?.extensions.get::<Door>().cloned();
        let door = self.door.clone().or_else(brought);
        door.ok_or_else(|| ErrorData::internal_error("the request came through no door", None))
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let us = Implementation::new("askrelay", self.config.version.clone());
        #[expect(deprecated, reason = "the newest revision drops it; the others have nothing else")]
        let capabilities =
            ServerCapabilities::builder().enable_logging().enable_tools().enable_tasks().build();
        ServerConfig::new(capabilities)
            .with_server_info(us)
            .with_instructions(instructions(self.config.settings.subagent))
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        // The SDK keeps no `_meta` of the session's beginning.
        self.begun_by_helper.store(is_helper(&context), Ordering::Relaxed);
        result.instructions = Some(instructions(self.settings(&context).subagent).to_owned());
        Ok(result)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tool::tools(&self.settings(&context)).into_iter().map(shown);
        #[cfg(feature = "conformance")]
        let tools = tools.chain(crate::fixture::tools());
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    #[expect(deprecated, reason = "the newest revision drops it; the others have nothing else")]
    async fn set_level(
        &self,
        request: rmcp::model::SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.log.set(request.level);
        Ok(())
    }

    async fn on_cancelled(
        &self,
        cancelled: CancelledNotificationParam,
        _context: NotificationContext<RoleServer>,
    ) {
        if let Some(request) = cancelled.request_id {
            self.taken_back.tell(request);
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        #[cfg(feature = "conformance")]
        if let Some(response) = crate::fixture::called(&request, &context, &self.log).await {
            return response;
        }
        let known = self.config.settings.subagent
            || tool::tools(&self.config.settings).iter().any(|tool| tool.name == request.name);
        if !known {
            return Err(ErrorData::invalid_params(format!("there is no tool '{}'", request.name), None));
        }
        let door = self.door(&context)?;
        self.visit(&door, &context).called(request, &context).await
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let door = self.door(&context)?;
        let task = self.visit(&door, &context).task(&request.task_id).await?;
        Ok(GetTaskResult::new(task))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let door = self.door(&context)?;
        self.visit(&door, &context).task(&request.task_id).await?;
        Err(ErrorData::invalid_params("this task asks its client for nothing", None))
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let door = self.door(&context)?;
        self.visit(&door, &context).cancel_task(&request.task_id).await
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

/// The request is of the era without sessions.
pub(crate) fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// The request's `_meta` says that a helper of an agent sends it.
fn is_helper(context: &RequestContext<RoleServer>) -> bool {
    let ours = context.meta.get(META).and_then(Value::as_object);
    ours.and_then(|ours| ours.get("subagent")) == Some(&Value::Bool(true))
}
