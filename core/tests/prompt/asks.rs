//! The asks of the goldens, and the builders that other tests share.

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{Ask, Binding, Choice, Constraint, Creator, Origin, Question};
use askrelay_core::id::{PersonId, QuestionId, RecordKey, ResolutionId};
use askrelay_core::prompt::Draft;
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_core::time::{Span, Time};
use askrelay_core::token::Nonce;

/// 30 November 2026, 18:20 UTC.
pub(crate) const NOW: Time = Time(1_796_062_800_000);

/// The nonce of every golden.
pub(crate) fn nonce() -> Nonce {
    Nonce::try_from("00112233445566778899aabbccddeeff".to_owned()).unwrap()
}

/// A Record that waits 45 minutes for these Questions.
pub(crate) fn record(questions: Vec<Question>) -> Record {
    let creator = Creator {
        person: Some(PersonId::from("owner")),
        token: None,
        binding: Binding::Run,
        scopes: Default::default(),
    };
    let origin = Origin { label: Some("release-bot".to_owned()), ..Origin::default() };
    let wait = Span::seconds(45 * 60);
    Record {
        key: RecordKey { gateway: "local".into(), id: "ask_7f3a".into(), created_at: NOW },
        ask: Ask {
            questions,
            wait,
            origin,
            creator,
            answerers: Vec::new(),
            places: Vec::new(),
            needs_surface: false,
            when_unanswered: Default::default(),
            terminal_proof: None,
        },
        expires_at: NOW.after(wait),
        state: State::Pending,
        late: Vec::new(),
        collected: None,
    }
}

/// A Question with Choices; `label=description` describes one.
pub(crate) fn question(id: &str, header: &str, text: &str, choices: &[&str]) -> Question {
    let choices = choices.iter().map(|text| choice(text)).collect();
    Question {
        id: id.into(),
        header: header.to_owned(),
        text: text.to_owned(),
        choices,
        ..Question::default()
    }
}

/// One Choice, described after a `=`.
pub(crate) fn choice(text: &str) -> Choice {
    match text.split_once('=') {
        Some((label, about)) => Choice { description: Some(about.to_owned()), ..Choice::new(label) },
        None => Choice::new(text),
    }
}

/// Values by question.
pub(crate) fn values(entries: &[(&str, &[&str])]) -> std::collections::BTreeMap<QuestionId, Vec<String>> {
    let text = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    entries.iter().map(|(id, values)| (QuestionId::from(*id), text(values))).collect()
}

/// A draft of these values at a step.
pub(crate) fn draft(step: usize, entries: &[(&str, &[&str])]) -> Draft {
    Draft { revision: 3, answers: values(entries), step, ..Draft::default() }
}

/// An answer of Maria's, five minutes after [`NOW`].
pub(crate) fn answered(entries: &[(&str, &[&str])]) -> Answered {
    Answered {
        answers: Answers(values(entries)),
        notes: Default::default(),
        words: None,
        by: Actor::new(Some("maria".into()), Way::Control),
        by_name: Some("Maria".to_owned()),
        at: NOW.after(Span::seconds(300)),
        resolution: ResolutionId::from("r1"),
    }
}

/// One golden: its name, the ask, the draft on it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) record: Record,
    pub(crate) draft: Draft,
}

fn case(name: &'static str, questions: Vec<Question>) -> Case {
    Case { name, record: record(questions), draft: Draft::default() }
}

fn target() -> Question {
    question(
        "target",
        "Target",
        "Where should this release go?",
        &["Staging=safe first", "Production=live traffic"],
    )
}

fn signals() -> Question {
    let all = ["Logs", "Metrics", "Traces", "Profiles", "Events"];
    Question {
        multi_select: true,
        min: Some(2),
        max: Some(3),
        other: true,
        ..question("signals", "Signals", "Which signals should I enable?", &all)
    }
}

