//! Goldens: every ask on every surface, one snapshot per ask.

use std::fmt::Write as _;

use askrelay_core::limits::Limits;
use askrelay_core::prompt::{View, ended, open};

use crate::asks::{self, Case, NOW, nonce};
use crate::render::render;
use crate::surfaces;

fn view<'a>(case: &'a Case, limits: &'a Limits) -> View<'a> {
    View {
        record: &case.record,
        limits,
        draft: &case.draft,
        audience: "Maria or Jo may answer.",
        nonce: nonce(),
        now: NOW,
        zone_minutes: 0,
        typed: true,
        panel: None,
        forgotten: false,
        alone: false,
    }
}

fn check(case: &Case, on: &[(&str, Limits)], show: impl Fn(&View<'_>) -> askrelay_core::prompt::Prompt) {
    let mut all = String::new();
    for (name, limits) in on {
        let _ = writeln!(all, "=== {name}\n{}", render(&show(&view(case, limits)), limits));
    }
    insta::assert_snapshot!(case.name, all);
}

#[test]
fn every_ask_on_every_surface() {
    for case in asks::all() {
        check(&case, &surfaces::all(), open);
    }
}

#[test]
fn every_outcome_where_it_is_edited_and_where_it_is_said() {
    let on = [("telegram-like", surfaces::telegram()), ("sms-like", surfaces::sms())];
    for case in asks::outcomes() {
        check(&case, &on, ended);
    }
}

#[test]
fn where_typing_answers_nothing_nobody_is_invited_to_type() {
    let on = surfaces::all();
    let case = asks::attached();
    check(&case, &on, |view| open(&View { typed: false, ..*view }));
}

#[test]
fn what_stands_alone_keeps_its_controls_and_points_to_nothing_above() {
    let mut pointed = 0;
    for case in asks::all() {
        for (name, limits) in surfaces::all() {
            let view = view(&case, &limits);
            let (first, alone) = (open(&view), open(&View { alone: true, ..view }));
            let [first_text, text] = [&first, &alone].map(|prompt| render(prompt, &limits));
            pointed += usize::from(first_text.contains("is above"));
            assert!(!text.contains("is above"), "{} on {name}: {text}", case.name);
            assert_eq!(alone.controls, first.controls, "{} on {name}", case.name);
            assert!(
                alone.controls.is_empty() || alone.messages.len() == 1,
                "{} on {name}: {text}",
                case.name
            );
        }
    }
    assert!(pointed > 0, "some Prompts point above where they may");
}
