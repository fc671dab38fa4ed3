//! Which blocks and views the platform takes; beside each limit what it still takes.

use serde_json::{Value, json};

use super::{Scene, write};

fn plain(text: impl Into<String>) -> Value {
    json!({ "type": "plain_text", "text": text.into() })
}

fn marked(text: impl Into<String>) -> Value {
    json!({ "type": "mrkdwn", "text": text.into() })
}

fn x(count: usize) -> String {
    "x".repeat(count)
}

fn with(mut value: Value, name: &str, field: impl Into<Value>) -> Value {
    value[name] = field.into();
    value
}

fn section(text: Value) -> Value {
    json!({ "type": "section", "text": text })
}

fn button(label: &str) -> Value {
    json!({ "type": "button", "text": plain(label), "action_id": label, "value": label })
}

fn actions(elements: Vec<Value>) -> Value {
    json!({ "type": "actions", "elements": elements })
}

fn one(element: Value) -> Value {
    actions(vec![element])
}

fn option(label: &str) -> Value {
    json!({ "text": plain(label), "value": label })
}

fn options(count: usize) -> Vec<Value> {
    (0..count).map(|index| option(&format!("option {index}"))).collect()
}

fn menu(kind: &str, count: usize) -> Value {
    json!({ "type": kind, "action_id": "menu", "options": options(count) })
}

fn beside(element: Value) -> Value {
    with(section(plain("Which?")), "accessory", element)
}

fn input(element: Value) -> Value {
    json!({ "type": "input", "label": plain("Why?"), "element": element })
}

fn typed() -> Value {
    json!({ "type": "plain_text_input", "action_id": "why" })
}

fn confirm() -> Value {
    json!({ "title": plain(x(100)), "text": marked(x(300)), "confirm": plain(x(30)), "deny": plain(x(30)) })
}

