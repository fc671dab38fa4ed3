//! What people did with controls: buttons and menus of messages, and modals that were sent. What a message's other controls held
//! comes with every press of a button. Decides nothing about tokens.

use askrelay_core::port::{Act, Field, Reply, Sender, SenderKind};
use reqwest::Url;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Context, OPEN_LINK, Seat, home, sender, text, time};
use crate::encode::Form;
use crate::place::{Room, Spot, position};
use crate::presses::{Modal, Press};

/// An interaction that says something to us, and what answering it needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Interaction {
    pub(crate) reply: Reply,
    pub(crate) press: Press,
}

/// What a person did; nothing where it says nothing (yet), and only has to be acknowledged.
pub(crate) fn interaction(payload: &Value, context: &Context<'_>) -> Option<Interaction> {
    match text(payload, "/type")? {
        "block_actions" => context.pressed(payload),
        "view_submission" => context.submitted(payload),
        // We ask for no news of closed modals, and offer no shortcuts.
        _ => None,
    }
}

impl Context<'_> {
    fn pressed(&self, payload: &Value) -> Option<Interaction> {
        let action = payload.pointer("/actions/0")?;
        let act = act(action, payload)?;
        let user = text(payload, "/user/id")?;
        let channel = text(payload, "/channel/id").or_else(|| text(payload, "/container/channel_id"))?;
        let ts = text(payload, "/container/message_ts").or_else(|| text(payload, "/message/ts"));
        let seat = Seat {
            channel,
            ts,
            thread: text(payload, "/message/thread_ts").or_else(|| text(payload, "/container/thread_ts")),
            parent: text(payload, "/message/parent_user_id"),
            user,
            private: channel.starts_with('D'),
        };
        let (spot, _) = self.spot(&seat);
        let (trigger, action_ts) = (text(payload, "/trigger_id"), text(action, "/action_ts"));
        let update = match trigger {
            Some(trigger) => format!("p:{}", digest(trigger)),
            None => format!("p:{user}:{}:{}", ts.unwrap_or_default(), action_ts.unwrap_or_default()),
        };
        let reply = Reply {
            update: update.into(),
            place: self.place(&spot),
            sender: self.presser(payload, user),
            at: action_ts.and_then(time).unwrap_or(self.now),
            position: ts.and_then(position),
            private: seat.private,
            message: ts.map(Into::into),
            ack: None,
            act,
        };
        let press = Press {
            channel: Some(channel.to_owned()),
            thread: seat.thread_apart().map(str::to_owned),
            spot,
            user: user.to_owned(),
            message: ts.map(str::to_owned),
            trigger: trigger.map(str::to_owned),
            response_url: text(payload, "/response_url").and_then(|url| Url::parse(url).ok()),
            modal: None,
        };
        Some(Interaction { reply, press })
    }

    fn submitted(&self, payload: &Value) -> Option<Interaction> {
        let view = payload.get("view")?;
        let form: Form = serde_json::from_str(text(view, "/private_metadata")?).ok()?;
        let spot = Spot::parse(&form.conversation.as_str().into())?;
        let user = text(payload, "/user/id")?;
        // A modal that had something wrong in it is sent again as the same view.
        let update = match (text(payload, "/trigger_id"), text(view, "/id")) {
            (Some(trigger), Some(id)) => format!("v:{id}:{}", digest(trigger)),
            (_, id) => {
                let hash = text(view, "/hash").unwrap_or_default();
                let values = view.pointer("/state/values").map(Value::to_string).unwrap_or_default();
                format!("v:{}:{hash}:{}", id.unwrap_or_default(), digest(&values))
            }
        };
        let blocks = view.get("blocks").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let field = |block: &Value| {
            let label = text(block, "/label/text").unwrap_or_default();
            Some((text(block, "/block_id")?.to_owned(), label.to_owned()))
        };
        let fields = blocks.iter().filter_map(field).collect();
        let reply = Reply {
            update: update.into(),
            place: self.place(&spot),
            sender: self.presser(payload, user),
            at: self.now,
            position: form.message.as_deref().and_then(position),
            private: spot.is_private(),
            message: form.message.as_deref().map(Into::into),
            ack: None,
            act: Act::Form { token: form.token, fields: held(view.pointer("/state/values")) },
        };
        let press = Press {
            channel: match &spot.room {
                Room::Channel(channel) => Some(channel.clone()),
                Room::Person(_) => None,
            },
            thread: spot.thread.clone(),
            spot,
            user: user.to_owned(),
            message: form.message,
            trigger: text(payload, "/trigger_id").map(str::to_owned),
            response_url: None,
            modal: Some(Modal { title: text(view, "/title/text").unwrap_or_default().to_owned(), fields }),
        };
        Some(Interaction { reply, press })
    }

    fn presser(&self, payload: &Value, user: &str) -> Sender {
        let names = ["/user/name", "/user/username"].map(|path| text(payload, path));
        sender(home::of_presser(payload, self.me), user, &names, SenderKind::Human)
    }
}

/// What an action says; nothing where it only changes what a later press of a button brings.
fn act(action: &Value, payload: &Value) -> Option<Act> {
    let id = text(action, "/action_id")?;
    match text(action, "/type")? {
        "button" if id.starts_with(OPEN_LINK) => None,
        "button" => Some(Act::Press {
            token: text(action, "/value").unwrap_or(id).to_owned(),
            values: Vec::new(),
            fields: held(payload.pointer("/state/values")),
        }),
        "static_select" | "radio_buttons" => Some(Act::Press {
            token: id.to_owned(),
            values: vec![text(action, "/selected_option/value")?.to_owned()],
            fields: Vec::new(),
        }),
        _ => None,
    }
}

/// What is in every field of a message or a modal, by the id of its block, which is the field's token.
fn held(values: Option<&Value>) -> Vec<Field> {
    let Some(blocks) = values.and_then(Value::as_object) else { return Vec::new() };
    let mut fields = Vec::new();
    for (token, elements) in blocks {
        let Some(element) = elements.as_object().and_then(|elements| elements.values().next()) else {
            continue;
        };
        let values = match element.get("selected_options").and_then(Value::as_array) {
            Some(options) => options.iter().filter_map(|option| text(option, "/value")).collect(),
            None => {
                let one = text(element, "/value").or_else(|| text(element, "/selected_option/value"));
                Vec::from_iter(one)
            }
        };
        fields.push(Field { token: token.clone(), values: values.into_iter().map(str::to_owned).collect() });
    }
    fields
}

/// Differs where the text differs, and is the same in every run of the program. In place of what must not be kept: what opens a
/// modal, what people fill in.
fn digest(text: &str) -> String {
    Sha256::digest(text).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
