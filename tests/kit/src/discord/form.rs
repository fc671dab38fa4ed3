//! Forms, which the platform calls modals: its rules about them, and what a person fills in and sends.

use serde_json::{Map, Value, json};

use super::component::{CUSTOM_ID_MAX, Judge, ROW, SELECT, number, numbered};

/// Longest texts, in characters.
const TITLE_MAX: usize = 45;
const LABEL_MAX: usize = 45;
const DESCRIPTION_MAX: usize = 100;
const PLACEHOLDER_MAX: usize = 100;
const VALUE_MAX: usize = 4000;
/// Most components of a form.
const COMPONENTS_MAX: usize = 5;
/// Most entries of a group.
const GROUP_MAX: usize = 10;

/// Numbers of kinds of components.
const INPUT: u64 = 4;
const WORDS: u64 = 10;
const LABEL: u64 = 18;
const RADIO: u64 = 21;
const CHECKBOXES: u64 = 22;
const CHECKBOX: u64 = 23;

impl Judge {
    /// A form.
    pub(super) fn form(&mut self, path: &str, form: &Value) {
        self.known(path, form, &["custom_id", "title", "components"]);
        self.needed(path, form, "custom_id", (1, CUSTOM_ID_MAX));
        self.needed(path, form, "title", (1, TITLE_MAX));
        let path = format!("{path}.components");
        let Some(components) = form.get("components").and_then(Value::as_array) else {
            return self.wrongs.missing(&path);
        };
        self.wrongs.length(&path, components.len(), 1, COMPONENTS_MAX);
        for (index, component) in components.iter().enumerate() {
            let path = format!("{path}.{index}");
            match self.kind(&path, component, &[ROW, WORDS, LABEL]) {
                Some(ROW) => self.input_row(&path, component),
                Some(LABEL) => self.label(&path, component),
                Some(_) => {
                    self.known(&path, component, &["type", "id", "content"]);
                    self.needed(&path, component, "content", (1, VALUE_MAX));
                }
                None => {}
            }
        }
    }

    /// A row with one text input: the older manner.
    fn input_row(&mut self, path: &str, row: &Value) {
        self.known(path, row, &["type", "id", "components"]);
        let path = format!("{path}.components");
        let inside = row.get("components").and_then(Value::as_array);
        let Some(inside) = inside else { return self.wrongs.missing(&path) };
        self.wrongs.length(&path, inside.len(), 1, COMPONENTS_MAX);
        for (index, input) in inside.iter().enumerate() {
            let path = format!("{path}.{index}");
            if self.kind(&path, input, &[INPUT]).is_some() {
                self.needed(&path, input, "label", (1, LABEL_MAX));
                self.input(&path, input, true);
            }
            if index > 0 {
                let message = "The specified component exceeds the maximum width";
                self.wrongs.add(&path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message);
            }
        }
    }

    fn label(&mut self, path: &str, label: &Value) {
        self.known(path, label, &["type", "id", "label", "description", "component"]);
        self.needed(path, label, "label", (1, LABEL_MAX));
        self.text(path, label, "description", (0, DESCRIPTION_MAX));
        let path = format!("{path}.component");
        let Some(inside) = label.get("component") else { return self.wrongs.missing(&path) };
        match self.kind(&path, inside, &[SELECT, INPUT, RADIO, CHECKBOXES, CHECKBOX]) {
            Some(INPUT) => self.input(&path, inside, false),
            Some(SELECT) => self.select(&path, inside, true),
            Some(CHECKBOX) => {
                self.known(&path, inside, &["type", "id", "custom_id", "default"]);
                self.custom_id(&path, inside);
            }
            Some(kind) => {
                let bounds = ["min_values", "max_values"].iter().filter(|_| kind == CHECKBOXES);
                let fields: Vec<&str> = ["type", "id", "custom_id", "options", "required"]
                    .iter()
                    .chain(bounds)
                    .copied()
                    .collect();
                self.known(&path, inside, &fields);
                self.custom_id(&path, inside);
                let least = if kind == RADIO { 2 } else { 1 };
                let count = self.options(&path, inside, (least, GROUP_MAX));
                self.bounds(&path, inside, count, GROUP_MAX);
            }
            None => {}
        }
    }

