//! A resolved value and where it comes from, and the sources beside the file: the environment and arguments.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;

use askrelay_core::time::Span;

/// A value and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub source: Source,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nobody gave one.
    Default,
    /// The file, on this line, counted from 1.
    File {
        /// Which line.
        line: usize,
    },
    /// This variable.
    Variable(&'static str),
    /// This argument.
    Argument(&'static str),
}

/// A setting given as an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The key it sets.
    pub key: &'static str,
    /// How the argument is called.
    pub flag: &'static str,
    /// What it says.
    pub value: String,
}

/// The variables that begin with `ASKRELAY_`.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Human on a terminal, JSON otherwise.
    Auto,
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

/// A value as the configuration file would say it.
pub trait Shown {
    /// That text.
    fn shown(&self) -> String;
}

impl Environment {
    /// This process's. A variable that is no text is left out; it cannot be one of ours.
    #[must_use]
    pub fn of_this_process() -> Self {
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }

    /// The variable's value; an empty one counts as not set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The names of the variables.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl FromIterator<(String, String)> for Environment {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(variables: I) -> Self {
        Self(variables.into_iter().filter(|(name, _)| name.starts_with(super::keys::PREFIX)).collect())
    }
}

impl fmt::Debug for Environment {
    /// Only the names: a value may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { line } => write!(f, "file, line {line}"),
            Self::Variable(name) | Self::Argument(name) => f.write_str(name),
        }
    }
}

impl Shown for String {
    fn shown(&self) -> String {
        format!("{self:?}")
    }
}

impl Shown for u32 {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for u8 {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for Span {
    fn shown(&self) -> String {
        crate::span::show(*self).shown()
    }
}

impl Shown for Option<SocketAddr> {
    fn shown(&self) -> String {
        self.map_or_else(String::new, |address| address.to_string()).shown()
    }
}

impl Shown for Vec<String> {
    fn shown(&self) -> String {
        format!("{self:?}")
    }
}

impl Shown for LogFormat {
    fn shown(&self) -> String {
        let name = match self {
            Self::Auto => "auto",
            Self::Human => "human",
            Self::Json => "json",
        };
        name.to_owned().shown()
    }
}
