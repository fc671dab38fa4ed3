//! Orders to calls of the Bot API. Pure: sends nothing, measures no time. Texts go out with explicit entities, never through a
//! markup parser, and nothing is dropped or reworded to make something fit.

mod keyboard;
mod words;

use askrelay_core::id::{ConversationId, Identity, MessageId as CoreMessageId};
use askrelay_core::limits::Unit;
use askrelay_core::port::Receipt;
use askrelay_core::prompt::shorten::shorten;
use askrelay_core::prompt::{Body, Prompt};
use serde::Serialize;
use serde_json::Value;
use teloxide::payloads::{AnswerCallbackQuery, EditMessageText, SendMessage};
use teloxide::types::{
    CallbackQueryId, ChatId, ForceReply, InlineKeyboardMarkup, LinkPreviewOptions, MessageId, ReplyMarkup,
    ReplyParameters,
};

use crate::error::EncodeError;
use crate::limits::{ALERT, LIMITS, TOAST};
use crate::place::Spot;
use keyboard::{Keys, keys};
use words::Words;

/// One call, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Call {
    /// A new message.
    Send(Box<SendMessage>),
    /// A new text, and new controls, of a message.
    Edit(Box<EditMessageText>),
    /// The end of a press.
    Answer(Box<AnswerCallbackQuery>),
}

impl Call {
    /// The method, as the Bot API spells it.
    pub(crate) const fn method(&self) -> &'static str {
        match self {
            Self::Send(_) => "sendMessage",
            Self::Edit(_) => "editMessageText",
            Self::Answer(_) => "answerCallbackQuery",
        }
    }
}

/// What a Prompt is sent as: a JSON list with `method` and `payload` of every call, for looking at. In place of a chat's id stands
/// that of nobody.
#[must_use]
pub fn preview(prompt: &Prompt) -> String {
    match show(NOBODYS, prompt) {
        Ok(calls) => format!("{:#}", Value::from_iter(calls.iter().map(json))),
        Err(error) => error.to_string(),
    }
}

/// A chat that nobody has.
const NOBODYS: Spot = Spot { chat: ChatId(1), topic: None };

/// A call as `{"method": ..., "payload": ...}`.
pub(crate) fn json(call: &Call) -> Value {
    serde_json::json!({ "method": call.method(), "payload": call })
}

/// Where a conversation is.
pub(crate) fn spot(conversation: &ConversationId) -> Result<Spot, EncodeError> {
    Spot::parse(conversation).ok_or_else(|| EncodeError::Conversation(conversation.clone()))
}

/// A Prompt as new messages.
pub(crate) fn show(spot: Spot, prompt: &Prompt) -> Result<Vec<Call>, EncodeError> {
    let pages = pages(prompt)?;
    Ok(pages.into_iter().map(|page| Call::Send(Box::new(page.send(spot)))).collect())
}

/// A Prompt in place of what stands in these messages, the last in the last; what it is longer goes out as new messages, and
/// what it is shorter stays as it was: those ids come back first.
pub(crate) fn redraw(
    receipt: &Receipt,
    prompt: &Prompt,
) -> Result<(Vec<CoreMessageId>, Vec<Call>), EncodeError> {
    let spot = spot(&receipt.place.conversation)?;
    let mut pages = pages(prompt)?.into_iter();
    let kept = receipt.messages.len().saturating_sub(pages.len());
    let (kept, edited) = receipt.messages.split_at_checked(kept).unwrap_or_default();
    let mut calls = Vec::new();
    for (id, page) in edited.iter().zip(&mut pages) {
        let id = message(id).ok_or_else(|| EncodeError::Message(id.clone()))?;
        calls.push(Call::Edit(Box::new(page.edit(spot, id))));
    }
    calls.extend(pages.map(|page| Call::Send(Box::new(page.send(spot)))));
    Ok((kept.to_vec(), calls))
}

