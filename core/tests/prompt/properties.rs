//! Properties of every Prompt: any ask, any limits. Checks what a person or a platform would notice, not how it came about.

use askrelay_core::ask::{Choice, Constraint, Question};
use askrelay_core::limits::{ControlLimits, FormLimits, InputLimits, Limits, MenuLimits, Unit};
use askrelay_core::prompt::{Control, Draft, Prompt, View, choices_shown, ended, open};
use askrelay_core::record::{Record, State};
use askrelay_core::token::{Press, TOKEN_BYTES_MAX, Token};
use proptest::prelude::*;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use crate::asks::{NOW, answered, nonce, record};
use crate::render::{all_words, words};

/// Words in many scripts, with everything that hurts.
fn text(most: usize) -> impl Strategy<Value = String> {
    let part = prop_oneof![
        6 => "[a-zA-Z0-9 .,-]{1,12}",
        1 => Just("测试环境部署".to_owned()),
        1 => Just("👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇩🇪".to_owned()),
        1 => Just("e\u{301}\u{302}\u{303}".to_owned()),
        1 => Just("שלום \u{202E}عالم\u{2066}".to_owned()),
        1 => Just("\r\n\n\u{2028}\u{7}\u{1b}[0m\u{200b}\t".to_owned()),
        1 => Just("a".to_owned() + &"\u{301}".repeat(40)),
        1 => Just("क्ष\u{200d}न🙂\u{fe0f}".to_owned()),
        1 => any::<String>().prop_map(|text| text.chars().take(6).collect()),
    ];
    prop::collection::vec(part, 0..=most).prop_map(|parts| parts.concat())
}

fn label() -> impl Strategy<Value = String> {
    prop_oneof![8 => text(4), 1 => text(60), 1 => text(2).prop_map(|end| "same start ".repeat(8) + &end)]
        .prop_filter("not blank", |text| !text.trim().is_empty())
}

prop_compose! {
    fn any_question()(
        header in text(3), body in text(30), labels in prop::collection::vec(label(), 0..24),
        about in prop::collection::vec(prop::option::of(text(8)), 24), multi in any::<bool>(), other in any::<bool>(),
        url in prop::option::of(prop_oneof![Just("https://example.org/a".to_owned()),
            Just(format!("https://example.org/{}", "x".repeat(700))), text(3)]),
        hint in prop::option::of(text(3)), limited in any::<bool>(), offered in any::<bool>(),
        destructive in 0_usize..24,
    ) -> Question {
        let mut seen = std::collections::HashSet::new();
        let choices: Vec<Choice> = labels.into_iter().filter(|label| seen.insert(label.trim().to_owned()))
            .zip(about).enumerate()
            .map(|(index, (label, description))| Choice { label, description, destructive: index == destructive }).collect();
        let default = choices.iter().take(usize::from(offered)).map(|choice| choice.label.clone()).collect();
        let constraint = (limited && (other || choices.is_empty()))
            .then_some(Constraint::Integer { minimum: Some(1), maximum: None });
        Question {
            id: "q".into(), header, text: body, url, min: multi.then_some(1), max: None, multi_select: multi, other,
            placeholder: hint, default, constraint, choices, secret: false,
        }
    }
}

prop_compose! {
    fn any_controls()(
        buttons in 0_usize..40, row in 1_usize..8, rows in 1_usize..20, label in 10_usize..80,
        menu in prop::option::of((1_usize..100, 10_usize..80, 0_usize..80, any::<bool>())),
        link in prop::option::of(20_usize..2048), choices in 1_usize..30, held in any::<bool>(),
        form in prop::option::of((1_usize..30, 20_usize..80, any::<bool>())),
    ) -> ControlLimits {
        let menu = menu.map(|(entries, label, description, several)| MenuLimits { entries, label, description, several, held });
        let form = form.map(|(fields, label, menus)| FormLimits { fields, label, menus });
        ControlLimits {
            buttons,
            row,
            rows,
            label,
            choices,
            menu,
            form,
            link,
            input: InputLimits::NextText,
        }
    }
}

