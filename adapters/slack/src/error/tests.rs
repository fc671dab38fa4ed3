//! Every refusal in plain words that say what to do.

use super::*;

fn refusal(error: &str) -> CallError {
    CallError::Refused { error: error.to_owned(), needed: None, details: Vec::new() }
}

fn spot(conversation: &str) -> Spot {
    Spot::parse(&conversation.into()).unwrap()
}

#[test]
fn refusals_are_told_in_plain_words() {
    use FailureKind::{Later, MessageGone, Refused, Unknown, Unreachable};
    let (person, channel) = ("@U0SAM", "C0TEAM");
    let rows = [
        ("channel_not_found", channel, Unreachable, "/invite @askbot"),
        ("channel_not_found", person, Unreachable, "U0SAM"),
        (
            "not_in_channel",
            channel,
            Unreachable,
            "@askbot is not in this channel: type /invite @askbot there",
        ),
        ("is_archived", channel, Unreachable, "unarchive"),
        ("user_disabled", person, Unreachable, "deactivated"),
        ("user_not_found", person, Unreachable, "no such person"),
        ("cannot_dm_bot", person, Unreachable, "another bot"),
        ("messages_tab_disabled", person, Unreachable, "App Home"),
        ("restricted_action_read_only_channel", channel, Unreachable, "administrator"),
        ("message_not_found", channel, MessageGone, "deleted"),
        ("cant_update_message", channel, MessageGone, "not one of ours"),
        ("edit_window_closed", channel, MessageGone, "this old"),
        ("msg_too_long", channel, Refused, "too long"),
        ("account_inactive", channel, Later(MUCH_LATER), "install the app anew"),
        ("token_revoked", channel, Later(MUCH_LATER), "revoked"),
        ("invalid_auth", channel, Later(MUCH_LATER), "token"),
        ("fatal_error", channel, Unknown, "half-way"),
        ("something_new", channel, Refused, "something_new"),
    ];
    for (error, conversation, kind, words) in rows {
        match refusal(error).meaning(&spot(conversation), Some("askbot")) {
            Meaning::Failed(failure) => {
                assert_eq!(failure.kind, kind, "{error}");
                assert!(failure.why.contains(words), "{error}: {}", failure.why);
            }
            other => panic!("{error} means {other:?}"),
        }
    }
}

#[test]
fn what_is_missing_or_wrong_in_it_is_named() {
    let scope = CallError::Refused {
        error: "missing_scope".to_owned(),
        needed: Some("im:write".to_owned()),
        details: Vec::new(),
    };
    assert!(scope.why_offline().contains("im:write"), "{}", scope.why_offline());
    let invalid = CallError::Refused {
        error: "invalid_blocks".to_owned(),
        needed: None,
        details: vec!["[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text]".to_owned()],
    };
    match invalid.meaning(&spot("C0TEAM"), None) {
        Meaning::Failed(failure) => assert!(failure.why.contains("json-pointer"), "{}", failure.why),
        other => panic!("{other:?}"),
    }
}

/// Whoever reads one of these learns what is wrong and what to do, and no word of the platform's own.
#[test]
fn every_refusal_that_we_know_is_told_in_words_of_ours() {
    let (person, channel) = (spot("@U0SAM"), spot("C0TEAM"));
    let mut told = Vec::new();
    for word in refusals::words() {
        for (spot, handle) in [(&person, None), (&channel, Some("askbot"))] {
            let Meaning::Failed(failure) = refusal(word).meaning(spot, handle) else {
                panic!("{word} is waited for");
            };
            told.push((word, failure.why));
        }
        if refusal(word).is_lasting() {
            told.push((word, refusal(word).why_offline()));
        }
    }
    let flood = CallError::Flood { retry_after: None };
    told.extend([("ratelimited", flood.to_string()), ("ratelimited", flood.why_offline())]);
    for (word, why) in told {
        assert!(!why.contains(word), "{word}: {why}");
        assert!(!why.contains('_') && !why.starts_with("Slack refuses") && why.len() > 15, "{word}: {why}");
    }
}

#[test]
fn a_flood_is_waited_for() {
    let spot = spot("C0TEAM");
    assert_eq!(CallError::Flood { retry_after: None }.meaning(&spot, None), Meaning::Wait(WAIT_UNSAID));
    let flood = CallError::Flood { retry_after: Some(Duration::from_secs(35)) };
    assert_eq!(flood.meaning(&spot, None), Meaning::Wait(Duration::from_secs(35)));
}

#[test]
fn what_only_a_person_can_mend_is_named() {
    let closed = |reason: &str| CallError::Closed { reason: reason.to_owned() };
    let rows = [
        (refusal("invalid_auth"), "xapp-"),
        (refusal("account_inactive"), "install the app anew"),
        (refusal("token_revoked"), "revoked"),
        (refusal("missing_scope"), "scope"),
        (closed("link_disabled"), "Socket Mode is turned off"),
        (closed("too_many_websockets"), "too many programs"),
    ];
    for (error, words) in rows {
        assert!(error.is_lasting() && error.why_offline().contains(words), "{error}");
    }
    for error in [closed("warning"), refusal("internal_error"), CallError::Garbled { status: 502 }] {
        assert!(!error.is_lasting(), "{error}");
    }
}
