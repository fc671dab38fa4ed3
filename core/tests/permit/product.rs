//! Every binding by every set of rights by every relation by every way of answering, against rules that a person wrote.

use std::collections::BTreeSet;

use askrelay_core::ask::Binding;
use askrelay_core::person::{Scope, Scopes};

use crate::scene::{Relation, Scene, Try};

const BINDINGS: [(&str, Binding); 3] =
    [("run", Binding::Run), ("attached", Binding::Attached), ("none", Binding::None)];

const HELD: [(&str, Scope); 2] = [("less", Scope::QuestionsAnswer), ("more", Scope::QuestionsAdmin)];

const RIGHTS: [(&str, Scope); 3] =
    [("answer", Scope::QuestionsAnswer), ("write", Scope::SessionsWrite), ("admin", Scope::QuestionsAdmin)];

const RELATIONS: [(&str, Relation); 9] = [
    ("creator", Relation::Creator),
    ("operator", Relation::Operator),
    ("guest", Relation::Guest),
    ("stranger", Relation::Stranger),
    ("member", Relation::Member),
    ("promoted", Relation::Promoted),
    ("bot", Relation::Bot),
    ("anonymous", Relation::Anonymous),
    ("channel", Relation::Channel),
];

const WAYS: [(&str, Try); 6] = [
    ("control", Try::Control),
    ("form", Try::Form),
    ("text", Try::Text),
    ("call", Try::Call),
    ("terminal", Try::Terminal),
    ("elicitation", Try::Elicitation),
];

/// One row of `rules.txt`.
struct Rule<'a> {
    name: &'a str,
    binding: &'a str,
    held: &'a str,
    rights: &'a str,
    relation: &'a str,
    way: &'a str,
    verdict: &'a str,
}

fn rules() -> Vec<Rule<'static>> {
    let lines = include_str!("rules.txt").lines();
    lines
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let columns: Vec<&str> = line.split('|').map(str::trim).collect();
            let [name, binding, held, rights, relation, way, verdict] = columns[..] else {
                panic!("a rule has seven columns: {line}")
            };
            Rule { name, binding, held, rights, relation, way, verdict }
        })
        .collect()
}

/// Whether one of the words is meant.
fn names(column: &str, word: &str) -> bool {
    column == "*" || column.split_whitespace().any(|named| named == word)
}

/// Whether the rights have what `+right` wants and lack what `-right` excludes.
fn fits(column: &str, rights: &Scopes) -> bool {
    column == "*"
        || column.split_whitespace().all(|wanted| {
            let (sign, name) = wanted.split_at(1);
            let (_, scope) = RIGHTS.iter().find(|(right, _)| *right == name).unwrap();
            rights.contains(scope) == (sign == "+")
        })
}

fn subsets() -> impl Iterator<Item = Scopes> {
    (0..1_u32 << RIGHTS.len()).map(|bits| {
        let chosen = RIGHTS.iter().enumerate().filter(|(index, _)| bits >> index & 1 == 1);
        chosen.map(|(_, (_, scope))| *scope).collect()
    })
}

#[test]
fn everybody_answers_what_the_rules_say_and_nothing_else() {
    let rules = rules();
    let mut used = BTreeSet::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (binding_name, binding) in BINDINGS {
        for (held_name, held) in HELD {
            for rights in subsets() {
                for (relation_name, relation) in RELATIONS {
                    for (way_name, by) in WAYS {
                        count += 1;
                        let rule = rules.iter().position(|rule| {
                            names(rule.binding, binding_name)
                                && names(rule.held, held_name)
                                && fits(rule.rights, &rights)
                                && names(rule.relation, relation_name)
                                && names(rule.way, way_name)
                        });
                        let scene =
                            Scene { binding, held: [held].into(), rights: rights.clone(), relation, by };
                        let Some(index) = rule else { panic!("no rule for {scene:?}") };
                        used.insert(index);
                        let verdict = scene.verdict();
                        if verdict != rules[index].verdict {
                            let Rule { name, verdict: expected, .. } = rules[index];
                            wrong.push(format!("{name}: expected {expected}, got {verdict}: {scene:?}"));
                        }
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} are wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
    let idle: Vec<&str> = rules
        .iter()
        .enumerate()
        .filter(|(index, _)| !used.contains(index))
        .map(|(_, rule)| rule.name)
        .collect();
    assert!(idle.is_empty(), "rules that decide nothing: {idle:?}");
    assert_eq!(count, 3 * 2 * 8 * 9 * 6);
}
