//! Teams and organisations: where people, conversations and installed apps belong.

use std::sync::Arc;

use super::app::{App, AppState};
use super::channel::Channel;
use super::person::Person;
use super::state::{ChannelState, Kind, PersonState, Shared, TeamState};

/// One workspace.
#[derive(Clone, Debug)]
pub struct Team {
    pub(super) shared: Arc<Shared>,
    pub(super) id: String,
}

/// An organisation of several workspaces.
#[derive(Clone, Debug)]
pub struct Enterprise {
    pub(super) shared: Arc<Shared>,
    pub(super) id: String,
    pub(super) name: String,
}

impl Team {
    pub(super) fn create(shared: &Arc<Shared>, name: &str, enterprise: Option<(String, String)>) -> Self {
        let id = shared.change(|world| {
            let id = world.new_id("T");
            let team = TeamState { name: name.to_owned(), enterprise, edit_window: None };
            world.teams.insert(id.clone(), team);
            id
        });
        Self { shared: Arc::clone(shared), id }
    }

    /// Its id, `T…`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A new person who belongs to it. In an organisation their id begins with `W`.
    pub fn person(&self, name: &str) -> Person {
        let id = self.shared.change(|world| {
            let letter = if world.team(&self.id).enterprise.is_some() { "W" } else { "U" };
            let id = world.new_id(letter);
            let person = PersonState {
                name: name.to_owned(),
                team: self.id.clone(),
                deactivated: false,
                away: false,
                admin: false,
                ephemerals: Default::default(),
                entries: Default::default(),
                stack: Vec::new(),
            };
            world.people.insert(id.clone(), person);
            id
        });
        Person { shared: Arc::clone(&self.shared), id }
    }

    /// A new app that is installed in this team alone, over sockets, with every scope and event that a bot that asks people
    /// needs.
    pub fn app(&self, name: &str) -> App {
        AppState::install(&self.shared, name, Some(self.id.clone()), None)
    }

    /// A new public channel, empty.
    pub fn channel(&self, name: &str) -> Channel {
        self.conversation(name, Kind::Public)
    }

    /// A new private channel, empty.
    pub fn private_channel(&self, name: &str) -> Channel {
        self.conversation(name, Kind::Private)
    }

    /// A new conversation of several people, empty.
    pub fn group_message(&self) -> Channel {
        self.conversation("mpdm", Kind::Several)
    }

    fn conversation(&self, name: &str, kind: Kind) -> Channel {
        let id = self.shared.change(|world| {
            let letter = if kind == Kind::Several { "G" } else { "C" };
            let id = world.new_id(letter);
            let channel = ChannelState::new(name.to_owned(), kind, self.id.clone());
            world.channels.insert(id.clone(), channel);
            id
        });
        Channel { shared: Arc::clone(&self.shared), id }
    }

    /// Its policy: so many seconds after it was sent, nobody edits a message any more.
    pub fn set_edit_window(&self, seconds: Option<i64>) {
        self.shared.change(|world| {
            if let Some(team) = world.teams.get_mut(&self.id) {
                team.edit_window = seconds;
            }
        });
    }
}

impl Enterprise {
    pub(super) fn create(shared: &Arc<Shared>, name: &str) -> Self {
        let id = shared.change(|world| world.new_id("E"));
        Self { shared: Arc::clone(shared), id, name: name.to_owned() }
    }

    /// Its id, `E…`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// A new team in it.
    pub fn team(&self, name: &str) -> Team {
        Team::create(&self.shared, name, Some((self.id.clone(), self.name.clone())))
    }

    /// A new app that is installed for the whole organisation.
    pub fn app(&self, name: &str) -> App {
        AppState::install(&self.shared, name, None, Some((self.id.clone(), self.name.clone())))
    }
}
