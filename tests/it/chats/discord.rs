//! Direct messages on Discord.

use std::rc::Rc;

use askrelay_kit::discord::{Answered, Bot, Channel, Component, Form, Person, Seen, StandIn};

use super::Chat;

/// A clone is the same conversation.
#[derive(Clone)]
pub(crate) struct Discord {
    pub(crate) stand_in: Rc<StandIn>,
    pub(crate) bot: Bot,
    pub(crate) person: Person,
    pub(crate) channel: Channel,
}

impl Discord {
    pub(crate) fn new() -> Self {
        let stand_in = Rc::new(StandIn::start());
        let (bot, person) = (stand_in.bot("askrelay"), stand_in.person("Sam"));
        let channel = person.open(&bot);
        Self { stand_in, bot, person, channel }
    }

    pub(crate) fn open() -> Box<dyn Chat> {
        Box::new(Self::new())
    }

    /// The form that a button opens.
    fn form(&self, message: &str, button: &str) -> Form {
        let seen = self.wait(message, button, |seen| seen.labels().contains(&button));
        match self.person.tap(&self.channel, seen.id, button).wait_answered() {
            Answered::Form(form) => form,
            other => panic!("no form opened: {other:?}"),
        }
    }

    fn wait(&self, message: &str, what: &str, is_it: impl Fn(&Seen) -> bool) -> Seen {
        let id = number(message);
        self.channel.wait(what, |messages| messages.iter().find(|seen| seen.id == id && is_it(seen)).cloned())
    }
}

fn number(message: &str) -> u64 {
    message.parse().unwrap()
}

/// Buttons by their words, menus by their entries.
fn controls(seen: &Seen) -> Vec<String> {
    let words = |component: &Component| match component {
        Component::Button(button) => button.label.clone(),
        Component::Select(select) => {
            let entries: Vec<&str> = select.options.iter().map(|option| option.label.as_str()).collect();
            format!("menu of {}", entries.join(", "))
        }
    };
    seen.rows.iter().flatten().map(words).collect()
}

impl Chat for Discord {
    fn table(&self) -> String {
        let (rest, gateway) = (self.stand_in.url(), self.stand_in.gateway_url());
        format!(
            "[[discord]]\ntoken_file = \"discord.token\"\napi_url = \"{rest}\"\ngateway_url = \"{gateway}\"\npace_percent = 10000\n"
        )
    }

    fn secrets(&self) -> Vec<(&'static str, String)> {
        vec![("discord.token", self.bot.token())]
    }

    fn place(&self) -> String {
        format!("discord/main/@{}", self.person.id())
    }

    fn identity(&self) -> String {
        format!("discord/{}", self.person.id())
    }

    fn question(&self, text: &str) -> String {
        let seen = self.channel.wait(text, |messages| {
            let open = |seen: &&Seen| seen.text.contains(text) && !seen.rows.is_empty();
            messages.iter().rev().find(open).cloned()
        });
        seen.id.to_string()
    }

    fn controls(&self, message: &str) -> Vec<String> {
        controls(&self.channel.message(number(message)))
    }

    fn press(&self, message: &str, label: &str) {
        let seen = self.wait(message, label, |seen| seen.labels().contains(&label));
        self.person.tap(&self.channel, seen.id, label);
    }

    fn take(&self, message: &str, labels: &[&str]) {
        self.person.choose(&self.channel, number(message), labels);
        self.press(message, &format!("Submit ({})", labels.len()));
    }

    fn words(&self, message: &str, button: &str, text: &str) {
        let form = self.form(message, button);
        let label = form.fields.first().unwrap().label.clone();
        self.person.submit(&form.fill(&label, text));
    }

    fn asks_for_words(&self, message: &str, button: &str) -> &'static str {
        let form = self.form(message, button);
        self.person.dismiss(form);
        "form"
    }

    fn three(&self, message: &str) {
        self.press(message, "Production");
        let seen = self.wait(message, "the second question", |seen| seen.text.contains("Which signals?"));
        self.person.choose(&self.channel, seen.id, &["Logs", "Traces"]);
        self.wait(message, "what was chosen", |seen| seen.text.contains("Logs, Traces"));
        self.press(message, "Next");
        self.words(message, "Answer…", "kestrel");
        self.press(message, "Submit");
    }

    fn write(&self, text: &str) {
        self.person.write(&self.channel, text);
    }

    fn retired(&self, message: &str, text: &str) -> String {
        self.wait(message, text, |seen| seen.rows.is_empty() && seen.text.contains(text)).text
    }
}
