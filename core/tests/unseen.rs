//! What nobody can see makes no difference: labels and own words are compared and counted as they look. Reads no replies.

use askrelay_core::answer::{AnswerFault, Answers, canonical};
use askrelay_core::ask::{
    Ask, Binding, Choice, Constraint, Contract, Creator, Origin, Question, WhenUnanswered,
};
use askrelay_core::person::Scopes;
use askrelay_core::time::Span;

fn question(text: &str, labels: &[&str]) -> Question {
    let choices = labels.iter().map(|label| Choice::new(*label));
    Question { id: "q".into(), text: text.to_owned(), choices: choices.collect(), ..Question::default() }
}

fn ask(question: Question) -> Ask {
    Ask {
        questions: vec![question],
        wait: Span::seconds(60),
        origin: Origin::default(),
        creator: Creator { person: None, token: None, binding: Binding::None, scopes: Scopes::default() },
        answerers: Vec::new(),
        places: Vec::new(),
        needs_surface: false,
        when_unanswered: WhenUnanswered::default(),
        terminal_proof: None,
    }
}

#[test]
fn labels_and_questions_are_checked_as_they_look() {
    let rows: [(&str, &str, &[&str], &[&str]); 9] = [
        ("different", "Where?", &["Staging", "Production"], &[]),
        ("zero width", "Where?", &["Staging", "Staging\u{200b}"], &["/questions/0/options/1/label"]),
        ("bidi", "Where?", &["Staging", "\u{202e}Staging"], &["/questions/0/options/1/label"]),
        ("control", "Where?", &["Staging", "Staging\u{0}"], &["/questions/0/options/1/label"]),
        ("coded accents", "Where?", &["Caf\u{e9}", "Cafe\u{301}"], &["/questions/0/options/1/label"]),
        ("other accents", "Where?", &["Café", "Cafe"], &[]),
        ("blank label", "Where?", &["Staging", "\u{200b}\u{2060}"], &["/questions/0/options/1/label"]),
        ("selector label", "Where?", &["Staging", "\u{fe0f}"], &["/questions/0/options/1/label"]),
        ("blank question", " \u{feff}\u{0}", &["Staging", "Production"], &["/questions/0/question"]),
    ];
    for (name, text, labels, expected) in rows {
        let faults = ask(question(text, labels)).faults(&Contract::WIDE);
        let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
        assert_eq!(paths, expected, "{name}");
    }
}

#[test]
fn own_words_count_as_they_look() {
    let least = Constraint::Text { min_length: Some(3), max_length: Some(4), format: None };
    let free = Question { constraint: Some(least), ..question("Why?", &[]) };
    let other = Question { other: true, ..question("Where?", &["Caf\u{e9}", "Bar"]) };
    let blank = || Err(AnswerFault::Blank("q".into()));
    let short =
        || Err(AnswerFault::Constraint { question: "q".into(), what: "at least 3 characters".to_owned() });
    let rows = [
        ("invisible only", &free, "\u{200b}\u{200b}\u{200b}", blank()),
        ("controls only", &free, "\u{0}\u{1}\u{2}", blank()),
        ("padded with the invisible", &free, "ab\u{200b}\u{200b}", short()),
        ("invisible inside", &free, "a\u{200b}\u{2060}b", short()),
        ("long enough", &free, "\u{200b}abc", Ok("abc")),
        ("invisible beside choices", &other, "\u{2060}", blank()),
        ("a label with an unseen end", &other, "Bar\u{200b}", Ok("Bar")),
        ("a label with other accents coded", &other, "Cafe\u{301}", Ok("Caf\u{e9}")),
        ("own words", &other, " Pub \u{feff}", Ok("Pub")),
    ];
    for (name, question, value, expected) in rows {
        let values = Answers([("q".into(), vec![value.to_owned()])].into());
        let got = canonical(std::slice::from_ref(question), &values);
        let expected = expected.map(|value| Answers([("q".into(), vec![value.to_owned()])].into()));
        assert_eq!(got, expected, "{name}");
    }
}
