//! Access tokens: how they are made, read and compared. Only the hash is kept anywhere; the token itself is shown once.

use askrelay_core::id::TokenId;
use askrelay_core::time::Time;
use askrelay_protocol::secret::Secret;
use askrelay_store::{TokenHash, TokenRow};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use subtle::ConstantTimeEq;

use crate::clock::{Dice, hex};

/// Every token starts with it, so that a leaked one is recognised by scanners and by people.
const PREFIX: &str = "askrelay";

/// A fresh token: `askrelay_<id>_<secret>`, its public id, and what is kept of it.
pub(crate) fn make(dice: &Dice) -> (TokenId, Secret, TokenHash) {
    let id = hex(&dice.bytes()[..8]);
    let secret = [dice.bytes(), dice.bytes()].concat();
    let token = format!("{PREFIX}_{id}_{}", URL_SAFE_NO_PAD.encode(secret));
    let kept = hash(&token);
    (TokenId::from(id), Secret::from(token), kept)
}

/// What is kept of a token.
pub(crate) fn hash(token: &str) -> TokenHash {
    TokenHash(Sha256::digest(token.as_bytes()).into())
}

/// The row of a token that is known, right and not over. The comparison takes the same time wherever they differ.
pub(crate) fn find<'a>(
    rows: &'a BTreeMap<TokenId, TokenRow>,
    token: &str,
    now: Time,
) -> Result<&'a TokenRow, BadToken> {
    let row = public_id(token).and_then(|id| rows.get(id));
    let kept = row.map_or(TokenHash([0; 32]), |row| row.hash);
    let same: bool = hash(token).0.ct_eq(&kept.0).into();
    match row {
        Some(row) if same && row.expires_at.is_some_and(|end| end <= now) => Err(BadToken::Ended),
        Some(row) if same => Ok(row),
        _ => Err(BadToken::Unknown),
    }
}

/// Why a token opens nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadToken {
    /// It is none of ours, or no more.
    Unknown,
    /// Its time is over.
    Ended,
}

/// Whether `secret` is what the proof of an asking terminal was made from: its SHA-256 in lower-case hexadecimal.
pub(crate) fn proves(secret: &Secret, proof: &str) -> bool {
    let shown = hex(&Sha256::digest(secret.expose().as_bytes()));
    shown.as_bytes().ct_eq(proof.as_bytes()).into()
}

fn public_id(token: &str) -> Option<&str> {
    let mut parts = token.splitn(3, '_');
    (parts.next() == Some(PREFIX)).then(|| parts.next()).flatten()
}

#[cfg(test)]
mod tests {
    //! Right, wrong, foreign and ended tokens.

    use super::*;
    use crate::clock::SystemFresh;

    fn row(id: &TokenId, hash: TokenHash, expires_at: Option<Time>) -> TokenRow {
        TokenRow {
            id: id.clone(),
            hash,
            person: None,
            scopes: [].into(),
            label: String::new(),
            created_at: Time(0),
            expires_at,
        }
    }

    #[test]
    fn only_the_right_token_in_its_time_opens() {
        let dice = Dice::new(Box::new(SystemFresh));
        let (id, token, kept) = make(&dice);
        let rows: BTreeMap<_, _> = [(id.clone(), row(&id, kept, Some(Time(10))))].into();
        let (_, other, _) = make(&dice);
        let other_secret = other.expose().rsplit_once('_').map_or("", |(_, secret)| secret);
        let mixed = format!("askrelay_{id}_{other_secret}");
        let cases = [
            ("right", token.expose(), 9, Ok(&id)),
            ("right, but over", token.expose(), 10, Err(BadToken::Ended)),
            ("foreign", other.expose(), 0, Err(BadToken::Unknown)),
            ("known id, another secret", &mixed, 0, Err(BadToken::Unknown)),
            ("known id, another secret, over", &mixed, 10, Err(BadToken::Unknown)),
            ("empty", "", 0, Err(BadToken::Unknown)),
            ("only the prefix", "askrelay_", 0, Err(BadToken::Unknown)),
            ("only the id", &format!("askrelay_{id}"), 0, Err(BadToken::Unknown)),
            ("not ours", "sk-abc", 0, Err(BadToken::Unknown)),
        ];
        for (name, token, now, expected) in cases {
            assert_eq!(find(&rows, token, Time(now)).map(|row| &row.id), expected, "{name}");
        }
    }

    #[test]
    fn a_terminal_proves_itself_with_its_own_secret() {
        let proof = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        assert!(proves(&Secret::from("test"), proof));
        for (secret, proof) in [("Test", proof), ("", proof), ("test", ""), ("test", "test")] {
            assert!(!proves(&Secret::from(secret), proof), "{secret} {proof}");
        }
    }
}
