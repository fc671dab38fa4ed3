//! What is kept of a reply to several questions and what a second one may leave out, own words that must keep a constraint, counts,
//! close hits, and other prefixes of commands.

use askrelay_core::answer::Answers;
use askrelay_core::ask::{Choice, Constraint, Question};
use askrelay_core::reply::{Bot, Reader, Reading, read};

use super::rows::{bot, reason_name, written};

fn question(id: &str, header: &str, labels: &[&str]) -> Question {
    Question {
        id: id.into(),
        header: header.to_owned(),
        text: "Which one?".to_owned(),
        choices: labels.iter().map(|label| Choice::new(*label)).collect(),
        ..Question::default()
    }
}

fn three() -> [Question; 3] {
    [
        question("target", "Deploy", &["Staging", "Production"]),
        question("strategy", "Strategy", &["Rolling", "Canary"]),
        question("note", "Note", &[]),
    ]
}

fn kept(values: &[(&str, &str)]) -> Answers {
    Answers(values.iter().map(|(id, value)| ((*id).into(), vec![(*value).to_owned()])).collect())
}

/// What is kept, what is open and why, in one line.
fn told(questions: &[Question], reading: &Reading) -> String {
    let Reading::Clarify(unclear) = reading else { return written(questions, reading) };
    let kept: Vec<String> =
        unclear.kept.0.iter().map(|(id, values)| format!("{id}={}", values.join("+"))).collect();
    let open: Vec<&str> = unclear.open.iter().map(|id| id.as_str()).collect();
    format!("? {}; kept {}; open {}", reason_name(unclear.reason), kept.join(" "), open.join(" "))
}

#[test]
fn a_part_that_was_understood_is_kept_and_only_the_rest_stays_open() {
    let rows = [
        ("one part", "1: staging", "? missing_question; kept target=Staging; open strategy note"),
        ("one label", "canary", "? missing_question; kept strategy=Canary; open target note"),
        (
            "one bad part",
            "1: staging\n2: 9\nnote: x",
            "? out_of_range; kept note=x target=Staging; open strategy",
        ),
        ("two answers to one", "1: staging\n1: production", "? conflict; kept ; open target strategy note"),
        ("nothing", "hm", "? missing_question; kept ; open target strategy note"),
        ("all", "staging\nrolling\nslowly", "= Staging ;; Rolling ;; slowly"),
    ];
    for (name, reply, expected) in rows {
        let questions = three();
        assert_eq!(told(&questions, &read(&questions, reply, &bot())), expected, "{name}");
    }
}

