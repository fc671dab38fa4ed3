//! Every refusal of a request with its exact words, and the spellings that are let through.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::call::AskParams;
use crate::decode::NotJson;
use crate::frame::{Call, Caps, ClientFrame};

/// One row of `refusals.jsonl`: params, and every fault they are refused with, or nothing.
#[derive(Deserialize)]
struct Row<'a> {
    name: &'a str,
    method: &'a str,
    caps: &'a str,
    #[serde(borrow)]
    params: &'a RawValue,
    refused: String,
}

/// What `text` is refused with; empty when it is taken.
fn refusal(text: &str, caps: Caps) -> String {
    match ClientFrame::parse(text, caps) {
        Err(NotJson) => "not JSON".to_owned(),
        Ok(ClientFrame::Invalid { id, error }) => format!("{} {error}", id.unwrap_or_default()),
        Ok(ClientFrame::Request { call: Call::Request(params), .. }) => ask_refusal(*params, caps),
        Ok(ClientFrame::Request { .. }) => String::new(),
    }
}

fn ask_refusal(params: AskParams, caps: Caps) -> String {
    let creator = super::samples::ask(Vec::new()).creator;
    params.into_ask(creator, caps).map_or_else(|error| format!("1 {error}"), |_| String::new())
}

#[test]
fn params_are_refused_with_every_fault() {
    for line in include_str!("refusals.jsonl").lines() {
        let row: Row<'_> = serde_json::from_str(line).unwrap();
        let caps = Caps { wide: row.caps == "wide" };
        let (method, params) = (row.method, row.params.get());
        let text = format!(r#"{{"type":"req","id":"1","method":"{method}","params":{params}}}"#);
        let expected = match row.refused.as_str() {
            "" => String::new(),
            faults => format!("1 INVALID_REQUEST: invalid {method} params: {faults}"),
        };
        assert_eq!(refusal(&text, caps), expected, "{}", row.name);
    }
}

#[test]
fn frames() {
    for (name, text, expected) in [
        ("no JSON", "hello", "not JSON"),
        ("cut off", r#"{"type":"req""#, "not JSON"),
        ("no object", "[1]", " INVALID_REQUEST: invalid request frame: at root: must be an object"),
        (
            "no id",
            r#"{"type":"req","method":"question.list"}"#,
            " INVALID_REQUEST: invalid request frame: at root: must have property 'id'",
        ),
        (
            "an extra member",
            r#"{"type":"req","id":"5","method":"question.list","x":1}"#,
            "5 INVALID_REQUEST: invalid request frame: at root: unexpected property 'x'",
        ),
        (
            "another type, an empty id",
            r#"{"type":"res","id":"","method":"question.list"}"#,
            " INVALID_REQUEST: invalid request frame: at /id: must be at least 1 characters; at /type: must be one of req",
        ),
        ("no params", r#"{"type":"req","id":"5","method":"question.list"}"#, ""),
        ("null params", r#"{"type":"req","id":"5","method":"question.list","params":null}"#, ""),
        ("a member twice", r#"{"type":"req","id":"4","id":"5","method":"question.list"}"#, ""),
        ("escapes", r#"{"\u0074ype":"re\u0071","id":"5","method":"question\u002elist"}"#, ""),
        ("an unknown method", r#"{"type":"req","id":"5","method":"chat.send","params":[]}"#, ""),
    ] {
        assert_eq!(refusal(text, Caps::PLAIN), expected, "{name}");
    }
}
