//! Tables of command lines: what they ask for, and what is said when they are wrong.

use askrelay_core::answer::Answers;
use clap::Parser;

use super::*;
use crate::args::{Cli, Command};

const ASK_JSON: &str = r#"{
    "id": "ask_1",
    "questions": [
        {"questionId": "target", "question": "Where to?",
            "options": [{"label": "Staging"}, {"label": "Production", "destructive": true}]},
        {"questionId": "name", "question": "Which name?", "isOther": true}
    ],
    "timeoutMs": 60000,
    "agentId": "ci",
    "places": ["ops"]
}"#;

fn args(line: &[&str]) -> AskArgs {
    let line = ["askrelay", "ask"].iter().chain(line);
    match Cli::try_parse_from(line).unwrap_or_else(|error| panic!("{error}")).command {
        Command::Ask(args) => *args,
        other => panic!("{other:?}"),
    }
}

fn read(line: &[&str]) -> Result<AskParams, Misused> {
    input(&args(line), Span::seconds(900)).map(|wanted| wanted.params)
}

/// A readable form of what is asked for.
fn shown(params: &AskParams) -> String {
    let mut text = String::new();
    for question in &params.questions {
        text.push_str(&format!("  {}\n", serde_json::to_string(question).unwrap()));
    }
    let AskParams { id, origin, wait, answerers, places, when_unanswered, .. } = params;
    text.push_str(&format!("  wait {}", wait.map(span::show).unwrap_or_default()));
    if let Some(id) = id {
        text.push_str(&format!(", id {id}"));
    }
    if *origin != Origin::default() {
        text.push_str(&format!(", origin {}", serde_json::to_string(origin).unwrap()));
    }
    if !places.is_empty() {
        text.push_str(&format!(", to {places:?}"));
    }
    if !answerers.is_empty() {
        let names: Vec<&str> = answerers.iter().map(|name| name.as_str()).collect();
        text.push_str(&format!(", only {}", names.join(" and ")));
    }
    if *when_unanswered != WhenUnanswered::Fail {
        text.push_str(&format!(", {}", serde_json::to_string(when_unanswered).unwrap()));
    }
    text + "\n"
}

fn golden(lines: &[&[&str]]) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(&format!("$ askrelay ask {line:?}\n"));
        text.push_str(&match read(line) {
            Ok(params) => shown(&params),
            Err(misused) => format!("  {misused}\n"),
        });
    }
    text
}

