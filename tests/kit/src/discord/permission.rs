//! Permissions: the bits, and what of them somebody has in a channel, by the platform's rules about roles and overwrites.

use super::state::{ChannelState, Kind, World};

/// Everything may be done.
pub const ADMINISTRATOR: u64 = 1 << 3;
/// Channels may be changed.
pub const MANAGE_CHANNELS: u64 = 1 << 4;
/// A channel may be seen.
pub const VIEW_CHANNEL: u64 = 1 << 10;
/// Messages may be sent outside threads.
pub const SEND_MESSAGES: u64 = 1 << 11;
/// Messages of others may be deleted.
pub const MANAGE_MESSAGES: u64 = 1 << 13;
/// Links may show what is behind them, and embeds be sent.
pub const EMBED_LINKS: u64 = 1 << 14;
/// Older messages may be read and replied to.
pub const READ_MESSAGE_HISTORY: u64 = 1 << 16;
/// Everybody may be called at once.
pub const MENTION_EVERYONE: u64 = 1 << 17;
/// Threads of others may be changed.
pub const MANAGE_THREADS: u64 = 1 << 34;
/// Threads may be started.
pub const CREATE_PUBLIC_THREADS: u64 = 1 << 35;
/// Messages may be sent in threads.
pub const SEND_MESSAGES_IN_THREADS: u64 = 1 << 38;

/// What everybody has in a new guild.
pub(super) const USUAL: u64 = VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | READ_MESSAGE_HISTORY
    | MENTION_EVERYONE
    | CREATE_PUBLIC_THREADS
    | SEND_MESSAGES_IN_THREADS;
/// Everything that is known here.
pub(super) const ALL: u64 = USUAL | ADMINISTRATOR | MANAGE_CHANNELS | MANAGE_MESSAGES | MANAGE_THREADS;

impl World {
    /// What somebody has in a channel. In direct messages the two of them have what is usual.
    pub(super) fn permissions(&self, user: u64, channel: u64) -> u64 {
        let Some(state) = self.channels.get(&channel) else { return 0 };
        let Some(guild) = state.guild else {
            let is_in = state.person == Some(user) || state.bot == Some(user);
            return if is_in { USUAL } else { 0 };
        };
        let base = self.guild_permissions(user, guild);
        if base & ADMINISTRATOR != 0 || base == 0 {
            return base;
        }
        // A thread has the overwrites of its channel.
        let with_overwrites = match state.kind {
            Kind::Thread => state.parent.and_then(|parent| self.channels.get(&parent)).unwrap_or(state),
            _ => state,
        };
        let permissions = self.overwritten(base, user, guild, with_overwrites);
        // What cannot be seen cannot be used.
        if permissions & VIEW_CHANNEL == 0 { 0 } else { permissions }
    }

    /// What somebody has in a guild before its channels are looked at; nothing where they are not in it.
    pub(super) fn guild_permissions(&self, user: u64, guild: u64) -> u64 {
        let Some(state) = self.guilds.get(&guild) else { return 0 };
        if state.owner == user {
            return ALL;
        }
        let Some(member) = state.members.get(&user) else { return 0 };
        let own = state.roles.iter().filter(|(role, _)| **role == guild || member.roles.contains(role));
        let permissions = own.fold(0, |all, (_, role)| all | role.permissions);
        if permissions & ADMINISTRATOR != 0 { ALL } else { permissions }
    }

    fn overwritten(&self, base: u64, user: u64, guild: u64, channel: &ChannelState) -> u64 {
        let roles = self.guilds.get(&guild).and_then(|guild| guild.members.get(&user));
        let mut permissions = base;
        let mut apply = |allow: u64, deny: u64| permissions = permissions & !deny | allow;
        if let Some(everyone) = channel.overwrites.get(&guild) {
            apply(everyone.allow, everyone.deny);
        }
        let own = channel.overwrites.iter().filter(|(target, overwrite)| {
            overwrite.is_role && roles.is_some_and(|member| member.roles.contains(target))
        });
        let of_roles = own.fold((0, 0), |(allow, deny), (_, one)| (allow | one.allow, deny | one.deny));
        apply(of_roles.0, of_roles.1);
        if let Some(one) = channel.overwrites.get(&user).filter(|overwrite| !overwrite.is_role) {
            apply(one.allow, one.deny);
        }
        permissions
    }
}
