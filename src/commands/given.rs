//! Text that somebody names on the command line: a file, or `-` for standard input. Bounded; understands nothing of it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Most bytes of such a text: the largest request a gateway takes by default is smaller.
const TEXT_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Why there is no text.
#[derive(Debug, thiserror::Error)]
pub enum GivenError {
    /// It cannot be read.
    #[error("cannot read {}", name(path))]
    Unreadable {
        /// What was named.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is too large.
    #[error("{} is larger than {TEXT_BYTES_MAX} bytes; is it the right file?", name(path))]
    TooLarge {
        /// What was named.
        path: PathBuf,
    },
}

/// The text at `path`, or of standard input for `-`.
///
/// # Errors
/// It cannot be read, is no UTF-8 text or is too large.
pub fn read(path: &Path) -> Result<String, GivenError> {
    let unreadable = |source| GivenError::Unreadable { path: path.to_owned(), source };
    let input: Box<dyn Read> = if is_standard_input(path) {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let mut text = String::new();
    input.take(TEXT_BYTES_MAX + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > TEXT_BYTES_MAX {
        return Err(GivenError::TooLarge { path: path.to_owned() });
    }
    Ok(text)
}

/// What people call it.
#[must_use]
pub fn name(path: &Path) -> String {
    if is_standard_input(path) { "standard input".to_owned() } else { path.display().to_string() }
}

fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}