    fn input(&mut self, path: &str, input: &Value, with_label: bool) {
        let mut fields = vec!["type", "id", "custom_id", "style", "min_length", "max_length"];
        fields.extend(["required", "value", "placeholder"]);
        fields.extend(with_label.then_some("label"));
        self.known(path, input, &fields);
        self.custom_id(path, input);
        match number(input, "style") {
            Some(1 | 2) => {}
            None => self.wrongs.missing(&format!("{path}.style")),
            Some(_) => self.wrongs.choice(&format!("{path}.style"), &[1, 2]),
        }
        self.text(path, input, "placeholder", (0, PLACEHOLDER_MAX));
        self.text(path, input, "value", (0, VALUE_MAX));
        let bound = |field| input.get(field).and_then(Value::as_i64);
        if let Some(least) = bound("min_length") {
            self.wrongs.range(&format!("{path}.min_length"), least, 0, 4000);
        }
        if let Some(most) = bound("max_length") {
            self.wrongs.range(&format!("{path}.max_length"), most, 1, 4000);
        }
    }
}

/// A form as the person sees it, with what they filled in so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The press that opened it.
    pub(super) opened_by: u64,
    /// What its bot calls it.
    pub custom_id: String,
    /// What stands above it.
    pub title: String,
    /// What can be filled in, from the top.
    pub fields: Vec<Field>,
    components: Vec<Value>,
}

/// One thing to fill in.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What its bot calls it.
    pub custom_id: String,
    /// What stands above it.
    pub label: String,
    /// The smaller words below that.
    pub description: Option<String>,
    /// The pale words in an empty input.
    pub placeholder: Option<String>,
    /// It cannot be left empty.
    pub required: bool,
    /// The entries to choose from, each with its value; an input has none.
    pub options: Vec<(String, String)>,
    /// What is filled in: of an input one text, of a menu the values that are chosen.
    pub values: Vec<String>,
    kind: u64,
    least: usize,
    most: usize,
}

impl Form {
    pub(super) fn new(opened_by: u64, form: &Value) -> Self {
        let words = |field: &str| form.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut components = form.get("components").and_then(Value::as_array).cloned().unwrap_or_default();
        numbered(&mut components, &mut 1);
        let fields = components.iter().filter_map(Field::new).collect();
        Self { opened_by, custom_id: words("custom_id"), title: words("title"), fields, components }
    }

    /// Types into the input below this label.
    ///
    /// # Panics
    /// When there is no such input.
    #[must_use]
    pub fn fill(mut self, label: &str, text: &str) -> Self {
        let field = self.field(label);
        assert_eq!(field.kind, INPUT, "nothing to type into: {field:?}");
        field.values = vec![text.to_owned()];
        self
    }

    /// Chooses these entries of the menu below this label, and no others. A checkbox is chosen by its own label.
    ///
    /// # Panics
    /// When there is no such menu or entry.
    #[must_use]
    pub fn choose(mut self, label: &str, entries: &[&str]) -> Self {
        let field = self.field(label);
        assert_ne!(field.kind, INPUT, "nothing to choose from: {field:?}");
        let value = |entry: &&str| {
            let found = field.options.iter().find(|(label, _)| label == entry);
            found.unwrap_or_else(|| panic!("no entry '{entry}': {field:?}")).1.clone()
        };
        field.values = entries.iter().map(value).collect();
        self
    }

    fn field(&mut self, label: &str) -> &mut Field {
        let labels: Vec<&str> = self.fields.iter().map(|field| field.label.as_str()).collect();
        let at = labels.iter().position(|other| *other == label);
        let at = at.unwrap_or_else(|| panic!("no field '{label}': {labels:?}"));
        &mut self.fields[at]
    }

