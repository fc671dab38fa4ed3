//! Draws a Prompt as readable text for the goldens. Decides nothing.

use std::fmt::Write as _;

use askrelay_core::limits::Limits;
use askrelay_core::prompt::{Body, Control, Look, Prompt, Row, Style};
use askrelay_core::token::{Press, Token};

/// The words of a body.
pub(crate) fn words(body: &Body) -> String {
    body.0.iter().map(|piece| piece.text.as_str()).collect()
}

/// All words of a Prompt.
pub(crate) fn all_words(prompt: &Prompt) -> String {
    prompt.messages.iter().map(words).collect::<Vec<_>>().join("\n")
}

/// A Prompt as text: styles as `*strong*` and `~quiet~`, links in `<>`, controls in brackets with their press.
pub(crate) fn render(prompt: &Prompt, limits: &Limits) -> String {
    let mut out = String::new();
    for (index, body) in prompt.messages.iter().enumerate() {
        let size = limits.unit.measure(&words(body));
        let _ = writeln!(out, "-- message {} of {}, {size} units", index + 1, prompt.messages.len());
        for piece in &body.0 {
            let text = &piece.text;
            let _ = match &piece.style {
                Style::Plain => write!(out, "{text}"),
                Style::Strong => write!(out, "*{text}*"),
                Style::Quiet => write!(out, "~{text}~"),
                Style::Link(url) if url == text => write!(out, "<{text}>"),
                Style::Link(url) => write!(out, "<{text}|{url}>"),
            };
        }
        out.push('\n');
    }
    for row in &prompt.controls {
        let _ = writeln!(out, "{}", row_text(row));
    }
    out
}

fn row_text(row: &Row) -> String {
    row.iter().map(control_text).collect::<Vec<_>>().join(" ")
}

fn control_text(control: &Control) -> String {
    match control {
        Control::Button { label, token, look, confirm } => {
            let look = match look {
                Look::Plain => "",
                Look::Primary => "!",
                Look::Danger => "x",
            };
            let confirm = confirm.as_deref().map(|question| format!(" ?{question}")).unwrap_or_default();
            format!("[{look} {label} |{}{confirm}]", press(token))
        }
        Control::Link { label, url } => format!("[{label} -> {url}]"),
        Control::Input { label, token, value, required, .. } => {
            let value = value.as_deref().map(|value| format!(" ={value}")).unwrap_or_default();
            let required = if *required { "!" } else { "" };
            format!("[input{required} {label}{value} |{}]", press(token))
        }
        Control::Menu { label, placeholder, token, entries, min, max } => {
            let label = label.as_deref().map(|label| format!("{label}: ")).unwrap_or_default();
            let entries = entries.iter().map(|entry| {
                let taken = if entry.taken { "*" } else { "" };
                let about = entry.description.as_deref().map(|text| format!(" ({text})")).unwrap_or_default();
                format!("\n  {taken}{}={}{about}", entry.value, entry.label)
            });
            format!(
                "[menu {label}{placeholder} {min}..={max} |{}{}]",
                press(token),
                entries.collect::<String>()
            )
        }
    }
}

fn press(token: &str) -> String {
    let token = Token::parse(token).expect("a control's token is a token");
    match token.press {
        Press::Choose { choice, .. } => format!("choose {choice}"),
        Press::Toggle { choice, on, .. } => format!("toggle {choice} {}", if on { "on" } else { "off" }),
        Press::Fill { question } => format!("fill {question}"),
        Press::Other { question } => format!("other {question}"),
        Press::UseDefault { question } => format!("default {question}"),
        Press::Step { question } => format!("step {question}"),
        Press::Page { page, .. } => format!("page {page}"),
        Press::Form => "form".to_owned(),
        Press::Submit => "submit".to_owned(),
        Press::Skip => "skip".to_owned(),
    }
}
