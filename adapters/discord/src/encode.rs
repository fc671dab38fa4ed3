//! Orders to calls of the REST interface. Pure: sends nothing, measures no time. Nothing of a Prompt is dropped or reworded to make
//! something fit; what is only said is cut where it has no room.

mod answers;
mod controls;
mod words;

use askrelay_core::id::{ConversationId, Identity, MessageId, SendId};
use askrelay_core::port::Receipt;
use askrelay_core::prompt::{Body, Prompt};
use serde_json::{Value, json};
use serenity::builder::{CreateActionRow, CreateAllowedMentions, CreateMessage, EditMessage};
use serenity::model::channel::{MessageFlags, Nonce};
use serenity::model::id::UserId;

use crate::error::EncodeError;
use crate::limits::LIMITS;
use crate::nonce::nonce;
use crate::place::{Snowflake, Spot};
use crate::token::InteractionToken;

pub(crate) use answers::{form, note, private, silence};

/// One call, ready to be sent. Its channel is its Order's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) what: What,
    pub(crate) body: Value,
}

/// What a call does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Opens the channel of a person and the bot.
    Open,
    /// A new message.
    Post,
    /// A new text, and new controls, of a message.
    Edit(Snowflake),
    /// Takes a thread out of the archive.
    Reopen,
    /// What follows the first answer to an interaction, by its token.
    Follow(InteractionToken),
}

impl Call {
    /// The method and the path, with `{channel}` where the channel's id goes and `{application}` where the bot's own does.
    pub(crate) fn route(&self) -> (&'static str, String) {
        match &self.what {
            What::Open => ("POST", "users/@me/channels".to_owned()),
            What::Post => ("POST", "channels/{channel}/messages".to_owned()),
            What::Edit(message) => ("PATCH", format!("channels/{{channel}}/messages/{message}")),
            What::Reopen => ("PATCH", "channels/{channel}".to_owned()),
            What::Follow(token) => ("POST", format!("webhooks/{{application}}/{}", token.expose())),
        }
    }

    /// Made twice, it has the same effect as once.
    pub(crate) fn is_repeatable(&self) -> bool {
        match self.what {
            What::Open | What::Edit(_) | What::Reopen => true,
            What::Post => self.body.get("nonce").is_some(),
            What::Follow(_) => false,
        }
    }
}

/// What a Prompt is sent as: a JSON list with `method`, `path` and `body` of every call, for looking at.
#[must_use]
pub fn preview(prompt: &Prompt) -> String {
    match show(&"preview".into(), prompt) {
        Ok(calls) => format!("{:#}", Value::from_iter(calls.iter().map(json))),
        Err(error) => error.to_string(),
    }
}

/// A call as `{"method": ..., "path": ..., "body": ...}`.
pub(crate) fn json(call: &Call) -> Value {
    let (method, path) = call.route();
    json!({ "method": method, "path": path, "body": call.body })
}

/// Where a conversation is.
pub(crate) fn spot(conversation: &ConversationId) -> Result<Spot, EncodeError> {
    Spot::parse(conversation).ok_or_else(|| EncodeError::Conversation(conversation.clone()))
}

/// A Prompt as new messages.
pub(crate) fn show(send: &SendId, prompt: &Prompt) -> Result<Vec<Call>, EncodeError> {
    let pages = pages(prompt)?;
    Ok(pages.into_iter().enumerate().map(|(index, page)| page.post(send, index)).collect())
}

/// A Prompt in place of what stands in these messages, the last in the last; what it is longer goes out as new messages, and
/// what it is shorter stays as it was: those ids come back first.
pub(crate) fn redraw(
    send: &SendId,
    receipt: &Receipt,
    prompt: &Prompt,
) -> Result<(Vec<MessageId>, Vec<Call>), EncodeError> {
    let mut pages = pages(prompt)?.into_iter();
    let kept = receipt.messages.len().saturating_sub(pages.len());
    let (kept, edited) = receipt.messages.split_at_checked(kept).unwrap_or_default();
    let mut calls = Vec::new();
    for (id, page) in edited.iter().zip(&mut pages) {
        calls.push(page.edit(message(id).ok_or_else(|| EncodeError::Message(id.clone()))?));
    }
    calls.extend(pages.enumerate().map(|(index, page)| page.post(send, index)));
    Ok((kept.to_vec(), calls))
}

/// Asks one person for own words, where a form could not.
pub(crate) fn ask(
    send: &SendId,
    spot: Spot,
    to: &Identity,
    text: &str,
    receipt: &Receipt,
) -> Result<Call, EncodeError> {
    let referring = receipt.messages.last();
    let mut post = said(spot, Some(to), referring, text)?;
    post.message = post.message.nonce(Nonce::String(nonce(send, 0))).enforce_nonce(true);
    Ok(post.call())
}

/// Says one short thing.
pub(crate) fn say(
    spot: Spot,
    to: Option<&Identity>,
    referring: Option<&MessageId>,
    text: &str,
) -> Result<Call, EncodeError> {
    said(spot, to, referring, text).map(Post::call)
}

/// Opens the channel of a person and the bot.
pub(crate) fn open(user: Snowflake) -> Call {
    Call { what: What::Open, body: json!({ "recipient_id": user }) }
}

/// Takes a thread out of the archive.
pub(crate) fn reopen() -> Call {
    Call { what: What::Reopen, body: json!({ "archived": false }) }
}

/// What follows the first answer to an interaction.
pub(crate) fn follow(token: &InteractionToken, text: &str) -> Result<Call, EncodeError> {
    if text.trim().is_empty() {
        return Err(EncodeError::Empty);
    }
    Ok(Call { what: What::Follow(token.clone()), body: private(text) })
}