    /// What is sent: the components with what was filled in. The person's client does not send what does not fit.
    ///
    /// # Panics
    /// When something does not fit.
    pub(super) fn sent(&self) -> Value {
        self.fields.iter().for_each(Field::judge);
        let components: Vec<Value> = self.components.iter().map(|component| self.answer(component)).collect();
        json!({ "custom_id": self.custom_id, "components": components })
    }

    fn answer(&self, component: &Value) -> Value {
        let mut answer = Map::new();
        for name in ["type", "id", "custom_id"] {
            answer.extend(component.get(name).map(|value| (name.to_owned(), value.clone())));
        }
        if let Some(inside) = component.get("components").and_then(Value::as_array) {
            let inside: Vec<Value> = inside.iter().map(|component| self.answer(component)).collect();
            answer.insert("components".to_owned(), inside.into());
        }
        if let Some(inside) = component.get("component") {
            answer.insert("component".to_owned(), self.answer(inside));
        }
        let custom_id = component.get("custom_id").and_then(Value::as_str);
        if let Some(field) = self.fields.iter().find(|field| Some(field.custom_id.as_str()) == custom_id) {
            let (name, value) = field.answer();
            answer.insert(name.to_owned(), value);
        }
        Value::Object(answer)
    }
}

impl Field {
    fn new(component: &Value) -> Option<Self> {
        let inside = component.get("component").or_else(|| component.get("components")?.get(0))?;
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let kind = number(inside, "type").unwrap_or_default();
        let label = text(component, "label").or_else(|| text(inside, "label")).unwrap_or_default();
        let entries = inside.get("options").and_then(Value::as_array).into_iter().flatten();
        let mut options: Vec<(String, String)> = entries
            .clone()
            .map(|entry| (text(entry, "label").unwrap_or_default(), text(entry, "value").unwrap_or_default()))
            .collect();
        let is_default = |entry: &&Value| entry.get("default") == Some(&Value::Bool(true));
        let mut values: Vec<String> =
            entries.filter(is_default).filter_map(|entry| text(entry, "value")).collect();
        if kind == CHECKBOX {
            options.push((label.clone(), "true".to_owned()));
        }
        values.extend(text(inside, "value"));
        let bound = |name, otherwise| {
            number(inside, name).and_then(|number| usize::try_from(number).ok()).unwrap_or(otherwise)
        };
        let is_input = kind == INPUT;
        Some(Self {
            custom_id: text(inside, "custom_id")?,
            description: text(component, "description"),
            placeholder: text(inside, "placeholder"),
            required: inside.get("required").and_then(Value::as_bool).unwrap_or(kind != CHECKBOX),
            least: bound(
                if is_input { "min_length" } else { "min_values" },
                usize::from(!is_input && kind != CHECKBOX),
            ),
            most: bound(
                if is_input { "max_length" } else { "max_values" },
                match kind {
                    INPUT => VALUE_MAX,
                    CHECKBOXES => options.len(),
                    _ => 1,
                },
            ),
            kind,
            label,
            options,
            values,
        })
    }

    fn judge(&self) {
        let text = self.values.first().map_or(0, |text| text.chars().count());
        let filled = if self.kind == INPUT { text } else { self.values.len() };
        let may_be_empty = !self.required && filled == 0;
        assert!(!(self.required && filled == 0), "the client sends no form without this: {self:?}");
        assert!(
            may_be_empty || (self.least..=self.most).contains(&filled),
            "the client refuses this: {self:?}"
        );
    }

    fn answer(&self) -> (&'static str, Value) {
        match self.kind {
            INPUT => ("value", self.values.first().cloned().unwrap_or_default().into()),
            RADIO => ("value", self.values.first().cloned().into()),
            CHECKBOX => ("value", (!self.values.is_empty()).into()),
            _ => ("values", self.values.clone().into()),
        }
    }
}
