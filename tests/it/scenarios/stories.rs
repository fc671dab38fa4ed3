//! What takes more than one line to tell: presses, restarts, several questions, floods.

use askrelay_kit::telegram::{Fault, Post};
use serde_json::json;

use crate::telegram::{Asking, Phone, file, retired, shown, tap};

pub(super) const DEPLOY: [&str; 6] = ["Where?", "-o", "Staging", "-o", "Production", "--no-other"];

pub(super) fn prints(asking: Asking, expected: &str) {
    let (code, stdout, stderr) = asking.ends();
    assert_eq!((code, stdout.as_str()), (Some(0), expected), "{stderr}");
}

/// It still waits; then it is taken back.
pub(super) fn waits(mut asking: Asking) {
    assert!(asking.is_running());
    asking.interrupt();
    assert_eq!(asking.ends().0, Some(3));
}

#[test]
fn b16_a_voice_note_is_no_answer_and_a_caption_is() {
    let phone = Phone::new();
    let _server = phone.serve();
    let asking = phone.ask(&["Go?", "-o", "Yes", "-o", "No"]);
    phone.question("Go?");
    phone.owner.send(&phone.chat, Post::voice());
    phone.chat.wait_seen("only read text");
    phone.owner.send(&phone.chat, Post::photo());
    phone.everything_was_read();
    phone.owner.send(&phone.chat, Post::photo().caption("2"));
    prints(asking, "No\n");
}

#[test]
fn b17_the_words_name_what_is_there_to_press() {
    let phone = Phone::new();
    let _server = phone.serve();
    let asking = phone.ask(&["Where?", "-o", "EU", "-o", "US"]);
    let seen = phone.question("Where?");
    assert!(seen.text.contains("1. EU") && seen.text.contains("2. US"), "{seen:?}");
    assert!(seen.text.contains("Press a button") && seen.labels().starts_with(&["EU", "US"]), "{seen:?}");
    waits(asking);
}

#[test]
fn b19_long_labels_are_whole_in_the_text_and_apart_on_the_buttons() {
    let phone = Phone::new();
    let _server = phone.serve();
    let same = "the same forty characters at the start, ";
    let labels: Vec<String> =
        (1..=4).map(|n| format!("{same}{}{n}", "and then more words ".repeat(4))).collect();
    let mut ask = vec!["Which?"];
    ask.extend(labels.iter().flat_map(|label| ["-o", label.as_str()]));
    let asking = phone.ask(&ask);
    let seen = phone.question("Which?");
    for label in &labels {
        assert!(seen.text.contains(label.trim()), "{label} in {}", seen.text);
    }
    let buttons: std::collections::BTreeSet<&str> = seen.labels().into_iter().take(4).collect();
    assert_eq!(buttons.len(), 4, "{seen:?}");
    let third = seen.labels()[2].to_owned();
    phone.tap(seen.id, &third);
    prints(asking, &format!("{}\n", labels[2].trim()));
}

#[test]
fn b23_payloads_fit_in_every_alphabet() {
    let phone = Phone::new();
    let _server = phone.serve();
    let labels = ["测试环境部署到生产环境之前先备份", "Развернуть на тестовом стенде"];
    let id = "0190f6f2-7d1c-7c44-9d0b-5f0d8f5f7a11";
    let asking = phone.ask(&["Какой?", "-o", labels[0], "-o", labels[1], "--id", id]);
    let seen = phone.question("Какой?");
    for button in seen.buttons.iter().flatten() {
        let data = button.data.as_deref().unwrap_or_default();
        assert!((1..=64).contains(&data.len()) && data.is_ascii(), "{button:?}");
    }
    phone.tap(seen.id, labels[1]);
    prints(asking, &format!("{}\n", labels[1]));
}

#[test]
fn b26_marks_of_markup_arrive_as_they_are() {
    let phone = Phone::new();
    let _server = phone.serve();
    let text = "Run `rm_old[1]` on *db_main* <b>now</b> & [here](http://x)?";
    let asking = phone.ask(&[text, "-o", "yes_now", "-o", "not_yet"]);
    let seen = phone.question(text);
    assert!(!seen.entities.iter().any(|entity| entity["type"] == "text_link"), "{seen:?}");
    phone.tap(seen.id, "yes_now");
    prints(asking, "yes_now\n");
}

