//! The platform's words for what it refuses, each with what it means and what to do, in plain words. Knows no calls.

use askrelay_core::port::{Failure, FailureKind};

use super::{LATER, MUCH_LATER, told};
use crate::place::{Room, Spot};

/// What to say about a refusal.
#[derive(Clone, Copy)]
enum Why {
    Words(&'static str),
    /// The conversation is not there for the bot.
    NoConversation,
    /// The bot is not in it.
    NotIn,
    /// A scope is missing.
    Scope,
}

const CHANNEL_RESTRICTED: &str =
    "an administrator restricts who may write in this channel: let the app write";
const TOKEN_GONE: &str =
    "the bot's token is not valid (any more): install the app anew and take its new xoxb- token";

/// Refusals that mean something to us, by the platform's word.
const REFUSALS: &[(&str, FailureKind, Why)] = {
    use FailureKind::{Later, MessageGone, Refused, Unknown, Unreachable};
    use Why::{NoConversation, NotIn, Scope, Words};
    &[
        ("channel_not_found", Unreachable, NoConversation),
        ("not_in_channel", Unreachable, NotIn),
        ("is_archived", Unreachable, Words("the channel is archived: unarchive it, or name another")),
        ("channel_is_archived", Unreachable, Words("the channel is archived: unarchive it, or name another")),
        ("thread_not_found", Unreachable, Words("the thread is not there (any more)")),
        (
            "cannot_reply_to_message",
            Unreachable,
            Words("nobody can reply to this message: name another thread"),
        ),
        ("restricted_action", Unreachable, Words(CHANNEL_RESTRICTED)),
        ("restricted_action_read_only_channel", Unreachable, Words(CHANNEL_RESTRICTED)),
        (
            "restricted_action_thread_only_channel",
            Unreachable,
            Words("only threads can be written to in this channel: name one"),
        ),
        (
            "restricted_action_non_threadable_channel",
            Unreachable,
            Words("this channel has no threads: name the channel alone"),
        ),
        ("restricted_action_thread_locked", Unreachable, Words("the thread is locked: name another")),
        (
            "team_access_not_granted",
            Unreachable,
            Words(
                "the app may not use this workspace: an administrator of the organisation must add it there",
            ),
        ),
        ("user_not_found", Unreachable, Words("there is no such person in this workspace")),
        ("users_not_found", Unreachable, Words("there is no such person in this workspace")),
        ("user_disabled", Unreachable, Words("this person's account is deactivated")),
        ("user_not_visible", Unreachable, Words("the app may not see this person")),
        ("user_not_in_channel", Unreachable, Words("the person is not in the channel: invite them")),
        ("cannot_dm_bot", Unreachable, Words("this is another bot, and bots do not answer each other")),
        (
            "messages_tab_disabled",
            Unreachable,
            Words(
                "people cannot be written to by this app: turn on the Messages tab, on the app's page App Home",
            ),
        ),
        (
            "ekm_access_denied",
            Unreachable,
            Words("the organisation's administrators stopped messages here (key management)"),
        ),
        ("message_not_found", MessageGone, Words("the message was deleted")),
        ("cant_update_message", MessageGone, Words("the message is not one of ours")),
        ("edit_window_closed", MessageGone, Words("the workspace lets nobody edit a message this old")),
        ("is_inactive", MessageGone, Words("the message cannot be edited any more: its channel is frozen")),
        ("msg_too_long", Refused, Words("the text is too long for Slack")),
        ("msg_blocks_too_long", Refused, Words("the text is too long for Slack")),
        ("no_text", Refused, Words("there is no text to show")),
        ("missing_scope", Later(MUCH_LATER), Scope),
        (
            "not_allowed_token_type",
            Later(MUCH_LATER),
            Words("the token is of the wrong kind: take the bot token (xoxb-), from OAuth & Permissions"),
        ),
        (
            "account_inactive",
            Later(MUCH_LATER),
            Words(
                "the bot was removed from the workspace, or the workspace is gone: install the app anew and take its new token",
            ),
        ),
        (
            "token_revoked",
            Later(MUCH_LATER),
            Words("the bot's token was revoked: install the app anew and take its new xoxb- token"),
        ),
        (
            "token_expired",
            Later(MUCH_LATER),
            Words(
                "the bot's token has expired: turn token rotation off, on the app's page OAuth & Permissions, and install the app anew",
            ),
        ),
        ("invalid_auth", Later(MUCH_LATER), Words(TOKEN_GONE)),
        ("not_authed", Later(MUCH_LATER), Words(TOKEN_GONE)),
        (
            "org_login_required",
            Later(MUCH_LATER),
            Words(
                "the workspace is being moved into an organisation: install the app anew once that is done",
            ),
        ),
        (
            "access_denied",
            Later(MUCH_LATER),
            Words("an administrator does not let the app do this: ask them"),
        ),
        (
            "accesslimited",
            Later(MUCH_LATER),
            Words(
                "the workspace lets the app in only from certain addresses: add this one, on the app's page OAuth & Permissions",
            ),
        ),
        (
            "two_factor_setup_required",
            Later(MUCH_LATER),
            Words("the workspace asks for two-factor authentication: set it up"),
        ),
        (
            "message_limit_exceeded",
            Later(MUCH_LATER),
            Words("the workspace has sent as many messages as its plan allows"),
        ),
        (
            "team_added_to_org",
            Later(MUCH_LATER),
            Words("the workspace is being moved into an organisation: this passes by itself"),
        ),
        ("rate_limited", Later(LATER), Words("Slack wants to be left alone for a while")),
        ("service_unavailable", Later(LATER), Words("Slack is out of order for the moment")),
        ("fatal_error", Unknown, Words("Slack failed half-way")),
        ("internal_error", Unknown, Words("Slack failed half-way")),
        ("request_timeout", Unknown, Words("Slack failed half-way")),
    ]
};

/// Every word of the platform's that we know.
#[cfg(test)]
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    REFUSALS.iter().map(|(word, ..)| *word)
}

