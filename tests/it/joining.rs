//! One ring per data directory: joining, taking over when the holder dies, handing over to a server, and a stale lock.

use crate::program::Program;

const DEPLOY: [&str; 5] = ["ask", "Where to?", "-o", "Staging", "-o=Production"];

#[test]
fn two_asks_share_one_ring_and_each_gets_its_own_answer() {
    let program = Program::new();
    let mut first = program.at_terminal(&DEPLOY);
    first.shows("Where to?");
    let mut second = program.at_terminal(&["ask", "When?", "-o", "Now", "-o", "Later"]);
    second.shows("When?");
    second.types("2");
    let (code, stdout, screen) = second.ends();
    assert_eq!((code, stdout.as_str()), (0, "Later\n"), "{screen}");
    first.types("1");
    let (code, stdout, screen) = first.ends();
    assert_eq!((code, stdout.as_str()), (0, "Staging\n"), "{screen}");
}

#[test]
fn whoever_still_waits_takes_over_when_the_holder_dies() {
    let program = Program::new();
    let mut holder = program.at_terminal(&DEPLOY);
    holder.shows("Where to?");
    let mut joiner = program.at_terminal(&["ask", "When?", "-o", "Now", "-o", "Later"]);
    joiner.shows("When?");
    holder.kill();
    joiner.types("now");
    let (code, stdout, screen) = joiner.ends();
    assert_eq!((code, stdout.as_str()), (0, "Now\n"), "{screen}");
    // What the dead holder asked is still there, on disk.
    let listed = String::from_utf8(program.run(&["list"]).stdout).unwrap();
    assert!(listed.contains("Where to?"), "{listed}");
}

#[test]
fn a_server_takes_over_from_a_command_and_the_command_goes_on() {
    let program = Program::new();
    let mut asking = program.at_terminal(&DEPLOY);
    asking.shows("Where to?");
    let server = program.serve();
    asking.types("production");
    let (code, stdout, screen) = asking.ends();
    assert_eq!((code, stdout.as_str()), (0, "Production\n"), "{screen}");
    let second = program.run(&["serve"]);
    let why = String::from_utf8(second.stderr).unwrap();
    assert!(!second.status.success() && why.contains("already"), "{why}");
    drop(server);
}

#[test]
fn an_ask_survives_the_death_of_its_server() {
    let program = Program::new();
    let server = program.serve();
    let mut asking = program.at_terminal(&DEPLOY);
    asking.shows("Where to?");
    server.kill();
    asking.types("1");
    let (code, stdout, screen) = asking.ends();
    assert_eq!((code, stdout.as_str()), (0, "Staging\n"), "{screen}");
}

#[test]
fn a_lock_and_an_endpoint_left_behind_stop_nobody() {
    let program = Program::new();
    program.serve().kill();
    assert!(program.home().join("data/ring.json").exists(), "a killed server leaves its endpoint behind");
    let mut asking = program.at_terminal(&DEPLOY);
    asking.shows("Where to?");
    asking.types("1");
    assert_eq!(asking.ends().1, "Staging\n");
}

#[test]
fn another_configuration_is_refused_in_plain_words() {
    let program = Program::new();
    let _server = program.serve();
    let output = program.command(&DEPLOY).env("ASKRELAY_RETENTION_DAYS", "3").output().unwrap();
    let why = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{why}");
    assert!(why.contains("another configuration"), "{why}");
}
