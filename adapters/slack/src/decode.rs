//! Events and interactions to Reports. Pure: reads no clock and answers nothing. Whatever comes in, it never panics; what says
//! nothing to us gives no Report. Reads the JSON itself, since slack-morphism's types lose a whole update where one field is not
//! as they know it (an organisation's app has no `team`), and do not keep all of it.

mod home;
mod interaction;
mod words;

use std::collections::BTreeSet;

use askrelay_core::id::{Account, Identity, MessageId, Place};
use askrelay_core::person::DISPLAY_NAME_MAX;
use askrelay_core::port::{Act, Reply, Report, Sender, SenderKind};
use askrelay_core::prompt::one_line;
use askrelay_core::time::Time;
use serde_json::Value;

use crate::config::SURFACE;
use crate::place::{Room, Spot, position};

pub(crate) use interaction::{Interaction, interaction};

/// What the `action_id` of a link's button begins with: a press of it opens the link, and is reported to us all the same.
pub(crate) const OPEN_LINK: &str = "askrelay.link.";

/// The bot itself, as the platform knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Me {
    /// Its user id.
    pub(crate) user: String,
    /// Its id as the author of messages.
    pub(crate) bot: Option<String>,
    /// The workspace in which it is installed; of no use where it is installed everywhere.
    pub(crate) team: String,
    /// The organisation to which that belongs.
    pub(crate) enterprise: Option<String>,
    /// It is installed in all of the organisation.
    pub(crate) everywhere: bool,
    /// Workspaces of the organisation, as far as they are known; only where it is installed everywhere.
    pub(crate) teams: BTreeSet<String>,
    /// Its name behind the `@`.
    pub(crate) handle: Option<String>,
}

impl Me {
    /// Takes what was learnt later. Where no workspaces were told, those that are known still are.
    pub(crate) fn renew(&mut self, newer: Self) {
        let known = std::mem::replace(self, newer).teams;
        if self.teams.is_empty() {
            self.teams = known;
        }
    }
}

/// What Reports of one Account need beside the update.
pub(crate) struct Context<'a> {
    pub(crate) account: &'a Account,
    pub(crate) me: &'a Me,
    /// Now, where the platform gives no time.
    pub(crate) now: Time,
    /// Whether a message, by channel and `ts`, is known to be one of ours.
    pub(crate) is_ours: &'a dyn Fn(&str, &str) -> bool,
}

/// A text, and where exactly it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Heard {
    pub(crate) reply: Reply,
    pub(crate) channel: String,
    /// The message at which its thread began.
    pub(crate) thread: Option<String>,
}

/// Subtypes that are words of a person; everything else with a subtype is news of the conversation, or somebody's change.
const SAID: [&str; 4] = ["thread_broadcast", "file_share", "me_message", "bot_message"];

/// The platform's own user, that reminds people and explains things.
const SLACKBOT: &str = "USLACKBOT";

/// The text of an event; nothing where it is none, or our own.
pub(crate) fn event(payload: &Value, context: &Context<'_>) -> Option<Heard> {
    let event = payload.get("event")?;
    let kind = text(event, "/type")?;
    let is_mention = kind == "app_mention";
    if !is_mention && kind != "message" || event.get("hidden").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    // What was said first counts; a mention is told anew when it was edited.
    if event.get("edited").is_some() {
        return None;
    }
    if text(event, "/subtype").is_some_and(|subtype| !SAID.contains(&subtype)) {
        return None;
    }
    let (channel, ts) = (text(event, "/channel")?, text(event, "/ts")?);
    let sender = context.author(payload, event)?;
    let private = match text(event, "/channel_type") {
        Some(kind) => kind == "im",
        None => channel.starts_with('D'),
    };
    let seat = Seat {
        channel,
        ts: Some(ts),
        thread: text(event, "/thread_ts"),
        parent: text(event, "/parent_user_id"),
        user: user_of(&sender.identity),
        private,
    };
    let (spot, reply_to) = context.spot(&seat);
    let raw = text(event, "/text").unwrap_or_default();
    let has_more = |key: &str| event.get(key).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let said = (!raw.trim().is_empty()).then(|| words::read(raw));
    if said.is_none() && !has_more("files") && !has_more("attachments") {
        return None;
    }
    let named = words::names(raw, &context.me.user);
    let thread = seat.thread_apart().map(str::to_owned);
    let reply = Reply {
        update: format!("m:{channel}:{ts}").into(),
        place: context.place(&spot),
        sender,
        at: time(ts).unwrap_or(context.now),
        position: position(ts),
        private,
        message: Some(ts.into()),
        ack: None,
        act: Act::Text {
            text: said,
            addressed: private || is_mention || named || reply_to.is_some(),
            reply_to,
        },
    };
    Some(Heard { reply, channel: channel.to_owned(), thread })
}

