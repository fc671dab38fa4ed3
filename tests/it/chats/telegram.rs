//! A private chat on Telegram.

use askrelay_kit::telegram::{Bot, Chat as Conversation, Person, Seen, StandIn};

use super::Chat;
use crate::telegram::{retired, shown, tap};

pub(crate) struct Telegram {
    stand_in: StandIn,
    bot: Bot,
    person: Person,
    chat: Conversation,
}

impl Telegram {
    pub(crate) fn open() -> Box<dyn Chat> {
        let stand_in = StandIn::start();
        let bot = stand_in.bot("askrelay_bot");
        let person = stand_in.person("Sam");
        let chat = person.open(&bot);
        Box::new(Self { stand_in, bot, person, chat })
    }
}

fn number(message: &str) -> i64 {
    message.parse().unwrap()
}

impl Chat for Telegram {
    fn table(&self) -> String {
        let url = self.stand_in.url();
        format!("[[telegram]]\ntoken_file = \"telegram.token\"\napi_url = \"{url}\"\npace_percent = 10000\n")
    }

    fn secrets(&self) -> Vec<(&'static str, String)> {
        vec![("telegram.token", self.bot.token())]
    }

    fn place(&self) -> String {
        format!("telegram/main/{}", self.chat.id())
    }

    fn identity(&self) -> String {
        format!("telegram/{}", self.person.id())
    }

    fn question(&self, text: &str) -> String {
        shown(&self.chat, text).id.to_string()
    }

    fn controls(&self, message: &str) -> Vec<String> {
        self.chat.message(number(message)).labels().into_iter().map(str::to_owned).collect()
    }

    fn press(&self, message: &str, label: &str) {
        tap(&self.person, &self.chat, number(message), label);
    }

    fn take(&self, message: &str, labels: &[&str]) {
        for label in labels {
            self.press(message, &format!("☐ {label}"));
        }
        self.press(message, &format!("Submit ({})", labels.len()));
    }

    fn words(&self, message: &str, button: &str, text: &str) {
        self.asks_for_words(message, button);
        self.write(text);
    }

    fn asks_for_words(&self, message: &str, button: &str) -> &'static str {
        let before = self.chat.messages().len();
        self.press(message, button);
        let asks = |seen: &Seen| seen.force_reply.is_some();
        self.chat.wait("an input", |messages| messages.iter().skip(before).any(asks).then_some(()));
        "reply"
    }

    fn three(&self, message: &str) {
        self.press(message, "Production");
        self.press(message, "☐ Logs");
        self.press(message, "☐ Traces");
        self.press(message, "Next");
        self.words(message, "Answer…", "kestrel");
        self.press(message, "Submit");
    }

    fn write(&self, text: &str) {
        self.person.write(&self.chat, text);
    }

    fn retired(&self, message: &str, text: &str) -> String {
        retired(&self.chat, number(message), text).text
    }
}
