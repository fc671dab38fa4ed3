//! The numbers of Discord, each with its unit, source and date. No behaviour. D/ is docs.discord.com/developers.

use std::time::Duration;

use askrelay_core::limits::{ControlLimits, FormLimits, InputLimits, Limits, MenuLimits, Unit};

use askrelay_core::pace::Pace;

use crate::config::Policy;

/// What a conversation on Discord can show.
pub const LIMITS: Limits = Limits {
    // Code points (staff in discord-api-docs#1315; 2026-11).
    unit: Unit::CodePoints,
    // Code points, as they are sent (D/resources/message; 2026-11).
    message: 2000,
    // Own choice (2026-11): a text of more than four messages is no question any more.
    messages: 4,
    line: None,
    controls: Some(ControlLimits {
        // Five rows of five (D/components/reference; 2026-11).
        buttons: 25,
        // Buttons in an action row (D/components/reference; 2026-11).
        row: 5,
        // Action rows of a message; a menu fills one (D/components/reference; 2026-11).
        rows: 5,
        // Code points (D/components/reference; 2026-11).
        label: 80,
        // Four rows of five; the fifth is for own words, links and Skip. Own choice, 2026-11.
        choices: 20,
        menu: Some(MenuLimits {
            // Options of a string select (D/components/reference; 2026-11).
            entries: 25,
            // Code points (D/components/reference; 2026-11).
            label: 100,
            // Code points (D/components/reference; 2026-11).
            description: 100,
            several: true,
            held: false,
        }),
        form: None,
        input: InputLimits::Modal {
            // Code points (D/interactions/receiving-and-responding; 2026-11).
            title: 45,
            // Code points (D/components/reference; 2026-11).
            placeholder: 100,
            // Code points (D/components/reference; 2026-11).
            value: 4000,
            form: FormLimits {
                // Components of a modal (D/interactions/receiving-and-responding; 2026-11).
                fields: 5,
                // Code points of a label (D/components/reference; 2026-11).
                label: 45,
                menus: true,
            },
        },
        link: Some(LINK),
    }),
    edits: true,
    private_notes: false,
    command_prefix: '!',
    shared: true,
    // Without the Message Content intent only mentions, replies to the bot and direct messages are heard
    // (docs.discord.com, Gateway; 2026-11).
    hears_all: false,
};

/// Most code points of a button's address, as it is sent (D/components/reference; 2026-11).
pub(crate) const LINK: usize = 512;

/// Most code points of the hint in a menu (D/components/reference; 2026-11).
pub(crate) const MENU_PLACEHOLDER: usize = 150;

/// Most code points of a modal's title (D/interactions/receiving-and-responding; 2026-11).
pub(crate) const TITLE: usize = 45;

/// Most code points of the label of a modal's field (D/components/reference; 2026-11).
pub(crate) const FIELD_LABEL: usize = 45;

/// Most code points of the hint in an empty field (D/components/reference; 2026-11).
pub(crate) const PLACEHOLDER: usize = 100;

/// Most code points that a field of a modal holds (D/components/reference; 2026-11).
pub(crate) const VALUE: usize = 4000;

/// Most code points of what a control brings back (D/components/reference; 2026-11).
pub(crate) const PAYLOAD: usize = 100;

/// Milliseconds of 2015-01-01 since 1970, from which the platform's ids count (D/reference#snowflakes; 2026-11).
pub(crate) const EPOCH_MS: i64 = 1_420_070_400_000;

/// How long what follows the answer to an interaction can be said (D/interactions/receiving-and-responding says 15 minutes;
/// 2026-11), with room for a slow call.
pub(crate) const TOKEN_LIVES: Duration = Duration::from_secs(14 * 60);

/// Presses whose acknowledgement or outcome is owed, and presses remembered. More than come in the life of a token; own choice,
/// 2026-11.
pub(crate) const PRESSES: usize = 4096;

/// Reports that wait for the relay before the gateway is read no further; own choice, 2026-11.
pub(crate) const WAITING: usize = 1024;

/// Conversations with one person whose channel is remembered; own choice, 2026-11.
pub(crate) const PEOPLE: usize = 10_000;

/// The platform's own pace and our waits; what is said without a source is own choice, 2026-11.
pub(crate) const POLICY: Policy = Policy {
    // Requests a second, but for answers to interactions (D/topics/rate-limits; 2026-11).
    overall: Pace { most: 50, within: Duration::from_secs(1) },
    // A fifth of what all calls together may be; own choice (2026-12).
    looks: Pace { most: 10, within: Duration::from_secs(1) },
    // Less than the five seconds that the program gives a look; own choice (2026-12).
    look_within: Duration::from_secs(4),
    // One second before the platform's 3 s are over (D/interactions/receiving-and-responding; 2026-11).
    acknowledge_after: Duration::from_secs(2),
    // The platform's own (D/interactions/receiving-and-responding; 2026-11).
    answer_within: Duration::from_secs(3),
    // Own choice (2026-11): answers usually come within one second.
    call: Duration::from_secs(15),
    // Own choice (2026-11).
    send_again: Duration::from_secs(1),
    // How often a call is made whose outcome nobody knows; own choice (2026-11).
    tries: 3,
    // Own choice (2026-11).
    offline_after: Duration::from_secs(10),
    // Own choice (2026-11).
    retry_first: Duration::from_secs(1),
    // Own choice (2026-11).
    retry_slowly: Duration::from_secs(30),
    // At least a second after a session was refused (D/events/gateway#resuming says 1 to 5 s; 2026-11).
    identify_wait: Duration::from_secs(3),
    // Own choice (2026-11): the platform greets at once.
    hello_wait: Duration::from_secs(15),
    // Own choice (2026-11): with what is then given back, an end takes ten seconds at most.
    end_wait: Duration::from_secs(9),
    // Orders that wait to be sent; own choice (2026-11).
    queue: 10_000,
    // Orders carried out that are remembered; own choice (2026-11).
    remembered: 4096,
};
