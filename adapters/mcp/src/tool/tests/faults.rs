//! Every fault of a call is named with its place, and all of them at once; what is understood keeps the tool's own schema.

use serde_json::{Value, json};

use super::{keeps, meant, schema_faults, tool};

/// Checks which faults a call has; none means that it is understood.
fn check(name: &str, arguments: &Value, faults: &[&str]) {
    let found: Vec<String> = match meant(name, arguments) {
        Ok(_) => {
            let against = schema_faults(&tool(name).input, arguments);
            assert!(against.is_empty(), "{name} takes what its schema refuses: {against:?}");
            Vec::new()
        }
        Err(finished) => {
            assert!(finished.is_error, "{name} {arguments}");
            if !finished.structured.is_null() {
                keeps(name, &finished);
                let listed = finished.structured["faults"].as_array().expect("are listed");
                assert_eq!(listed.len(), faults.len(), "{name} {arguments}");
            }
            let lines = finished.text.lines().filter(|line| line.starts_with(['/', ':']));
            lines.map(str::to_owned).collect()
        }
    };
    assert_eq!(found, faults, "{name} {arguments}");
}

/// A call of `ask_user` with one question, one member of it changed.
fn user(name: &str, value: Value) -> Value {
    let mut question = json!({
        "id": "q", "header": "H", "question": "Q?", "options": [{"label": "A"}, {"label": "B"}],
    });
    question[name] = value;
    json!({ "questions": [question] })
}

#[test]
fn faults_of_ask_user_are_named_with_their_places() {
    let two = json!([{"label": "A"}, {"label": "B"}]);
    let question = json!({"id": "q", "header": "H", "question": "Q?", "options": two});
    for (name, arguments, faults) in [
        ("ask_user", user("id", json!("q")), vec![]),
        ("ask_user", json!({}), vec!["/questions: is missing"]),
        ("ask_user", json!({ "questions": [] }), vec!["/questions: must have 1 to 3 entries, has 0"]),
        ("ask_user", json!({ "questions": ["Q?"] }), vec!["/questions/0: must be an object, is text"]),
        (
            "ask_user",
            json!({ "questions": [question, question] }),
            vec!["/questions/1/id: 'q' is used twice"],
        ),
        (
            "ask_user",
            user("id", json!("Q")),
            vec!["/questions/0/id: must begin with a-z and go on with a-z, 0-9 and _"],
        ),
        ("ask_user", user("header", json!(" ")), vec!["/questions/0/header: must not be blank"]),
        ("ask_user", user("question", json!(7)), vec!["/questions/0/question: must be text, is a number"]),
        (
            "ask_user",
            user("multiSelect", json!("yes")),
            vec!["/questions/0/multiSelect: must be true or false, is text"],
        ),
        (
            "ask_user",
            user("options", json!([{"label": "A"}])),
            vec!["/questions/0/options: must have 2 to 4 entries, has 1"],
        ),
        (
            "ask_user",
            user("options", json!([{"label": "Go"}, {"label": " go "}])),
            vec!["/questions/0/options/1/label: 'go' is there already"],
        ),
        (
            "ask_user",
            user("options", json!([{"label": "Go"}, {"label": "Other…"}])),
            vec![
                "/questions/0/options/1/label: leave it out: nobody answers with the word, and own words have their own place",
            ],
        ),
        (
            "ask_user",
            user("options", json!([{"label": "Go"}, {"label": "x".repeat(65)}])),
            vec!["/questions/0/options/1/label: must have at most 64 characters, has 65"],
        ),
        (
            "ask_user",
            user("isSecret", json!(true)),
            vec!["/questions/0/isSecret: is not known; known are id, header, question, options, multiSelect"],
        ),
        (
            "ask_user",
            json!({ "questions": [question], "timeoutSeconds": "long" }),
            vec!["/timeoutSeconds: must be a whole number, is text"],
        ),
        (
            "ask_user",
            json!({ "questions": [question], "on_cancel": "drop" }),
            vec!["/on_cancel: must be one of keep, withdraw"],
        ),
    ] {
        check(name, &arguments, &faults);
    }
}

