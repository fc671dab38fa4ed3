//! What passes between the tools, which are pure, and the server that asks for them: a call as it was understood, and how its
//! ask went. Reads no arguments and asks nobody.

use askrelay_core::time::Time;
use askrelay_protocol::call::AskParams;
use serde_json::Value;

/// What one call asks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// The Ask; without an id, which the server finds, and without what the connection knows better: origin, places.
    pub params: AskParams,
    /// The caller's own key: the same key with the same question is the same Ask.
    pub key: Option<String>,
    /// What becomes of the Ask when the client takes its call back.
    pub on_cancel: OnCancel,
}

/// What becomes of an Ask whose call was cancelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnCancel {
    /// It goes on: the next call of the same kind joins it.
    #[default]
    Keep,
    /// It is withdrawn.
    Withdraw,
}

/// The way by which a person was asked last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Via {
    /// A chat, or any other caller of the gateway.
    Chat,
    /// The client's own form.
    Elicitation,
    /// The one-time page of this machine.
    Form,
    /// None.
    #[default]
    None,
}

impl Via {
    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Elicitation => "elicitation",
            Self::Form => "http_form",
            Self::None => "none",
        }
    }
}

/// What is left when nobody can be asked by chat or by the client's form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fallback {
    /// The question goes back to the model.
    #[default]
    Return,
    /// A one-time page of this machine.
    Http,
    /// An error.
    Off,
}

impl Fallback {
    /// The name in settings and results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Return => "return",
            Self::Http => "http",
            Self::Off => "off",
        }
    }
}

/// How the asking went, beside what the Record tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct How {
    /// The way by which the answer came, or was tried last.
    pub via: Via,
    /// When the call began.
    pub began_at: Time,
    /// When the result is made.
    pub now: Time,
    /// The client can show forms.
    pub client_elicitation: bool,
    /// What the setting leaves when nobody can be asked.
    pub fallback: Fallback,
    /// The client's form was declined faster than a person could have.
    pub auto_reject_suspected: bool,
    /// The address of the one-time page, while there is one.
    pub form_url: Option<String>,
    /// The call joined an Ask that ran already.
    pub joined: bool,
}

/// A tool's result.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// For programs, as the tool's output schema says; null: nothing, as that schema has no room for what went wrong.
    pub structured: Value,
    /// The same for whoever reads only text.
    pub text: String,
    /// The tool failed, as MCP means it.
    pub is_error: bool,
}
