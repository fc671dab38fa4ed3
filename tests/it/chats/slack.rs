//! A direct conversation on Slack.

use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

use askrelay_kit::slack::{App, Channel, Person, Seen, StandIn, Team};

use super::Chat;

/// A clone is the same conversation.
#[derive(Clone)]
pub(crate) struct Slack {
    pub(crate) stand_in: Rc<StandIn>,
    pub(crate) team: Team,
    pub(crate) app: App,
    pub(crate) person: Person,
    pub(crate) channel: Channel,
    /// It calls us at this address; else we connect.
    pub(crate) calls: Option<String>,
}

impl Slack {
    pub(crate) fn new() -> Self {
        Self::at(StandIn::start())
    }

    /// One that calls a server at this address. What it signs is signed now.
    pub(crate) fn calling(address: &str) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let slack = Self::at(StandIn::start_at(now.try_into().unwrap()));
        let url = format!("http://{address}/slack/main");
        slack.app.use_http(&url, &url);
        Self { calls: Some(url), ..slack }
    }

    fn at(stand_in: StandIn) -> Self {
        let stand_in = Rc::new(stand_in);
        let team = stand_in.team("Acme");
        let (app, person) = (team.app("askrelay"), team.person("Sam"));
        let channel = person.open(&app);
        Self { stand_in, team, app, person, channel, calls: None }
    }

    pub(crate) fn open() -> Box<dyn Chat> {
        Box::new(Self::new())
    }

    fn wait(&self, message: &str, what: &str, is_it: impl Fn(&Seen) -> bool) -> Seen {
        self.channel
            .wait(what, |messages| messages.iter().find(|seen| seen.ts == message && is_it(seen)).cloned())
    }
}

impl Chat for Slack {
    fn table(&self) -> String {
        let url = self.stand_in.url();
        let way = match &self.calls {
            Some(called) => format!("webhook_url = \"{called}\"\nsigning_secret_file = \"slack.secret\""),
            None => "app_token_file = \"slack.app\"".to_owned(),
        };
        format!("[[slack]]\ntoken_file = \"slack.token\"\n{way}\napi_url = \"{url}\"\npace_percent = 10000\n")
    }

    fn secrets(&self) -> Vec<(&'static str, String)> {
        let way = match self.calls {
            Some(_) => ("slack.secret", self.app.signing_secret()),
            None => ("slack.app", self.app.app_token()),
        };
        vec![("slack.token", self.app.bot_token()), way]
    }

    fn place(&self) -> String {
        format!("slack/main/@{}", self.person.id())
    }

    fn identity(&self) -> String {
        format!("slack/{}/{}", self.person.team_id(), self.person.id())
    }

    fn question(&self, text: &str) -> String {
        let seen = self.channel.wait(text, |messages| {
            let open = |seen: &&Seen| seen.contains(text) && !seen.controls.is_empty();
            messages.iter().rev().find(open).cloned()
        });
        if self.calls.is_none() {
            self.app.wait_connected(1);
        }
        seen.ts
    }

    fn controls(&self, message: &str) -> Vec<String> {
        let seen = self.channel.message(message);
        let words = |control: &askrelay_kit::slack::Control| {
            let entries: Vec<&str> = control.options.iter().map(|option| option.label.as_str()).collect();
            match control.kind.as_str() {
                "button" => control.label.clone(),
                "plain_text_input" => format!("input {}", control.label),
                kind => format!("{kind} of {}", entries.join(", ")),
            }
        };
        seen.controls.iter().map(words).collect()
    }

    fn press(&self, message: &str, label: &str) {
        let seen = self.wait(message, label, |seen| seen.labels().contains(&label));
        self.person.tap(&self.channel, &seen.ts, label);
    }

    fn take(&self, message: &str, labels: &[&str]) {
        self.person.choose(&self.channel, message, labels);
        self.press(message, "Submit");
    }

    fn words(&self, message: &str, button: &str, text: &str) {
        self.press(message, button);
        let form = self.person.wait_modal("an input", |form| !form.controls.is_empty());
        self.person.fill(&form.controls.first().unwrap().label, text);
        self.person.submit();
    }

    fn asks_for_words(&self, message: &str, button: &str) -> &'static str {
        self.press(message, button);
        self.person.wait_modal("an input", |form| !form.controls.is_empty());
        self.person.dismiss();
        "form"
    }

    fn three(&self, message: &str) {
        self.person.choose(&self.channel, message, &["Production"]);
        self.person.choose(&self.channel, message, &["Logs", "Traces"]);
        let seen = self.channel.message(message);
        let input = seen.controls.iter().find(|control| control.kind == "plain_text_input").unwrap();
        self.person.type_into(&self.channel, message, &input.label, "kestrel");
        self.press(message, "Submit");
    }

    fn write(&self, text: &str) {
        self.person.write(&self.channel, text);
    }

    fn retired(&self, message: &str, text: &str) -> String {
        self.wait(message, text, |seen| seen.controls.is_empty() && seen.contains(text)).body()
    }
}
