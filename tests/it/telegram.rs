//! Questions answered from Telegram: the real binary with the real SDK over real sockets, and the stand-in's people on the other
//! side. What one platform situation does to the adapter alone is tested in the adapter.

mod crash;
mod rows;
mod together;

use std::io::Write as _;
use std::process::{Child, Output, Stdio};
use std::time::Instant;

use askrelay_kit::telegram::{Bot, Chat, Person, Seen, StandIn};

use crate::program::{PATIENCE, Program, Server};

/// A bot, the owner in a private chat with it, and askrelay configured to use both.
pub(crate) struct Phone {
    pub(crate) program: Program,
    pub(crate) platform: StandIn,
    pub(crate) bot: Bot,
    pub(crate) owner: Person,
    pub(crate) chat: Chat,
}

impl Phone {
    pub(crate) fn new() -> Self {
        let (program, platform) = (Program::new(), StandIn::start());
        let bot = platform.bot("askrelay_bot");
        let owner = platform.person("Sam");
        let chat = owner.open(&bot);
        let phone = Self { program, platform, bot, owner, chat };
        phone.configure(&[phone.private()]);
        phone.link("owner", &phone.owner);
        phone
    }

    /// Where the owner is asked in private.
    pub(crate) fn private(&self) -> String {
        format!("telegram/main/{}", self.chat.id())
    }

    /// Every ask goes to these places.
    pub(crate) fn configure(&self, places: &[String]) {
        let data = self.program.home().join("data");
        std::fs::create_dir_all(&data).unwrap();
        std::fs::write(data.join("token"), format!("{}\n", self.bot.token())).unwrap();
        let config = format!(
            "[[telegram]]\ntoken_file = \"token\"\napi_url = \"{}\"\npace_percent = 10000\n\n[[route]]\nto = {places:?}\n",
            self.platform.url()
        );
        std::fs::write(data.join("config.toml"), config).unwrap();
    }

    /// Tells askrelay that this is one of a person's identities.
    pub(crate) fn link(&self, name: &str, person: &Person) {
        self.succeeds(&["people", "link", name, &format!("telegram/{}", person.id())]);
    }

    /// Runs a command that must succeed; what it printed.
    pub(crate) fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.program.run(arguments);
        let why = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {why}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn serve(&self) -> Server {
        self.program.serve()
    }

    /// Starts `askrelay ask` without a terminal.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Asking {
        let mut all = vec!["ask"];
        all.extend(arguments);
        let child = self.program.command(&all).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Asking::of(child.unwrap())
    }

    /// The question as it stands in the private chat.
    pub(crate) fn question(&self, text: &str) -> Seen {
        shown(&self.chat, text)
    }

    /// Waits until the bot has dealt with everything that the owner wrote so far.
    pub(crate) fn everything_was_read(&self) {
        let asked = self.owner.write(&self.chat, "/whoami");
        self.chat.wait("who the owner is", |messages| {
            let told = |seen: &Seen| seen.reply_to == Some(asked) && seen.text.contains("Your id here");
            messages.iter().any(told).then_some(())
        });
    }

    pub(crate) fn tap(&self, message: i64, label: &str) {
        tap(&self.owner, &self.chat, message, label);
    }
}

/// A command that waits for its answer.
pub(crate) struct Asking {
    child: Child,
}

impl Asking {
    pub(crate) const fn of(child: Child) -> Self {
        Self { child }
    }

