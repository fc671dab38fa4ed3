//! The agent's own question tool: its questions as ours, and our answers as the tool takes them. What an answer may be is the
//! gateway's.

use std::collections::BTreeSet;

use askrelay_core::answer::Answered;
use askrelay_core::ask::{Choice, Question};
use serde_json::{Map, Value, json};

use super::who;
use crate::Left;

/// Most questions of one use of the tool.
const QUESTIONS_MAX: usize = 4;

/// Most characters of the sketch beside a choice.
const PREVIEW_MAX: usize = 600;

/// The questions of the tool's input.
pub(super) fn questions(input: &Map<String, Value>) -> Result<Vec<Question>, Left> {
    if input.get("answers").is_some_and(|answers| answers.as_object().is_none_or(|of| !of.is_empty())) {
        return Err(Left::AnsweredBefore);
    }
    let path = "/tool_input/questions";
    let all = input.get("questions").and_then(Value::as_array);
    let all = all.filter(|all| (1..=QUESTIONS_MAX).contains(&all.len()));
    let all = all.ok_or_else(|| malformed(path.to_owned(), "list of one to four questions"))?;
    let questions: Vec<Question> = all
        .iter()
        .enumerate()
        .map(|(index, asked)| question(index, asked, &format!("{path}/{index}")))
        .collect::<Result<_, _>>()?;
    let texts: BTreeSet<&str> = questions.iter().map(|question| question.text.as_str()).collect();
    // Answers are told apart by the text of their question alone.
    if texts.len() < questions.len() {
        return Err(Left::NotAskable(vec!["two questions have the same text".to_owned()]));
    }
    all.iter().zip(questions).map(|(asked, question)| Ok(with_previews(asked, question))).collect()
}

fn question(index: usize, asked: &Value, path: &str) -> Result<Question, Left> {
    let text = asked.get("question").and_then(Value::as_str);
    let options = match asked.get("options") {
        None => &Vec::new(),
        Some(Value::Array(options)) => options,
        Some(_) => return Err(malformed(format!("{path}/options"), "list")),
    };
    let choices = options.iter().enumerate().map(|(at, option)| {
        let label = option.get("label").and_then(Value::as_str);
        let label = label.ok_or_else(|| malformed(format!("{path}/options/{at}/label"), "text"))?;
        let description = option.get("description").and_then(Value::as_str);
        let description = description.filter(|text| !text.trim().is_empty()).map(str::to_owned);
        Ok(Choice { description, ..Choice::new(label) })
    });
    let choices = choices.collect::<Result<Vec<_>, Left>>()?;
    Ok(Question {
        id: format!("q{}", index + 1).into(),
        header: asked.get("header").and_then(Value::as_str).unwrap_or_default().to_owned(),
        text: text.ok_or_else(|| malformed(format!("{path}/question"), "text"))?.to_owned(),
        multi_select: asked.get("multiSelect").and_then(Value::as_bool).unwrap_or(false)
            && !choices.is_empty(),
        // The tool always takes own words.
        other: !choices.is_empty(),
        choices,
        ..Question::default()
    })
}

/// The sketches that the terminal shows beside choices, below the question.
fn with_previews(asked: &Value, mut question: Question) -> Question {
    let options = asked.get("options").and_then(Value::as_array).into_iter().flatten();
    for (option, choice) in options.zip(&question.choices) {
        let Some(preview) = option.get("preview").and_then(Value::as_str) else { continue };
        if !preview.trim().is_empty() {
            let mut shown: String = preview.chars().take(PREVIEW_MAX).collect();
            if shown.len() < preview.len() {
                shown.push('…');
            }
            question.text.push_str(&format!("\n\n{}:\n{}", choice.label, shown.trim_end()));
        }
    }
    question
}

/// Runs the tool with the answers in its input.
pub(super) fn decision(questions: &[Question], input: &Map<String, Value>, answered: &Answered) -> Value {
    let asked = input.get("questions").and_then(Value::as_array).into_iter().flatten();
    let texts: Vec<&str> = asked.filter_map(|asked| asked.get("question")?.as_str()).collect();
    let answers: Map<String, Value> = texts
        .iter()
        .zip(questions)
        .map(|(text, question)| {
            let values = answered.answers.of(&question.id).join(", ");
            ((*text).to_owned(), Value::String(values))
        })
        .collect();
    let mut updated = input.clone();
    updated.insert("answers".to_owned(), Value::Object(answers));
    let mut output = json!({
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "permissionDecisionReason": format!("Answered by {}.", who(answered)),
        "updatedInput": updated,
    });
    let remarks: Vec<String> = texts
        .iter()
        .zip(questions)
        .filter_map(|(text, question)| {
            Some(format!("Remark on “{text}”: {}", answered.notes.get(&question.id)?))
        })
        .collect();
    if !remarks.is_empty() {
        output["additionalContext"] = remarks.join("\n").into();
    }
    json!({ "hookSpecificOutput": output })
}

/// Tells the agent that there will be no answer.
pub(super) fn declined(who: &str) -> Value {
    let reason = format!("Declined by {who}: there is no answer. Carry on with your best judgement.");
    json!({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    })
}

fn malformed(path: String, expected: &'static str) -> Left {
    Left::Malformed { path, expected }
}