/// What a refusal of a call about this conversation means.
pub(super) fn refused(
    error: &str,
    needed: Option<&str>,
    details: &[String],
    spot: &Spot,
    handle: Option<&str>,
) -> Failure {
    match REFUSALS.iter().find(|(word, ..)| *word == error) {
        Some((_, kind, why)) => Failure { kind: *kind, why: in_words(*why, needed, spot, handle) },
        None => {
            Failure { kind: FailureKind::Refused, why: format!("Slack refuses: {error}{}", told(details)) }
        }
    }
}

fn in_words(why: Why, needed: Option<&str>, spot: &Spot, handle: Option<&str>) -> String {
    let bot = handle.map_or_else(|| "the bot".to_owned(), |handle| format!("@{handle}"));
    let invite = handle
        .map_or_else(|| "invite the bot there".to_owned(), |handle| format!("type /invite @{handle} there"));
    match why {
        Why::Words(words) => words.to_owned(),
        Why::Scope => scope(needed),
        Why::NotIn => format!("{bot} is not in this channel: {invite}"),
        Why::NoConversation => match &spot.room {
            Room::Channel(channel) => {
                format!("there is no channel {channel}, or it is private and {bot} is not in it: {invite}")
            }
            Room::Person(user) => format!("there is no conversation with user {user}"),
        },
    }
}

fn scope(needed: Option<&str>) -> String {
    let what = needed.map_or_else(|| "a scope".to_owned(), |scope| format!("the scope {scope}"));
    format!("the app lacks {what}: add it on the app's page OAuth & Permissions, then install the app anew")
}

/// Why the Account is offline.
pub(super) fn why_offline(error: &str, needed: Option<&str>) -> String {
    match error {
        "missing_scope" => scope(needed),
        "not_allowed_token_type" => {
            "a token is of the wrong kind: askrelay needs the bot token (xoxb-) and, for Socket Mode, the app-level token (xapp-)"
                .to_owned()
        }
        "invalid_auth" | "not_authed" => {
            "a token is not valid: take the bot token (xoxb-) from OAuth & Permissions, and the app-level token (xapp-) from Basic Information"
                .to_owned()
        }
        "forbidden_team" => "the workspace does not let the app connect: ask its administrators".to_owned(),
        _ => match REFUSALS.iter().find(|(word, ..)| *word == error) {
            Some((_, _, Why::Words(words))) => (*words).to_owned(),
            _ => format!("Slack refuses: {error}"),
        },
    }
}

/// Refusals of every call with the same token.
const TOKEN: [&str; 6] = [
    "account_inactive",
    "invalid_auth",
    "not_authed",
    "org_login_required",
    "token_expired",
    "token_revoked",
];

/// It is the token that is refused, and not what was called with it.
pub(super) fn is_of_the_token(error: &str) -> bool {
    TOKEN.contains(&error)
}

/// Only a person can mend it.
pub(super) fn is_lasting(error: &str) -> bool {
    let much_later = |(word, kind, _): &&(&str, FailureKind, Why)| {
        *word == error && *kind == FailureKind::Later(MUCH_LATER)
    };
    error == "forbidden_team" || REFUSALS.iter().find(much_later).is_some()
}
