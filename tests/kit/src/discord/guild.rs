//! Guilds as those who run them see them: members, roles, channels, threads, and who may do what where.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;

use super::bot::Bot;
use super::channel::Channel;
use super::event::{GUILD_MEMBERS, GUILDS};
use super::permission::USUAL;
use super::person::Person;
use super::post::Post;
use super::state::{ChannelState, GuildState, Kind, MemberState, Overwrite, RoleState, Shared, World};

/// One guild.
#[derive(Clone, Debug)]
pub struct Guild {
    pub(super) shared: Arc<Shared>,
    pub(super) id: u64,
}

/// One role of a guild.
#[derive(Clone, Debug)]
pub struct Role {
    guild: u64,
    id: u64,
}

impl Role {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }
}

impl Guild {
    pub(super) fn create(shared: &Arc<Shared>, name: &str) -> Self {
        let id = shared.change(|world| {
            let (id, owner) = (world.new_id(), world.new_id());
            let everyone = RoleState { name: "@everyone".to_owned(), permissions: USUAL };
            let roles = BTreeMap::from([(id, everyone)]);
            let guild = GuildState { name: name.to_owned(), owner, members: BTreeMap::new(), roles };
            world.guilds.insert(id, guild);
            id
        });
        Self { shared: Arc::clone(shared), id }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Lets a person in.
    pub fn add(&self, person: &Person) {
        self.shared.change(|world| world.join(self.id, person.id));
    }

    /// A person leaves, or is made to.
    pub fn remove(&self, person: &Person) {
        self.shared.change(|world| world.guild_mut(self.id).members.remove(&person.id));
    }

    /// Lets a bot in.
    pub fn add_bot(&self, bot: &Bot) {
        self.shared.change(|world| {
            world.join(self.id, bot.id);
            world.dispatch(bot.id, "GUILD_CREATE", GUILDS, |world, _| world.guild_event(self.id, bot.id));
        });
    }

    /// Throws a bot out.
    pub fn kick_bot(&self, bot: &Bot) {
        self.shared.change(|world| {
            world.guild_mut(self.id).members.remove(&bot.id);
            world.dispatch(bot.id, "GUILD_DELETE", GUILDS, |_, _| json!({ "id": self.id.to_string() }));
        });
    }

    /// Makes a role with these permissions, which nobody has yet.
    pub fn role(&self, name: &str, permissions: u64) -> Role {
        let id = self.shared.change(|world| {
            let id = world.new_id();
            world.guild_mut(self.id).roles.insert(id, RoleState { name: name.to_owned(), permissions });
            id
        });
        Role { guild: self.id, id }
    }

    /// What everybody may do here, from now on.
    pub fn set_everyone(&self, permissions: u64) {
        self.shared.change(|world| {
            if let Some(role) = world.guild_mut(self.id).roles.get_mut(&self.id) {
                role.permissions = permissions;
            }
        });
    }

    /// Gives a role to a person.
    pub fn give(&self, person: &Person, role: &Role) {
        self.set_role(person.id, role, true);
    }

    /// Takes a role from a person.
    pub fn take(&self, person: &Person, role: &Role) {
        self.set_role(person.id, role, false);
    }

    /// Gives a role to a bot.
    pub fn give_bot(&self, bot: &Bot, role: &Role) {
        self.set_role(bot.id, role, true);
    }

    /// Takes a role from a bot.
    pub fn take_bot(&self, bot: &Bot, role: &Role) {
        self.set_role(bot.id, role, false);
    }

    fn set_role(&self, user: u64, role: &Role, on: bool) {
        assert_eq!(role.guild, self.id, "a role of another guild");
        self.shared.change(|world| {
            let member = world.guild_mut(self.id).members.get_mut(&user).expect("a member of the guild");
            if on {
                member.roles.insert(role.id)
            } else {
                member.roles.remove(&role.id)
            };
            for bot in world.bots.keys().copied().collect::<Vec<u64>>() {
                if world.guild(self.id).members.contains_key(&bot) {
                    world.dispatch(bot, "GUILD_MEMBER_UPDATE", GUILD_MEMBERS, |world, _| {
                        let mut event = world.whole_member_value(user, self.id);
                        super::event::add_guild(&mut event, Some(self.id));
                        event
                    });
                }
            }
        });
    }

    /// Opens a channel for texts.
    pub fn text_channel(&self, name: &str) -> Channel {
        self.open(Kind::Text, name, None, None)
    }

    /// Opens a forum: everything in it is a post, which is a thread.
    pub fn forum(&self, name: &str) -> Channel {
        self.open(Kind::Forum, name, None, None)
    }

    /// Starts a thread in a channel, or a post in a forum without a text of its own.
    pub fn thread(&self, parent: &Channel, name: &str) -> Channel {
        self.open(Kind::Thread, name, Some(parent), None)
    }

    /// A person posts in a forum: the post, in which the text is the first message.
    pub fn post(&self, person: &Person, forum: &Channel, title: &str, text: &str) -> Channel {
        let thread = self.open(Kind::Thread, title, Some(forum), Some(person.id));
        person.send(&thread, Post::text(text));
        thread
    }

    fn open(&self, kind: Kind, name: &str, parent: Option<&Channel>, person: Option<u64>) -> Channel {
        let id = self.shared.change(|world| {
            let id = world.new_id();
            let state = ChannelState::new(kind, name, world.now_ms);
            let parent = parent.map(|parent| parent.id);
            let person = person.or(parent.map(|_| world.guild(self.id).owner));
            world.channels.insert(id, ChannelState { guild: Some(self.id), parent, person, ..state });
            world.spread_channel("CREATE", id);
            id
        });
        Channel { shared: Arc::clone(&self.shared), id }
    }
}

impl Channel {
    /// Allows and denies a role things in this channel and its threads.
    pub fn overwrite_role(&self, role: &Role, allow: u64, deny: u64) {
        self.overwrite(role.id, Overwrite { is_role: true, allow, deny });
    }

