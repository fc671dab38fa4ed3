//! `human_input_status`: how a person can be reached, under JustAskMe's names, and what askrelay adds. Asks nobody.

use askrelay_core::ask::Fault;
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, Unknown};
use super::others::LOOKS;
use super::{Meant, Settings, Tool, schemas, tools};
use crate::human::{Human, MultiSelect};
use crate::wanted::Finished;

/// What it tells of this connection.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The version of this server.
    pub version: String,
    /// The ways of asking that are open, in order.
    pub ways: Vec<&'static str>,
    /// A chat account is online to which questions go.
    pub chat: bool,
    /// The client can show forms.
    pub form_elicitation: bool,
    /// The client can open addresses for people.
    pub url_elicitation: bool,
    /// What the client calls itself.
    pub client: Option<Value>,
    /// What the client said it can do.
    pub capabilities: Option<Value>,
}

pub(super) fn tool() -> Tool {
    let open =
        |what: &str| json!({ "type": ["object", "null"], "additionalProperties": true, "description": what });
    let own = json!({
        "server": { "type": "string" },
        "version": { "type": "string" },
        "ways": { "type": "array", "items": { "type": "string" }, "description": "The ways of asking that are open, the first one first." },
        "chat": { "type": "boolean", "description": "A chat account is online to which questions go." },
        "primary": { "type": "boolean", "description": "This asker may ask; helpers of other agents may not." },
        "client_supports_form_elicitation": { "type": "boolean" },
        "client_supports_url_elicitation": { "type": "boolean" },
        "client_version": open("What the client calls itself."),
        "fallback_mode": { "type": "string", "enum": ["return", "http", "off"] },
        "timeout_ms": { "type": "integer", "minimum": 0 },
        "multi_select_mode": { "type": "string", "enum": ["array", "text"] },
        "auto_reject_threshold_ms": { "type": "integer", "minimum": 0 },
        "tools": { "type": "array", "items": { "type": "string" } },
        "client_capabilities": open("With verbose: what the client said it can do."),
        "effective_config": open("With verbose: every setting, as it holds."),
    });
    let required = [
        "server",
        "version",
        "ways",
        "chat",
        "primary",
        "client_supports_form_elicitation",
        "client_supports_url_elicitation",
        "client_version",
        "fallback_mode",
        "timeout_ms",
        "multi_select_mode",
        "auto_reject_threshold_ms",
        "tools",
    ];
    Tool {
        name: "human_input_status",
        title: "How the person can be reached",
        description: "Tells how your person can be reached from here, and which settings hold. For when a question did not appear. Asks nobody, and waits for nothing.".to_owned(),
        input: schemas::object(
            json!({ "verbose": { "type": "boolean", "default": false, "description": "Also what the client can do, and every setting." } }),
            &[],
            true,
        ),
        output: schemas::closed(own, &required),
        hints: LOOKS,
    }
}

pub(super) fn read(arguments: &Map<String, Value>, faults: &mut Vec<Fault>) -> Option<Meant> {
    let mut read = Arguments::within(arguments, String::new(), &["verbose"], Unknown::Ignored, faults);
    Some(Meant::Status { verbose: read.boolean("verbose").unwrap_or(false) })
}

/// The result of `human_input_status`, whose text is the same as JSON.
#[must_use]
pub fn status(standing: &Standing, settings: &Settings, verbose: bool) -> Finished {
    let human = &settings.human;
    let tools: Vec<&str> = tools(settings).into_iter().map(|tool| tool.name).collect();
    let mut structured = json!({
        "server": "askrelay",
        "version": standing.version,
        "ways": standing.ways,
        "chat": standing.chat,
        "primary": !settings.subagent,
        "client_supports_form_elicitation": standing.form_elicitation,
        "client_supports_url_elicitation": standing.url_elicitation,
        "client_version": standing.client,
        "fallback_mode": human.fallback.name(),
        "timeout_ms": human.timeout.0,
        "multi_select_mode": multi_select(human),
        "auto_reject_threshold_ms": human.auto_reject.0,
        "tools": tools,
    });
    if verbose {
        structured["client_capabilities"] = json!(standing.capabilities);
        structured["effective_config"] = json!({
            "timeoutMs": human.timeout.0,
            "fallback": human.fallback.name(),
            "httpOpenBrowser": human.http_open,
            "httpHost": human.http_host,
            "httpPort": human.http_port,
            "multiSelectMode": multi_select(human),
            "autoRejectThresholdMs": human.auto_reject.0,
            "logLevel": human.log,
        });
    }
    Finished { text: format!("{structured:#}"), structured, is_error: false }
}

const fn multi_select(human: &Human) -> &'static str {
    match human.multi_select {
        MultiSelect::Array => "array",
        MultiSelect::Text => "text",
    }
}
