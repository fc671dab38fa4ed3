//! Goldens: every kind of call, as JSON. The Prompts are the core's own where the core makes such ones.

use askrelay_core::ask::{Ask, Binding, Choice, Creator, Origin, Question};
use askrelay_core::id::{PersonId, Place, RecordKey};
use askrelay_core::prompt::{Control, Draft, Entry, Look, Piece, Style, View};
use askrelay_core::record::{Record, State};
use askrelay_core::time::{Span, Time};
use askrelay_core::token::Nonce;
use proptest::prelude::*;

use super::*;
use crate::limits::LIMITS;

/// 30 November 2026, 18:20 UTC.
const NOW: Time = Time(1_796_062_800_000);

fn question(text: &str, labels: &[String]) -> Question {
    Question {
        id: "q".into(),
        header: "Deploy".to_owned(),
        text: text.to_owned(),
        choices: labels.iter().map(Choice::new).collect(),
        ..Question::default()
    }
}

fn labels(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// What the core shows for these Questions with this draft.
fn prompt_of(questions: Vec<Question>, draft: &Draft) -> Prompt {
    let scopes = Default::default();
    let creator =
        Creator { person: Some(PersonId::from("owner")), token: None, binding: Binding::Run, scopes };
    let wait = Span::seconds(2700);
    let record = Record {
        key: RecordKey { gateway: "local".into(), id: "ask_7f3a".into(), created_at: NOW },
        ask: Ask {
            questions,
            wait,
            origin: Origin { label: Some("release-bot".to_owned()), ..Origin::default() },
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
    };
    askrelay_core::prompt::open(&View {
        record: &record,
        limits: &LIMITS,
        draft,
        audience: "Sam may answer.",
        nonce: Nonce::try_from("00112233445566778899aabbccddeeff".to_owned()).unwrap(),
        now: NOW,
        zone_minutes: 0,
        typed: true,
        panel: None,
        forgotten: false,
        alone: false,
    })
}

fn asked(question: Question) -> Prompt {
    prompt_of(vec![question], &Draft::default())
}

fn numbered(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("Region {number}")).collect()
}

/// The same without numbers, beside which the choices' own would look like others.
fn lettered(count: usize) -> Vec<String> {
    ('A'..='Z').take(count).map(|letter| format!("Region {letter}")).collect()
}

fn piece(text: &str, style: Style) -> Piece {
    Piece { text: text.to_owned(), style }
}

fn prompt(pieces: Vec<Piece>, controls: Vec<Vec<Control>>) -> Prompt {
    Prompt { messages: vec![Body(pieces)], controls }
}

fn at(conversation: &str) -> Spot {
    Spot::parse(&conversation.into()).unwrap()
}

fn sam() -> Identity {
    Identity { surface: "slack".into(), user: "T0ACME/U0SAM".into() }
}

fn receipt(conversation: &str, messages: &[&str]) -> Receipt {
    let account = askrelay_core::id::Account { surface: "slack".into(), name: "main".into() };
    let place = Place { account, conversation: conversation.into() };
    Receipt { place, messages: messages.iter().map(|id| (*id).into()).collect() }
}

fn golden(name: &str, calls: &[Call]) {
    let calls: Vec<Value> = calls.iter().map(json).collect();
    insta::assert_snapshot!(name, serde_json::to_string_pretty(&calls).unwrap());
}

fn golden_of(name: &str, values: &[Value]) {
    insta::assert_snapshot!(name, serde_json::to_string_pretty(values).unwrap());
}

#[test]
fn prompts() {
    let described = |label: &str, description: &str| Choice {
        label: label.to_owned(),
        description: Some(description.to_owned()),
        ..Choice::default()
    };
    let several =
        |count: usize| Question { multi_select: true, other: true, ..question("Which?", &numbered(count)) };
    let mut second = question("When?", &labels(&["Now", "Tonight", "R&D > Ops"]));
    second.id = "when".into();
    let mut third = question("Which version number?", &[]);
    third.id = "version".into();
    let first = Question { multi_select: true, ..question("Where?", &labels(&["Staging", "Production"])) };
    let linked = Question {
        url: Some("https://ci.example.org/run/5?a=1&b=2".to_owned()),
        ..question("Go?", &labels(&["Yes", "No"]))
    };
    let mut with_descriptions = question("How?", &numbered(5));
    with_descriptions.choices = vec![
        described("Rolling", "One after the other"),
        described("All at once", "Faster, with a gap"),
        described("Canary", "One in ten first"),
        described("Blue-green", "Two whole sets"),
        described("By hand", "I do it myself"),
    ];
    let mut destroying = question("What becomes of <them>?", &labels(&["Keep", "Delete & forget <all>"]));
    destroying.choices[1].destructive = true;
    let long = "Roll the payment service back to the build of last Friday, and keep its data where it is";
    let rows = [
        (
            "two choices",
            asked(question("Where should this release go?", &labels(&["Staging", "Production"]))),
        ),
        ("a choice that destroys something", asked(destroying)),
        ("four choices", asked(question("Which region?", &numbered(4)))),
        ("five choices", asked(question("Which region?", &numbered(5)))),
        ("twelve choices", asked(question("Which region?", &numbered(12)))),
        ("twenty-five choices", asked(question("Which region?", &numbered(25)))),
        ("a hundred choices", asked(question("Which region?", &numbered(100)))),
        ("choices with descriptions", asked(with_descriptions)),
        ("a long label", asked(question("What now?", &labels(&[long, "Nothing"])))),
        ("several choices and own words", asked(several(4))),
        ("several of many choices", asked(several(25))),
        (
            "several choices, some taken",
            prompt_of(
                vec![several(4)],
                &Draft {
                    revision: 3,
                    answers: [("q".into(), vec!["Region 2".to_owned()])].into(),
                    ..Draft::default()
                },
            ),
        ),
        ("several questions", prompt_of(vec![first, second, third], &Draft::default())),
        ("free text", asked(question("Which version number?", &[]))),
        ("a link", asked(linked)),
        (
            "emoji and other scripts",
            asked(question(
                "👩‍👩‍👧‍👦 Welche Straße? どの環境？ أي بيئة؟",
                &labels(&["👍🏽 ja", "日本語", "لا", "עברית"]),
            )),
        ),
    ];
    for (name, prompt) in rows {
        golden(name, &show(&at("C0TEAM"), &prompt).unwrap());
    }
}

/// Whoever sees no blocks reads everything in the text beside them, and can answer by it.
#[test]
fn the_text_beside_the_blocks_is_the_question_itself() {
    let mut described = question("R&D <first>?", &lettered(5));
    described.choices[3].description = Some("Two whole <sets>".to_owned());
    let mut destroying = question("Go?", &labels(&["Keep", "Delete & forget"]));
    destroying.choices[1].destructive = true;
    let rows = [
        question("Which region?", &lettered(2)),
        described,
        destroying,
        question("Which region?", &lettered(25)),
        Question { multi_select: true, other: true, ..question("Which of them?", &lettered(25)) },
        question("Which version number?", &[]),
    ];
    for question in rows {
        for call in show(&at("C0TEAM"), &asked(question.clone())).unwrap() {
            let payload = serde_json::to_value(&call).unwrap();
            let text = payload["text"].as_str().unwrap();
            assert!(!text.contains("<first>") && !text.contains("R&D"), "escaped: {text}");
            let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            let choices = question.choices.iter().enumerate();
            let lines = choices.map(|(at, choice)| match &choice.description {
                Some(description) => format!("{}. {} – {description}", at + 1, choice.label),
                None => format!("{}. {}", at + 1, choice.label),
            });
            for words in lines.chain([question.text.clone(), "Sam may answer.".to_owned()]) {
                assert!(text.contains(&words), "{words}: {text}");
            }
            let said = payload["blocks"][0].pointer("/elements/0/elements").and_then(Value::as_array);
            let said: String = said.unwrap().iter().filter_map(|part| part["text"].as_str()).collect();
            assert_eq!(text, said, "the same words as the blocks");
        }
    }
}

#[test]
fn a_preview_is_what_is_sent() {
    let prompt = asked(question("Where?", &labels(&["Staging", "Production"])));
    let shown: Value = serde_json::from_str(&preview(&prompt)).unwrap();
    let sent = show(&at("C00000000"), &prompt).unwrap();
    assert_eq!(shown, Value::from_iter(sent.iter().map(json)));
}

#[test]
fn texts_that_look_like_something() {
    let hostile = "<!channel> <@U0SAM> *no* _no_ ~no~ `no` <https://evil.example|no> &amp; > quote :tada:";
    let pieces = vec![
        piece("<!here>", Style::Strong),
        piece(&format!(" {hostile}\n"), Style::Plain),
        piece("  quiet 🙂 words \n", Style::Quiet),
        piece("https://evil.example", Style::Plain),
        piece("", Style::Strong),
        piece("https://ci.example.org/run/5", Style::Link("https://ci.example.org/run/5".to_owned())),
        piece(" the run", Style::Link("https://ci.example.org/run/6".to_owned())),
    ];
    golden("texts that look like something", &show(&at("@U0SAM"), &prompt(pieces, Vec::new())).unwrap());
}

#[test]
fn edits_and_retirements() {
    let button = |look| Control::button("Red", "t.1", look);
    let link = Control::Link { label: "Open link".to_owned(), url: "https://example.org".to_owned() };
    let pieces = |text: &str| vec![piece(text, Style::Plain)];
    let three = Prompt {
        messages: ["one", "two", "three"].map(|text| Body(pieces(text))).to_vec(),
        controls: vec![vec![button(Look::Danger)]],
    };
    let thread = "C0TEAM/1764500000.000100";
    let (first, second) = ("1764500000.000200", "1764500000.000300");
    let rows = [
        (
            "an edit",
            receipt("@U0SAM", &[first]),
            prompt(pieces("Red taken"), vec![vec![button(Look::Primary)]]),
        ),
        ("a retirement", receipt(thread, &[first]), prompt(pieces("Answered: Red"), Vec::new())),
        (
            "a retirement with a link",
            receipt("C0TEAM", &[first]),
            prompt(pieces("Answered: Red"), vec![vec![link]]),
        ),
        (
            "a retirement of several messages",
            receipt("C0TEAM", &[first, second]),
            prompt(pieces("Answered"), Vec::new()),
        ),
        ("an edit that grew", receipt(thread, &[first, second]), three),
    ];
    for (name, receipt, prompt) in rows {
        let (kept, calls) = redraw(&receipt, &prompt).unwrap();
        assert_eq!(kept.len(), receipt.messages.len().saturating_sub(prompt.messages.len()), "{name}");
        golden(name, &calls);
    }
}

#[test]
fn words_for_one_person() {
    let shown = receipt("C0TEAM", &["1764500000.000200"]);
    let (dm, channel, thread) = (at("@U0SAM"), at("C0TEAM"), at("C0TEAM/1764500000.000100"));
    golden(
        "asking for own words",
        &[
            ask(&dm, &sam(), "Type your colour", &shown),
            ask(&channel, &sam(), "Type your colour", &shown),
            ask(&thread, &sam(), "Type your colour", &shown),
        ],
    );
    golden(
        "saying something",
        &[
            say(&dm, Some(&sam()), None, "Only 1 to 3 here."),
            say(&channel, Some(&sam()), Some("1764500000.000200"), "Only 1 to 3 here."),
            say(&thread, None, Some("1764500000.000100"), "Answered by @samreed & <others>."),
            whisper(&channel, "U0SAM", None, "Only 1 to 3 here."),
            whisper(&thread, "U0SAM", Some("1764500000.000100"), "Only 1 to 3 here."),
        ],
    );
    let responded = serde_json::to_value(respond(Some("1764500000.000100"), "Recorded: R&D.")).unwrap();
    golden_of("words by the address of a press", &[responded]);
}

fn entries(count: usize) -> Vec<Entry> {
    let entry = |number: usize| Entry {
        label: format!("Region {number}"),
        description: (number == 1).then(|| "The first".to_owned()),
        value: number.to_string(),
        taken: number == 2,
    };
    (1..=count).map(entry).collect()
}

fn menu(label: Option<&str>, token: &str, count: usize, min: usize, max: usize) -> Control {
    Control::Menu {
        label: label.map(str::to_owned),
        placeholder: "Choose".to_owned(),
        token: token.to_owned(),
        entries: entries(count),
        min,
        max,
    }
}

fn input(value: Option<&str>) -> Control {
    Control::Input {
        label: "Your colour".to_owned(),
        token: "t.words".to_owned(),
        placeholder: Some("such as lilac".to_owned()),
        value: value.map(str::to_owned),
        required: value.is_none(),
    }
}

#[test]
fn forms() {
    let fields = vec![
        menu(Some("One of few"), "t.1", 3, 1, 1),
        menu(Some("One of many"), "t.2", 12, 1, 1),
        menu(Some("Some of few"), "t.3", 3, 0, 3),
        menu(Some("Two of many"), "t.4", 12, 1, 2),
        input(None),
    ];
    let mut rows: Vec<Vec<Control>> = fields.iter().map(|field| vec![field.clone()]).collect();
    rows.push(vec![Control::button("Submit", "t.submit", Look::Primary)]);
    golden(
        "a form in a message",
        &show(&at("C0TEAM"), &prompt(vec![piece("Fill in.", Style::Plain)], rows)).unwrap(),
    );
    let alone = [
        menu(None, "t.1", 3, 1, 1),
        menu(None, "t.2", 12, 1, 1),
        menu(None, "t.3", 3, 0, 3),
        menu(None, "t.4", 12, 1, 2),
    ];
    let alone = alone.map(|menu| vec![menu]).to_vec();
    golden(
        "menus that stand alone",
        &show(&at("C0TEAM"), &prompt(vec![piece("Take.", Style::Plain)], alone)).unwrap(),
    );

    let form = Form {
        token: "t.form".to_owned(),
        conversation: "@U0SAM".to_owned(),
        message: Some("1764500000.000200".to_owned()),
    };
    let title = "Your colour, and more than the title of a modal takes";
    let wrong = [("t.1", "Take one."), ("t.unknown", "Something is wrong."), ("t.1", "Really.")]
        .map(|(token, what)| (token.to_owned(), what.to_owned()));
    let tokens = [("t.1", "One of few"), ("t.words", "Your colour")]
        .map(|(token, label)| (token.to_owned(), label.to_owned()));
    assert_eq!(
        errors_in_words(&wrong, &tokens),
        "One of few: Take one.\nSomething is wrong.\nOne of few: Really."
    );
    golden_of(
        "modals",
        &[
            serde_json::to_value(open(
                "13345224609.738474920.8088930838d88f008e0",
                &form,
                "Your colour",
                &fields,
            ))
            .unwrap(),
            replace(&form, title, &[input(Some("lilac"))]),
            note(title, "Already answered: Red, by Alex & <others>."),
            errors(&wrong, &tokens).unwrap(),
        ],
    );
    assert_eq!(errors(&wrong, &[]), None, "there is no field at which to say it");
}

#[test]
fn descriptions_give_way_where_all_of_it_is_too_long() {
    let described = |count: usize| {
        let entry = |number: usize| Entry {
            label: format!("{number} {}", "l".repeat(70)),
            description: Some("d".repeat(75)),
            value: number.to_string(),
            taken: false,
        };
        let entries = (0..count).map(entry).collect();
        let menu = Control::Menu {
            label: None,
            placeholder: "Choose".to_owned(),
            token: "t".to_owned(),
            entries,
            min: 1,
            max: 1,
        };
        let calls =
            show(&at("C0TEAM"), &prompt(vec![piece(&"x".repeat(3000), Style::Plain)], vec![vec![menu]]));
        json(&calls.unwrap()[0]).to_string().matches("description").count()
    };
    for (count, shown) in [(10, 10), (60, 60), (100, 0)] {
        assert_eq!(described(count), shown, "{count}");
    }
}

#[test]
fn what_slack_has_not_is_told() {
    let nothing = Prompt { messages: Vec::new(), controls: Vec::new() };
    assert_eq!(show(&at("C0TEAM"), &nothing), Err(EncodeError::Empty));
    assert_eq!(spot(&"nowhere".into()), Err(EncodeError::Conversation("nowhere".into())));
    let unknown = receipt("C0TEAM", &["m1"]);
    let something = prompt(vec![piece("Which?", Style::Plain)], Vec::new());
    assert_eq!(redraw(&unknown, &something), Err(EncodeError::Message("m1".into())));
    let link = Control::Link { label: "Open".to_owned(), url: "no address".to_owned() };
    let linked = prompt(vec![piece("Which?", Style::Plain)], vec![vec![link]]);
    assert_eq!(show(&at("C0TEAM"), &linked), Err(EncodeError::Address("no address".to_owned())));
}

/// Every text object of a payload, with the key that it stands under, and every list of blocks.
fn check_block(block: &Value) {
    let length = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
    match block["type"].as_str().unwrap() {
        "actions" => assert!((1..=25).contains(&block["elements"].as_array().unwrap().len())),
        "input" => assert!((1..=2000).contains(&length(&block["label"]["text"]))),
        "section" => assert!((1..=3000).contains(&length(&block["text"]["text"]))),
        "rich_text" => {}
        other => panic!("{other} is no block that we draw"),
    }
    for element in
        block["elements"].as_array().into_iter().flatten().chain([&block["accessory"], &block["element"]])
    {
        for option in element["options"].as_array().into_iter().flatten() {
            assert!((1..=75).contains(&length(&option["text"]["text"])) && length(&option["value"]) <= 75);
            assert!(length(&option["description"]["text"]) <= 75);
        }
        assert!(length(&element["action_id"]) <= 255 && length(&element["placeholder"]["text"]) <= 150);
        if element["type"] == "button" {
            assert!(
                (1..=75).contains(&length(&element["text"]["text"])) && length(&element["value"]) <= 2000
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_asked_fits(
        texts in prop::collection::vec("[ -~é日🙂]{1,120}", 0..30),
        several in any::<bool>(),
        other in any::<bool>(),
        stem in "[ -~é日🙂&<>]{1,400}",
    ) {
        let mut texts = texts;
        texts.sort();
        texts.dedup_by(|a, b| a.trim() == b.trim());
        let asked = asked(Question { multi_select: several, other, ..question(&stem, &texts) });
        for call in show(&at("C0TEAM"), &asked).unwrap() {
            let payload = serde_json::to_value(&call).unwrap();
            let blocks = payload["blocks"].as_array().unwrap();
            prop_assert!(blocks.len() <= 50);
            blocks.iter().for_each(check_block);
            prop_assert!(payload["text"].as_str().unwrap().chars().count() <= 4000);
        }
    }
}
