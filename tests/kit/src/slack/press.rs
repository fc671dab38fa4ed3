//! Presses of controls and what becomes of them: the payload that the app gets, the three seconds for its answer, the trigger
//! that opens one modal.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::deliver::TAKE_SECONDS;
use super::event::echo;
use super::refusal::Refusal;
use super::seen::{Confirm, Control};
use super::state::{Entry, Shared, Spot, World};

/// Seconds for which a trigger is good.
const TRIGGER_LIFE_SECONDS: i64 = 3;

/// One press of a control, or one modal that was sent or closed.
#[derive(Clone, Debug)]
pub struct Tap {
    pub(super) shared: Arc<Shared>,
    pub(super) id: u64,
    /// What was asked before it was sent, and agreed to.
    pub confirm: Option<Confirm>,
}

#[derive(Debug)]
pub(super) struct TapState {
    pub(super) app: String,
    pub(super) person: String,
    pub(super) at: i64,
    pub(super) trigger: String,
    pub(super) exchanged: bool,
    pub(super) response_url: Option<String>,
    /// The view that was sent.
    pub(super) view: Option<String>,
    pub(super) answer: Option<Value>,
    pub(super) failure: Option<String>,
}

/// Where a control is that is pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Screen {
    Message { channel: String, ts: String },
    View(String),
}

impl Tap {
    fn look<T>(&self, look: impl FnOnce(&TapState) -> T) -> T {
        self.shared.read(|world| look(world.taps.get(&self.id).expect("a press is never forgotten")))
    }

    /// What the app acknowledged it with, null for nothing, once it did.
    #[must_use]
    pub fn answer(&self) -> Option<Value> {
        self.look(|tap| tap.answer.clone())
    }

    /// Waits until it is acknowledged: until then the person sees the control spin.
    pub async fn answered(&self) -> Value {
        self.shared.until("the answer to a press", |world| world.taps.get(&self.id)?.answer.clone()).await
    }

    /// The same for a test without a runtime.
    #[must_use]
    pub fn wait_answered(&self) -> Value {
        self.shared.wait("the answer to a press", |world| world.taps.get(&self.id)?.answer.clone())
    }

    /// Why the person saw that it did not work.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.look(|tap| tap.failure.clone())
    }

    /// Waits until the person sees that it did not work; why.
    pub async fn failed(&self) -> String {
        self.shared.until("a press that fails", |world| world.taps.get(&self.id)?.failure.clone()).await
    }

    /// The id with which a modal can be opened.
    #[must_use]
    pub fn trigger_id(&self) -> String {
        self.look(|tap| tap.trigger.clone())
    }

    /// The address to which words about it can be posted; there is none for a modal.
    #[must_use]
    pub fn response_url(&self) -> Option<String> {
        self.look(|tap| tap.response_url.clone())
    }
}

impl World {
    /// A person presses a control: what the app is told of it. `blocks` are those that they see.
    pub(super) fn press(&mut self, person: &str, screen: &Screen, blocks: &[Value], action: Value) -> u64 {
        let app = self.app_of(person, screen);
        let tap = self.begin_tap(&app, person, None);
        let mut payload = self.interaction("block_actions", &app, person, tap);
        let mut action = action;
        if let Some(action) = action.as_object_mut() {
            action.insert("action_ts".to_owned(), self.new_ts().into());
        }
        payload.insert("actions".to_owned(), json!([action]));
        let (channel, at) = screen.key();
        payload
            .insert("state".to_owned(), json!({ "values": self.state_values(person, channel, at, blocks) }));
        match screen {
            Screen::Message { channel, ts } => self.add_message(&mut payload, person, channel, ts, tap),
            Screen::View(view) => {
                payload.insert("container".to_owned(), json!({ "type": "view", "view_id": view }));
                payload.insert("view".to_owned(), self.view_value(view));
                payload.remove("state");
            }
        }
        self.bring_interaction(&app, Value::Object(payload), tap);
        tap
    }