fn version() -> Question {
    Question {
        constraint: Some(Constraint::Text { min_length: Some(2), max_length: Some(20), format: None }),
        placeholder: Some("1.4.0-rc1".to_owned()),
        default: vec!["1.4.0".to_owned()],
        ..question("version", "Version", "Which version number?", &[])
    }
}

/// A choice that destroys something.
fn purge() -> Question {
    destroying(question(
        "purge",
        "Backups",
        "What becomes of the old backups?",
        &["Keep", "Delete “all”=for good"],
    ))
}

/// Labels that a button shows only shortened.
fn long_purge() -> Question {
    let start =
        "the backups of the payment service from before the move to the new cluster, and their checksums";
    let labels = [format!("Keep {start}"), format!("Delete {start}")];
    destroying(question("purge", "Backups", "What becomes of them?", &labels.each_ref().map(String::as_str)))
}

/// The last choice destroys something.
fn destroying(mut question: Question) -> Question {
    question.choices.last_mut().unwrap().destructive = true;
    question
}

/// Every ask of the goldens.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = plain();
    cases.extend(long());
    cases.extend(drafts());
    cases.extend(strange());
    cases
}

fn plain() -> Vec<Case> {
    let url = Question { url: Some("https://ci.example.org/runs/4711".to_owned()), ..target() };
    let months = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    vec![
        case("one-choice", vec![question("ready", "", "Tell me when you are back.", &["I am back"])]),
        case("confirm", vec![question("go", "Confirm", "Delete the old backups?", &["Yes", "No"])]),
        case("destructive", vec![purge()]),
        case("destructive-among-several", vec![Question { multi_select: true, ..purge() }]),
        case("destructive-with-long-labels", vec![long_purge()]),
        case("destructive-in-a-stepper", vec![purge(), Question { other: true, ..target() }]),
        case(
            "four-choices-other",
            vec![Question {
                other: true,
                ..question(
                    "env",
                    "Target",
                    "Where should this release go?",
                    &["Staging (Recommended)", "Production", "Canary", "Nowhere"],
                )
            }],
        ),
        case("descriptions-and-link", vec![url]),
        case(
            "carried-numbers",
            vec![question("size", "Replicas", "How many?", &["3 replicas", "1 replica", "Node 20"])],
        ),
        case(
            "twelve-choices",
            vec![question("month", "Month", "Which month should the report cover?", &months)],
        ),
        case("free-text", vec![version()]),
        case("several-choices", vec![signals()]),
    ]
}

fn long() -> Vec<Case> {
    let start = "Deploy the new build to the staging cluster in region";
    let story: Vec<String> =
        (1..=90).map(|n| format!("{n}. Step {n} of the plan moves shard {n} to its new home.\n")).collect();
    let story = story.concat();
    let labels: Vec<String> = ["one", "two", "three", "four"]
        .iter()
        .map(|end| format!("{start} {end} and wait there until the smoke tests are green"))
        .collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let hundred: Vec<String> =
        (1..=100).map(|n| format!("Shard {n:03}-{}", ["amber", "birch", "cedar"][n % 3])).collect();
    let hundred: Vec<&str> = hundred.iter().map(String::as_str).collect();
    vec![
        case("long-labels", vec![question("plan", "Plan", "Which plan?", &labels)]),
        case("hundred-choices", vec![question("shard", "Shard", "Which shard should be drained?", &hundred)]),
        case("long-question", vec![Question { text: story.clone(), ..target() }]),
        case("long-questions", vec![Question { text: story, ..target() }, signals()]),
    ]
}