#[test]
fn b26_what_the_platform_refuses_is_sent_as_text_and_then_told() {
    let phone = Phone::new();
    let _server = phone.serve();
    let refuse = || Fault::Refuse(400, "Bad Request: can't parse entities".to_owned());
    phone.platform.fail("sendMessage", 1, refuse());
    let asking = phone.ask(&DEPLOY);
    let seen = phone.chat.wait_seen("Where?");
    assert!(seen.buttons.is_empty(), "shown as text: {seen:?}");
    phone.owner.write(&phone.chat, "2");
    prints(asking, "Production\n");
    phone.platform.fail("sendMessage", 2, refuse());
    let (code, _, stderr) = phone.ask(&DEPLOY).ends();
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("can't parse entities"), "the platform's reason: {stderr}");
}

#[test]
fn b28_an_expired_question_says_so() {
    let phone = Phone::new();
    let _server = phone.serve();
    let asking = phone.ask(&["Where?", "-o", "Staging", "--timeout", "1s"]);
    let seen = phone.question("Where?");
    let data = seen.buttons[0][0].data.clone().unwrap();
    assert_eq!(asking.ends().0, Some(3));
    retired(&phone.chat, seen.id, "Expired");
    let told = phone.owner.press(&phone.chat, seen.id, &data).wait_answered();
    assert!(told.text.is_some_and(|text| text.contains("expired")), "a late press is told");
    phone.owner.write(&phone.chat, "1");
    phone.everything_was_read();
}

#[test]
fn b31_a_press_on_a_message_out_of_reach_counts() {
    let phone = Phone::new();
    let _server = phone.serve();
    let asking = phone.ask(&DEPLOY);
    let seen = phone.question("Where?");
    let data = seen.buttons[0][0].data.clone().unwrap();
    phone.bot.deliver_garbage();
    phone.bot.deliver_raw(json!({"callback_query": {
        "id": "4711",
        "from": {"id": phone.owner.id(), "is_bot": false, "first_name": "Sam"},
        "message": {"chat": {"id": phone.chat.id(), "type": "private"}, "message_id": seen.id, "date": 0},
        "chat_instance": "1",
        "data": data,
    }}));
    prints(asking, "Staging\n");
}

#[test]
fn b34_a_press_without_a_sender_changes_nothing() {
    let phone = Phone::new();
    let _server = phone.serve();
    let asking = phone.ask(&DEPLOY);
    let seen = phone.question("Where?");
    let data = seen.buttons[0][0].data.clone().unwrap();
    phone.bot.deliver_raw(json!({"callback_query": {"id": "4713", "chat_instance": "1", "data": data}}));
    phone.everything_was_read();
    waits(asking);
}

#[test]
fn b41_a_question_that_was_not_shown_claims_nothing() {
    let phone = Phone::new();
    let _server = phone.serve();
    phone.platform.fail(
        "sendMessage",
        2,
        Fault::Refuse(403, "Forbidden: bot was blocked by the user".to_owned()),
    );
    let (code, _, stderr) = phone.ask(&DEPLOY).ends();
    assert_eq!(code, Some(3), "{stderr}");
    for text in ["1", "staging", "hello there"] {
        phone.owner.write(&phone.chat, text);
    }
    phone.everything_was_read();
    let said = phone.chat.from_bots();
    assert!(said.iter().all(|seen| !seen.text.contains("Understood")), "{said:?}");
}

#[test]
fn b43_a_bare_yes_with_two_open_is_asked_back() {
    let phone = Phone::new();
    let _server = phone.serve();
    let first = phone.ask(&["Rewrite history of branch feat-9?", "--confirm"]);
    phone.question("Rewrite history");
    let second = phone.ask(&["Empty the staging bucket?", "--confirm", "--json"]);
    let seen = phone.question("Empty the staging bucket?");
    phone.owner.write(&phone.chat, "yes");
    phone.chat.wait_seen("reply to the one you mean");
    phone.owner.send(&phone.chat, Post::text("yes").reply_to(seen.id));
    let (code, stdout, stderr) = second.ends();
    assert_eq!(code, Some(0), "{stderr}");
    for part in ["Empty the staging bucket?", "Yes", "\"questionId\""] {
        assert!(stdout.contains(part), "the result names {part}: {stdout}");
    }
    waits(first);
}

