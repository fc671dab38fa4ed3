//! What the gateway has: its questions, its connections and what is to go out over each, and the faults that are planned.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};

use super::End;
use crate::faults::{Faults, Faulty, Holding};

/// What goes wrong with one call.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// It is refused.
    Refuse(Value),
    /// It takes effect, and the connection ends instead of an answer.
    LoseAnswer,
    /// It takes effect, and its answer waits.
    Hold(u64),
}

/// What goes out over one connection.
#[derive(Clone, Debug)]
pub(super) enum Out {
    Frame(Value),
    Close(u16, String),
}

#[derive(Debug)]
pub(super) struct World {
    token: String,
    boot: u64,
    last: u64,
    pub(super) older: bool,
    pub(super) questions: BTreeMap<String, Value>,
    /// What is to go out over each connection, and whether it is joined.
    pub(super) sessions: BTreeMap<u64, (VecDeque<Out>, bool)>,
    /// Every call: its method and what it was given.
    pub(super) calls: Vec<(String, Value)>,
    pub(super) faults: Faults<String, Fault>,
    /// Calls that have no answer yet, and the most that there ever were.
    pub(super) waiting: usize,
    pub(super) most_waiting: usize,
}

/// When its first question was asked: 2026-12-01. The real clock is read for nothing but how long a question waits.
const CREATED_MS: i64 = 1_796_083_200_000;

impl World {
    pub(super) fn new(token: &str) -> Self {
        Self {
            token: token.to_owned(),
            boot: 1,
            last: 0,
            older: false,
            questions: BTreeMap::new(),
            sessions: BTreeMap::new(),
            calls: Vec::new(),
            faults: Faults::default(),
            waiting: 0,
            most_waiting: 0,
        }
    }

    pub(super) fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    pub(super) fn boot_id(&self) -> String {
        format!("boot-{}", self.boot)
    }

    pub(super) fn ask(&mut self, record: Value) -> String {
        let number = self.next();
        let id = format!("ask_{number:032x}");
        let created = CREATED_MS + i64::try_from(number).unwrap_or_default();
        let mut question = json!({
            "id": id, "createdAtMs": created, "expiresAtMs": i64::MAX / 1_000_000, "status": "pending",
            "agentId": "main", "sessionKey": "agent:main:main", "runId": "run-1", "visibility": "all",
        });
        if let (Some(question), Value::Object(record)) = (question.as_object_mut(), record) {
            question.extend(record);
            question.retain(|_, value| !value.is_null());
        }
        let id = question["id"].as_str().unwrap_or_default().to_owned();
        self.questions.insert(id.clone(), question.clone());
        self.tell("question.requested", &question);
        id
    }

    /// An event to every client that is joined, with the members that the real ones have beside those of the protocol.
    pub(super) fn tell(&mut self, event: &str, payload: &Value) {
        for (outbox, is_joined) in self.sessions.values_mut() {
            if *is_joined {
                let frame = json!({ "type": "event", "event": event, "payload": payload, "recipientProfileId": "gateway-owner" });
                outbox.push_back(Out::Frame(frame));
            }
        }
    }

    pub(super) fn answered(
        &mut self,
        id: &str,
        answers: Value,
        resolved_by: Option<&str>,
        resolution: Option<&str>,
    ) {
        let Some(question) = self.questions.get_mut(id) else { return };
        question["status"] = "answered".into();
        question["answers"] = json!({ "answers": answers });
        if let Some(resolved_by) = resolved_by {
            question["resolvedBy"] = resolved_by.into();
        }
        // Kept, and told to nobody but who waits and asks for it.
        question["resolutionId"] = resolution.into();
        self.tell(
            "question.resolved",
            &json!({ "id": id, "status": "answered", "answers": { "answers": answers } }),
        );
    }

    pub(super) fn cancelled(&mut self, id: &str, resolved_by: Option<&str>) {
        let Some(question) = self.questions.get_mut(id) else { return };
        question["status"] = "cancelled".into();
        question["resolvedBy"] = resolved_by.into();
        self.tell("question.resolved", &json!({ "id": id, "status": "cancelled" }));
    }

    pub(super) fn end(&self, id: &str) -> Option<End> {
        let question = self.questions.get(id)?;
        let text = |key: &str| question[key].as_str().map(str::to_owned);
        let status = text("status").filter(|status| status != "pending")?;
        let answers = question["answers"]["answers"].clone();
        Some(End { status, answers, resolved_by: text("resolvedBy"), resolution: text("resolutionId") })
    }

    pub(super) fn is_joined(&self) -> bool {
        self.sessions.values().any(|(_, is_joined)| *is_joined)
    }

    pub(super) fn close(&mut self, code: u16, reason: &str) {
        for (outbox, _) in self.sessions.values_mut() {
            outbox.push_back(Out::Close(code, reason.to_owned()));
        }
    }

    pub(super) fn restart(&mut self) {
        self.tell("shutdown", &json!({ "reason": "gateway stopping" }));
        self.close(1012, "service restart");
        self.questions.clear();
        self.boot += 1;
    }
}

impl crate::world::World for World {
    fn describe(&self) -> String {
        let last: Vec<&str> = self.calls.iter().rev().take(12).map(|(method, _)| method.as_str()).collect();
        format!("{} connections; the last calls, newest first: {}", self.sessions.len(), last.join(", "))
    }
}

impl Holding for Fault {
    fn hold(&self) -> Option<u64> {
        match self {
            Self::Hold(hold) => Some(*hold),
            _ => None,
        }
    }
}

impl Faulty for World {
    type Name = String;
    type Fault = Fault;

    fn faults(&mut self) -> &mut Faults<String, Fault> {
        &mut self.faults
    }

    fn lets_go(&self, hold: u64) -> bool {
        self.faults.is_released(hold)
    }
}
