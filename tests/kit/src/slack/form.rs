//! Modals: up to three on top of each other before a person, what they fill in, what becomes of it when it is sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::block;
use super::event::echo;
use super::params::Params;
use super::person::{Person, button};
use super::press::{Screen, Tap};
use super::refusal::Refusal;
use super::seen::{self, Control};
use super::state::{Entry, Spot, World};

/// Most modals on top of each other.
const STACK_MAX: usize = 3;

#[derive(Debug)]
pub(super) struct ViewState {
    pub(super) app: String,
    pub(super) person: String,
    /// As it was sent, with ids for blocks and actions that had none.
    pub(super) view: Value,
    pub(super) hash: String,
    root: String,
    previous: Option<String>,
    /// Words at inputs, by `block_id`.
    errors: BTreeMap<String, String>,
}

/// A modal as a person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The id of the view.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The button that sends it, if there is one.
    pub submit: Option<String>,
    /// The button that closes it.
    pub close: String,
    /// What is read in it, line by line.
    pub lines: Vec<String>,
    /// What can be filled in or pressed, from top to bottom.
    pub controls: Vec<Control>,
    /// Words at inputs: the input's label and what is wrong.
    pub errors: Vec<(String, String)>,
    /// The view as it was sent.
    pub view: Value,
}

impl World {
    pub(super) fn open_view(&mut self, app: &str, params: &Params) -> Result<Value, Refusal> {
        let tap = self.exchange(app, params)?;
        let view = self.sent_view(params)?;
        let person = self.use_trigger(tap);
        self.person_mut(&person).stack.clear();
        let id = self.put_view(app, &person, view);
        Ok(json!({ "view": self.view_value(&id) }))
    }

    pub(super) fn push_view(&mut self, app: &str, params: &Params) -> Result<Value, Refusal> {
        let tap = self.exchange(app, params)?;
        let view = self.sent_view(params)?;
        let stack = self.taps.get(&tap).map_or(0, |tap| self.person(&tap.person).stack.len());
        match stack {
            0 => return Err(Refusal::new("not_found")),
            STACK_MAX.. => return Err(Refusal::new("push_limit_reached")),
            _ => {}
        }
        let person = self.use_trigger(tap);
        let id = self.put_view(app, &person, view);
        Ok(json!({ "view": self.view_value(&id) }))
    }

    pub(super) fn update_view(&mut self, app: &str, params: &Params) -> Result<Value, Refusal> {
        let view = self.sent_view(params)?;
        let named = params.text("view_id");
        let external = params.text("external_id").map(Value::String);
        let is_it = |id: &String, state: &ViewState| {
            named.as_ref() == Some(id)
                || external.is_some() && state.view.get("external_id") == external.as_ref()
        };
        let found = self.views.iter().find(|(id, state)| state.app == app && is_it(id, state));
        let (id, state) = found.ok_or_else(|| Refusal::new("not_found"))?;
        if !self.person(&state.person).stack.contains(id) {
            return Err(Refusal::new("not_found"));
        }
        if params.text("hash").is_some_and(|hash| hash != state.hash) {
            return Err(Refusal::new("hash_conflict"));
        }
        let id = id.clone();
        self.replace_view(&id, view);
        Ok(json!({ "view": self.view_value(&id) }))
    }

    fn exchange(&self, app: &str, params: &Params) -> Result<u64, Refusal> {
        let missing = || {
            Refusal::explained(
                "invalid_arguments",
                vec!["[ERROR] missing required field: trigger_id".to_owned()],
            )
        };
        let trigger = params.text("trigger_id").ok_or_else(missing)?;
        self.trigger(app, &trigger)
    }

    fn use_trigger(&mut self, tap: u64) -> String {
        let tap = self.taps.get_mut(&tap).expect("a press is never forgotten");
        tap.exchanged = true;
        tap.person.clone()
    }

    fn sent_view(&mut self, params: &Params) -> Result<Value, Refusal> {
        let wrong = |()| Refusal::explained("invalid_arguments", vec!["[ERROR] view is no JSON".to_owned()]);
        let view = params.structure("view").map_err(wrong)?.ok_or(()).map_err(wrong)?;
        block::view(&view, || self.new_id("b"))
    }