#[test]
fn faults_of_the_other_tools_are_named_with_their_places() {
    let two = json!([{"label": "A"}, {"label": "B"}]);
    for (name, arguments, faults) in [
        ("ask_choice", json!({ "question": "Q?", "options": two }), vec![]),
        (
            "ask_choice",
            json!({ "options": two, "default": "C" }),
            vec!["/question: is missing", "/default: must be one of the labels, exactly"],
        ),
        (
            "ask_choice",
            json!({ "question": "Q?", "options": two, "timeout_ms": 5 }),
            vec!["/timeout_ms: must be 1000 to 3600000, is 5"],
        ),
        ("ask_multi_select", json!({ "question": "Q?", "options": two, "min": 0 }), vec![]),
        (
            "ask_multi_select",
            json!({ "question": "Q?", "options": two, "min": 3 }),
            vec!["/min: must not be more than there are options, which are 2"],
        ),
        (
            "ask_multi_select",
            json!({ "question": "Q?", "options": two, "min": 2, "max": 1 }),
            vec!["/max: must not be less than min"],
        ),
        ("ask_confirm", json!({ "question": "Q?", "default": true }), vec![]),
        (
            "ask_confirm",
            json!({ "question": "Q?", "default": "yes" }),
            vec!["/default: must be true or false, is text"],
        ),
        ("ask_text", json!({ "question": "Q?", "placeholder": "", "default": "d" }), vec![]),
        (
            "ask_text",
            json!({ "question": "x".repeat(2001) }),
            vec!["/question: must have at most 2000 characters, has 2001"],
        ),
        ("notify", json!({ "message": " " }), vec!["/message: must not be blank"]),
        (
            "get_answer",
            json!({ "waitSeconds": 4000 }),
            vec!["/waitSeconds: must be 0 to 3600, is 4000", "/ask_id: is missing"],
        ),
        ("cancel_ask", json!({}), vec!["/ask_id: is missing"]),
        ("list_asks", json!({ "ended": 1 }), vec!["/ended: must be true or false, is a number"]),
        ("sing", json!({}), vec![": there is no tool 'sing'"]),
    ] {
        check(name, &arguments, &faults);
    }
}

#[test]
fn faults_of_typed_asks_are_named_with_their_places() {
    let schema = json!({ "type": "object", "properties": { "env": { "type": "string", "enum": ["a", "b"] } }, "required": ["env"] });
    for (arguments, faults) in [
        (json!({ "prompt": "Where?", "outputSchema": schema }), vec![]),
        (json!({ "prompt": "Where?", "output_schema": schema }), vec![]),
        (json!({ "prompt": "Where?" }), vec!["/outputSchema: is missing"]),
        (
            json!({ "prompt": "Where?", "outputSchema": schema, "output_schema": schema }),
            vec!["/output_schema: is given twice: outputSchema is the same"],
        ),
        (
            json!({ "prompt": "Where?", "outputSchema": schema, "whenUnanswered": "default" }),
            vec!["/default: is missing: whenUnanswered is default, so say what comes back then"],
        ),
        (
            json!({ "prompt": "Where?", "outputSchema": schema, "default": { "env": "a" } }),
            vec!["/default: is never used: whenUnanswered is fail; set it to default, or leave default out"],
        ),
        (
            json!({ "prompt": "Where?", "outputSchema": schema, "whenUnanswered": "default", "default": { "env": "c" } }),
            vec!["/default: does not keep the schema: property 'env' cannot be '\"c\"'"],
        ),
        (
            json!({ "prompt": "In {{E0.place}}?", "outputSchema": schema, "context": { "E0": {} } }),
            vec!["/prompt: {{E0.place}}: 'E0' has no 'place'"],
        ),
        (
            json!({ "prompt": "Q?", "outputSchema": { "type": "object", "properties": { "l": { "type": "array", "items": { "enum": ["a"] } } } } }),
            vec![
                "/outputSchema/properties/l/type: must not be array: one value can be asked for in each field",
            ],
        ),
    ] {
        check("ask", &arguments, &faults);
    }
}

/// What is wrong with what every asking tool takes.
const COMMON: [&str; 2] =
    ["/idempotency_key: must not be blank", "/on_cancel: must be one of keep, withdraw"];

/// Checks a call in which everything is wrong, also what every asking tool takes.
fn check_with_bad_key(name: &str, mut arguments: Value, faults: &[&str]) {
    arguments["idempotency_key"] = json!(" ");
    arguments["on_cancel"] = json!("drop");
    check(name, &arguments, faults);
}

