//! Asks that fit nowhere: what is kept, what is cut, what is said about it.

use askrelay_core::ask::Question;
use askrelay_core::limits::Limits;
use askrelay_core::prompt::{Control, Draft, Prompt, View, open};
use askrelay_core::record::Record;

use crate::asks::{NOW, nonce, question, record};
use crate::render::{all_words, words};
use crate::surfaces;

fn show(record: &Record, limits: &Limits, page: usize) -> Prompt {
    let draft = Draft { page, ..Draft::default() };
    let view = View {
        record,
        limits,
        draft: &draft,
        audience: "",
        nonce: nonce(),
        now: NOW,
        zone_minutes: 0,
        typed: true,
        panel: None,
        forgotten: false,
        alone: false,
    };
    let prompt = open(&view);
    for body in &prompt.messages {
        assert!(limits.unit.measure(&words(body)) <= limits.message);
    }
    assert!(prompt.messages.len() <= limits.messages);
    prompt
}

fn long(count: usize, size: usize) -> Question {
    let labels: Vec<String> =
        (1..=count).map(|n| format!("{}x{n:03}", "long label ".repeat(size / 11))).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    question("q", "", "Which one?", &labels)
}

#[test]
fn a_hundred_labels_of_ten_thousand_characters_stay_apart_on_lines_of_irc() {
    let record = record(vec![long(100, 10_000)]);
    let prompt = show(&record, &surfaces::irc(), 0);
    let text = all_words(&prompt);
    assert!(text.contains("Shortened to fit here: choices. In full: askrelay show ask_7f3a"), "{text}");
    let labels: Vec<&str> = (1..=100)
        .map(|n| {
            text.lines()
                .find_map(|line| line.strip_prefix(&format!("{n}. ")))
                .expect("every choice has a line")
        })
        .collect();
    assert_eq!(labels.iter().collect::<std::collections::HashSet<_>>().len(), 100);
    assert!(labels.iter().all(|label| label.contains('…')));
}

#[test]
fn where_not_even_shortened_choices_fit_none_is_shown_and_the_way_out_is() {
    let record = record(vec![long(100, 50)]);
    let limits = Limits { messages: 1, ..surfaces::sms() };
    let text = all_words(&show(&record, &limits, 0));
    insta::assert_snapshot!(text, @"
    Which one?

    Its 100 choices do not fit here. Read and answer where there is room: askrelay show ask_7f3a
    ");
}

#[test]
fn choices_too_long_for_one_message_are_shown_whole_over_pages() {
    let record = record(vec![long(4, 1500)]);
    let limits = surfaces::discord();
    for (page, choice) in record.ask.questions[0].choices.iter().enumerate() {
        let prompt = show(&record, &limits, page);
        let text = all_words(&prompt);
        assert!(text.contains(&format!("{}. {}", page + 1, choice.label)), "page {page}: {text}");
        assert!(!text.contains("Shortened"));
        assert!(matches!(prompt.controls[0][0], Control::Menu { ref entries, .. } if entries.len() == 1));
    }
}

#[test]
fn descriptions_go_first_then_the_question_then_labels() {
    let described = |text: &str, about: usize, label: usize| {
        let choices: Vec<String> =
            (1..=3).map(|n| format!("{}{n}={}", "label ".repeat(label), "about ".repeat(about))).collect();
        let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
        record(vec![question("q", "", text, &choices)])
    };
    let limits = Limits { messages: 1, message: 400, ..surfaces::sms() };
    for (name, record, want) in [
        ("all fits", described("Which?", 1, 1), None),
        ("descriptions", described("Which?", 50, 1), Some("Shortened to fit here: descriptions.")),
        (
            "question too",
            described(&"why ".repeat(200), 50, 1),
            Some("Shortened to fit here: descriptions and question."),
        ),
        (
            "labels too",
            described(&"why ".repeat(200), 50, 40),
            Some("Shortened to fit here: descriptions, question and choices."),
        ),
    ] {
        let text = all_words(&show(&record, &limits, 0));
        match want {
            Some(want) => assert!(text.contains(want), "{name}: {text}"),
            None => assert!(!text.contains("Shortened"), "{name}: {text}"),
        }
    }
}

#[test]
fn an_address_too_long_for_a_button_stays_in_the_text() {
    let url = format!("https://example.org/{}", "x".repeat(600));
    let record = record(vec![Question { url: Some(url.clone()), ..question("q", "", "Look.", &["Seen"]) }]);
    for (name, limits, as_control) in
        [("telegram", surfaces::telegram(), true), ("discord", surfaces::discord(), false)]
    {
        let prompt = show(&record, &limits, 0);
        let linked = prompt.controls.iter().flatten().any(|control| matches!(control, Control::Link { .. }));
        assert_eq!((linked, all_words(&prompt).contains(&url)), (as_control, !as_control), "{name}");
    }
}

#[test]
fn an_address_too_long_for_the_messages_is_left_out_whole_and_said_so() {
    let url = format!("https://example.org/{}", "x".repeat(1500));
    let record =
        record(vec![Question { url: Some(url), ..question("q", "", "Look.", &["Seen", "Not seen"]) }]);
    let text = all_words(&show(&record, &surfaces::sms(), 0));
    insta::assert_snapshot!(text, @"
    Look.

    1. Seen
    2. Not seen

    Reply 1 or 2; /skip to skip.
    Shortened to fit here: link. In full: askrelay show ask_7f3a
    ");
}

#[test]
fn a_place_without_edits_gets_text_where_controls_would_have_to_change() {
    let limits = Limits { edits: false, ..surfaces::telegram() };
    let many = Question { multi_select: true, ..long(3, 11) };
    for (name, questions, controls) in [
        ("one choice", vec![long(4, 11)], true),
        ("several choices", vec![many], false),
        ("several questions", vec![long(2, 11), Question { id: "r".into(), ..long(2, 11) }], false),
        ("pages", vec![long(30, 11)], false),
    ] {
        assert_eq!(!show(&record(questions), &limits, 0).controls.is_empty(), controls, "{name}");
    }
}
