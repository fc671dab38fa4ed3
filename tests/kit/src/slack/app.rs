//! An app as its owner sees it: its tokens and what it may do, how it is reached, what was brought to it, and what the platform
//! does to it on demand.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde_json::Value;

use super::deliver::{Delivery, Door, Origin, Signing};
use super::socket::{Disconnect, Out};
use super::state::{Shared, World};

/// The scopes with which a bot that asks people is installed.
const SCOPES: [&str; 14] = [
    "app_mentions:read",
    "channels:history",
    "channels:read",
    "chat:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "mpim:read",
    "mpim:write",
    "team:read",
    "users:read",
];
/// The events to which it subscribes.
const EVENTS: [&str; 5] = ["app_mention", "message.channels", "message.groups", "message.im", "message.mpim"];

/// One installed app.
#[derive(Clone, Debug)]
pub struct App {
    pub(super) shared: Arc<Shared>,
    pub(super) id: String,
}

#[derive(Debug)]
pub(super) struct AppState {
    pub(super) name: String,
    /// The team in which it is installed; none where it is the whole organisation.
    pub(super) team: Option<String>,
    pub(super) enterprise: Option<(String, String)>,
    /// The user id of its bot.
    pub(super) user: String,
    /// The bot id.
    pub(super) bot: String,
    pub(super) bot_token: String,
    pub(super) app_token: String,
    pub(super) secret: String,
    /// The old way of showing that a payload is genuine.
    pub(super) verification: String,
    pub(super) scopes: BTreeSet<String>,
    pub(super) events: BTreeSet<String>,
    /// With what its bot token is refused.
    pub(super) refused: Option<&'static str>,
    pub(super) sockets_off: bool,
    /// Addresses for sockets that were not used yet, with when they end.
    pub(super) tickets: BTreeMap<String, i64>,
    pub(super) door: Door,
    /// Which socket gets the next, counted from 0; else they take turns.
    pub(super) preferred: Option<usize>,
    pub(super) turn: usize,
    pub(super) signings: VecDeque<Signing>,
    /// What it did that the platform does not understand.
    pub(super) complaints: Vec<String>,
}

impl AppState {
    pub(super) fn install(
        shared: &Arc<Shared>,
        name: &str,
        team: Option<String>,
        enterprise: Option<(String, String)>,
    ) -> App {
        let id = shared.change(|world| {
            let id = world.new_id("A");
            let enterprise =
                enterprise.or_else(|| team.as_ref().and_then(|team| world.team(team).enterprise.clone()));
            let state = Self {
                name: name.to_owned(),
                team,
                enterprise,
                user: world.new_id("U"),
                bot: world.new_id("B"),
                bot_token: format!("xoxb-{}-stand-in-{:0>12}", world.next(), world.next()),
                app_token: format!("xapp-1-{id}-stand-in-{:0>12}", world.next()),
                secret: format!("{:0>32x}", world.next()),
                verification: format!("verification-{}", world.next()),
                scopes: SCOPES.map(str::to_owned).into(),
                events: EVENTS.map(str::to_owned).into(),
                refused: None,
                sockets_off: false,
                tickets: BTreeMap::new(),
                door: Door::Sockets,
                preferred: None,
                turn: 0,
                signings: VecDeque::new(),
                complaints: Vec::new(),
            };
            world.apps.insert(id.clone(), state);
            id
        });
        App { shared: Arc::clone(shared), id }
    }
}

impl App {
    fn state<T>(&self, look: impl FnOnce(&AppState) -> T) -> T {
        self.shared.read(|world| look(world.app(&self.id)))
    }

    fn change<T>(&self, act: impl FnOnce(&mut AppState) -> T) -> T {
        self.shared.change(|world| act(world.app_mut(&self.id)))
    }

    /// Its id, `A…`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The user id of its bot, as it stands in mentions.
    #[must_use]
    pub fn user_id(&self) -> String {
        self.state(|app| app.user.clone())
    }

    /// The bot id, `B…`.
    #[must_use]
    pub fn bot_id(&self) -> String {
        self.state(|app| app.bot.clone())
    }

    /// The secret with which its bot calls, `xoxb-…`.
    #[must_use]
    pub fn bot_token(&self) -> String {
        self.state(|app| app.bot_token.clone())
    }

    /// The secret with which it asks for sockets, `xapp-…`.
    #[must_use]
    pub fn app_token(&self) -> String {
        self.state(|app| app.app_token.clone())
    }

    /// The secret with which what is brought over HTTP is signed.
    #[must_use]
    pub fn signing_secret(&self) -> String {
        self.state(|app| app.secret.clone())
    }

    /// Takes a scope away, such as `chat:write`.
    pub fn remove_scope(&self, scope: &str) {
        self.change(|app| app.scopes.remove(scope));
    }

    /// Gives a scope, such as `chat:write.public`.
    pub fn add_scope(&self, scope: &str) {
        self.change(|app| app.scopes.insert(scope.to_owned()));
    }

    /// Takes a subscription away, such as `message.channels`.
    pub fn remove_event(&self, event: &str) {
        self.change(|app| app.events.remove(event));
    }

