//! Runs simulated worlds from the command line and says how to repeat the one that failed. All of the simulation is in the
//! library beside it.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this program talks to the person who runs it")]

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::process::ExitCode;
use std::time::Instant;

use askrelay_sim::world::{self, Outcome};

const USAGE: &str = "askrelay-sim [--seed N] [--seeds A..B] [--fresh K] [--asks N]
  --seed N     the world of one seed, with its events if it fails
  --seeds A..B the worlds of these seeds
  --fresh K    the worlds of K seeds nobody chose
  --asks N     Asks in each world (40)";

/// How many of the last events are printed of a world that failed.
const EVENTS_SHOWN: usize = 40000;

struct Wanted {
    seeds: Vec<u64>,
    asks: u64,
}

fn main() -> ExitCode {
    let Some(wanted) = wanted(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let began = Instant::now();
    let (mut asks, mut steps) = (0, 0);
    for seed in &wanted.seeds {
        let outcome = world::run(*seed, wanted.asks, None, false);
        asks += outcome.asks;
        steps += outcome.steps;
        if outcome.violation.is_some() {
            tell(*seed, wanted.asks, &world::run(*seed, wanted.asks, None, true));
            return ExitCode::FAILURE;
        }
    }
    let seconds = began.elapsed().as_secs_f64().max(0.001);
    println!(
        "{} worlds, {asks} asks, {steps} steps in {seconds:.1} s ({:.0} asks/s, {:.0} steps/s)",
        wanted.seeds.len(),
        asks as f64 / seconds,
        steps as f64 / seconds
    );
    ExitCode::SUCCESS
}

fn tell(seed: u64, asks: u64, outcome: &Outcome) {
    let from = outcome.events.len().saturating_sub(EVENTS_SHOWN);
    for event in outcome.events.iter().skip(from) {
        println!("{event}");
    }
    if let Some(violation) = &outcome.violation {
        println!("\nseed {seed} broke rule {}: {}", violation.rule, violation.what);
    }
    println!("again: cargo run --release -p askrelay-sim -- --seed {seed} --asks {asks}");
}

fn wanted(mut arguments: impl Iterator<Item = String>) -> Option<Wanted> {
    let mut wanted = Wanted { seeds: Vec::new(), asks: 40 };
    while let Some(argument) = arguments.next() {
        let value = arguments.next()?;
        match argument.as_str() {
            "--seed" => wanted.seeds.push(value.parse().ok()?),
            "--seeds" => {
                let (from, to) = value.split_once("..")?;
                let (from, to): (u64, u64) = (from.parse().ok()?, to.parse().ok()?);
                wanted.seeds.extend(from..to);
            }
            "--fresh" => {
                for _ in 0..value.parse::<u64>().ok()? {
                    let seed = RandomState::new().build_hasher().finish() >> 16;
                    println!("fresh seed {seed}");
                    wanted.seeds.push(seed);
                }
            }
            "--asks" => wanted.asks = value.parse().ok()?,
            _ => return None,
        }
    }
    if wanted.seeds.is_empty() {
        wanted.seeds.extend(0..100);
    }
    Some(wanted)
}
