//! How long the functions of a file are, without blank lines and comments. Counts by tokens, so that braces in texts do not count.

use super::source::{Source, Token};

/// One function.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) lines: usize,
}

/// Every function with a body.
pub(super) fn lengths(source: &Source) -> Vec<Function> {
    let tokens = source.whole().tokens;
    let text: Vec<&str> = source.text.lines().map(str::trim).collect();
    let is_code =
        |line: usize| text.get(line - 1).is_some_and(|line| !line.is_empty() && !line.starts_with("//"));
    let mut functions = Vec::new();
    for (index, pair) in tokens.windows(2).enumerate() {
        // `fn(` is a type, not a function.
        if pair[0].text != "fn" || pair[1].text == "(" {
            continue;
        }
        if let Some(end) = body_end(&tokens[index..]) {
            let lines = (pair[0].line..=end).filter(|line| is_code(*line)).count();
            functions.push(Function { name: pair[1].text.clone(), line: pair[0].line, lines });
        }
    }
    functions
}

/// The line on which the body ends of the function that begins here; nothing for one without a body.
fn body_end(tokens: &[&Token]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_body = false;
    for token in tokens {
        match token.text.as_str() {
            "{" => {
                in_body |= depth == 0;
                depth += 1;
            }
            "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            ";" if depth == 0 => return None,
            _ => {}
        }
        if in_body && depth == 0 {
            return Some(token.line);
        }
    }
    None
}
