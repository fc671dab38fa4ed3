//! The writer's queue by itself: what a failure takes along, and what gets in afterwards.

use std::path::PathBuf;
use std::time::Duration;

use crate::encode::Row;
use crate::error::{CommitError, Trouble, TroubleKind};
use crate::sqlite::inbox::{Inbox, Work};

fn rows() -> Vec<Row> {
    vec![Row::PersonRemoved { id: "a".into() }]
}

#[test]
fn a_failure_takes_along_what_is_queued_and_keeps_the_rest_out() {
    let inbox = Inbox::default();
    let trouble = Trouble { kind: TroubleKind::DiskFull, path: PathBuf::from("file"), cause: None };
    let _first = inbox.push(rows());
    let work = inbox.take(Duration::ZERO);
    assert!(matches!(&work, Work::Save(groups) if groups.len() == 1), "{work:?}");
    let _behind = inbox.push(rows());
    assert_eq!(inbox.fail(&trouble).len(), 1, "what was queued during the failing commit");
    let refused = inbox.push(rows()).wait();
    assert!(matches!(refused, Err(CommitError::Failing(_))), "{refused:?}");
    let work = inbox.take(Duration::ZERO);
    assert!(matches!(work, Work::Try), "{work:?}");
    assert!(!inbox.tried(Some(trouble)), "the same trouble is no news");
    assert!(inbox.tried(None), "an end of trouble is");
    let _after = inbox.push(rows());
    let work = inbox.take(Duration::ZERO);
    assert!(matches!(&work, Work::Save(groups) if groups.len() == 1), "{work:?}");
}

#[test]
fn a_stopped_queue_gives_out_what_it_has_and_then_ends() {
    let inbox = Inbox::default();
    let _ticket = inbox.push(rows());
    inbox.stop();
    assert!(matches!(inbox.push(rows()).wait(), Err(CommitError::Stopped)));
    assert!(matches!(inbox.take(Duration::ZERO), Work::Save(_)));
    assert!(matches!(inbox.take(Duration::ZERO), Work::Stop));
}
