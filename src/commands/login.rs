//! `askrelay login`: keeps a person's own token for the commands that answer, outside the data directory, readable by its user
//! alone. Checks only that it looks like a token: the gateway does the rest when it is used.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::PathBuf;

use etcetera::AppStrategy as _;
use secrecy::{ExposeSecret as _, SecretString};

use super::CommandError;
use super::outcome::Outcome;
use crate::args::LoginArgs;
use crate::ring::home;

/// Why the kept token cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// The platform names no place for it.
    #[error("no place for a token is known; set ASKRELAY_TOKEN instead")]
    NoPlace,
    /// Nothing came in.
    #[error(
        "no token came on standard input; try: askrelay token create --as NAME --scopes operator.questions | askrelay login"
    )]
    Empty,
    /// Something else came in.
    #[error(
        "what came on standard input is no token of askrelay's (askrelay_ID_SECRET), so nothing was kept or replaced; \
         try: askrelay token create --as NAME --scopes operator.questions | askrelay login"
    )]
    NoToken,
    /// The file cannot be used.
    #[error("cannot keep a token in {}", path.display())]
    Unusable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Others could read it.
    #[error("{} can be read by others; make it yours alone with chmod 600, or log in again", path.display())]
    Open {
        /// Which.
        path: PathBuf,
    },
}

/// Longest token that is read; ours are far shorter.
const TOKEN_BYTES_MAX: u64 = 4096;

/// Shortest secret of a token; ours have 43 characters.
const SECRET_BYTES_MIN: usize = 32;

/// Keeps the token on standard input, or forgets the one that is kept.
///
/// # Errors
/// [`LoginError`].
pub fn login(args: &LoginArgs) -> Result<Outcome, CommandError> {
    let path = place()?;
    let unusable = |source| LoginError::Unusable { path: path.clone(), source };
    if args.forget {
        return match fs::remove_file(&path) {
            Ok(()) => Ok(Outcome::Said("The token is forgotten.\n".to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Outcome::Said("No token was kept.\n".to_owned()))
            }
            Err(source) => Err(unusable(source).into()),
        };
    }
    let mut text = String::new();
    io::stdin().take(TOKEN_BYTES_MAX).read_to_string(&mut text).map_err(unusable)?;
    let token = SecretString::from(text.trim());
    if token.expose_secret().is_empty() {
        return Err(LoginError::Empty.into());
    }
    if !is_token(token.expose_secret()) {
        return Err(LoginError::NoToken.into());
    }
    keep(&path, &token).map_err(unusable)?;
    Ok(Outcome::Said(format!("The token is kept in {}.\n", path.display())))
}

/// The token that is kept, if any.
///
/// # Errors
/// The file is there but cannot be used.
pub fn kept() -> Result<Option<SecretString>, CommandError> {
    let Ok(path) = place() else { return Ok(None) };
    let unusable = |source| LoginError::Unusable { path: path.clone(), source };
    let mut file = match fs::File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(unusable(source).into()),
    };
    if file.metadata().map_err(unusable)?.permissions().mode() & 0o077 != 0 {
        return Err(LoginError::Open { path }.into());
    }
    let mut text = String::new();
    io::Read::by_ref(&mut file).take(TOKEN_BYTES_MAX).read_to_string(&mut text).map_err(unusable)?;
    Ok(Some(SecretString::from(text.trim())))
}

/// Whether it looks like `askrelay_<id>_<secret>`; whether it is one, the gateway knows.
fn is_token(text: &str) -> bool {
    let rest = text.strip_prefix("askrelay_").and_then(|rest| rest.split_once('_'));
    let filled = |part: &str, is_right: fn(u8) -> bool| !part.is_empty() && part.bytes().all(is_right);
    rest.is_some_and(|(id, secret)| {
        filled(id, |byte| byte.is_ascii_hexdigit())
            && filled(secret, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            && secret.len() >= SECRET_BYTES_MIN
    })
}

fn keep(path: &std::path::Path, token: &SecretString) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    }
    let draft = path.with_extension("new");
    let mut file = fs::File::options().create(true).truncate(true).write(true).mode(0o600).open(&draft)?;
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    file.write_all(token.expose_secret().as_bytes())?;
    file.sync_all()?;
    fs::rename(&draft, path)
}

fn place() -> Result<PathBuf, LoginError> {
    let places = home::places().ok_or(LoginError::NoPlace)?;
    Ok(places.config_dir().join("token"))
}
