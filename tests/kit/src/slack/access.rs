//! Who calls, what they may do, and which conversations they reach; how the platform refuses the others.

use super::params::Params;
use super::refusal::Refusal;
use super::state::{ChannelState, Kind, World};

/// What an app wants to do in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Know of it.
    Read,
    /// Change or take back something of its own.
    Change,
    /// Write something new.
    Write,
}

impl World {
    /// The app whose bot token came with a call. Some methods take the other token only.
    pub(super) fn caller(&self, method: &str, params: &Params) -> Result<String, Refusal> {
        let token = params.token.as_ref().ok_or_else(|| Refusal::new("not_authed"))?;
        let wants_app_token = method == "apps.connections.open";
        let is_its =
            |(_, app): &(&String, &super::app::AppState)| [&app.bot_token, &app.app_token].contains(&token);
        let (id, app) = self.apps.iter().find(is_its).ok_or_else(|| Refusal::new("invalid_auth"))?;
        if (*token == app.app_token) != wants_app_token {
            return Err(Refusal::new("not_allowed_token_type"));
        }
        match app.refused {
            Some(error) if !wants_app_token => Err(Refusal::new(error)),
            _ => Ok(id.clone()),
        }
    }

    /// Refuses what the app has no scope for.
    pub(super) fn need(&self, app: &str, scope: &str) -> Result<(), Refusal> {
        let scopes = &self.app(app).scopes;
        if scopes.contains(scope) {
            return Ok(());
        }
        let provided: Vec<&str> = scopes.iter().map(String::as_str).collect();
        Err(Refusal::missing_scope(scope, &provided.join(",")))
    }

    /// The scope for reading about such a conversation.
    pub(super) fn need_to_read(&self, app: &str, channel: &str) -> Result<(), Refusal> {
        let scope = match self.channel(channel).kind {
            Kind::Public => "channels:read",
            Kind::Private => "groups:read",
            Kind::Direct => "im:read",
            Kind::Several => "mpim:read",
        };
        self.need(app, scope)
    }

    /// The conversation that `channel` names, if this app may do this there. A user id names the conversation with that person.
    pub(super) fn reach(&mut self, app: &str, params: &Params, access: Access) -> Result<String, Refusal> {
        let not_found = || Refusal::new("channel_not_found");
        let id = params.text("channel").ok_or_else(not_found)?;
        let id = match self.people.get(&id) {
            Some(person) if access == Access::Write && self.is_visible(app, person) => self.direct(app, &id),
            _ => id,
        };
        let channel = self.channels.get(&id).ok_or_else(not_found)?;
        let state = self.app(app);
        let is_member = channel.members.contains(&state.user);
        let mut teams = channel.shared_with.iter().chain([&channel.team]);
        let at_home = teams.any(|team| self.is_home(app, team));
        // What is private and not its own does not exist for it.
        if !is_member && (channel.kind != Kind::Public || !at_home) {
            return Err(not_found());
        }
        if access == Access::Write {
            self.may_write(app, channel, is_member)?;
        }
        Ok(id)
    }

    fn may_write(&self, app: &str, channel: &ChannelState, is_member: bool) -> Result<(), Refusal> {
        if channel.archived {
            return Err(Refusal::new("is_archived"));
        }
        if !is_member && !self.app(app).scopes.contains("chat:write.public") {
            return Err(Refusal::new("not_in_channel"));
        }
        Ok(())
    }

    /// Whether an app is installed in this team.
    pub(super) fn is_home(&self, app: &str, team: &str) -> bool {
        let state = self.app(app);
        match &state.team {
            Some(own) => own == team,
            None => self.team(team).enterprise == state.enterprise,
        }
    }

    /// Whether an app can know of a person: one of its own team or organisation, or one with whom it shares a conversation.
    pub(super) fn is_visible(&self, app: &str, person: &super::state::PersonState) -> bool {
        let state = self.app(app);
        let at_home = self.is_home(app, &person.team);
        let shares = |channel: &ChannelState| {
            channel.members.contains(&state.user)
                && (channel.team == person.team || channel.shared_with.contains(&person.team))
        };
        at_home || self.channels.values().any(shares)
    }
}
