//! The codes of invites: how they are made, read and compared. Only the hash is kept: whoever brings the code becomes somebody
//! known, so that a copy of the store must not be a bunch of keys. Shown once.

use askrelay_core::id::InviteId;
use askrelay_core::time::Time;
use askrelay_protocol::secret::Secret;
use askrelay_store::{InviteRow, TokenHash};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::collections::BTreeMap;
use subtle::ConstantTimeEq;

use crate::clock::{Dice, hex};
use crate::token::hash;

/// A fresh code, `<id>-<secret>`, its public id, and what is kept of it. The code has 128 secret bits in 31 characters of
/// `[A-Za-z0-9_-]`, which fits into every platform's start link (Telegram's takes 64).
pub(crate) fn make(dice: &Dice) -> (InviteId, Secret, TokenHash) {
    let id = hex(&dice.bytes()[..4]);
    let code = format!("{id}-{}", URL_SAFE_NO_PAD.encode(dice.bytes()));
    let kept = hash(&code);
    (InviteId::from(id), Secret::from(code), kept)
}

/// The invite that the code opens, if it is known, right and not over. The comparison takes the same time wherever they
/// differ.
pub(crate) fn find<'a>(
    rows: &'a BTreeMap<InviteId, InviteRow>,
    code: &str,
    now: Time,
) -> Option<&'a InviteRow> {
    let row = code.split_once('-').and_then(|(id, _)| rows.get(id));
    let kept = row.map_or(TokenHash([0; 32]), |row| row.hash);
    let same: bool = hash(code).0.ct_eq(&kept.0).into();
    row.filter(|row| same && row.invite.is_good(now))
}

#[cfg(test)]
mod tests {
    //! Right, wrong, foreign and old codes.

    use super::*;
    use crate::clock::SystemFresh;
    use askrelay_core::invite::Invite;

    #[test]
    fn only_the_right_code_in_its_time_opens() {
        let dice = Dice::new(Box::new(SystemFresh));
        let (id, code, kept) = make(&dice);
        let (_, other, _) = make(&dice);
        let invite = Invite {
            id: id.clone(),
            person: "ann".into(),
            scopes: None,
            created_at: Time(0),
            expires_at: Time(10),
        };
        let rows: BTreeMap<_, _> = [(id.clone(), InviteRow { invite, hash: kept })].into();
        let mixed = format!("{id}-{}", other.expose().split_once('-').map_or("", |(_, secret)| secret));
        let cases = [
            ("right", code.expose(), 9, true),
            ("right, but over", code.expose(), 10, false),
            ("foreign", other.expose(), 0, false),
            ("known id, another secret", &mixed, 0, false),
            ("empty", "", 0, false),
            ("only the id", id.as_str(), 0, false),
            ("the id and nothing", &format!("{id}-"), 0, false),
        ];
        for (name, code, now, opens) in cases {
            assert_eq!(find(&rows, code, Time(now)).is_some(), opens, "{name}");
        }
    }

    #[test]
    fn a_code_fits_into_a_start_link() {
        let (_, code, _) = make(&Dice::new(Box::new(SystemFresh)));
        let code = code.expose();
        assert!(code.len() <= 64, "{code}");
        assert!(code.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)), "{code}");
    }
}