    /// The same for everybody of its guild.
    pub fn overwrite_everyone(&self, allow: u64, deny: u64) {
        let guild = self.shared.read(|world| world.channel(self.id).guild).expect("a channel of a guild");
        self.overwrite(guild, Overwrite { is_role: true, allow, deny });
    }

    /// The same for one bot.
    pub fn overwrite_bot(&self, bot: &Bot, allow: u64, deny: u64) {
        self.overwrite(bot.id, Overwrite { is_role: false, allow, deny });
    }

    /// The same for one person.
    pub fn overwrite_person(&self, person: &Person, allow: u64, deny: u64) {
        self.overwrite(person.id, Overwrite { is_role: false, allow, deny });
    }

    fn overwrite(&self, target: u64, overwrite: Overwrite) {
        self.shared.change(|world| {
            world.channel_mut(self.id).overwrites.insert(target, overwrite);
            world.spread_channel("UPDATE", self.id);
        });
    }

    /// Puts a thread into the archive, as happens when nobody writes.
    pub fn archive(&self) {
        self.set_archived(true);
    }

    /// Brings a thread back.
    pub fn unarchive(&self) {
        self.set_archived(false);
    }

    fn set_archived(&self, archived: bool) {
        self.shared.change(|world| {
            let now_ms = world.now_ms;
            let state = world.channel_mut(self.id);
            state.archived = archived;
            state.changed_ms = now_ms;
            world.spread_channel("UPDATE", self.id);
        });
    }

    /// Locks a thread: only those who manage threads bring it back or write in it.
    pub fn set_locked(&self, locked: bool) {
        self.shared.change(|world| {
            world.channel_mut(self.id).locked = locked;
            world.spread_channel("UPDATE", self.id);
        });
    }

    /// Whether it is in the archive.
    #[must_use]
    pub fn is_archived(&self) -> bool {
        self.shared.read(|world| world.channel(self.id).archived)
    }

    /// Deletes it with everything in it. Nothing more can be done with it.
    pub fn delete(&self) {
        self.shared.change(|world| {
            world.spread_channel("DELETE", self.id);
            world.channels.retain(|id, state| *id != self.id && state.parent != Some(self.id));
        });
    }
}

impl World {
    fn join(&mut self, guild: u64, user: u64) {
        let member = MemberState { roles: BTreeSet::new(), joined_ms: self.now_ms };
        self.guild_mut(guild).members.insert(user, member);
    }
}
