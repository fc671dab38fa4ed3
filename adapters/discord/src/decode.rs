//! Events of the gateway to Reports. Pure: reads no clock and answers nothing. Whatever comes in, it never panics; what says
//! nothing to us gives no Report.

use askrelay_core::id::{Account, AckId, Identity, Place, UpdateId};
use askrelay_core::person::Scopes;
use askrelay_core::port::{Act, Field, Reply, Report, Sender, SenderKind};
use askrelay_core::time::Time;
use serde::de::DeserializeOwned;

use crate::config::{Roles, SURFACE};
use crate::limits::EPOCH_MS;
use crate::place::Snowflake;
use crate::received::{Component, Interaction, Member, Message, User};
use crate::token::InteractionToken;

/// The bot itself, as the platform knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Me {
    /// Its immutable id.
    pub(crate) id: Snowflake,
    /// Its user name.
    pub(crate) handle: String,
    /// The application that it belongs to; answers to interactions go by it.
    pub(crate) application: Snowflake,
}

/// What Reports of one Account need beside the event.
pub(crate) struct Context<'a> {
    pub(crate) account: &'a Account,
    pub(crate) me: &'a Me,
    pub(crate) roles: &'a Roles,
    /// Now, where the platform gives no time.
    pub(crate) now: Time,
}

/// An interaction that owes an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owed {
    /// The platform's id.
    pub(crate) id: String,
    /// Whoever has it may answer.
    pub(crate) token: InteractionToken,
    /// Whoever caused it.
    pub(crate) by: Identity,
    /// A form was sent, which another form cannot follow.
    pub(crate) is_form: bool,
}

/// Kinds of interactions, messages and references (D/interactions/receiving-and-responding, D/resources/message).
const PRESS: u64 = 3;
const FORM: u64 = 5;
const ORDINARY: u64 = 0;
const REPLY: u64 = 19;
const REPLIES_TO: u64 = 0;

/// The Report of one event, by its name and its JSON. `ack` names the acknowledgement that an interaction owes, or nothing where it is
/// owed already.
pub(crate) fn report(
    event: &str,
    data: &str,
    context: &Context<'_>,
    ack: impl FnOnce(Owed, &Place) -> Option<AckId>,
) -> Option<Report> {
    let reply = match event {
        "MESSAGE_CREATE" => context.written(&read(data)?, None),
        "MESSAGE_UPDATE" => {
            let message: Message = read(data)?;
            // A preview that was found later is no edit.
            let edited = message.edited_timestamp.clone()?;
            context.written(&message, Some(&edited))
        }
        "INTERACTION_CREATE" => context.pressed(read(data)?, ack),
        _ => None,
    };
    reply.map(|reply| Report::Replied(Box::new(reply)))
}

fn read<T: DeserializeOwned>(data: &str) -> Option<T> {
    serde_json::from_str(data).ok()
}