    /// Leaves it these scopes and subscriptions and no others, as its manifest asks for them.
    pub fn grant(&self, scopes: &BTreeSet<&str>, events: &BTreeSet<&str>) {
        let owned = |names: &BTreeSet<&str>| names.iter().map(|name| (*name).to_owned()).collect();
        self.change(|app| (app.scopes, app.events) = (owned(scopes), owned(events)));
    }

    /// Revokes its bot token.
    pub fn revoke(&self) {
        self.change(|app| app.refused = Some("token_revoked"));
    }

    /// Deactivates its bot user.
    pub fn deactivate(&self) {
        self.change(|app| app.refused = Some("account_inactive"));
    }

    /// Makes its bot token good again.
    pub fn restore(&self) {
        self.change(|app| app.refused = None);
    }

    /// From now on it is reached over HTTP at these addresses instead of over sockets.
    pub fn use_http(&self, events_url: &str, interactions_url: &str) {
        let door = Door::Http { events: events_url.to_owned(), interactions: interactions_url.to_owned() };
        self.change(|app| app.door = door);
    }

    /// From now on it is reached over sockets again.
    pub fn use_sockets(&self) {
        self.change(|app| app.door = Door::Sockets);
    }

    /// The next so many deliveries over HTTP are signed like this.
    pub fn sign(&self, times: usize, signing: &Signing) {
        self.change(|app| app.signings.extend(vec![signing.clone(); times]));
    }

    /// How many sockets it has open.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.shared.read(|world| world.sockets_of(&self.id).len())
    }

    /// Waits until it has so many sockets open.
    pub async fn until_connected(&self, count: usize) {
        let what = format!("{count} sockets");
        self.shared.until(&what, |world| (world.sockets_of(&self.id).len() == count).then_some(())).await;
    }

    /// The same for a test without a runtime.
    pub fn wait_connected(&self, count: usize) {
        let what = format!("{count} sockets");
        self.shared.wait(&what, |world| (world.sockets_of(&self.id).len() == count).then_some(()));
    }

    /// The next delivery goes to this socket, counted from 0 in the order in which they were opened; else they take turns.
    pub fn prefer_socket(&self, index: usize) {
        self.change(|app| app.preferred = Some(index));
    }

    /// Tells every socket that it is to end.
    pub fn disconnect(&self, reason: Disconnect) {
        self.shared.change(|world| {
            world.app_mut(&self.id).sockets_off = reason == Disconnect::LinkDisabled;
            for socket in world.sockets_of(&self.id) {
                world.tell_end(socket, reason);
            }
        });
    }

    /// Lets it open sockets again after [`Disconnect::LinkDisabled`].
    pub fn enable_sockets(&self) {
        self.change(|app| app.sockets_off = false);
    }

    /// Every socket ends without a word.
    pub fn drop_sockets(&self) {
        self.end_sockets(Out::Drop);
    }

    /// Every socket is closed as WebSockets are.
    pub fn close_sockets(&self) {
        self.end_sockets(Out::Close);
    }

    fn end_sockets(&self, out: Out) {
        self.shared.change(|world| {
            for socket in world.sockets_of(&self.id) {
                world.put(socket, out.clone());
            }
        });
    }

    /// Everything that was or is to be brought to it, the oldest first.
    #[must_use]
    pub fn deliveries(&self) -> Vec<Delivery> {
        self.shared.read(|world| world.deliveries(&self.id))
    }

    /// Waits until the deliveries are as wanted.
    pub async fn until_deliveries<T>(&self, what: &str, mut find: impl FnMut(&[Delivery]) -> Option<T>) -> T {
        self.shared.until(what, |world| find(&world.deliveries(&self.id))).await
    }

    /// The same for a test without a runtime.
    pub fn wait_deliveries<T>(&self, what: &str, mut find: impl FnMut(&[Delivery]) -> Option<T>) -> T {
        self.shared.wait(what, |world| find(&world.deliveries(&self.id)))
    }

    /// Waits until nothing is on its way to it any more.
    pub async fn until_quiet(&self) {
        let find = |world: &World| world.is_quiet(&self.id).then_some(());
        self.shared.until("the end of all deliveries", find).await;
    }

    /// The newest delivery comes once more, the same in everything but its number of tries, whether or not it was taken.
    /// `false` when there is none.
    pub fn deliver_again(&self) -> bool {
        self.shared.change(|world| world.deliver_again(&self.id))
    }

    /// Brings an event of any content.
    pub fn deliver_event(&self, event: Value) {
        self.shared.change(|world| {
            let team = world.home_of(&self.id);
            let origin = Origin { author: team.clone(), abroad: false, team };
            world.bring_event(&self.id, &origin, event);
        });
    }

    /// Brings an event of a kind that does not exist yet.
    pub fn deliver_unknown(&self) {
        self.deliver_event(serde_json::json!({ "type": "thought_received", "strength": 11 }));
    }

    /// Sends any text over every socket of it: a frame that cannot be read, or of a kind that does not exist yet.
    pub fn deliver_frame(&self, text: &str) {
        self.end_sockets(Out::Text(text.to_owned()));
    }

    /// What it did that the platform does not understand: acknowledgements of what it was not sent, answers where none are
    /// taken.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        self.state(|app| app.complaints.clone())
    }
}
