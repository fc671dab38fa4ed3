//! Controls as an inline keyboard. Leaves out nothing: a link that the platform refuses to put on a button comes back as a line
//! of text.

use askrelay_core::prompt::{Control, Row};
use teloxide::types::{InlineKeyboardButton, InlineKeyboardMarkup};

use super::words::address;
use crate::error::EncodeError;

/// A keyboard, and what cannot be on it.
#[derive(Debug, Default)]
pub(super) struct Keys {
    pub(super) keyboard: Option<InlineKeyboardMarkup>,
    /// Lines for the text.
    pub(super) addresses: Vec<String>,
}

pub(super) fn keys(rows: &[Row]) -> Result<Keys, EncodeError> {
    let mut keys = Keys::default();
    let mut drawn = Vec::new();
    for row in rows {
        let mut buttons = Vec::new();
        for control in row {
            match control {
                Control::Button { label, token, .. } => {
                    buttons.push(InlineKeyboardButton::callback(label.clone(), token.clone()));
                }
                Control::Link { label, url } => match address(url) {
                    Some(url) => buttons.push(InlineKeyboardButton::url(label.clone(), url)),
                    None => keys.addresses.push(format!("{label}: {url}")),
                },
                Control::Menu { .. } | Control::Input { .. } => return Err(EncodeError::Menu),
            }
        }
        if !buttons.is_empty() {
            drawn.push(buttons);
        }
    }
    keys.keyboard = (!drawn.is_empty()).then(|| InlineKeyboardMarkup::new(drawn));
    Ok(keys)
}
