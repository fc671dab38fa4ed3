//! What a terminal is sent for a set of Prompts and widths, byte for byte.

use askrelay_core::prompt::{Body, Piece, Prompt, Style};
use askrelay_terminal::{Look, prompt};

fn piece(text: &str, style: Style) -> Piece {
    Piece { text: text.to_owned(), style }
}

fn plain(text: &str) -> Piece {
    piece(text, Style::Plain)
}

fn prompt_of(pieces: Vec<Piece>) -> Prompt {
    Prompt { messages: vec![Body(pieces)], controls: Vec::new() }
}

fn deploy() -> Prompt {
    prompt_of(vec![
        piece("Deploy", Style::Strong),
        plain("\nWhere should this release of the payment service go before the weekend starts?\n\n"),
        plain("1. Staging "),
        piece("safe first, with the data of last night and nobody who notices when it breaks", Style::Quiet),
        plain("\n2. Production\n#3 A label with its number\n\n"),
        piece("Reply with a number or your own words, or /skip.", Style::Quiet),
    ])
}

#[test]
fn prompts_as_they_are_sent() {
    let link = "https://example.org/releases/2026-11-30";
    let prompts = [
        ("a choice", deploy()),
        (
            "links",
            prompt_of(vec![
                piece("the release", Style::Link(link.to_owned())),
                plain("\n"),
                piece(link, Style::Link(link.to_owned())),
            ]),
        ),
        (
            "wide characters",
            prompt_of(vec![plain("1. どの環境にこのリリースを展開しますか。\n2. 👩‍👩‍👧‍👦 family 👍🏽 ok")]),
        ),
        ("a word longer than the line", prompt_of(vec![plain(&format!("see {} now", "x".repeat(60)))])),
        (
            "control characters",
            prompt_of(vec![plain("a\u{1b}[31mred\u{7}\ttab\r\nnext\rback\u{202e}evil\u{9b}0m")]),
        ),
        ("spaces", prompt_of(vec![plain("  two before\n\n   \nafter an empty line   ")])),
        (
            "two messages",
            Prompt {
                messages: vec![Body(vec![plain("First")]), Body(vec![plain("Second")])],
                controls: Vec::new(),
            },
        ),
        ("nothing", Prompt { messages: Vec::new(), controls: Vec::new() }),
    ];
    let mut golden = String::new();
    for (name, shown) in &prompts {
        for (how, look) in [
            ("80 columns, styled", Look { columns: 80, styled: true }),
            ("30 columns, plain", Look { columns: 30, styled: false }),
        ] {
            golden.push_str(&format!("=== {name}, {how}\n"));
            // Escapes made visible, so that the golden is text.
            golden.push_str(&prompt(shown, &look).replace('\u{1b}', "␛[ESC]"));
        }
    }
    insta::assert_snapshot!(golden);
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for columns in [16, 17, 40, 80, 200] {
        for line in prompt(&deploy(), &Look { columns, styled: false }).lines() {
            let width = askrelay_core::limits::Unit::Columns.measure(line);
            assert!(width <= columns, "{width} of {columns} columns: {line}");
        }
    }
}
