//! askrelay and a person at a Telegram stand-in, as the tests of several situations use them: what is configured, asked, tapped
//! and waited for. Tests nothing itself.

use std::fs::Permissions;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Output, Stdio};

use askrelay_kit::telegram::{Bot, Chat, Person, Seen, StandIn};

use crate::program::{Program, Server};

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
        std::fs::set_permissions(data.join("token"), Permissions::from_mode(0o600)).unwrap();
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

    /// Ends it without a word, and without its having one.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
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

/// Writes a file for `--file`.
pub(crate) fn file(phone: &Phone, name: &str, text: &str) -> String {
    let path = phone.program.home().join(name);
    std::fs::File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
    path.display().to_string()
}
