//! What the bot may do, looked at before anybody misses it: what its application may hear, and its permissions in the configured
//! conversations. Says in plain words what is missing and where; changes nothing.

use std::collections::BTreeMap;
use std::fmt;

use askrelay_core::id::ConversationId;
use askrelay_core::pace::{Pace, Window};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serenity::model::permissions::Permissions;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use crate::client::Client;
use crate::config::Config;
use crate::decode::Me;
use crate::error::{CallError, DiscordError, Meaning};
use crate::place::{Snowflake, Spot};

/// The application may read what people write (D/resources/application#application-object-application-flags): in any number of
/// servers, or in few.
pub(crate) const READS_TEXTS: u64 = 1 << 18 | 1 << 19;

/// What was found.
pub(crate) struct Findings;

impl Findings {
    /// The application may not read what people write.
    pub(crate) const NO_TEXTS: &'static str = "the Message Content intent is off: in servers, typed replies count only where they mention the bot or reply to it with a ping; \
buttons, menus, forms and direct messages work. To change that, turn it on in the developer portal, under Bot, Privileged Gateway Intents";

    pub(crate) const fn of_flags(flags: u64) -> Option<&'static str> {
        if flags & READS_TEXTS == 0 { Some(Self::NO_TEXTS) } else { None }
    }
}

/// A conversation and what is missing there.
#[derive(Debug, PartialEq, Eq)]
struct Finding<'a> {
    conversation: &'a ConversationId,
    /// The channel's name, where the bot sees it.
    name: Option<String>,
    what: String,
}

impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.conversation)?;
        if let Some(name) = &self.name {
            write!(f, " (#{name})")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// What is missing for this bot, each in plain words; nothing where all is well.
///
/// # Errors
/// The bot cannot be used as it is configured.
pub async fn check(config: &Config) -> Result<Vec<String>, DiscordError> {
    let client = Client::new(config)?;
    let (me, flags) = match client.me().await {
        Ok(met) => met,
        Err(error) => return Ok(vec![error.why_offline()]),
    };
    let mut found: Vec<String> = Findings::of_flags(flags).into_iter().map(str::to_owned).collect();
    let mut looking = Looking::new(&client, &me, config.policy.looks);
    let until = Instant::now() + config.policy.look_within;
    for (seen, conversation) in config.places.iter().enumerate() {
        let Ok(finding) = timeout_at(until, looking.at(conversation)).await else {
            let left = config.places.len() - seen;
            found.push(format!(
                "{left} of the configured conversations were not looked at in time: the log of the running bot tells of all of them"
            ));
            break;
        };
        found.extend(finding);
    }
    Ok(found)
}

/// A look at conversations, one after the other and at its own pace, so that it takes nothing away from what people wait for.
pub(crate) struct Looking<'a> {
    client: &'a Client,
    me: &'a Me,
    pace: Window<Instant>,
    /// Servers that were looked at.
    guilds: BTreeMap<String, Guild>,
}

/// What a server allows.
struct Guild {
    roles: Vec<Role>,
    /// Roles of the bot.
    mine: Vec<String>,
}

impl<'a> Looking<'a> {
    pub(crate) const fn new(client: &'a Client, me: &'a Me, pace: Pace) -> Self {
        Self { client, me, pace: Window::new(pace), guilds: BTreeMap::new() }
    }

    /// What is missing in this conversation.
    pub(crate) async fn at(&mut self, conversation: &ConversationId) -> Option<String> {
        let of = |name: Option<String>, what: String| Finding { conversation, name, what }.to_string();
        let spot = match crate::encode::spot(conversation) {
            Ok(spot) => spot,
            Err(error) => return Some(of(None, error.to_string())),
        };
        // What a person allows shows only when they are written to.
        let Spot::Channel(id) = spot else { return None };
        match self.look(id).await {
            Ok((name, what)) => what.map(|what| of(name, what)),
            Err(error) => match error.meaning(spot) {
                Meaning::Failed(failure) if error.is_refusal() => Some(of(None, failure.why)),
                // It says nothing about the conversation.
                _ => None,
            },
        }
    }

    async fn look(&mut self, id: Snowflake) -> Result<(Option<String>, Option<String>), CallError> {
        let channel: Channel = self.get(&format!("channels/{id}")).await?;
        let name = channel.name.clone();
        let told = |what: &str| Ok((name.clone(), Some(what.to_owned())));
        match channel.kind {
            DIRECT => {
                return told("this is a direct channel: name the person instead, with an @ before the id");
            }
            CATEGORY => return told("this is a category: name one of its channels"),
            FORUM | MEDIA => return told("this is a forum: name one of its posts"),
            _ => {}
        }
        let Some(guild) = channel.guild_id else { return Ok((name, None)) };
        let is_thread = THREADS.contains(&channel.kind);
        let overwrites = match channel.parent_id.filter(|_| is_thread) {
            Some(parent) => self.get::<Channel>(&format!("channels/{parent}")).await?.permission_overwrites,
            None => channel.permission_overwrites,
        };
        let me = self.me.id.to_string();
        let Guild { roles, mine } = self.guild(&guild).await?;
        let held = held(&guild, &me, roles, mine, &overwrites);
        let missing: Vec<&str> = needed(is_thread)
            .into_iter()
            .filter(|(permission, _)| !held.contains(*permission))
            .map(|(_, name)| name)
            .collect();
        let what = (!missing.is_empty()).then(|| {
            format!(
                "the bot lacks the permissions {}: allow them for it in the settings of this channel or of a role it has",
                missing.join(", ")
            )
        });
        Ok((name, what))
    }

