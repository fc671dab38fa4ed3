//! What holds for every question and every reply, whatever the rows say.

use askrelay_core::answer::canonical;
use askrelay_core::ask::{Choice, Question};
use askrelay_core::reply::{Reader, Reading, read};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::rows::bot;

const LABELS: [&str; 40] = [
    "Staging",
    "Production",
    "Canary",
    "Staging (Recommended)",
    "Blue-green",
    "Rolling",
    "Yes",
    "No",
    "Yes, deploy now",
    "No, wait",
    "Approve",
    "Reject",
    "Don't deploy",
    "Deploy",
    "Do not touch",
    "None of these",
    "All",
    "2 replicas",
    "3 replicas",
    "Node 20",
    "v2",
    "3",
    "5",
    "A) Red",
    "B) Blue",
    "C++",
    "C",
    "Terms and conditions",
    "Logs, metrics",
    "Logs",
    "Metrics",
    "Café",
    "İstanbul",
    "生产环境",
    "本番",
    "운영",
    "الإنتاج",
    "उत्पादन",
    "🚀 Ship it",
    "Region: EU",
];

const REPLIES: [&str; 64] = [
    "1",
    "2",
    "3",
    "02",
    "2.",
    "#2",
    "(2)",
    "option 2",
    "two",
    "2 3",
    "1, 2",
    "1-3",
    "1 and 3",
    "first",
    "the second one",
    "last",
    "second to last",
    "all",
    "both",
    "all except 2",
    "none",
    "yes",
    "no",
    "👍",
    "ok",
    "sure",
    "2 please",
    "let's go with 2",
    "use staging",
    "2 because 1 is broken",
    "staging, the tests are red",
    "staging (safer)",
    "2\nDana",
    "the first two",
    "logs and metrics",
    "- logs\n- metrics",
    "[x] Logs\n[ ] Metrics",
    "prod",
    "sta",
    "region: eu",
    "wifi",
    "c++",
    "deploy",
    "deploy to staging",
    "the staging one",
    "recommended",
    "第二个",
    "选2",
    "2番でお願いします",
    "2번으로 해주세요",
    "الخيار 2",
    "विकल्प 2",
    "la segunda",
    "das zweite",
    "le dernier",
    "вариант 2",
    "ikinci",
    "staging :)",
    "2 👍",
    "1. Staging",
    "2: production",
    "other: staging",
    "Deploy: 2",
    "q1 = staging",
];

/// One question with choices from the pool.
fn question() -> impl Strategy<Value = Question> {
    let labels = subsequence(LABELS.to_vec(), 1..6).prop_shuffle();
    (labels, any::<bool>(), any::<bool>()).prop_map(|(labels, multi_select, other)| Question {
        id: "q1".into(),
        header: "Deploy".to_owned(),
        text: "Where should I deploy this build?".to_owned(),
        choices: labels.into_iter().map(Choice::new).collect(),
        multi_select,
        other,
        ..Question::default()
    })
}

fn any_question() -> impl Strategy<Value = Question> {
    let choice = any::<String>().prop_map(Choice::new);
    (prop::collection::vec(choice, 0..5), any::<bool>(), any::<bool>(), any::<String>(), any::<String>())
        .prop_map(|(choices, multi_select, other, header, text)| Question {
            id: "q1".into(),
            header,
            text,
            choices,
            multi_select,
            other,
            ..Question::default()
        })
}