#[test]
fn all_faults_of_the_wide_tools_are_named_at_once() {
    for (name, arguments, faults) in [
        (
            "ask_user",
            json!({
                "questions": [
                    { "id": "Q", "header": 1, "question": "", "options": [], "url": "x" },
                    { "id": "Q", "multiSelect": 1 },
                ],
                "timeoutSeconds": 1.5, "more": 1,
            }),
            vec![
                "/more: is not known; known are questions, timeoutSeconds, idempotency_key, on_cancel",
                COMMON[0],
                COMMON[1],
                "/timeoutSeconds: must be a whole number, is a number",
                "/questions/0/url: is not known; known are id, header, question, options, multiSelect",
                "/questions/0/id: must begin with a-z and go on with a-z, 0-9 and _",
                "/questions/0/header: must be text, is a number",
                "/questions/0/question: must not be blank",
                "/questions/0/options: must have 2 to 4 entries, has 0",
                "/questions/1/id: must begin with a-z and go on with a-z, 0-9 and _",
                "/questions/1/id: 'Q' is used twice",
                "/questions/1/header: is missing",
                "/questions/1/question: is missing",
                "/questions/1/multiSelect: must be true or false, is a number",
                "/questions/1/options: is missing",
            ],
        ),
        (
            "ask",
            json!({
                "prompt": "{{E0.x}}", "outputSchema": { "properties": { "n": { "type": "object" }, "l/m": { "type": "array" } } },
                "whenUnanswered": "perhaps", "default": {}, "context": {}, "more": 1,
            }),
            vec![
                "/prompt: {{E0.x}}: the context has no 'E0'; it has nothing",
                "/more: is not known; known are prompt, outputSchema, output_schema, whenUnanswered, when_unanswered, default, context, idempotency_key, on_cancel",
                COMMON[0],
                COMMON[1],
                "/outputSchema/properties/l~1m/type: must not be array: one value can be asked for in each field",
                "/outputSchema/properties/n/type: must be string, number, integer, boolean, or array of an enum",
                "/whenUnanswered: must be one of fail, default",
                "/default: is never used: whenUnanswered is fail; set it to default, or leave default out",
            ],
        ),
    ] {
        check_with_bad_key(name, arguments, &faults);
    }
}

#[test]
fn all_faults_of_the_question_tools_are_named_at_once() {
    let bad_options = json!([{ "label": "" }, 7, { "label": "A", "description": 1 }]);
    let options = ["/options/1: must be an object, is a number", "/options/0/label: must not be blank"];
    let description = "/options/2/description: must be text, is a number";
    let timeout = "/timeout_ms: must be 1000 to 3600000, is 1";
    for (name, arguments, faults) in [
        (
            "ask_choice",
            json!({ "options": bad_options, "default": "B", "allow_free_text": 1, "timeout_ms": 1 }),
            vec![
                "/question: is missing",
                options[0],
                options[1],
                description,
                "/default: must be one of the labels, exactly",
                "/allow_free_text: must be true or false, is a number",
                COMMON[0],
                COMMON[1],
                timeout,
            ],
        ),
        (
            "ask_multi_select",
            json!({ "options": bad_options, "min": 9, "max": 8, "timeout_ms": 1 }),
            vec![
                "/question: is missing",
                options[0],
                options[1],
                description,
                "/min: must not be more than there are options, which are 1",
                "/max: must not be more than there are options, which are 1",
                "/max: must not be less than min",
                COMMON[0],
                COMMON[1],
                timeout,
            ],
        ),
        (
            "ask_confirm",
            json!({ "default": "yes", "timeout_ms": 1 }),
            vec![
                "/question: is missing",
                "/default: must be true or false, is text",
                COMMON[0],
                COMMON[1],
                timeout,
            ],
        ),
        (
            "ask_text",
            json!({ "placeholder": 1, "default": 1, "timeout_ms": 1 }),
            vec![
                "/question: is missing",
                "/placeholder: must be text, is a number",
                "/default: must be text, is a number",
                COMMON[0],
                COMMON[1],
                timeout,
            ],
        ),
    ] {
        check_with_bad_key(name, arguments, &faults);
    }
}

#[test]
fn unknown_arguments_are_refused_or_ignored_as_each_contract_does() {
    let two = json!([{"label": "A", "more": 1}, {"label": "B"}]);
    for (name, arguments) in [
        ("ask_choice", json!({ "question": "Q?", "options": two, "more": 1 })),
        ("ask_multi_select", json!({ "question": "Q?", "options": two, "more": 1 })),
        ("ask_confirm", json!({ "question": "Q?", "more": 1 })),
        ("ask_text", json!({ "question": "Q?", "more": 1 })),
        ("human_input_status", json!({ "more": 1 })),
    ] {
        check(name, &arguments, &[]);
    }
    for (name, known) in [
        ("notify", "message"),
        ("list_asks", "ended"),
        ("get_answer", "ask_id, waitSeconds"),
        ("cancel_ask", "ask_id"),
    ] {
        let fault = format!("/a~1b: is not known; known are {known}");
        let arguments = json!({ "a/b": 1, "message": "m", "ask_id": "1" });
        let found = meant(name, &arguments).expect_err("is refused");
        assert!(found.text.contains(&fault), "{}", found.text);
        keeps(name, &found);
    }
}

#[test]
fn labels_that_differ_only_in_case_are_two_where_the_contract_says_so() {
    let options = json!([{"label": "a"}, {"label": "A"}]);
    check("ask_choice", &json!({ "question": "Q?", "options": options }), &[]);
    let accents = json!([{"label": "e\u{301}"}, {"label": "\u{e9}"}]);
    check(
        "ask_choice",
        &json!({ "question": "Q?", "options": accents }),
        &["/questions/0/options/1/label: duplicate option label"],
    );
}
