//! Brings the configuration file's text into memory and its parsed form into a flat list of keys with their lines. Knows
//! no key.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::mistake::{Mistake, MistakePlace, Mistakes};

/// Most bytes of a configuration file; a larger one is some other file.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The file's text.
///
/// # Errors
/// It cannot be read, is too large or is no text.
pub(super) fn read(path: &Path) -> Result<String, Mistakes> {
    let mistake = |what: String| {
        Mistakes(vec![Mistake {
            place: MistakePlace::File { path: path.to_owned(), line: None },
            key: None,
            what,
        }])
    };
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes))
        .map_err(|error| mistake(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(mistake(format!("is larger than {FILE_BYTES_MAX} bytes; is it the right file?")));
    }
    String::from_utf8(bytes).map_err(|_| mistake("is not UTF-8 text".to_owned()))
}

/// One value of the file.
pub(super) struct Entry<'a> {
    pub(super) key: String,
    pub(super) line: usize,
    pub(super) value: &'a Spanned<DeValue<'a>>,
}

/// Counts the lines of a text once.
pub(super) struct LineIndex(Vec<usize>);

impl LineIndex {
    pub(super) fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect())
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, byte: usize) -> usize {
        self.0.partition_point(|end| *end < byte) + 1
    }
}

/// The values of a table; those of its `tables` under dotted keys, every other table as one value.
pub(super) fn entries<'a>(table: &'a DeTable<'a>, lines: &LineIndex, tables: &[&str]) -> Vec<Entry<'a>> {
    let mut found = Vec::new();
    for (name, value) in table {
        let key = name.get_ref().to_string();
        let line = lines.line(name.span().start);
        match value.get_ref() {
            DeValue::Table(inner) if tables.contains(&key.as_str()) => {
                found.extend(inner.iter().map(|(inner_name, value)| Entry {
                    key: format!("{key}.{}", inner_name.get_ref()),
                    line: lines.line(inner_name.span().start),
                    value,
                }));
            }
            _ => found.push(Entry { key, line, value }),
        }
    }
    found
}
