//! Goldens: every kind of call, as JSON. The Prompts are the core's own where the core makes such ones.

use askrelay_core::ask::{Ask, Binding, Choice, Creator, Origin, Question};
use askrelay_core::id::{Account, PersonId, Place, RecordKey};
use askrelay_core::prompt::{self, Control, Draft, Entry, Look, Piece, Style, View};
use askrelay_core::record::{Record, State};
use askrelay_core::time::{Span, Time};
use askrelay_core::token::Nonce;

use super::*;

mod extremes;

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

fn regions(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("Region {number}")).collect()
}

/// What the core shows for these Questions with this draft.
fn prompt_of(questions: Vec<Question>, draft: &Draft) -> Prompt {
    prompt::open(&view_of(&record_of(questions), draft))
}

fn record_of(questions: Vec<Question>) -> Record {
    let scopes = Default::default();
    let creator =
        Creator { person: Some(PersonId::from("owner")), token: None, binding: Binding::Run, scopes };
    let wait = Span::seconds(2700);
    Record {
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
    }
}

fn view_of<'a>(record: &'a Record, draft: &'a Draft) -> View<'a> {
    View {
        record,
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
    }
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
    Identity { surface: "discord".into(), user: "80351110224678912".into() }
}

fn receipt(messages: &[&str]) -> Receipt {
    let account = Account { surface: "discord".into(), name: "main".into() };
    let place = Place { account, conversation: "41771983423143937".into() };
    Receipt { place, messages: messages.iter().map(|id| (*id).into()).collect() }
}

fn golden(name: &str, calls: &[Call]) {
    let calls: Vec<Value> = calls.iter().map(json).collect();
    insta::assert_snapshot!(name, serde_json::to_string_pretty(&calls).unwrap());
}

#[test]
fn one_choice() {
    let stem =
        "Roll the payment service back to the build of last Friday and keep everything that came since";
    let long = [" aside", " out of it", " in it", ""].map(|end| format!("{stem}{end}"));
    let mut described = question("Where should this release go?", &labels(&["Staging", "Production"]));
    described.choices[0].description = Some("Nobody sees it but us.".to_owned());
    let mut many = question("Which region?", &regions(25));
    many.choices[1].description = Some("The one that is *cheap*.".to_owned());
    let rows = [
        ("one choice of 2", asked(described)),
        ("one choice of 4", asked(question("Which?", &regions(4)))),
        ("one choice of 5", asked(question("Which?", &regions(5)))),
        ("one choice of 12", asked(question("Which?", &regions(12)))),
        ("one choice of 20", asked(question("Which?", &regions(20)))),
        ("one choice of 25", asked(many)),
        ("one choice of 100", asked(question("Which?", &regions(100)))),
        ("long labels", asked(question("What now?", &long))),
    ];
    for (name, prompt) in rows {
        golden(name, &show(&"send".into(), &prompt).unwrap());
    }
}

#[test]
fn other_prompts() {
    let several = Question {
        multi_select: true,
        other: true,
        ..question("Which?", &labels(&["Logs", "Traces", "Both"]))
    };
    let bounded =
        Question { multi_select: true, min: Some(2), max: Some(3), ..question("Which?", &regions(12)) };
    let mut second = question("When?", &labels(&["Now", "Tonight"]));
    second.id = "when".into();
    let first = question("Where?", &labels(&["Staging", "Production"]));
    let linked =
        |url: &str| Question { url: Some(url.to_owned()), ..question("Go?", &labels(&["Yes", "No"])) };
    let words = "Everything that changed since the last release, as the log has it. ".repeat(45);
    let rows = [
        ("several choices and own words", asked(several)),
        ("several choices within bounds", asked(bounded)),
        ("several questions", prompt_of(vec![first, second], &Draft::default())),
        ("free text", asked(question("Which version number?", &[]))),
        ("own words beside a choice", asked(Question { other: true, ..question("Which?", &regions(2)) })),
        ("a link", asked(linked("https://ci.example.org/run/5?a=1&b=2"))),
        ("a link the platform may refuse", asked(linked("http://localhost:3000/run/5"))),
        ("a long body", asked(question(&words, &labels(&["Yes", "No"])))),
        (
            "emoji and other scripts",
            asked(question(
                "👩‍👩‍👧‍👦 Welche Straße? どの環境？ أي بيئة؟",
                &labels(&["👍🏽 ja", "日本語", "לא", "עברית"]),
            )),
        ),
    ];
    for (name, prompt) in rows {
        for call in show(&"send".into(), &prompt).unwrap() {
            let content = call.body["content"].as_str().unwrap();
            assert!((1..=LIMITS.message).contains(&content.chars().count()), "{name}");
        }
        golden(name, &show(&"send".into(), &prompt).unwrap());
    }
}

#[test]
fn a_preview_is_what_is_sent() {
    let prompt = asked(question("Where?", &labels(&["Staging", "Production"])));
    let shown: Value = serde_json::from_str(&preview(&prompt)).unwrap();
    let sent = show(&"preview".into(), &prompt).unwrap();
    assert_eq!(shown, Value::from_iter(sent.iter().map(json)));
}

