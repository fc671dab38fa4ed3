//! What the methods do, once a call has passed the faults: the answer or the refusal.

use serde_json::{Value, json};

use super::access::Access;
use super::params::Params;
use super::refusal::Refusal;
use super::state::{Kind, TeamState, World};

impl World {
    /// Carries out one call.
    pub(super) fn carry_out(&mut self, method: &str, params: &Params) -> Result<Value, Refusal> {
        let app = self.caller(method, params)?;
        if method != "chat.postMessage" {
            self.pace.admit(format!("{app} {method}"), self.pace.rates.method, self.now)?;
        }
        match method {
            "auth.test" => Ok(self.who_am_i(&app)),
            "auth.teams.list" => self.teams_of(&app, params),
            "apps.connections.open" => self.open_connection(&app),
            "chat.postMessage" => self.post_message(&app, params),
            "chat.postEphemeral" => self.post_ephemeral(&app, params),
            "chat.update" => self.update_message(&app, params),
            "chat.delete" => self.take_back(&app, params),
            "conversations.open" => self.open_conversation(&app, params),
            "conversations.info" => self.conversation_info(&app, params),
            "conversations.members" => self.conversation_members(&app, params),
            "users.info" => self.user_info(&app, params),
            "views.open" => self.open_view(&app, params),
            "views.push" => self.push_view(&app, params),
            "views.update" => self.update_view(&app, params),
            _ => Err(Refusal::new("unknown_method")),
        }
    }

    fn who_am_i(&self, app: &str) -> Value {
        let state = self.app(app);
        let team = state.team.as_ref().map(|id| (id.clone(), self.team(id).name.clone()));
        let (team_id, team) = team.or_else(|| state.enterprise.clone()).unwrap_or_default();
        let domain = team.to_ascii_lowercase().replace(' ', "-");
        let mut me = json!({
            "url": format!("https://{domain}.slack.com/"), "team": team, "user": state.name, "team_id": team_id,
            "user_id": state.user, "bot_id": state.bot, "is_enterprise_install": state.team.is_none(),
        });
        if let (Some(me), Some((id, _))) = (me.as_object_mut(), &state.enterprise) {
            me.insert("enterprise_id".to_owned(), id.clone().into());
        }
        me
    }

    /// A page of the workspaces in which the app is.
    fn teams_of(&self, app: &str, params: &Params) -> Result<Value, Refusal> {
        let said = |name: &str| params.text(name).filter(|_| !params.is_json);
        let number = |name: &str, unsaid: usize| said(name).map_or(Some(unsaid), |text| text.parse().ok());
        let limit = number("limit", 100).filter(|limit| (1..=1000).contains(limit));
        let limit = limit.ok_or_else(|| Refusal::new("invalid_limit"))?;
        let from = number("cursor", 0).ok_or_else(|| Refusal::new("invalid_cursor"))?;
        let all: Vec<Value> = self.teams.iter().filter(|(id, _)| self.is_home(app, id)).map(named).collect();
        let page: Vec<&Value> = all.iter().skip(from).take(limit).collect();
        let next = Some(from + limit).filter(|next| *next < all.len());
        let next = next.map_or_else(String::new, |next| next.to_string());
        Ok(json!({ "teams": page, "response_metadata": { "next_cursor": next } }))
    }

    fn open_conversation(&mut self, app: &str, params: &Params) -> Result<Value, Refusal> {
        let not_supplied = || Refusal::new("users_list_not_supplied");
        let users = params.text("users").ok_or_else(not_supplied)?;
        let users: Vec<&str> = users.split(',').map(str::trim).collect();
        self.need(app, if users.len() > 1 { "mpim:write" } else { "im:write" })?;
        for user in &users {
            if self.apps.values().any(|app| app.user == *user) {
                return Err(Refusal::new("cannot_dm_bot"));
            }
            let person = self.people.get(*user).filter(|person| self.is_visible(app, person));
            if person.ok_or_else(|| Refusal::new("user_not_found"))?.deactivated {
                return Err(Refusal::new("user_disabled"));
            }
        }
        let [user] = users.as_slice() else {
            return Err(Refusal::new("method_not_supported_for_channel_type"));
        };
        let was_there = self.existing_direct(&self.app(app).user, user).is_some();
        let id = self.direct(app, user);
        Ok(json!({ "no_op": was_there, "already_open": was_there, "channel": { "id": id } }))
    }

    fn conversation_info(&mut self, app: &str, params: &Params) -> Result<Value, Refusal> {
        let id = self.reach(app, params, Access::Read)?;
        self.need_to_read(app, &id)?;
        let channel = self.channel(&id);
        let state = self.app(app);
        let is = |kind| channel.kind == kind;
        let mut info = json!({
            "id": id, "is_channel": is(Kind::Public), "is_group": is(Kind::Private), "is_im": is(Kind::Direct),
            "is_mpim": is(Kind::Several), "is_private": !is(Kind::Public), "created": self.now,
            "is_archived": channel.archived, "is_general": false, "is_member": channel.members.contains(&state.user),
            "is_shared": !channel.shared_with.is_empty(), "is_ext_shared": !channel.shared_with.is_empty(),
            "is_org_shared": false, "context_team_id": channel.team,
        });
        if let Some(info) = info.as_object_mut() {
            if is(Kind::Direct) {
                let person = channel.members.iter().find(|member| **member != state.user);
                info.insert("user".to_owned(), person.cloned().into());
            } else {
                info.insert("name".to_owned(), channel.name.clone().into());
            }
        }
        Ok(json!({ "channel": info }))
    }

    fn conversation_members(&mut self, app: &str, params: &Params) -> Result<Value, Refusal> {
        let id = self.reach(app, params, Access::Read)?;
        self.need_to_read(app, &id)?;
        let members: Vec<&String> = self.channel(&id).members.iter().collect();
        Ok(json!({ "members": members, "response_metadata": { "next_cursor": "" } }))
    }

    fn user_info(&self, app: &str, params: &Params) -> Result<Value, Refusal> {
        self.need(app, "users:read")?;
        let not_found = || Refusal::new("user_not_found");
        let id = params.text("user").ok_or_else(not_found)?;
        if let Some((bot_app, bot)) = self.apps.iter().find(|(_, state)| state.user == id) {
            let user = json!({
                "id": id, "team_id": self.home_of(bot_app), "name": bot.name, "deleted": false, "real_name": bot.name,
                "is_bot": true, "profile": { "real_name": bot.name, "bot_id": bot.bot, "api_app_id": bot_app },
            });
            return Ok(json!({ "user": user }));
        }
        let person = self.people.get(&id).filter(|person| self.is_visible(app, person));
        let person = person.ok_or_else(not_found)?;
        let name = &person.name;
        let user = json!({
            "id": id, "team_id": person.team, "name": name.to_ascii_lowercase().replace(' ', "."),
            "deleted": person.deactivated, "real_name": name, "is_admin": person.admin, "is_owner": false,
            "is_bot": false, "is_restricted": false, "is_ultra_restricted": false, "is_stranger": false,
            "profile": { "real_name": name, "display_name": name, "team": person.team },
        });
        Ok(json!({ "user": user }))
    }
}

fn named((id, team): (&String, &TeamState)) -> Value {
    json!({ "id": id, "name": team.name })
}
