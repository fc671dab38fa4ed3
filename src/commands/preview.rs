//! `askrelay preview`: exactly what a surface would show for an ask, from that surface's limits and encoder. Sends nothing and
//! needs no configuration.

use askrelay_core::ask::{Binding, Creator};
use askrelay_core::id::{GatewayId, RecordKey};
use askrelay_core::limits::{Limits, Unit};
use askrelay_core::person::Scopes;
use askrelay_core::prompt::{Body, Draft, Prompt, View, open};
use askrelay_core::record::{Record, State};
use askrelay_core::time::Time;
use askrelay_core::token::Nonce;
use askrelay_protocol::call::AskParams;
use askrelay_protocol::error::WireError;
use askrelay_protocol::frame::Caps;
use askrelay_terminal::Look;

use super::given::{self, GivenError};
use crate::args::PreviewArgs;
use crate::compose::KINDS;

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    /// There is no such surface.
    #[error("no surface is named '{name}'; there are: {}", names())]
    UnknownSurface {
        /// The name.
        name: String,
    },
    /// The ask cannot be read.
    #[error(transparent)]
    Given(#[from] GivenError),
    /// It is no ask.
    #[error("{file} is no ask: {}", faults.message)]
    NoAsk {
        /// What was read.
        file: String,
        /// Everything wrong with it.
        faults: WireError,
    },
}

fn names() -> String {
    surfaces().iter().map(|surface| surface.name).collect::<Vec<_>>().join(", ")
}

struct Surface {
    name: &'static str,
    limits: Limits,
    encode: fn(&Prompt) -> String,
}

/// The terminal, every chat surface of this build, and plain text.
fn surfaces() -> Vec<Surface> {
    let chat = KINDS.iter().map(|kind| Surface {
        name: kind.name,
        limits: kind.limits.clone(),
        encode: kind.preview,
    });
    let terminal =
        Surface { name: askrelay_terminal::SURFACE, limits: askrelay_terminal::LIMITS, encode: terminal };
    let text = Surface { name: "text", limits: TEXT, encode: messages };
    [terminal].into_iter().chain(chat).chain([text]).collect()
}

/// Any surface that reads and writes text, in the size that most chats take.
const TEXT: Limits = Limits {
    unit: Unit::CodePoints,
    // Code points. Our own choice, 2026-11: the smallest message of the large chat platforms.
    message: 2000,
    messages: 10,
    line: None,
    controls: None,
    edits: false,
    private_notes: false,
    command_prefix: '/',
    shared: true,
    hears_all: true,
};

/// The width of a terminal that a preview is for.
const COLUMNS: usize = 80;

/// What would be shown at `now`.
///
/// # Errors
/// [`PreviewError`].
pub fn preview(args: &PreviewArgs, now: Time) -> Result<String, PreviewError> {
    let surface = surfaces().into_iter().find(|surface| surface.name == args.surface);
    let surface = surface.ok_or_else(|| PreviewError::UnknownSurface { name: args.surface.clone() })?;
    let record = record(args, now)?;
    let prompt = open(&View {
        record: &record,
        limits: &surface.limits,
        draft: &Draft::default(),
        audience: "",
        nonce: Nonce::fresh(&mut Zeroes),
        now,
        zone_minutes: 0,
        typed: true,
        panel: None,
        forgotten: false,
        alone: false,
    });
    Ok((surface.encode)(&prompt))
}

/// The ask as a Record that was just created by somebody's run.
fn record(args: &PreviewArgs, now: Time) -> Result<Record, PreviewError> {
    let caps = Caps { wide: true };
    let creator = Creator { person: None, token: None, binding: Binding::Run, scopes: Scopes::new() };
    let parsed =
        AskParams::parse(&given::read(&args.file)?, caps).and_then(|params| params.into_ask(creator, caps));
    let ask = parsed.map_err(|faults| PreviewError::NoAsk { file: given::name(&args.file), faults })?;
    let key = RecordKey { gateway: GatewayId::from("local"), id: "preview".into(), created_at: now };
    Ok(Record {
        key,
        expires_at: now.after(ask.wait),
        ask,
        state: State::Pending,
        late: Vec::new(),
        collected: None,
    })
}

fn terminal(prompt: &Prompt) -> String {
    askrelay_terminal::prompt(prompt, &Look { columns: COLUMNS, styled: false })
}

fn messages(prompt: &Prompt) -> String {
    let mut out = String::new();
    let count = prompt.messages.len();
    for (index, Body(pieces)) in prompt.messages.iter().enumerate() {
        if count > 1 {
            out.push_str(&format!("--- message {} of {count}\n", index + 1));
        }
        out.extend(pieces.iter().map(|piece| piece.text.as_str()));
        out.push('\n');
    }
    out
}

/// A preview shows no controls, so its nonce guards nothing.
struct Zeroes;

impl askrelay_core::id::Fresh for Zeroes {
    fn bytes(&mut self) -> [u8; 16] {
        [0; 16]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASK: &str = r#"{
        "questions": [
            {"questionId": "target", "header": "Deploy", "question": "Where should this release go?",
             "options": [{"label": "Staging (Recommended)", "description": "safe first"}, {"label": "Production"}]},
            {"questionId": "name", "question": "What should it be called?", "isOther": true, "placeholder": "a bird"}
        ],
        "agentId": "release-bot"
    }"#;

    fn shown(surface: &str, ask: &str) -> Result<String, PreviewError> {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("ask.json");
        std::fs::write(&file, ask).unwrap();
        preview(&PreviewArgs { surface: surface.to_owned(), file }, Time(1_764_500_000_000))
    }

    #[test]
    fn an_ask_as_each_surface_shows_it() {
        let mut text = String::new();
        for surface in ["terminal", "telegram", "discord", "slack", "text"] {
            text.push_str(&format!("=== {surface}\n{}", shown(surface, ASK).unwrap()));
        }
        insta::assert_snapshot!(text);
    }

    #[test]
    fn own_words_beside_choices_are_shown_where_the_question_says_so() {
        for (is_other, expected) in
            [("", false), (r#", "isOther": false"#, false), (r#", "isOther": true"#, true)]
        {
            let ask = format!(
                r#"{{"questions": [{{"questionId": "a", "question": "Go?", "options": [{{"label": "Go"}}, {{"label": "Stay"}}]{is_other}}}]}}"#
            );
            for surface in ["terminal", "telegram", "discord", "slack", "text"] {
                let text = shown(surface, &ask).unwrap();
                let takes = text.contains("own words") || text.contains("Other…");
                assert_eq!(takes, expected, "{surface} {is_other}: {text}");
            }
        }
    }

    #[test]
    fn what_cannot_be_shown_is_named() {
        let rows = [
            ("pigeon", ASK, "'pigeon'"),
            ("terminal", "{}", "questions"),
            ("terminal", r#"{"questions": [{"questionId": "a", "question": " "}]}"#, "must not be blank"),
        ];
        for (surface, ask, expected) in rows {
            let error = shown(surface, ask).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