    fn add_message(
        &mut self,
        payload: &mut Map<String, Value>,
        person: &str,
        channel: &str,
        ts: &str,
        tap: u64,
    ) {
        let key = (channel.to_owned(), ts.to_owned());
        let is_ephemeral = self.person(person).ephemerals.contains_key(&key);
        let message = self.message_value(channel, ts);
        let mut container = json!({
            "type": "message", "message_ts": ts, "channel_id": channel, "is_ephemeral": is_ephemeral,
        });
        if let (Some(container), Some(thread)) = (container.as_object_mut(), message.get("thread_ts")) {
            container.insert("thread_ts".to_owned(), thread.clone());
        }
        payload.insert("container".to_owned(), container);
        let name = match self.channel(channel).name.as_str() {
            "" => "directmessage",
            name => name,
        };
        payload.insert("channel".to_owned(), json!({ "id": channel, "name": name }));
        if !is_ephemeral {
            payload.insert("message".to_owned(), Value::Object(message));
        }
        let url = self.new_reply_url(tap, person, channel, ts);
        payload.insert("response_url".to_owned(), url.clone().into());
        if let Some(tap) = self.taps.get_mut(&tap) {
            tap.response_url = Some(url);
        }
    }

    /// What every interaction tells.
    pub(super) fn interaction(&self, kind: &str, app: &str, person: &str, tap: u64) -> Map<String, Value> {
        let (state, who) = (self.app(app), self.person(person));
        let team = self.team(&who.team);
        let domain = team.name.to_ascii_lowercase().replace(' ', "-");
        let mut home = json!({ "id": who.team, "domain": domain });
        if let (Some(home), Some((id, name))) = (home.as_object_mut(), &team.enterprise) {
            home.insert("enterprise_id".to_owned(), id.clone().into());
            home.insert("enterprise_name".to_owned(), name.clone().into());
        }
        // Where the app is installed everywhere, no team is told, and the organisation is the app's.
        let (home, organisation) = match state.team {
            Some(_) => (home, &team.enterprise),
            None => (Value::Null, &state.enterprise),
        };
        let enterprise = organisation.as_ref().map(|(id, name)| json!({ "id": id, "name": name }));
        let username = who.name.to_ascii_lowercase().replace(' ', ".");
        let payload = json!({
            "type": kind,
            "user": { "id": person, "username": username, "name": username, "team_id": who.team },
            "api_app_id": app,
            "token": state.verification,
            "trigger_id": self.taps.get(&tap).map(|tap| tap.trigger.clone()),
            "team": home,
            "enterprise": enterprise,
            "is_enterprise_install": state.team.is_none(),
        });
        match payload {
            Value::Object(payload) => payload,
            _ => Map::new(),
        }
    }

    pub(super) fn begin_tap(&mut self, app: &str, person: &str, view: Option<String>) -> u64 {
        let id = self.next();
        let trigger = format!("{}.{}.{:0>32x}", self.next(), self.next(), self.next());
        let state = TapState {
            app: app.to_owned(),
            person: person.to_owned(),
            at: self.now,
            trigger,
            exchanged: false,
            response_url: None,
            view,
            answer: None,
            failure: None,
        };
        self.taps.insert(id, state);
        id
    }

    /// Whose control it is: that of the message's or view's app.
    fn app_of(&self, person: &str, screen: &Screen) -> String {
        use super::state::Author;
        let author = match screen {
            Screen::View(view) => {
                return self.views.get(view).map(|view| view.app.clone()).unwrap_or_default();
            }
            Screen::Message { channel, ts } => {
                let key = (channel.clone(), ts.clone());
                let own = self.person(person).ephemerals.get(&key);
                own.or_else(|| self.channel(channel).messages.get(ts)).map(|message| message.author.clone())
            }
        };
        match author {
            Some(Author::App(app)) => app,
            _ => panic!("no app's message to press at {screen:?}"),
        }
    }

    /// The acknowledgement of an interaction. What comes too late is as if it did not come.
    pub(super) fn answer_tap(&mut self, tap: u64, answer: Value) {
        let now = self.now;
        let Some(state) = self.taps.get_mut(&tap).filter(|tap| tap.failure.is_none()) else { return };
        if state.answer.is_some() || state.at + TAKE_SECONDS < now {
            return;
        }
        state.answer = Some(answer.clone());
        if let Some(view) = state.view.clone() {
            self.answer_view(tap, &view, &answer);
        }
    }

