//! Controls as rows of buttons and menus under a message. Leaves out nothing: a link that the platform refuses to put on a button
//! comes back as a line of text.

use askrelay_core::prompt::shorten::shorten;
use askrelay_core::prompt::{Control, Entry, Look, Row};
use reqwest::Url;
use serenity::builder::{
    CreateActionRow, CreateButton, CreateSelectMenu, CreateSelectMenuKind, CreateSelectMenuOption,
};
use serenity::model::application::ButtonStyle;

use super::words::address;
use crate::error::EncodeError;
use crate::limits::{LIMITS, LINK, MENU_PLACEHOLDER, PAYLOAD};

/// Rows, and what cannot be in them.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    pub(super) rows: Vec<CreateActionRow>,
    /// Lines for the text, as they are sent.
    pub(super) addresses: Vec<String>,
}

pub(super) fn draw(rows: &[Row]) -> Result<Drawn, EncodeError> {
    let mut drawn = Drawn::default();
    for row in rows {
        let mut buttons = Vec::new();
        for control in row {
            match control {
                Control::Button { label, token, look, .. } => {
                    check(token)?;
                    buttons.push(CreateButton::new(token).label(label).style(style(*look)));
                }
                Control::Link { label, url } => match address(url).filter(fits_button) {
                    Some(url) => buttons.push(CreateButton::new_link(url).label(label)),
                    None => drawn.addresses.push(super::words::plain(&format!("{label}: {url}"))),
                },
                Control::Menu { .. } => drawn.rows.push(CreateActionRow::SelectMenu(menu(control)?)),
                Control::Input { .. } => return Err(EncodeError::Input),
            }
        }
        if !buttons.is_empty() {
            drawn.rows.push(CreateActionRow::Buttons(buttons));
        }
    }
    Ok(drawn)
}

/// A menu, for a message or a form.
pub(super) fn menu(control: &Control) -> Result<CreateSelectMenu, EncodeError> {
    let Control::Menu { label, placeholder, token, entries, min, max } = control else {
        return Err(EncodeError::Input);
    };
    check(token)?;
    let options = entries.iter().map(option).collect();
    let most = entries.len().max(1);
    let few = |count: usize| u8::try_from(count.min(most)).unwrap_or(u8::MAX);
    let menu = CreateSelectMenu::new(token, CreateSelectMenuKind::String { options })
        .min_values(few(*min))
        .max_values(few((*max).max(1)));
    let hint = label.as_ref().filter(|_| placeholder.trim().is_empty()).unwrap_or(placeholder);
    let hint = shorten(hint, LIMITS.unit, MENU_PLACEHOLDER);
    Ok(if hint.trim().is_empty() { menu } else { menu.placeholder(hint) })
}

/// As it is sent an address may be longer than it was: every sign beyond ASCII is written as several.
fn fits_button(url: &Url) -> bool {
    LIMITS.unit.measure(url.as_str()) <= LINK
}

fn option(entry: &Entry) -> CreateSelectMenuOption {
    let option = CreateSelectMenuOption::new(&entry.label, &entry.value);
    let option = if entry.taken { option.default_selection(true) } else { option };
    match entry.description.as_ref().filter(|text| !text.trim().is_empty()) {
        Some(text) => option.description(text),
        None => option,
    }
}

/// What a control brings back fits the platform.
pub(super) fn check(token: &str) -> Result<(), EncodeError> {
    let fits = !token.is_empty() && token.chars().count() <= PAYLOAD;
    if fits { Ok(()) } else { Err(EncodeError::Token) }
}

const fn style(look: Look) -> ButtonStyle {
    match look {
        Look::Plain => ButtonStyle::Secondary,
        Look::Primary => ButtonStyle::Primary,
        Look::Danger => ButtonStyle::Danger,
    }
}
