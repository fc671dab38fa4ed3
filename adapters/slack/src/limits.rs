//! The numbers of Slack, each with its unit, source and date. No behaviour.

use std::time::Duration;

use askrelay_core::limits::{ControlLimits, FormLimits, InputLimits, Limits, MenuLimits, Unit};

use askrelay_core::pace::Pace;

use crate::config::Policy;

/// What a conversation on Slack can show. `docs` stands for docs.slack.dev.
pub const LIMITS: Limits = Limits {
    // Not said by the platform; assumed (docs/reference/block-kit; 2026-11).
    unit: Unit::CodePoints,
    // The longest text of one block, a section's (docs/reference/block-kit/blocks/section-block; 2026-11). Longer ones pass in rich text,
    // but the text beside the blocks is refused from 4000 on (docs/reference/methods/chat.update; 2026-11).
    message: 3000,
    // Own choice (2026-11): a text of more than four messages is no question any more.
    messages: 4,
    line: None,
    controls: Some(ControlLimits {
        // An actions block takes 25 elements (docs/reference/block-kit/blocks/actions-block; 2026-11), and a message several
        // blocks; own choice (2026-11): no more than one block's.
        buttons: 25,
        // Own choice (2026-11): as many short ones as a phone shows beside each other.
        row: 5,
        // A message takes 50 blocks (docs/reference/block-kit/blocks; 2026-11); own choice (2026-11), so that the text and what a
        // row of several controls needs always find room.
        rows: 20,
        // Code points (docs/reference/block-kit/block-elements/button-element; 2026-11).
        label: 75,
        // Own choice (2026-11): each stands in a row of its own; more are easier to read as a list.
        choices: 4,
        menu: Some(MenuLimits {
            // (docs/reference/block-kit/block-elements/select-menu-element; 2026-11). Up to ten are drawn as a list.
            entries: 100,
            // Code points (docs/reference/block-kit/composition-objects/option-object; 2026-11).
            label: 75,
            // Code points; the same page, 2026-11.
            description: 75,
            several: true,
            // Every press brings the state of the whole message (api.slack.com/changelog/2020-09-full-state-on-view-submisson-and-block-actions).
            held: true,
        }),
        form: Some(FORM),
        input: InputLimits::Modal {
            // Code points (docs/reference/views; 2026-11).
            title: 24,
            // Code points (docs/reference/block-kit/block-elements/plain-text-input-element; 2026-11).
            placeholder: 150,
            // Code points; the same page, 2026-11.
            value: 3000,
            form: FORM,
        },
        // Code points (docs/reference/block-kit/block-elements/button-element; 2026-11).
        link: Some(3000),
    }),
    edits: true,
    // chat.postEphemeral; where it is not shown, the words go into the thread.
    private_notes: true,
    // What begins with `/` never leaves the app: it is a command of the platform.
    command_prefix: '!',
    shared: true,
    hears_all: true,
};

/// Fields of one message or modal.
const FORM: FormLimits = FormLimits {
    // A modal takes 100 blocks, a message 50 (docs/reference/block-kit/blocks; 2026-11); own choice (2026-11): more are no form any more.
    fields: 20,
    // 2000 code points (docs/reference/block-kit/blocks/input-block; 2026-11); own choice (2026-11), since a label is one line.
    label: 300,
    menus: true,
};

/// Most code points of the text beside the blocks (docs/reference/methods/chat.update; 2026-11).
pub(crate) const FALLBACK: usize = 4000;

/// Most code points of all texts of a message's blocks together. Undocumented; measured refusals begin at 13,172
/// (a count of 13,000 is what people keep to, 2026-08).
pub(crate) const BLOCKS: usize = 13_000;

/// Most entries that are drawn as radio buttons or checkboxes (docs/reference/block-kit/block-elements/radio-button-group-element;
/// 2026-11).
pub(crate) const LIST: usize = 10;

/// Most elements of an actions block (docs/reference/block-kit/blocks/actions-block; 2026-11).
pub(crate) const ACTIONS: usize = 25;

/// Most code points of a placeholder (docs/reference/block-kit/block-elements/select-menu-element; 2026-11).
pub(crate) const PLACEHOLDER: usize = 150;

/// Most code points of the question of a dialog (docs/reference/block-kit/composition-objects/confirmation-dialog-object; 2026-11).
pub(crate) const CONFIRM: usize = 300;

/// Most code points of a modal's title (docs/reference/views; 2026-11).
pub(crate) const TITLE: usize = 24;

/// Most code points that a person can type into an input (docs/reference/block-kit/block-elements/plain-text-input-element; 2026-11).
pub(crate) const VALUE: u64 = 3000;

/// The platform's own pace and our waits; what is said without a source is own choice, 2026-11.
pub(crate) const POLICY: Policy = Policy {
    // About one message a second in a conversation (docs/apis/web-api/rate-limits; 2026-11).
    messages: Pace { most: 1, within: Duration::from_secs(1) },
    // chat.update is Tier 3: fifty a minute in a workspace (docs/reference/methods/chat.update; 2026-11).
    edits: Pace { most: 50, within: Duration::from_secs(60) },
    // Own choice (2026-11): answers usually come within one second.
    call: Duration::from_secs(15),
    // The platform waits 3 s (docs/interactivity/handling-user-interaction; 2026-11); own choice: a second is left for the way.
    acknowledge_after: Duration::from_secs(2),
    // The platform pings every few seconds; own choice (2026-11).
    quiet: Duration::from_secs(20),
    // The platform warns about ten seconds ahead (docs/apis/events-api/using-socket-mode; 2026-11); own choice.
    overlap: Duration::from_secs(60),
    // Own choice (2026-11).
    offline_after: Duration::from_secs(10),
    // Own choice (2026-11).
    retry_first: Duration::from_secs(1),
    // Own choice (2026-11).
    retry_slowly: Duration::from_secs(30),
    // Own choice (2026-11).
    end_wait: Duration::from_secs(10),
    // Own choice (2026-11).
    queue: 10_000,
    // Own choice (2026-11).
    remembered: 4096,
};

/// How long and how often words can be sent by the address that comes with a press
/// (docs/interactivity/handling-user-interaction; 2026-11).
pub(crate) const RESPONSES: (Duration, usize) = (Duration::from_secs(30 * 60), 5);

/// How long a modal can be opened after the press (docs/reference/methods/views.open; 2026-11).
pub(crate) const TRIGGER: Duration = Duration::from_secs(3);

/// Interactions, own messages and threads that are remembered. Own choice, 2026-11.
pub(crate) const REMEMBERED: usize = 4096;

/// How old a signed request may be (docs/authentication/verifying-requests-from-slack; 2026-11).
pub(crate) const SIGNED: Duration = Duration::from_secs(5 * 60);

/// Requests of the platform that wait for the inbox. Own choice, 2026-11.
pub(crate) const DELIVERIES: usize = 100;
