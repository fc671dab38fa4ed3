//! What is wrong with a configuration, each mistake with where it stands. The text of the file is never repeated: it may hold
//! secrets.

use std::fmt;
use std::path::PathBuf;

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// In what it stands.
    pub place: MistakePlace,
    /// The key, if it is about one.
    pub key: Option<String>,
    /// What is wrong and what would be right.
    pub what: String,
}

/// Where a mistake stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MistakePlace {
    /// In the file.
    File {
        /// Which.
        path: PathBuf,
        /// On which line, counted from 1.
        line: Option<usize>,
    },
    /// In this variable or argument.
    Given(&'static str),
}

/// All mistakes of a configuration; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            MistakePlace::File { path, line: Some(line) } => write!(f, "{}:{line}: ", path.display())?,
            MistakePlace::File { path, line: None } => write!(f, "{}: ", path.display())?,
            MistakePlace::Given(name) => write!(f, "{name}: ")?,
        }
        match &self.key {
            Some(key) => write!(f, "{key}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        write!(f, "the configuration has {count} mistake{}", if count == 1 { "" } else { "s" })?;
        for mistake in &self.0 {
            write!(f, "\n  {mistake}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Mistakes {}
