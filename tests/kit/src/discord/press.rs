//! One use of a control, which the platform calls an interaction: how a bot is told, and how the person sees it answered.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::callback::{ANSWER_WITHIN_MS, COMPONENT, FORM, LATER, MESSAGE, SUBMIT, UPDATE};
use super::channel::{Seen, seen};
use super::draft::{EPHEMERAL, LOADING};
use super::form::Form;
use super::state::{Author, InteractionState, Shared, World};

/// A press, a choice, or a form that was sent.
#[derive(Clone, Debug)]
pub struct Press {
    pub(super) shared: Arc<Shared>,
    pub(super) id: u64,
}

/// How the bot answered within three seconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered {
    /// Nothing is to be seen.
    Silent,
    /// The message with the control was changed.
    Updated,
    /// "Thinking", to be seen by all or by the person alone.
    Thinking {
        /// Only the person sees it.
        ephemeral: bool,
    },
    /// Words, to be seen by all or by the person alone, as they were said first.
    Note {
        /// What they say.
        text: String,
        /// Only the person sees them.
        ephemeral: bool,
    },
    /// A form opened.
    Form(Form),
}

impl Press {
    /// The id of the interaction, for a call made by hand.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The token of the interaction, for a call made by hand.
    #[must_use]
    pub fn token(&self) -> String {
        self.shared.read(|world| {
            world.interactions.get(&self.id).map(|state| state.token.clone()).unwrap_or_default()
        })
    }

    /// How it was answered, once it was.
    #[must_use]
    pub fn answer(&self) -> Option<Answered> {
        self.shared.read(|world| world.answer(self.id))
    }

    /// Waits until it is answered.
    pub async fn answered(&self) -> Answered {
        self.shared.until("the answer to a press", |world| world.answer(self.id)).await
    }

    /// The same for a test without a runtime.
    #[must_use]
    pub fn wait_answered(&self) -> Answered {
        self.shared.wait("the answer to a press", |world| world.answer(self.id))
    }

    /// Waits for the form that it opens.
    ///
    /// # Panics
    /// When it is answered in another way.
    pub async fn form(&self) -> Form {
        match self.answered().await {
            Answered::Form(form) => form,
            other => panic!("no form was opened: {other:?}"),
        }
    }

    /// Whether the person sees that the interaction failed: nobody answered in time.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.shared.read(|world| {
            let state = world.interactions.get(&self.id);
            state.is_some_and(|state| state.answer.is_none() && world.now_ms - state.at_ms > ANSWER_WITHIN_MS)
        })
    }

    /// Everything that was said by its token and can be seen now, the newest last. "Thinking" is left out.
    #[must_use]
    pub fn notes(&self) -> Vec<Seen> {
        self.shared.read(|world| world.notes(self.id))
    }

    /// Waits for something said by its token whose text contains this.
    pub async fn until_note(&self, text: &str) -> Seen {
        self.shared.until(text, |world| world.note_with(self.id, text)).await
    }

    /// The same for a test without a runtime.
    pub fn wait_note(&self, text: &str) -> Seen {
        self.shared.wait(text, |world| world.note_with(self.id, text))
    }
}

impl World {
    fn answer(&self, id: u64) -> Option<Answered> {
        let state = self.interactions.get(&id)?;
        let answer = state.answer.as_ref()?;
        let data = answer.get("data").cloned().unwrap_or_default();
        let ephemeral = data.get("flags").and_then(Value::as_u64).unwrap_or(0) & EPHEMERAL != 0;
        Some(match answer.get("type").and_then(Value::as_u64).unwrap_or_default() {
            MESSAGE => {
                let text = data.get("content").and_then(Value::as_str).unwrap_or_default().to_owned();
                Answered::Note { text, ephemeral }
            }
            LATER => Answered::Thinking { ephemeral },
            UPDATE => Answered::Updated,
            FORM => Answered::Form(Form::new(id, &data)),
            _ => Answered::Silent,
        })
    }

    fn notes(&self, id: u64) -> Vec<Seen> {
        let Some(state) = self.interactions.get(&id) else { return Vec::new() };
        let there = state.notes.iter().filter_map(|note| Some((*note, self.message(state.channel, *note)?)));
        there
            .filter(|(_, message)| message.flags & LOADING == 0)
            .map(|(note, message)| seen(note, message))
            .collect()
    }

    fn note_with(&self, id: u64, text: &str) -> Option<Seen> {
        self.notes(id).into_iter().rev().find(|note| note.text.contains(text))
    }