#[test]
fn command_lines_and_what_they_ask_for() {
    let text = golden(&[
        &["Where to?", "-o", "Staging (Recommended)=safe first", "-o", "Production"],
        &[
            "Which?",
            "-o",
            r"a\=b=c=d",
            "-o",
            r"\=",
            "-o",
            " spaced = meaning ",
            "-o",
            "empty=",
            "-o",
            r"C:\dir",
        ],
        &[
            "Which signals?",
            "--multi",
            "--min",
            "1",
            "--max",
            "2",
            "-o",
            "Logs",
            "-o",
            "Traces",
            "--no-other",
        ],
        &["Delete it?", "--confirm", "--when-unanswered", "default", "--default", "false"],
        &["What name?", "--text", "--placeholder", "a bird"],
        &["What name?"],
        &["How many?", "--when-unanswered", "default", "--default", "3", "--timeout", "1h30m"],
        &[
            "Which?",
            "--multi",
            "-o",
            "A",
            "-o",
            "B",
            "--when-unanswered",
            "default",
            "--default",
            r#"["B","A"]"#,
        ],
        &["Go?", "--confirm", "--default", r#"{"answer": "No"}"#, "--when-unanswered", "default"],
        &[
            "Go?",
            "--confirm",
            "--to",
            "ops",
            "--to",
            "telegram/main/1",
            "--answerer=ann",
            "--agent",
            "ci",
            "--session",
            "s",
            "--run",
            "r",
            "--label",
            "l",
            "--id",
            "ask_7",
        ],
        &["Go?", "--confirm", "--when-unanswered", "fail"],
        &["--confirm", "--", "-dashed?"],
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn command_lines_and_what_is_wrong_with_them() {
    let text = golden(&[
        &[],
        &["  ", "--confirm"],
        &[
            "Which?",
            "-o",
            "A",
            "-o",
            "A",
            "-o",
            "=meaning",
            "--min",
            "0",
            "--max",
            "two",
            "--timeout",
            "15",
            "--default",
            "x",
        ],
        &["Which?", "-o", "A", "--confirm", "--text", "--multi", "--no-other", "--placeholder", "p"],
        &["Which?", "-o", "A", "-o", "B", "--no-other", "--placeholder", "p"],
        &["Which?", "--multi"],
        &["Which?", "--multi", "-o", "A", "-o", "B", "--no-other", "--min", "3", "--max", "1"],
        &["Which?", "-o", "A", "--when-unanswered", "default"],
        &["Which?", "-o", "A", "--no-other", "--when-unanswered", "default", "--default", "\"B\""],
        &["Which?", "-o", "A", "--when-unanswered", "default", "--default", "A"],
        &[
            "Which?",
            "-o",
            "A",
            "--when-unanswered",
            "default",
            "--default",
            r#"{"other": 1, "answer": null}"#,
        ],
        &["Which?", "-o", "A", "--when-unanswered", "default", "--default", "[[1]]"],
        &["Go?", "--confirm", "--timeout", "31d", "--to", "", "--answerer", "", "--agent", " ", "--id", ""],
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn choices_that_destroy_something() {
    let text = golden(&[
        &["The backups?", "-o", "Keep", "-o", "Delete all=for good", "--destructive", "Delete all"],
        &["Delete it?", "--confirm", "--destructive", "Yes"],
        &["Which?", "-o", "Keep", "-o", "Delete", "--destructive", "Delet", "--destructive", "Delete"],
        &["Which?", "--destructive", "Delete"],
        &["Delete it?", "--confirm", "--destructive", "yes"],
        &["--file", "missing.json", "--destructive", "Delete"],
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn a_file_is_the_ask_and_arguments_win_over_it() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("ask.json");
    std::fs::write(&path, ASK_JSON).unwrap();
    let file = path.to_str().unwrap();
    let default = r#"{"target": "Staging", "name": 7}"#;
    let rows: [&[&str]; 3] = [
        &["--file", file],
        &[
            "--file",
            file,
            "--timeout",
            "2h",
            "--to",
            "me",
            "--agent",
            "local",
            "--label",
            "l",
            "--id",
            "ask_2",
        ],
        &["--file", file, "--when-unanswered", "default", "--default", default],
    ];
    let text: String = rows.iter().map(|line| shown(&read(line).unwrap())).collect();
    insta::assert_snapshot!(text);
}

#[test]
fn everything_wrong_with_a_file_is_said_with_its_path() {
    let scratch = tempfile::tempdir().unwrap();
    let rows: [(&str, &str, &[&str]); 4] = [
        ("no JSON", "{", &["--timeout", "soon"]),
        (
            "wrong shapes",
            r#"{"questions": [{"questionId": 1, "question": "Q", "option": []}], "timeout": 1}"#,
            &[],
        ),
        (
            "broken contract",
            r#"{"questions": [{"questionId": "a", "question": "Q", "options": [{"label": "A"}, {"label": " "}]}], "timeoutMs": 1}"#,
            &["Another question?", "-o", "A"],
        ),
        ("one value for two questions", ASK_JSON, &["--when-unanswered", "default", "--default", "\"A\""]),
    ];
    let mut text = String::new();
    for (name, json, more) in rows {
        let path = scratch.path().join("ask.json");
        std::fs::write(&path, json).unwrap();
        let line: Vec<&str> =
            ["--file", path.to_str().unwrap()].into_iter().chain(more.iter().copied()).collect();
        let misused = read(&line).unwrap_err().to_string();
        text.push_str(&format!("{name}: {}\n", misused.replace(scratch.path().to_str().unwrap(), "DIR")));
    }
    let missing = scratch.path().join("missing.json");
    let misused = read(&["--file", missing.to_str().unwrap()]).unwrap_err().to_string();
    assert!(misused.contains("missing.json") && misused.contains("cannot read"), "{misused}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_schema_makes_the_questions_and_types_the_answers() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("schema.json");
    let schema = r#"{"type": "object", "required": ["Region", "replicas"], "properties": {
        "Region": {"type": "string", "enum": ["eu", "us"], "description": "Which region?"},
        "replicas": {"type": "integer", "minimum": 1},
        "dryRun": {"type": "boolean"}
    }}"#;
    std::fs::write(&path, schema).unwrap();
    let file = path.to_str().unwrap();
    let default = r#"{"Region": "us", "replicas": 2}"#;
    let line = ["--schema", file, "--when-unanswered", "default", "--default", default];
    let wanted = input(&args(&line), Span::seconds(900)).unwrap();
    let WhenUnanswered::Default(values) = wanted.params.when_unanswered else { panic!("it has a default") };
    let answers = askrelay_core::answer::canonical(&wanted.params.questions, &Answers(values)).unwrap();
    let typed = wanted.form.unwrap().typed(&answers).unwrap();
    assert_eq!(typed, serde_json::from_str::<serde_json::Value>(default).unwrap());

    let wrong = ["Another?", "--schema", file, "--when-unanswered", "default", "--default"];
    for (default, expected) in
        [("{\"region\": 1}", "no property 'region'"), ("3", "object"), ("{}", "--default")]
    {
        let line: Vec<&str> = wrong.into_iter().chain([default]).collect();
        let misused = read(&line).unwrap_err().to_string();
        assert!(misused.contains(expected) && misused.contains("--schema; leave one"), "{misused}");
    }
}

#[test]
fn everything_wrong_with_a_schema_is_said_with_its_path() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("schema.json");
    let mut text = String::new();
    for schema in ["[", r#"{"type": "array", "properties": {"a": {"type": "object"}, "b": {}}}"#] {
        std::fs::write(&path, schema).unwrap();
        let line = ["--schema", path.to_str().unwrap(), "--file", "other.json"];
        let misused = read(&line[..2]).unwrap_err().to_string();
        text.push_str(&format!("{}\n", misused.replace(scratch.path().to_str().unwrap(), "DIR")));
        assert!(read(&line).unwrap_err().to_string().contains("--schema: cannot be used with --file"));
    }
    insta::assert_snapshot!(text);
}
