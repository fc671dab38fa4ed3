//! The fixed tools that the official conformance suite calls, behind a feature for tests only. They ask nobody and know no ask: they show
//! that what carries our tools carries every kind of result.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, ElicitRequest,
    ElicitRequestParams, InputRequest, InputRequiredResult, ProgressNotificationParam, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Map, Value, json};

use crate::client_log::ClientLog;

/// One pixel, as a PNG in base64.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// Nothing to hear, as a WAV in base64.
const SILENCE: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
/// Between two signs of progress.
const STEP: Duration = Duration::from_millis(50);

const NAMES: [&str; 19] = [
    "test_tool_with_logging",
    "test_simple_text",
    "test_logging_tool",
    "test_streaming_elicitation",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_progress",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_missing_capability",
    "test_input_required_result_elicitation",
    "test_input_required_result_request_state",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

/// The tools as they are listed.
pub(crate) fn tools() -> impl Iterator<Item = Tool> {
    NAMES.iter().map(|name| {
        let schema = json!({ "type": "object", "properties": {} });
        let schema = if let Value::Object(schema) = schema { schema } else { Map::new() };
        Tool::new(*name, "For the conformance suite.", Arc::new(schema))
    })
}

/// The result of a call, where it is for one of them.
pub(crate) async fn called(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    log: &ClientLog,
) -> Option<Result<CallToolResponse, ErrorData>> {
    let name = *NAMES.iter().find(|name| **name == request.name)?;
    Some(match name {
        "test_tool_with_logging" => {
            for words in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
                log.warn(context, words).await;
                tokio::time::sleep(STEP).await;
            }
            Ok(text("done"))
        }
        "test_tool_with_progress" => progress(context).await,
        "test_missing_capability" => needs_sampling(context),
        "test_streaming_elicitation" => {
            wanted("user_name", "What is your name?", json!({ "name": { "type": "string" } }), None)
        }
        _ if name.starts_with("test_elicitation") => elicited(name, request, context).await,
        _ if name.starts_with("test_input") => rounds(name, request, context),
        _ => Ok(content(name)),
    })
}

fn content(name: &str) -> CallToolResponse {
    let image = json!({ "type": "image", "data": PIXEL, "mimeType": "image/png" });
    let blocks = match name {
        "test_simple_text" => {
            json!([{ "type": "text", "text": "This is a simple text response for testing." }])
        }
        "test_image_content" => json!([image]),
        "test_audio_content" => json!([{ "type": "audio", "data": SILENCE, "mimeType": "audio/wav" }]),
        "test_embedded_resource" => json!([{ "type": "resource", "resource": {
            "uri": "test://embedded-resource", "mimeType": "text/plain", "text": "This is an embedded resource content." } }]),
        "test_multiple_content_types" => {
            json!([{ "type": "text", "text": "Multiple content types test:" }, image, {
            "type": "resource", "resource": {
                "uri": "test://mixed-content-resource", "mimeType": "application/json", "text": "{\"test\":\"data\",\"value\":123}" } }])
        }
        _ => json!([{ "type": "text", "text": "This tool intentionally returns an error for testing" }]),
    };
    let blocks: Vec<ContentBlock> = serde_json::from_value(blocks).unwrap_or_default();
    if name == "test_error_handling" {
        CallToolResult::error(blocks)
    } else {
        CallToolResult::success(blocks)
    }
    .into()
}

fn text(words: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(words)]).into()
}

async fn progress(context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    for done in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let sign = ProgressNotificationParam::new(token, done).with_total(100.0);
            // Whoever does not hear it is gone, which the call's own end shows.
            let _ = context.peer.notify_progress(sign).await;
        }
        tokio::time::sleep(STEP).await;
    }
    Ok(text("done"))
}

fn needs_sampling(context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    match context.client_capabilities().is_some_and(|all| declares(&all, "sampling")) {
        true => Ok(text("sampling is declared")),
        false => {
            let needed = serde_json::from_value(json!({ "sampling": {} })).unwrap_or_default();
            Err(ErrorData::missing_required_client_capability(needed))
        }
    }
}

fn declares(capabilities: &ClientCapabilities, name: &str) -> bool {
    serde_json::to_value(capabilities).is_ok_and(|all| all.get(name).is_some_and(Value::is_object))
}

fn form(message: &str, schema: Value) -> Result<ElicitRequestParams, ErrorData> {
    let wrong = |error: serde_json::Error| ErrorData::internal_error(error.to_string(), None);
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema: serde_json::from_value(schema).map_err(wrong)?,
    })
}

