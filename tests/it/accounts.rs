//! How chat accounts stand, as people are told: by `status`, by an ask that waits, and at the start where one cannot run at all. What
//! platforms answer is not the matter here.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::Instant;

use crate::chats::Desk;
use crate::chats::discord::Discord;
use crate::program::{PATIENCE, Program};

const TOKEN: &str = "7:abcdefghijklmnopqrstuvwxyzABCDEFGHI";

/// A program with this configuration, and a token beside it.
fn program(config: &str) -> Program {
    let program = Program::new();
    let data = program.home().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::write(data.join("t"), TOKEN).unwrap();
    std::fs::write(data.join("config.toml"), config).unwrap();
    program
}

#[test]
fn an_account_that_is_offline_is_told_with_its_reason() {
    // Nobody listens there.
    let program = program(
        "[[telegram]]\ntoken_file = \"t\"\napi_url = \"http://127.0.0.1:1\"\n[[route]]\nto = [\"telegram/main/7\"]\n",
    );
    let _server = program.serve();
    let until = Instant::now() + PATIENCE;
    let status = loop {
        let status = String::from_utf8(program.run(&["status"]).stdout).unwrap();
        assert!(status.contains("\n  telegram/main is "), "{status}");
        if status.contains("telegram/main is offline: ") {
            break status;
        }
        assert!(Instant::now() < until, "{status}");
    };
    let json = program.run(&["status", "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["accounts"][0]["state"], "offline", "{json}");
    assert!(status.contains(json["accounts"][0]["why"].as_str().unwrap()), "{json}");
    let ask = ["ask", "Go?", "--confirm"];
    let mut asking = program.command(&ask).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(asking.stderr.take().unwrap()).lines().map_while(Result::ok);
    let told = lines.find(|line| line.contains("telegram/main is offline: "));
    asking.kill().unwrap();
    asking.wait().unwrap();
    assert!(told.is_some_and(|told| told.contains("once it is online")));
}

#[test]
fn what_a_bot_lacks_is_told_with_its_state() {
    let discord = Discord::new();
    let desk = Desk::new(vec![Box::new(discord.clone())]);
    let _server = desk.serve();
    let told = |expected: bool| {
        let until = Instant::now() + PATIENCE;
        loop {
            let status = desk.succeeds(&["status"]);
            if status.contains(" is online")
                && status.contains("\n    the Message Content intent is off") == expected
            {
                return;
            }
            assert!(Instant::now() < until, "{status}");
        }
    };
    told(true);
    discord.bot.allow_message_content(true);
    told(false);
}

#[test]
fn an_account_that_cannot_run_is_refused_with_the_key_and_the_way_out() {
    let webhook = |name: &str, path: &str| {
        format!(
            "[[telegram]]\nname = \"{name}\"\ntoken_file = \"t\"\nwebhook_url = \"https://a.example{path}\"\n"
        )
    };
    for (config, words) in [
        (webhook("one", "/x") + &webhook("two", "/x"), ["telegram[1].webhook_url", "another path"]),
        (webhook("one", "/v1/asks"), ["telegram[0].webhook_url", "choose another"]),
        (webhook("one", "/:x"), ["telegram[0].webhook_url", "write one such as"]),
        ("[[telegram]]\ntoken_file = \"gone\"\n".to_owned(), ["token_file", "gone"]),
    ] {
        let program = program(&config);
        for arguments in [&["serve"][..], &["config", "check"]] {
            let output = program.run(arguments);
            let why = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {why}");
            assert!(words.iter().all(|word| why.contains(word)) && !why.contains("panicked"), "{why}");
        }
    }
}

#[test]
fn the_check_tells_where_a_mistake_stands_and_what_others_can_read() {
    let account = "[[telegram]]\ntoken_file = \"t\"\n";
    let rows = [
        (
            format!("{account}[places]\nme = \"telegram/main/sam\"\n"),
            1,
            "config.toml:4: places.me: telegram has no",
        ),
        (
            format!("{account}[[route]]\nto = [\"slack/main/C1\"]\n"),
            1,
            "config.toml:3: route[0].to: the account",
        ),
        (account.to_owned(), 0, "# note: telegram[0].token_file: other users can read "),
    ];
    for (config, code, expected) in rows {
        let output = program(&config).run(&["config", "check"]);
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}