    fn put_view(&mut self, app: &str, person: &str, view: Value) -> String {
        let (id, hash) = (self.new_id("V"), self.new_hash());
        let stack = self.person(person).stack.clone();
        let state = ViewState {
            app: app.to_owned(),
            person: person.to_owned(),
            view,
            hash,
            root: stack.first().cloned().unwrap_or_else(|| id.clone()),
            previous: stack.last().cloned(),
            errors: BTreeMap::new(),
        };
        self.views.insert(id.clone(), state);
        self.person_mut(person).stack.push(id.clone());
        id
    }

    fn replace_view(&mut self, id: &str, view: Value) {
        let hash = self.new_hash();
        if let Some(state) = self.views.get_mut(id) {
            state.view = view;
            state.hash = hash;
            state.errors.clear();
        }
    }

    fn new_hash(&mut self) -> String {
        let (now, count) = (self.now, self.next());
        format!("{now}.{count:08x}")
    }

    fn blocks_of(&self, view: &str) -> Vec<Value> {
        let state = self.views.get(view);
        let blocks = state.and_then(|state| state.view.get("blocks")).and_then(Value::as_array);
        blocks.cloned().unwrap_or_default()
    }

    /// A view as the platform gives it back, with what was filled in.
    pub(super) fn view_value(&self, id: &str) -> Value {
        let Some(state) = self.views.get(id) else { return Value::Null };
        let app = self.app(&state.app);
        let values = self.state_values(&state.person, "", id, &self.blocks_of(id));
        let team = &self.person(&state.person).team;
        let organisation = app.enterprise.as_ref().filter(|_| app.team.is_none()).map(|(id, _)| id.clone());
        let installed = organisation.unwrap_or_else(|| self.home_of(&state.app));
        let mut view = json!({
            "id": id, "team_id": team, "app_id": state.app, "app_installed_team_id": installed,
            "bot_id": app.bot, "hash": state.hash, "root_view_id": state.root, "previous_view_id": state.previous,
            "state": { "values": values }, "private_metadata": "", "callback_id": "", "external_id": "",
            "clear_on_close": false, "notify_on_close": false, "submit": null, "close": null,
        });
        if let (Some(view), Value::Object(sent)) = (view.as_object_mut(), echo(&state.view)) {
            view.extend(sent);
        }
        view
    }

    /// What the app wants to become of a view that was sent.
    pub(super) fn answer_view(&mut self, tap: u64, id: &str, answer: &Value) {
        let action = answer.get("response_action").and_then(Value::as_str);
        let done = match action {
            None if answer.is_null() || answer.as_object().is_some_and(serde_json::Map::is_empty) => {
                self.close_view(id);
                Ok(())
            }
            Some("clear") => {
                self.clear_views(id);
                Ok(())
            }
            Some("errors") => self.show_errors(id, answer.get("errors")),
            Some(word @ ("update" | "push")) => {
                let sent = answer.get("view").cloned().unwrap_or_default();
                let view = block::view(&sent, || self.new_id("b"));
                view.map_err(|refusal| refusal.body().to_string()).map(|view| match self.views.get(id) {
                    Some(state) if word == "push" => {
                        let (app, person) = (state.app.clone(), state.person.clone());
                        self.put_view(&app, &person, view);
                    }
                    _ => self.replace_view(id, view),
                })
            }
            _ => Err(format!("the answer means nothing to the platform: {answer}")),
        };
        if let Err(why) = done {
            if let Some(app) = self.views.get(id).map(|view| view.app.clone()) {
                self.app_mut(&app).complaints.push(why.clone());
            }
            self.fail_tap(Some(tap), &why);
        }
    }

    fn close_view(&mut self, id: &str) {
        let Some(person) = self.views.get(id).map(|view| view.person.clone()) else { return };
        self.person_mut(&person).stack.retain(|open| open != id);
    }

    fn clear_views(&mut self, id: &str) {
        let Some(person) = self.views.get(id).map(|view| view.person.clone()) else { return };
        self.person_mut(&person).stack.clear();
    }