    pub(super) fn fail_tap(&mut self, tap: Option<u64>, why: &str) {
        if let Some(tap) = tap.and_then(|tap| self.taps.get_mut(&tap)) {
            tap.failure.get_or_insert_with(|| why.to_owned());
        }
    }

    pub(super) fn expire_taps(&mut self) {
        let now = self.now;
        for tap in self.taps.values_mut() {
            if tap.answer.is_none() && tap.at + TAKE_SECONDS < now {
                tap.failure.get_or_insert_with(|| "the app did not answer in time".to_owned());
            }
        }
    }

    /// Exchanges a trigger for the person before whom something is to open.
    pub(super) fn trigger(&self, app: &str, trigger: &str) -> Result<u64, Refusal> {
        let is_it = |(_, tap): &(&u64, &super::press::TapState)| tap.trigger == trigger && tap.app == app;
        let (id, tap) = self.taps.iter().find(is_it).ok_or_else(|| Refusal::new("invalid_trigger_id"))?;
        if tap.exchanged {
            return Err(Refusal::new("exchanged_trigger_id"));
        }
        if tap.at + TRIGGER_LIFE_SECONDS < self.now {
            return Err(Refusal::new("expired_trigger_id"));
        }
        Ok(*id)
    }

    /// What a person took and typed in every control that keeps something, by block and action.
    pub(super) fn state_values(&self, person: &str, channel: &str, at: &str, blocks: &[Value]) -> Value {
        let mut values = Map::new();
        for control in super::seen::controls(blocks) {
            let Some(field) = kept_field(&control.kind) else { continue };
            let spot = Spot::of(channel, at, &control);
            let entry = self.entry(person, &spot, &control);
            let mut value = Map::new();
            value.insert("type".to_owned(), control.kind.clone().into());
            value.insert(field.to_owned(), shape(field, entry));
            let block = values.entry(control.block.clone()).or_insert_with(|| json!({}));
            if let Some(block) = block.as_object_mut() {
                block.insert(control.action.clone(), Value::Object(value));
            }
        }
        Value::Object(values)
    }

    /// What a person took or typed there, else what stood there from the beginning.
    pub(super) fn entry(&self, person: &str, spot: &Spot, control: &Control) -> Option<Entry> {
        let own = self.person(person).entries.get(spot).cloned();
        own.or_else(|| {
            let element = &control.element;
            let one = element.get("initial_option").map(|option| vec![option.clone()]);
            let several = || element.get("initial_options").and_then(Value::as_array).cloned();
            let text = || element.get("initial_value").and_then(Value::as_str).map(str::to_owned);
            one.or_else(several).map(Entry::Options).or_else(|| text().map(Entry::Text))
        })
    }
}

impl Screen {
    pub(super) fn key(&self) -> (&str, &str) {
        match self {
            Self::Message { channel, ts } => (channel, ts),
            Self::View(view) => ("", view),
        }
    }
}

impl Spot {
    pub(super) fn of(channel: &str, at: &str, control: &Control) -> Self {
        Self {
            channel: channel.to_owned(),
            at: at.to_owned(),
            block: control.block.clone(),
            action: control.action.clone(),
        }
    }
}

/// In which field of the state such a control keeps what was taken; buttons keep nothing.
pub(super) fn kept_field(kind: &str) -> Option<&'static str> {
    match kind {
        "plain_text_input" | "number_input" | "email_text_input" | "url_text_input" => Some("value"),
        "static_select" | "radio_buttons" => Some("selected_option"),
        "multi_static_select" | "checkboxes" => Some("selected_options"),
        "users_select" => Some("selected_user"),
        "conversations_select" => Some("selected_conversation"),
        "channels_select" => Some("selected_channel"),
        "datepicker" => Some("selected_date"),
        "timepicker" => Some("selected_time"),
        _ => None,
    }
}

/// What was taken, as the platform writes it in such a field.
pub(super) fn shape(field: &str, entry: Option<Entry>) -> Value {
    match (field, entry) {
        ("selected_options", Some(Entry::Options(options))) => options.iter().map(echo).collect(),
        ("selected_options", _) => json!([]),
        ("selected_option", Some(Entry::Options(options))) => options.first().map_or(Value::Null, echo),
        ("value", Some(Entry::Text(text))) if !text.is_empty() => text.into(),
        _ => Value::Null,
    }
}
