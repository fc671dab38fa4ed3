//! How fast replies are read: every row of the corpus, with questions prepared once, prepared per reply, and as JSON Lines in
//! and out. Asserts nothing about speed.

use askrelay_core::ask::Question;
use askrelay_core::reply::{Bot, Reader, Reading, read};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::{Deserialize, Serialize};
use std::hint::black_box;

const CORPUS: &str = include_str!("../tests/reply/corpus.jsonl");

#[derive(Deserialize)]
struct Row<'a> {
    id: &'a str,
    questions: Vec<Question>,
    reply: String,
}

#[derive(Serialize)]
struct Said<'a> {
    id: &'a str,
    outcome: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<&'a askrelay_core::answer::Answers>,
}

/// One line in, one line out.
fn line(text: &str, bot: &Bot, out: &mut Vec<u8>) {
    let Ok(row) = serde_json::from_str::<Row<'_>>(text) else { return };
    let reading = read(&row.questions, &row.reply, bot);
    let (outcome, answers) = match &reading {
        Reading::Answer { answers, .. } => ("answer", Some(answers)),
        Reading::Clarify(_) => ("clarify", None),
        Reading::Skip => ("skip", None),
        Reading::NotAnAnswer => ("ignore", None),
    };
    let said = Said { id: row.id, outcome, answers };
    if serde_json::to_writer(&mut *out, &said).is_ok() {
        out.push(b'\n');
    }
}

fn replies(criterion: &mut Criterion) {
    let rows: Vec<Row<'_>> = CORPUS.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let readers: Vec<(Reader<'_>, &str)> =
        rows.iter().map(|row| (Reader::new(&row.questions), row.reply.as_str())).collect();
    let bot = Bot { handle: Some("askbot".to_owned()), id: Some("U123".to_owned()), ..Bot::default() };
    let mut group = criterion.benchmark_group("reply");
    group.throughput(Throughput::Elements(rows.len() as u64));
    group.bench_function("prepared_once", |bencher| {
        bencher.iter(|| readers.iter().for_each(|(reader, reply)| drop(black_box(reader.read(reply, &bot)))));
    });
    group.bench_function("prepared_each", |bencher| {
        bencher.iter(|| rows.iter().for_each(|row| drop(black_box(read(&row.questions, &row.reply, &bot)))));
    });
    let mut out = Vec::new();
    group.bench_function("json_lines", |bencher| {
        bencher.iter(|| {
            out.clear();
            CORPUS.lines().for_each(|text| line(text, &bot, &mut out));
            black_box(out.len())
        });
    });
    group.finish();
}

criterion_group!(benches, replies);
criterion_main!(benches);