    /// Errors stand at input blocks only.
    fn show_errors(&mut self, id: &str, errors: Option<&Value>) -> Result<(), String> {
        let errors = errors.and_then(Value::as_object).filter(|errors| !errors.is_empty());
        let errors = errors.ok_or("errors without any")?;
        let controls = seen::controls(&self.blocks_of(id));
        let mut shown = BTreeMap::new();
        for (block, words) in errors {
            if !controls.iter().any(|control| control.input && control.block == *block) {
                return Err(format!("an error for '{block}', where no input is"));
            }
            let words = words.as_str().filter(|words| !words.is_empty());
            shown.insert(block.clone(), words.ok_or("an error without words")?.to_owned());
        }
        if let Some(state) = self.views.get_mut(id) {
            state.errors = shown;
        }
        Ok(())
    }

    /// What the person's own program finds wrong before anything is sent: label and words.
    fn check_view(&self, person: &str, id: &str) -> Vec<(String, String)> {
        let mut wrong = Vec::new();
        for control in seen::controls(&self.blocks_of(id)).iter().filter(|control| control.input) {
            let entry = self.entry(person, &Spot::of("", id, control), control);
            let is_empty = match &entry {
                None => true,
                Some(Entry::Text(text)) => text.is_empty(),
                Some(Entry::Options(options)) => options.is_empty(),
            };
            let words = match entry {
                _ if is_empty && control.optional => None,
                _ if is_empty => Some("Please complete this required field.".to_owned()),
                Some(Entry::Text(text)) => unfit(control, &text),
                _ => None,
            };
            wrong.extend(words.map(|words| (control.label.clone(), words)));
        }
        wrong
    }

    fn form(&self, person: &str) -> Option<Form> {
        let id = self.person(person).stack.last()?;
        let state = self.views.get(id)?;
        let blocks = self.blocks_of(id);
        let controls = seen::controls(&blocks);
        let label = |block: &String| controls.iter().find(|control| control.block == *block);
        let errors = state
            .errors
            .iter()
            .map(|(block, words)| {
                (label(block).map(|control| control.label.clone()).unwrap_or_default(), words.clone())
            })
            .collect();
        let close = state.view.get("close").map_or("Cancel".to_owned(), |close| seen::words(Some(close)));
        Some(Form {
            id: id.clone(),
            title: seen::words(state.view.get("title")),
            submit: state.view.get("submit").map(|submit| seen::words(Some(submit))),
            close,
            lines: seen::lines(&blocks),
            controls,
            errors,
            view: state.view.clone(),
        })
    }
}

/// What is wrong with a text in an input, for the person's own program.
fn unfit(control: &Control, text: &str) -> Option<String> {
    let least = control.element.get("min_length").and_then(Value::as_u64).unwrap_or(0);
    if (text.chars().count() as u64) < least {
        return Some(format!("Please enter at least {least} characters."));
    }
    if control.kind != "number_input" {
        return None;
    }
    let decimals = control.element.get("is_decimal_allowed") == Some(&Value::Bool(true));
    let number = text.parse::<f64>().ok().filter(|number| decimals || number.fract() == 0.0);
    let Some(number) = number else { return Some("Please enter a number.".to_owned()) };
    let bound =
        |name| control.element.get(name).and_then(Value::as_str).and_then(|text| text.parse::<f64>().ok());
    let low = bound("min_value").is_some_and(|least| number < least);
    let high = bound("max_value").is_some_and(|most| number > most);
    (low || high).then(|| "Please enter a number within bounds.".to_owned())
}

impl Person {
    /// The modal before them, the topmost of several.
    #[must_use]
    pub fn modal(&self) -> Option<Form> {
        self.shared.read(|world| world.form(&self.id))
    }

    /// Waits until the modal before them is as wanted, such as one with errors.
    pub async fn until_modal(&self, what: &str, mut is_it: impl FnMut(&Form) -> bool) -> Form {
        self.shared.until(what, |world| world.form(&self.id).filter(|form| is_it(form))).await
    }

    /// The same for a test without a runtime.
    pub fn wait_modal(&self, what: &str, mut is_it: impl FnMut(&Form) -> bool) -> Form {
        self.shared.wait(what, |world| world.form(&self.id).filter(|form| is_it(form)))
    }

