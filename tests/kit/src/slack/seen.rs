//! A message or a modal as a person sees it: readable lines, and the controls in it.

use serde_json::Value;

use super::state::{Author, MessageState};
use super::text::{self, Finds, Marks};

/// Who wrote a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// An app, by app id.
    App(String),
    /// A person, by user id.
    Person(String),
    /// A webhook, which is nobody.
    Webhook,
}

/// A message as it can be seen now.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Its name in the conversation.
    pub ts: String,
    /// Who wrote it.
    pub from: From,
    /// The text for notifications and screen readers; where there are no blocks, the text.
    pub text: String,
    /// What stands in its blocks, line by line, as it is read.
    pub lines: Vec<String>,
    /// The controls in its blocks, from top to bottom.
    pub controls: Vec<Control>,
    /// Its blocks as the platform keeps them.
    pub blocks: Vec<Value>,
    /// The message at which its thread began, unless it is that one.
    pub thread: Option<String>,
    /// A reply that is shown in the conversation too.
    pub broadcast: bool,
    /// Only one person sees it.
    pub ephemeral: bool,
    /// It was changed after it was sent.
    pub edited: bool,
    /// Whom its text and blocks ping, such as `@U01` or `!here`.
    pub pings: Vec<String>,
    /// Where links in its text and blocks lead, those that the platform finds by itself too. Link buttons are not among them.
    pub links: Vec<String>,
    /// Words with markup, such as `*bold*`.
    pub styled: Vec<String>,
    /// Links in it are shown large.
    pub unfurls: bool,
}

/// Something to press, choose from or type into.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The type of the element, such as `button` or `static_select`.
    pub kind: String,
    /// The `block_id` of its block.
    pub block: String,
    /// Its `action_id`.
    pub action: String,
    /// What it says: a button's text, an input's label, else the placeholder.
    pub label: String,
    /// What a button sends.
    pub value: Option<String>,
    /// What a button opens.
    pub url: Option<String>,
    /// `primary` or `danger`.
    pub style: Option<String>,
    /// What can be chosen.
    pub options: Vec<Choice>,
    /// What is asked before it is sent.
    pub confirm: Option<Confirm>,
    /// It stands in an input block: it sends nothing by itself.
    pub input: bool,
    /// It may be left empty.
    pub optional: bool,
    /// The element as it was sent.
    pub element: Value,
}

/// One entry to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What it says.
    pub label: String,
    /// What it sends.
    pub value: String,
    /// What stands below it.
    pub description: Option<String>,
}

/// The question before something is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirm {
    /// Its title.
    pub title: String,
    /// What it asks.
    pub text: String,
    /// The button that does it.
    pub confirm: String,
    /// The button that does not.
    pub deny: String,
}

impl Seen {
    pub(super) fn new(ts: &str, message: &MessageState, ephemeral: bool) -> Self {
        let from = match &message.author {
            Author::App(app) => From::App(app.clone()),
            Author::Person(user) => From::Person(user.clone()),
            Author::Hook(_) => From::Webhook,
        };
        let mut marks = Marks::default();
        if matches!(message.author, Author::App(_)) {
            marks.read(&message.text, Finds::Addresses);
            message.blocks.iter().for_each(|block| read_marks(block, &mut marks));
        }
        Self {
            ts: ts.to_owned(),
            from,
            text: text::shown(&message.text),
            lines: lines(&message.blocks),
            controls: controls(&message.blocks),
            blocks: message.blocks.clone(),
            thread: message.thread.clone(),
            broadcast: message.broadcast,
            ephemeral,
            edited: message.edited.is_some(),
            pings: marks.pings,
            links: marks.links,
            styled: marks.styled,
            unfurls: message.unfurls,
        }
    }

    pub(super) fn is_from_app(&self) -> bool {
        matches!(self.from, From::App(_))
    }

    /// Whether this stands in its text or blocks.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.text.contains(text) || self.body().contains(text)
    }

    /// What is read in it: its blocks, line by line, or its text where there are none.
    #[must_use]
    pub fn body(&self) -> String {
        if self.blocks.is_empty() { self.text.clone() } else { self.lines.join("\n") }
    }

    /// What can be pressed or chosen: the labels of buttons and of the entries of menus, from top to bottom.
    #[must_use]
    pub fn labels(&self) -> Vec<&str> {
        let mut labels = Vec::new();
        for control in &self.controls {
            if control.kind == "button" {
                labels.push(control.label.as_str());
            }
            labels.extend(control.options.iter().map(|option| option.label.as_str()));
        }
        labels
    }

    /// The control that is meant: by the label or placeholder, by an entry in it, or by `action_id` or `block_id`.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn control(&self, name: &str) -> &Control {
        find(&self.controls, name).unwrap_or_else(|| panic!("no control '{name}' to see: {self:?}"))
    }
}

/// The control of this name among several.
pub(super) fn find<'a>(controls: &'a [Control], name: &str) -> Option<&'a Control> {
    let by_id =
        |control: &&Control| [&control.label, &control.action, &control.block].contains(&&name.to_owned());
    let by_entry = |control: &&Control| control.options.iter().any(|option| option.label == name);
    controls.iter().find(by_id).or_else(|| controls.iter().find(by_entry))
}

