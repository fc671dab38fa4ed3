//! Who may answer, as people read it: a table of rights and the line they give.

use askrelay_core::ask::Binding;
use askrelay_core::audience::line;
use askrelay_core::person::{People, Person, Scope};

use crate::asks::{question, record};

fn people(all: &[(&str, &[Scope])]) -> People {
    let person = |(name, scopes): &(&str, &[Scope])| Person {
        id: name.to_lowercase().as_str().into(),
        display_name: (*name).to_owned(),
        scopes: scopes.iter().copied().collect(),
        identities: Default::default(),
    };
    all.iter().map(person).collect()
}

#[test]
fn the_line_names_those_who_pass_the_gate() {
    use Scope::{QuestionsAdmin, QuestionsAnswer, SessionsWrite};
    let answer: &[Scope] = &[QuestionsAnswer];
    let admin: &[Scope] = &[QuestionsAdmin];
    let write: &[Scope] = &[SessionsWrite];
    let five = [("Ann", answer), ("Bo", answer), ("Cy", answer), ("Di", answer), ("Eve", admin)];
    for (name, all, named, secret, want) in [
        ("one", &[("Ann", answer), ("Bo", &[])][..], &[][..], false, "Ann may answer."),
        ("two", &five[..2], &[], false, "Ann or Bo may answer."),
        ("three", &five[..3], &[], false, "Ann, Bo or Cy may answer."),
        ("more", &five[..], &[], false, "Ann, Bo or 3 others may answer."),
        ("only those the ask names", &five[..], &["di"], false, "Di may answer."),
        ("a secret", &five[..], &[], true, "Eve may answer."),
        (
            "writers answer only their own",
            &[("Ann", write), ("Owner", write)],
            &[],
            false,
            "Owner may answer.",
        ),
        ("nobody", &[("Ann", &[])], &[], false, "Nobody known here may answer it."),
        ("a name is data", &[("Ann\u{202E}\n@all", answer)], &[], false, "Ann @all may answer."),
    ] {
        let mut record = record(vec![question("q", "", "Which?", &["A", "B"])]);
        record.ask.questions[0].secret = secret;
        record.ask.answerers = named.iter().map(|name| (*name).into()).collect();
        assert_eq!(line(&record, &people(all), true), want, "{name}");
    }
}

#[test]
fn between_two_it_says_nothing_unless_the_ask_names_its_answerers() {
    let all = people(&[("Ann", &[Scope::QuestionsAnswer])]);
    let mut record = record(vec![question("q", "", "Which?", &["A", "B"])]);
    record.ask.creator.binding = Binding::Attached;
    assert_eq!(line(&record, &all, false), "");
    record.ask.answerers = vec!["ann".into()];
    assert_eq!(line(&record, &all, false), "Ann may answer.");
}