    /// What a server allows; asked once.
    async fn guild(&mut self, id: &str) -> Result<&Guild, CallError> {
        if !self.guilds.contains_key(id) {
            let roles: Vec<Role> = self.get(&format!("guilds/{id}/roles")).await?;
            let member: Member = self.get(&format!("guilds/{id}/members/{}", self.me.id)).await?;
            self.guilds.insert(id.to_owned(), Guild { roles, mine: member.roles });
        }
        self.guilds.get(id).ok_or(CallError::Garbled { status: 200 })
    }

    /// One call, as soon as the pace allows it; again where the platform puts it off.
    async fn get<T: DeserializeOwned>(&mut self, path: &str) -> Result<T, CallError> {
        loop {
            sleep_until(self.pace.due(Instant::now())).await;
            self.pace.spend(Instant::now());
            match self.client.get(path).await {
                Err(CallError::Limited { retry_after, .. }) => sleep(retry_after).await,
                Ok(answer) => {
                    return serde_json::from_value(answer).map_err(|_| CallError::Garbled { status: 200 });
                }
                Err(error) => return Err(error),
            }
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Channel {
    #[serde(rename = "type")]
    kind: u64,
    name: Option<String>,
    guild_id: Option<String>,
    parent_id: Option<String>,
    permission_overwrites: Vec<Overwrite>,
}

/// What is different in one channel, for a role or a member.
#[derive(Deserialize)]
struct Overwrite {
    id: String,
    allow: Permissions,
    deny: Permissions,
}

#[derive(Deserialize)]
struct Role {
    id: String,
    permissions: Permissions,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Member {
    roles: Vec<String>,
}

/// Kinds of channels (D/resources/channel#channel-object-channel-types).
const THREADS: std::ops::RangeInclusive<u64> = 10..=12;
const CATEGORY: u64 = 4;
const FORUM: u64 = 15;
const MEDIA: u64 = 16;
const DIRECT: u64 = 1;

const fn needed(is_thread: bool) -> [(Permissions, &'static str); 3] {
    let send = match is_thread {
        true => (Permissions::SEND_MESSAGES_IN_THREADS, "Send Messages in Threads"),
        false => (Permissions::SEND_MESSAGES, "Send Messages"),
    };
    [
        (Permissions::VIEW_CHANNEL, "View Channel"),
        send,
        (Permissions::READ_MESSAGE_HISTORY, "Read Message History"),
    ]
}

/// What a member may do in a channel: what everybody and their roles may, then what is different there for everybody, for their roles
/// together, and for them.
fn held(guild: &str, me: &str, roles: &[Role], mine: &[String], overwrites: &[Overwrite]) -> Permissions {
    let is_mine = |id: &String| id == guild || mine.contains(id);
    let roles = roles.iter().filter(|role| is_mine(&role.id));
    let base = roles.fold(Permissions::empty(), |all, role| all | role.permissions);
    if base.contains(Permissions::ADMINISTRATOR) {
        return Permissions::all();
    }
    let steps: [&dyn Fn(&Overwrite) -> bool; 3] =
        [&|of| of.id == guild, &|of| mine.contains(&of.id), &|of| of.id == me];
    steps.into_iter().fold(base, |held, meant| {
        let here = overwrites.iter().filter(|of| meant(of));
        let (allow, deny) = here.fold((Permissions::empty(), Permissions::empty()), |(allow, deny), of| {
            (allow | of.allow, deny | of.deny)
        });
        held & !deny | allow
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: Permissions = Permissions::VIEW_CHANNEL;
    const SEND: Permissions = Permissions::SEND_MESSAGES;

    fn over(id: &str, allow: Permissions, deny: Permissions) -> Overwrite {
        Overwrite { id: id.to_owned(), allow, deny }
    }

    #[test]
    fn permissions_are_added_up_as_the_platform_does() {
        let role = |id: &str, permissions| Role { id: id.to_owned(), permissions };
        let none = Permissions::empty();
        let rows = [
            ("everybody may", vec![role("1", VIEW | SEND)], vec![], VIEW | SEND),
            ("by a role", vec![role("1", VIEW), role("5", SEND)], vec![], VIEW | SEND),
            ("not by a role of others", vec![role("1", VIEW), role("6", SEND)], vec![], VIEW),
            ("taken from everybody", vec![role("1", VIEW | SEND)], vec![over("1", none, SEND)], VIEW),
            (
                "given back by a role",
                vec![role("1", VIEW | SEND)],
                vec![over("1", none, SEND), over("5", SEND, none)],
                VIEW | SEND,
            ),
            (
                "taken from the bot itself",
                vec![role("1", VIEW | SEND)],
                vec![over("5", SEND, none), over("9", none, SEND)],
                VIEW,
            ),
            (
                "an administrator",
                vec![role("1", none), role("5", Permissions::ADMINISTRATOR)],
                vec![over("9", none, SEND)],
                Permissions::all(),
            ),
        ];
        for (name, roles, overwrites, expected) in rows {
            assert_eq!(held("1", "9", &roles, &["5".to_owned()], &overwrites), expected, "{name}");
        }
    }
}
