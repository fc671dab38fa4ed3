//! The project's files, and Rust files as tokens with their lines, with and without their tests. Comments and documentation are
//! not code.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::LazyLock;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What is not ours or is made by tools.
const SKIPPED: [&str; 5] = [".git", "target", "node_modules", "__pycache__", ".venv"];

/// One Rust file.
pub(super) struct Source {
    /// From the root of the project, with `/`.
    pub(super) path: String,
    pub(super) text: String,
    tokens: Vec<Token>,
}

/// Code as a flat list of tokens.
pub(super) struct Code<'a> {
    pub(super) tokens: Vec<&'a Token>,
}

/// A word, a sign, a literal, or one side of a bracket.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) line: usize,
    for_tests: bool,
}

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of the project, from its root.
pub(super) fn files() -> Vec<String> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in folder.read_dir().expect("a folder can be listed") {
            let path = entry.expect("an entry can be read").path();
            if SKIPPED.iter().any(|skipped| path.ends_with(skipped)) {
                continue;
            }
            if path.is_dir() {
                walk(&path, found);
            } else {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(root(), &mut found);
    let relative =
        |path: PathBuf| path.strip_prefix(root()).expect("below the root").to_str().map(str::to_owned);
    let mut paths: Vec<String> = found.into_iter().filter_map(relative).collect();
    paths.sort();
    paths
}

/// Every Rust file of the project, read once.
pub(super) fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
        let rust = files().into_iter().filter(|path| path.ends_with(".rs"));
        rust.map(Source::read).collect()
    });
    &SOURCES
}

impl Source {
    fn read(path: String) -> Self {
        let text = std::fs::read_to_string(root().join(&path)).expect("a source is text");
        Self::of(&path, &text)
    }

    /// A file of this path and text.
    pub(super) fn of(path: &str, text: &str) -> Self {
        let stream = TokenStream::from_str(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut tokens = Vec::new();
        flatten(stream, is_test(path), &mut tokens);
        Self { path: path.to_owned(), text: text.to_owned(), tokens }
    }

    /// Whether the whole file is only there for tests.
    pub(super) fn is_test(&self) -> bool {
        is_test(&self.path)
    }

    /// All of it.
    pub(super) fn whole(&self) -> Code<'_> {
        Code { tokens: self.tokens.iter().collect() }
    }

    /// What is compiled into the program.
    pub(super) fn code(&self) -> Code<'_> {
        Code { tokens: self.tokens.iter().filter(|token| !token.for_tests).collect() }
    }

    /// What is compiled for tests only.
    pub(super) fn tests(&self) -> Code<'_> {
        Code { tokens: self.tokens.iter().filter(|token| token.for_tests).collect() }
    }
}

fn is_test(path: &str) -> bool {
    path.starts_with("tests/")
        || path.contains("/benches/")
        || path.contains("/tests/")
        || path.ends_with("/tests.rs")
        || path.ends_with("/contract.rs")
        || path.contains("/contract/")
}

impl Code<'_> {
    /// Lines of `allow` and `expect` attributes that give no reason.
    pub(super) fn exceptions(&self) -> Vec<usize> {
        let mut lines = Vec::new();
        for (index, pair) in self.tokens.windows(3).enumerate() {
            let is_attribute = pair[0].text == "[" && ["allow", "expect"].contains(&pair[1].text.as_str());
            if is_attribute && pair[2].text == "(" {
                let rest = &self.tokens[index..];
                let end = rest.iter().position(|token| token.text == "]").unwrap_or(rest.len());
                if !rest[..end].iter().any(|token| token.text == "reason") {
                    lines.push(pair[1].line);
                }
            }
        }
        lines
    }
}

/// Lines on which this sequence of tokens begins.
pub(super) fn has_sequence(code: &Code<'_>, sequence: &[&str]) -> Vec<usize> {
    let fits = |window: &&[&Token]| window.iter().zip(sequence).all(|(token, wanted)| token.text == *wanted);
    code.tokens.windows(sequence.len()).filter(fits).map(|window| window[0].line).collect()
}

/// Uses of these parts of the standard library, as a path or in a `use` list.
pub(super) fn uses_std(code: &Code<'_>, parts: &[&str]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, window) in code.tokens.windows(3).enumerate() {
        if [&window[0].text, &window[1].text, &window[2].text] != ["std", ":", ":"] {
            continue;
        }
        let after = &code.tokens[index + 3..];
        let end = match after.first() {
            Some(token) if token.text == "{" => after.iter().position(|token| token.text == ";").unwrap_or(0),
            _ => 1,
        };
        let used = after.iter().take(end).filter(|token| parts.contains(&token.text.as_str()));
        found.extend(used.map(|token| (token.line, token.text.clone())));
    }
    found
}

/// Puts a stream's tokens behind each other, leaving documentation out. What follows `#[cfg(test)]` or `#[test]`, up to the end
/// of its item, is for tests.
fn flatten(stream: TokenStream, in_tests: bool, out: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    let mut item_is_test = false;
    while let Some(tree) = trees.next() {
        let for_tests = in_tests || item_is_test;
        match tree {
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                let inner = trees.next_if(|next| next.to_string() == "!");
                let Some(TokenTree::Group(attribute)) =
                    trees.next_if(|next| matches!(next, TokenTree::Group(_)))
                else {
                    continue;
                };
                let words = attribute.stream().to_string().replace(' ', "");
                item_is_test |= words == "cfg(test)" || words == "test" || words == "tokio::test";
                if !words.starts_with("doc=") {
                    let for_tests = in_tests || item_is_test;
                    out.push(token(&TokenTree::Punct(sign), for_tests));
                    out.extend(inner.map(|sign| token(&sign, for_tests)));
                    flatten_group(&attribute, for_tests, out);
                }
            }
            TokenTree::Group(group) => {
                flatten_group(&group, for_tests, out);
                // An item ends with its body.
                item_is_test &= group.delimiter() != Delimiter::Brace;
            }
            other => {
                out.push(token(&other, for_tests));
                item_is_test &= other.to_string() != ";";
            }
        }
    }
}

fn flatten_group(group: &proc_macro2::Group, for_tests: bool, out: &mut Vec<Token>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    };
    let side = |text: &str, span: proc_macro2::Span| Token {
        text: text.to_owned(),
        line: span.start().line,
        for_tests,
    };
    out.push(side(open, group.span_open()));
    flatten(group.stream(), for_tests, out);
    out.push(side(close, group.span_close()));
}

fn token(tree: &TokenTree, for_tests: bool) -> Token {
    Token { text: tree.to_string(), line: tree.span().start().line, for_tests }
}
