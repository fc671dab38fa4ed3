//! How this asker asks: by which ways, as whom, how long a call waits. Reads no environment and no file.

use std::time::Duration;

use askrelay_core::ask::Origin;
use askrelay_core::time::Span;

use crate::tool::Settings;

/// The asker's settings.
#[derive(Clone, Debug)]
pub struct Config {
    /// What the tools follow.
    pub settings: Settings,
    /// Which agent, session and run asks, unless a call says otherwise.
    pub origin: Origin,
    /// The ways of asking, the first that is open first.
    pub ways: Vec<Way>,
    /// How long one call waits at most; none: until the end of its ask.
    pub call_wait: Option<Span>,
    /// Between two signs of life while a call waits.
    pub progress: Duration,
    /// The version that clients are told.
    pub version: String,
}

/// One way of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The person's chat.
    Chat,
    /// The client's own form.
    Elicitation,
    /// What `HIM_FALLBACK` says.
    Fallback,
}

impl Way {
    /// All of them, in the order that holds unless something else is said.
    pub const ALL: [Self; 3] = [Self::Chat, Self::Elicitation, Self::Fallback];

    /// The name in settings and results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Elicitation => "elicitation",
            Self::Fallback => "fallback",
        }
    }

    /// An order of ways, such as `elicitation,chat`. What it leaves out is not used, but for the fallback, which always comes last.
    ///
    /// # Errors
    /// The first word that names no way.
    pub fn order(text: &str) -> Result<Vec<Self>, String> {
        let mut order = Vec::new();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let way = Self::ALL.into_iter().find(|way| way.name() == word);
            let way = way.ok_or_else(|| {
                format!("'{word}' is no way of asking; there are chat, elicitation, fallback")
            })?;
            if !order.contains(&way) {
                order.push(way);
            }
        }
        order.retain(|way| *way != Self::Fallback);
        order.push(Self::Fallback);
        Ok(order)
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            origin: Origin::default(),
            ways: Way::ALL.to_vec(),
            call_wait: None,
            progress: Duration::from_secs(10),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}
