//! One command asks, a person at a terminal answers, the answer is printed: the program as its user meets it.

use crate::program::Program;

struct Row {
    name: &'static str,
    arguments: &'static [&'static str],
    /// Shown before anything is typed.
    shows: &'static str,
    types: &'static [&'static str],
    code: u32,
    stdout: &'static str,
    /// On the screen at the end.
    screen: &'static str,
}

const DEPLOY: [&str; 6] =
    ["ask", "Where should this release go?", "-o", "Staging (Recommended)=safe first", "-o", "Production"];

fn check(row: &Row) {
    let program = Program::new();
    let mut seat = program.at_terminal(row.arguments);
    seat.shows(row.shows);
    for line in row.types {
        seat.types(line);
    }
    let (code, stdout, screen) = seat.ends();
    assert_eq!((code, stdout.as_str()), (row.code, row.stdout), "{}\n{screen}", row.name);
    assert!(screen.contains(row.screen), "{}: no {:?} in\n{screen}", row.name, row.screen);
}

#[test]
fn a_person_at_the_terminal_answers() {
    let rows = [
        Row {
            name: "a number",
            arguments: &DEPLOY,
            shows: "Where should this release go?",
            types: &["2"],
            code: 0,
            stdout: "Production\n",
            screen: "Production",
        },
        Row {
            name: "a short form of a label",
            arguments: &DEPLOY,
            shows: "Staging",
            types: &["staging"],
            code: 0,
            stdout: "Staging (Recommended)\n",
            screen: "Staging (Recommended)",
        },
        Row {
            name: "own words",
            arguments: &DEPLOY,
            shows: "Production",
            types: &["other: the blue cluster"],
            code: 0,
            stdout: "the blue cluster\n",
            screen: "the blue cluster",
        },
        Row {
            name: "unclear once, then clear",
            arguments: &DEPLOY,
            shows: "Production",
            types: &["7", "1"],
            code: 0,
            stdout: "Staging (Recommended)\n",
            screen: "Staging (Recommended)",
        },
    ];
    rows.iter().for_each(check);
}

#[test]
fn every_kind_of_question_is_answered_and_can_be_skipped() {
    let rows = [
        Row {
            name: "skipped",
            arguments: &DEPLOY,
            shows: "/skip",
            types: &["/skip"],
            code: 3,
            stdout: "",
            screen: "declined",
        },
        Row {
            name: "several choices, in option order",
            arguments: &["ask", "Which signals?", "-o", "Logs", "-o", "Metrics", "-o", "Traces", "--multi"],
            shows: "Which signals?",
            types: &["3, 1"],
            code: 0,
            stdout: "Logs\nTraces\n",
            screen: "Traces",
        },
        Row {
            name: "confirm",
            arguments: &["ask", "Run the migration now?", "--confirm"],
            shows: "Run the migration now?",
            types: &["y"],
            code: 0,
            stdout: "Yes\n",
            screen: "Yes",
        },
        Row {
            name: "free text",
            arguments: &["ask", "What should the branch be called?", "--text"],
            shows: "What should the branch be called?",
            types: &["feature/login"],
            code: 0,
            stdout: "feature/login\n",
            screen: "feature/login",
        },
    ];
    rows.iter().for_each(check);
}

#[test]
fn control_c_withdraws_the_ask() {
    let program = Program::new();
    let mut seat = program.at_terminal(&DEPLOY);
    seat.shows("Production");
    seat.presses('c');
    let (code, stdout, screen) = seat.ends();
    assert_eq!((code, stdout.as_str()), (3, ""), "{screen}");
    let listed = program.run(&["list", "--state", "all", "--json"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.contains("\"withdrawn\""), "{listed}");
}

#[test]
fn without_a_terminal_and_a_surface_nobody_is_asked() {
    let program = Program::new();
    let output = program.run(&DEPLOY);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(output.stdout.is_empty());
    let why = String::from_utf8(output.stderr).unwrap();
    assert!(why.contains("nobody could be asked"), "{why}");
}

#[test]
fn a_default_for_silence_is_printed_and_never_called_an_answer() {
    let program = Program::new();
    let mut arguments = DEPLOY.to_vec();
    arguments.extend(["--when-unanswered", "default", "--default", "\"Production\"", "--json"]);
    let output = program.run(&arguments);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["answered"], false, "{record}");
    assert_eq!(record["noAnswer"], "unavailable", "{record}");
}

const SAME: [&str; 8] = ["ask", "Same?", "-o", "A", "-o", "B", "--id", "same1"];

#[test]
fn asked_again_under_its_id_it_is_the_same_ask() {
    let program = Program::new();
    let mut left = program.at_terminal(&SAME);
    left.shows("Same?");
    left.kill();
    let mut seat = program.at_terminal(&SAME);
    seat.shows("Same?");
    seat.types("2");
    let (code, stdout, screen) = seat.ends();
    assert_eq!((code, stdout.as_str()), (0, "B\n"), "{screen}");
    let (code, stdout, screen) = program.at_terminal(&SAME).ends();
    assert_eq!((code, stdout.as_str()), (0, "B\n"), "{screen}");
    let mut other = SAME;
    other[1] = "Another?";
    let (code, stdout, screen) = program.at_terminal(&other).ends();
    assert_eq!((code, stdout.as_str()), (1, ""), "{screen}");
    assert!(screen.contains("another ask has the id 'same1'"), "{screen}");
}

/// Runs it without a terminal: exit code and standard error.
fn fails(program: &Program, arguments: &[&str]) -> (Option<i32>, String) {
    let output = program.run(arguments);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn what_is_over_or_was_never_there_is_told_in_plain_words() {
    let program = Program::new();
    let mut seat = program.at_terminal(&SAME);
    seat.shows("Same?");
    seat.types("1");
    assert_eq!(seat.ends().1, "A\n");
    let made = program.run(&["token", "create", "--as", "owner", "--scopes", "operator.questions"]);
    let token = String::from_utf8(made.stdout).unwrap();
    let answer = program.command(&["answer", "same1", "2"]).env("ASKRELAY_TOKEN", token.trim()).output();
    let answer = answer.unwrap();
    let why = String::from_utf8(answer.stderr).unwrap();
    assert_eq!(answer.status.code(), Some(1), "{why}");
    assert!(why.contains("'same1' ended before. Already answered by ") && why.contains(": A."), "{why}");
    let rows: [(&[&str], &str); 6] = [
        (&["cancel", "same1"], "'same1' ended before. Already answered"),
        (&["wait", "nope"], "there is no ask 'nope'"),
        (&["cancel", "nope"], "there is no ask 'nope'"),
        (&["show", "a\u{1b}[2J\u{202e}b"], "there is no ask 'a\u{241b}[2Jb'"),
        (&["token", "revoke", "nope"], "there is no token 'nope'"),
        (&["ask", "Go?", "--confirm", "--id", "a\nb"], "--id: must not contain control"),
    ];
    for (arguments, told) in rows {
        let (code, why) = fails(&program, arguments);
        assert!(matches!(code, Some(1 | 2)) && why.contains(told), "{arguments:?}: {why}");
        assert!(!why.contains("INVALID_REQUEST"), "{arguments:?}: {why}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_takes_nothing_is_told() {
    let program = Program::new();
    for arguments in [&["list"][..], &["man"], &["config", "check"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = program.command(arguments).stdout(full).stderr(std::process::Stdio::piped()).spawn();
        let output = output.unwrap().wait_with_output().unwrap();
        let why = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {why}");
        assert!(why.contains("standard output cannot be written"), "{arguments:?}: {why}");
    }
}
