//! No statement reads more than it returns or changes: each is answered from an index.

use askrelay_core::time::Time;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::harness::InFile;
use crate::contract::sample;
use crate::page::{AuditQuery, Direction, Family, RecordQuery, StateFilter};
use crate::sqlite::{apply, select};

const DIRECTIONS: [Direction; 2] = [Direction::OldestFirst, Direction::NewestFirst];

/// Those about a few rows, which they must find without looking at others.
fn about_few() -> Vec<String> {
    let mut statements: Vec<String> = [
        select::PENDING,
        select::NEWEST,
        select::LATE,
        apply::OPENED,
        apply::CLOSED,
        apply::LATE,
        apply::COLLECTED,
        apply::FORGOTTEN,
        apply::RELAY_REMOVED,
        apply::PERSON_REMOVED,
        apply::TOKEN_REMOVED,
        apply::PAIRING_REMOVED,
        apply::INVITE_REMOVED,
    ]
    .map(ToOwned::to_owned)
    .into();
    for direction in DIRECTIONS {
        let query = AuditQuery { direction, ..AuditQuery::default() };
        let record = Some(("local".into(), "a".into()));
        statements.push(select::audit(&AuditQuery { person: Some("owner".into()), ..query.clone() }));
        statements.push(select::audit(&AuditQuery { record, ..query.clone() }));
        statements.push(select::audit(&query));
        for filter in [StateFilter::Any, StateFilter::Pending] {
            let after = Some(sample::key("a", 1));
            statements.push(select::records(&RecordQuery {
                filter,
                direction,
                after,
                limit: 1,
                family: None,
            }));
        }
    }
    statements
}

/// Those that read a list from its start, which they must do in the order of the table or of an index.
fn of_lists() -> Vec<String> {
    let mut statements: Vec<String> =
        [select::PEOPLE, select::TOKENS, select::PAIRINGS, select::INVITES, select::RELAY]
            .map(ToOwned::to_owned)
            .into();
    use StateFilter::{Answered, Any, Cancelled, Ended, Expired, Pending};
    for direction in DIRECTIONS {
        for filter in [Any, Pending, Ended, Answered, Cancelled, Expired] {
            let query = RecordQuery { filter, direction, limit: 1, ..RecordQuery::default() };
            statements.push(select::records(&query));
        }
    }
    statements
}

/// Those about one family, which they must find without looking at others, and may sort.
fn of_families() -> Vec<String> {
    let family = Some(Family { gateway: "local".into(), prefix: "a".to_owned() });
    let after = [None, Some(sample::key("a", 1))];
    let queries = after.map(|after| RecordQuery {
        filter: StateFilter::WaitingOrEndedSince(Time(1)),
        family: family.clone(),
        after,
        ..RecordQuery::default()
    });
    queries.iter().map(select::records).collect()
}

fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let values = vec![Value::Null; statement.parameter_count()];
    let steps = statement.query_map(rusqlite::params_from_iter(values), |row| row.get("detail")).unwrap();
    steps.collect::<Result<_, _>>().unwrap()
}

#[test]
fn every_statement_is_answered_from_an_index() {
    let file = InFile::new();
    file.meddle(|connection| {
        for sql in about_few().into_iter().chain(of_families()) {
            let scans = |step: &String| step.starts_with("SCAN ") && step != "SCAN CONSTANT ROW";
            let steps = plan(connection, &sql);
            let pending_only = steps.iter().all(|step| !scans(step) || step.contains("records_pending"));
            assert!(pending_only, "{sql}\n{steps:?}");
        }
        for sql in of_lists().into_iter().chain(about_few()) {
            let steps = plan(connection, &sql);
            assert!(!steps.iter().any(|step| step == "USE TEMP B-TREE FOR ORDER BY"), "{sql}\n{steps:?}");
        }
    });
}
