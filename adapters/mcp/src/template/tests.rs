//! Templates, filled and refused.

use super::*;
use serde_json::json;

fn check(value: &Value, expected: &Value, faults: &[&str]) {
    let Value::Object(context) = json!({
        "E0": { "names": ["red", "blue"], "n": 2, "yes": true, "deep": { "er": "x" }, "odd": "{{E0.n}}" },
    }) else {
        panic!("is an object")
    };
    let mut found = Vec::new();
    let rendered = rendered(value, &context, "", &mut found);
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, faults, "{value}");
    if faults.is_empty() {
        assert_eq!(rendered, *expected, "{value}");
    }
}

#[test]
fn templates_are_filled_strictly() {
    for (value, expected, faults) in [
        (json!("plain"), json!("plain"), vec![]),
        (json!("{{E0.names}}"), json!(["red", "blue"]), vec![]),
        (json!(" {{ E0.n }} "), json!(2), vec![]),
        (json!("{{E0.names.1}}"), json!("blue"), vec![]),
        (json!("{{E0.n}} of {{E0.deep.er}}, {{E0.yes}}"), json!("2 of x, true"), vec![]),
        (json!("all: {{E0.names}}"), json!("all: [\"red\",\"blue\"]"), vec![]),
        // What comes from the context is no template.
        (json!("{{E0.odd}}"), json!("{{E0.n}}"), vec![]),
        (json!({ "a": ["{{E0.n}}"] }), json!({ "a": [2] }), vec![]),
        (json!("{{E1.x}}"), json!(null), vec![": {{E1.x}}: the context has no 'E1'; it has E0"]),
        (json!({ "a": ["x {{E0.no}}"] }), json!(null), vec!["/a/0: {{E0.no}}: there is no 'no'"]),
        (json!("{{E0.names.2}}"), json!(null), vec![": {{E0.names.2}}: there is no '2'"]),
        (json!("{{E0.n.x}}"), json!(null), vec![": {{E0.n.x}}: there is no 'x'"]),
        (json!("{{}}"), json!(null), vec![": has an empty template"]),
        (json!("a {{E0.n"), json!(null), vec![": has {{ without }}"]),
    ] {
        check(&value, &expected, &faults);
    }
}
