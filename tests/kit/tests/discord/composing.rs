//! The platform's rules about what stands below a message, each with what it still takes.

use serde_json::{Value, json};

use super::refusing::{Row, SEND, check, with};

async fn check_components(rows: Vec<(&'static str, Value, &'static str)>) {
    let full = |(name, body, expected)| -> Row { (name, "POST", SEND, body, expected) };
    check(rows.into_iter().map(full).collect()).await;
}

fn components(value: Value) -> Value {
    with("components", value)
}

fn row(inside: Vec<Value>) -> Value {
    json!({ "type": 1, "components": inside })
}

fn one(component: Value) -> Value {
    components(json!([row(vec![component])]))
}

fn button(fields: Value) -> Value {
    let mut button = json!({ "type": 2, "style": 2, "label": "x", "custom_id": "x" });
    merge(&mut button, fields);
    one(button)
}

fn select(fields: Value) -> Value {
    let mut select = json!({ "type": 3, "custom_id": "x", "options": options(2) });
    merge(&mut select, fields);
    one(select)
}

fn options(count: usize) -> Value {
    (0..count).map(|index| json!({ "label": index.to_string(), "value": index.to_string() })).collect()
}

/// Sets fields; null takes one away.
fn merge(value: &mut Value, fields: Value) {
    let target = value.as_object_mut().unwrap();
    for (name, field) in fields.as_object().unwrap() {
        match field {
            Value::Null => drop(target.remove(name)),
            field => drop(target.insert(name.clone(), field.clone())),
        }
    }
}

fn buttons(count: usize) -> Vec<Value> {
    let button = |index| json!({ "type": 2, "style": 1, "label": "x", "custom_id": format!("b{index}") });
    (0..count).map(button).collect()
}

#[tokio::test]
async fn rows_and_buttons() {
    let link = |url: &str| button(json!({ "style": 5, "custom_id": null, "url": url }));
    let rows = |count: usize| {
        let button = |index| {
            row(vec![json!({ "type": 2, "style": 1, "label": "x", "custom_id": format!("r{index}") })])
        };
        components((0..count).map(button).collect())
    };
    let long_url = |length: usize| format!("https://a.example/{}", "x".repeat(length - 18));
    check_components(vec![
        ("5 rows", rows(5), "ok"),
        ("6 rows", rows(6), "400 50035 components=BASE_TYPE_MAX_LENGTH"),
        ("5 in a row", components(json!([row(buttons(5))])), "ok"),
        (
            "6 in a row",
            components(json!([row(buttons(6))])),
            "400 50035 components.0.components.5=COMPONENT_LAYOUT_WIDTH_EXCEEDED components.0.components=BASE_TYPE_BAD_LENGTH",
        ),
        (
            "an empty row",
            components(json!([row(vec![])])),
            "400 50035 components.0.components=BASE_TYPE_BAD_LENGTH",
        ),
        (
            "a button without a row",
            components(json!([{ "type": 2, "style": 1, "label": "x", "custom_id": "x" }])),
            "400 50035 components.0=UNION_TYPE_CHOICES",
        ),
        ("a text input", one(json!({ "type": 4, "custom_id": "x", "style": 1, "label": "x" })), "400 50035 @=UNION_TYPE_CHOICES"),
        ("no type", one(json!({ "label": "x" })), "400 50035 @.type=BASE_TYPE_REQUIRED"),
        ("longest label", button(json!({ "label": "😀".repeat(80) })), "ok"),
        ("longer label", button(json!({ "label": "x".repeat(81) })), "400 50035 @.label=BASE_TYPE_MAX_LENGTH"),
        ("no label", button(json!({ "label": null })), "400 50035 @.label=BASE_TYPE_REQUIRED"),
        ("a label of space alone", button(json!({ "label": " \u{A0} " })), "400 50035 @.label=BASE_TYPE_REQUIRED"),
        ("longest id", button(json!({ "custom_id": "x".repeat(100) })), "ok"),
        ("longer id", button(json!({ "custom_id": "x".repeat(101) })), "400 50035 @.custom_id=BASE_TYPE_BAD_LENGTH"),
        ("no id", button(json!({ "custom_id": null })), "400 50035 @.custom_id=BUTTON_COMPONENT_CUSTOM_ID_REQUIRED"),
        ("empty id", button(json!({ "custom_id": "" })), "400 50035 @.custom_id=BUTTON_COMPONENT_CUSTOM_ID_REQUIRED"),
        ("no style", button(json!({ "style": null })), "400 50035 @.style=BASE_TYPE_REQUIRED"),
        ("unknown style", button(json!({ "style": 9 })), "400 50035 @.style=BASE_TYPE_CHOICES"),
        ("disabled", button(json!({ "disabled": true })), "ok"),
        (
            "the same id twice, in two rows",
            components(json!([row(buttons(1)), row(buttons(1))])),
            "400 50035 components.1.components.0.custom_id=COMPONENT_CUSTOM_ID_DUPLICATED",
        ),
        ("a link", link("https://a.example/path?x=1"), "ok"),
        ("longest link", link(&long_url(512)), "ok"),
        ("longer link", link(&long_url(513)), "400 50035 @.url=BASE_TYPE_BAD_LENGTH"),
        ("another scheme", link("ftp://a.example"), "400 50035 @.url=URL_TYPE_INVALID_SCHEME"),
        ("a host that is no domain", link("http://localhost:3000/run"), "400 50035 @.url=URL_TYPE_INVALID_URL"),
        ("an address of version 6", link("http://[2001:db8::1]/run"), "ok"),
        ("no address", link("nowhere"), "400 50035 @.url=URL_TYPE_INVALID_URL"),
        (
            "a link with an id",
            button(json!({ "style": 5, "url": "https://a.example" })),
            "400 50035 @=BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
        ),
        (
            "a button with a link",
            button(json!({ "url": "https://a.example" })),
            "400 50035 @=BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
        ),
        ("a link without an address", button(json!({ "style": 5, "custom_id": null })), "400 50035 @.url=BASE_TYPE_REQUIRED"),
        ("a field that is none", button(json!({ "colour": "red" })), "400 50035 @.colour=STAND_IN_UNKNOWN_FIELD"),
    ])
    .await;
}

