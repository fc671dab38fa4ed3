//! What a gateway lets through although no model asks it: blank and endless texts. All of it is shown, and a tap gives back the
//! label as the gateway has it.

use serde_json::{Value, json};

use super::joined;
use crate::phone::retired;

fn rows() -> Vec<(&'static str, Value, Value)> {
    let two = |text: &str, first: &str| {
        json!([{ "questionId": "q", "header": "", "question": text, "isOther": true,
            "options": [{ "label": first }, { "label": "Other…" }] }])
    };
    let long = "x".repeat(10_000);
    vec![
        ("a label with blanks around it", two("Odd?", "  Yes "), json!({ "q": ["  Yes "] })),
        ("a blank question", two("   ", "Yes"), json!({ "q": ["Yes"] })),
        ("a text of a megabyte", two(&"Odd? ".repeat(200_000), "Yes"), json!({ "q": ["Yes"] })),
        ("an endless word", two(&"x".repeat(1 << 20), "Yes"), json!({ "q": ["Yes"] })),
        ("a long label", two("Odd?", &long), json!({ "q": [long] })),
        (
            "a long id",
            json!([{ "questionId": "q".repeat(500), "header": "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "question": "Odd?",
                "options": [{ "label": "Yes" }, { "label": "No" }] }]),
            json!({ "q".repeat(500): ["Yes"] }),
        ),
    ]
}

#[test]
fn whatever_a_gateway_lets_through_is_shown_and_answered() {
    let (gateway, phone, _server) = joined();
    for (name, questions, expected) in rows() {
        let before = phone.chat.messages().len();
        let id = gateway.ask(json!({ "questions": questions }));
        let message = phone.chat.wait(name, |seen| {
            seen.iter().skip(before).find(|seen| !seen.buttons.is_empty()).map(|seen| seen.id)
        });
        phone.owner.tap_at(&phone.chat, message, 0);
        assert_eq!(gateway.wait_end(&id).answers, expected, "{name}");
        retired(&phone.chat, message, "By owner");
    }
}
