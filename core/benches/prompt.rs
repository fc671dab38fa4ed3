//! How long it takes to build what one Place shows: with native controls and as text, for one question and for several, open and
//! ended. Asserts nothing about speed.

#![allow(missing_docs, reason = "criterion's macro makes a public function without any")]

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{Ask, Binding, Choice, Creator, Origin, Question, WhenUnanswered};
use askrelay_core::id::{Fresh, RecordKey};
use askrelay_core::limits::{ControlLimits, InputLimits, Limits, Unit};
use askrelay_core::prompt::{Draft, View, ended, open};
use askrelay_core::record::{Record, State};
use askrelay_core::time::{Span, Time};
use askrelay_core::token::Nonce;

const NOW: Time = Time(1_796_040_000_000);

/// The same bytes each time: what is measured is the same each time.
struct Sevens;

impl Fresh for Sevens {
    fn bytes(&mut self) -> [u8; 16] {
        [7; 16]
    }
}

fn limits(controls: Option<ControlLimits>) -> Limits {
    Limits {
        unit: Unit::CodePoints,
        message: 4000,
        messages: 3,
        line: None,
        controls,
        edits: true,
        private_notes: false,
        command_prefix: '/',
        shared: true,
        hears_all: true,
    }
}

fn buttons() -> Limits {
    limits(Some(ControlLimits {
        buttons: 20,
        row: 5,
        rows: 8,
        label: 40,
        choices: 10,
        form: None,
        menu: None,
        input: InputLimits::ForcedReply { placeholder: 64 },
        link: None,
    }))
}

fn question(number: usize, choices: usize) -> Question {
    let choice = |index: usize| Choice {
        label: format!("Region {index} of the far south-east"),
        description: Some("Needs a window of two hours, and somebody who watches".to_owned()),
        ..Choice::default()
    };
    Question {
        id: format!("q{number}").into(),
        text: "Where should this release go, now that the first one has been there for a day?".to_owned(),
        choices: (1..=choices).map(choice).collect(),
        other: true,
        ..Question::default()
    }
}

fn record(questions: Vec<Question>) -> Record {
    let ask = Ask {
        questions,
        wait: Span::seconds(900),
        origin: Origin::default(),
        creator: Creator {
            person: Some("ana".into()),
            token: None,
            binding: Binding::Run,
            scopes: [].into(),
        },
        answerers: Vec::new(),
        places: Vec::new(),
        needs_surface: false,
        when_unanswered: WhenUnanswered::Fail,
        terminal_proof: None,
    };
    let key = RecordKey { gateway: "local".into(), id: "ask-1".into(), created_at: NOW };
    Record {
        key,
        ask,
        expires_at: NOW.after(Span::seconds(900)),
        state: State::Pending,
        late: Vec::new(),
        collected: None,
    }
}

fn answered(mut record: Record) -> Record {
    let values = |question: &Question| {
        let first = question.choices.first().map(|choice| choice.label.clone());
        (question.id.clone(), first.into_iter().collect())
    };
    let answers = Answers(record.ask.questions.iter().map(values).collect());
    let by = Actor::new(Some("ana".into()), Way::Control);
    record.state = State::Answered(Box::new(Answered {
        answers,
        notes: [].into(),
        words: None,
        by,
        by_name: Some("Ana".to_owned()),
        at: NOW,
        resolution: "r".into(),
    }));
    record
}

fn prompts(criterion: &mut Criterion) {
    let asks = [
        ("one question of three", record(vec![question(1, 3)])),
        ("one question of a hundred", record(vec![question(1, 100)])),
        ("four questions of six", record((1..=4).map(|number| question(number, 6)).collect())),
    ];
    let draft = Draft::default();
    for (surface, limits) in [("buttons", buttons()), ("text", limits(None))] {
        let mut group = criterion.benchmark_group(format!("prompt, {surface}"));
        for (name, record) in &asks {
            let view = |record| View {
                record,
                limits: &limits,
                draft: &draft,
                audience: "Ana may answer.",
                nonce: Nonce::fresh(&mut Sevens),
                now: NOW,
                zone_minutes: 0,
                typed: true,
                panel: None,
                forgotten: false,
                alone: false,
            };
            group.bench_function(format!("{name}, open"), |bencher| {
                bencher.iter(|| black_box(open(&view(record))));
            });
            let record = answered(record.clone());
            group.bench_function(format!("{name}, answered"), |bencher| {
                bencher.iter(|| black_box(ended(&view(&record))));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, prompts);
criterion_main!(benches);
