//! One row applied to the open transaction: a statement for each kind of fact. Neither begins nor ends transactions.

use rusqlite::{Connection, params};

use crate::encode::{FORMAT, Row};
use crate::port::Outcome;

pub(crate) const OPENED: &str = "
    INSERT INTO records (gateway, id, created_at, expires_at, state, ended_at, v, body, ending)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
    WHERE NOT EXISTS (
        SELECT 1 FROM records WHERE gateway = ?1 AND id = ?2 AND (created_at = ?3 OR state = 'pending'))";

pub(crate) const CLOSED: &str = "
    UPDATE records SET state = ?4, ended_at = ?5, ending = ?6
    WHERE gateway = ?1 AND id = ?2 AND created_at = ?3 AND state = 'pending'";

pub(crate) const LATE: &str = "
    INSERT INTO late (record, v, body)
    SELECT number, ?4, ?5 FROM records
    WHERE gateway = ?1 AND id = ?2 AND created_at = ?3 AND state <> 'pending'";

pub(crate) const COLLECTED: &str = "
    UPDATE records SET collected_at = ?4
    WHERE gateway = ?1 AND id = ?2 AND created_at = ?3 AND state <> 'pending' AND collected_at IS NULL";

pub(crate) const FORGOTTEN: &str = "DELETE FROM records WHERE ended_at < ?1";

pub(crate) const RELAY_PUT: &str = "
    INSERT INTO relay (kind, key, body) VALUES (?1, ?2, ?3)
    ON CONFLICT (kind, key) DO UPDATE SET body = excluded.body";

pub(crate) const RELAY_REMOVED: &str = "DELETE FROM relay WHERE kind = ?1 AND key = ?2";

pub(crate) const PERSON_PUT: &str = "INSERT OR REPLACE INTO people (id, v, body) VALUES (?1, ?2, ?3)";

pub(crate) const PERSON_REMOVED: &str = "DELETE FROM people WHERE id = ?1";

pub(crate) const TOKEN_PUT: &str =
    "INSERT OR REPLACE INTO tokens (id, hash, v, body) VALUES (?1, ?2, ?3, ?4)";

pub(crate) const TOKEN_REMOVED: &str = "DELETE FROM tokens WHERE id = ?1";

pub(crate) const PAIRING_PUT: &str = "INSERT OR REPLACE INTO pairings (code, v, body) VALUES (?1, ?2, ?3)";

pub(crate) const PAIRING_REMOVED: &str = "DELETE FROM pairings WHERE code = ?1";

pub(crate) const INVITE_PUT: &str =
    "INSERT OR REPLACE INTO invites (id, hash, v, body) VALUES (?1, ?2, ?3, ?4)";

pub(crate) const INVITE_REMOVED: &str = "DELETE FROM invites WHERE id = ?1";

pub(crate) const AUDIT: &str =
    "INSERT INTO audit (at, person, gateway, record, v, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/// Applies the row and says what it changed.
///
/// # Errors
/// SQLite's.
pub(crate) fn apply(connection: &Connection, row: &Row) -> rusqlite::Result<Outcome> {
    let run = |sql: &str, values: &[&dyn rusqlite::ToSql]| connection.prepare_cached(sql)?.execute(values);
    let (changed, unchanged) = match row {
        Row::Opened { key, expires_at, state, ended_at, body, ending } => {
            let changed = run(
                OPENED,
                params![
                    key.gateway.as_str(),
                    key.id.as_str(),
                    key.created_at.0,
                    expires_at.0,
                    state,
                    ended_at.map(|time| time.0),
                    FORMAT,
                    body,
                    ending
                ],
            )?;
            (changed, Outcome::Exists)
        }
        Row::Closed { key, state, ended_at, ending } => {
            let ended_at = ended_at.map(|time| time.0);
            let changed = run(
                CLOSED,
                params![key.gateway.as_str(), key.id.as_str(), key.created_at.0, state, ended_at, ending],
            )?;
            (changed, Outcome::NotPending)
        }
        Row::Late { key, body } => {
            let changed =
                run(LATE, params![key.gateway.as_str(), key.id.as_str(), key.created_at.0, FORMAT, body])?;
            (changed, Outcome::NotEnded)
        }
        Row::Collected { key, at } => {
            let changed =
                run(COLLECTED, params![key.gateway.as_str(), key.id.as_str(), key.created_at.0, at.0])?;
            (changed, Outcome::NotEnded)
        }
        Row::Forgotten { before } => (run(FORGOTTEN, params![before.0])?, Outcome::Applied),
        Row::RelayPut { kind, key, body } => (run(RELAY_PUT, params![kind, key, body])?, Outcome::Applied),
        Row::RelayRemoved { kind, key } => (run(RELAY_REMOVED, params![kind, key])?, Outcome::Applied),
        Row::PersonPut { id, body } => {
            (run(PERSON_PUT, params![id.as_str(), FORMAT, body])?, Outcome::Applied)
        }
        Row::PersonRemoved { id } => (run(PERSON_REMOVED, params![id.as_str()])?, Outcome::Applied),
        Row::TokenPut { id, hash, body } => {
            (run(TOKEN_PUT, params![id.as_str(), hash.0.as_slice(), FORMAT, body])?, Outcome::Applied)
        }
        Row::TokenRemoved { id } => (run(TOKEN_REMOVED, params![id.as_str()])?, Outcome::Applied),
        Row::PairingPut { code, body } => (run(PAIRING_PUT, params![code, FORMAT, body])?, Outcome::Applied),
        Row::PairingRemoved { code } => (run(PAIRING_REMOVED, params![code])?, Outcome::Applied),
        Row::InvitePut { id, hash, body } => {
            (run(INVITE_PUT, params![id.as_str(), hash.0.as_slice(), FORMAT, body])?, Outcome::Applied)
        }
        Row::InviteRemoved { id } => (run(INVITE_REMOVED, params![id.as_str()])?, Outcome::Applied),
        Row::Audit { at, person, record, body } => {
            let person = person.as_ref().map(|id| id.as_str());
            let (gateway, id) = match record {
                Some((gateway, id)) => (Some(gateway.as_str()), Some(id.as_str())),
                None => (None, None),
            };
            (run(AUDIT, params![at.0, person, gateway, id, FORMAT, body])?, Outcome::Applied)
        }
    };
    Ok(if changed > 0 { Outcome::Applied } else { unchanged })
}
