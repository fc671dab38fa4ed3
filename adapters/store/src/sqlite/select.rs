//! The texts of the queries. Each is answered from an index: none scans a whole table, and none sorts more than one family.

use crate::page::{AuditQuery, Direction, RecordQuery, StateFilter};

/// Every pending Record, oldest first.
pub(crate) const PENDING: &str = "
    SELECT id, v, body, number, ending, collected_at FROM records
    WHERE state = 'pending' ORDER BY created_at, id, gateway";

/// The newest Record of one gateway with one id.
pub(crate) const NEWEST: &str = "
    SELECT id, v, body, number, ending, collected_at FROM records
    WHERE gateway = ?1 AND id = ?2 ORDER BY created_at DESC LIMIT 1";

/// One Record's late answers.
pub(crate) const LATE: &str =
    "SELECT CAST(number AS TEXT), v, body FROM late WHERE record = ?1 ORDER BY number";

/// Everybody, in the order in which they were put.
pub(crate) const PEOPLE: &str = "SELECT id, v, body FROM people ORDER BY number";

/// Every token.
pub(crate) const TOKENS: &str = "SELECT id, v, body, hash FROM tokens ORDER BY id";

/// Everybody who waits to be let in.
pub(crate) const PAIRINGS: &str = "SELECT code, v, body FROM pairings ORDER BY code";

/// Every invite that was not used.
pub(crate) const INVITES: &str = "SELECT id, v, body, hash FROM invites ORDER BY id";

/// Everything the relay remembers.
pub(crate) const RELAY: &str = "SELECT kind, key, body FROM relay ORDER BY kind, key";

/// One page of Records. Binds the limit, then creation time, id and gateway of the one to start behind, if there is one, then
/// gateway, first and last possible id of the family, if only one is wanted.
pub(crate) fn records(query: &RecordQuery) -> String {
    let ended_since;
    let filter = match query.filter {
        StateFilter::Any => "true",
        StateFilter::Pending => "state = 'pending'",
        StateFilter::Ended => "state <> 'pending'",
        StateFilter::Answered => "state = 'answered'",
        StateFilter::Cancelled => "state = 'cancelled'",
        StateFilter::Expired => "state = 'expired'",
        StateFilter::WaitingOrEndedSince(since) => {
            ended_since = format!("(ended_at IS NULL OR ended_at >= {})", since.0);
            &ended_since
        }
    };
    let (order, beyond) = order(query.direction);
    let after = match query.after {
        Some(_) => format!("(created_at, id, gateway) {beyond} (?2, ?3, ?4)"),
        None => "true".to_owned(),
    };
    let family = match (&query.family, &query.after) {
        (None, _) => "true",
        (Some(_), None) => "gateway = ?2 AND id BETWEEN ?3 AND ?4",
        (Some(_), Some(_)) => "gateway = ?5 AND id BETWEEN ?6 AND ?7",
    };
    format!(
        "SELECT id, v, body, number, ending, collected_at FROM records WHERE {filter} AND {after} AND {family}
         ORDER BY created_at {order}, id {order}, gateway {order} LIMIT ?1"
    )
}

/// One page of the trail. Binds the limit and the number to start behind, then the person, then gateway and id, where the
/// query names them.
pub(crate) fn audit(query: &AuditQuery) -> String {
    let (order, beyond) = order(query.direction);
    let filter = match (&query.person, &query.record) {
        (None, None) => "true",
        (Some(_), None) => "person = ?3",
        (None, Some(_)) => "gateway = ?3 AND record = ?4",
        (Some(_), Some(_)) => "person = ?3 AND gateway = ?4 AND record = ?5",
    };
    format!(
        "SELECT CAST(number AS TEXT), v, body, number FROM audit WHERE number {beyond} ?2 AND {filter}
         ORDER BY number {order} LIMIT ?1"
    )
}

const fn order(direction: Direction) -> (&'static str, &'static str) {
    match direction {
        Direction::OldestFirst => ("ASC", ">"),
        Direction::NewestFirst => ("DESC", "<"),
    }
}
