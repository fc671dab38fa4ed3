//! The token of an interaction: whoever has it may answer in the bot's name. It is never printed, and means nothing to anybody but the
//! platform.

use std::fmt;

/// An interaction's token.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct InteractionToken(String);

impl InteractionToken {
    pub(crate) const fn new(token: String) -> Self {
        Self(token)
    }

    /// For the path of a call.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for InteractionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InteractionToken([hidden])")
    }
}
