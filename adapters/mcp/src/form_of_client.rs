//! The client's own form: what is sent for it in both eras, and what came back. What the fields mean is [`crate::elicitation`]'s.

use std::collections::BTreeMap;

use askrelay_core::ask::Question;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, InputRequest,
    InputRequests,
};
use rmcp::{Peer, RoleServer};
use serde_json::{Map, Value};

use crate::asking::object;
use crate::elicitation::{message, schema};
use crate::human::MultiSelect;

/// The name of the one form of a call.
const NAME: &str = "answer";

/// A form to be shown.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    message: String,
    schema: ElicitationSchema,
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// The client's answer.
    Answered {
        /// What the person did with the form.
        action: ElicitationAction,
        /// What they filled in.
        content: Map<String, Value>,
    },
    /// There was no answer.
    Failed(String),
}

impl Form {
    /// The form of these questions; none where they cannot be put into one.
    pub(crate) fn of(questions: &[Question], multi_select: MultiSelect) -> Option<Self> {
        let schema = schema(questions, multi_select)?;
        let schema = serde_json::from_value(Value::Object(schema)).ok()?;
        Some(Self { message: message(questions), schema })
    }

    fn params(&self) -> ElicitRequestParams {
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: self.message.clone(),
            requested_schema: self.schema.clone(),
        }
    }

    /// Asks the client to show it, and waits as long as it takes.
    pub(crate) async fn asked(&self, peer: &Peer<RoleServer>) -> Given {
        match peer.create_elicitation(self.params()).await {
            Ok(result) => answered(result),
            Err(error) => Given::Failed(error.to_string()),
        }
    }

    /// The same as part of a result.
    pub(crate) fn requests(&self) -> InputRequests {
        let request = ElicitRequest::new(self.params());
        BTreeMap::from([(NAME.to_owned(), InputRequest::Elicitation(request))])
    }
}

/// What a call that was made again brings of its form.
pub(crate) fn returned(responses: &BTreeMap<String, Value>) -> Option<Given> {
    let response = responses.get(NAME)?;
    Some(match serde_json::from_value::<ElicitResult>(response.clone()) {
        Ok(result) => answered(result),
        Err(error) => Given::Failed(error.to_string()),
    })
}

fn answered(result: ElicitResult) -> Given {
    Given::Answered { action: result.action, content: object(result.content) }
}