/// Typed words: known replies, labels as they are or in other case, and glue between them.
fn reply() -> impl Strategy<Value = String> {
    let label = select(LABELS.to_vec()).prop_flat_map(|label| {
        select(vec![label.to_owned(), label.to_lowercase(), label.to_uppercase(), format!("{label}.")])
    });
    let word = prop_oneof![
        3 => select(REPLIES.to_vec()).prop_map(str::to_owned),
        3 => label,
        1 => select(vec!["please", "I think", "not", "or", "and", "because", "but", "thanks", "hmm", "wait", "x"]).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    let glue = select(vec![" ", ", ", "\n", "; ", " and ", " - ", ". "]);
    prop::collection::vec((word, glue), 1..4).prop_map(|parts| {
        let mut text = String::new();
        for (index, (word, glue)) in parts.iter().enumerate() {
            if index > 0 {
                text.push_str(glue);
            }
            text.push_str(word);
        }
        text
    })
}

fn values(reading: &Reading) -> Vec<String> {
    match reading {
        Reading::Answer { answers, .. } => answers.0.values().flatten().cloned().collect(),
        _ => Vec::new(),
    }
}

/// Declared labels among what was delivered.
fn options(question: &Question, reading: &Reading) -> Vec<String> {
    let is_label = |value: &String| question.choices.iter().any(|choice| choice.label.trim() == value.trim());
    values(reading).into_iter().filter(is_label).collect()
}

fn one(question: &Question, reply: &str) -> Reading {
    read(std::slice::from_ref(question), reply, &bot())
}

/// Whether the text spells a label in any way that folding forgives; such replies need no guard.
fn spells_label(question: &Question, text: &str) -> bool {
    let bare = |text: &str| text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    question.choices.iter().any(|choice| bare(&choice.label).contains(&bare(text)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn delivered_values_are_labels_or_words_of_the_reply(question in question(), reply in reply()) {
        let reading = one(&question, &reply);
        let labels = options(&question, &reading);
        for value in values(&reading) {
            prop_assert!(labels.contains(&value) || reply.contains(&value), "{value:?} of {reply:?}");
        }
        if let Reading::Answer { answers, notes } = &reading {
            let again = canonical(std::slice::from_ref(&question), answers);
            prop_assert_eq!(again.as_ref(), Ok(answers));
            prop_assert!(notes.values().all(|note| reply.contains(note.as_str())));
            prop_assert!(question.multi_select || values(&reading).len() == 1);
        }
    }

    #[test]
    fn doubt_never_delivers_a_choice(question in question(), reply in reply()) {
        let chosen = options(&question, &one(&question, &reply));
        if chosen.is_empty() || reply.contains("other:") || reply.contains('>') {
            return Ok(());
        }
        for doubtful in [format!("not {reply}"), format!("maybe {reply}"), format!("{reply}?")] {
            if !spells_label(&question, &doubtful) {
                let chosen = options(&question, &one(&question, &doubtful));
                prop_assert!(chosen.is_empty(), "{doubtful:?} delivers {chosen:?} of {:?}", question.choices);
            }
        }
    }

    #[test]
    fn an_envelope_changes_nothing(question in question(), reply in reply()) {
        let before = one(&question, &reply);
        let chosen = options(&question, &before);
        if chosen.is_empty() || chosen != values(&before) || reply.contains('>') {
            return Ok(());
        }
        let wrapped = [
            format!("@askbot {reply}"),
            format!("<@U123> {reply}"),
            format!("askbot: {reply}"),
            format!("  {reply}\n "),
            format!("> Where should I deploy this build?\n> 1. Staging\n{reply}"),
            format!("{reply}\n\n-- \nDana, ext. 3"),
            format!("{reply}\n\nSent from my iPhone"),
            format!("{reply}\n\nOn 30 Nov 2026, Ask Bot <a@b.example> wrote:\n> 3. Canary"),
        ];
        for text in wrapped {
            prop_assert_eq!(values(&one(&question, &text)), chosen.clone(), "{:?}", text);
        }
    }

    #[test]
    fn quotes_around_a_choice_change_nothing(question in question(), reply in select(REPLIES.to_vec())) {
        let before = one(&question, reply);
        let chosen = options(&question, &before);
        if chosen.is_empty() || chosen != values(&before) || reply.contains('\n') {
            return Ok(());
        }
        for text in [format!("\"{reply}\""), format!("“{reply}”"), format!("**{reply}**"), format!("`{reply}`")] {
            prop_assert_eq!(values(&one(&question, &text)), chosen.clone(), "{:?}", text);
        }
    }

    #[test]
    fn the_order_of_choices_matters_to_positions_only(
        question in question().prop_filter("labels without numbers", |q| {
            !q.choices.iter().any(|choice| choice.label.chars().any(|c| c.is_numeric()))
        }),
        parts in prop::collection::vec((select(LABELS.to_vec()), select(vec![" ", ", ", " and ", "; "])), 1..4),
        lead in select(vec!["", "let's go with ", "not ", "please ", "ok, "]),
    ) {
        let mut reply = lead.to_owned();
        for (label, glue) in &parts {
            reply.push_str(label);
            reply.push_str(glue);
        }
        if reply.chars().any(char::is_numeric) {
            return Ok(());
        }
        let mut turned = question.clone();
        turned.choices.reverse();
        let sorted = |question: &Question| {
            let mut values = values(&one(question, &reply));
            values.sort();
            values
        };
        prop_assert_eq!(sorted(&question), sorted(&turned), "{:?}", reply);
    }

    #[test]
    fn no_text_and_no_question_makes_it_panic(
        questions in prop::collection::vec(any_question(), 0..4),
        reply in prop_oneof![any::<String>(), "[0-9 ,;:=.()#/>~+\\-\n\\[\\]xX*_@!?\u{20e3}①②]{0,40}"],
    ) {
        let mut questions = questions;
        for (index, question) in questions.iter_mut().enumerate() {
            question.id = format!("q{index}").into();
        }
        let reader = Reader::new(&questions);
        if let Reading::Clarify(unclear) = reader.read(&reply, &bot()) {
            let _ = reader.read_open(&unclear.kept, &reply, &bot());
        }
    }
}

/// Texts made to take long: each is read within this test's patience only if reading takes linear time.
#[test]
fn long_texts_are_read_in_linear_time() {
    let label = |label: String| Choice::new(label);
    let long: Vec<Choice> = (0..100).map(|n| label(format!("{}{n}", "a ".repeat(4_990)))).collect();
    let short: Vec<Choice> = ["a", "a a a b", "1", "a, a"].into_iter().map(|l| label(l.to_owned())).collect();
    let texts = [
        "a ".repeat(50_000),
        "a, ".repeat(33_000),
        "1 ".repeat(50_000),
        "1\n".repeat(50_000),
        "> ".repeat(50_000),
        "~a".repeat(50_000),
        "not ".repeat(25_000),
        "\"".repeat(100_000),
        "(".repeat(100_000),
        "1:".repeat(50_000),
        "q1: ".repeat(25_000),
        "é".repeat(50_000),
        "e\u{301}".repeat(30_000),
        "\u{301}".repeat(50_000),
        "选".repeat(33_000),
        ":a:".repeat(33_000),
        "On wrote:\n".repeat(10_000),
        "On x\n".repeat(20_000),
        "🏳\u{200d}".repeat(12_000),
        "[x] a\n".repeat(16_000),
        "-".repeat(100_000),
        "و".repeat(50_000),
    ];
    for choices in [long, short] {
        for multi_select in [false, true] {
            let question = |id: &str| Question {
                id: id.into(),
                header: "a a a a a".to_owned(),
                text: "a ".repeat(500),
                choices: choices.clone(),
                multi_select,
                ..Question::default()
            };
            let (single, several) = ([question("q1")], [question("q1"), question("q2"), question("q3")]);
            let (single, several) = (Reader::new(&single), Reader::new(&several));
            for text in &texts {
                let _ = single.read(text, &bot());
                let _ = several.read(text, &bot());
            }
        }
    }
}