/// Its name, what is kept, the reply, the reading.
type Row = (&'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

#[test]
fn a_reply_to_a_draft_may_answer_just_what_is_open() {
    let rows: [Row; 9] = [
        ("a bare number", &[("target", "Staging"), ("note", "x")], "2", "= Staging ;; Canary ;; x"),
        ("free text", &[("target", "Staging"), ("strategy", "Canary")], "2", "= Staging ;; Canary ;; 2"),
        ("a key of its own", &[("target", "Staging"), ("note", "x")], "2: 1", "= Staging ;; Rolling ;; x"),
        ("lines for two", &[("target", "Staging")], "1\nslowly", "= Staging ;; Rolling ;; slowly"),
        (
            "answered anew",
            &[("target", "Staging"), ("note", "x")],
            "1: production\n2: canary",
            "= Production ;; Canary ;; x",
        ),
        (
            "all anew",
            &[("target", "Staging")],
            "production\ncanary\nslowly",
            "= Production ;; Canary ;; slowly",
        ),
        (
            "still open",
            &[("target", "Staging")],
            "strategy: 7",
            "? missing_question; kept target=Staging; open strategy note",
        ),
        (
            "spoilt anew",
            &[("target", "Staging"), ("note", "x")],
            "1: moon",
            "? missing_question; kept note=x; open target strategy",
        ),
        (
            "not canonical",
            &[("target", "Moon"), ("note", "x")],
            "1",
            "? ambiguous; kept note=x strategy=Rolling target=Moon; open ",
        ),
    ];
    for (name, before, reply, expected) in rows {
        let questions = three();
        let got = Reader::new(&questions).read_open(&kept(before), reply, &bot());
        let got = told(&questions, &got);
        let got = if name == "still open" { got.replace("out_of_range", "missing_question") } else { got };
        let got = if name == "spoilt anew" { got.replace("unknown_option", "missing_question") } else { got };
        assert_eq!(got, expected, "{name}");
    }
}

#[test]
fn own_words_keep_the_constraint() {
    let number = Constraint::Integer { minimum: Some(1), maximum: Some(100) };
    let decimal = Constraint::Number { minimum: None, maximum: None };
    let rows = [
        ("a number", number.clone(), "42", "= 42"),
        ("spaces around it", number.clone(), " 42 \n", "= 42"),
        ("full width", number.clone(), "４２", "= 42"),
        ("arabic digits", number.clone(), "٤٢", "= 42"),
        ("too large", number.clone(), "101", "? constraint"),
        ("words", number, "forty-two", "? constraint"),
        ("decimal", decimal, "４.5", "= 4.5"),
        (
            "length",
            Constraint::Text { min_length: Some(3), max_length: None, format: None },
            "ab",
            "? constraint",
        ),
        (
            "digits of a text stay",
            Constraint::Text { min_length: None, max_length: None, format: None },
            "４２",
            "= ４２",
        ),
    ];
    for (name, constraint, reply, expected) in rows {
        let questions = [Question { constraint: Some(constraint), ..question("q", "", &[]) }];
        assert_eq!(written(&questions, &read(&questions, reply, &bot())), expected, "{name}");
    }
}

#[test]
fn a_label_needs_not_keep_the_constraint() {
    let constraint = Some(Constraint::Integer { minimum: Some(1), maximum: None });
    let questions = [Question { constraint, other: true, ..question("q", "", &["None at all", "Many"]) }];
    for (reply, expected) in [("many", "= Many"), ("7000", "= 7000"), ("a few", "? constraint")] {
        assert_eq!(written(&questions, &read(&questions, reply, &bot())), expected, "{reply}");
    }
}

#[test]
fn counts_are_kept() {
    let rows = [
        ("1", "? ambiguous"),
        ("1, 2", "= Logs + Metrics"),
        ("1-3", "= Logs + Metrics + Traces"),
        ("all", "? too_many"),
        ("1, 1", "? ambiguous"),
    ];
    for (reply, expected) in rows {
        let labels = ["Logs", "Metrics", "Traces", "Profiles"];
        let questions =
            [Question { multi_select: true, min: Some(2), max: Some(3), ..question("q", "", &labels) }];
        assert_eq!(written(&questions, &read(&questions, reply, &bot())), expected, "{reply}");
    }
}

#[test]
fn close_hits_are_suggested_and_never_taken() {
    let rows = [
        ("stagng", false, Some(0)),
        ("prodcution", true, Some(1)),
        ("prod", true, Some(1)),
        ("moon", false, None),
    ];
    for (reply, other, expected) in rows {
        let questions = [Question { other, ..question("q", "", &["Staging", "Production"]) }];
        match read(&questions, reply, &bot()) {
            Reading::Clarify(unclear) => {
                assert_eq!(unclear.suggestion, expected.map(|choice| ("q".into(), choice)), "{reply}");
            }
            reading => panic!("{reply}: {reading:?}"),
        }
    }
}

#[test]
fn commands_start_as_the_platform_says() {
    let questions = [question("q", "", &["Staging", "Production"])];
    let rows = [
        ('/', "/skip", "skip"),
        ('!', "!skip", "skip"),
        ('!', "!2", "= Production"),
        ('/', "!2", "?"),
        ('!', "!status", "ignore"),
    ];
    for (prefix, reply, expected) in rows {
        let bot = Bot { prefix, ..bot() };
        let got = written(&questions, &read(&questions, reply, &bot));
        assert!(got == expected || (expected == "?" && got.starts_with('?')), "{prefix} {reply}: {got}");
    }
}
