//! Runs one app's two sides, the outgoing and the incoming; what they do is their files' business.

mod config;
mod decode;
mod encode;
mod error;
mod inbox;
mod limits;
mod pace;
mod place;
mod presses;
mod webhook;

pub use config::{API_URL, Config, Mode, Pace, Policy, SURFACE};
pub use encode::preview;
pub use error::SlackError;
pub use limits::LIMITS;
pub use reqwest::Url;
pub use webhook::{Webhook, webhook};