#[tokio::test]
async fn selects() {
    let chosen = json!([{ "label": "a", "value": "a", "default": true }, { "label": "b", "value": "b", "default": true }]);
    let in_a_row = components(json!([row(vec![
        json!({ "type": 3, "custom_id": "s", "options": options(1) }),
        json!({ "type": 2, "style": 1, "label": "x", "custom_id": "x" }),
    ])]));
    check_components(vec![
        ("25 entries", select(json!({ "options": options(25) })), "ok"),
        ("26 entries", select(json!({ "options": options(26) })), "400 50035 @.options=BASE_TYPE_BAD_LENGTH"),
        ("none", select(json!({ "options": [] })), "400 50035 @.options=BASE_TYPE_BAD_LENGTH"),
        ("no entries", select(json!({ "options": null })), "400 50035 @.options=BASE_TYPE_REQUIRED"),
        ("longest placeholder", select(json!({ "placeholder": "p".repeat(150) })), "ok"),
        (
            "longer placeholder",
            select(json!({ "placeholder": "p".repeat(151) })),
            "400 50035 @.placeholder=BASE_TYPE_MAX_LENGTH",
        ),
        ("none to all", select(json!({ "min_values": 0, "max_values": 2 })), "ok"),
        (
            "more than there are",
            select(json!({ "max_values": 3 })),
            "400 50035 @.max_values=COMPONENT_VALUES_OUT_OF_BOUNDS",
        ),
        (
            "fewest above most",
            select(json!({ "min_values": 2, "max_values": 1 })),
            "400 50035 @.max_values=COMPONENT_VALUES_OUT_OF_BOUNDS",
        ),
        ("fewest below none", select(json!({ "min_values": -1 })), "400 50035 @.min_values=NUMBER_TYPE_MIN"),
        ("most of none", select(json!({ "max_values": 0 })), "400 50035 @.max_values=NUMBER_TYPE_MIN"),
        (
            "too many chosen",
            select(json!({ "options": chosen })),
            "400 50035 @.options=SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
        ),
        (
            "with a button in its row",
            in_a_row,
            "400 50035 components.0.components.1=COMPONENT_LAYOUT_WIDTH_EXCEEDED",
        ),
    ])
    .await;
}

#[tokio::test]
async fn entries_of_selects() {
    let option = |fields: Value| {
        let mut option = json!({ "label": "x", "value": "x" });
        merge(&mut option, fields);
        select(json!({ "options": [option] }))
    };
    let two = json!([{ "label": "a", "value": "x" }, { "label": "b", "value": "x" }]);
    check_components(vec![
        (
            "longest texts",
            option(
                json!({ "label": "l".repeat(100), "value": "v".repeat(100), "description": "d".repeat(100) }),
            ),
            "ok",
        ),
        (
            "longer label",
            option(json!({ "label": "l".repeat(101) })),
            "400 50035 @.options.0.label=BASE_TYPE_BAD_LENGTH",
        ),
        (
            "longer value",
            option(json!({ "value": "v".repeat(101) })),
            "400 50035 @.options.0.value=BASE_TYPE_BAD_LENGTH",
        ),
        (
            "longer description",
            option(json!({ "description": "d".repeat(101) })),
            "400 50035 @.options.0.description=BASE_TYPE_MAX_LENGTH",
        ),
        ("empty label", option(json!({ "label": "" })), "400 50035 @.options.0.label=BASE_TYPE_BAD_LENGTH"),
        (
            "a label of space",
            option(json!({ "label": "  " })),
            "400 50035 @.options.0.label=BASE_TYPE_BAD_LENGTH",
        ),
        ("no value", option(json!({ "value": null })), "400 50035 @.options.0.value=BASE_TYPE_REQUIRED"),
        (
            "the same value twice",
            select(json!({ "options": two })),
            "400 50035 @.options.1.value=SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
        ),
    ])
    .await;
}