/// A text object as it is read.
pub(super) fn words(object: Option<&Value>) -> String {
    let Some(object) = object else { return String::new() };
    let text = object.get("text").and_then(Value::as_str).unwrap_or_default();
    match object.get("type").and_then(Value::as_str) {
        Some("mrkdwn") => text::shown(text),
        _ => text.to_owned(),
    }
}

fn field(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// What is read in blocks.
pub(super) fn lines(blocks: &[Value]) -> Vec<String> {
    let mut all = Vec::new();
    for block in blocks {
        match block.get("type").and_then(Value::as_str).unwrap_or_default() {
            "section" => {
                all.extend(block.get("text").map(|text| words(Some(text))));
                all.extend(list(block, "fields").iter().map(|field| words(Some(field))));
            }
            "header" => all.push(words(block.get("text"))),
            "context" => {
                let parts: Vec<String> =
                    list(block, "elements").iter().map(|element| words(Some(element))).collect();
                all.push(parts.join(" "));
            }
            "input" => {
                all.push(words(block.get("label")));
                all.extend(block.get("hint").map(|hint| words(Some(hint))));
            }
            "markdown" => all.extend(field(block, "text")),
            "rich_text" => all.extend(list(block, "elements").iter().map(rich)),
            "image" => all.extend(field(block, "alt_text")),
            "divider" => all.push("---".to_owned()),
            _ => {}
        }
    }
    all.iter().flat_map(|text| text.split('\n')).map(str::to_owned).collect()
}

/// A section of rich text as it is read.
fn rich(section: &Value) -> String {
    let piece = |piece: &Value| match piece.get("type").and_then(Value::as_str) {
        Some("user") => format!("@{}", field(piece, "user_id").unwrap_or_default()),
        _ => field(piece, "text").or_else(|| field(piece, "url")).unwrap_or_default(),
    };
    list(section, "elements").iter().map(piece).collect()
}

/// The controls in blocks.
pub(super) fn controls(blocks: &[Value]) -> Vec<Control> {
    let mut all = Vec::new();
    for block in blocks {
        match block.get("type").and_then(Value::as_str).unwrap_or_default() {
            "actions" => {
                all.extend(list(block, "elements").iter().map(|element| control(block, element, None)))
            }
            "section" => {
                let accessory = block.get("accessory").filter(|accessory| accessory["type"] != "image");
                all.extend(accessory.map(|accessory| control(block, accessory, None)));
            }
            "input" => {
                let element = block.get("element").unwrap_or(&Value::Null);
                all.push(control(block, element, Some(words(block.get("label")))));
            }
            _ => {}
        }
    }
    all
}

fn control(block: &Value, element: &Value, label: Option<String>) -> Control {
    let own = element.get("text").or_else(|| element.get("placeholder"));
    let confirm = element.get("confirm").map(|confirm| Confirm {
        title: words(confirm.get("title")),
        text: words(confirm.get("text")),
        confirm: words(confirm.get("confirm")),
        deny: words(confirm.get("deny")),
    });
    let option = |option: &Value| Choice {
        label: words(option.get("text")),
        value: field(option, "value").unwrap_or_default(),
        description: option.get("description").map(|description| words(Some(description))),
    };
    Control {
        kind: field(element, "type").unwrap_or_default(),
        block: field(block, "block_id").unwrap_or_default(),
        action: field(element, "action_id").unwrap_or_default(),
        input: label.is_some(),
        optional: block.get("optional") == Some(&Value::Bool(true)),
        label: label.unwrap_or_else(|| words(own)),
        value: field(element, "value"),
        url: field(element, "url"),
        style: field(element, "style"),
        options: options(element).map(option).collect(),
        confirm,
        element: element.clone(),
    }
}

/// The entries of an element, those in groups too.
pub(super) fn options(element: &Value) -> impl Iterator<Item = &Value> {
    let groups = list(element, "option_groups").iter().flat_map(|group| list(group, "options"));
    list(element, "options").iter().chain(groups)
}

/// Finds what reaches beyond words in every text with markup inside.
pub(super) fn read_marks(value: &Value, marks: &mut Marks) {
    match value {
        Value::Object(fields) => {
            let text = fields.get("text").and_then(Value::as_str);
            match (fields.get("type").and_then(Value::as_str), text) {
                (Some("mrkdwn"), Some(text)) => {
                    let verbatim = fields.get("verbatim") == Some(&Value::Bool(true));
                    marks.read(text, if verbatim { Finds::Nothing } else { Finds::AddressesAndNames });
                }
                (Some("markdown"), Some(text)) => marks.read(text, Finds::AddressesAndNames),
                (Some("rich_text_section"), _) => {
                    list(value, "elements").iter().for_each(|piece| read_piece(piece, marks));
                }
                _ => fields.values().for_each(|value| read_marks(value, marks)),
            }
        }
        Value::Array(items) => items.iter().for_each(|item| read_marks(item, marks)),
        _ => {}
    }
}

/// The same in a piece of rich text, where it is said and not found.
fn read_piece(piece: &Value, marks: &mut Marks) {
    marks.links.extend(field(piece, "url"));
    marks.pings.extend(field(piece, "user_id").map(|user| format!("@{user}")));
    if piece.get("style").is_some() {
        marks.styled.extend(field(piece, "text"));
    }
}
