//! A person in front of their screen: they write, press what they see, choose, type, and fill modals.

use std::sync::Arc;

use serde_json::{Value, json};

use super::app::App;
use super::channel::Channel;
use super::event::echo;
use super::post::Post;
use super::press::{Screen, Tap, kept_field, shape};
use super::seen::{self, Confirm, Control, Seen};
use super::state::{Author, Entry, Shared, Spot};
use super::text;

/// Somebody with an account.
#[derive(Clone, Debug)]
pub struct Person {
    pub(super) shared: Arc<Shared>,
    pub(super) id: String,
}

impl Person {
    /// The user id, `U…` or `W…`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The id of the team to which they belong.
    #[must_use]
    pub fn team_id(&self) -> String {
        self.shared.read(|world| world.person(&self.id).team.clone())
    }

    /// Their conversation with an app, which is opened where it was not.
    pub fn open(&self, app: &App) -> Channel {
        let id = self.shared.change(|world| world.direct(&app.id, &self.id));
        Channel { shared: Arc::clone(&self.shared), id }
    }

    /// Writes a text; its `ts`.
    pub fn write(&self, channel: &Channel, text: &str) -> String {
        self.send(channel, Post::text(text))
    }

    /// Writes a text in the thread that began with a message.
    pub fn reply(&self, channel: &Channel, ts: &str, text: &str) -> String {
        self.send(channel, Post::text(text).in_thread(ts))
    }

    /// Sends anything; its `ts`.
    pub fn send(&self, channel: &Channel, post: Post) -> String {
        let message = post.message(Author::Person(self.id.clone()));
        self.shared.change(|world| world.post(&channel.id, message))
    }

    /// Changes the words of an own message.
    pub fn edit(&self, channel: &Channel, ts: &str, text: &str) {
        self.shared.change(|world| {
            let Some(before) = world.message(&channel.id, ts).cloned() else { return };
            let edited = world.new_ts();
            if let Some(message) = world.channel_mut(&channel.id).messages.get_mut(ts) {
                message.text = text::typed(text);
                message.edited = Some(edited);
            }
            world.spread_change(&channel.id, ts, &before);
        });
    }

    /// Presses the button with this label under a message, and agrees where that is asked.
    ///
    /// # Panics
    /// When there is no such button to see.
    pub fn tap(&self, channel: &Channel, ts: &str, label: &str) -> Tap {
        self.tap_on(channel, &self.sees(channel, ts), label)
    }

    /// Presses a button that stood there when it was seen, also when the message has changed meanwhile.
    ///
    /// # Panics
    /// When there was no such button.
    pub fn tap_on(&self, channel: &Channel, seen: &Seen, label: &str) -> Tap {
        let control = button(&seen.controls, label);
        let screen = Screen::Message { channel: channel.id.clone(), ts: seen.ts.clone() };
        self.press_control(screen, &seen.blocks, control)
    }

    /// Begins to press a button and does not agree to what is asked: nothing is sent.
    ///
    /// # Panics
    /// When there is no such button, or nothing is asked.
    pub fn deny(&self, channel: &Channel, ts: &str, label: &str) -> Confirm {
        let seen = self.sees(channel, ts);
        let confirm = button(&seen.controls, label).confirm.clone();
        confirm.unwrap_or_else(|| panic!("nothing is asked before '{label}': {seen:?}"))
    }

    /// Sends any action on a message, whether or not it stands there: `type`, `block_id`, `action_id`, `value`.
    pub fn press(&self, channel: &Channel, ts: &str, action: Value) -> Tap {
        let screen = Screen::Message { channel: channel.id.clone(), ts: ts.to_owned() };
        let id = self.shared.change(|world| {
            let blocks = world.channel(&channel.id).messages.get(ts).map(|message| message.blocks.clone());
            world.press(&self.id, &screen, &blocks.unwrap_or_default(), action)
        });
        Tap { shared: Arc::clone(&self.shared), id, confirm: None }
    }

    pub(super) fn press_control(&self, screen: Screen, blocks: &[Value], control: &Control) -> Tap {
        let mut action = json!({
            "type": control.kind, "block_id": control.block, "action_id": control.action,
            "text": echo(control.element.get("text").unwrap_or(&Value::Null)),
        });
        let fields = ["value", "url", "style"].map(|name| (name, control.element.get(name)));
        if let Some(action) = action.as_object_mut() {
            for (name, value) in fields {
                action.extend(value.map(|value| (name.to_owned(), value.clone())));
            }
        }
        let id = self.shared.change(|world| world.press(&self.id, &screen, blocks, action));
        Tap { shared: Arc::clone(&self.shared), id, confirm: control.confirm.clone() }
    }

