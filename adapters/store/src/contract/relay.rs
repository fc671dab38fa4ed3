//! What the relay remembers: put, replaced, removed, in order.

use askrelay_core::relay::facts::{Fact as RelayFact, FactKind};
use std::collections::BTreeMap;

use super::{Case, Harness};
use crate::fact::Fact;

pub(super) const CASES: &[Case] = &[
    Case { name: "a relay fact replaces its key and removing takes it away", run: upsert },
    Case { name: "every kind of relay fact has its own keys", run: kinds },
    Case { name: "relay keys and bodies are any text", run: any_text },
];

fn put(kind: FactKind, key: &str, body: Option<&str>) -> RelayFact {
    RelayFact { kind, key: key.to_owned(), body: body.map(ToOwned::to_owned) }
}

/// Commits the facts one by one and expects to load what is left of them, by kind and key.
fn check(harness: &mut dyn Harness, facts: &[RelayFact]) {
    let mut left = BTreeMap::new();
    for fact in facts {
        match &fact.body {
            Some(_) => left.insert((fact.kind.name(), fact.key.clone()), fact.clone()),
            None => left.remove(&(fact.kind.name(), fact.key.clone())),
        };
        harness.store().commit(vec![Fact::Relay(fact.clone())]).wait().unwrap();
    }
    for _ in ["at once", "after a restart"] {
        assert_eq!(harness.store().load_relay().unwrap(), left.values().cloned().collect::<Vec<_>>());
        harness.reopen();
    }
}

fn upsert(harness: &mut dyn Harness) {
    let kind = FactKind::ALL[0];
    check(
        harness,
        &[
            put(kind, "never there", None),
            put(kind, "a", Some("1")),
            put(kind, "b", Some("1")),
            put(kind, "a", Some("2")),
            put(kind, "b", None),
            put(kind, "c", Some("1")),
            put(kind, "c", None),
            put(kind, "c", Some("3")),
        ],
    );
}

fn kinds(harness: &mut dyn Harness) {
    let mut facts: Vec<_> = FactKind::ALL.iter().map(|kind| put(*kind, "a", Some(kind.name()))).collect();
    facts.push(put(FactKind::ALL[1], "a", None));
    check(harness, &facts);
}

fn any_text(harness: &mut dyn Harness) {
    let kind = FactKind::ALL[0];
    let huge = "\u{1f469}\u{200d}\u{1f680}".repeat(200_000);
    check(
        harness,
        &[
            put(kind, "", Some("")),
            put(kind, "\0", Some("\0")),
            put(kind, "a\0b", Some("not JSON: {\"")),
            put(kind, "é", Some("composed")),
            put(kind, "e\u{301}", Some("decomposed")),
            put(kind, "A", Some("upper")),
            put(kind, "a", Some("lower")),
            put(kind, &"k".repeat(10_000), Some(&huge)),
        ],
    );
}
