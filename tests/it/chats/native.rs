//! What each platform shows natively: a table written by hand, compared with what people see on the stand-ins, and with the table
//! in the README.

use super::discord::Discord;
use super::slack::Slack;
use super::telegram::Telegram;
use super::{Chat, Desk, Open};

/// What is asked, and what Telegram, Discord and Slack show for it.
struct Case {
    name: &'static str,
    ask: Ask,
    shows: [&'static str; 3],
}

enum Ask {
    /// One choice of so many.
    One(usize),
    Several,
    Questions,
    Other,
    Text,
    Number,
    Confirm,
    Secret,
}

const CASES: [Case; 11] = [
    Case { name: "One choice of 2", ask: Ask::One(2), shows: ["2 buttons", "2 buttons", "2 buttons"] },
    Case { name: "One choice of 5", ask: Ask::One(5), shows: ["5 buttons", "5 buttons", "radio buttons"] },
    Case { name: "One choice of 12", ask: Ask::One(12), shows: ["buttons, 2 pages", "12 buttons", "menu"] },
    Case { name: "One choice of 25", ask: Ask::One(25), shows: ["buttons, 3 pages", "menu", "menu"] },
    Case {
        name: "Several choices",
        ask: Ask::Several,
        shows: ["toggle buttons, Submit", "menu, Submit", "checkboxes, Submit"],
    },
    Case {
        name: "Several questions",
        ask: Ask::Questions,
        shows: ["one message, step by step", "one message, step by step", "one message with fields"],
    },
    Case {
        name: "Other (own words)",
        ask: Ask::Other,
        shows: ["button, then reply", "button, then form", "button, then form"],
    },
    Case {
        name: "Free text",
        ask: Ask::Text,
        shows: ["button, then reply", "button, then form", "button, then form"],
    },
    Case {
        name: "Number",
        ask: Ask::Number,
        shows: ["button, then reply", "button, then form", "button, then form"],
    },
    Case { name: "Confirm", ask: Ask::Confirm, shows: ["2 buttons", "2 buttons", "2 buttons"] },
    Case { name: "Secret", ask: Ask::Secret, shows: [REFUSED; 3] },
];

/// What a secret comes to, before anybody is asked.
const REFUSED: &str = "refused, with the way out";

/// In every case but a secret's.
const SKIP: &str = "button";

const CHATS: [(&str, Open); 3] =
    [("Telegram", Telegram::open), ("Discord", Discord::open), ("Slack", Slack::open)];

impl Ask {
    fn json(&self) -> String {
        let options = |count: usize| {
            let labels: Vec<String> = (1..=count).map(|n| format!("{{\"label\": \"Choice {n}\"}}")).collect();
            labels.join(", ")
        };
        let question = match self {
            Self::One(count) => format!("\"options\": [{}]", options(*count)),
            Self::Several => format!("\"multiSelect\": true, \"options\": [{}]", options(3)),
            Self::Questions => return super::THREE.replace("Where should it go?", "Shown how?"),
            Self::Other => format!("\"isOther\": true, \"options\": [{}]", options(2)),
            Self::Text => "\"options\": []".to_owned(),
            Self::Number => "\"options\": [], \"constraint\": {\"type\": \"integer\"}".to_owned(),
            Self::Confirm => "\"options\": [{\"label\": \"Yes\"}, {\"label\": \"No\"}]".to_owned(),
            Self::Secret => "\"isSecret\": true, \"options\": []".to_owned(),
        };
        format!(
            "{{\"questions\": [{{\"questionId\": \"q\", \"header\": \"\", \"question\": \"Shown how?\", {question}}}]}}"
        )
    }

    /// What people see, in the words of the table.
    fn seen(&self, chat: &dyn Chat, message: &str) -> String {
        let controls = chat.controls(message);
        assert!(
            controls.iter().any(|control| control.starts_with("Skip")),
            "Skip is always there: {controls:?}"
        );
        let has = |start: &str| controls.iter().any(|control| control.starts_with(start));
        let choices = controls.iter().filter(|control| control.starts_with("Choice ")).count();
        let buttons = |label: &str| if has(label) { "button" } else { "nothing" };
        let opens = |label: &str| format!("{}, then {}", buttons(label), chat.asks_for_words(message, label));
        match self {
            Self::One(count) if choices == *count => format!("{count} buttons"),
            Self::One(count) if choices > 0 => format!("buttons, {} pages", count.div_ceil(choices)),
            Self::One(_) if has("radio_buttons of") => "radio buttons".to_owned(),
            Self::One(_) if has("menu of") || has("static_select of") => "menu".to_owned(),
            Self::Several if has("☐ Choice 1") && has("Submit") => "toggle buttons, Submit".to_owned(),
            Self::Several if has("checkboxes of") && has("Submit") => "checkboxes, Submit".to_owned(),
            Self::Several if has("menu of") && has("Submit") => "menu, Submit".to_owned(),
            Self::Questions if has("Next") => "one message, step by step".to_owned(),
            Self::Questions if has("radio_buttons of") && has("input ") && has("Submit") => {
                "one message with fields".to_owned()
            }
            Self::Other => opens("Other…"),
            Self::Text | Self::Number => opens("Answer…"),
            Self::Confirm if has("Yes") && has("No") => "2 buttons".to_owned(),
            _ => format!("text: {controls:?}"),
        }
    }
}

#[test]
fn every_platform_shows_what_the_table_says() {
    for (column, (platform, chat)) in CHATS.into_iter().enumerate() {
        let desk = Desk::new(vec![chat()]);
        let _server = desk.serve();
        for case in &CASES {
            let asking = desk.ask(&["--file", &desk.file("ask.json", &case.ask.json())]);
            if matches!(case.ask, Ask::Secret) {
                let (code, _, stderr) = asking.ends();
                let told = code == Some(2) && stderr.contains("isSecret") && stderr.contains("confirm");
                assert!(told && case.shows[column] == REFUSED, "{} on {platform}: {stderr}", case.name);
                continue;
            }
            let message = desk.chat().question("Shown how?");
            let seen = case.ask.seen(desk.chat(), &message);
            assert_eq!(seen, case.shows[column], "{} on {platform}", case.name);
            asking.interrupt();
            asking.ends();
            desk.chat().retired(&message, "Withdrawn");
        }
    }
}

#[test]
fn the_readme_has_the_same_table() {
    let readme = include_str!("../../../README.md");
    let names: Vec<&str> = CHATS.iter().map(|(name, _)| *name).collect();
    let mut rows = vec![format!("| | {} |", names.join(" | ")), "|---|---|---|---|".to_owned()];
    rows.extend(CASES.iter().map(|case| format!("| {} | {} |", case.name, case.shows.join(" | "))));
    rows.push(format!("| Skip | {SKIP} | {SKIP} | {SKIP} |"));
    let table = rows.join("\n");
    assert!(readme.contains(&table), "the README's table must be:\n{table}");
}
