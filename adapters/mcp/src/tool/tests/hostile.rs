//! Whatever a client sends: no call panics, what is refused is refused in the tool's own schema, and what is understood can be asked.

use askrelay_protocol::frame::Caps;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::keeps;
use crate::elicitation::{form, read as read_content};
use crate::human::MultiSelect;
use crate::tool::*;

/// Values near what tools take, so that they get past the first check.
fn values() -> impl Strategy<Value = Value> {
    let words = [
        "",
        " ",
        "a",
        "A",
        "Other",
        "other…",
        "é",
        "e\u{301}",
        "{{E0.x}}",
        "{{#E0}}{{x}}{{/E0}}",
        "{{",
        "None of these",
    ];
    let kinds =
        ["object", "array", "string", "integer", "number", "boolean", "fail", "default", "keep", "withdraw"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i64..40).prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
        prop::sample::select(kinds.to_vec()).prop_map(Value::from),
        "\\PC{0,80}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(names(), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn names() -> impl Strategy<Value = String> {
    let known = [
        "questions",
        "id",
        "header",
        "question",
        "options",
        "label",
        "description",
        "multiSelect",
        "timeoutSeconds",
        "default",
        "allow_free_text",
        "timeout_ms",
        "min",
        "max",
        "placeholder",
        "prompt",
        "outputSchema",
        "type",
        "properties",
        "required",
        "enum",
        "whenUnanswered",
        "context",
        "E0",
        "x",
        "idempotency_key",
        "on_cancel",
        "ask_id",
        "message",
        "verbose",
        "choice",
        "choices",
        "free_text",
        "choices_text",
        "items",
    ];
    prop_oneof![9 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,8}"]
}

fn objects() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map(names(), values(), 0..8).prop_map(|members| members.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_is_worse_than_refused(arguments in objects(), content in objects()) {
        let settings = Settings::default();
        for tool in tools(&settings) {
            match read(tool.name, &arguments, &settings) {
                Ok(Meant::Ask(asked)) => {
                    let params = asked.wanted.params;
                    prop_assert_eq!(params.clone().faults(Caps::WIDE), vec![]);
                    prop_assert!(form(&params.questions, MultiSelect::Array).is_some());
                    let _ = read_content(&params.questions, &content);
                }
                Ok(_) => {}
                Err(refused) => {
                    prop_assert!(refused.is_error);
                    if !refused.structured.is_null() {
                        keeps(tool.name, &refused);
                    }
                }
            }
        }
    }

    #[test]
    fn no_content_of_a_form_is_worse_than_refused(content in objects(), text in "\\PC{0,60}", several in any::<bool>()) {
        let options = json!([{"label": "a, b"}, {"label": "a"}, {"label": text.trim()}, {"label": "c; d"}]);
        let name = if several { "ask_multi_select" } else { "ask_choice" };
        let Value::Object(arguments) = json!({ "question": "Q?", "options": options }) else { return Ok(()) };
        let Ok(Meant::Ask(asked)) = read(name, &arguments, &Settings::default()) else { return Ok(()) };
        let questions = asked.wanted.params.questions;
        let mut content = content;
        content.retain(|name, _| ["choice", "choices", "choices_text", "free_text"].contains(&name.as_str()));
        content.insert("choices".to_owned(), Value::from(text));
        content.retain(|name, _| several || name != "choices");
        if let Ok(crate::elicitation::Content::Answered(answers, _)) = read_content(&questions, &content) {
            let again = askrelay_core::answer::canonical(&questions, &answers);
            prop_assert_eq!(again.ok(), Some(answers));
        }
    }
}