    /// Its exit code, standard output and standard error.
    pub(crate) fn ends(self) -> (Option<i32>, String, String) {
        let Output { status, stdout, stderr } = self.child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code(), text(stdout), text(stderr))
    }

    /// Sends the signal that Ctrl-C sends.
    pub(crate) fn interrupt(&self) {
        let pid = rustix::process::Pid::from_raw(self.child.id().cast_signed()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

/// A message with controls that shows this.
pub(crate) fn shown(chat: &Chat, text: &str) -> Seen {
    chat.wait(text, |messages| {
        let open = |message: &&Seen| message.text.contains(text) && !message.buttons.is_empty();
        messages.iter().rev().find(open).cloned()
    })
}

/// A message that shows this and has no controls any more.
pub(crate) fn retired(chat: &Chat, message: i64, text: &str) -> Seen {
    chat.wait(text, |messages| {
        let ended = |seen: &&Seen| seen.id == message && seen.text.contains(text) && seen.buttons.is_empty();
        messages.iter().find(ended).cloned()
    })
}

/// Taps a button as soon as it is there: an edit may be on its way.
pub(crate) fn tap(person: &Person, chat: &Chat, message: i64, label: &str) {
    chat.wait(label, |messages| {
        let seen = messages.iter().find(|seen| seen.id == message)?;
        seen.labels().contains(&label).then_some(())
    });
    person.tap(chat, message, label);
}

#[test]
fn the_token_never_shows() {
    let phone = Phone::new();
    let secret = phone.bot.token().split_once(':').unwrap().1.to_owned();
    let shown = phone.succeeds(&["config", "check"]);
    assert!(!shown.contains(&secret), "{shown}");
    // A platform out of reach is when addresses are put into messages.
    phone.platform.cut();
    let server = phone.serve();
    let asking = phone.ask(&["Where to?", "-o", "Staging", "--timeout", "30s", "--id", "ask_1"]);
    let waited = phone.program.run(&["wait", "ask_1", "--timeout", "1s"]);
    assert!(!waited.status.success(), "nobody answers where nobody is reached");
    asking.interrupt();
    let (_, stdout, stderr) = asking.ends();
    assert!(!stdout.contains(&secret) && !stderr.contains(&secret), "{stdout}{stderr}");
    drop(server);
}

#[test]
fn a_stranger_is_let_in_by_a_code_and_answers_then() {
    let phone = Phone::new();
    let _server = phone.serve();
    let guest = phone.platform.person("Kim");
    let chat = guest.start(&phone.bot);
    let said = chat.wait_seen("Give this code").text;
    let code = said.split_once("bot: ").and_then(|(_, rest)| rest.split_once('.')).unwrap().0.to_owned();
    let listed = phone.succeeds(&["pair", "list"]);
    assert!(listed.contains(&code) && listed.contains("Kim"), "{listed}");
    phone.succeeds(&["pair", "approve", &code, "--as", "kim", "--grant", "questions.answer"]);
    chat.wait_seen("Hello");
    let to = format!("telegram/main/{}", chat.id());
    let asking = phone.ask(&["Where to?", "-o", "Staging", "-o", "Production", "--to", &to]);
    let message = shown(&chat, "Where to?").id;
    tap(&guest, &chat, message, "Staging");
    let (code, stdout, stderr) = asking.ends();
    assert_eq!((code, stdout.as_str()), (Some(0), "Staging\n"), "{stderr}");
    retired(&chat, message, "Staging");
    // The chat shows the end a moment before the trail does.
    let begin = Instant::now();
    for line in ["prompt.shown", "ask.answered", "prompt.retired"] {
        let written = || phone.succeeds(&["audit"]).contains(line);
        while !written() {
            assert!(begin.elapsed() < PATIENCE, "no {line}:\n{}", phone.succeeds(&["audit"]));
        }
    }
}

#[test]
fn a_right_that_was_revoked_counts_at_once() {
    let phone = Phone::new();
    let _server = phone.serve();
    let guest = phone.platform.person("Kim");
    let chat = guest.open(&phone.bot);
    phone.succeeds(&["people", "add", "kim", "--grant", "questions.answer"]);
    phone.link("kim", &guest);
    let to = format!("telegram/main/{}", chat.id());
    let mut asking = phone.ask(&["Where to?", "-o", "Staging", "--to", &to, "--timeout", "60s"]);
    let message = shown(&chat, "Where to?");
    phone.succeeds(&["people", "revoke", "kim", "questions.answer"]);
    let tap = guest.tap(&chat, message.id, "Staging");
    let told = tap.wait_answered();
    let told = told.text.unwrap();
    assert!(told.contains("may not") && !told.contains("Where") && !told.contains("Staging"), "{told}");
    assert!(asking.is_running());
    asking.interrupt();
    assert_eq!(asking.ends().0, Some(3));
}

/// Writes a file for `--file`.
pub(crate) fn file(phone: &Phone, name: &str, text: &str) -> String {
    let path = phone.program.home().join(name);
    std::fs::File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
    path.display().to_string()
}
