//! What is typed in a private chat, and what it comes to: an answer, or nothing and the question still waits. Each row is asked,
//! shown, typed and read by the real parts.

use crate::telegram::{Phone, retired};

/// How a row ends.
enum End {
    /// The command prints this.
    Prints(&'static str),
    /// Nothing was taken, and the question still waits.
    Waits,
}

use End::{Prints, Waits};

/// The arguments of `ask`, what is typed, how it ends.
type Row = (&'static [&'static str], &'static [&'static str], End);

fn check(rows: &[Row]) {
    let phone = Phone::new();
    let _server = phone.serve();
    for (number, (ask, typed, end)) in rows.iter().enumerate() {
        let id = format!("row_{number}");
        let mut asking = phone.ask(&[ask, &["--id", &id][..]].concat());
        let message = phone.question(ask[0]).id;
        for text in *typed {
            phone.owner.write(&phone.chat, text);
        }
        let name = format!("{ask:?} {typed:?}");
        match end {
            Prints(expected) => {
                let (code, stdout, stderr) = asking.ends();
                assert_eq!((code, stdout.as_str()), (Some(0), *expected), "{name}: {stderr}");
            }
            Waits => {
                phone.everything_was_read();
                assert!(asking.is_running(), "{name}");
                let shown = phone.succeeds(&["show", &id, "--json"]);
                assert!(shown.contains("\"pending\""), "{name}: {shown}");
                asking.interrupt();
                assert_eq!(asking.ends().0, Some(3), "{name}");
            }
        }
        // The next row may ask the same, and must not be taken for this one.
        retired(&phone.chat, message, ask[0]);
    }
}

macro_rules! typed {
    ($($name:ident: [$($row:expr),+ $(,)?];)+) => {$(
        #[test]
        fn $name() {
            check(&[$($row),+]);
        }
    )+};
}

const PUBLISH: [&str; 5] = ["Publish it?", "-o", "Publish", "-o", "Discard"];
const DEPLOY: [&str; 6] = ["Where?", "-o", "Staging", "-o", "Production", "--no-other"];
const TEAMS: [&str; 8] = ["Which team?", "-o", "Billing", "-o", "Support", "-o", "Other team", "--no-other"];
const SIGNALS: [&str; 9] =
    ["Which signals?", "-o", "Logs", "-o", "Metrics", "-o", "Traces", "--multi", "--no-other"];
const SIGNALS_OR_OWN: [&str; 6] = ["Which signals?", "-o", "Logs", "-o", "Metrics", "--multi"];
const COMMAS: [&str; 8] =
    ["Which?", "-o", "Deploy, api web", "-o", "Deploy api, web", "-o", "Deploy api web", "--no-other"];
const EIGHTEEN: [&str; 39] = [
    "Pick some",
    "-o",
    "alpha",
    "-o",
    "bravo",
    "-o",
    "charlie",
    "-o",
    "delta",
    "-o",
    "echo",
    "-o",
    "foxtrot",
    "-o",
    "golf",
    "-o",
    "hotel",
    "-o",
    "india",
    "-o",
    "juliett",
    "-o",
    "kilo",
    "-o",
    "lima",
    "-o",
    "mike",
    "-o",
    "november",
    "-o",
    "oscar",
    "-o",
    "papa",
    "-o",
    "quebec",
    "-o",
    "romeo",
    "--multi",
    "--no-other",
];

typed! {
    b01_digits_in_prose_are_no_position: [
        (&PUBLISH, &["No, start on 01.02.2026"], Prints("No, start on 01.02.2026\n")),
        (&PUBLISH, &["version 2.02"], Prints("version 2.02\n")),
        (&DEPLOY, &["No, start on 01.02.2026"], Waits),
    ];
    b02_number_words_in_prose_choose_nothing: [
        (&TEAMS, &["ik wil een mens spreken"], Waits),
        (&TEAMS, &["what is the first step?"], Waits),
        (&TEAMS, &["no one"], Waits),
        (&TEAMS, &["the last one"], Prints("Other team\n")),
    ];
    b04_labels_with_numbers_are_marked_apart: [
        (&["Which tier?", "-o", "Tier 2", "-o", "Tier 3", "-o", "Tier 4", "--no-other"], &["#3"], Prints("Tier 4\n")),
        (&["How many?", "-o", "3", "-o", "1", "-o", "2", "--no-other"], &["2"], Prints("2\n")),
    ];
    b05_labels_that_differ_in_punctuation_stay_apart: [
        (&COMMAS, &["Deploy api, web"], Prints("Deploy api, web\n")),
        // Case and a final sign are folded before commas are, and only one label is left then.
        (&COMMAS, &["deploy api web!"], Prints("Deploy api web\n")),
    ];
    b07_two_digit_positions_in_a_list: [
        (&EIGHTEEN, &["1, 2, 3, 13"], Prints("alpha\nbravo\ncharlie\nmike\n")),
        (&EIGHTEEN, &["1 2 3 13"], Prints("alpha\nbravo\ncharlie\nmike\n")),
        (&EIGHTEEN, &["3,1,1"], Prints("alpha\ncharlie\n")),
        (&EIGHTEEN, &["1,19"], Waits),
        (&EIGHTEEN, &["0"], Waits),
    ];
    b08_every_printed_marker_counts: [
        (&DEPLOY, &["1."], Prints("Staging\n")),
        (&DEPLOY, &["1)"], Prints("Staging\n")),
        (&DEPLOY, &["(1)"], Prints("Staging\n")),
        (&DEPLOY, &["option 1"], Prints("Staging\n")),
        (&DEPLOY, &["01"], Prints("Staging\n")),
        (&DEPLOY, &[" 1 "], Prints("Staging\n")),
        (&DEPLOY, &["1️⃣"], Prints("Staging\n")),
        (&DEPLOY, &["1.5"], Waits),
        (&PUBLISH, &["7"], Waits),
    ];
    b10_typing_counts_beside_buttons: [
        (&DEPLOY, &["2"], Prints("Production\n")),
        (&DEPLOY, &["production"], Prints("Production\n")),
    ];
    b11_small_talk_is_not_eaten: [
        (&DEPLOY, &["just checking how this looks, nothing to decide"], Waits),
    ];
    b13_a_slip_ends_nothing: [
        (&SIGNALS, &["1,7", "1,3"], Prints("Logs\nTraces\n")),
    ];
    b14_own_words_beside_choices_are_kept: [
        (&SIGNALS_OR_OWN, &["1, 2, page me above 90 %"], Prints("Logs\nMetrics\npage me above 90 %\n")),
    ];
    b59_an_unrelated_message_is_no_choice: [
        (&["How?", "-o", "Rewrite (Recommended)", "-o", "Patch", "--no-other"], &["hold on, what does the log say?"], Waits),
    ];
    b74_digits_of_every_script: [
        (&SIGNALS, &["１，３"], Prints("Logs\nTraces\n")),
        (&SIGNALS, &["１、３"], Prints("Logs\nTraces\n")),
        (&SIGNALS, &["1；3"], Prints("Logs\nTraces\n")),
        (&DEPLOY, &["２"], Prints("Production\n")),
        (&DEPLOY, &["٢"], Prints("Production\n")),
    ];
    b77_the_labels_are_the_vocabulary: [
        (&["Va bene?", "-o", "Sì", "-o", "No", "--no-other"], &["Si"], Prints("Sì\n")),
        (&["Va bene?", "-o", "Sì", "-o", "No", "--no-other"], &["nothing yet"], Waits),
    ];
}
