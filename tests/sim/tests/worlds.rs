//! A fixed set of worlds keeps every rule, and every planted fault breaks its own rule in some world. The same worlds run for
//! longer, and others with them, by `cargo run --release -p askrelay-sim`.

use askrelay_sim::fault::Fault;
use askrelay_sim::world;

/// Asks in each of these worlds.
const ASKS: u64 = 25;

/// How many worlds keep every rule here; the slow suite looks at more.
const WORLDS: u64 = 25;

/// In how many worlds a fault has to show itself; the rarest needs a crash at one moment of a reconnection.
const FAULTY_WORLDS: u64 = 480;

#[test]
fn fixed_seeds_keep_every_rule() {
    for seed in 0..WORLDS {
        let outcome = world::run(seed, ASKS, None, false);
        assert_eq!(
            outcome.violation, None,
            "cargo run --release -p askrelay-sim -- --seed {seed} --asks {ASKS}"
        );
        assert_eq!(outcome.asks, ASKS);
    }
}

#[test]
fn a_seed_is_a_whole_world() {
    let told = |verbose| {
        let outcome = world::run(7, ASKS, None, verbose);
        (outcome.steps, outcome.asks, outcome.violation)
    };
    assert_eq!(told(false), told(true));
    assert_eq!(world::run(7, ASKS, None, true).events, world::run(7, ASKS, None, true).events);
}

#[test]
fn every_planted_fault_breaks_its_rule() {
    let mut unnoticed = Vec::new();
    for fault in Fault::ALL {
        let breaks = |seed: &u64| {
            let violation = world::run(*seed, ASKS, Some(fault), false).violation;
            violation.is_some_and(|violation| violation.rule == fault.rule())
        };
        if (0..FAULTY_WORLDS).find(breaks).is_none() {
            unnoticed.push(fault);
        }
    }
    assert!(unnoticed.is_empty(), "no world of {FAULTY_WORLDS} noticed {unnoticed:?}");
}