    /// Takes entries in the menu, the radio buttons or the checkboxes that have them all, and no others. What was sent last; an
    /// input sends nothing.
    ///
    /// # Panics
    /// When no control has them, or it does not take so many.
    pub fn choose(&self, channel: &Channel, ts: &str, labels: &[&str]) -> Option<Tap> {
        let seen = self.sees(channel, ts);
        let has_all =
            |control: &&Control| labels.iter().all(|label| control.options.iter().any(|o| o.label == *label));
        let control = seen.controls.iter().find(has_all);
        let control = control.unwrap_or_else(|| panic!("no control with {labels:?} to see: {seen:?}"));
        self.choose_on(channel, &seen, control, labels)
    }

    /// The same in the control of this name.
    ///
    /// # Panics
    /// When there is none, or it does not take them.
    pub fn choose_in(&self, channel: &Channel, ts: &str, name: &str, labels: &[&str]) -> Option<Tap> {
        let seen = self.sees(channel, ts);
        self.choose_on(channel, &seen, seen.control(name), labels)
    }

    /// Ticks a checkbox, or takes its tick away.
    ///
    /// # Panics
    /// When there is none with this label.
    pub fn tick(&self, channel: &Channel, ts: &str, label: &str) -> Option<Tap> {
        let seen = self.sees(channel, ts);
        let has_it = |control: &&Control| {
            control.kind == "checkboxes" && control.options.iter().any(|option| option.label == label)
        };
        let control = seen.controls.iter().find(has_it);
        let control = control.unwrap_or_else(|| panic!("no checkbox '{label}' to see: {seen:?}"));
        let spot = Spot::of(&channel.id, ts, control);
        let mut labels = match self.shared.read(|world| world.entry(&self.id, &spot, control)) {
            Some(Entry::Options(options)) => {
                options.iter().map(|option| seen::words(option.get("text"))).collect()
            }
            _ => Vec::new(),
        };
        match labels.iter().position(|taken| taken == label) {
            Some(at) => _ = labels.remove(at),
            None => labels.push(label.to_owned()),
        }
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        self.choose_on(channel, &seen, control, &labels)
    }

    /// Takes entries in a control that stood there when it was seen, also when the message has changed meanwhile.
    ///
    /// # Panics
    /// When it does not take them.
    pub fn choose_on(
        &self,
        channel: &Channel,
        seen: &Seen,
        control: &Control,
        labels: &[&str],
    ) -> Option<Tap> {
        let screen = Screen::Message { channel: channel.id.clone(), ts: seen.ts.clone() };
        self.take(&screen, &seen.blocks, control, labels)
    }

    /// Takes entries in any control. Checkboxes are ticked one by one, and each tick is told.
    pub(super) fn take(
        &self,
        screen: &Screen,
        blocks: &[Value],
        control: &Control,
        labels: &[&str],
    ) -> Option<Tap> {
        let wanted = chosen(control, labels);
        let (channel, at) = screen.key();
        let spot = Spot::of(channel, at, control);
        let mut steps = vec![wanted.clone()];
        if control.kind == "checkboxes" {
            let before = self.shared.read(|world| world.entry(&self.id, &spot, control));
            steps = ticks(control, before, &wanted);
        }
        let sends = !control.input || control.element_dispatches(blocks);
        let mut last = None;
        for step in steps {
            let field = kept_field(&control.kind).unwrap_or("selected_option");
            let action = json!({
                "type": control.kind, "block_id": control.block, "action_id": control.action,
                field: shape(field, Some(Entry::Options(step.clone()))),
            });
            let tap = self.shared.change(|world| {
                world.person_mut(&self.id).entries.insert(spot.clone(), Entry::Options(step));
                sends.then(|| world.press(&self.id, screen, blocks, action))
            });
            last =
                tap.map(|id| Tap { shared: Arc::clone(&self.shared), id, confirm: control.confirm.clone() });
        }
        last
    }

    /// Types into the input of this name in a message: it is kept on their screen until a press carries it.
    ///
    /// # Panics
    /// When there is no such input, or it does not take so much.
    pub fn type_into(&self, channel: &Channel, ts: &str, name: &str, text: &str) {
        let seen = self.sees(channel, ts);
        let screen = Screen::Message { channel: channel.id.clone(), ts: ts.to_owned() };
        self.put(&screen, seen.control(name), text);
    }