#[test]
fn b46_a_second_question_is_answerable_at_once() {
    let phone = Phone::new();
    let _server = phone.serve();
    let first = phone.ask(&["Where?", "-o", "Staging", "-o", "Production"]);
    let second = phone.ask(&["When?", "-o", "Now", "-o", "Later"]);
    let (where_to, when) = (phone.question("Where?").id, phone.question("When?").id);
    phone.tap(when, "Later");
    phone.tap(where_to, "Staging");
    prints(first, "Staging\n");
    prints(second, "Later\n");
}

#[test]
fn b47_an_answer_does_not_wait_behind_its_question() {
    let phone = Phone::new();
    let _server = phone.serve();
    let asking = phone.ask(&DEPLOY);
    phone.question("Where?");
    phone.owner.write(&phone.chat, "2");
    prints(asking, "Production\n");
    phone.everything_was_read();
    let again = phone.chat.from_bots().into_iter().filter(|seen| seen.text.contains("Understood")).count();
    assert_eq!(again, 1, "read once");
}

#[test]
fn b49_b61_a_restart_keeps_every_question_and_its_deadline() {
    let phone = Phone::new();
    let server = phone.serve();
    let asking: Vec<Asking> = (0..4)
        .map(|n| phone.ask(&[&format!("Number {n}?"), "-o", "Yes", "-o", "No", "--id", &format!("ask_{n}")]))
        .collect();
    let messages: Vec<i64> = (0..4).map(|n| phone.question(&format!("Number {n}?")).id).collect();
    let deadlines = |phone: &Phone| {
        let shown: Vec<serde_json::Value> = (0..4)
            .map(|n| serde_json::from_str(&phone.succeeds(&["show", &format!("ask_{n}"), "--json"])).unwrap())
            .collect();
        shown.iter().map(|record| record["expiresAtMs"].clone()).collect::<Vec<_>>()
    };
    let before = deadlines(&phone);
    server.kill();
    let _server = phone.serve();
    assert_eq!(deadlines(&phone), before);
    for (n, asking) in asking.into_iter().enumerate() {
        phone.tap(messages[n], "Yes");
        prints(asking, "Yes\n");
    }
    let copies = phone.chat.from_bots().into_iter().filter(|seen| seen.text.contains("Number")).count();
    assert_eq!(copies, 4, "no second copy");
}

#[test]
fn b50_the_first_press_after_a_restart_counts() {
    let phone = Phone::new();
    let server = phone.serve();
    let asking = phone.ask(&DEPLOY);
    let seen = phone.question("Where?");
    server.kill();
    let _server = phone.serve();
    let data = seen.buttons[0][0].data.clone().unwrap();
    let first = phone.owner.press(&phone.chat, seen.id, &data);
    let second = phone.owner.press(&phone.chat, seen.id, &data);
    assert!(first.wait_answered().text.is_some(), "the first is told what counts");
    assert!(second.wait_answered().text.is_some(), "no press is without an outcome");
    prints(asking, "Staging\n");
}

#[test]
fn b52_old_updates_answer_nothing_new() {
    let phone = Phone::new();
    let server = phone.serve();
    let first = phone.ask(&["Where?", "-o", "Staging", "-o", "Production"]);
    phone.question("Where?");
    phone.owner.write(&phone.chat, "1");
    prints(first, "Staging\n");
    let second = phone.ask(&["When?", "-o", "Now", "-o", "Later"]);
    let seen = phone.question("When?");
    server.kill();
    phone.bot.deliver_again();
    phone.owner.tap(&phone.chat, seen.id, "Later");
    let _server = phone.serve();
    prints(second, "Later\n");
}

