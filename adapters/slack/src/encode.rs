//! Orders to calls of the Web API. Pure: sends nothing, measures no time. Texts go out as rich text, which is structure and is
//! never parsed, with the same words as plain text beside it; nothing is dropped or reworded to make something fit.

mod controls;
mod modal;
mod words;

use std::fmt;

use askrelay_core::id::{ConversationId, Identity, MessageId};
use askrelay_core::port::Receipt;
use askrelay_core::prompt::{Body, Prompt};
use serde::Serialize;
use serde_json::Value;
use slack_morphism::prelude::{
    SlackApiChatPostEphemeralRequest, SlackApiChatPostMessageRequest, SlackApiChatUpdateRequest,
    SlackApiPostWebhookMessageRequest, SlackBlock, SlackMessageContent,
};

use crate::error::EncodeError;
use crate::limits::BLOCKS;
use crate::place::{Room, Spot, position};
use words::Words;

pub(crate) use modal::{Form, errors, errors_in_words, note, open, replace};

/// One call, ready to be sent to a conversation whose channel may have to be looked up.
#[derive(Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Call {
    /// A new message.
    Post(Box<SlackApiChatPostMessageRequest>),
    /// A new text, and new controls, of a message.
    Update(Box<SlackApiChatUpdateRequest>),
    /// A message that only one person sees.
    Whisper(Box<SlackApiChatPostEphemeralRequest>),
}

/// No more than the method: a body has the question, and the tokens of its controls.
impl fmt::Debug for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Call").field(&self.method()).finish_non_exhaustive()
    }
}

impl Call {
    /// The method, as the Web API spells it.
    pub(crate) const fn method(&self) -> &'static str {
        match self {
            Self::Post(_) => "chat.postMessage",
            Self::Update(_) => "chat.update",
            Self::Whisper(_) => "chat.postEphemeral",
        }
    }

    /// The same to this channel.
    pub(crate) fn to(mut self, channel: &str) -> Self {
        let to = match &mut self {
            Self::Post(call) => &mut call.channel,
            Self::Update(call) => &mut call.channel,
            Self::Whisper(call) => &mut call.channel,
        };
        *to = channel.into();
        self
    }
}

/// What a Prompt is sent as: a JSON list with `method` and `payload` of every call, for looking at. In place of a channel's id
/// stands that of none.
#[must_use]
pub fn preview(prompt: &Prompt) -> String {
    let nobodys = Spot { room: Room::Channel("C00000000".to_owned()), thread: None };
    match show(&nobodys, prompt) {
        Ok(calls) => format!("{:#}", Value::from_iter(calls.iter().map(json))),
        Err(error) => error.to_string(),
    }
}

/// A call as `{"method": ..., "payload": ...}`.
pub(crate) fn json(call: &Call) -> Value {
    serde_json::json!({ "method": call.method(), "payload": call })
}

/// Where a conversation is.
pub(crate) fn spot(conversation: &ConversationId) -> Result<Spot, EncodeError> {
    Spot::parse(conversation).ok_or_else(|| EncodeError::Conversation(conversation.clone()))
}

/// A Prompt as new messages.
pub(crate) fn show(spot: &Spot, prompt: &Prompt) -> Result<Vec<Call>, EncodeError> {
    let pages = pages(prompt)?;
    Ok(pages.into_iter().map(|page| page.post(spot, spot.thread.as_deref())).collect())
}

/// A Prompt in place of what stands in these messages, the last in the last; what it is longer goes out as new messages, and
/// what it is shorter stays as it was: those ids come back first.
pub(crate) fn redraw(receipt: &Receipt, prompt: &Prompt) -> Result<(Vec<MessageId>, Vec<Call>), EncodeError> {
    let spot = spot(&receipt.place.conversation)?;
    let mut pages = pages(prompt)?.into_iter();
    let kept = receipt.messages.len().saturating_sub(pages.len());
    let (kept, edited) = receipt.messages.split_at_checked(kept).unwrap_or_default();
    let mut calls = Vec::new();
    for (id, page) in edited.iter().zip(&mut pages) {
        calls.push(page.update(&spot, id)?);
    }
    calls.extend(pages.map(|page| page.post(&spot, spot.thread.as_deref())));
    Ok((kept.to_vec(), calls))
}