impl Context<'_> {
    fn pressed(
        &self,
        interaction: Interaction,
        ack: impl FnOnce(Owed, &Place) -> Option<AckId>,
    ) -> Option<Reply> {
        let is_form = match interaction.kind {
            PRESS => false,
            FORM => true,
            _ => return None,
        };
        let in_server = interaction.guild_id.is_some() || interaction.member.is_some();
        let mut member = interaction.member;
        let beside = member.as_mut().and_then(|member| member.user.take());
        let user = beside.or(interaction.user)?;
        let id = Snowflake::parse(&interaction.id)?;
        let place = match interaction.channel_id.filter(|_| in_server) {
            Some(channel) => self.place(channel),
            // What cannot be said in its channel can be said to whoever pressed.
            None => self.place(format!("@{}", user.id)),
        };
        let sender = self.sender(&user, member.as_ref(), false);
        let token = InteractionToken::new(interaction.token);
        let owed = Owed { id: interaction.id, token, by: sender.identity.clone(), is_form };
        let ack = ack(owed, &place);
        let message = interaction.message.map(|message| message.id).filter(|id| !id.is_empty());
        let token = interaction.data.custom_id;
        let act = if is_form {
            let mut fields = Vec::new();
            collect(interaction.data.components, &mut fields);
            Act::Form { token, fields }
        } else {
            Act::Press { token, values: interaction.data.values, fields: Vec::new() }
        };
        Some(Reply {
            update: format!("i:{id}").into(),
            place,
            sender,
            at: self.time_of(id),
            position: message.as_deref().and_then(Snowflake::parse).and_then(position),
            private: !in_server,
            message: message.map(Into::into),
            ack,
            act,
        })
    }

    /// Words, or that there are none; nothing for the platform's own news.
    fn written(&self, message: &Message, edited: Option<&str>) -> Option<Reply> {
        let author = message.author.as_ref()?;
        let id = Snowflake::parse(&message.id)?;
        let is_ours = Snowflake::parse(&author.id) == Some(self.me.id);
        if is_ours || !matches!(message.kind, ORDINARY | REPLY) {
            return None;
        }
        let private = message.guild_id.is_none();
        let reference = message.message_reference.as_ref().filter(|to| to.kind == REPLIES_TO);
        let reply_to = reference.and_then(|to| to.message_id.clone()).filter(|_| message.kind == REPLY);
        let replied = message.referenced_message.as_ref().filter(|_| reply_to.is_some());
        let to_us = replied.and_then(|to| to.author.as_ref()).is_some_and(|author| self.is_me(author));
        let addressed = private || to_us || message.mentions.iter().any(|user| self.is_me(user));
        let text = Some(&message.content).filter(|text| !text.is_empty()).cloned();
        if text.is_none() && !addressed && reply_to.is_none() {
            // Without the Message Content intent, whatever people say to each other looks like this.
            return None;
        }
        let place = if private { format!("@{}", author.id) } else { message.channel_id.clone() };
        let (update, at): (UpdateId, Time) = match edited {
            Some(edited) => (format!("e:{id}:{edited}").into(), self.now),
            None => (format!("m:{id}").into(), self.time_of(id)),
        };
        Some(Reply {
            update,
            place: self.place(place),
            sender: self.sender(author, message.member.as_ref(), message.webhook_id.is_some()),
            at,
            position: position(id),
            private,
            message: Some(message.id.as_str().into()),
            ack: None,
            act: Act::Text { text, reply_to: reply_to.map(Into::into), addressed },
        })
    }

    fn is_me(&self, user: &User) -> bool {
        Snowflake::parse(&user.id) == Some(self.me.id)
    }

    fn place(&self, conversation: String) -> Place {
        Place { account: self.account.clone(), conversation: conversation.into() }
    }

    fn sender(&self, user: &User, member: Option<&Member>, by_webhook: bool) -> Sender {
        let kind = match by_webhook || user.bot || user.system {
            true => SenderKind::Bot,
            false => SenderKind::Human,
        };
        let nick = member.and_then(|member| member.nick.as_ref());
        let names = [nick, user.global_name.as_ref(), Some(&user.username), Some(&user.id)];
        let name = names.into_iter().flatten().find(|name| !name.trim().is_empty());
        Sender {
            identity: Identity { surface: SURFACE.into(), user: user.id.as_str().into() },
            display_name: name.cloned().unwrap_or_default(),
            kind,
            granted: member.map(|member| self.granted(member)).unwrap_or_default(),
        }
    }

    /// The rights that the roles give which the platform says are held now.
    fn granted(&self, member: &Member) -> Scopes {
        member.roles.iter().filter_map(|role| self.roles.get(role)).flatten().copied().collect()
    }

    /// The time is in the id.
    fn time_of(&self, id: Snowflake) -> Time {
        let since_epoch = i64::try_from(id.0 >> 22).ok();
        since_epoch.map_or(self.now, |ms| Time(ms.saturating_add(EPOCH_MS)))
    }
}

/// Ids grow with time.
pub(crate) fn position(id: Snowflake) -> Option<i64> {
    i64::try_from(id.0).ok()
}

/// The fields of a form, in rows or behind labels.
fn collect(components: Vec<Component>, fields: &mut Vec<Field>) {
    for component in components {
        if let Some(token) = component.custom_id {
            let words = component.value.filter(|words| !words.is_empty());
            fields.push(Field { token, values: component.values.into_iter().chain(words).collect() });
        }
        collect(component.components, fields);
        collect(component.component.map(|inner| *inner).into_iter().collect(), fields);
    }
}

#[cfg(test)]
mod tests;
