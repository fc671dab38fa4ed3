//! Answers to interactions: what is said by the first answer, what follows it, and the silence where no Order comes in time. Sends
//! nothing by itself.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use askrelay_core::id::{AckId, Place};
use askrelay_core::port::{Acknowledgement, Order};
use askrelay_core::prompt::Control;
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use super::{Made, Outbox};
use crate::client::Client;
use crate::decode::Owed;
use crate::encode;
use crate::error::CallError;
use crate::limits::PRESSES;
use crate::presses::{First, Over, Way};
use crate::queue::{Class, Job};

/// What is said where a form could not be opened any more, which the platform allows only at first.
const PRESS_AGAIN: &str = "That took too long. Please press it again.";

/// How often an answer can be tried before it is too late, where none of the tries is answered. Own choice, 2026-12.
const TRIES: u32 = 3;

/// Wait before an answer is tried again. Own choice, 2026-12.
const AGAIN: Duration = Duration::from_millis(50);

impl Outbox {
    pub(super) fn acknowledge(&mut self, ack: AckId, with: Acknowledgement) {
        let later = matches!(with, Acknowledgement::Later);
        match (self.shared.acknowledge(ack, later), with) {
            (None, _) => {}
            (Some(Way::Answer(first)), with) => {
                let otherwise = self.words(&with).map(|text| instead(&first.owed, first.place.clone(), text));
                let answer = self.first_answer(&first.owed, with);
                self.answer(first, answer, otherwise);
            }
            (Some(Way::Follow(owed, place, after)), with) => {
                let text = match with {
                    Acknowledgement::Form { .. } => Some(PRESS_AGAIN.to_owned()),
                    with => self.words(&with),
                };
                if let Some(text) = text {
                    let otherwise = instead(&owed, place.clone(), text.clone());
                    self.follow(&owed, place, after, &text, Some(otherwise));
                }
            }
        }
    }

    pub(super) fn toast(&mut self, ack: AckId, text: &str, otherwise: Option<Box<Order>>) {
        match self.shared.follow(ack) {
            Some(Way::Answer(first)) => self.answer(first, encode::note(text), otherwise),
            Some(Way::Follow(owed, place, after)) => self.follow(&owed, place, after, text, otherwise),
            None => {
                if let Some(order) = otherwise {
                    self.order(*order);
                }
            }
        }
    }

    /// Interactions that no Order came for in time.
    pub(super) fn answer_overdue(&mut self, now: Instant, after: Duration) {
        let shared = Arc::clone(&self.shared);
        while let Some(first) = shared.overdue(now, after) {
            self.answer(first, encode::silence(), None);
        }
    }

    /// What an acknowledgement says in words.
    fn words(&self, with: &Acknowledgement) -> Option<String> {
        match with {
            Acknowledgement::Silent | Acknowledgement::Later | Acknowledgement::Form { .. } => None,
            Acknowledgement::Toast(text) => Some(text.clone()),
            Acknowledgement::Errors(errors) => Some(self.labels.words(errors)),
        }
    }

    fn first_answer(&mut self, owed: &Owed, with: Acknowledgement) -> Value {
        match with {
            Acknowledgement::Silent | Acknowledgement::Later => encode::silence(),
            Acknowledgement::Toast(text) => encode::note(&text),
            Acknowledgement::Errors(errors) => encode::note(&self.labels.words(&errors)),
            // The platform lets no form follow a form.
            Acknowledgement::Form { .. } if owed.is_form => encode::note(PRESS_AGAIN),
            Acknowledgement::Form { token, title, fields } => match encode::form(&token, &title, &fields) {
                Ok(form) => {
                    self.labels.remember(&fields);
                    form
                }
                Err(error) => {
                    tracing::warn!(account = %self.account, %error, "a form was not opened");
                    encode::note(&error.to_string())
                }
            },
        }
    }

    /// Gives the first answer, whatever waits; where it could not be given in time, its words are told otherwise.
    fn answer(&mut self, first: First, answer: Value, otherwise: Option<Box<Order>>) {
        let client = Arc::clone(&self.client);
        let within = self.policy.answer_within;
        self.calls.push(Box::pin(async move {
            let First { owed, came, over, .. } = first;
            let given = give(&client, &owed, &answer, within / TRIES);
            let result = timeout_at(came + within, given).await.unwrap_or(Err(CallError::TooLate));
            over.send_replace(true);
            Made::Answer(otherwise, result)
        }));
    }

    /// Says what follows the first answer, in the order of its conversation.
    fn follow(&mut self, owed: &Owed, place: Place, after: Over, text: &str, otherwise: Option<Box<Order>>) {
        let job = encode::spot(&place.conversation).and_then(|spot| {
            let mut job = Job::new(Class::Outcome, place, spot, vec![encode::follow(&owed.token, text)?]);
            job.after = Some(after);
            job.otherwise = otherwise;
            Ok(job)
        });
        self.push(None, job);
    }
}

/// The same words for the same person, where the platform does not let the interaction carry them.
fn instead(owed: &Owed, place: Place, text: String) -> Box<Order> {
    Box::new(Order::Say { place, to: Some(owed.by.clone()), reply_to: None, text })
}

/// Gives an answer until the platform tells what became of it.
async fn give(client: &Client, owed: &Owed, answer: &Value, patience: Duration) -> Result<(), CallError> {
    let mut may_be_there = false;
    loop {
        match client.answer(owed, answer, patience).await {
            Err(CallError::Limited { retry_after, .. }) => sleep(retry_after).await,
            Err(CallError::NotSent(_)) => sleep(AGAIN).await,
            Err(CallError::Lost(_) | CallError::Garbled { .. }) => {
                may_be_there = true;
                sleep(AGAIN).await;
            }
            Err(error) if may_be_there && error.is_answered_already() => return Ok(()),
            result => return result,
        }
    }
}

/// What the fields of forms are called that were opened lately.
#[derive(Debug, Default)]
pub(super) struct Labels {
    labels: BTreeMap<String, String>,
    in_order: VecDeque<String>,
}

impl Labels {
    fn remember(&mut self, fields: &[Control]) {
        for field in fields {
            let label = match field {
                Control::Input { label, .. } => Some(label),
                Control::Menu { label, .. } => label.as_ref(),
                Control::Button { .. } | Control::Link { .. } => None,
            };
            let (Some(token), Some(label)) = (field.token(), label) else { continue };
            if self.labels.insert(token.to_owned(), label.clone()).is_none() {
                self.in_order.push_back(token.to_owned());
            }
            if self.in_order.len() > PRESSES
                && let Some(oldest) = self.in_order.pop_front()
            {
                self.labels.remove(&oldest);
            }
        }
    }

    /// What is wrong, a line for each field; the form is closed by then.
    fn words(&self, errors: &[(String, String)]) -> String {
        let line = |(token, what): &(String, String)| match self.labels.get(token) {
            Some(label) => format!("{label}: {what}"),
            None => what.clone(),
        };
        errors.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
