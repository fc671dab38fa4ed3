//! The tables `[places]` and `[[route]]`, ours and those of other gateways: names for Places, and where asks go that name none. Reads and checks them; routing
//! itself is the core's.

use std::collections::BTreeMap;

use askrelay_core::id::Place;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::resolve::{Resolver, nearest};
use super::setting::{Shown, Source};
use super::value::{Given, list, place, text};

/// Where asks go that name no place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// What must fit.
    pub when: When,
    /// The places, by name or spelled out.
    pub to: Vec<String>,
}

/// What must fit for a route to apply; everything that is set. A final `*` stands for any rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct When {
    /// The agent.
    pub agent: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// The label.
    pub label: Option<String>,
    /// The Person it was created for.
    pub creator: Option<String>,
}

const WHEN_KEYS: [&str; 4] = ["agent", "session", "label", "creator"];

impl Resolver<'_> {
    pub(super) fn places(&mut self, value: &Spanned<DeValue<'_>>, line: usize) -> BTreeMap<String, Place> {
        let mut places = BTreeMap::new();
        let Some(table) = self.table("places", value, line) else { return places };
        for (name, value) in table {
            let (key, line) = (format!("places.{}", name.get_ref()), self.line(name.span().start));
            match place(Given::Toml(value.get_ref())) {
                Ok(_) if name.get_ref().contains('/') => {
                    self.file_mistake(
                        line,
                        &key,
                        "a name must not contain '/', which spells a place out".to_owned(),
                    );
                }
                Ok(found) => {
                    self.show(&key, found.to_string().shown(), Source::File { line }, true);
                    places.insert(name.get_ref().to_string(), found);
                }
                Err(what) => self.file_mistake(line, &key, what),
            }
        }
        places
    }

    pub(super) fn routes(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        line: usize,
        places: &BTreeMap<String, Place>,
    ) -> Vec<Route> {
        let DeValue::Array(items) = value.get_ref() else {
            self.file_mistake(line, key, format!("expected tables that begin with [[{key}]]"));
            return Vec::new();
        };
        let mut routes = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let (name, line) = (format!("{key}[{index}]"), self.line(item.span().start));
            let Some(table) = self.table(&name, item, line) else { continue };
            let route = self.route(&name, table, line, places);
            self.show(&name, route.shown(), Source::File { line }, true);
            routes.push(route);
        }
        routes
    }

    fn route(
        &mut self,
        name: &str,
        table: &DeTable<'_>,
        line: usize,
        places: &BTreeMap<String, Place>,
    ) -> Route {
        let mut route = Route::default();
        for (key, value) in table {
            let (at, line) = (format!("{name}.{}", key.get_ref()), self.line(key.span().start));
            match key.get_ref().as_ref() {
                "when" => route.when = self.when(&at, value, line),
                "to" => match list(Given::Toml(value.get_ref())) {
                    Ok(names) => route.to = names,
                    Err(what) => self.file_mistake(line, &at, what),
                },
                other => self.file_mistake(line, &at, unknown(other, &["when", "to"])),
            }
        }
        if route.to.is_empty() {
            self.file_mistake(line, &format!("{name}.to"), "names no place".to_owned());
        }
        for to in &route.to {
            if !places.contains_key(to) && place(Given::Text(to)).is_err() {
                let names: Vec<&str> = places.keys().map(String::as_str).collect();
                let hint =
                    nearest(to, &names).map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
                self.file_mistake(
                    line,
                    &format!("{name}.to"),
                    format!("no place is named '{to}' in [places]{hint}"),
                );
            }
        }
        route
    }

    fn when(&mut self, name: &str, value: &Spanned<DeValue<'_>>, line: usize) -> When {
        let mut when = When::default();
        let Some(table) = self.table(name, value, line) else { return when };
        for (key, value) in table {
            let (at, line) = (format!("{name}.{}", key.get_ref()), self.line(key.span().start));
            let field = match key.get_ref().as_ref() {
                "agent" => &mut when.agent,
                "session" => &mut when.session,
                "label" => &mut when.label,
                "creator" => &mut when.creator,
                other => {
                    self.file_mistake(line, &at, unknown(other, &WHEN_KEYS));
                    continue;
                }
            };
            match text(Given::Toml(value.get_ref())) {
                Ok(pattern) => *field = Some(pattern),
                Err(what) => self.file_mistake(line, &at, what),
            }
        }
        when
    }

    pub(super) fn table<'t>(
        &mut self,
        name: &str,
        value: &'t Spanned<DeValue<'t>>,
        line: usize,
    ) -> Option<&'t DeTable<'t>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.file_mistake(line, name, "expected a table".to_owned());
        }
        table
    }
}

impl Route {
    fn shown(&self) -> String {
        let When { agent, session, label, creator } = &self.when;
        let set = WHEN_KEYS.into_iter().zip([agent, session, label, creator]);
        let when: Vec<String> =
            set.filter_map(|(key, value)| Some(format!("{key} = {}", value.as_ref()?.shown()))).collect();
        format!("{{ when = {{ {} }}, to = {} }}", when.join(", "), self.to.shown())
    }
}

pub(super) fn unknown(key: &str, known: &[&str]) -> String {
    match nearest(key, known) {
        Some(near) => format!("unknown key; did you mean '{near}'?"),
        None => "unknown key".to_owned(),
    }
}