/// Whether the platform shows another look than what was sent: that of an earlier try. Only controls and letters count, since it
/// may change the space between them.
pub(crate) fn is_another(call: &Call, shown: &Value) -> bool {
    let mut theirs = Vec::new();
    payloads(shown.get("components").unwrap_or(&Value::Null), &mut theirs);
    let mut ours = Vec::new();
    payloads(call.body.get("components").unwrap_or(&Value::Null), &mut ours);
    let letters = |body: &Value| {
        let content = body.get("content").and_then(Value::as_str);
        content.map(|text| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>())
    };
    let controls_differ = shown.get("components").is_some() && theirs != ours;
    let words_differ = shown.get("content").is_some() && letters(shown) != letters(&call.body);
    controls_differ || words_differ
}

/// The same look for a message that is there already.
pub(crate) fn edit_of(call: &Call, message: Snowflake) -> Call {
    let mut body = serde_json::Map::new();
    for key in ["content", "components", "allowed_mentions", "flags"] {
        if let Some(value) = call.body.get(key) {
            body.insert(key.to_owned(), value.clone());
        }
    }
    body.entry("components").or_insert_with(|| json!([]));
    Call { what: What::Edit(message), body: Value::Object(body) }
}

fn payloads<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| payloads(item, found)),
        Value::Object(fields) => {
            found.extend(fields.get("custom_id").and_then(Value::as_str));
            if let Some(inner) = fields.get("components") {
                payloads(inner, found);
            }
        }
        _ => {}
    }
}

/// One message in the making.
struct Page {
    text: String,
    rows: Vec<CreateActionRow>,
}

impl Page {
    /// One more line fits below the text.
    fn has_room(&self, line: &str) -> bool {
        LIMITS.unit.measure(&self.text) + 1 + LIMITS.unit.measure(line) <= LIMITS.message
    }

    fn post(self, send: &SendId, index: usize) -> Call {
        let message = quiet_message(self.text)
            .nonce(Nonce::String(nonce(send, index)))
            .enforce_nonce(true)
            .components(self.rows);
        Post { message, reference: None }.call()
    }

    /// Without rows, those that stand there go.
    fn edit(self, id: Snowflake) -> Call {
        let edit = EditMessage::new()
            .content(self.text)
            .components(self.rows)
            .allowed_mentions(nobody())
            .flags(MessageFlags::SUPPRESS_EMBEDS);
        Call { what: What::Edit(id), body: serde_json::to_value(edit).unwrap_or_default() }
    }
}

fn pages(prompt: &Prompt) -> Result<Vec<Page>, EncodeError> {
    let drawn = controls::draw(&prompt.controls)?;
    let page = |text: String| Page { text, rows: Vec::new() };
    let mut pages: Vec<Page> = prompt.messages.iter().map(|Body(pieces)| page(words::of(pieces))).collect();
    let mut last = pages.pop().ok_or(EncodeError::Empty)?;
    let mut before: Vec<Page> = Vec::new();
    for line in drawn.addresses {
        // What has no room beside the controls goes before them.
        let holder = if last.has_room(&line) { Some(&mut last) } else { before.last_mut() };
        match holder.filter(|page| page.has_room(&line)) {
            Some(page) => page.text.extend(["\n", line.as_str()]),
            None => before.push(page(line)),
        }
    }
    last.rows = drawn.rows;
    pages.extend(before);
    pages.push(last);
    Ok(pages)
}

/// Fields of a new message that ours never have.
const UNUSED: [&str; 4] = ["attachments", "embeds", "sticker_ids", "tts"];

/// A new message, perhaps a reply.
struct Post {
    message: CreateMessage,
    reference: Option<Snowflake>,
}

impl Post {
    fn call(self) -> Call {
        let mut body = serde_json::to_value(self.message).unwrap_or_default();
        if let Some(fields) = body.as_object_mut() {
            // serenity sends them even where there is nothing in them, which the platform's own types do not allow.
            UNUSED.iter().for_each(|name| drop(fields.remove(*name)));
        }
        if let Some(id) = self.reference {
            // serenity wants the channel too, which the platform does not.
            body["message_reference"] = json!({ "message_id": id, "fail_if_not_exists": false });
        }
        Call { what: What::Post, body }
    }
}

fn said(
    spot: Spot,
    to: Option<&Identity>,
    referring: Option<&MessageId>,
    text: &str,
) -> Result<Post, EncodeError> {
    if text.trim().is_empty() {
        return Err(EncodeError::Empty);
    }
    let reference = referring.and_then(message);
    let user = to.filter(|_| !spot.is_private()).and_then(|to| Snowflake::parse(to.user.as_str()));
    let mentions = nobody().users(user.map(|user| UserId::new(user.0))).replied_user(user.is_some());
    // Who is answered by a reply to their own message is told by that.
    let mention = user.filter(|_| reference.is_none()).map(|user| format!("<@{user}> ")).unwrap_or_default();
    let room = LIMITS.message - LIMITS.unit.measure(&mention);
    let content = format!("{mention}{}", words::short(text, room));
    Ok(Post { message: quiet_message(content).allowed_mentions(mentions), reference })
}

fn quiet_message(text: String) -> CreateMessage {
    CreateMessage::new().content(text).allowed_mentions(nobody()).flags(MessageFlags::SUPPRESS_EMBEDS)
}

/// Nobody is notified by what a text holds.
fn nobody() -> CreateAllowedMentions {
    CreateAllowedMentions::new()
}

fn message(id: &MessageId) -> Option<Snowflake> {
    Snowflake::parse(id.as_str())
}

#[cfg(test)]
mod tests;