#[test]
fn b53_shown_means_a_message_is_there() {
    let phone = Phone::new();
    let _server = phone.serve();
    phone.platform.fail("sendMessage", 1, Fault::DropAfter);
    let asking = phone.ask(&DEPLOY);
    let seen = phone.question("Where?");
    phone.tap(seen.id, "Staging");
    prints(asking, "Staging\n");
    let copies = || phone.chat.from_bots().into_iter().filter(|seen| seen.text.contains("Where?"));
    assert!(copies().count() <= 2, "one extra copy at most");
    for copy in copies() {
        retired(&phone.chat, copy.id, "Staging");
    }
}

#[test]
fn b55_floods_and_bad_gateways_are_sat_out() {
    let phone = Phone::new();
    let _server = phone.serve();
    phone.platform.fail("sendMessage", 1, Fault::Flood(1));
    let asking = phone.ask(&DEPLOY);
    let seen = phone.question("Where?");
    phone.platform.fail("editMessageText", 1, Fault::Flood(1));
    phone.tap(seen.id, "Production");
    prints(asking, "Production\n");
    retired(&phone.chat, seen.id, "Production");
    let copies = phone.chat.from_bots().into_iter().filter(|seen| seen.text.contains("Where?")).count();
    assert_eq!(copies, 1);
}

#[test]
fn b56_a_press_is_acknowledged_whatever_else_is_slow() {
    let phone = Phone::new();
    let _server = phone.serve();
    let asking = phone.ask(&DEPLOY);
    let seen = phone.question("Where?");
    let hold = phone.platform.hold_requests("editMessageText", 1);
    let told = phone.owner.tap(&phone.chat, seen.id, "Staging").wait_answered();
    assert!(told.text.is_some_and(|text| text.contains("Staging")), "the toast says what counts");
    prints(asking, "Staging\n");
    drop(hold);
    retired(&phone.chat, seen.id, "Staging");
}

#[test]
fn b58_silence_is_never_an_answer() {
    let phone = Phone::new();
    let _server = phone.serve();
    let (code, stdout, stderr) = phone.ask(&["Go?", "-o", "Yes (Recommended)", "--timeout", "1s"]).ends();
    assert_eq!((code, stdout.as_str()), (Some(3), ""), "{stderr}");
    assert!(stderr.contains("expired") || stderr.contains("time"), "{stderr}");
}

#[test]
fn b73_a_secret_never_passes_through_the_chat() {
    let phone = Phone::new();
    let _server = phone.serve();
    let ask = r#"{"questions": [{"questionId": "key", "question": "The key?", "isOther": true, "isSecret": true}]}"#;
    let asking = phone.ask(&["--file", &file(&phone, "secret.json", ask), "--timeout", "60s"]);
    let seen = phone.chat.wait_seen("The key?");
    for text in ["hunter2-secret", "1"] {
        phone.owner.send(&phone.chat, Post::text(text).reply_to(seen.id));
    }
    phone.everything_was_read();
    let said: String = phone.chat.from_bots().into_iter().map(|seen| seen.text).collect();
    assert!(!said.contains("hunter2"), "{said}");
    let kept = phone.succeeds(&["audit"]) + &phone.succeeds(&["list", "--json"]);
    assert!(!kept.contains("hunter2"), "{kept}");
    waits(asking);
}

#[test]
fn b80_one_setting_decides_how_long_to_wait() {
    let phone = Phone::new();
    let config = phone.program.home().join("data/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("default_wait = \"30m\"\n{text}")).unwrap();
    let _server = phone.serve();
    let waits_ms = |ask: &[&str], id: &str| {
        let asking = phone.ask(&[ask, &["--id", id]].concat());
        phone.question(ask[0]);
        let record: serde_json::Value =
            serde_json::from_str(&phone.succeeds(&["show", id, "--json"])).unwrap();
        waits(asking);
        record["expiresAtMs"].as_i64().unwrap() - record["createdAtMs"].as_i64().unwrap()
    };
    assert_eq!(waits_ms(&["First?", "-o", "Yes"], "a"), 30 * 60_000);
    assert_eq!(waits_ms(&["Second?", "-o", "Yes", "--timeout", "10m"], "b"), 10 * 60_000);
}
