//! An agent's own questions, answered from a phone: the real binary as Claude Code's hook, with the events it is given. Which event
//! becomes which question is tested in the hook adapter.

use std::io::Write as _;
use std::process::Stdio;

use askrelay_kit::telegram::Seen;
use serde_json::{Value, json};

use crate::program::Program;
use crate::telegram::{Asking, Phone, retired};

const QUESTION: &str = include_str!("../../adapters/hook/tests/events/question.json");
const QUESTIONS: &str = include_str!("../../adapters/hook/tests/events/questions.json");
const SUBAGENT: &str = include_str!("../../adapters/hook/tests/events/subagent.json");
const PERMISSION: &str = include_str!("../../adapters/hook/tests/events/permission.json");
const BASH: &str = include_str!("../../adapters/hook/tests/events/bash.json");

/// Starts the hook as the agent does: the event on standard input, which then ends.
fn hook(program: &Program, event: &str, arguments: &[&str]) -> Asking {
    let mut all = vec!["hook", "claude-code"];
    all.extend(arguments);
    let mut command = program.command(&all);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
    Asking::of(child)
}

/// The decision that the agent reads.
fn decided(asking: Asking) -> Value {
    let (code, out, err) = asking.ends();
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let decision: Value = serde_json::from_str(&out).unwrap();
    decision["hookSpecificOutput"].clone()
}

/// No decision, and why.
fn left(asking: Asking, why: &str) {
    let (code, out, err) = asking.ends();
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    // What the chats log may stand before it.
    let said = err.split_once("askrelay: left to the terminal: ").map(|(_, said)| said);
    assert!(said.is_some_and(|said| said.contains(why)), "{err} does not say {why}");
}

#[test]
fn the_agents_question_reaches_the_phone() {
    let phone = Phone::new();
    for with_server in [false, true] {
        let server = with_server.then(|| phone.serve());
        let event = QUESTION.replace("toolu_01", if with_server { "toolu_served_" } else { "toolu_" });
        let asking = hook(&phone.program, &event, &[]);
        let question = phone.question("Where should this release go?");
        phone.tap(question.id, "Production");
        let output = decided(asking);
        assert_eq!(output["permissionDecision"], "allow");
        assert_eq!(output["updatedInput"]["answers"], json!({"Where should this release go?": "Production"}));
        let asked: Value = serde_json::from_str(QUESTION).unwrap();
        assert_eq!(output["updatedInput"]["questions"], asked["tool_input"]["questions"]);
        retired(&phone.chat, question.id, "Production");
        drop(server);
    }
}

#[test]
fn a_permission_is_given_refused_or_refused_with_words() {
    let phone = Phone::new();
    let _server = phone.serve();
    let rows = [
        ("Allow", json!({"behavior": "allow"})),
        ("Deny", json!({"behavior": "deny", "message": "Denied by owner, through askrelay."})),
        ("not today", json!({"behavior": "deny", "message": "Denied by owner, through askrelay: not today"})),
    ];
    for (said, expected) in rows {
        let event = PERMISSION.replace("Publish the package", &format!("Publish, said {said}"));
        let asking = hook(&phone.program, &event, &["--permissions"]);
        let question = phone.question(&format!("Publish, said {said}"));
        assert!(question.text.contains("DEPLOY_TOKEN=[masked]"), "{}", question.text);
        if ["Allow", "Deny"].contains(&said) {
            phone.tap(question.id, said);
        } else {
            phone.owner.write(&phone.chat, said);
        }
        assert_eq!(decided(asking)["decision"], expected, "{said}");
    }
}

#[test]
fn skipping_tells_the_agent_to_carry_on() {
    let phone = Phone::new();
    let asking = hook(&phone.program, QUESTION, &[]);
    let question = phone.question("Where should this release go?");
    phone.tap(question.id, "Skip");
    let output = decided(asking);
    assert_eq!(output["permissionDecision"], "deny");
    assert!(output["permissionDecisionReason"].as_str().unwrap().contains("best judgement"), "{output}");
}

/// Whatever is not for a person's phone, or goes wrong, is the terminal's at once.
#[test]
fn everything_else_is_left_to_the_terminal() {
    let phone = Phone::new();
    let nobody = Program::new();
    let broken = Program::new();
    std::fs::create_dir_all(broken.home().join("data")).unwrap();
    std::fs::write(broken.home().join("data/config.toml"), "listen = 7\n").unwrap();
    let unreachable = Program::new();
    let data = unreachable.home().join("data");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::write(data.join("token"), "123456:abcdefghijklmnopqrstuvwxyzabcdefghi\n").unwrap();
    let config = "[[telegram]]\ntoken_file = \"token\"\napi_url = \"http://127.0.0.1:9\"\n\n[[route]]\nto = [\"telegram/main/7\"]\n";
    std::fs::write(data.join("config.toml"), config).unwrap();
    let rows: [(&Program, &str, &[&str], &str); 10] = [
        (&phone.program, "", &[], "not readable"),
        (&phone.program, "{\"hook_event_name\": \"PreToolUse\"", &[], "not readable"),
        (&phone.program, "\u{0}\u{1}", &[], "not readable"),
        (&phone.program, BASH, &["--permissions"], "nothing that a person is asked about"),
        (&phone.program, SUBAGENT, &[], "a subagent asks"),
        (&phone.program, PERMISSION, &[], "a permission is wanted"),
        (&phone.program, QUESTION, &["--timeout", "1s"], "nobody answered in time"),
        (&unreachable, QUESTION, &[], "no chat can be reached now"),
        (&nobody, QUESTION, &[], "no chat is configured"),
        (&broken, QUESTION, &[], "listen"),
    ];
    for (program, event, arguments, why) in rows {
        left(hook(program, event, arguments), why);
    }
    let asking = phone.ask(&["Held by an ask at no chat?", "--to", &phone.private(), "--timeout", "1s"]);
    assert_eq!(asking.ends().0, Some(3), "the ring is left as it was found");
}

