//! Whatever an agent asks and whatever people answer, nothing is sent that the platform refuses; the stand-in judges it.

use std::collections::BTreeMap;

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{Constraint, Contract};
use askrelay_core::id::{QuestionId, ResolutionId};
use askrelay_core::record::{Cancelled, WhyCancelled};
use askrelay_kit::discord::refuses;
use proptest::prelude::*;

use super::*;

/// What means something to the platform, what it does not count as we might, and what is not seen.
const PIECES: [&str; 40] = [
    "*",
    "_",
    "~",
    "`",
    "|",
    "<",
    ">",
    "[",
    "]",
    "(",
    ")",
    "@everyone",
    "<@1>",
    "\\",
    "# ",
    "-# ",
    "- ",
    "1. ",
    "://",
    "https://a.example/x",
    "🙂",
    "👩‍👩‍👧‍👦",
    "e\u{302}\u{301}",
    "日本",
    "أي",
    "\u{202E}",
    "\u{200B}",
    "\u{200D}",
    "\u{3164}",
    "\u{0}",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\u{A0}",
    "\u{3000}",
    "\u{2028}",
    "word",
    "x",
    "🇩🇪",
];

/// A text of such pieces, sometimes far longer than anything fits.
fn text() -> impl Strategy<Value = String> {
    let few = prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..8);
    (few, prop_oneof![6 => Just(1_usize), 2 => 10..40_usize, 1 => 100..3000_usize])
        .prop_map(|(pieces, times)| pieces.concat().repeat(times).chars().take(6000).collect())
}

fn url() -> impl Strategy<Value = Option<String>> {
    let hosts = [
        "https://ci.example.org",
        "http://localhost:3000",
        "https://[::1]",
        "http://bücher.example",
        "https://intern",
    ];
    let tail = prop::sample::select(vec!["x", "ü", "日", "🙂", "\"", "%", ")", "<", "`"]);
    let some = (prop::sample::select(hosts.to_vec()), tail, 0_usize..700)
        .prop_map(|(host, tail, times)| format!("{host}/{}", tail.repeat(times)));
    prop::option::of(some)
}

prop_compose! {
    fn any_question()(
        header in text(), body in text(), labels in prop::collection::vec(text(), 0..30), about in prop::collection::vec(prop::option::of(text()), 30),
        multi in any::<bool>(), other in any::<bool>(), url in url(), hint in prop::option::of(text()), offered in any::<bool>(),
        destructive in 0_usize..24, secret in prop::bool::weighted(0.05), whole in any::<bool>(),
    ) -> Question {
        let mut seen = std::collections::BTreeSet::new();
        let choices: Vec<Choice> = labels.into_iter().filter(|label| seen.insert(label.trim().to_owned())).zip(about).enumerate()
            .map(|(index, (label, description))| Choice { description, destructive: index == destructive, ..Choice::new(label) }).collect();
        let default = choices.iter().take(usize::from(offered)).map(|choice| choice.label.clone()).collect();
        let constraint = (whole && choices.is_empty()).then_some(Constraint::Integer { minimum: Some(1), maximum: None });
        Question {
            id: "q".into(), header, text: body, url, min: None, max: None, multi_select: multi, other, placeholder: hint, default,
            constraint, choices, secret,
        }
    }
}

/// A Record that our gateway takes, and a draft on it.
fn any_record() -> impl Strategy<Value = (Record, Draft)> {
    let questions = prop::collection::vec(any_question(), 1..4);
    (questions, text(), 0_usize..5, 0_usize..4, any::<bool>()).prop_map(
        |(mut questions, label, step, page, taken)| {
            for (index, question) in questions.iter_mut().enumerate() {
                question.id = format!("q{index}").as_str().into();
            }
            let origin = Origin { label: Some(label), ..Origin::default() };
            let mut record = record_of(questions);
            record.ask.origin = origin;
            // What a door refuses is never shown.
            let is_wrong = |question: &Question| {
                let mut alone = record.clone();
                alone.ask.questions = vec![question.clone()];
                !alone.ask.faults(&Contract::WIDE).is_empty()
            };
            let fine: Vec<Question> =
                record.ask.questions.iter().filter(|asked| !is_wrong(asked)).cloned().collect();
            record.ask.questions = if fine.is_empty() { vec![question("Which?", &regions(3))] } else { fine };
            let answers = if taken { answers(&record) } else { BTreeMap::new() };
            (record, Draft { revision: 3, answers, step, page, ..Draft::default() })
        },
    )
}

/// The first Choice of each Question, else its own text as somebody's words.
fn answers(record: &Record) -> BTreeMap<QuestionId, Vec<String>> {
    let answer = |asked: &Question| {
        let first = asked.choices.first().map_or_else(|| asked.text.clone(), |choice| choice.label.clone());
        (asked.id.clone(), vec![first])
    };
    record.ask.questions.iter().map(answer).collect()
}

