//! askrelay on a phone and at a gateway, and what it writes into its log.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::{Arc, Condvar, Mutex};

use serde_json::Value;

use crate::gateway::{PATIENCE, TOKEN};
use crate::phone::Phone;

/// A person's phone, and askrelay configured for it and for one gateway.
pub(crate) struct Ring {
    pub(crate) phone: Phone,
}

/// `askrelay serve`, stopped when dropped.
pub(crate) struct Serving {
    child: Child,
    log: Arc<Log>,
}

#[derive(Default)]
struct Log {
    lines: Mutex<Vec<Value>>,
    changed: Condvar,
}

impl Ring {
    /// Asked at the gateway behind this port, in the owner's name where the agent is `main`.
    pub(crate) fn at(port: u16) -> Self {
        Self::of(&format!("ws://127.0.0.1:{port}"), "")
    }

    /// The same at this address, with these keys beside.
    pub(crate) fn of(url: &str, keys: &str) -> Self {
        let phone = Phone::new();
        let data = phone.program.home().join("data");
        std::fs::write(data.join("openclaw.token"), format!("{TOKEN}\n")).unwrap();
        let file = data.join("config.toml");
        let mut config = std::fs::read_to_string(&file).unwrap();
        config.push_str(&format!(
            "\n[gateway.openclaw]\nurl = \"{url}\"\ntoken_file = \"openclaw.token\"\n{keys}\n\
             [[gateway.openclaw.run]]\nagent = \"main\"\nperson = \"owner\"\n"
        ));
        std::fs::write(file, config).unwrap();
        Self { phone }
    }

    pub(crate) fn serve(&self) -> Serving {
        let mut command = self.phone.program.command(&["serve"]);
        command.env("ASKRELAY_LOG_FORMAT", "json").stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let log = Arc::new(Log::default());
        let kept = Arc::clone(&log);
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let line = serde_json::from_str(&line).unwrap_or(Value::String(line));
                kept.lines.lock().unwrap().push(line);
                kept.changed.notify_all();
            }
        });
        Serving { child, log }
    }

    /// The same, once it has joined the gateway.
    pub(crate) fn serve_joined(&self) -> Serving {
        let serving = self.serve();
        serving.joins(1);
        serving
    }
}

impl Serving {
    /// Waits until it has joined the gateway so many times; how it was let in last.
    pub(crate) fn joins(&self, times: usize) -> String {
        let joined = self.waits(&format!("joined {times} times"), |lines| {
            let joined = lines.iter().filter(|line| line["message"] == "joined a gateway");
            let joined: Vec<&Value> = joined.collect();
            (joined.len() >= times).then(|| joined[joined.len() - 1]["method"].clone())
        });
        joined.as_str().unwrap().to_owned()
    }

    /// Waits until it is joined again after the gateway was away; how it was let in.
    pub(crate) fn joins_again(&self) -> String {
        let joined = self.waits("joined again", |lines| {
            let told: Vec<&Value> = lines.iter().filter(|line| line.get("gateway").is_some()).collect();
            let [.., before, last] = told.as_slice() else { return None };
            let is_back = before["message"] != "joined a gateway" && last["message"] == "joined a gateway";
            is_back.then(|| last["method"].clone())
        });
        joined.as_str().unwrap().to_owned()
    }

    /// Whether it is joined to the gateway, by what it wrote last of it.
    pub(crate) fn is_joined(&self) -> bool {
        let lines = self.log.lines.lock().unwrap();
        let told = |line: &&Value| line.get("gateway").is_some();
        lines.iter().rev().find(told).is_some_and(|line| line["message"] == "joined a gateway")
    }

    /// Waits for this advice.
    pub(crate) fn advises(&self, what: &str) {
        self.waits(what, |lines| {
            let advises = |line: &Value| line["advice"].as_str().is_some_and(|advice| advice.contains(what));
            lines.iter().any(advises).then_some(())
        });
    }

    /// Waits for the command that approves it, other than those `before`; the pairing's id.
    pub(crate) fn asks_for_approval(&self, before: &[&str]) -> String {
        self.waits("a command that approves it", |lines| {
            let mut ids = lines.iter().filter_map(|line| {
                line["advice"].as_str()?.split_once("openclaw devices approve ").map(|(_, id)| id)
            });
            ids.rfind(|id| !before.contains(id)).map(str::to_owned)
        })
    }

    fn waits<T>(&self, what: &str, find: impl Fn(&[Value]) -> Option<T>) -> T {
        let mut lines = self.log.lines.lock().unwrap();
        loop {
            if let Some(found) = find(&lines) {
                return found;
            }
            let (more, waited) = self.log.changed.wait_timeout(lines, PATIENCE).unwrap();
            lines = more;
            assert!(!waited.timed_out(), "never {what}:\n{lines:#?}");
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // Ended already, or ended now; either way nothing is left running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
