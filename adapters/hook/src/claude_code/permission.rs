//! A permission as a question: the tool and what it is to do, as far as a chat may carry it, and the answer as a decision. Masks
//! secrets by [`masked`] and grants nothing for later.

use askrelay_core::answer::Answered;
use askrelay_core::ask::{Choice, Question};
use askrelay_core::audit::masked;
use serde_json::{Map, Value, json};

use super::event::Event;
use super::who;
use crate::Left;

const ALLOW: &str = "Allow";
const DENY: &str = "Deny";

/// The id of the one question.
const QUESTION_ID: &str = "permission";

/// Most characters of the input that are shown; what decides is shown whole or left to the terminal.
const INPUT_MAX: usize = 3000;

/// Members that hold contents, which may be shortened.
const CONTENTS: [&str; 7] = ["content", "new_source", "new_string", "old_string", "plan", "prompt", "query"];

/// Most characters of one of them.
const CONTENT_MAX: usize = 600;

/// Members that say most, which stand first.
const FIRST: [&str; 6] = ["command", "file_path", "notebook_path", "path", "url", "description"];

/// May the tool do this?
pub(super) fn question(event: &Event) -> Result<Question, Left> {
    if event.tool.is_empty() {
        return Err(Left::Malformed { path: "/tool_name".to_owned(), expected: "text" });
    }
    let place = event.project.as_ref().map(|project| format!(" in {project}")).unwrap_or_default();
    let shown = shown(&event.input);
    if shown.chars().count() > INPUT_MAX {
        return Err(Left::TooLong);
    }
    let choice =
        |label: &str, about: &str| Choice { description: Some(about.to_owned()), ..Choice::new(label) };
    Ok(Question {
        id: QUESTION_ID.into(),
        header: "Permission".to_owned(),
        text: format!("May Claude Code use {}{place}?{shown}", event.tool),
        choices: vec![choice(ALLOW, "this once"), choice(DENY, "your own words deny too, and tell why")],
        other: true,
        placeholder: Some("Why not, or what to do instead".to_owned()),
        ..Question::default()
    })
}

/// One line for every member, the telling ones first.
fn shown(input: &Map<String, Value>) -> String {
    let mut names: Vec<&String> = input.keys().collect();
    names.sort_by_key(|name| (FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len()), *name));
    let lines = names.into_iter().map(|name| {
        let value = match &input[name] {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        // With its name before it, since that is what tells some secrets.
        let line = masked(&format!("{name}: {value}"));
        if CONTENTS.contains(&name.as_str()) { shortened(&line) } else { line }
    });
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() { String::new() } else { format!("\n\n{}", lines.join("\n")) }
}

fn shortened(line: &str) -> String {
    let count = line.chars().count();
    if count <= CONTENT_MAX {
        return line.to_owned();
    }
    let kept: String = line.chars().take(CONTENT_MAX).collect();
    format!("{kept}… ({} characters more at the terminal)", count - CONTENT_MAX)
}

/// Allow as it stands, or deny with what the person said. A permission cannot carry words, so an Allow with a remark is given
/// back to the agent with it: the remark may be a condition.
pub(super) fn decision(tool: &str, input: &Map<String, Value>, answered: &Answered) -> Value {
    let id = QUESTION_ID.into();
    let value = answered.answers.of(&id).first().map_or(DENY, String::as_str);
    let remark = answered.notes.get(&id);
    let who = who(answered);
    let message = match (value, remark) {
        (ALLOW, None) => return allowed(tool, input),
        (ALLOW, Some(remark)) => {
            format!("Not as asked. {who}, would allow it with this remark: {remark}\nHeed it, and ask again.")
        }
        (DENY, None) => format!("Denied by {who}."),
        (DENY, Some(remark)) => format!("Denied by {who}: {remark}"),
        (words, _) => format!("Denied by {who}: {words}"),
    };
    output(json!({ "behavior": "deny", "message": message }))
}

fn allowed(tool: &str, input: &Map<String, Value>) -> Value {
    // A plan that a person has approved is told from a hook's own opinion by nothing else.
    if tool == "ExitPlanMode" {
        return output(json!({ "behavior": "allow", "updatedInput": input }));
    }
    output(json!({ "behavior": "allow" }))
}

fn output(decision: Value) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } })
}
