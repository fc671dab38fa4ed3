//! Answers to interactions: the callback within its three seconds, and what the token allows for a quarter of an hour after.

use serde_json::{Value, json};

use super::component::Judge;
use super::draft::{Draft, EPHEMERAL, LOADING};
use super::refusal::{Refusal, Wrongs};
use super::rest::Answer;
use super::route::Target;
use super::state::{Author, InteractionState, MessageState, World};

/// How long an interaction can be answered, in milliseconds.
pub(super) const ANSWER_WITHIN_MS: i64 = 3000;
/// How long its token can be used after that, in milliseconds since the interaction.
const TOKEN_LIFE_MS: i64 = 15 * 60 * 1000;

/// Numbers of kinds of interactions.
pub(super) const COMPONENT: u64 = 3;
pub(super) const SUBMIT: u64 = 5;

/// Numbers of kinds of answers.
pub(super) const MESSAGE: u64 = 4;
pub(super) const LATER: u64 = 5;
pub(super) const SILENT: u64 = 6;
pub(super) const UPDATE: u64 = 7;
pub(super) const FORM: u64 = 9;

/// What `@original` stands for in a path.
const ORIGINAL: &str = "@original";

impl World {
    pub(super) fn call_back(&mut self, target: &Target, body: &Value) -> Result<Answer, Refusal> {
        let id = target.id(0, "interaction_id")?;
        let unknown = || Refusal::unknown(10062, "interaction");
        let state = self.interactions.get(&id).filter(|state| state.token == target.name(1));
        let state = state.ok_or_else(unknown)?;
        let kind = answer_kind(state, body)?;
        if state.answer.is_some() {
            return Err(Refusal::bad(40060, "Interaction has already been acknowledged."));
        }
        if self.now_ms - state.at_ms > ANSWER_WITHIN_MS {
            return Err(unknown());
        }
        let (bot, channel, source) = (state.bot, state.channel, state.source);
        let data = body.get("data").cloned().unwrap_or_else(|| json!({}));
        let original = match kind {
            MESSAGE => {
                let draft = Draft::judge(&data, "data")?;
                if draft.is_empty() {
                    return Err(super::message::empty());
                }
                Some(self.note(id, draft))
            }
            LATER => {
                let flags = data.get("flags").and_then(Value::as_u64).unwrap_or(0) & EPHEMERAL;
                Some(self.note(id, Draft { flags: flags | LOADING, ..Draft::default() }))
            }
            UPDATE => {
                let draft = Draft::judge(&data, "data")?;
                let source = source.ok_or_else(|| Refusal::unknown(10008, "Message"))?;
                self.change_message(bot, channel, source, draft)?;
                Some(source)
            }
            FORM => {
                let mut judge = Judge::default();
                judge.form("data", &data);
                judge.wrongs.judge()?;
                None
            }
            _ => source,
        };
        if let Some(state) = self.interactions.get_mut(&id) {
            state.answer = Some(body.clone());
            state.original = original;
        }
        Ok(match target.query("with_response") {
            Some("true" | "True" | "1") => Answer::Value(self.callback_value(id, kind, original)),
            _ => Answer::Empty,
        })
    }

    fn callback_value(&self, id: u64, answer: u64, original: Option<u64>) -> Value {
        let Some(state) = self.interactions.get(&id) else { return Value::Null };
        let message = original.map(|message| self.message_value(state.channel, message));
        let message_id = original.map(|message| message.to_string());
        json!({
            "interaction": {
                "id": id.to_string(), "type": state.kind, "response_message_id": message_id,
                "response_message_loading": answer == LATER, "response_message_ephemeral": false,
            },
            "resource": { "type": answer, "message": message },
        })
    }

    /// Puts a message of an interaction into its channel; its id.
    fn note(&mut self, interaction: u64, draft: Draft) -> u64 {
        let Some(state) = self.interactions.get(&interaction) else { return 0 };
        let (bot, channel, person, source) = (state.bot, state.channel, state.person, state.source);
        let content = draft.content.clone().unwrap_or_default();
        let is_private = draft.flags & EPHEMERAL != 0;
        let mentions = draft.mentions(self, bot, channel, &content, None);
        let mut message = MessageState::new(Author::Bot(bot), self.now_ms, content);
        message.components = draft.components.unwrap_or_default();
        message.embeds = draft.embeds.unwrap_or_default();
        message.flags = draft.flags;
        message.pings = mentions.clone();
        message.mentions = mentions;
        message.interaction = Some(interaction);
        message.only_for = is_private.then_some(person);
        // An answer in public replies to the message whose component was used.
        message.reply_to = source.filter(|_| !is_private);
        message.kind = if message.reply_to.is_some() { 19 } else { 0 };
        let id = self.put(channel, message);
        if let Some(state) = self.interactions.get_mut(&interaction) {
            state.notes.push(id);
        }
        self.spread("MESSAGE_CREATE", channel, id);
        id
    }

