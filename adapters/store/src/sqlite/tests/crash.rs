//! A process that saves without pause is killed again and again: whatever it was told is saved is there, and nothing is
//! there by halves. Shows what a crash of the program leaves; a power cut is the sync's and the disk's.

use askrelay_core::id::RecordKey;
use askrelay_core::ledger;
use askrelay_core::relay::facts::{Fact as RelayFact, FactKind};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

use crate::contract::sample;
use crate::fact::{AuditEntry, Fact};
use crate::page::{AuditQuery, PAGE_MAX, RecordQuery};
use crate::port::Store;
use crate::sqlite::{Options, SqliteStore};

/// The file, in the environment of the process that is to be killed.
const VICTIM: &str = "ASKRELAY_STORE_CRASH_FILE";

const NAME: &str = "sqlite::tests::crash::what_was_acknowledged_survives_being_killed";
const SEED: u64 = 20;
const ROUNDS: u32 = 20;
const CALLERS: u32 = 8;

#[test]
fn what_was_acknowledged_survives_being_killed() {
    if let Some(path) = std::env::var_os(VICTIM) {
        save_until_killed(Path::new(&path));
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("askrelay.db");
    let mut random = SEED;
    let (mut opened, mut closed) = (BTreeSet::new(), BTreeSet::new());
    for round in 0..ROUNDS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let kill_after = (random >> 33) as usize % 120;
        for line in run_and_kill(&path, kill_after) {
            match line.split_once(' ') {
                Some(("opened", id)) => opened.insert(id.to_owned()),
                Some(("closed", id)) => closed.insert(id.to_owned()),
                _ => continue,
            };
        }
        check(&path, &opened, &closed, round);
    }
    assert!(closed.len() > 100, "too little was saved to show anything: {}", closed.len());
}

/// Each caller opens and closes Records, each a group of facts, and prints what was acknowledged.
fn save_until_killed(path: &Path) -> ! {
    let store = SqliteStore::open(path, Options::default()).unwrap();
    let process = std::process::id();
    std::thread::scope(|scope| {
        for caller in 0..CALLERS {
            let store = &store;
            scope.spawn(move || {
                for number in 0.. {
                    let id = format!("{process}-{caller}-{number}");
                    store.commit(opening(&id)).wait().unwrap();
                    say("opened", &id);
                    store.commit(closing(&id)).wait().unwrap();
                    say("closed", &id);
                }
            });
        }
    });
    unreachable!("the callers never end")
}

fn say(what: &str, id: &str) {
    // One write for each line, so that a kill leaves whole lines only.
    std::io::stdout().write_all(format!("{what} {id}\n").as_bytes()).unwrap();
}

fn opening(id: &str) -> Vec<Fact> {
    vec![ledger::Fact::Opened(sample::record(id, 1)).into(), note(id, Some("shown"))]
}

fn closing(id: &str) -> Vec<Fact> {
    let key = sample::key(id, 1);
    let entry = AuditEntry {
        at: askrelay_core::time::Time(2),
        what: "ask.answered".to_owned(),
        actor: None,
        token: None,
        record: Some(key.clone()),
        place: None,
        answers: None,
        words: None,
        detail: None,
    };
    vec![note(id, None), Fact::Audit(entry), ledger::Fact::Closed { key, state: sample::ended(2) }.into()]
}

fn note(id: &str, body: Option<&str>) -> Fact {
    Fact::Relay(RelayFact { kind: FactKind::Prompt, key: id.to_owned(), body: body.map(ToOwned::to_owned) })
}

/// What the victim acknowledged: killed after so many acknowledgements, and what it got out until then.
fn run_and_kill(path: &Path, kill_after: usize) -> Vec<String> {
    let mut victim = Command::new(std::env::current_exe().unwrap())
        .args([NAME, "--exact", "--nocapture", "--test-threads=1"])
        .env(VICTIM, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines();
    let is_acknowledgement = |line: &String| line.starts_with("opened ") || line.starts_with("closed ");
    let mut acknowledged = Vec::new();
    while acknowledged.len() < kill_after {
        let line = lines.next().expect("the victim ended by itself").unwrap();
        acknowledged.extend(Some(line).filter(is_acknowledgement));
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
    acknowledged.extend(lines.map(Result::unwrap).filter(is_acknowledgement));
    acknowledged
}

fn check(path: &Path, opened: &BTreeSet<String>, closed: &BTreeSet<String>, round: u32) {
    let store = SqliteStore::open(path, Options::default()).unwrap();
    let (mut pending, mut ended) = (BTreeSet::new(), BTreeSet::new());
    let mut after: Option<RecordKey> = None;
    loop {
        let query = RecordQuery { after, limit: PAGE_MAX, ..RecordQuery::default() };
        let page = store.records(query).wait().unwrap();
        for record in &page.records {
            let state = if record.state.is_pending() { &mut pending } else { &mut ended };
            state.insert(record.key.id.to_string());
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let seed = format!("seed {SEED}, round {round}");
    let missing: Vec<_> = closed.difference(&ended).collect();
    assert!(missing.is_empty(), "{seed}: acknowledged ends are gone: {missing:?}");
    let missing: Vec<_> = opened.iter().filter(|id| !pending.contains(*id) && !ended.contains(*id)).collect();
    assert!(missing.is_empty(), "{seed}: acknowledged Records are gone: {missing:?}");
    let noted: BTreeSet<_> = store.load_relay().unwrap().into_iter().map(|fact| fact.key).collect();
    assert_eq!(noted, pending, "{seed}: a group was saved by halves");
    assert_eq!(audited(&store), ended, "{seed}: a group was saved by halves");
}

/// The ids of the Records in the trail, each of which must be there once.
fn audited(store: &dyn Store) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut after = None;
    loop {
        let query = AuditQuery { after, limit: PAGE_MAX, ..AuditQuery::default() };
        let page = store.audit(query).wait().unwrap();
        for (_, entry) in page.entries {
            assert!(ids.insert(entry.record.unwrap().id.to_string()), "an end is in the trail twice");
        }
        after = page.next;
        if after.is_none() {
            return ids;
        }
    }
}