/// Asks one person for own words, with an input that only they get.
pub(crate) fn ask(
    spot: Spot,
    to: &Identity,
    text: &str,
    placeholder: Option<&str>,
    receipt: &Receipt,
) -> SendMessage {
    let words = Words::plain(text);
    let words = if spot.is_private() { words } else { words.addressed(to) };
    let hint = placeholder.filter(|hint| !hint.trim().is_empty());
    let hint = hint.map(|hint| shorten(hint, LIMITS.unit, PLACEHOLDER).into_owned());
    let force = ForceReply::new().input_field_placeholder(hint);
    let force = if spot.is_private() { force } else { force.selective() };
    let mut call = send(spot, words);
    call.reply_parameters = receipt.messages.last().and_then(message).map(reply_to);
    call.reply_markup = Some(ReplyMarkup::ForceReply(force));
    call
}

/// Says one short thing.
pub(crate) fn say(
    spot: Spot,
    to: Option<&Identity>,
    referring: Option<&CoreMessageId>,
    text: &str,
) -> SendMessage {
    let reply = referring.and_then(message).map(reply_to);
    let words = Words::plain(text);
    // Who is answered by a reply to their own message is told by that.
    let words = match to.filter(|_| reply.is_none() && !spot.is_private()) {
        Some(to) => words.addressed(to),
        None => words,
    };
    let mut call = send(spot, words);
    call.reply_parameters = reply;
    call
}

/// Ends a press, with a word or in silence.
pub(crate) fn answer(press: &str, text: Option<&str>) -> Call {
    let mut call = AnswerCallbackQuery::new(CallbackQueryId(press.to_owned()));
    if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
        call.show_alert = (text.chars().count() > ALERT).then_some(true);
        call.text = Some(shorten(text, Unit::Utf16, TOAST).into_owned());
    }
    Call::Answer(Box::new(call))
}

/// Most code points of a placeholder.
const PLACEHOLDER: usize = match &LIMITS.controls {
    Some(controls) => match controls.input {
        askrelay_core::limits::InputLimits::ForcedReply { placeholder } => placeholder,
        _ => 0,
    },
    None => 0,
};

/// One message in the making.
struct Page {
    words: Words,
    keyboard: Option<InlineKeyboardMarkup>,
}

impl Page {
    fn send(self, spot: Spot) -> SendMessage {
        let mut call = send(spot, self.words);
        call.reply_markup = self.keyboard.map(ReplyMarkup::InlineKeyboard);
        call
    }

    /// Without a keyboard, the one that stands there goes.
    fn edit(self, spot: Spot, id: MessageId) -> EditMessageText {
        let mut call = EditMessageText::new(spot.chat, id, self.words.text);
        call.entities = Some(self.words.entities).filter(|entities| !entities.is_empty());
        call.link_preview_options = Some(NO_PREVIEW);
        call.reply_markup = self.keyboard;
        call
    }
}

fn pages(prompt: &Prompt) -> Result<Vec<Page>, EncodeError> {
    let Keys { keyboard, addresses } = keys(&prompt.controls)?;
    let mut pages: Vec<Page> = prompt
        .messages
        .iter()
        .map(|Body(pieces)| Page { words: Words::of(pieces), keyboard: None })
        .collect();
    let last = pages.last_mut().ok_or(EncodeError::Empty)?;
    last.words.append(&addresses);
    last.keyboard = keyboard;
    Ok(pages)
}

fn send(spot: Spot, words: Words) -> SendMessage {
    let mut call = SendMessage::new(spot.chat, words.text);
    call.message_thread_id = spot.topic;
    call.entities = Some(words.entities).filter(|entities| !entities.is_empty());
    call.link_preview_options = Some(NO_PREVIEW);
    call
}

const NO_PREVIEW: LinkPreviewOptions = LinkPreviewOptions {
    is_disabled: true,
    url: None,
    prefer_small_media: false,
    prefer_large_media: false,
    show_above_text: false,
};

fn reply_to(id: MessageId) -> ReplyParameters {
    ReplyParameters::new(id).allow_sending_without_reply()
}

fn message(id: &CoreMessageId) -> Option<MessageId> {
    id.as_str().parse().ok().filter(|id| *id > 0).map(MessageId)
}

#[cfg(test)]
mod tests;