    /// The interaction whose token a path names, if that can still be used.
    fn answered(&self, target: &Target) -> Result<u64, Refusal> {
        let application = target.id(0, "webhook_id")?;
        if !self.bots.contains_key(&application) {
            return Err(Refusal::unknown(10015, "Webhook"));
        }
        let found = self.interactions.iter().rev().find(|(_, state)| {
            let is_fresh = self.now_ms - state.at_ms <= TOKEN_LIFE_MS;
            state.bot == application && state.token == target.name(1) && is_fresh
        });
        let Some((id, state)) = found else { return Err(Refusal::new(401, 50027, "Invalid Webhook Token")) };
        // Before it is answered, the token means nothing to webhooks.
        match state.answer {
            Some(_) => Ok(*id),
            None => Err(Refusal::unknown(10015, "Webhook")),
        }
    }

    /// The message that a path names, of this interaction.
    fn own_message(&self, target: &Target) -> Result<(u64, u64), Refusal> {
        let interaction = self.answered(target)?;
        let unknown = || Refusal::unknown(10008, "Message");
        let state = self.interactions.get(&interaction).ok_or_else(unknown)?;
        let id = match target.name(2) {
            ORIGINAL => state.original,
            _ => Some(target.id(2, "message_id")?).filter(|id| state.notes.contains(id)),
        };
        let there = id.filter(|id| self.message(state.channel, *id).is_some());
        Ok((interaction, there.ok_or_else(unknown)?))
    }

    pub(super) fn follow_up(&mut self, target: &Target, body: &Value) -> Result<Value, Refusal> {
        let interaction = self.answered(target)?;
        let draft = Draft::judge(body, "")?;
        if draft.is_empty() {
            return Err(super::message::empty());
        }
        let channel = self.channel_of(interaction);
        // The first message after "thinking" takes its place, and is as private as that was.
        let thinking = self.interactions.get(&interaction).and_then(|state| state.original);
        if let Some(id) = thinking.filter(|id| self.is_loading(channel, *id)) {
            return self.fill_in(interaction, id, draft);
        }
        let id = self.note(interaction, draft);
        Ok(self.message_value(channel, id))
    }

    pub(super) fn edit_follow_up(&mut self, target: &Target, body: &Value) -> Result<Value, Refusal> {
        let (interaction, id) = self.own_message(target)?;
        let draft = Draft::judge(body, "")?;
        self.fill_in(interaction, id, draft)
    }

    fn fill_in(&mut self, interaction: u64, id: u64, draft: Draft) -> Result<Value, Refusal> {
        let channel = self.channel_of(interaction);
        let bot = self.interactions.get(&interaction).map_or(0, |state| state.bot);
        self.change_message(bot, channel, id, draft)?;
        if let Some(message) = self.message_mut(channel, id) {
            message.flags &= !LOADING;
        }
        Ok(self.message_value(channel, id))
    }

    pub(super) fn get_follow_up(&self, target: &Target) -> Result<Value, Refusal> {
        let (interaction, id) = self.own_message(target)?;
        Ok(self.message_value(self.channel_of(interaction), id))
    }

    pub(super) fn delete_follow_up(&mut self, target: &Target) -> Result<Answer, Refusal> {
        let (interaction, id) = self.own_message(target)?;
        self.remove_message(self.channel_of(interaction), id);
        Ok(Answer::Empty)
    }

    fn channel_of(&self, interaction: u64) -> u64 {
        self.interactions.get(&interaction).map_or(0, |state| state.channel)
    }

    fn is_loading(&self, channel: u64, id: u64) -> bool {
        self.message(channel, id).is_some_and(|message| message.flags & LOADING != 0)
    }
}

/// The kind of an answer, if this interaction can be answered so.
fn answer_kind(state: &InteractionState, body: &Value) -> Result<u64, Refusal> {
    let mut wrongs = Wrongs::default();
    let Some(kind) = body.get("type") else {
        wrongs.missing("type");
        return wrongs.judge().map(|()| 0);
    };
    let kinds: &[u64] = match (state.kind, state.source) {
        (COMPONENT, _) => &[MESSAGE, LATER, SILENT, UPDATE, FORM],
        // A form cannot follow a form; without a message below it there is nothing to change.
        (_, Some(_)) => &[MESSAGE, LATER, SILENT, UPDATE],
        (_, None) => &[MESSAGE, LATER],
    };
    match kind.as_u64().filter(|kind| kinds.contains(kind)) {
        Some(kind) => Ok(kind),
        None => {
            wrongs.choice("type", kinds);
            wrongs.judge().map(|()| 0)
        }
    }
}
