//! How interactions are answered: in silence, with words that only the one who pressed sees, with a modal, or with what is wrong in
//! one. A press of a message's control was acknowledged when it came; a modal waits for this, for two seconds.

use std::sync::Arc;

use askrelay_core::id::{AckId, Identity, Place};
use askrelay_core::port::{Acknowledgement, Order};
use slack_morphism::prelude::SlackApiViewsOpenRequest;

use super::{Made, Outbox};
use crate::client::Client;
use crate::config::SURFACE;
use crate::encode::{self, Form};
use crate::error::CallError;
use crate::limits::TRIGGER;
use crate::presses::Press;
use crate::shared::Shared;

/// What a person is told whose modal could not be opened.
const TOO_SLOW: &str = "That took too long to open. Please press it again.";

impl Outbox {
    pub(super) fn acknowledge(&mut self, ack: AckId, with: Acknowledgement) {
        let Some((press, came)) = self.shared.acknowledge(ack) else { return };
        match with {
            Acknowledgement::Silent | Acknowledgement::Later => {
                self.shared.answer(ack, None);
            }
            Acknowledgement::Toast(text) => self.note(ack, press, &text),
            Acknowledgement::Errors(wrong) => {
                let fields = press.modal.as_ref().map_or(&[][..], |modal| &modal.fields);
                let answered = match encode::errors(&wrong, fields) {
                    Some(errors) => self.shared.answer(ack, Some(errors)),
                    None => false,
                };
                if !answered {
                    let words = encode::errors_in_words(&wrong, fields);
                    self.tell(ack, press, &words);
                }
            }
            Acknowledgement::Form { token, title, fields } => {
                let conversation = press.spot.conversation().as_str().to_owned();
                let form = Form { token, conversation, message: press.message.clone() };
                if press.modal.is_some()
                    && self.shared.answer(ack, Some(encode::replace(&form, &title, &fields)))
                {
                    return;
                }
                let trigger = press.trigger.as_deref().filter(|_| came.elapsed() < TRIGGER);
                match trigger.map(|trigger| encode::open(trigger, &form, &title, &fields)) {
                    Some(request) => self.open(ack, press, request),
                    None => self.tell(ack, press, TOO_SLOW),
                }
            }
        }
    }

    pub(super) fn toast(&mut self, ack: AckId, text: &str, otherwise: Option<Box<Order>>) {
        match self.shared.press(ack) {
            Some(press) => self.whisper(ack, press, text, otherwise),
            None => {
                if let Some(order) = otherwise {
                    self.order(*order);
                }
            }
        }
    }

    /// Words as the answer: in place of a modal that was sent, else to the one who pressed alone.
    fn note(&mut self, ack: AckId, press: Press, text: &str) {
        let note = press.modal.as_ref().map(|modal| encode::note(&modal.title, text));
        let answered = note.is_some_and(|note| self.shared.answer(ack, Some(note)));
        if !answered {
            self.tell(ack, press, text);
        }
    }

    /// Words to the one who pressed alone, and in the thread of what they pressed where that cannot be.
    fn tell(&mut self, ack: AckId, press: Press, text: &str) {
        self.shared.answer(ack, None);
        let aloud = Order::Say {
            place: Place { account: self.account.clone(), conversation: press.spot.conversation() },
            to: Some(Identity { surface: SURFACE.into(), user: press.user.as_str().into() }),
            reply_to: press.message.as_deref().map(Into::into),
            text: text.to_owned(),
        };
        self.whisper(ack, press, text, Some(Box::new(aloud)));
    }

    fn whisper(&mut self, ack: AckId, press: Press, text: &str, otherwise: Option<Box<Order>>) {
        let (client, shared) = (Arc::clone(&self.client), Arc::clone(&self.shared));
        let text = text.to_owned();
        self.calls.push(Box::pin(async move {
            Made::Press(otherwise, whisper(&client, &shared, ack, &press, &text).await)
        }));
    }

    /// Opens a modal, whatever waits: the platform gives three seconds for it.
    fn open(&mut self, ack: AckId, press: Press, request: SlackApiViewsOpenRequest) {
        self.shared.answer(ack, None);
        let (client, shared) = (Arc::clone(&self.client), Arc::clone(&self.shared));
        let account = self.account.clone();
        self.calls.push(Box::pin(async move {
            let result = match client.open(&request).await {
                // It never left us, and the person looks at it.
                Err(CallError::NotSent(_)) => client.open(&request).await,
                result => result,
            };
            let result = match result {
                // It may stand there.
                Ok(()) | Err(CallError::Lost(_)) => Ok(()),
                Err(error) => {
                    tracing::warn!(%account, %error, "a modal was not opened");
                    whisper(&client, &shared, ack, &press, TOO_SLOW).await
                }
            };
            Made::Press(None, result)
        }));
    }
}

/// Words to the one who pressed alone: by the address that came with the press, else by their name in the conversation.
async fn whisper(
    client: &Client,
    shared: &Shared,
    ack: AckId,
    press: &Press,
    text: &str,
) -> Result<(), CallError> {
    if let Some(url) = shared.response_url(ack) {
        let words = encode::respond(press.thread.as_deref(), text);
        match client.respond(url, &words).await {
            // It may be seen already.
            Ok(()) | Err(CallError::Lost(_)) => return Ok(()),
            Err(error) => tracing::debug!(%error, "words were not taken by the address of a press"),
        }
    }
    let call = encode::whisper(&press.spot, &press.user, press.thread.as_deref(), text);
    super::carry(client, shared, &press.spot, call).await.map(drop)
}
