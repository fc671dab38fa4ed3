//! Questions answered from every chat platform alike: one table of what is asked, done and seen, run with the real binary and the
//! real SDKs over real sockets against the stand-in of each. What only one platform has is tested beside its name.

mod crash;
pub(crate) mod discord;
mod everywhere;
mod native;
mod on_slack;
mod rows;
pub(crate) mod slack;
mod telegram;
mod together;

use std::process::Stdio;

use crate::program::{Program, Server};
use crate::telegram::Asking;

/// One person's private chat with the bot on some platform.
pub(crate) trait Chat {
    /// Its table in the configuration.
    fn table(&self) -> String;

    /// The files with its secrets, beside the configuration.
    fn secrets(&self) -> Vec<(&'static str, String)>;

    /// The Place of this chat.
    fn place(&self) -> String;

    /// The person, as `people link` takes it.
    fn identity(&self) -> String;

    /// The message with controls that shows this.
    fn question(&self, text: &str) -> String;

    /// Everything that can be used under a message: the words on buttons, and the entries of each menu in one.
    fn controls(&self, message: &str) -> Vec<String>;

    /// Presses a button as soon as it is there.
    fn press(&self, message: &str, label: &str);

    /// Takes these of several choices, and submits.
    fn take(&self, message: &str, labels: &[&str]);

    /// Presses a button that asks for own words, and gives them.
    fn words(&self, message: &str, button: &str, text: &str);

    /// Presses a button that asks for own words: what asks for them, `reply` or `form`.
    fn asks_for_words(&self, message: &str, button: &str) -> &'static str;

    /// Answers the three questions of [`THREE`]: Production; Logs and Traces; kestrel.
    fn three(&self, message: &str);

    /// Writes into the chat.
    fn write(&self, text: &str);

    /// What a message says once it has no controls any more and says this.
    fn retired(&self, message: &str, text: &str) -> String;
}

/// Starts a platform with such a chat.
pub(crate) type Open = fn() -> Box<dyn Chat>;

/// An ask of three questions.
pub(crate) const THREE: &str = r#"{"questions": [
    {"questionId": "target", "header": "Deploy", "question": "Where should it go?",
     "options": [{"label": "Staging"}, {"label": "Production"}]},
    {"questionId": "signals", "header": "Signals", "question": "Which signals?", "multiSelect": true,
     "options": [{"label": "Logs"}, {"label": "Metrics"}, {"label": "Traces"}]},
    {"questionId": "name", "header": "Name", "question": "What is it called?", "isOther": true}
]}"#;

/// askrelay, configured for these chats of its owner.
pub(crate) struct Desk {
    pub(crate) program: Program,
    pub(crate) chats: Vec<Box<dyn Chat>>,
}

impl Desk {
    pub(crate) fn new(chats: Vec<Box<dyn Chat>>) -> Self {
        let program = Program::new();
        let data = program.home().join("data");
        std::fs::create_dir_all(&data).unwrap();
        let places: Vec<String> = chats.iter().map(|chat| chat.place()).collect();
        let mut config: String = chats.iter().map(|chat| chat.table()).collect();
        config.push_str(&format!("\n[[route]]\nto = {places:?}\n"));
        std::fs::write(data.join("config.toml"), config).unwrap();
        for (name, secret) in chats.iter().flat_map(|chat| chat.secrets()) {
            std::fs::write(data.join(name), format!("{secret}\n")).unwrap();
        }
        let desk = Self { program, chats };
        for chat in &desk.chats {
            desk.succeeds(&["people", "link", "owner", &chat.identity()]);
        }
        desk
    }

    /// The one chat.
    pub(crate) fn chat(&self) -> &dyn Chat {
        self.chats.first().unwrap().as_ref()
    }

    pub(crate) fn serve(&self) -> Server {
        self.program.serve()
    }

    /// Runs a command that must succeed; what it printed.
    pub(crate) fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.program.run(arguments);
        let why = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {why}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Starts `askrelay ask` without a terminal.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Asking {
        let mut all = vec!["ask"];
        all.extend(arguments);
        let child = self.program.command(&all).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Asking::of(child.unwrap())
    }

    /// A file with this text, for `--file`.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.program.home().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}
