//! The methods: what each answers, and the refusals that the real gateway gives, with its words.

use serde_json::{Map, Value, json};

use super::state::World;

/// Why a call is refused: the error of its response.
pub(super) type Refusal = Value;

/// The members that each method takes, and after the bar those that an older gateway does not know.
const MEMBERS: [(&str, &[&str], &[&str]); 4] = [
    ("question.list", &[], &[]),
    ("question.get", &["id"], &[]),
    ("question.waitAnswer", &["id", "timeoutMs"], &["includeResolutionId"]),
    (
        "question.resolve",
        &["id", "answers", "cancel", "resolvedBy", "secretStoreAllowedHosts"],
        &["resolutionId"],
    ),
];

/// Members of `connect`.
const CONNECT: [&str; 14] = [
    "minProtocol",
    "maxProtocol",
    "client",
    "role",
    "scopes",
    "caps",
    "commands",
    "permissions",
    "pathEnv",
    "auth",
    "locale",
    "userAgent",
    "device",
    "version",
];

impl World {
    /// Lets a client in, or says why not.
    pub(super) fn connect(&mut self, session: u64, params: &Value, nonce: &str) -> Result<Value, Refusal> {
        let unknown =
            params.as_object().and_then(|map| map.keys().find(|key| !CONNECT.contains(&key.as_str())));
        if let Some(unknown) = unknown {
            return Err(invalid(&format!(
                "invalid connect params: at root: unexpected property '{unknown}'"
            )));
        }
        let device = &params["device"];
        if !device.is_object() {
            return Err(json!({ "code": "NOT_PAIRED", "message": "device identity required",
                "details": { "code": "DEVICE_IDENTITY_REQUIRED" } }));
        }
        if device["nonce"] != nonce {
            return Err(coded("DEVICE_AUTH_NONCE_MISMATCH"));
        }
        let issued = format!("device-{}", device["id"].as_str().unwrap_or_default());
        let method = match (&params["auth"]["token"], &params["auth"]["deviceToken"]) {
            (Value::String(token), _) if token == self.token() => "token",
            (_, Value::String(token)) if *token == issued => "device-token",
            (_, Value::String(_)) => return Err(coded("AUTH_DEVICE_TOKEN_MISMATCH")),
            _ => return Err(coded("AUTH_TOKEN_MISMATCH")),
        };
        if let Some((_, is_joined)) = self.sessions.get_mut(&session) {
            *is_joined = true;
        }
        Ok(json!({
            "type": "hello-ok", "protocol": 4,
            "server": { "version": "2026.9.6", "bootId": self.boot_id(), "controlUiBuildSource": "none", "connId": format!("c-{session}") },
            "features": { "methods": ["question.list"], "events": ["tick"], "capabilities": [] },
            "snapshot": { "presence": [] },
            "auth": { "method": method, "role": "operator", "scopes": params["scopes"], "recoveryScope": "r",
                "recoveryMigrationAllowed": true, "deviceToken": issued, "issuedAtMs": 1 },
            "policy": { "maxPayload": 26_214_400, "maxBufferedBytes": 52_428_800, "tickIntervalMs": 30_000, "attachments": {} },
        }))
    }

    /// Answers one call.
    pub(super) fn call(&mut self, method: &str, params: &Value) -> Result<Value, Refusal> {
        let Some((_, known, newer)) = MEMBERS.iter().find(|(name, ..)| *name == method) else {
            return Err(json!({ "code": "FORBIDDEN", "message": "missing scope: operator.admin",
                "details": { "code": "MISSING_SCOPE", "missingScope": "operator.admin" } }));
        };
        let older = self.older;
        let knows = |key: &str| known.contains(&key) || (!older && newer.contains(&key));
        let unknown = params.as_object().and_then(|map| map.keys().find(|key| !knows(key)));
        if let Some(unknown) = unknown {
            return Err(invalid(&format!(
                "invalid {method} params: at root: unexpected property '{unknown}'"
            )));
        }
        if method == "question.list" {
            let open = self.questions.values().filter(|question| question["status"] == "pending");
            return Ok(json!({ "questions": open.map(shown).collect::<Vec<_>>() }));
        }
        let id = params["id"].as_str().unwrap_or_default().to_owned();
        let Some(question) = self.questions.get(&id).cloned() else {
            return Err(reason("QUESTION_NOT_FOUND", &format!("question '{id}' was not found")));
        };
        match method {
            "question.get" => Ok(json!({ "question": shown(&question) })),
            "question.waitAnswer" => Ok(waited(&question, params)),
            _ => self.resolve(&id, &question, params),
        }
    }

    fn resolve(&mut self, id: &str, question: &Value, params: &Value) -> Result<Value, Refusal> {
        if question["status"] != "pending" {
            return Err(reason("QUESTION_ALREADY_TERMINAL", &format!("question '{id}' is already terminal")));
        }
        let by = params["resolvedBy"].as_str();
        if params["cancel"] == true {
            self.cancelled(id, by);
            return Ok(json!({ "status": "cancelled" }));
        }
        let answers = &params["answers"]["answers"];
        for asked in question["questions"].as_array().into_iter().flatten() {
            check(asked, answers)?;
        }
        self.answered(id, answers.clone(), by, params["resolutionId"].as_str());
        Ok(json!({ "status": "answered", "answers": { "answers": answers } }))
    }
}

/// Whether one question has an answer that it allows, label by label as it is written.
fn check(asked: &Value, answers: &Value) -> Result<(), Refusal> {
    let id = asked["questionId"].as_str().unwrap_or_default();
    let fault = |what: &str| reason("QUESTION_INVALID_ANSWER", &format!("question '{id}' {what}"));
    let values: Vec<&str> = answers[id].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let labels: Vec<&str> = asked["options"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|option| option["label"].as_str())
        .collect();
    match values.as_slice() {
        [] => Err(fault("requires an answer")),
        [_, _, ..] if asked["multiSelect"] != true => Err(fault("does not allow multiple answers")),
        _ if labels.is_empty() || asked["isOther"] == true => Ok(()),
        values if values.iter().all(|value| labels.contains(value)) => Ok(()),
        _ => Err(fault("contains an unknown option")),
    }
}

/// A question as everybody may see it.
fn shown(question: &Value) -> Value {
    let mut shown: Map<String, Value> = question.as_object().cloned().unwrap_or_default();
    shown.remove("resolutionId");
    shown.retain(|_, value| !value.is_null());
    Value::Object(shown)
}

fn waited(question: &Value, params: &Value) -> Value {
    let mut end = json!({ "status": question["status"] });
    if question["status"] == "answered" {
        end["answers"] = question["answers"].clone();
        if params["includeResolutionId"] == true && question["resolutionId"].is_string() {
            end["resolutionId"] = question["resolutionId"].clone();
        }
    }
    end
}

fn invalid(message: &str) -> Refusal {
    json!({ "code": "INVALID_REQUEST", "message": message })
}

fn coded(code: &str) -> Refusal {
    json!({ "code": "INVALID_REQUEST", "message": "unauthorized", "details": { "code": code, "reason": "x" } })
}

fn reason(reason: &str, message: &str) -> Refusal {
    json!({ "code": "INVALID_REQUEST", "message": message, "details": { "reason": reason } })
}