async fn elicited(
    name: &str,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let said = request.arguments.as_ref().and_then(|all| all.get("message")).and_then(Value::as_str);
    let object = |properties: Value, required: Value| json!({ "type": "object", "properties": properties, "required": required });
    let schema = match name {
        "test_elicitation" => object(
            json!({ "username": { "type": "string", "description": "User's response" }, "email": { "type": "string", "description": "User's email address" } }),
            json!(["username", "email"]),
        ),
        "test_elicitation_sep1034_defaults" => object(
            json!({
                "name": { "type": "string", "default": "John Doe" }, "age": { "type": "integer", "default": 30 },
                "score": { "type": "number", "default": 95.5 },
                "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
                "verified": { "type": "boolean", "default": true },
            }),
            json!([]),
        ),
        _ => {
            let named = |value: &str, title: &str| json!({ "const": value, "title": title });
            let plain = json!(["option1", "option2", "option3"]);
            let titled = json!([
                named("value1", "First Option"),
                named("value2", "Second Option"),
                named("value3", "Third Option")
            ]);
            object(
                json!({
                    "untitledSingle": { "type": "string", "enum": plain },
                    "titledSingle": { "type": "string", "oneOf": titled },
                    "legacyEnum": { "type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"] },
                    "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
                    "titledMulti": { "type": "array", "items": { "anyOf": titled } },
                }),
                json!([]),
            )
        }
    };
    let params = form(said.unwrap_or("Please fill this in"), schema)?;
    let result = context.peer.create_elicitation(params).await;
    let result = result.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let action = serde_json::to_value(&result.action).unwrap_or_default();
    let action = action.as_str().unwrap_or_default();
    let content = result.content.unwrap_or(Value::Null);
    let words = if name == "test_elicitation" { "User response" } else { "Elicitation completed" };
    Ok(text(format!("{words}: action={action}, content={content}")))
}

/// One request for input, under its key, with the state that goes with it.
fn wanted(
    key: &str,
    message: &str,
    field: Value,
    state: Option<&str>,
) -> Result<CallToolResponse, ErrorData> {
    let name = field.as_object().and_then(|all| all.keys().next()).cloned().unwrap_or_default();
    let schema = json!({ "type": "object", "properties": field, "required": [name] });
    let request = InputRequest::Elicitation(ElicitRequest::new(form(message, schema)?));
    let requests = BTreeMap::from([(key.to_owned(), request)]);
    Ok(InputRequiredResult::new(Some(requests), state.map(str::to_owned)).into())
}

fn rounds(
    name: &str,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let given = |key: &str| {
        let given = request.input_responses.as_ref().and_then(|all| all.get(key));
        given.filter(|given| given.is_object()).cloned()
    };
    let state = request.request_state.as_deref();
    let named = || json!({ "name": { "type": "string" } });
    let agreed = || json!({ "ok": { "type": "boolean" } });
    match name {
        "test_input_required_result_elicitation" => match given("user_name") {
            Some(answer) => {
                Ok(text(format!("Hello, {}!", answer["content"]["name"].as_str().unwrap_or_default())))
            }
            None => wanted("user_name", "What is your name?", named(), None),
        },
        "test_input_required_result_multi_round" => match (state, given("step1"), given("step2")) {
            (Some("round-2"), _, Some(_)) => Ok(text("done")),
            (Some("round-1"), Some(_), _) => wanted(
                "step2",
                "Step 2: What is your favorite color?",
                json!({ "color": { "type": "string" } }),
                Some("round-2"),
            ),
            _ => wanted("step1", "Step 1: What is your name?", named(), Some("round-1")),
        },
        "test_input_required_result_capabilities" => {
            match context.client_capabilities().is_some_and(|all| declares(&all, "elicitation")) {
                true => wanted("user_name", "What is your name?", named(), None),
                false => Ok(text("nothing that this client can do is needed")),
            }
        }
        _ => match (state, given("confirm")) {
            (None, _) => wanted("confirm", "Please confirm", agreed(), Some("sealed")),
            (Some("sealed"), Some(_)) => Ok(text("state-ok")),
            (Some("sealed"), None) => wanted("confirm", "Please confirm", agreed(), Some("sealed")),
            (Some(_), _) => Err(ErrorData::invalid_params("the requestState is none of this call's", None)),
        },
    }
}
