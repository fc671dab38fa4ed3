//! Who is known, by command: the data directory's own user is the operator, whoever runs the ring.

use crate::program::Program;

/// Runs each line and checks its exit code and what it printed, word for word unless the text ends with `…`.
fn check(program: &Program, rows: &[(&str, i32, &str)]) {
    for (line, code, expected) in rows {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let output = program.run(&arguments);
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8(printed).unwrap();
        assert_eq!(output.status.code(), Some(*code), "{line}: {printed}");
        match expected.strip_suffix('…') {
            Some(start) => assert!(printed.starts_with(start), "{line}: {printed}"),
            None => assert_eq!(printed, *expected, "{line}"),
        }
    }
}

const ROWS: &[(&str, i32, &str)] = &[
    ("people add ann --name Ann", 0, "ann is known, with questions.answer.\n"),
    ("people add ann --name Ann", 0, "ann is known, with questions.answer.\n"),
    (
        "people add ann",
        1,
        "askrelay: the gateway refused\n  because INVALID_REQUEST: somebody is called 'ann' already\n",
    ),
    ("people grant ann sessions.write", 0, "ann holds questions.answer and sessions.write now.\n"),
    ("people revoke ann questions.answer", 0, "ann holds sessions.write now.\n"),
    ("people grant ann everything", 2, "askrelay: SCOPE: there is no right 'everything'; there are: …"),
    ("people link ann telegram/700100", 0, "telegram/700100 is ann now.\n"),
    (
        "people link ann 700100",
        2,
        "askrelay: SURFACE/USER: '700100' is no identity; write it as telegram/700100\n",
    ),
    (
        "people link ann telegram/@ann",
        2,
        "askrelay: SURFACE/USER: nobody on telegram has the id '@ann'; write it as telegram/700100, as…",
    ),
    ("people link ann discord/abc", 2, "askrelay: SURFACE/USER: nobody on discord has the id 'abc'; write…"),
    ("people link ann slack/U024BE7LH", 2, "askrelay: SURFACE/USER: nobody on slack has the id 'U024BE7LH'…"),
    (
        "people link ann pigeon/7",
        2,
        "askrelay: SURFACE/USER: this build of askrelay has no surface 'pigeon'; there…",
    ),
    (
        "people add eve --identity discord/eve",
        2,
        "askrelay: --identity: nobody on discord has the id 'eve'; write…",
    ),
    (
        "people link owner telegram/700100",
        1,
        "askrelay: the gateway refused\n  because INVALID_REQUEST: telegram/700100 belongs to 'ann'; unlink it there first\n",
    ),
    ("people show ann", 0, "ann, shown as Ann\n  holds sessions.write\n  is telegram/700100\n"),
    ("people unlink ann telegram/700100", 0, "telegram/700100 is not ann any more.\n"),
    ("people show eve", 1, "askrelay: nobody is called 'eve'; `askrelay people list` shows everybody\n"),
    (
        "people list",
        0,
        "ann  Ann  sessions.write\nowner  owner  questions.answer,sessions.write,questions.admin\n",
    ),
    (
        "people remove owner",
        1,
        "askrelay: the gateway refused\n  because INVALID_REQUEST: 'owner' is the last who holds questions.admin; grant it to somebody else first\n",
    ),
    ("people remove ann", 0, "ann is forgotten, with their tokens and the invites for them.\n"),
    ("pair list", 0, "Nobody waits.\n"),
    (
        "pair approve AAAA2222 --as ann",
        1,
        "askrelay: the gateway refused\n  because INVALID_REQUEST: nobody waits with the code 'AAAA2222'; `askrelay pair list` shows who does\n",
    ),
    ("pair reject AAAA2222", 1, "askrelay: the gateway refused\n  because INVALID_REQUEST: nobody waits…"),
    ("invite list", 0, "No invites are open.\n"),
    ("invite --as ann --expires soon", 2, "askrelay: --expires: expected a length of time such as…"),
    (
        "invite revoke none",
        1,
        "askrelay: the gateway refused\n  because INVALID_REQUEST: there is no invite 'none'\n",
    ),
    (
        "ask Go? --confirm --answerer eve",
        1,
        "askrelay: the gateway refused\n  because INVALID_REQUEST: invalid question.request params: at /answerers/0: nobody is called 'eve'; `askrelay people list` shows everybody\n",
    ),
];

#[test]
fn people_are_managed_without_a_server() {
    let program = Program::new();
    check(&program, ROWS);
    let trail = String::from_utf8(program.run(&["audit", "--person", "owner"]).stdout).unwrap();
    let words: Vec<&str> = trail.lines().filter_map(|line| line.split("  ").nth(1)).collect();
    assert_eq!(
        words,
        [
            "person.added",
            "person.added",
            "person.changed",
            "person.changed",
            "person.changed",
            "person.changed",
            "person.removed"
        ],
        "{trail}"
    );
}

#[test]
fn people_are_managed_through_the_server_that_runs() {
    let program = Program::new();
    let _server = program.serve();
    check(&program, &ROWS[..4]);
    let invited = String::from_utf8(program.run(&["invite", "--as", "bob"]).stdout).unwrap();
    let code = invited.lines().next().unwrap();
    assert!(invited.contains(&format!("/start {code}")), "{invited}");
    let listed = String::from_utf8(program.run(&["invite", "list"]).stdout).unwrap();
    let (id, _) = code.split_once('-').unwrap();
    assert!(listed.starts_with(&format!("{id}  bob  as usual  6d23h")), "{listed}");
    assert!(!listed.contains(code), "{listed}");
    check(&program, &[(&format!("invite revoke {id}"), 0, &format!("The invite {id} is revoked.\n"))]);
}

#[test]
fn the_trail_tells_what_became_of_an_ask() {
    let program = Program::new();
    let mut seat =
        program.at_terminal(&["ask", "Where to?", "-o", "Staging", "-o", "Production", "--id", "x"]);
    seat.shows("Where to?");
    seat.types("other: use password=hunter2");
    let (code, stdout, screen) = seat.ends();
    assert_eq!((code, stdout.as_str()), (0, "use password=hunter2\n"), "{screen}");
    let trail = String::from_utf8(program.run(&["audit", "--ask", "x"]).stdout).unwrap();
    let lines: Vec<&str> =
        trail.lines().filter_map(|line| line.split_once("  ")).map(|(_, rest)| rest).collect();
    let [opened, answered] = lines[..] else { panic!("{trail}") };
    assert_eq!(opened, "ask.opened  ask x  owner by a call");
    assert!(answered.starts_with("ask.answered  ask x  owner at the asking terminal"), "{answered}");
    assert!(answered.contains("answer: use password=[masked]"), "{answered}");
    assert!(!trail.contains("hunter2"), "{trail}");
    let json = String::from_utf8(program.run(&["audit", "--ask", "x", "--json"]).stdout).unwrap();
    let last: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!(
        (last["what"].as_str(), last["actor"]["way"].as_str()),
        (Some("ask.answered"), Some("askingTerminal"))
    );
}
