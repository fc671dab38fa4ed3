//! Goldens: every kind of call, as JSON. The Prompts are the core's own where the core makes such ones.

use askrelay_core::ask::{Ask, Binding, Choice, Creator, Origin, Question};
use askrelay_core::id::{PersonId, Place, RecordKey};
use askrelay_core::prompt::{Control, Draft, Entry, Look, Piece, Style, View, open};
use askrelay_core::record::{Record, State};
use askrelay_core::time::{Span, Time};
use askrelay_core::token::Nonce;
use proptest::prelude::*;

use super::*;

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
    open(&View {
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
    Identity { surface: "telegram".into(), user: "5000000001".into() }
}

fn receipt(conversation: &str, messages: &[&str]) -> Receipt {
    let account = askrelay_core::id::Account { surface: "telegram".into(), name: "main".into() };
    let place = Place { account, conversation: conversation.into() };
    Receipt { place, messages: messages.iter().map(|id| (*id).into()).collect() }
}

fn golden(name: &str, calls: &[Call]) {
    let calls: Vec<Value> = calls.iter().map(json).collect();
    insta::assert_snapshot!(name, serde_json::to_string_pretty(&calls).unwrap());
}

#[test]
fn prompts() {
    let hundred: Vec<String> = (1..=100).map(|number| format!("Region {number}")).collect();
    let stem = "Roll the payment service back to the build of last Friday";
    let long = [" and keep its data", " and drop its data", ", then ask me again", ""]
        .map(|end| format!("{stem}{end}"));
    let several =
        Question { multi_select: true, other: true, ..question("Which?", &labels(&["Logs", "Traces"])) };
    let mut second = question("When?", &labels(&["Now", "Tonight"]));
    second.id = "when".into();
    let first = question("Where?", &labels(&["Staging", "Production"]));
    let linked =
        |url: &str| Question { url: Some(url.to_owned()), ..question("Go?", &labels(&["Yes", "No"])) };
    let rows = [
        ("one choice", asked(question("Where should this release go?", &labels(&["Staging", "Production"])))),
        ("long labels", asked(question("What now?", &long))),
        ("a hundred choices", asked(question("Which region?", &hundred))),
        (
            "the last page of a hundred choices",
            prompt_of(
                vec![question("Which region?", &hundred)],
                &Draft { page: 99, revision: 7, ..Draft::default() },
            ),
        ),
        ("several choices and own words", asked(several)),
        ("several questions", prompt_of(vec![first, second], &Draft::default())),
        ("free text", asked(question("Which version number?", &[]))),
        ("a link", asked(linked("https://ci.example.org/run/5?a=1&b=2"))),
        ("a link the platform refuses", asked(linked("http://localhost:3000/run/5"))),
        (
            "emoji and other scripts",
            asked(question(
                "👩‍👩‍👧‍👦 Welche Straße? どの環境？ أي بيئة؟",
                &labels(&["👍🏽 ja", "日本語", "لا", "עברית"]),
            )),
        ),
    ];
    for (name, prompt) in rows {
        golden(name, &show(at("4711"), &prompt).unwrap());
    }
}

#[test]
fn a_preview_is_what_is_sent() {
    let prompt = asked(question("Where?", &labels(&["Staging", "Production"])));
    let shown: Value = serde_json::from_str(&preview(&prompt)).unwrap();
    let sent = show(at("1"), &prompt).unwrap();
    assert_eq!(shown, Value::from_iter(sent.iter().map(json)));
}

#[test]
fn texts_that_look_like_something() {
    let hostile = "<b>no</b> *no* _no_ `no` [no](https://evil.example) @everyone sam@example.org (@samreed) @x /skip #tag \\ &amp;";
    let pieces = vec![
        piece("@samreed", Style::Strong),
        piece(&format!(" {hostile}\n"), Style::Plain),
        piece("  quiet 🙂 words \n", Style::Quiet),
        piece("https://evil.example", Style::Plain),
        piece("\n", Style::Strong),
        piece("https://ci.example.org/run/5", Style::Link("https://ci.example.org/run/5".to_owned())),
        piece(" http://localhost:3000", Style::Link("http://localhost:3000".to_owned())),
    ];
    golden("texts that look like something", &show(at("4711"), &prompt(pieces, Vec::new())).unwrap());
}

#[test]
fn edits_and_retirements() {
    let button = Control::button("Red", "t.1", Look::Danger);
    let link = Control::Link { label: "Open link".to_owned(), url: "https://example.org".to_owned() };
    let pieces = |text: &str| vec![piece(text, Style::Plain)];
    let three = Prompt {
        messages: ["one", "two", "three"].map(|text| Body(pieces(text))).to_vec(),
        controls: vec![vec![button.clone()]],
    };
    let rows = [
        ("an edit", receipt("4711", &["12"]), prompt(pieces("Red taken"), vec![vec![button]])),
        ("a retirement", receipt("-1001234567890/42", &["12"]), prompt(pieces("Answered: Red"), Vec::new())),
        (
            "a retirement with a link",
            receipt("4711", &["12"]),
            prompt(pieces("Answered: Red"), vec![vec![link]]),
        ),
        (
            "a retirement of several messages",
            receipt("4711", &["12", "13"]),
            prompt(pieces("Answered"), Vec::new()),
        ),
        ("an edit that grew", receipt("4711", &["12", "13"]), three),
    ];
    for (name, receipt, prompt) in rows {
        let (kept, calls) = redraw(&receipt, &prompt).unwrap();
        assert_eq!(kept.len(), receipt.messages.len().saturating_sub(prompt.messages.len()), "{name}");
        golden(name, &calls);
    }
}

#[test]
fn words_for_one_person() {
    let shown = receipt("-1001234567890/42", &["12"]);
    let topic = at("-1001234567890/42");
    let ask = |spot, text: &str, hint| Call::Send(Box::new(ask(spot, &sam(), text, hint, &shown)));
    let say = |spot, to, reply, text| Call::Send(Box::new(say(spot, to, reply, text)));
    let long_hint = "x".repeat(80);
    golden(
        "asking for own words",
        &[
            ask(at("5000000001"), "Type your colour", Some("such as lilac")),
            ask(topic, "Type your colour", Some(&long_hint)),
            ask(topic, " 🙂 colour?", None),
        ],
    );
    golden(
        "saying something",
        &[
            say(at("5000000001"), Some(&sam()), None, "Only 1 to 3 here."),
            say(topic, Some(&sam()), Some(&"77".into()), "Only 1 to 3 here."),
            say(topic, Some(&sam()), None, "Only 1 to 3 here."),
            say(topic, None, None, "Answered by @samreed."),
        ],
    );
}

#[test]
fn ends_of_presses() {
    let (short, long) = ("Recorded: Red", format!("Already answered by {}", "Sam 🙂 ".repeat(60)));
    golden(
        "ends of presses",
        &[
            answer("4382", None),
            answer("4382", Some(" ")),
            answer("4382", Some(short)),
            answer("4382", Some(&long)),
        ],
    );
}

#[test]
fn what_telegram_has_not_is_told() {
    let menu = Control::Menu {
        label: None,
        placeholder: "Choose".to_owned(),
        token: "t".to_owned(),
        entries: vec![Entry {
            label: "Red".to_owned(),
            description: None,
            value: "0".to_owned(),
            taken: false,
        }],
        min: 1,
        max: 1,
    };
    let body = vec![piece("Which?", Style::Plain)];
    assert_eq!(show(at("4711"), &prompt(body.clone(), vec![vec![menu]])), Err(EncodeError::Menu));
    let nothing = Prompt { messages: Vec::new(), controls: Vec::new() };
    assert_eq!(show(at("4711"), &nothing), Err(EncodeError::Empty));
    assert_eq!(spot(&"nowhere".into()), Err(EncodeError::Conversation("nowhere".into())));
    let unknown = receipt("4711", &["m1"]);
    assert_eq!(redraw(&unknown, &prompt(body, Vec::new())), Err(EncodeError::Message("m1".into())));
}

/// What an entity covers, by the platform's own count; nothing where it would be refused.
fn covered(text: &str, offset: usize, length: usize) -> Option<String> {
    let units: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(units.get(offset..offset + length)?).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn entities_cover_their_words_and_nobody_is_called(
        texts in prop::collection::vec(("[ \\n@a-z_🙂é日\u{2060}]{0,24}", 0_u8..3), 0..12)
    ) {
        let style = |kind| match kind { 0 => Style::Plain, 1 => Style::Strong, _ => Style::Quiet };
        let pieces: Vec<Piece> = texts.iter().map(|(text, kind)| piece(text, style(*kind))).collect();
        let words = Words::of(&pieces);
        let mut end = 0;
        for entity in &words.entities {
            let inner = covered(&words.text, entity.offset, entity.length);
            let inner = inner.expect("whole characters inside the text");
            prop_assert!(entity.offset >= end && !inner.is_empty() && inner.trim() == inner, "{inner:?}");
            end = entity.offset + entity.length;
        }
        prop_assert!(!mentions(&words.text), "{:?}", words.text);
        let seen = words.text.replace('\u{2060}', "");
        let meant: String = texts.iter().map(|(text, _)| text.replace('\u{2060}', "")).collect();
        prop_assert_eq!(seen, meant);
    }

    #[test]
    fn a_text_that_fits_stays_one(count in 0_usize..5000) {
        let text: String = "@ab ".chars().cycle().take(count).collect();
        let words = Words::plain(&text);
        prop_assert!(words.text.chars().count() <= LIMITS.message.max(count));
        prop_assert!(!mentions(&words.text));
    }
}

/// Whether the platform would find a mention, by its own rule.
fn mentions(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    (0..chars.len()).any(|at| {
        let opens = chars[at] == '@' && (at == 0 || !chars[at - 1].is_alphanumeric());
        let name = chars[at + 1..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '_').count();
        opens && name >= crate::limits::NAME_MIN
    })
}