    /// Waits until no modal is before them.
    pub async fn until_no_modal(&self) {
        self.shared.until("no modal", |world| world.form(&self.id).is_none().then_some(())).await;
    }

    fn top(&self) -> (Form, Screen) {
        let form = self.modal().unwrap_or_else(|| panic!("no modal is before {}", self.id));
        let screen = Screen::View(form.id.clone());
        (form, screen)
    }

    /// Types into the input of this label in the modal.
    ///
    /// # Panics
    /// When there is none, or it does not take so much.
    pub fn fill(&self, label: &str, text: &str) {
        let (form, screen) = self.top();
        self.put(&screen, form.control(label), text);
    }

    /// Takes these entries, and no others, in the input of this label in the modal.
    ///
    /// # Panics
    /// When there is none, or it does not have them.
    pub fn pick(&self, label: &str, entries: &[&str]) -> Option<Tap> {
        let (form, screen) = self.top();
        let blocks = self.shared.read(|world| world.blocks_of(&form.id));
        self.take(&screen, &blocks, form.control(label), entries)
    }

    /// Presses a button inside the modal.
    ///
    /// # Panics
    /// When there is none.
    pub fn tap_in_modal(&self, label: &str) -> Tap {
        let (form, screen) = self.top();
        let blocks = self.shared.read(|world| world.blocks_of(&form.id));
        self.press_control(screen, &blocks, button(&form.controls, label))
    }

    /// Sends the modal.
    ///
    /// # Panics
    /// When their own program does not let them.
    pub fn submit(&self) -> Tap {
        self.try_submit().unwrap_or_else(|wrong| panic!("the modal cannot be sent: {wrong:?}"))
    }

    /// Sends the modal, or tells what their own program finds wrong at which label.
    pub fn try_submit(&self) -> Result<Tap, Vec<(String, String)>> {
        let (form, _) = self.top();
        assert!(form.submit.is_some(), "the modal has no button to send it: {form:?}");
        let wrong = self.shared.read(|world| world.check_view(&self.id, &form.id));
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok(self.send_view("view_submission", &form.id))
    }

    /// Sends a modal that was seen before once more, as a program does that was slow to notice that it is gone.
    pub fn submit_again(&self, form: &Form) -> Tap {
        self.send_view("view_submission", &form.id)
    }

    /// Closes the modal. The app is told where it asked for that.
    pub fn dismiss(&self) -> Option<Tap> {
        let (form, _) = self.top();
        self.shared.change(|world| world.close_view(&form.id));
        let told = form.view.get("notify_on_close") == Some(&Value::Bool(true));
        told.then(|| self.send_view("view_closed", &form.id))
    }

    fn send_view(&self, kind: &str, id: &str) -> Tap {
        let tap = self.shared.change(|world| {
            let app = world.views.get(id).map(|view| view.app.clone()).expect("a view is never forgotten");
            let sent = (kind == "view_submission").then(|| id.to_owned());
            if let Some(state) = world.views.get_mut(id) {
                state.errors.clear();
            }
            let tap = world.begin_tap(&app, &self.id, sent);
            let mut payload = world.interaction(kind, &app, &self.id, tap);
            payload.insert("view".to_owned(), world.view_value(id));
            match kind {
                "view_submission" => payload.insert("response_urls".to_owned(), json!([])),
                _ => payload.insert("is_cleared".to_owned(), false.into()),
            };
            world.bring_interaction(&app, Value::Object(payload), tap);
            tap
        });
        Tap { shared: Arc::clone(&self.shared), id: tap, confirm: None }
    }
}

impl Form {
    /// The control that is meant: by the label or placeholder, by an entry in it, or by `action_id` or `block_id`.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn control(&self, name: &str) -> &Control {
        seen::find(&self.controls, name)
            .unwrap_or_else(|| panic!("no control '{name}' in the modal: {self:?}"))
    }

    /// What stands at the input of this label.
    #[must_use]
    pub fn error(&self, label: &str) -> Option<&str> {
        self.errors.iter().find(|(at, _)| at == label).map(|(_, words)| words.as_str())
    }
}
