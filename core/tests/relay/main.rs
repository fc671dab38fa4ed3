//! The relay as tables: scripts of events with the orders they lead to, in `cases/*.txt`. Lines at the margin are events,
//! indented lines are what the relay does then. `RELAY_UPDATE=1` rewrites the indented lines; read the difference.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a script that cannot be played is a mistake in the test itself"
)]

mod event;
mod script;
mod world;

use std::path::Path;

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/relay/cases").join(name);
    let written =
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let played = script::play(&written);
    if std::env::var_os("RELAY_UPDATE").is_some() {
        std::fs::write(&path, &played).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    } else if let Some((line, expected, got)) = script::difference(&written, &played) {
        panic!(
            "{}:{line}\n  expected: {expected}\n       got: {got}\n\nThe whole file as played:\n{played}",
            path.display()
        );
    }
}

#[test]
fn an_ask_goes_round_the_ring() {
    check("round.txt");
}

#[test]
fn typed_replies_go_where_they_are_meant() {
    check("replies.txt");
}

#[test]
fn controls_put_an_answer_together() {
    check("controls.txt");
}

#[test]
fn forms_bring_everything_at_once() {
    check("forms.txt");
}

#[test]
fn prompts_are_delivered_mended_and_retired() {
    check("delivery.txt");
}

#[test]
fn a_gateway_settles_what_was_decided() {
    check("gateway.txt");
}

#[test]
fn another_gateway_is_served_by_its_own_rules() {
    check("foreign.txt");
}

#[test]
fn strangers_knock_and_the_bot_says_what_it_is() {
    check("strangers.txt");
}

#[test]
fn roles_on_the_platform_give_rights() {
    check("roles.txt");
}

#[test]
fn the_trail_says_what_became_of_everything() {
    check("trail.txt");
}

#[test]
fn a_restart_changes_nothing() {
    check("restart.txt");
}

#[test]
fn time_reminds_and_forgets() {
    check("time.txt");
}

#[test]
fn a_terminal_is_a_seat() {
    check("seat.txt");
}

#[test]
fn what_asks_nothing_is_told_once() {
    check("notified.txt");
}
