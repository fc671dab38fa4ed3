use askrelay_core::ask::{Choice, Question};
use askrelay_core::reply::{Bot, Reader};
use std::time::Instant;
fn main() {
    let label = |label: String| Choice { label, description: None };
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
    for (name, choices) in [("long", long), ("short", short)] {
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
                eprintln!("{:?}", text.chars().take(6).collect::<String>());
                let t = Instant::now();
                let _ = single.read(text, &Bot::default());
                let a = t.elapsed();
                let t = Instant::now();
                let _ = several.read(text, &Bot::default());
                let b = t.elapsed();
                if a.as_millis() > 15 || b.as_millis() > 15 {
                    println!(
                        "{name} {multi_select} {:?} single {a:?} several {b:?}",
                        &text.chars().take(6).collect::<String>()
                    );
                }
            }
        }
    }
}
