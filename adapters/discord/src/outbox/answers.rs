//! Answers to interactions: what is said by the first answer, what follows it, and the silence where no Order comes in time. Sends
//! nothing by itself.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use askrelay_core::id::{AckId, Place};
use askrelay_core::port::{Acknowledgement, Order};
use askrelay_core::prompt::Control;
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::{Made, Outbox};
use crate::decode::Owed;
use crate::encode;
use crate::error::CallError;
use crate::limits::PRESSES;
use crate::presses::{Over, Way};
use crate::queue::{Class, Job};

/// What is said where a form could not be opened any more, which the platform allows only at first.
const PRESS_AGAIN: &str = "That took too long. Please press it again.";

impl Outbox {
    pub(super) fn acknowledge(&mut self, ack: AckId, with: Acknowledgement) {
        let later = matches!(with, Acknowledgement::Later);
        match (self.shared.acknowledge(ack, later), with) {
            (None, _) => {}
            (Some(Way::Answer(owed, over)), with) => {
                let answer = self.first_answer(&owed, with);
                self.answer(owed, answer, over, None);
            }
            (Some(Way::Follow(owed, place, after)), with) => {
                let text = match with {
                    Acknowledgement::Silent | Acknowledgement::Later => return,
                    Acknowledgement::Toast(text) => text,
                    Acknowledgement::Errors(errors) => self.labels.words(errors),
                    Acknowledgement::Form { .. } => PRESS_AGAIN.to_owned(),
                };
                self.follow(&owed, place, after, &text, None);
            }
        }
    }

    pub(super) fn toast(&mut self, ack: AckId, text: &str, otherwise: Option<Box<Order>>) {
        match self.shared.follow(ack) {
            Some(Way::Answer(owed, over)) => self.answer(owed, encode::note(text), over, otherwise),
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
        while let Some((owed, over)) = shared.overdue(now, after) {
            self.answer(owed, encode::silence(), over, None);
        }
    }

    fn first_answer(&mut self, owed: &Owed, with: Acknowledgement) -> Value {
        match with {
            Acknowledgement::Silent | Acknowledgement::Later => encode::silence(),
            Acknowledgement::Toast(text) => encode::note(&text),
            Acknowledgement::Errors(errors) => encode::note(&self.labels.words(errors)),
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

    /// Gives the first answer, whatever waits.
    fn answer(
        &mut self,
        owed: Owed,
        answer: Value,
        over: watch::Sender<bool>,
        otherwise: Option<Box<Order>>,
    ) {
        let client = Arc::clone(&self.client);
        let patience = self.policy.acknowledge_after / 2;
        self.calls.push(Box::pin(async move {
            let result = match client.answer(&owed, &answer).await {
                // It never left us, and the person looks at it.
                Err(CallError::NotSent(_)) => client.answer(&owed, &answer).await,
                Err(CallError::Limited { retry_after, .. }) if retry_after <= patience => {
                    sleep(retry_after).await;
                    client.answer(&owed, &answer).await
                }
                result => result,
            };
            over.send_replace(true);
            Made::Answer(otherwise, result)
        }));
    }

    /// Says what follows the first answer, in the order of its conversation.
    fn follow(&mut self, owed: &Owed, place: Place, after: Over, text: &str, otherwise: Option<Box<Order>>) {
        let job = encode::spot(&place.conversation).map(|spot| {
            let mut job = Job::new(Class::Outcome, place, spot, vec![encode::follow(&owed.token, text)]);
            job.after = Some(after);
            job.otherwise = otherwise;
            job
        });
        self.push(None, job);
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
    fn words(&self, errors: Vec<(String, String)>) -> String {
        let line = |(token, what): (String, String)| match self.labels.get(&token) {
            Some(label) => format!("{label}: {what}"),
            None => what,
        };
        errors.into_iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
