//! Which routes there are, and what a request's method and path name.

use super::refusal::Refusal;

/// What can be called, as the platform's documentation names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Route {
    /// `GET /gateway`
    GetGateway,
    /// `GET /gateway/bot`
    GetGatewayBot,
    /// `GET /users/@me`
    GetCurrentUser,
    /// `GET /users/{user}`
    GetUser,
    /// `GET /users/@me/guilds`
    GetCurrentGuilds,
    /// `POST /users/@me/channels`
    CreateDirect,
    /// `GET /applications/@me`, which older libraries call below `/oauth2`
    GetCurrentApplication,
    /// `GET /guilds/{guild}`
    GetGuild,
    /// `GET /guilds/{guild}/channels`
    GetGuildChannels,
    /// `GET /guilds/{guild}/roles`
    GetGuildRoles,
    /// `GET /guilds/{guild}/members/{user}`
    GetGuildMember,
    /// `GET /channels/{channel}`
    GetChannel,
    /// `PATCH /channels/{channel}`
    ModifyChannel,
    /// `GET /channels/{channel}/messages`
    GetMessages,
    /// `POST /channels/{channel}/messages`
    CreateMessage,
    /// `GET /channels/{channel}/messages/{message}`
    GetMessage,
    /// `PATCH /channels/{channel}/messages/{message}`
    EditMessage,
    /// `DELETE /channels/{channel}/messages/{message}`
    DeleteMessage,
    /// `POST /interactions/{interaction}/{token}/callback`
    CreateCallback,
    /// `POST /webhooks/{application}/{token}`
    CreateFollowup,
    /// `GET /webhooks/{application}/{token}/messages/{message}`, of which `@original` is one
    GetFollowup,
    /// `PATCH /webhooks/{application}/{token}/messages/{message}`, of which `@original` is one
    EditFollowup,
    /// `DELETE /webhooks/{application}/{token}/messages/{message}`, of which `@original` is one
    DeleteFollowup,
}

/// A route with what its path names.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) route: Route,
    /// The path below the version.
    pub(super) path: String,
    /// What stands in the path for the route's own braces.
    pub(super) names: Vec<String>,
    /// The query: names and values as they are.
    pub(super) query: Vec<(String, String)>,
}

impl Route {
    /// Whether it is called without a bot's token.
    pub(super) fn is_open(self) -> bool {
        use Route as R;
        matches!(self, R::GetGateway | R::CreateCallback | R::CreateFollowup)
            || matches!(self, R::GetFollowup | R::EditFollowup | R::DeleteFollowup)
    }

    /// The name of its buckets. It is the same for all channels, each of which has a bucket of its own; a caller must know that.
    pub(super) fn bucket(self) -> String {
        format!("{:032x}", 0x0a5c_4e1a_0000_u64 + self as u64)
    }
}

impl Target {
    /// What a method and a path, such as `GET` and `/api/v10/gateway`, name.
    pub(super) fn find(method: &str, path: &str, query: &str) -> Result<Self, Refusal> {
        let nothing = || Refusal::new(404, 0, "404: Not Found");
        let rest = path.strip_prefix("/api/").ok_or_else(nothing)?;
        let (version, below) = rest.split_once('/').ok_or_else(nothing)?;
        if version != "v10" {
            return Err(Refusal::bad(50041, "Invalid API version specified"));
        }
        let below = below.replace("%40", "@");
        let steps: Vec<&str> = below.split('/').collect();
        let Some((route, names)) = named(method, &steps) else {
            let others = ["GET", "POST", "PATCH", "DELETE"];
            let is_there = others.iter().any(|other| named(other, &steps).is_some());
            return Err(if is_there { Refusal::new(405, 0, "405: Method Not Allowed") } else { nothing() });
        };
        let names = names.into_iter().map(str::to_owned).collect();
        let pair = |part: &str| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (name.to_owned(), value.to_owned())
        };
        let query = query.split('&').filter(|part| !part.is_empty()).map(pair).collect();
        Ok(Self { route, path: format!("/{below}"), names, query })
    }

    /// What stands at a place of the path, counted from 0.
    pub(super) fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("", String::as_str)
    }

    pub(super) fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(named, _)| named == name).map(|(_, value)| value.as_str())
    }

    /// The id at a place of the path; `field` names it in the refusal.
    pub(super) fn id(&self, index: usize, field: &str) -> Result<u64, Refusal> {
        id(self.name(index), field)
    }
}

/// An id as it stands in a path or a body.
pub(super) fn id(text: &str, field: &str) -> Result<u64, Refusal> {
    let message = format!("Value \"{text}\" is not snowflake.");
    text.parse().map_err(|_| super::refusal::Wrongs::one(field, "NUMBER_TYPE_COERCE", message))
}

fn named<'a>(method: &str, steps: &[&'a str]) -> Option<(Route, Vec<&'a str>)> {
    use Route as R;
    Some(match (method, steps) {
        ("GET", ["gateway"]) => (R::GetGateway, vec![]),
        ("GET", ["gateway", "bot"]) => (R::GetGatewayBot, vec![]),
        ("GET", ["users", "@me"]) => (R::GetCurrentUser, vec![]),
        ("GET", ["users", "@me", "guilds"]) => (R::GetCurrentGuilds, vec![]),
        ("POST", ["users", "@me", "channels"]) => (R::CreateDirect, vec![]),
        ("GET", ["users", user]) => (R::GetUser, vec![*user]),
        ("GET", ["applications", "@me"] | ["oauth2", "applications", "@me"]) => {
            (R::GetCurrentApplication, vec![])
        }
        ("GET", ["guilds", guild]) => (R::GetGuild, vec![*guild]),
        ("GET", ["guilds", guild, "channels"]) => (R::GetGuildChannels, vec![*guild]),
        ("GET", ["guilds", guild, "roles"]) => (R::GetGuildRoles, vec![*guild]),
        ("GET", ["guilds", guild, "members", user]) => (R::GetGuildMember, vec![*guild, *user]),
        ("GET", ["channels", channel]) => (R::GetChannel, vec![*channel]),
        ("PATCH", ["channels", channel]) => (R::ModifyChannel, vec![*channel]),
        ("GET", ["channels", channel, "messages"]) => (R::GetMessages, vec![*channel]),
        ("POST", ["channels", channel, "messages"]) => (R::CreateMessage, vec![*channel]),
        (_, ["channels", channel, "messages", message]) => {
            let route = match method {
                "GET" => R::GetMessage,
                "PATCH" => R::EditMessage,
                "DELETE" => R::DeleteMessage,
                _ => return None,
            };
            (route, vec![*channel, *message])
        }
        ("POST", ["interactions", interaction, token, "callback"]) => {
            (R::CreateCallback, vec![*interaction, *token])
        }
        ("POST", ["webhooks", application, token]) => (R::CreateFollowup, vec![*application, *token]),
        (_, ["webhooks", application, token, "messages", message]) => {
            let route = match method {
                "GET" => R::GetFollowup,
                "PATCH" => R::EditFollowup,
                "DELETE" => R::DeleteFollowup,
                _ => return None,
            };
            (route, vec![*application, *token, *message])
        }
        _ => return None,
    })
}