fn drafts() -> Vec<Case> {
    let three = || vec![target(), signals(), version()];
    let with = |name, draft| Case { name, record: record(three()), draft };
    vec![
        Case {
            draft: draft(0, &[("signals", &["Logs", "Traces", "page me above 90 %"])]),
            ..case("several-choices-taken", vec![signals()])
        },
        with("several-questions-first", Draft::default()),
        with("several-questions-second", draft(1, &[("target", &["Staging"]), ("signals", &["Logs"])])),
        with(
            "several-questions-review",
            draft(3, &[("target", &["Staging"]), ("signals", &["Logs", "Traces"]), ("version", &["1.4.0"])]),
        ),
        with("several-questions-review-open", draft(3, &[("target", &["Staging"])])),
    ]
}

fn strange() -> Vec<Case> {
    let mixed = ["שלום עולם", "مرحبا بالعالم", "测试环境", "👩‍👩‍👧 family", "日本語のラベル", "Ünïcödé"];
    let hostile = [
        "Yes\r\nQUIT :bye\u{0}",
        "\u{202E}gnp.exe\u{202C} <b>@everyone</b>",
        "*bold* [x](http://evil)",
        "\u{200B}\u{200B}",
        "\u{1b}[31mred\u{1b}[0m",
    ];
    let secret = Question {
        secret: true,
        default: vec!["hunter2".to_owned()],
        ..question("key", "Key", "What is the API key?", &[])
    };
    vec![
        case("scripts", vec![question("words", "語", "Which label? 🙂", &mixed)]),
        case(
            "hostile",
            vec![question(
                "trap",
                "\u{7}Trap",
                "Line one\r\nLine two\u{2028}\n\n\n\n\u{2066}Line three",
                &hostile,
            )],
        ),
        case("secret", vec![secret]),
    ]
}

/// An ask that text may not answer.
pub(crate) fn attached() -> Case {
    case("attached", vec![Question { other: true, ..target() }])
}

/// Every way to end.
pub(crate) fn outcomes() -> Vec<Case> {
    let at = NOW.after(Span::seconds(300));
    let link = Question { url: Some("https://ci.example.org/runs/4711".to_owned()), ..target() };
    let end = |name, questions: Vec<Question>, state| Case {
        name,
        record: Record { state, ..record(questions) },
        draft: Draft::default(),
    };
    let cancelled = |why, by_name: Option<&str>| {
        State::Cancelled(Cancelled { at, why, by: None, by_name: by_name.map(str::to_owned) })
    };
    let done = |entries: &[(&str, &[&str])]| State::Answered(Box::new(answered(entries)));
    let mut noted = answered(&[("target", &["Production"])]);
    noted.notes = [("target".into(), "because the tests are green".to_owned())].into();
    let mut late =
        end("ended-expired-late", vec![target()], State::Expired { at: NOW.after(Span::seconds(2700)) });
    late.record.late.push(answered(&[("target", &["Staging"])]));
    let mut unverified = answered(&[("target", &["Staging"])]);
    unverified.by.way = Way::AskingTerminal;
    let secret = Question { secret: true, ..question("key", "Key", "What is the API key?", &[]) };
    let long = Question { text: "word ".repeat(2000), ..target() };
    vec![
        end("ended-answered", vec![link], State::Answered(Box::new(noted))),
        end(
            "ended-answered-several",
            vec![target(), signals(), version()],
            done(&[("target", &["Staging"]), ("signals", &["Logs", "page me"]), ("version", &["1.4.1"])]),
        ),
        end("ended-unverified", vec![target()], State::Answered(Box::new(unverified))),
        end("ended-secret", vec![secret], done(&[("key", &["hunter2"])])),
        end("ended-long", vec![long], done(&[("target", &["Staging"])])),
        end("ended-skipped", vec![target()], cancelled(WhyCancelled::Declined, Some("Jo"))),
        end("ended-withdrawn", vec![target()], cancelled(WhyCancelled::Withdrawn, None)),
        end(
            "ended-not-delivered",
            vec![target()],
            cancelled(WhyCancelled::NotDelivered { detail: "the bot was blocked".to_owned() }, None),
        ),
        late,
        end("ended-unknown", vec![target()], State::Pending),
    ]
}
