//! Where an Ask is to be shown: the places it names, else those that the configured rules give. Knows names and Places only;
//! whether a Place can be reached is found out by [`crate::relay`].

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::{Ask, Origin};
use crate::id::{Account, PersonId, Place};

/// The configured routes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routes {
    /// Places by the names that Asks and rules use.
    pub named: BTreeMap<String, Place>,
    /// The first rule that matches decides where an Ask goes that names no place.
    pub rules: Vec<Rule>,
    /// Shows every Ask here, whatever it names: an asking terminal.
    pub always: Vec<Place>,
}

/// One rule. Every pattern that is set must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// Pattern of the agent.
    pub agent: Option<String>,
    /// Pattern of the session.
    pub session: Option<String>,
    /// Pattern of the label.
    pub label: Option<String>,
    /// Pattern of the Person it was created for.
    pub creator: Option<String>,
    /// The places, by name.
    pub places: Vec<String>,
}

/// What the routes say about one Ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routed {
    /// The Places, each once.
    pub places: BTreeSet<Place>,
    /// Names that lead nowhere, as sentences for people.
    pub faults: Vec<String>,
}

/// What the routes go by.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// Which agent, session and run it is from.
    pub origin: &'a Origin,
    /// The Person it is for.
    pub creator: Option<&'a PersonId>,
    /// The places it names.
    pub places: &'a [String],
}

impl<'a> From<&'a Ask> for Sent<'a> {
    fn from(ask: &'a Ask) -> Self {
        Self { origin: &ask.origin, creator: ask.creator.person.as_ref(), places: &ask.places }
    }
}

impl Routes {
    /// The Places of an Ask or a notification. A name is looked up first; `surface/account/conversation` names a Place directly.
    #[must_use]
    pub fn of<'a>(&'a self, sent: impl Into<Sent<'a>>) -> Routed {
        self.by(&self.rules, sent)
    }

    /// The same where these rules decide.
    #[must_use]
    pub fn by<'a>(&self, rules: &'a [Rule], sent: impl Into<Sent<'a>>) -> Routed {
        let sent = sent.into();
        let mut routed = Routed { places: self.always.iter().cloned().collect(), faults: Vec::new() };
        if !routed.places.is_empty() {
            return routed;
        }
        let names = if sent.places.is_empty() { ruled(rules, &sent) } else { sent.places };
        for name in names {
            match self.named.get(name).cloned().or_else(|| spelled_out(name)) {
                Some(place) => {
                    routed.places.insert(place);
                }
                None => routed.faults.push(format!("no place is named '{name}'")),
            }
        }
        routed
    }
}

fn ruled<'a>(rules: &'a [Rule], sent: &Sent<'_>) -> &'a [String] {
    let rule = rules.iter().find(|rule| rule.matches(sent));
    rule.map_or(&[], |rule| rule.places.as_slice())
}

impl Rule {
    fn matches(&self, sent: &Sent<'_>) -> bool {
        let origin = sent.origin;
        let creator = sent.creator.map(PersonId::as_str);
        matches(self.creator.as_deref(), creator)
            && matches(self.agent.as_deref(), origin.agent_id.as_deref())
            && matches(self.session.as_deref(), origin.session_key.as_deref())
            && matches(self.label.as_deref(), origin.label.as_deref())
    }
}

/// Whether `text` equals the pattern, or begins with it up to a final `*`. No pattern matches anything.
pub(crate) fn matches(pattern: Option<&str>, text: Option<&str>) -> bool {
    let Some(pattern) = pattern else { return true };
    let text = text.unwrap_or_default();
    pattern.strip_suffix('*').map_or(text == pattern, |start| text.starts_with(start))
}

fn spelled_out(name: &str) -> Option<Place> {
    let mut parts = name.splitn(3, '/');
    let (surface, account, conversation) = (parts.next()?, parts.next()?, parts.next()?);
    if surface.is_empty() || account.is_empty() || conversation.is_empty() {
        return None;
    }
    let account = Account { surface: surface.into(), name: account.into() };
    Some(Place { account, conversation: conversation.into() })
}