fn ends(record: &Record, name: String) -> Vec<State> {
    let answered = Answered {
        answers: Answers(answers(record)),
        notes: record.ask.questions.iter().map(|asked| (asked.id.clone(), name.clone())).collect(),
        words: None,
        by: Actor::new(Some("maria".into()), Way::Control),
        by_name: Some(name.clone()),
        at: NOW,
        resolution: ResolutionId::from("r1"),
    };
    let cancelled = |why| State::Cancelled(Cancelled { at: NOW, why, by: None, by_name: Some(name.clone()) });
    vec![
        State::Answered(Box::new(answered)),
        cancelled(WhyCancelled::Declined),
        cancelled(WhyCancelled::NotDelivered { detail: name.clone() }),
        State::Expired { at: NOW },
    ]
}

/// Every call is one that the platform takes.
fn judge(calls: &[Call]) -> Result<(), TestCaseError> {
    for call in calls {
        let (method, path) = call.route();
        prop_assert_eq!(refuses(method, &path, &call.body), None, "{}", call.body);
    }
    Ok(())
}

fn judge_answer(answer: &Value) -> Result<(), TestCaseError> {
    prop_assert_eq!(refuses("POST", "interactions/1/token/callback", answer), None, "{}", answer);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_is_asked_is_refused((record, draft) in any_record(), name in text()) {
        let view = view_of(&record, &draft);
        let prompt = prompt::open(&view);
        judge(&show(&"send".into(), &prompt).unwrap())?;
        judge(&redraw(&"send".into(), &receipt(&["12", "13"]), &prompt).unwrap().1)?;
        let fields = prompt::form_fields(&view);
        if !fields.is_empty() {
            judge_answer(&form("t.form", "Answer", &fields).unwrap())?;
        }
        for state in ends(&record, name) {
            let record = Record { state, ..record.clone() };
            let ended = prompt::ended(&view_of(&record, &draft));
            judge(&redraw(&"send".into(), &receipt(&["12"]), &ended).unwrap().1)?;
        }
    }

    #[test]
    fn nothing_that_is_said_is_refused(text in text(), hint in prop::option::of(text()), value in prop::option::of(text())) {
        for spot in [at("@80351110224678912"), at("41771983423143937")] {
            for to in [None, Some(sam())] {
                let said = say(spot, to.as_ref(), None, &text);
                judge(&said.into_iter().collect::<Vec<_>>())?;
                let asked = ask(&"send".into(), spot, &sam(), &text, &receipt(&["12"]));
                judge(&asked.into_iter().collect::<Vec<_>>())?;
            }
        }
        judge_answer(&note(&text))?;
        let follows = follow(&InteractionToken::new("aW50".to_owned()), &text);
        judge(&follows.into_iter().collect::<Vec<_>>())?;
        let input = Control::Input { label: text.clone(), token: "t.input".to_owned(), placeholder: hint, value, required: true };
        judge_answer(&form("t.form", &text, &[input]).unwrap())?;
    }
}

#[test]
fn addresses_that_no_button_takes_stand_in_the_text() {
    let long = format!("https://ci.example.org/{}", "ü".repeat(200));
    let rows = [
        ("an address that grows too long when it is sent", "Go?".to_owned(), long.clone()),
        ("beside a text that fills its message", "Where to? ".repeat(175), long),
        (
            "a host that the platform refuses",
            "Where to? ".repeat(190),
            "http://localhost:3000/run/5".to_owned(),
        ),
    ];
    for (name, text, url) in rows {
        let asked = Question { url: Some(url.clone()), ..question(&text, &labels(&["Yes", "No"])) };
        let prompt = prompt_of(vec![asked], &Draft::default());
        let calls = show(&"send".into(), &prompt).unwrap();
        let mut read = String::new();
        for call in &calls {
            assert_eq!(refuses("POST", "channels/1/messages", &call.body), None, "{name}: {}", call.body);
            read.push_str(&call.body["content"].as_str().unwrap().replace('\\', ""));
        }
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        assert!(letters(&read).contains(&letters(&url)), "{name}: {read}");
        let last = calls.last().unwrap();
        assert!(last.body["components"].to_string().contains("Yes"), "{name}: the buttons come last");
    }
}

/// What is told is cut only where it must be, and says so.
#[test]
fn what_is_said_fits_with_the_one_it_is_for() {
    let channel = at("41771983423143937");
    for (length, cut) in [(1979, false), (1980, true), (2000, true), (9000, true)] {
        let call = say(channel, Some(&sam()), None, &"x".repeat(length)).unwrap();
        let content = call.body["content"].as_str().unwrap();
        assert!(content.starts_with("<@80351110224678912> x"), "{content}");
        assert_eq!(
            (content.chars().count() <= LIMITS.message, content.ends_with('…')),
            (true, cut),
            "{length}"
        );
    }
}