prop_compose! {
    fn any_limits()(
        unit in prop::sample::select(vec![Unit::CodePoints, Unit::Utf16, Unit::Bytes, Unit::Graphemes, Unit::Columns]),
        message in 100_usize..4000, messages in 1_usize..6, line in prop::option::of(80_usize..500),
        controls in prop::option::of(any_controls()), edits in any::<bool>(), shared in any::<bool>(), hears_all in any::<bool>(),
    ) -> Limits {
        Limits { unit, message, messages, line, controls, edits, private_notes: false, command_prefix: '/', shared, hears_all }
    }
}

/// A pending Record of one to three Questions and a draft that may hold their first choices.
fn any_record() -> impl Strategy<Value = (Record, Draft)> {
    (prop::collection::vec(any_question(), 1..4), 0_usize..5, 0_usize..4, any::<bool>()).prop_map(
        |(mut questions, step, page, taken)| {
            for (index, question) in questions.iter_mut().enumerate() {
                question.id = format!("q{index}").into();
            }
            let first = |question: &Question| {
                question.choices.iter().take(1).map(|choice| choice.label.clone()).collect()
            };
            let answers =
                questions.iter().filter(|_| taken).map(|question| (question.id.clone(), first(question)));
            let draft =
                Draft { revision: u32::MAX, answers: answers.collect(), step, page, ..Draft::default() };
            (record(questions), draft)
        },
    )
}

fn view<'a>(record: &'a Record, draft: &'a Draft, limits: &'a Limits) -> View<'a> {
    View {
        record,
        limits,
        draft,
        audience: "Maria may answer.",
        nonce: nonce(),
        now: NOW,
        zone_minutes: 0,
        typed: true,
        panel: None,
        forgotten: false,
        alone: false,
    }
}

fn check_sizes(prompt: &Prompt, limits: &Limits) -> Result<(), TestCaseError> {
    prop_assert!(
        (1..=limits.messages).contains(&prompt.messages.len()),
        "{} messages",
        prompt.messages.len()
    );
    for body in &prompt.messages {
        let text = words(body);
        let size = limits.unit.measure(&text);
        prop_assert!(size <= limits.message, "{size} of {} units: {text:?}", limits.message);
        prop_assert!(!text.trim().is_empty());
        if let Some(most) = limits.line {
            for line in text.split('\n') {
                prop_assert!(limits.unit.measure(line) <= most, "a long line: {line:?}");
            }
        }
    }
    Ok(())
}

fn check_harmless(text: &str) -> Result<(), TestCaseError> {
    for c in text.chars() {
        let joins = matches!(c, '\n' | '\u{200C}' | '\u{200D}' | '\u{E0020}'..='\u{E007F}');
        let bad = matches!(c.general_category(), GeneralCategory::Control | GeneralCategory::Format);
        prop_assert!(joins || !bad, "{c:?} in {text:?}");
    }
    Ok(())
}

fn check_controls(prompt: &Prompt, limits: &Limits) -> Result<(), TestCaseError> {
    let Some(most) = &limits.controls else {
        prop_assert!(prompt.controls.is_empty());
        return Ok(());
    };
    let measure = |text: &str| limits.unit.measure(text);
    prop_assert!(prompt.controls.len() <= most.rows, "{} rows", prompt.controls.len());
    let mut buttons = 0;
    let mut seen = std::collections::HashSet::new();
    for row in &prompt.controls {
        prop_assert!(!row.is_empty() && row.len() <= most.row, "{} in a row", row.len());
        for control in row {
            let (label, token) = match control {
                Control::Button { label, token, .. } => (label, Some(token)),
                Control::Link { label, url } => {
                    prop_assert!(measure(url) <= most.link.unwrap_or_default());
                    (label, None)
                }
                Control::Input { label, token, .. } => {
                    let form = most.form.as_ref().expect("an input only where there are forms");
                    prop_assert!(row.len() == 1 && !label.is_empty() && measure(label) <= form.label);
                    prop_assert!(Token::parse(token).is_some());
                    continue;
                }
                Control::Menu { label, placeholder, token, entries, min, max } => {
                    if let Some(label) = label {
                        let form = most.form.as_ref().expect("a labelled menu only in forms");
                        prop_assert!(!label.is_empty() && measure(label) <= form.label);
                    }
                    let menu = most.menu.as_ref().expect("a menu only where there are menus");
                    prop_assert!(row.len() == 1 && (1..=menu.entries).contains(&entries.len()));
                    prop_assert!(min <= max && *max <= entries.len() && (*max == 1 || menu.several));
                    for entry in entries {
                        prop_assert!(!entry.label.is_empty() && measure(&entry.label) <= menu.label);
                        check_harmless(&entry.label)?;
                        let about = entry.description.as_deref().unwrap_or_default();
                        prop_assert!(measure(about) <= menu.description);
                    }
                    prop_assert!(measure(placeholder) <= menu.label);
                    prop_assert!(Token::parse(token).is_some());
                    continue;
                }
            };
            buttons += 1;
            prop_assert!(!label.is_empty() && measure(label) <= most.label, "{label:?}");
            check_harmless(label)?;
            if let Some(token) = token {
                prop_assert!(token.len() <= TOKEN_BYTES_MAX && Token::parse(token).is_some(), "{token}");
                prop_assert!(seen.insert(token.clone()), "two buttons with one token");
            }
        }
    }
    prop_assert!(buttons <= most.buttons, "{buttons} buttons");
    Ok(())
}

