//! Controls as blocks. A block and what is in it carry the control's token as their ids, so that the state that comes with a press
//! says which is which. Knows no text around them.

use std::borrow::Cow;

use askrelay_core::prompt::shorten::shorten;
use askrelay_core::prompt::{Control, Entry, Look, Row};
use slack_morphism::prelude::{
    SlackActionBlockElement, SlackActionsBlock, SlackBlock, SlackBlockButtonElement, SlackBlockButtonStyle,
    SlackBlockCheckboxesElement, SlackBlockChoiceItem, SlackBlockConfirmItem,
    SlackBlockMultiStaticSelectElement, SlackBlockPlainText, SlackBlockPlainTextInputElement,
    SlackBlockPlainTextOnly, SlackBlockRadioButtonsElement, SlackBlockStaticSelectElement, SlackBlockText,
    SlackInputBlock, SlackInputBlockElement, SlackSectionBlock,
};

use crate::decode::OPEN_LINK;
use crate::error::EncodeError;
use crate::limits::{ACTIONS, CONFIRM, LIMITS, LIST, PLACEHOLDER, VALUE};

/// The words of a dialog, within 100 and 30 code points (docs/reference/block-kit/composition-objects/confirmation-dialog-object;
/// 2026-11).
const SURE: &str = "Are you sure?";
const CHOOSE: &str = "Choose";
const GO_BACK: &str = "Go back";

/// The same rows; without their descriptions, which the text of a Prompt lists too, where all of it would be too long for the
/// platform.
pub(super) fn within(rows: &[Row], room: usize) -> Cow<'_, [Row]> {
    let length = |text: &str| LIMITS.unit.measure(text);
    let entry = |entry: &Entry| length(&entry.label) + entry.description.as_deref().map_or(0, length);
    let control = |control: &Control| match control {
        Control::Menu { entries, .. } => entries.iter().map(entry).sum(),
        Control::Button { label, confirm, .. } => length(label) + confirm.as_deref().map_or(0, length),
        Control::Link { label, .. } | Control::Input { label, .. } => length(label),
    };
    if rows.iter().flatten().map(control).sum::<usize>() <= room {
        return Cow::Borrowed(rows);
    }
    let mut rows = rows.to_vec();
    for control in rows.iter_mut().flatten() {
        if let Control::Menu { entries, .. } = control {
            entries.iter_mut().for_each(|entry| entry.description = None);
        }
    }
    Cow::Owned(rows)
}

/// Rows as blocks: buttons share one, everything else has its own.
pub(super) fn blocks(rows: &[Row]) -> Result<Vec<SlackBlock>, EncodeError> {
    let mut blocks = Vec::new();
    let mut links = 0;
    for row in rows {
        let mut buttons = Vec::new();
        for control in row {
            match control {
                Control::Button { label, token, look, confirm } => {
                    let mut button = button(label, token, *look);
                    button.confirm = confirm.as_deref().map(dialog);
                    buttons.push(button.into());
                }
                Control::Link { label, url } => {
                    links += 1;
                    buttons.push(link(label, url, links)?.into());
                }
                Control::Menu { label: None, placeholder, token, entries, max, .. } => {
                    blocks.extend(actions(&mut buttons));
                    blocks.push(menu(placeholder, token, entries, *max));
                }
                Control::Menu { label: Some(_), .. } | Control::Input { .. } => {
                    blocks.extend(actions(&mut buttons));
                    blocks.extend(field(control));
                }
            }
        }
        blocks.extend(actions(&mut buttons));
    }
    Ok(blocks)
}

/// What only blocks say, as lines for those who do not see them: the text of a Prompt lists its choices itself.
pub(super) fn lines(rows: &[Row]) -> Vec<String> {
    let links = rows.iter().flatten().filter_map(|control| match control {
        Control::Link { label, url } => Some(format!("{label}: {url}")),
        Control::Menu { .. } | Control::Input { .. } | Control::Button { .. } => None,
    });
    links.collect()
}

/// A menu or input as a field that tells what is in it only with the press of a button; nothing else is a field.
pub(super) fn field(control: &Control) -> Option<SlackBlock> {
    let (label, token, element, optional) = match control {
        Control::Menu { label, placeholder, token, entries, min, max } => {
            let element = match (*max > 1, entries.len() <= LIST) {
                (false, true) => radio(token, entries).into(),
                (false, false) => select(placeholder, token, entries).into(),
                (true, true) => checkboxes(token, entries).into(),
                (true, false) => multi_select(placeholder, token, entries, *max).into(),
            };
            (label.as_ref().unwrap_or(placeholder), token, element, *min == 0)
        }
        Control::Input { label, token, placeholder, value, required } => {
            (label, token, input(token, placeholder.as_deref(), value.as_deref()), !required)
        }
        Control::Button { .. } | Control::Link { .. } => return None,
    };
    let mut block = SlackInputBlock::new(words(label), element);
    block.block_id = Some(token.as_str().into());
    block.optional = Some(optional);
    Some(block.into())
}

/// Up to as many buttons as a block takes.
fn actions(buttons: &mut Vec<SlackActionBlockElement>) -> Vec<SlackBlock> {
    let buttons = std::mem::take(buttons);
    buttons.chunks(ACTIONS).map(|buttons| SlackActionsBlock::new(buttons.to_vec()).into()).collect()
}