    pub(super) fn put(&self, screen: &Screen, control: &Control, text: &str) {
        assert_eq!(kept_field(&control.kind), Some("value"), "nothing to type into: {control:?}");
        let most = control.element.get("max_length").and_then(Value::as_u64).unwrap_or(3000);
        let length = text.chars().count() as u64;
        assert!(length <= most, "'{}' takes {most} signs, not {length}", control.label);
        let (channel, at) = screen.key();
        let spot = Spot::of(channel, at, control);
        let entry = Entry::Text(text.to_owned());
        self.shared.change(|world| world.person_mut(&self.id).entries.insert(spot, entry));
    }

    /// A message as they see it, one that only they see too.
    ///
    /// # Panics
    /// When it cannot be seen.
    #[must_use]
    pub fn sees(&self, channel: &Channel, ts: &str) -> Seen {
        let own = self.ephemerals(channel).into_iter().find(|seen| seen.ts == ts);
        own.unwrap_or_else(|| channel.message(ts))
    }

    /// What only they see in a conversation, the newest last.
    #[must_use]
    pub fn ephemerals(&self, channel: &Channel) -> Vec<Seen> {
        self.shared.read(|world| world.ephemerals(&self.id, &channel.id))
    }

    /// Waits for something that only they see and that contains this, the newest of several.
    pub async fn until_told(&self, channel: &Channel, text: &str) -> Seen {
        let find = |seen: Vec<Seen>| seen.into_iter().rev().find(|seen| seen.contains(text));
        self.shared.until(text, |world| find(world.ephemerals(&self.id, &channel.id))).await
    }

    /// The same for a test without a runtime.
    pub fn wait_told(&self, channel: &Channel, text: &str) -> Seen {
        let find = |seen: Vec<Seen>| seen.into_iter().rev().find(|seen| seen.contains(text));
        self.shared.wait(text, |world| find(world.ephemerals(&self.id, &channel.id)))
    }

    /// Deactivates their account.
    pub fn deactivate(&self) {
        self.shared.change(|world| world.person_mut(&self.id).deactivated = true);
    }

    /// Away from every screen, or back: what is for them alone is not shown while they are away, and nobody is told.
    pub fn set_away(&self, away: bool) {
        self.shared.change(|world| world.person_mut(&self.id).away = away);
    }

    /// Makes them an administrator of their team.
    pub fn promote(&self) {
        self.shared.change(|world| world.person_mut(&self.id).admin = true);
    }
}

pub(super) fn button<'a>(controls: &'a [Control], label: &str) -> &'a Control {
    let found = controls.iter().find(|control| control.kind == "button" && control.label == label);
    found.unwrap_or_else(|| panic!("no button '{label}' to press: {controls:?}"))
}

/// The option objects of these labels, in the order of the control.
fn chosen(control: &Control, labels: &[&str]) -> Vec<Value> {
    let label = |option: &&Value| labels.contains(&seen::words(option.get("text")).as_str());
    let wanted: Vec<Value> = seen::options(&control.element).filter(label).cloned().collect();
    assert_eq!(wanted.len(), labels.len(), "not all of {labels:?} can be taken in {control:?}");
    let single = ["static_select", "radio_buttons"].contains(&control.kind.as_str());
    let most = control.element.get("max_selected_items").and_then(Value::as_u64);
    let most = if single { 1 } else { most.unwrap_or(u64::MAX) };
    assert!(wanted.len() as u64 <= most, "no more than {most} can be taken in {control:?}");
    wanted
}

/// One state after the other on the way from what was taken to what is wanted.
fn ticks(control: &Control, before: Option<Entry>, wanted: &[Value]) -> Vec<Vec<Value>> {
    let mut taken = match before {
        Some(Entry::Options(options)) => options,
        _ => Vec::new(),
    };
    let mut steps = Vec::new();
    for option in seen::options(&control.element) {
        if taken.contains(option) == wanted.contains(option) {
            continue;
        }
        let is_taken = |other: &&Value| {
            if *other == option { wanted.contains(option) } else { taken.contains(other) }
        };
        taken = seen::options(&control.element).filter(is_taken).cloned().collect();
        steps.push(taken.clone());
    }
    steps
}

impl Control {
    /// An input block may say that its element sends like any other.
    fn element_dispatches(&self, blocks: &[Value]) -> bool {
        let own = |block: &&Value| block.get("block_id").and_then(Value::as_str) == Some(&self.block);
        blocks.iter().find(own).is_some_and(|block| block["dispatch_action"] == true)
    }
}
