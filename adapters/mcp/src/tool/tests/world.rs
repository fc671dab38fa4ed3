//! Records as a gateway would have them, for calls of the tools; no tests of its own.

use std::sync::Arc;

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{Ask, Binding, Creator, WhenUnanswered};
use askrelay_core::id::{GatewayId, PersonId, QuestionId, RecordKey, ResolutionId};
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_core::time::Time;
use serde_json::Value;

use super::{Meant, keeps, meant};
use crate::tool::{Asked, End};
use crate::wanted::{Finished, How, Via};

pub(super) const NOW: Time = Time(1_796_057_711_239);

/// The call, as a Record that ended so.
pub(super) fn ended(asked: &Asked, state: State) -> Arc<Record> {
    let params = &asked.wanted.params;
    Arc::new(Record {
        key: RecordKey { gateway: GatewayId::from("embedded"), id: "mcp-1".into(), created_at: NOW },
        ask: Ask {
            questions: params.questions.clone(),
            wait: params.wait.unwrap_or_default(),
            origin: params.origin.clone(),
            creator: Creator { person: None, token: None, binding: Binding::Run, scopes: Default::default() },
            answerers: Vec::new(),
            places: Vec::new(),
            needs_surface: false,
            when_unanswered: WhenUnanswered::Fail,
            terminal_proof: None,
        },
        expires_at: NOW,
        state,
        late: Vec::new(),
        collected: None,
    })
}

pub(super) fn answered(values: &[(&str, &[&str])], note: Option<(&str, &str)>, way: Way) -> Answered {
    let values = values.iter().map(|(id, values)| {
        (QuestionId::from(*id), values.iter().map(|value| (*value).to_owned()).collect())
    });
    Answered {
        answers: Answers(values.collect()),
        notes: note.into_iter().map(|(id, note)| (QuestionId::from(id), note.to_owned())).collect(),
        words: None,
        by: Actor::new(Some(PersonId::from("ada")), way),
        by_name: Some("Ada".to_owned()),
        at: NOW,
        resolution: ResolutionId::from("r"),
    }
}

pub(super) fn cancelled(why: WhyCancelled) -> State {
    State::Cancelled(Cancelled { at: NOW, why, by: None, by_name: None })
}

pub(super) fn asked(name: &str, arguments: &Value) -> Asked {
    match meant(name, arguments) {
        Ok(Meant::Ask(asked)) => *asked,
        other => panic!("asks nothing: {other:?}"),
    }
}

/// The result, which keeps the tool's own output schema.
pub(super) fn finish(name: &str, asked: &Asked, end: &End, how: &How) -> Finished {
    let finished = asked.shape.finish(&asked.wanted, end, how);
    keeps(name, &finished);
    finished
}

pub(super) fn how() -> How {
    How { via: Via::Chat, began_at: NOW, now: Time(NOW.0 + 1500), ..How::default() }
}