fn button(label: &str, token: &str, look: Look) -> SlackBlockButtonElement {
    let mut button = SlackBlockButtonElement::new(words(label));
    button.action_id = Some(token.into());
    button.value = Some(token.to_owned());
    button.style = match look {
        Look::Plain => None,
        Look::Primary => Some(SlackBlockButtonStyle::Primary),
        Look::Danger => Some(SlackBlockButtonStyle::Danger),
    };
    button
}

/// What is asked before a press is sent.
fn dialog(question: &str) -> SlackBlockConfirmItem {
    let question = shorten(question, LIMITS.unit, CONFIRM);
    let mut dialog = SlackBlockConfirmItem::new(words(SURE), text(&question), words(CHOOSE), words(GO_BACK));
    dialog.style = Some("danger".to_owned());
    dialog
}

/// A press of it comes in too, although it tells nothing.
fn link(label: &str, url: &str, number: usize) -> Result<SlackBlockButtonElement, EncodeError> {
    let mut button = SlackBlockButtonElement::new(words(label));
    button.action_id = Some(format!("{OPEN_LINK}{number}").into());
    button.url = Some(url.parse().map_err(|_| EncodeError::Address(url.to_owned()))?);
    Ok(button)
}

/// A menu that stands alone: of a single choice it answers by itself, of several it waits for a button.
fn menu(placeholder: &str, token: &str, entries: &[Entry], max: usize) -> SlackBlock {
    let element: SlackActionBlockElement = match (max > 1, entries.len() <= LIST) {
        (false, true) => radio(token, entries).into(),
        (false, false) => select(placeholder, token, entries).into(),
        (true, true) => checkboxes(token, entries).into(),
        // An actions block takes no such menu.
        (true, false) => {
            let menu = multi_select(placeholder, token, entries, max);
            let mut section =
                SlackSectionBlock::new().with_text(text(placeholder)).with_accessory(menu.into());
            section.block_id = Some(token.into());
            return section.into();
        }
    };
    SlackActionsBlock::new(vec![element]).with_block_id(token.into()).into()
}

fn radio(token: &str, entries: &[Entry]) -> SlackBlockRadioButtonsElement {
    let mut radio =
        SlackBlockRadioButtonsElement::new(entries.iter().map(|entry| option(entry, text)).collect());
    radio.action_id = Some(token.into());
    radio.initial_option = taken(entries, text).into_iter().next();
    radio
}

fn select(placeholder: &str, token: &str, entries: &[Entry]) -> SlackBlockStaticSelectElement {
    let mut select = SlackBlockStaticSelectElement::new();
    select.action_id = Some(token.into());
    select.placeholder = hint(placeholder);
    select.options = Some(entries.iter().map(|entry| option(entry, words)).collect());
    select.initial_option = taken(entries, words).into_iter().next();
    select
}

fn checkboxes(token: &str, entries: &[Entry]) -> SlackBlockCheckboxesElement {
    let mut boxes =
        SlackBlockCheckboxesElement::new(entries.iter().map(|entry| option(entry, text)).collect());
    boxes.action_id = Some(token.into());
    // An empty list is refused.
    boxes.initial_options = Some(taken(entries, text)).filter(|taken| !taken.is_empty());
    boxes
}

fn multi_select(
    placeholder: &str,
    token: &str,
    entries: &[Entry],
    max: usize,
) -> SlackBlockMultiStaticSelectElement {
    let mut select = SlackBlockMultiStaticSelectElement::new();
    select.action_id = Some(token.into());
    select.placeholder = hint(placeholder);
    select.options = Some(entries.iter().map(|entry| option(entry, words)).collect());
    select.initial_options = Some(taken(entries, words)).filter(|taken| !taken.is_empty());
    select.max_selected_items = u64::try_from(max).ok().filter(|_| max < entries.len());
    select
}

fn input(token: &str, placeholder: Option<&str>, value: Option<&str>) -> SlackInputBlockElement {
    let mut input = SlackBlockPlainTextInputElement::new();
    input.action_id = Some(token.into());
    input.placeholder = placeholder.and_then(hint);
    input.initial_value = value.filter(|value| !value.is_empty()).map(str::to_owned);
    input.multiline = Some(true);
    input.max_length = Some(VALUE);
    input.into()
}

fn option<T: Into<SlackBlockText>>(entry: &Entry, words_of: fn(&str) -> T) -> SlackBlockChoiceItem<T> {
    let mut item = SlackBlockChoiceItem::new(words_of(&entry.label), entry.value.clone());
    item.description = entry.description.as_deref().map(words);
    item
}

fn taken<T: Into<SlackBlockText>>(
    entries: &[Entry],
    words_of: fn(&str) -> T,
) -> Vec<SlackBlockChoiceItem<T>> {
    entries.iter().filter(|entry| entry.taken).map(|entry| option(entry, words_of)).collect()
}

fn hint(placeholder: &str) -> Option<SlackBlockPlainTextOnly> {
    let hint = shorten(placeholder, LIMITS.unit, PLACEHOLDER);
    Some(words(&hint)).filter(|_| !hint.trim().is_empty())
}

/// Text that is never parsed.
pub(super) fn words(text: &str) -> SlackBlockPlainTextOnly {
    SlackBlockPlainTextOnly::from(text)
}

fn text(text: &str) -> SlackBlockText {
    SlackBlockPlainText::from(text).into()
}