/// Asks one person for own words, below the Prompt where there are others.
pub(crate) fn ask(spot: &Spot, to: &Identity, text: &str, receipt: &Receipt) -> Call {
    let prompt = receipt.messages.last().map(MessageId::as_str).filter(|_| !spot.is_private());
    say(spot, Some(to), spot.thread.as_deref().or(prompt), text)
}

/// Says one short thing to everybody in this thread, or outside of threads.
pub(crate) fn say(spot: &Spot, to: Option<&Identity>, thread: Option<&str>, text: &str) -> Call {
    Page::said(spot, to, text).post(spot, thread)
}

/// Says one short thing to one person, in this thread or outside of threads.
pub(crate) fn whisper(spot: &Spot, user: &str, thread: Option<&str>, text: &str) -> Call {
    let content = Page::said(spot, None, text).content();
    let mut call = SlackApiChatPostEphemeralRequest::new(channel(spot).into(), user.into(), content);
    call.thread_ts = thread.map(Into::into);
    call.parse = Some(UNPARSED.to_owned());
    Call::Whisper(Box::new(call))
}

/// The same by the address that came with a press.
pub(crate) fn respond(thread: Option<&str>, text: &str) -> SlackApiPostWebhookMessageRequest {
    let content = Page { words: Words::plain(text), controls: Vec::new() }.content();
    let mut call = SlackApiPostWebhookMessageRequest::new(content);
    call.thread_ts = thread.map(Into::into);
    call.replace_original = Some(false);
    call
}

/// The user of an identity, which is `TEAM/USER`.
pub(crate) fn user(identity: &Identity) -> &str {
    let id = identity.user.as_str();
    id.rsplit_once('/').map_or(id, |(_, user)| user)
}

/// Nothing in the text beside the blocks is looked for.
const UNPARSED: &str = "none";

/// One message in the making.
struct Page {
    words: Words,
    controls: Vec<SlackBlock>,
}

impl Page {
    fn said(spot: &Spot, to: Option<&Identity>, text: &str) -> Self {
        let words = Words::plain(text);
        // Whoever is alone with the bot knows whom it means.
        let words = match to.filter(|_| !spot.is_private()) {
            Some(to) => words.addressed(user(to)),
            None => words,
        };
        Self { words, controls: Vec::new() }
    }

    fn content(self) -> SlackMessageContent {
        let text = self.words.fallback();
        let mut blocks = vec![self.words.block()];
        blocks.extend(self.controls);
        SlackMessageContent::new().with_text(text).with_blocks(blocks)
    }

    fn post(self, spot: &Spot, thread: Option<&str>) -> Call {
        let mut call = SlackApiChatPostMessageRequest::new(channel(spot).into(), self.content());
        call.thread_ts = thread.map(Into::into);
        call.parse = Some(UNPARSED.to_owned());
        call.unfurl_links = Some(false);
        call.unfurl_media = Some(false);
        Call::Post(Box::new(call))
    }

    /// Without controls, those that stand there go.
    fn update(self, spot: &Spot, id: &MessageId) -> Result<Call, EncodeError> {
        if position(id.as_str()).is_none() {
            return Err(EncodeError::Message(id.clone()));
        }
        let mut call =
            SlackApiChatUpdateRequest::new(channel(spot).into(), self.content(), id.as_str().into());
        call.parse = Some(UNPARSED.to_owned());
        Ok(Call::Update(Box::new(call)))
    }
}

/// What stands for the channel until it is known.
fn channel(spot: &Spot) -> String {
    match &spot.room {
        Room::Channel(channel) => channel.clone(),
        Room::Person(user) => format!("@{user}"),
    }
}

fn pages(prompt: &Prompt) -> Result<Vec<Page>, EncodeError> {
    let page = |Body(pieces): &Body| Page { words: Words::of(pieces), controls: Vec::new() };
    let mut pages: Vec<Page> = prompt.messages.iter().map(page).collect();
    let last = pages.last_mut().ok_or(EncodeError::Empty)?;
    let room = BLOCKS.saturating_sub(last.words.length());
    last.controls = controls::blocks(&controls::within(&prompt.controls, room))?;
    last.words.append(&controls::lines(&prompt.controls));
    Ok(pages)
}

#[cfg(test)]
mod tests;