/// A channel that has another id now.
pub(crate) fn moved(payload: &Value, context: &Context<'_>) -> Option<Report> {
    let event = payload.get("event").filter(|event| text(event, "/type") == Some("channel_id_changed"))?;
    let spot = |path: &str| Spot::parse(&text(event, path)?.into());
    let (from, to) = (spot("/old_channel_id")?, spot("/new_channel_id")?);
    Some(Report::Moved { from: context.place(&from), to: to.conversation() })
}

/// Where something stands, as the platform says it.
struct Seat<'a> {
    channel: &'a str,
    ts: Option<&'a str>,
    thread: Option<&'a str>,
    /// The author of the message at which the thread began.
    parent: Option<&'a str>,
    user: &'a str,
    private: bool,
}

impl Seat<'_> {
    /// The thread, unless the message is the one at which it began.
    fn thread_apart(&self) -> Option<&str> {
        self.thread.filter(|thread| Some(*thread) != self.ts)
    }
}

impl Context<'_> {
    /// The conversation, and the message of ours to whose thread it belongs: that is a reply to it, not a conversation of its own.
    fn spot(&self, seat: &Seat<'_>) -> (Spot, Option<MessageId>) {
        let thread = seat.thread_apart();
        let is_ours = |thread: &&str| {
            seat.parent == Some(self.me.user.as_str()) || (self.is_ours)(seat.channel, thread)
        };
        let reply_to = thread.filter(is_ours);
        let spot = match seat.private {
            true => Spot { room: Room::Person(seat.user.to_owned()), thread: None },
            false => Spot {
                room: Room::Channel(seat.channel.to_owned()),
                thread: thread.filter(|_| reply_to.is_none()).map(str::to_owned),
            },
        };
        (spot, reply_to.map(Into::into))
    }

    fn place(&self, spot: &Spot) -> Place {
        Place { account: self.account.clone(), conversation: spot.conversation() }
    }

    /// Who wrote it; nothing where it is nobody, or ourselves.
    fn author(&self, payload: &Value, event: &Value) -> Option<Sender> {
        let (user, bot) = (text(event, "/user"), text(event, "/bot_id"));
        let ours = user == Some(&self.me.user) || (bot.is_some() && bot == self.me.bot.as_deref());
        if ours {
            return None;
        }
        let id = user.or(bot)?;
        let names = ["/user_profile/display_name", "/user_profile/real_name", "/username"];
        let names = names.map(|path| text(event, path));
        let is_person = bot.is_none() && user.is_some_and(|user| user != SLACKBOT);
        let kind = if is_person { SenderKind::Human } else { SenderKind::Bot };
        Some(sender(home::of_author(payload, event, self.me), id, &names, kind))
    }
}

fn sender(team: &str, user: &str, names: &[Option<&str>], kind: SenderKind) -> Sender {
    let names = names.iter().flatten().copied().chain([user]);
    Sender {
        identity: Identity { surface: SURFACE.into(), user: format!("{team}/{user}").into() },
        display_name: names.map(shown_as).find(|name| !name.is_empty()).unwrap_or_default(),
        kind,
        granted: Default::default(),
    }
}

/// A name as others are shown it: whoever chose it writes nothing into their prompts by it.
fn shown_as(name: &str) -> String {
    let line = one_line(name);
    let words: Vec<&str> = line.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(DISPLAY_NAME_MAX).collect();
    name.trim_end().to_owned()
}

/// The words at this place of a value.
fn text<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    value.pointer(path)?.as_str()
}

fn user_of(identity: &Identity) -> &str {
    crate::encode::user(identity)
}

/// When a `ts` was.
fn time(ts: &str) -> Option<Time> {
    Some(Time(position(ts)?.div_euclid(1000)))
}

#[cfg(test)]
mod tests;
