//! What of an answer goes into the trail: which words are masked, which stay, and what is left out.

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{Ask, Binding, Creator, Question, WhenUnanswered};
use askrelay_core::audit::{Entry, WORDS_MAX, words};
use askrelay_core::id::RecordKey;
use askrelay_core::record::{Record, State};
use askrelay_core::time::{Span, Time};
use proptest::prelude::*;

#[test]
fn what_looks_like_a_secret_is_masked() {
    let rows = [
        ("an API key", "use sk-proj-abcdefghij0123456789KLMN please", "use [masked] please"),
        ("a payment key", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "[masked]"),
        ("a GitHub token", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[masked]"),
        ("a fine-grained one", "github_pat_11ABCDEFG0abcdefghij_KLMNOPQRST", "[masked]"),
        ("a GitLab token", "it is glpat-abcDEF123456_7890xyz.", "it is [masked]."),
        ("an AWS key id", "AKIAIOSFODNN7EXAMPLE and more", "[masked] and more"),
        ("an AWS secret key", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "[masked]"),
        ("a Google key", "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "[masked]"),
        ("a Slack token", "xoxb-1234567890-abcdefghij", "[masked]"),
        ("a Slack app token", "xapp-1-A0123-456-abcdef", "[masked]"),
        (
            "a bot token",
            "the bot is 123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc now",
            "the bot is [masked] now",
        ),
        ("our own", "askrelay_0123456789abcdef_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY", "[masked]"),
        (
            "a JWT",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
            "[masked]",
        ),
        (
            "a key file",
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nthanks",
            "[masked]\nthanks",
        ),
        ("a key file cut short", "here: -----BEGIN PRIVATE KEY-----\nMIIE", "here: [masked]"),
        ("a password", "password=hunter2 works", "password=[masked] works"),
        ("one in quotes", "DB_PASSWORD: \"two words\", next", "DB_PASSWORD: [masked], next"),
        ("in JSON", r#"{"api_key": "abc", "n": 1}"#, r#"{"api_key": [masked], "n": 1}"#),
        ("a token by name", "token = abc", "token = [masked]"),
        ("another language", "Passwort: geheim", "Passwort: [masked]"),
        (
            "an argument",
            "npm publish --otp-token 4711 --tag next",
            "npm publish --otp-token [masked] --tag next",
        ),
        ("a header", "Authorization: Bearer abcdefgh.ijkl", "Authorization: Bearer [masked]"),
        ("in an address", "postgres://app:s3cr3t@db/prod", "postgres://app:[masked]@db/prod"),
        ("a hash", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "[masked]"),
        ("base64", "dGhpcyBpcyBhIHNlY3JldCBrZXkgMTIzNDU2Nzg5MA==", "[masked]"),
        ("base32 in lower case", "k7f2m9qx4zt8w3r6y5p1c2v9b8n", "[masked]"),
        ("a UUID", "id 123e4567-e89b-12d3-a456-426614174000", "id [masked]"),
        (
            "two of them",
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a, xoxb-1234567890-abcdefghij",
            "[masked], [masked]",
        ),
    ];
    for (name, text, expected) in rows {
        assert_eq!(words(text), expected, "{name}");
    }
}

#[test]
fn what_people_write_stays() {
    let rows = [
        "Staging, please, but only after 5 pm",
        "the second one",
        "feature/login-form-2024-11-30-retry",
        "/srv/Dana/projects/2024/Release-notes/final_version2/README.md",
        "src/commands/ask/input/default_values.rs:120",
        "https://example.org/docs/getting-started-with-askrelay-on-kubernetes?page=2",
        "DonaudampfschifffahrtsgesellschaftskapitaenskajuetenschluesselNummer42",
        "release-2024-11-30-build-1234-x86_64-unknown-linux-gnu",
        "ReleaseNotes2024FinalVersionForReview",
        "AKIA is how AWS keys begin, sk- is how others do",
        "ask for the password again",
        "my token expired",
        "secret santa: no",
        "version 1.2.3-rc.4+build.567",
        "abc1234",
        "commit 9f86d08",
        "4111 1111 1111",
        "00441234567890",
        "今すぐステージングへ",
        "Größe XL, Straße 5",
        "--force-with-lease --no-verify",
        "",
    ];
    for text in rows {
        assert_eq!(words(text), text);
    }
}

#[test]
fn words_are_cut() {
    let long = "word ".repeat(1000);
    let cut = words(&long);
    assert_eq!(cut.chars().count(), WORDS_MAX);
    assert!(cut.ends_with('…') && long.starts_with(cut.trim_end_matches('…')));
    let fits = "é".repeat(WORDS_MAX);
    assert_eq!(words(&fits), fits);
    let behind = format!("{}-----BEGIN PRIVATE KEY-----\n{}", "x ".repeat(290), "ABCD\n".repeat(2000));
    assert!(!words(&behind).contains("ABCD"), "a secret that the cut goes through");
}

fn record(questions: Vec<Question>) -> Record {
    Record {
        key: RecordKey { gateway: "local".into(), id: "ask_1".into(), created_at: Time(1) },
        ask: Ask {
            questions,
            wait: Span::seconds(60),
            origin: Default::default(),
            creator: Creator { person: None, token: None, binding: Binding::Run, scopes: Default::default() },
            answerers: Vec::new(),
            places: Vec::new(),
            needs_surface: false,
            when_unanswered: WhenUnanswered::Fail,
            terminal_proof: None,
        },
        expires_at: Time(60_001),
        state: State::Pending,
        late: Vec::new(),
        collected: None,
    }
}

#[test]
fn an_answer_to_a_secret_question_leaves_no_trace() {
    let question =
        |id: &str, secret| Question { id: id.into(), text: "?".to_owned(), secret, ..Question::default() };
    let values = |pairs: &[(&str, &str)]| {
        Answers(pairs.iter().map(|(id, value)| ((*id).into(), vec![(*value).to_owned()])).collect())
    };
    let answered = Answered {
        answers: values(&[("open", "Staging"), ("hidden", "tulip")]),
        notes: Default::default(),
        words: Some("staging and tulip".to_owned()),
        by: Actor::new(Some("ann".into()), Way::Text),
        by_name: None,
        at: Time(5),
        resolution: "r".into(),
    };
    let both = Entry::answered(&record(vec![question("open", false), question("hidden", true)]), &answered);
    assert_eq!((both.answers, both.words), (Some(values(&[("open", "Staging")])), None));
    let open = Entry::answered(&record(vec![question("open", false), question("hidden", false)]), &answered);
    assert_eq!(open.words.as_deref(), Some("staging and tulip"));
    assert_eq!(open.answers, Some(answered.answers.clone()));
    assert_eq!((open.what.as_str(), open.at, open.actor), ("ask.answered", Time(5), Some(answered.by)));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_words_become_short_ones(text in "(?s).{0,2000}") {
        prop_assert!(words(&text).chars().count() <= WORDS_MAX);
    }

    #[test]
    fn random_keys_are_masked(bytes in proptest::collection::vec(any::<u8>(), 32..48)) {
        const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let key: String = bytes.iter().map(|byte| char::from(SIGNS[usize::from(*byte) % 64])).collect();
        let shown = words(&format!("here: {key}"));
        // Chance may look like a word once in thousands; then most of it is no secret either.
        let digits = key.bytes().filter(u8::is_ascii_digit).count();
        let kinds: Vec<u8> = key.bytes().map(|byte| u8::from(byte.is_ascii_digit()) + 2 * u8::from(byte.is_ascii_lowercase())).collect();
        let changes = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
        prop_assume!(digits >= 3 && changes * 2 >= key.len());
        prop_assert_eq!(shown, "here: [masked]");
    }
}