/// What is wrong with these blocks in a message; nothing where they are taken.
async fn judged(scene: &Scene, blocks: Value) -> String {
    let params = json!({ "channel": scene.direct.id(), "text": "x", "blocks": blocks });
    let (_, body) = scene.call("chat.postMessage", params).await;
    if body["error"] == "msg_blocks_too_long" {
        return "msg_blocks_too_long".to_owned();
    }
    assert_eq!(body["errors"], body["response_metadata"]["messages"], "{body}");
    let words = body["errors"].as_array().cloned().unwrap_or_default();
    words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

/// Blocks, and words of the refusal; none where they are taken.
type Row = (&'static str, Value, Option<&'static str>);

async fn check(rows: Vec<Row>) {
    let scene = Scene::new();
    let file = format!("slack-judged-{}.json", rows[0].0.replace(' ', "-"));
    let (mut wrong, mut told) = (Vec::new(), Vec::new());
    for (name, block, expected) in rows {
        let blocks = if block.is_array() { block } else { json!([block]) };
        let words = judged(&scene, blocks.clone()).await;
        told.push(json!({ "name": name, "blocks": blocks, "refused": words }));
        let fits = expected.map_or(words.is_empty(), |expected| words.contains(expected));
        if !fits {
            wrong.push(format!("{name}: '{words}', not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    write(&file, &Value::Array(told));
}

#[tokio::test]
async fn rich_text_is_said_piece_by_piece() {
    let piece = |kind: &str, field: &str, words: &str| with(json!({ "type": kind }), field, words);
    let rich = |pieces: Value| {
        let section = json!({ "type": "rich_text_section", "elements": pieces });
        json!({ "type": "rich_text", "elements": [section] })
    };
    check(vec![
        (
            "rich text",
            rich(json!([piece("text", "text", "x"), piece("link", "url", "https://a.example")])),
            None,
        ),
        (
            "rich text with style",
            rich(json!([with(piece("text", "text", "x"), "style", json!({ "bold": true }))])),
            None,
        ),
        ("empty rich text", rich(json!([])), Some("at least 1")),
        ("an empty piece", rich(json!([piece("text", "text", "")])), Some("must be more than 0 characters")),
        ("a piece of no kind", rich(json!([piece("poll", "text", "x")])), Some("unsupported type: poll")),
        (
            "a user by name",
            rich(json!([piece("user", "name", "sam")])),
            Some("missing required field: user_id"),
        ),
    ])
    .await;
}

#[tokio::test]
async fn texts_and_blocks_have_their_limits() {
    let divider = || json!({ "type": "divider" });
    let header = |text| json!({ "type": "header", "text": text });
    let context = |count| json!({ "type": "context", "elements": vec![marked("x"); count] });
    check(vec![
        ("a section", section(plain(x(3000))), None),
        (
            "a long section",
            section(plain(x(3001))),
            Some("must be less than 3001 characters [json-pointer:/blocks/0/text/text]"),
        ),
        ("an empty section", section(plain("")), Some("must be more than 0 characters")),
        (
            "a section without text",
            json!({ "type": "section" }),
            Some("missing required field: text or fields"),
        ),
        ("fields", json!({ "type": "section", "fields": vec![marked(x(500)); 10] }), None),
        (
            "too many fields",
            json!({ "type": "section", "fields": vec![marked("x"); 11] }),
            Some("no more than 10"),
        ),
        ("a text of no type", section(json!({ "text": "x" })), Some("unsupported type of text")),
        ("a text with more", section(with(plain("x"), "verbatim", true)), Some("no such field: verbatim")),
        ("a header", header(plain(x(150))), None),
        ("a long header", header(plain(x(151))), Some("must be less than 151")),
        ("a header with markup", header(marked("x")), Some("must be plain_text")),
        ("a context", context(10), None),
        ("a long context", context(11), Some("no more than 10")),
        ("an empty context", context(0), Some("at least 1")),
        ("50 blocks", json!(vec![divider(); 50]), None),
        (
            "51 blocks",
            json!(vec![divider(); 51]),
            Some("no more than 50 items allowed [json-pointer:/blocks]"),
        ),
        ("an unknown block", json!({ "type": "poll" }), Some("unsupported type: poll")),
        ("no block", json!("x"), Some("unsupported type")),
        ("an unknown field", with(divider(), "color", "red"), Some("no such field: color")),
        ("a long name", with(divider(), "block_id", x(256)), Some("must be less than 256")),
        ("names", json!([with(divider(), "block_id", x(255)), with(divider(), "block_id", "b")]), None),
        (
            "a name twice",
            json!([with(divider(), "block_id", "b"), with(divider(), "block_id", "b")]),
            Some("block_id already exists"),
        ),
        ("four full sections", json!(vec![section(plain(x(3000))); 4]), None),
        ("five full sections", json!(vec![section(plain(x(3000))); 5]), Some("msg_blocks_too_long")),
    ])
    .await;
}

#[tokio::test]
async fn buttons_have_their_limits() {
    let numbered = |count: usize| (0..count).map(|index| button(&index.to_string())).collect::<Vec<_>>();
    let linked = |url: &str| one(with(button("x"), "url", url));
    let asks = |confirm| one(with(button("x"), "confirm", confirm));
    check(vec![
        ("25 buttons", actions(numbered(25)), None),
        ("26 buttons", actions(numbered(26)), Some("no more than 25")),
        ("no buttons", actions(vec![]), Some("at least 1")),
        ("75 signs", one(button(&x(75))), None),
        (
            "76 signs",
            one(button(&x(76))),
            Some("must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]"),
        ),
        ("no label", one(with(button("x"), "text", plain(""))), Some("must be more than 0")),
        ("markup on it", one(with(button("x"), "text", marked("x"))), Some("must be plain_text")),
        ("a value", one(with(button("x"), "value", x(2000))), None),
        ("a long value", one(with(button("x"), "value", x(2001))), Some("must be less than 2001")),
        ("a link", linked("https://a.example"), None),
        ("a long link", linked(&format!("https://{}", x(3000))), Some("must be less than 3001")),
        ("no link", linked("a.example"), Some("must be a valid URL")),
        ("a colour", one(with(button("x"), "style", "danger")), None),
        ("no colour", one(with(button("x"), "style", "red")), Some("must be one of")),
        ("an unknown field", one(with(button("x"), "label", "x")), Some("no such field: label")),
        ("a name twice", actions(vec![button("x"), button("x")]), Some("action_id already exists")),
        ("a long name", one(with(button("x"), "action_id", x(256))), Some("must be less than 256")),
        ("a question", asks(confirm()), None),
        ("a long title", asks(with(confirm(), "title", plain(x(101)))), Some("must be less than 101")),
        ("a long text", asks(with(confirm(), "text", plain(x(301)))), Some("must be less than 301")),
        ("a long yes", asks(with(confirm(), "confirm", plain(x(31)))), Some("must be less than 31")),
        ("a no with markup", asks(with(confirm(), "deny", marked("x"))), Some("must be plain_text")),
        (
            "a question without no",
            asks(json!({ "title": plain("x"), "text": plain("x"), "confirm": plain("x") })),
            Some("missing required field: deny"),
        ),
    ])
    .await;
}

#[tokio::test]
async fn menus_have_their_limits() {
    let of =
        |option: Value| beside(json!({ "type": "static_select", "action_id": "a", "options": [option] }));
    let described = |text: Value| with(option("x"), "description", text);
    check(vec![
        ("100 entries", beside(menu("static_select", 100)), None),
        ("101 entries", beside(menu("static_select", 101)), Some("no more than 100")),
        ("no entries", beside(menu("static_select", 0)), Some("at least 1")),
        ("several of 100", beside(menu("multi_static_select", 100)), None),
        ("several among actions", one(menu("multi_static_select", 3)), None),
        ("10 radio buttons", one(menu("radio_buttons", 10)), None),
        ("11 radio buttons", one(menu("radio_buttons", 11)), Some("no more than 10")),
        ("10 checkboxes", one(menu("checkboxes", 10)), None),
        ("11 checkboxes", one(menu("checkboxes", 11)), Some("no more than 10")),
        ("5 in an overflow", one(menu("overflow", 5)), None),
        ("6 in an overflow", one(menu("overflow", 6)), Some("no more than 5")),
        ("an entry", of(json!({ "text": plain(x(75)), "value": x(75) })), None),
        ("a long entry", of(json!({ "text": plain(x(76)), "value": "x" })), Some("must be less than 76")),
        ("a long value", of(json!({ "text": plain("x"), "value": x(76) })), Some("must be less than 76")),
        ("an entry without value", of(json!({ "text": plain("x") })), Some("missing required field: value")),
        ("markup in a menu", of(json!({ "text": marked("x"), "value": "x" })), Some("must be plain_text")),
        (
            "markup beside a checkbox",
            one(json!({ "type": "checkboxes", "options": [{ "text": marked("x"), "value": "x" }] })),
            None,
        ),
        ("a description", of(described(plain(x(75)))), None),
        ("a long description", of(described(plain(x(76)))), Some("must be less than 76")),
        (
            "a value twice",
            beside(json!({ "type": "static_select", "options": [option("x"), option("x")] })),
            Some("values must be unique"),
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_a_menu_holds_must_fit_together() {
    let described = |text: Value| with(option("x"), "description", text);
    let group = |label: &str, options: Vec<Value>| json!({ "label": plain(label), "options": options });
    let grouped = |groups: Vec<Value>| beside(json!({ "type": "static_select", "option_groups": groups }));
    let held = |kind: &str, name: &str, value: Value| one(with(menu(kind, 3), name, value));
    let several = |name: &str, value: Value| beside(with(menu("multi_static_select", 3), name, value));
    check(vec![
        ("groups", grouped(vec![group("one", options(2)), group("two", vec![option("x")])]), None),
        (
            "groups with one value",
            grouped(vec![group("one", options(2)), group("two", options(1))]),
            Some("values must be unique"),
        ),
        (
            "groups and entries",
            beside(with(menu("static_select", 1), "option_groups", json!([]))),
            Some("and not both"),
        ),
        ("a hint", beside(with(menu("static_select", 1), "placeholder", plain(x(150)))), None),
        (
            "a long hint",
            beside(with(menu("static_select", 1), "placeholder", plain(x(151)))),
            Some("must be less than 151"),
        ),
        ("taken", held("static_select", "initial_option", option("option 1")), None),
        (
            "taken, but not there",
            held("static_select", "initial_option", option("other")),
            Some("must match one of the options"),
        ),
        (
            "taken, but not the same",
            held("radio_buttons", "initial_option", described(plain("x"))),
            Some("must match one of the options"),
        ),
        ("ticked", held("checkboxes", "initial_options", json!(options(2))), None),
        (
            "ticked, but not there",
            held("checkboxes", "initial_options", json!([option("other")])),
            Some("must match the options"),
        ),
        ("ticked nothing", held("checkboxes", "initial_options", json!([])), Some("at least 1")),
        (
            "one taken of several",
            held("checkboxes", "initial_option", option("option 1")),
            Some("no such field"),
        ),
        ("at most two", several("max_selected_items", json!(2)), None),
        ("at most none", several("max_selected_items", json!(0)), Some("must be between")),
        (
            "a menu in a context",
            json!({ "type": "context", "elements": [menu("static_select", 1)] }),
            Some("unsupported type of text"),
        ),
    ])
    .await;
}

#[tokio::test]
async fn inputs_have_their_limits() {
    check(vec![
        ("an input in a message", input(typed()), None),
        ("a label", with(input(typed()), "label", plain(x(2000))), None),
        ("a long label", with(input(typed()), "label", plain(x(2001))), Some("must be less than 2001")),
        ("a label with markup", with(input(typed()), "label", marked("x")), Some("must be plain_text")),
        ("a long hint", with(input(typed()), "hint", plain(x(2001))), Some("must be less than 2001")),
        (
            "no element",
            json!({ "type": "input", "label": plain("x") }),
            Some("missing required field: element"),
        ),
        ("a button in it", input(button("x")), Some("unsupported type: button")),
        ("a menu in it", input(menu("static_select", 3)), None),
        ("typing among actions", one(typed()), Some("unsupported type: plain_text_input")),
        ("typing beside a text", beside(typed()), Some("unsupported type: plain_text_input")),
        ("3000 signs", input(with(typed(), "max_length", 3000)), None),
        ("3001 signs", input(with(typed(), "max_length", 3001)), Some("must be between 1 and 3000")),
        (
            "more at least than at most",
            input(with(with(typed(), "max_length", 3), "min_length", 4)),
            Some("must not be more"),
        ),
        (
            "a long first value",
            input(with(typed(), "initial_value", x(3001))),
            Some("must be less than 3001"),
        ),
        (
            "a number",
            input(json!({ "type": "number_input", "is_decimal_allowed": false, "min_value": "1" })),
            None,
        ),
        (
            "a number of no kind",
            input(json!({ "type": "number_input" })),
            Some("missing required field: is_decimal_allowed"),
        ),
        (
            "a bound that is no text",
            input(json!({ "type": "number_input", "is_decimal_allowed": false, "min_value": 1 })),
            Some("must be a number as a string"),
        ),
    ])
    .await;
}

#[tokio::test]
async fn views_have_their_limits() {
    let scene = Scene::new();
    let ts = scene.ask(&scene.direct).await;
    let view = |blocks: Value| json!({ "type": "modal", "title": plain(x(24)), "submit": plain(x(24)), "close": plain(x(24)), "blocks": blocks });
    let fine = || view(json!([input(typed())]));
    let without = |name: &str| {
        let mut view = fine();
        view.as_object_mut().unwrap().remove(name);
        view
    };
    let rows = [
        ("an input", fine(), None),
        ("100 blocks", view(json!(vec![json!({ "type": "divider" }); 100])), None),
        ("101 blocks", view(json!(vec![json!({ "type": "divider" }); 101])), Some("no more than 100")),
        ("no blocks", view(json!([])), Some("at least 1")),
        (
            "a long title",
            with(fine(), "title", plain(x(25))),
            Some("must be less than 25 characters [json-pointer:/view/title/text]"),
        ),
        ("a title with markup", with(fine(), "title", marked("x")), Some("must be plain_text")),
        ("no title", without("title"), Some("missing required field: title")),
        ("a long word to send", with(fine(), "submit", plain(x(25))), Some("must be less than 25")),
        ("an input without a way to send", without("submit"), Some("a submit is required")),
        ("a name", with(fine(), "callback_id", x(255)), None),
        ("a long name", with(fine(), "callback_id", x(256)), Some("must be less than 256")),
        ("what the app keeps", with(fine(), "private_metadata", x(3000)), None),
        ("too much of it", with(fine(), "private_metadata", x(3001)), Some("must be less than 3001")),
        ("another kind", with(fine(), "type", "dialog"), Some("unsupported type")),
        ("an unknown field", with(fine(), "color", "red"), Some("no such field: color")),
        ("a wrong block", view(json!([section(plain(""))])), Some("[json-pointer:/view/blocks/0/text/text]")),
        ("markdown", view(json!([{ "type": "markdown", "text": "x" }])), Some("unsupported type: markdown")),
    ];
    for (name, view, expected) in rows {
        let trigger = scene.sam.tap(&scene.direct, &ts, "Red").trigger_id();
        let (_, body) = scene.call("views.open", json!({ "trigger_id": trigger, "view": view })).await;
        let words = body["response_metadata"]["messages"].to_string();
        match expected {
            None => assert_eq!(body["ok"], true, "{name}: {body}"),
            Some(expected) => {
                assert_eq!(body["error"], "invalid_arguments", "{name}");
                assert!(words.contains(expected), "{name}: {words}");
            }
        }
    }
}
