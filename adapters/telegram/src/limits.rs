//! The numbers of Telegram, each with its unit, source and date. No behaviour.

use std::time::Duration;

use askrelay_core::limits::{ControlLimits, InputLimits, Limits, Unit};

use askrelay_core::pace::Pace;

use crate::config::Policy;

/// What a chat on Telegram can show.
pub const LIMITS: Limits = Limits {
    // TDLib counts a text in code points (td/telegram/MessageContent.cpp; 2026-11). Offsets of entities are UTF-16 units.
    unit: Unit::CodePoints,
    // Code points, after entities (core.telegram.org/bots/api#sendmessage; 2026-11).
    message: 4096,
    // Own choice (2026-11): a text of more than four messages is no question any more.
    messages: 4,
    line: None,
    controls: Some(ControlLimits {
        // Undocumented; about a hundred pass, and a whole keyboard of about 10 kB (tginfo/Telegram-Limits #187, #228; 2026-11).
        buttons: 40,
        // Undocumented; more are refused (tginfo/Telegram-Limits #228; 2026-11).
        row: 8,
        // As many as buttons; own choice, 2026-11.
        rows: 40,
        // Code points; undocumented. Own choice (2026-11): about what a phone shows in a button of full width.
        label: 40,
        // Own choice (2026-11): as many as a phone shows without scrolling.
        choices: 10,
        menu: None,
        form: None,
        input: InputLimits::ForcedReply {
            // Code points (core.telegram.org/bots/api#forcereply; 2026-11).
            placeholder: 64,
        },
        // Code points; undocumented. Own choice (2026-11): no longer than the core lets an address be.
        link: Some(2048),
    }),
    edits: true,
    private_notes: false,
    command_prefix: '/',
    shared: true,
    hears_all: true,
};

/// Most UTF-16 units of the words that answer a press (core.telegram.org/bots/api#answercallbackquery says 200 characters;
/// 2026-11); the stricter unit.
pub(crate) const TOAST: usize = 200;

/// Code points from which on the words that answer a press are a window to be closed, since a passing note cannot be read in
/// time. Own choice, 2026-11.
pub(crate) const ALERT: usize = 100;

/// Most entities of a message; TDLib drops what is beyond (td/telegram/MessageEntity.cpp; 2026-11).
pub(crate) const ENTITIES: usize = 100;

/// Shortest name that a text can mention, without the `@` (td/telegram/MessageEntity.cpp; 2026-11).
pub(crate) const NAME_MIN: usize = 2;

/// Users that fill the sender's place where an administrator stays anonymous (GroupAnonymousBot), a channel writes (Channel_Bot),
/// or a post comes from the linked channel (Telegram itself); python-telegram-bot's constants, 2026-11.
pub(crate) const NOBODY: [i64; 3] = [1_087_968_824, 136_817_688, 777_000];

/// The General topic, which is sent to without naming it (tdlib/telegram-bot-api Client.cpp; 2026-11).
pub(crate) const GENERAL_TOPIC: i32 = 1;

/// The platform's own pace and our waits; what is said without a source is own choice, 2026-11.
pub(crate) const POLICY: Policy = Policy {
    // One message a second in a chat, twenty a minute in a group, about thirty a second overall
    // (core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this; 2026-11).
    private: Pace { most: 1, within: Duration::from_secs(1) },
    // Twenty a minute; the same source, 2026-11.
    group: Pace { most: 20, within: Duration::from_secs(60) },
    // About thirty a second; the same source, 2026-11.
    // Calls a second overall, about (same page, 2026-11).
    overall: Pace { most: 30, within: Duration::from_secs(1) },
    // Undocumented for edits; own choice (2026-11).
    edits: Pace { most: 5, within: Duration::from_secs(5) },
    // Decided in `port::Acknowledgement::Later`: up to a second (2026-11).
    toast_wait: Duration::from_secs(1),
    // The platform allows 50 s (tdlib/telegram-bot-api Client.cpp; 2026-11); a proxy on the way often less than 30.
    poll: Duration::from_secs(10),
    // Own choice (2026-11): answers usually come within one second.
    call: Duration::from_secs(20),
    // Own choice (2026-11).
    offline_after: Duration::from_secs(10),
    // Own choice (2026-11).
    retry_first: Duration::from_secs(1),
    // Own choice (2026-11).
    retry_slowly: Duration::from_secs(30),
    // Own choice (2026-11): the store saves within milliseconds.
    save_wait: Duration::from_millis(250),
    // Own choice (2026-11): a text that waits for a Prompt on its way is saved later than this only if it got lost.
    deliver_again: Duration::from_secs(10),
    // Own choice (2026-11): below the time after which the platform gives a webhook up.
    webhook_wait: Duration::from_secs(10),
    // Own choice (2026-11).
    end_wait: Duration::from_secs(10),
    // Orders that wait to be sent; own choice (2026-11).
    queue: 10_000,
    // Orders carried out that are remembered; own choice (2026-11).
    remembered: 4096,
};

/// Presses whose acknowledgement is owed, and presses remembered as acknowledged. The platform forgets a press long before
/// so many came; own choice, 2026-11.
pub(crate) const PRESSES: usize = 4096;

/// Most updates that one poll brings (core.telegram.org/bots/api#getupdates; 2026-11).
pub(crate) const BATCH: u8 = 100;

/// Updates of a webhook on their way; the platform opens at most 100 connections
/// (core.telegram.org/bots/api#setwebhook; 2026-11).
pub(crate) const DELIVERIES: usize = 100;