    /// A person uses a component of a message; the interaction's id.
    pub(super) fn press(
        &mut self,
        person: u64,
        channel: u64,
        message: u64,
        kind: u64,
        mut data: Value,
    ) -> u64 {
        let author = self.message(channel, message).map(|message| message.author.clone());
        let Some(Author::Bot(bot)) = author else {
            panic!("no message {message} of a bot to use: {author:?}")
        };
        if let Some(fields) = data.as_object_mut() {
            fields.insert("component_type".to_owned(), kind.into());
            fields.insert(
                "id".to_owned(),
                self.component_number(channel, message, fields.get("custom_id")).into(),
            );
        }
        self.interact((bot, person), None, (channel, Some(message)), &data)
    }

    /// The number that the platform gave a component; a component that is gone had the first.
    fn component_number(&self, channel: u64, message: u64, custom_id: Option<&Value>) -> u64 {
        let rows = self.message(channel, message).into_iter().flat_map(|message| &message.components);
        let inside = rows.filter_map(|row| row.get("components").and_then(Value::as_array)).flatten();
        let mut found = inside.filter(|component| component.get("custom_id") == custom_id);
        found.next().and_then(|component| component.get("id")?.as_u64()).unwrap_or(2)
    }

    /// A person sends the form that an interaction opened; the new interaction's id.
    pub(super) fn submit(&mut self, person: u64, opened_by: u64, data: Value) -> u64 {
        let opener = self.interactions.get(&opened_by).expect("a form is opened by an interaction");
        let (bot, at) = (opener.bot, (opener.channel, opener.source));
        self.interact((bot, person), Some(opened_by), at, &data)
    }

    fn interact(
        &mut self,
        (bot, person): (u64, u64),
        opened_by: Option<u64>,
        (channel, source): (u64, Option<u64>),
        data: &Value,
    ) -> u64 {
        let id = self.new_id();
        let state = InteractionState {
            bot,
            person,
            token: format!("stand-in-{bot}-{id:x}"),
            kind: if opened_by.is_some() { SUBMIT } else { COMPONENT },
            channel,
            source,
            opened_by,
            at_ms: self.now_ms,
            answer: None,
            original: None,
            notes: Vec::new(),
        };
        self.interactions.insert(id, state);
        let event = self.interaction_value(id, data);
        self.dispatch(bot, "INTERACTION_CREATE", 0, |_, _| event.clone());
        id
    }

    fn interaction_value(&self, id: u64, data: &Value) -> Value {
        let Some(state) = self.interactions.get(&id) else { return Value::Null };
        let guild = self.channel(state.channel).guild;
        let mut channel = self.channel_value(state.channel);
        let text = |permissions: u64| super::object::text(permissions);
        if let Some(fields) = channel.as_object_mut() {
            fields.insert("permissions".to_owned(), text(self.permissions(state.person, state.channel)));
        }
        let owner = guild.map_or_else(|| "0".to_owned(), |guild| guild.to_string());
        let value = json!({
            "id": id.to_string(), "application_id": state.bot.to_string(), "type": state.kind,
            "token": state.token, "version": 1, "data": data, "channel": channel,
            "channel_id": state.channel.to_string(), "locale": "en-US", "entitlements": [],
            "entitlement_sku_ids": [], "attachment_size_limit": 10_485_760,
            "app_permissions": text(self.permissions(state.bot, state.channel)),
            "authorizing_integration_owners": { "0": owner }, "context": if guild.is_some() { 0 } else { 1 },
        });
        let mut fields: Map<String, Value> = value.as_object().cloned().unwrap_or_default();
        if let Some(source) = state.source.filter(|source| self.message(state.channel, *source).is_some()) {
            fields.insert("message".to_owned(), self.message_value(state.channel, source));
        }
        match guild {
            Some(guild) => {
                let mut member = self.whole_member_value(state.person, guild);
                if let Some(fields) = member.as_object_mut() {
                    fields.insert(
                        "permissions".to_owned(),
                        text(self.permissions(state.person, state.channel)),
                    );
                }
                fields.insert("member".to_owned(), member);
                fields.insert("guild_id".to_owned(), text(guild));
                fields.insert("guild_locale".to_owned(), "en-US".into());
                let guild = json!({ "id": guild.to_string(), "locale": "en-US", "features": [] });
                fields.insert("guild".to_owned(), guild);
            }
            None => {
                fields.insert("user".to_owned(), self.user_value(state.person));
            }
        }
        Value::Object(fields)
    }
}