/// The choices that the controls of a Prompt take, with whether taking puts them on.
fn pressed(prompt: &Prompt) -> Vec<(usize, bool)> {
    let mut all = Vec::new();
    for control in prompt.controls.iter().flatten() {
        match control {
            Control::Button { token, .. } => match Token::parse(token).map(|token| token.press) {
                Some(Press::Choose { choice, .. }) => all.push((choice.into(), true)),
                Some(Press::Toggle { choice, on, .. }) => all.push((choice.into(), on)),
                _ => {}
            },
            Control::Menu { entries, .. } => {
                all.extend(entries.iter().map(|entry| (entry.value.parse().unwrap(), !entry.taken)));
            }
            Control::Link { .. } | Control::Input { .. } => {}
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_prompt_is_harmless_and_within_its_limits((record, draft) in any_record(), limits in any_limits()) {
        let prompt = open(&view(&record, &draft, &limits));
        check_sizes(&prompt, &limits)?;
        check_harmless(&all_words(&prompt))?;
        check_controls(&prompt, &limits)?;
    }

    #[test]
    fn every_ended_prompt_keeps_within_its_limits_and_has_no_controls_but_links(
        (mut record, draft) in any_record(), limits in any_limits(), own in text(60),
    ) {
        let mut end = answered(&[]);
        let given = |question: &Question| question.choices.first().map_or(own.clone(), |choice| choice.label.clone());
        end.answers.0 = record.ask.questions.iter().map(|question| (question.id.clone(), vec![given(question)])).collect();
        end.notes = record.ask.questions.iter().map(|question| (question.id.clone(), own.clone())).collect();
        record.state = State::Answered(Box::new(end));
        let prompt = ended(&view(&record, &draft, &limits));
        check_sizes(&prompt, &limits)?;
        check_harmless(&all_words(&prompt))?;
        check_controls(&prompt, &limits)?;
        let only_links = prompt.controls.iter().flatten().all(|control| matches!(control, Control::Link { .. }));
        prop_assert!(only_links);
        prop_assert_eq!(prompt.messages.len(), 1);
    }

    /// On every page together the controls take every choice once; each page's text names what its controls take.
    #[test]
    fn controls_lose_no_choice(question in any_question(), limits in any_limits()) {
        let count = question.choices.len();
        let record = record(vec![question]);
        let first = open(&view(&record, &Draft::default(), &limits));
        if first.controls.is_empty() {
            return Ok(());
        }
        let mut all = Vec::new();
        for page in 0..count {
            let draft = Draft { page, ..Draft::default() };
            let view = view(&record, &draft, &limits);
            let prompt = open(&view);
            check_sizes(&prompt, &limits)?;
            let now: Vec<usize> = pressed(&prompt).into_iter().map(|(choice, _)| choice).collect();
            prop_assert_eq!(&now, &choices_shown(&view)[0].clone().collect::<Vec<_>>());
            let text = format!("\n{}", all_words(&prompt));
            for choice in &now {
                let markers = [format!("\n{}. ", choice + 1), format!("\n#{} ", choice + 1)];
                prop_assert!(markers.iter().any(|marker| text.contains(marker)), "{choice} is not in {text:?}");
            }
            let more = prompt.controls.iter().flatten().any(|control| matches!(control, Control::Button { token, .. }
                if matches!(Token::parse(token).unwrap().press, Press::Page { page: to, .. } if usize::from(to) > page)));
            all.extend(now);
            if !more {
                break;
            }
        }
        prop_assert_eq!(all, (0..count).collect::<Vec<_>>());
    }

    /// Pressing what is on takes it off and the other way round, and nothing else is offered.
    #[test]
    fn toggles_are_absolute(question in any_question(), limits in any_limits(), taken in any::<u32>()) {
        let question = Question { multi_select: true, ..question };
        let on = |index: usize| taken.checked_shr(index as u32).unwrap_or_default() & 1 == 1;
        let labels = question.choices.iter().enumerate().filter(|(index, _)| on(*index));
        let values = labels.map(|(_, choice)| choice.label.clone()).collect();
        let draft = Draft { answers: [(question.id.clone(), values)].into(), ..Draft::default() };
        let record = record(vec![question]);
        for (choice, puts_on) in pressed(&open(&view(&record, &draft, &limits))) {
            prop_assert_eq!(puts_on, !on(choice));
        }
    }

    /// Text shows every label whole, or shortened, said so and different from the others; or says that nothing fits.
    #[test]
    fn text_loses_no_choice_silently(
        labels in prop::collection::btree_set("[a-z]{1,4}[a-z ]{0,80}[a-z]", 1..30), about in "[a-z]{0,300}",
        limits in any_limits(),
    ) {
        let limits = Limits { controls: None, line: None, ..limits };
        let labels: Vec<String> = labels.into_iter().map(|label| format!("{}{label}", "shared start ".repeat(label.len() % 3))).collect();
        let choices = labels.iter().map(|label| Choice { description: Some(about.clone()), ..Choice::new(label) }).collect();
        let record = record(vec![Question { id: "q".into(), text: "Which one?".to_owned(), choices, ..Question::default() }]);
        let text = all_words(&open(&view(&record, &Draft::default(), &limits)));
        if text.contains("not fit here") {
            prop_assert!(!text.contains("1. ") && text.contains("askrelay show"));
            return Ok(());
        }
        let lines: Vec<&str> = (1..=labels.len())
            .map(|n| text.split('\n').find_map(|line| line.strip_prefix(&format!("{n}. "))).expect("a line for every choice"))
            .map(|line| line.split(" – ").next().unwrap_or_default())
            .collect();
        let whole = labels.iter().zip(&lines).all(|(label, line)| line.starts_with(label.as_str()));
        let different = lines.iter().collect::<std::collections::HashSet<_>>().len() == lines.len();
        prop_assert!(different, "{text}");
        prop_assert!(whole || text.contains("Shortened to fit here"), "{text}");
    }

    /// Whatever was chosen and whichever step is shown, a Prompt stays what it was: controls or text.
    #[test]
    fn no_draft_changes_between_controls_and_text((record, _) in any_record(), limits in any_limits(), own in text(20)) {
        let first = open(&view(&record, &Draft::default(), &limits));
        let questions = &record.ask.questions;
        let labels = |question: &Question| question.choices.iter().map(|choice| choice.label.clone()).chain([own.clone()]).collect();
        let answers: std::collections::BTreeMap<_, Vec<String>> =
            questions.iter().map(|question| (question.id.clone(), labels(question))).collect();
        for step in 0..=questions.len() {
            for page in 0..2 {
                let draft = Draft { step, page, answers: answers.clone(), ..Draft::default() };
                let prompt = open(&view(&record, &draft, &limits));
                prop_assert_eq!(prompt.controls.is_empty(), first.controls.is_empty());
                check_sizes(&prompt, &limits)?;
                check_controls(&prompt, &limits)?;
            }
        }
    }
}
