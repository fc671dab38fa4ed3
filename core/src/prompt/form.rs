//! Prompts that are forms: a field for every Question of an Ask with several, in one message where the platform's messages hold
//! fields, otherwise in a modal form that a button opens. One Question, and what fits neither, is [`super::native`]'s.

use super::controls::{Deck, small};
use super::fit::{Caps, Page, fit};
use super::layout::Room;
use super::shorten::shorten;
use super::text::{Block, Shown, TextPage, above, name, own_words};
use super::{Body, Control, Draft, Look, Prompt, Row, View, clean, wording};
use crate::ask::Question;
use crate::limits::{ControlLimits, FormLimits, InputLimits};
use crate::token::Press;

/// Buttons under a form: what sends or opens it, and Skip.
const BUTTONS: usize = 2;

/// The Prompt as a form, where the platform's messages hold fields at all and the whole Ask fits one or a modal form.
pub(super) fn prompt(view: &View<'_>, limits: &ControlLimits) -> Option<Prompt> {
    let form = limits.form.as_ref()?;
    if view.record.ask.questions.len() < 2 || limits.buttons < BUTTONS || limits.row < BUTTONS {
        return None;
    }
    in_message(view, limits, form).or_else(|| behind_button(view, limits))
}

/// Fields below the text.
fn in_message(view: &View<'_>, limits: &ControlLimits, form: &FormLimits) -> Option<Prompt> {
    let fields = fields(view, limits, form, false)?;
    if fields.len() + 1 > limits.rows {
        return None;
    }
    let messages = Text::of(view, wording::FILL_IN).whole()?;
    let mut controls: Vec<Row> = fields.into_iter().map(|field| vec![field]).collect();
    controls.push(buttons(view, limits, wording::SUBMIT, Press::Submit)?);
    Some(Prompt { messages, controls })
}

/// A button that opens the fields.
fn behind_button(view: &View<'_>, limits: &ControlLimits) -> Option<Prompt> {
    in_modal(view)?;
    let text = Text::of(view, wording::PRESS_ANSWER);
    let messages = text.whole().or_else(|| text.shortened())?;
    let row = buttons(view, limits, wording::ANSWER, Press::Form)?;
    Some(Prompt { messages, controls: vec![row] })
}

/// The fields of the modal form, where they fit one.
pub(super) fn in_modal(view: &View<'_>) -> Option<Vec<Control>> {
    let limits = view.limits.controls.as_ref().filter(|_| !view.is_secret())?;
    match &limits.input {
        InputLimits::Modal { form, .. } => fields(view, limits, form, true),
        InputLimits::ForcedReply { .. } | InputLimits::NextText => None,
    }
}

/// A field for the choices and one for the own words of every Question. `enforced` where the platform refuses what is left empty.
fn fields(
    view: &View<'_>,
    limits: &ControlLimits,
    form: &FormLimits,
    enforced: bool,
) -> Option<Vec<Control>> {
    let draft = with_defaults(view);
    let view = &View { draft: &draft, ..*view };
    let mut fields = Vec::new();
    for (index, question) in view.record.ask.questions.iter().enumerate() {
        let shown = Shown::of(view, index)?;
        let deck = Deck::of(view, limits, (index, question), &shown);
        let values = view.draft.answers.get(&question.id).map_or(&[][..], Vec::as_slice);
        let own = own_words(question, values).first().map(|words| (*words).to_owned());
        let label = |words: &str| shorten(words, view.limits.unit, form.label).into_owned();
        let name = name(question);
        if !question.choices.is_empty() {
            let label = label(&wording::field(index, &name));
            fields.push(deck.field(label, own.is_some(), enforced).filter(|_| form.menus)?);
        }
        if question.takes_text() {
            let words = if question.choices.is_empty() {
                wording::field(index, &name)
            } else {
                wording::other_field(index)
            };
            fields.push(Control::Input {
                label: label(&words),
                token: deck.token(Press::Other { question: small(index) }),
                placeholder: question.placeholder.as_deref().map(clean::line).filter(|hint| !hint.is_empty()),
                value: own,
                required: enforced && question.choices.is_empty(),
            });
        }
    }
    (fields.len() <= form.fields).then_some(fields)
}

/// What the fields are filled in with: the draft, and where it has nothing the default, which counts once it is sent.
fn with_defaults(view: &View<'_>) -> Draft {
    let mut draft = view.draft.clone();
    // Where own words may stand beside one choice, a choice that nobody took would turn them into a remark.
    let offers =
        |question: &&Question| !question.default.is_empty() && (question.multi_select || !question.other);
    for question in view.record.ask.questions.iter().filter(offers) {
        draft.answers.entry(question.id.clone()).or_insert_with(|| question.default.clone());
    }
    draft
}

fn buttons(view: &View<'_>, limits: &ControlLimits, words: &str, press: Press) -> Option<Row> {
    let question = view.record.ask.questions.first()?;
    let shown = Shown::of(view, 0)?;
    let deck = Deck::of(view, limits, (0, question), &shown);
    let send = deck.button(words, press, Look::Primary);
    Some(vec![send, deck.button(wording::SKIP_ALL, Press::Skip, Look::Plain)])
}

/// The text above the fields or the button: all Questions with their choices.
struct Text<'a> {
    view: &'a View<'a>,
    shown: Vec<Shown>,
    closing: String,
}

impl<'a> Text<'a> {
    fn of(view: &'a View<'a>, how: &str) -> Self {
        let count = view.record.ask.questions.len();
        let shown = (0..count).filter_map(|index| Shown::of(view, index)).collect();
        let closing =
            if view.typed { wording::or(how, &wording::reply_keyed(view.limits)) } else { format!("{how}.") };
        Self { view, shown, closing }
    }

    fn whole(&self) -> Option<Vec<Body>> {
        let page = TextPage::of(self.view, &self.shown, &self.closing);
        Room::of(self.view.limits).one().lay(&page.lines(&Caps::WHOLE))
    }

    /// In one message, below the whole text where there is room for that.
    fn shortened(&self) -> Option<Vec<Body>> {
        let mut messages = above(self.view, self.shown.iter().map(Block::whole));
        let page = TextPage::of(self.view, &self.shown, &self.closing).below(!messages.is_empty());
        messages.extend(fit(&Room::of(self.view.limits).one(), &page)?);
        Some(messages)
    }
}
