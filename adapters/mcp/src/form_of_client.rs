//! The client's own form on the wire: how it is sent in both eras, and what came back. What its fields mean is
//! [`crate::elicitation`]'s.

use std::collections::BTreeMap;

use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, InputRequests,
};
use rmcp::{Peer, RoleServer};
use serde_json::{Map, Value};

use crate::elicitation::Form;

/// The name of the one form of a call.
const NAME: &str = "answer";

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

/// The form in the protocol's own types; none where those have no room for it.
fn params(form: &Form) -> Option<ElicitRequestParams> {
    Some(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: form.message.clone(),
        requested_schema: serde_json::from_value(Value::Object(form.schema.clone())).ok()?,
    })
}

/// Asks the client to show it, and waits as long as it takes.
pub(crate) async fn asked(form: &Form, peer: &Peer<RoleServer>) -> Given {
    let Some(params) = params(form) else {
        return Given::Failed("the protocol has no room for this form".to_owned());
    };
    match peer.create_elicitation(params).await {
        Ok(result) => answered(result),
        Err(error) => Given::Failed(error.to_string()),
    }
}

/// The same as part of a result.
pub(crate) fn requests(form: &Form) -> Option<InputRequests> {
    let request = ElicitRequest::new(params(form)?);
    Some(BTreeMap::from([(NAME.to_owned(), InputRequest::Elicitation(request))]))
}

/// What a call that was made again brings of its form; none where that is missing or no such thing, so that it is asked for again.
pub(crate) fn returned(responses: &BTreeMap<String, Value>) -> Option<Given> {
    let response = responses.get(NAME)?;
    serde_json::from_value::<ElicitResult>(response.clone()).ok().map(answered)
}

fn answered(result: ElicitResult) -> Given {
    let content = match result.content {
        Some(Value::Object(content)) => content,
        _ => Map::new(),
    };
    Given::Answered { action: result.action, content }
}
