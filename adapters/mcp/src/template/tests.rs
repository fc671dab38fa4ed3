//! Templates, filled and refused.

use super::*;
use serde_json::json;

fn check(value: &Value, expected: &Value, faults: &[&str]) {
    let Value::Object(context) = json!({
        "E0": { "names": ["red", "blue"], "n": 2, "yes": true, "deep": { "er": "x" }, "odd": "{{E0.n}}", "none": null, "empty": [] },
        "E1": { "teams": [
            { "name": "Core", "members": [{ "who": "ada" }, { "who": "bob", "since": 1815 }] },
            { "name": "Web", "members": [] },
        ] },
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
fn values_are_put_in() {
    for (value, expected) in [
        (json!("plain"), json!("plain")),
        (json!(7), json!(7)),
        (json!("{{E0.names}}"), json!(["red", "blue"])),
        (json!("{{ E0.n }}"), json!(2)),
        (json!("{{E0.none}}"), json!(null)),
        // Only a text that is the template to the letter keeps the type.
        (json!(" {{E0.n}}"), json!(" 2")),
        (json!("{{E0.names.1}}"), json!("blue")),
        (json!("{{E0.names.length}}"), json!(2)),
        (json!("{{E0.deep.er.length}} sign"), json!("1 sign")),
        (json!("{{E0.n}} of {{E0.deep.er}}, {{E0.yes}}{{E0.none}}"), json!("2 of x, true")),
        (json!("all: {{E0.names}}"), json!("all: [\n  \"red\",\n  \"blue\"\n]")),
        // What comes from the context is no template.
        (json!("{{E0.odd}}"), json!("{{E0.n}}")),
        (json!("<{{E0.odd}}>"), json!("<{{E0.n}}>")),
        (json!({ "a": ["{{E0.n}}"] }), json!({ "a": [2] })),
    ] {
        check(&value, &expected, &[]);
    }
}

#[test]
fn sections_stand_for_each_entry_or_not_at_all() {
    for (value, expected) in [
        ("{{#E1.teams}}{{@index}}:{{name}} {{/E1.teams}}", "0:Core 1:Web "),
        ("{{#E1.teams}}{{name}}{{^@last}}, {{/@last}}{{/E1.teams}}", "Core, Web"),
        ("{{#E1.teams}}{{#@first}}first {{/@first}}{{name}} {{/E1.teams}}", "first Core Web "),
        (
            "{{#E1.teams}}{{#members}}{{who}}/{{name}}/{{E0.n}} {{/members}}{{/E1.teams}}",
            "ada/Core/2 bob/Core/2 ",
        ),
        ("{{#E1.teams.0.members}}{{who}}:{{since}} {{/E1.teams.0.members}}", "ada: bob:1815 "),
        ("{{#E0.deep}}{{er}}{{/E0.deep}}", "x"),
        ("{{#E0.yes}}so{{/E0.yes}}{{^E0.yes}}not{{/E0.yes}}", "so"),
        ("{{#E0.empty}}so{{/E0.empty}}{{^E0.empty}}none{{/E0.empty}}", "none"),
        ("{{^E0.missing}}fallback{{/E0.missing}}", "fallback"),
        ("{{# E0.n }}{{E0.n}}{{/ E0.n }}", "2"),
    ] {
        check(&json!(value), &json!(expected), &[]);
    }
}

#[test]
fn what_is_not_there_or_not_written_well_is_a_fault() {
    let thousand = "{{#E1.teams}}".repeat(17) + &"{{/E1.teams}}".repeat(17);
    let endless = "{{#E0.names}}".repeat(16) + &"0123456789".repeat(10) + &"{{/E0.names}}".repeat(16);
    for (value, faults) in [
        (json!("{{E7.x}}"), vec![": {{E7.x}}: the context has no 'E7'; it has E0, E1"]),
        (json!({ "a/b": ["x {{E0.no}}"] }), vec!["/a~1b/0: {{E0.no}}: 'E0' has no 'no'"]),
        (json!("{{E0.names.2}}"), vec![": {{E0.names.2}}: 'E0.names' has no '2'"]),
        (
            json!("{{E0.n.x}} {{E0.m}}"),
            vec![": {{E0.n.x}}: 'E0.n' has no 'x'", ": {{E0.m}}: 'E0' has no 'm'"],
        ),
        (json!("{{#E1.teams}}{{E0.m}}{{/E1.teams}}"), vec![": {{E0.m}}: 'E0' has no 'm'"]),
        (json!("{{#E7}}{{/E7}}"), vec![": {{E7}}: the context has no 'E7'; it has E0, E1"]),
        (json!("{{@index}}"), vec![": @index, @first and @last stand within a list only"]),
        (json!("{{}}"), vec![": has an empty template"]),
        (json!("a {{E0.n"), vec![": has {{ without }}"]),
        (json!("{{E0..n}}"), vec![": {{E0..n}} has nothing beside one of its dots"]),
        (json!("{{E0.@index}}"), vec![": {{E0.@index}}: known are @index, @first and @last, each alone"]),
        (json!("{{> E0}}"), vec![": {{> E0}}: there is no such template"]),
        (json!("{{#E0}}"), vec![": the section E0 has no end {{/E0}}"]),
        (json!("{{#E0}}{{/E1}}"), vec![": {{/E1}} ends a section that does not begin there"]),
        (json!(thousand), vec![": has more than 16 sections within each other"]),
        (json!(endless), vec![": becomes too long: all templates together may make 1048576 bytes"]),
    ] {
        check(&value, &json!(null), &faults);
    }
}
