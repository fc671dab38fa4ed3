//! A step of a plan asks a person: read from YAML or JSON, its templates filled in from earlier results, its result printed.

use std::path::Path;

use crate::program::Program;

/// A step that has a default; `no` is a word here, and the prompt lists what earlier steps found.
const STEP: &str = r#"
id: E1
tool_name: ask
reasoning: only its person knows
input:
  prompt: |-
    Which of {{E0.candidates.length}}?
    {{#E0.candidates}}- {{name}}{{^@last}}
    {{/@last}}{{/E0.candidates}}
  outputSchema:
    type: object
    properties:
      repo: { type: string, enum: "{{E0.names}}", description: The repository }
    required: [repo]
  whenUnanswered: default
  default: { repo: "{{E0.names.0}}" }
"#;

const FAIL: &str = r#"{
  "id": "E2", "tool_name": "ask",
  "input": { "prompt": "How many?", "outputSchema": { "properties": { "n": { "type": "integer" } }, "required": ["n"] } }
}"#;

const RESULTS: &str =
    r#"{ "E0": { "candidates": [{ "name": "askrelay" }, { "name": "no" }], "names": ["askrelay", "no"] } }"#;

/// The files of a step, and the arguments that name them.
fn arguments(home: &Path, step: &str) -> [String; 5] {
    let [step_file, results] = ["step.yaml", "results.json"].map(|name| home.join(name));
    std::fs::write(&step_file, step).unwrap();
    std::fs::write(&results, RESULTS).unwrap();
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    ["ask".to_owned(), "--step".to_owned(), path(&step_file), "--context".to_owned(), path(&results)]
}

fn check(step: &str, shows: &str, types: &str, code: u32, stdout: &str, screen: &str) {
    let program = Program::new();
    let arguments = arguments(program.home(), step);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut seat = program.at_terminal(&arguments);
    seat.shows(shows);
    seat.types(types);
    let (found, output, seen) = seat.ends();
    assert_eq!((found, output.as_str()), (code, stdout), "{step}\n{seen}");
    assert!(seen.contains(screen), "no {screen:?} in\n{seen}");
}

#[test]
fn a_person_answers_a_step() {
    let answered = "{\"answer\":{\"repo\":\"no\"},\"answered\":true}\n";
    check(STEP, "- no", "2", 0, answered, "Which of 2?");
    let default = "{\"answer\":{\"repo\":\"askrelay\"},\"answered\":false,\"reason\":\"declined\"}\n";
    check(STEP, "- askrelay", "/skip", 3, default, "nobody's answer");
    check(FAIL, "How many?", "7", 0, "{\"answer\":{\"n\":7},\"answered\":true}\n", "7");
    check(FAIL, "How many?", "/skip", 3, "", "\"whenUnanswered\": \"default\"");
}

#[test]
fn a_step_that_reaches_nobody_has_its_default_or_fails() {
    let program = Program::new();
    let default = "{\"answer\":{\"repo\":\"askrelay\"},\"answered\":false,\"reason\":\"unavailable\"}\n";
    for (step, stdout) in [(STEP, default), (FAIL, "")] {
        let arguments = arguments(program.home(), step);
        let output = program.run(&arguments.each_ref().map(String::as_str));
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), stdout);
    }
}

#[test]
fn what_is_wrong_with_a_step_is_told_with_its_place() {
    let program = Program::new();
    for (step, more, words) in [
        (
            "id: E1\ntool_name: exit\ninput:\n  prompt: 'In {{E9.x}}?'\n  outputSchema: {}\n",
            vec![],
            vec![
                "step.yaml at /tool_name: must be ask",
                "at /input/prompt: {{E9.x}}: the context has no 'E9'; it has E0",
                "at /input/outputSchema/properties: must be an object with at least one property",
            ],
        ),
        ("id: E1\n  tool_name: [ask", vec![], vec!["step.yaml: ", "line"]),
        ("id: E1\nid: E2\ntool_name: ask\ninput: {}\n", vec![], vec!["step.yaml: ", "duplicate"]),
        (
            FAIL,
            vec!["Why?", "--schema", "x", "--default", "1"],
            vec!["--step: cannot be used with --schema", "--default: is for the step's own input to say"],
        ),
    ] {
        let arguments = arguments(program.home(), step);
        let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        arguments.extend(more);
        let output = program.run(&arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        for word in words {
            assert!(told.contains(word), "no {word:?} in\n{told}");
        }
    }
    let output = program.run(&["ask", "--confirm", "Go?", "--context", "results.json"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--context: needs --step"));
}
