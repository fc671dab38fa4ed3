//! Whatever is done in whatever order: final is final, each Record ends once, and the facts tell all of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use askrelay_core::answer::Way;
use askrelay_core::id::{RecordId, RecordKey};
use askrelay_core::ledger::{Fact, Ledger, Standing};
use askrelay_core::record::{Record, WhyCancelled};
use askrelay_core::time::Time;
use proptest::prelude::*;

use crate::world::{answering, ask, asserted, caller, cancelling, ledger, open, people};

#[derive(Clone, Debug)]
enum Step {
    Open { id: u8, by: &'static str },
    Resolve { id: u8, resolution: u8, value: &'static str, person: &'static str, caller: &'static str },
    Cancel { id: u8, caller: &'static str, why: WhyCancelled },
    Collect { id: u8 },
    Expire,
    Restart,
}

fn step() -> impl Strategy<Value = (i64, Step)> {
    let who = || prop::sample::select(vec!["local", "service", "ann", "bob", "owner", "ring"]);
    let why = prop::sample::select(vec![
        WhyCancelled::Withdrawn,
        WhyCancelled::Declined,
        WhyCancelled::Unavailable,
    ]);
    let resolve = (0..4_u8, 0..6_u8, prop::sample::select(vec!["A", "B", "C"]), who(), who()).prop_map(
        |(id, resolution, value, person, caller)| Step::Resolve { id, resolution, value, person, caller },
    );
    let act = prop_oneof![
        3 => (0..4_u8, who()).prop_map(|(id, by)| Step::Open { id, by }),
        4 => resolve,
        2 => (0..4_u8, who(), why).prop_map(|(id, caller, why)| Step::Cancel { id, caller, why }),
        1 => (0..4_u8).prop_map(|id| Step::Collect { id }),
        1 => Just(Step::Expire),
        1 => Just(Step::Restart),
    ];
    // The clock jumps back now and then.
    (-500..4_000_i64, act)
}

fn run(ledger: &mut Ledger, now: Time, step: Step) {
    match step {
        Step::Open { id, by } => {
            open(ledger, now, &id.to_string(), ask(&caller(by)));
        }
        Step::Resolve { id, resolution, value, person, caller: by } => {
            let standing = if by == "ring" { asserted(person, Way::Control) } else { Standing::Own };
            let attempt = answering(&id.to_string(), &resolution.to_string(), value, standing);
            ledger.resolve(now, &people(), &caller(by), attempt);
        }
        Step::Cancel { id, caller: by, why } => {
            let standing = if by == "ring" { asserted("ann", Way::Control) } else { Standing::Own };
            ledger.cancel(now, &people(), &caller(by), cancelling(&id.to_string(), why, standing));
        }
        Step::Collect { id } => ledger.collect(now, &id.to_string().as_str().into()),
        Step::Expire => ledger.expire(now, usize::MAX),
        Step::Restart => {}
    }
}

proptest! {
    #[test]
    fn final_is_final_and_the_facts_tell_all(steps in prop::collection::vec(step(), 1..80)) {
        let mut live = ledger();
        let mut replayed: BTreeMap<RecordKey, Arc<Record>> = BTreeMap::new();
        let mut ends: BTreeMap<RecordKey, usize> = BTreeMap::new();
        let mut now = Time(100_000);
        for (passes, step) in steps {
            now = Time(now.0 + passes);
            if matches!(step, Step::Restart) {
                live = ledger();
                replayed.values().cloned().for_each(|record| live.hold(record));
            }
            let before: Vec<_> = replayed.values().cloned().collect();
            run(&mut live, now, step);
            for fact in live.take_facts() {
                if let Fact::Closed { key, state } = &fact {
                    prop_assert!(!state.is_pending());
                    *ends.entry(key.clone()).or_default() += 1;
                }
                fact.apply(&mut replayed);
            }
            for record in before.iter().filter(|record| !record.state.is_pending()) {
                prop_assert_eq!(&replayed[&record.key].state, &record.state);
            }
        }
        prop_assert!(ends.values().all(|count| *count == 1));
        for record in replayed.values() {
            prop_assert_eq!(live.get(&record.key.id), Some(record));
        }
        prop_assert_eq!(live.held_count(), replayed.len());
        let pending = replayed.values().filter(|record| record.state.is_pending());
        prop_assert_eq!(live.pending_count(), pending.clone().count());
        prop_assert_eq!(live.next_expiry(), pending.map(|record| record.expires_at).min());
    }

    #[test]
    fn what_a_caller_may_not_see_is_as_good_as_nonexistent(
        value in prop::sample::select(vec!["A", "C"]),
        why in prop::sample::select(vec![WhyCancelled::Withdrawn, WhyCancelled::Declined]),
    ) {
        let mut live = ledger();
        open(&mut live, Time(0), "x", ask(&caller("owner")));
        live.take_facts();
        for id in ["x", "y"] {
            let resolved =
                live.resolve(Time(1), &people(), &caller("service"), answering(id, "r", value, Standing::Own));
            prop_assert_eq!(resolved, askrelay_core::ledger::ResolveVerdict::Unknown);
            let cancelled =
                live.cancel(Time(1), &people(), &caller("service"), cancelling(id, why.clone(), Standing::Own));
            prop_assert_eq!(cancelled, askrelay_core::ledger::CancelVerdict::Unknown);
            prop_assert!(live.see(&RecordId::from(id), &caller("service"), &people()).is_none());
        }
        prop_assert_eq!(live.take_facts(), vec![]);
    }
}