/// A killed agent takes its question back, and the same use of the tool does not ask twice.
#[test]
fn a_hook_that_is_cut_off_leaves_nothing_behind() {
    let phone = Phone::new();
    let _server = phone.serve();
    let first = hook(&phone.program, QUESTIONS, &[]);
    let question = phone.question("Where should this release go?");
    first.interrupt();
    left(first, "taken back");
    retired(&phone.chat, question.id, "Withdrawn");
    left(hook(&phone.program, QUESTIONS, &[]), "taken back");
}

/// An answer that no hook could bring any more is brought by the next that asks the same.
#[test]
fn an_answer_given_when_the_hook_was_gone_is_not_lost() {
    let phone = Phone::new();
    let _server = phone.serve();
    let asked_as = |use_id: &str| QUESTION.replace("toolu_01Release", use_id);
    let asks = |seen: &&Seen| seen.text.contains("Where should this release go?");
    let prompts = || phone.chat.messages().iter().filter(asks).count();
    let until =
        |count| phone.chat.wait("a prompt", |all| (all.iter().filter(asks).count() == count).then_some(()));
    for (before, when) in [(true, "before"), (false, "after")] {
        let gone = hook(&phone.program, &asked_as(&format!("toolu_gone_{when}")), &[]);
        let question = phone.question("Where should this release go?");
        gone.kill();
        if before {
            phone.tap(question.id, "Production");
        }
        let again = hook(&phone.program, &asked_as(&format!("toolu_again_{when}")), &[]);
        if !before {
            phone.tap(question.id, "Production");
        }
        let answers = &decided(again)["updatedInput"]["answers"];
        assert_eq!(answers["Where should this release go?"], "Production", "{when}");
        retired(&phone.chat, question.id, "Production");
        assert_eq!(prompts(), if before { 1 } else { 2 }, "answered {when} it was asked again");
    }
    let other = QUESTION.replace("4f0c2f5e-release", "another-session").replace("toolu_01", "toolu_other");
    let gone = hook(&phone.program, &asked_as("toolu_gone_elsewhere"), &[]);
    until(3);
    gone.kill();
    let elsewhere = hook(&phone.program, &other, &[]);
    until(4);
    phone.tap(phone.question("Where should this release go?").id, "Production");
    decided(elsewhere);
}

/// To the agent, an exit status of 2 means that its tool is refused.
#[test]
fn wrong_usage_refuses_no_tool() {
    let program = Program::new();
    for arguments in [
        &["hook", "claude-code", "--no-such-flag"][..],
        &["hook", "no-such-agent"],
        &["hook"],
        &["hook", "claude-code", "--timeout", "soon"],
        &["--home", "elsewhere", "hook", "claude-code", "--timeout", "99999d"],
    ] {
        let output = program.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
    assert_eq!(program.run(&["hook", "claude-code", "--help"]).status.code(), Some(0));
    assert_eq!(program.run(&["ask", "--no-such-flag"]).status.code(), Some(2), "elsewhere as ever");
}

#[test]
fn the_printed_settings_call_what_printed_them() {
    let program = Program::new();
    let rows: [(&[&str], &str, u64); 3] = [
        (&["hook", "claude-code"], "askrelay hook claude-code", 570),
        (
            &["hook", "claude-code", "--permissions", "--subagents", "--timeout", "1h"],
            "askrelay hook claude-code --timeout 1h --permissions --subagents",
            3630,
        ),
        (
            &["--home", "it's here", "hook", "claude-code"],
            r"askrelay --home 'it'\''s here' hook claude-code",
            570,
        ),
    ];
    for (arguments, command, timeout) in rows {
        let mut arguments = arguments.to_vec();
        arguments.push("--print-config");
        let output = program.run(&arguments);
        assert_eq!(output.status.code(), Some(0));
        let settings: Value = serde_json::from_slice(&output.stdout).unwrap();
        let asks = &settings["hooks"]["PreToolUse"][0];
        assert_eq!(asks["matcher"], "AskUserQuestion");
        let expected = json!([{"type": "command", "command": command, "timeout": timeout}]);
        assert_eq!(asks["hooks"], expected);
        let permissions = arguments.contains(&"--permissions");
        assert_eq!(settings["hooks"].get("PermissionRequest").is_some(), permissions);
    }
    assert!(!program.home().join("data").exists(), "nothing was made");
}