#[test]
fn texts_that_look_like_something() {
    let hostile = "**no** _no_ ~~no~~ `no` ||no|| [no](https://evil.example) @everyone <@80351110224678912> <#4711> <:a:1> <t:0> \\";
    let pieces = vec![
        piece("@here", Style::Strong),
        piece(&format!(" {hostile}\n"), Style::Plain),
        piece("# no\n> no\n1. no\n- no\n```\nno\n```\n", Style::Plain),
        piece("  quiet 🙂 words \n", Style::Quiet),
        piece("https://ci.example.org/run/5", Style::Link("https://ci.example.org/run/5".to_owned())),
        piece(" http://localhost:3000", Style::Link("http://localhost:3000".to_owned())),
    ];
    golden("texts that look like something", &show(&"send".into(), &prompt(pieces, Vec::new())).unwrap());
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
        ("an edit", receipt(&["12"]), prompt(pieces("Red taken"), vec![vec![button]])),
        ("a retirement", receipt(&["12"]), prompt(pieces("Answered: Red"), Vec::new())),
        ("a retirement with a link", receipt(&["12"]), prompt(pieces("Answered: Red"), vec![vec![link]])),
        ("a retirement of several messages", receipt(&["12", "13"]), prompt(pieces("Answered"), Vec::new())),
        ("an edit that grew", receipt(&["12", "13"]), three),
    ];
    for (name, receipt, prompt) in rows {
        let (kept, calls) = redraw(&"send".into(), &receipt, &prompt).unwrap();
        assert_eq!(kept.len(), receipt.messages.len().saturating_sub(prompt.messages.len()), "{name}");
        golden(name, &calls);
    }
}

#[test]
fn words_for_one_person() {
    let (person, channel) = (at("@80351110224678912"), at("41771983423143937"));
    let ask = |spot| ask(&"send".into(), spot, &sam(), "Type your colour", &receipt(&["12"])).unwrap();
    let say = |spot, to, reply| say(spot, to, reply, "Only *1* to 3 here.").unwrap();
    golden("asking for own words", &[ask(person), ask(channel)]);
    golden(
        "saying something",
        &[
            say(person, Some(&sam()), None),
            say(channel, Some(&sam()), Some(&"77".into())),
            say(channel, Some(&sam()), None),
            say(channel, None, None),
        ],
    );
    golden("channels", &[super::open(Snowflake(80_351_110_224_678_912)), reopen()]);
}

fn input(value: Option<&str>, required: bool) -> Control {
    Control::Input {
        label: "Your colour".to_owned(),
        token: "t.input".to_owned(),
        placeholder: Some("such as lilac".to_owned()),
        value: value.map(str::to_owned),
        required,
    }
}

fn menu(label: Option<&str>, min: usize) -> Control {
    let entry = |label: &str, value: &str, taken: bool| Entry {
        label: label.to_owned(),
        description: taken.then(|| "As now.".to_owned()),
        value: value.to_owned(),
        taken,
    };
    Control::Menu {
        label: label.map(str::to_owned),
        placeholder: "Choose".to_owned(),
        token: label.map_or("t.menu", |_| "t.where").to_owned(),
        entries: vec![entry("Red", "0", false), entry("Blue", "1", true)],
        min,
        max: 2,
    }
}

#[test]
fn answers_to_interactions() {
    let long = "x".repeat(60);
    let rows = [
        ("silence", silence()),
        ("a note", note("Recorded: *Red*")),
        ("what follows", follow(&InteractionToken::new("aW50".to_owned()), "Recorded: *Red*").unwrap().body),
        ("a form", form("t.form", "Your colour", &[input(None, true)]).unwrap()),
        ("a form that is filled in", form("t.form", &long, &[input(Some("lilac"), false)]).unwrap()),
        (
            "a form with menus",
            form("t.form", "Deploy", &[menu(Some("Where?"), 1), menu(None, 0), input(None, true)]).unwrap(),
        ),
    ];
    let golden: Vec<Value> =
        rows.iter().map(|(name, answer)| json!({ "name": name, "answer": answer })).collect();
    insta::assert_snapshot!("answers to interactions", serde_json::to_string_pretty(&golden).unwrap());
}

#[test]
fn what_discord_has_not_is_told() {
    let body = vec![piece("Which?", Style::Plain)];
    let long = Control::button("Red", "t".repeat(101), Look::Plain);
    let shown = |control: Control| show(&"send".into(), &prompt(body.clone(), vec![vec![control]]));
    assert_eq!(shown(input(None, true)), Err(EncodeError::Input));
    assert_eq!(shown(long.clone()), Err(EncodeError::Token));
    assert_eq!(form("t", "Title", &[long]), Err(EncodeError::Button));
    assert_eq!(form("t", "Title", &[]), Err(EncodeError::Empty));
    let nothing = Prompt { messages: Vec::new(), controls: Vec::new() };
    assert_eq!(show(&"send".into(), &nothing), Err(EncodeError::Empty));
    assert_eq!(spot(&"nowhere".into()), Err(EncodeError::Conversation("nowhere".into())));
    let unknown = redraw(&"send".into(), &receipt(&["m1"]), &prompt(body.clone(), Vec::new()));
    assert_eq!(unknown, Err(EncodeError::Message("m1".into())));
}

#[test]
fn a_message_that_was_there_before_is_known() {
    let calls =
        show(&"send".into(), &asked(question("Where?", &labels(&["Staging", "Production"])))).unwrap();
    let call = calls.first().unwrap();
    let mut shown = call.body.clone();
    assert!(!is_another(call, &shown), "the same one");
    shown["components"][0]["components"][0]["custom_id"] = json!("older");
    assert!(is_another(call, &shown), "drawn at an older draft");
    assert!(is_another(call, &json!({ "components": [] })), "retired meanwhile");
    assert!(!is_another(call, &json!({ "id": "1" })), "nothing is known of it");
    shown = call.body.clone();
    shown["content"] = json!(format!(" {}\n", call.body["content"].as_str().unwrap()));
    assert!(!is_another(call, &shown), "the space around it does not count");
    shown["content"] = json!("**Deploy**");
    assert!(is_another(call, &shown), "an older text");
    let edit = edit_of(call, Snowflake(12));
    assert_eq!((&edit.body["content"], edit.body.get("nonce")), (&call.body["content"], None));
}
