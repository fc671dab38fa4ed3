//! One ring per data directory: joining, taking over when the holder dies, handing over to a server, and a stale lock.

use std::io::Write as _;
use std::process::Stdio;

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

/// Runs `askrelay login` with this on standard input: its exit code and what it said.
fn login(program: &Program, text: &str) -> (Option<i32>, String) {
    let mut command = program.command(&["login"]);
    let mut child =
        command.stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_kept_token_is_not_replaced_by_something_else_and_its_refusal_is_explained() {
    let program = Program::new();
    let made = program.run(&["token", "create", "--as", "owner", "--scopes", "operator.questions"]);
    let token = String::from_utf8(made.stdout).unwrap();
    assert_eq!(login(&program, &token), (Some(0), String::new()));
    for wrong in ["hello", "askrelay_", "askrelay_zz_secret", "No tokens.", "{\"error\": 1}"] {
        let (code, why) = login(&program, wrong);
        assert!(code == Some(1) && why.contains("is no token of askrelay's"), "{wrong}: {why}");
    }
    assert_eq!(program.run(&["list"]).status.code(), Some(0), "the good token is still kept");
    let id = token.split('_').nth(1).unwrap();
    assert_eq!(program.run(&["token", "revoke", id]).status.code(), Some(0));
    for arguments in [&["list"][..], &["show", "x"], &["wait", "x"], &["cancel", "x"], &["answer", "x", "1"]]
    {
        let output = program.run(arguments);
        let why = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {why}");
        assert!(why.contains("kept by `askrelay login` is not accepted here"), "{arguments:?}: {why}");
        assert!(why.contains("askrelay login --forget"), "{arguments:?}: {why}");
    }
}
