//! The readable part of a Prompt: one Question cleaned for showing, its lines, and the text Prompt of a whole Ask. Knows
//! nothing of controls; what does not fit is shortened by [`super::fit`].

use std::collections::HashSet;
use std::ops::Range;

use super::fit::{Caps, Page, QUESTION_MIN, Texts, fit};
use super::layout::{Line, Room, plain, quiet, strong};
use super::shorten::{shorten, shorten_apart};
use super::wording;
use super::{Body, Piece, Prompt, Style, View, clean};
use crate::ask::{Constraint, Question};
use crate::limits::Unit;
use crate::reply::{self, Markers};

/// One Question as it is shown: every text cleaned, nothing shortened.
pub(super) struct Shown {
    heading: String,
    text: String,
    link: Option<Piece>,
    pub(super) labels: Vec<String>,
    /// No two labels look the same.
    pub(super) labels_differ: bool,
    pub(super) markers: Vec<String>,
    pub(super) descriptions: Vec<String>,
    listed: String,
    default: String,
    hint: String,
    expected: String,
    chosen: String,
    taken: Vec<bool>,
}

/// One Question and which of its choices are listed.
pub(super) struct Block<'a> {
    pub(super) shown: &'a Shown,
    pub(super) choices: Range<usize>,
    /// What the draft holds is shown too.
    pub(super) state: bool,
}

impl Shown {
    /// The Question at `index` of the view's Ask; nothing past the last.
    pub(super) fn of(view: &View<'_>, index: usize) -> Option<Self> {
        let questions = &view.record.ask.questions;
        let question = questions.get(index)?;
        let header = clean::line(&question.header);
        let heading = match questions.len() {
            1 => header,
            count => wording::numbered_heading(index, count, &header),
        };
        let values = view.draft.answers.get(&question.id).map_or(&[][..], Vec::as_slice);
        let open = !question.secret;
        let labels: Vec<String> = question.choices.iter().map(|choice| label(&choice.label)).collect();
        let show =
            |there: bool, text: &dyn Fn() -> String| if open && there { text() } else { String::new() };
        Some(Self {
            heading,
            text: clean::paragraph(&question.text),
            link: question.url.as_deref().map(link),
            labels_differ: labels.iter().collect::<HashSet<_>>().len() == labels.len(),
            labels,
            markers: markers(question),
            descriptions: question
                .choices
                .iter()
                .map(|choice| clean::line(choice.description.as_deref().unwrap_or_default()))
                .collect(),
            listed: one_of(question.constraint.as_ref()),
            default: show(!question.default.is_empty(), &|| {
                wording::default_line(&wording::values(question, &question.default))
            }),
            hint: show(question.takes_text() && question.placeholder.is_some(), &|| {
                wording::hint_line(&clean::line(question.placeholder.as_deref().unwrap_or_default()))
            }),
            expected: question.constraint.as_ref().map(wording::expected).unwrap_or_default(),
            chosen: show(!values.is_empty(), &|| wording::chosen_line(&wording::values(question, values))),
            taken: question.choices.iter().map(|choice| values.contains(&choice.label)).collect(),
        })
    }

    /// Whether the draft holds this choice.
    pub(super) fn is_taken(&self, choice: usize) -> bool {
        self.taken.get(choice).copied().unwrap_or_default()
    }

    /// The link's address, where it is one that a button may open.
    pub(super) fn address(&self) -> Option<&str> {
        match &self.link.as_ref()?.style {
            Style::Link(url) => Some(url),
            _ => None,
        }
    }

    /// The same with the link left to a button.
    pub(super) fn without_link(self) -> Self {
        Self { link: None, ..self }
    }
}

impl<'a> Block<'a> {
    /// The Question with all its choices, whatever the draft holds.
    pub(super) fn whole(shown: &'a Shown) -> Self {
        Self { shown, choices: 0..shown.labels.len(), state: false }
    }

    /// The Question without its choices.
    pub(super) fn head(&self, caps: &Caps, unit: Unit) -> Vec<Line> {
        let shown = self.shown;
        let mut lines = Vec::new();
        if !shown.heading.is_empty() {
            lines.push(strong(caps.question(&shown.heading, unit)));
        }
        lines.extend(caps.question(&shown.text, unit).lines().map(plain));
        // An address cut short leads nowhere: it is there or it is not.
        lines.extend(shown.link.clone().filter(|_| caps.extras).map(|piece| vec![piece]));
        lines
    }

    fn add_texts<'b>(&'b self, texts: &mut Texts<'b>) {
        let shown = self.shown;
        texts.link |= shown.link.is_some();
        texts.questions.extend([shown.heading.as_str(), &shown.text]);
        texts.descriptions.extend([shown.listed.as_str(), &shown.hint, &shown.default]);
        texts.descriptions.extend(
            shown.descriptions.get(self.choices.clone()).unwrap_or_default().iter().map(String::as_str),
        );
        texts
            .labels
            .extend(shown.labels.get(self.choices.clone()).unwrap_or_default().iter().map(String::as_str));
    }

    /// The whole Question.
    pub(super) fn lines(&self, caps: &Caps, unit: Unit) -> Vec<Line> {
        let shown = self.shown;
        let mut lines = self.head(caps, unit);
        let labels = match caps.label {
            Some(most) => &shorten_apart(&shown.labels, unit, most),
            None => &shown.labels,
        };
        if !self.choices.is_empty() {
            lines.push(Line::new());
        }
        for index in self.choices.clone() {
            let (Some(marker), Some(label)) = (shown.markers.get(index), labels.get(index)) else { continue };
            let mut line = plain(format!("{marker} {label}"));
            let description = shown.descriptions.get(index).map(|text| caps.description(text, unit));
            if let Some(description) = description.filter(|text| !text.is_empty()) {
                line.push(Piece { text: format!(" – {description}"), style: Style::Quiet });
            }
            lines.push(line);
        }
        let listed = caps.description(&shown.listed, unit);
        let rest = [&*listed, &shown.expected, &caps.description(&shown.hint, unit)];
        lines.extend(rest.into_iter().filter(|text| !text.is_empty()).map(quiet));
        let chosen = if self.state { shown.chosen.as_str() } else { "" };
        let values = [&shown.default, chosen].map(|text| caps.description(text, unit));
        lines.extend(values.into_iter().filter(|text| !text.is_empty()).map(plain));
        lines
    }
}

impl View<'_> {
    /// The closing lines that every open Prompt has: who asks, until when, who may answer.
    pub(super) fn footer(&self) -> String {
        let origin = &self.record.ask.origin;
        let asker = origin.label.as_deref().or(origin.agent_id.as_deref()).map(wording::value);
        let until = wording::until(&super::when::clock(self.record.expires_at, self.now, self.zone_minutes));
        let audience = clean::line(self.audience);
        let asked = asker.filter(|name| !name.is_empty()).map(|name| wording::asked_by(&name));
        let parts = [asked.unwrap_or_default(), until, audience];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The Record's id inside a sentence.
    pub(super) fn id(&self) -> String {
        shorten(&clean::line(self.record.key.id.as_str()), Unit::Graphemes, 40).into_owned()
    }

    /// Whether some Question asks for a secret.
    pub(super) fn is_secret(&self) -> bool {
        self.record.ask.questions.iter().any(|question| question.secret)
    }
}

/// The whole Ask as text, over as many messages as it needs.
pub(super) fn prompt(view: &View<'_>) -> Prompt {
    let questions = &view.record.ask.questions;
    let shown: Vec<Shown> = (0..questions.len()).filter_map(|index| Shown::of(view, index)).collect();
    let closing = if view.is_secret() {
        wording::secret_elsewhere(view.panel, &view.id())
    } else if view.typed {
        wording::reply_line(questions, view.limits)
    } else {
        wording::elsewhere(view.panel, &view.id())
    };
    Prompt { messages: messages(view, &shown, &closing), controls: Vec::new() }
}

fn messages(view: &View<'_>, shown: &[Shown], closing: &str) -> Vec<Body> {
    let page = TextPage::of(view, shown, closing);
    let room = Room::of(view.limits);
    fit(&room, &page).unwrap_or_else(|| no_room(view, shown, &room))
}

/// Not even shortened choices fit: none is shown, because whoever saw some would choose among those; the way out is.
fn no_room(view: &View<'_>, shown: &[Shown], room: &Room) -> Vec<Body> {
    let unit = room.unit;
    let caps = Caps { question: Some(QUESTION_MIN), extras: false, ..Caps::WHOLE };
    let choices = shown.iter().map(|shown| shown.labels.len()).sum();
    let notice = plain(wording::no_room(choices, &view.id()));
    let first = shown.first().map(|shown| Block { shown, choices: 0..0, state: false });
    let mut with_head = first.map(|block| block.head(&caps, unit)).unwrap_or_default();
    with_head.extend([Line::new(), notice.clone()]);
    let attempts = [with_head, vec![notice]];
    attempts.iter().find_map(|lines| room.lay(lines)).unwrap_or_else(|| {
        let most = room.line.min(room.message);
        let notice = wording::no_room(choices, &view.id());
        vec![Body(plain(shorten(&notice, unit, most)))]
    })
}

/// Every Question with its choices, and how to answer.
pub(super) struct TextPage<'a> {
    view: &'a View<'a>,
    blocks: Vec<Block<'a>>,
    closing: &'a str,
    /// The whole text stands above it.
    above: bool,
}

impl<'a> TextPage<'a> {
    pub(super) fn of(view: &'a View<'a>, shown: &'a [Shown], closing: &'a str) -> Self {
        let block = |shown| Block { state: true, ..Block::whole(shown) };
        Self { view, blocks: shown.iter().map(block).collect(), closing, above: false }
    }

    /// The same where the whole text stands above it.
    pub(super) fn below(self, above: bool) -> Self {
        Self { above, ..self }
    }
}

impl Page for TextPage<'_> {
    fn lines(&self, caps: &Caps) -> Vec<Line> {
        let caps = &caps.below(self.above);
        let mut lines = Vec::new();
        for block in &self.blocks {
            lines.extend(block.lines(caps, self.view.limits.unit));
            lines.push(Line::new());
        }
        lines.push(plain(self.closing));
        let texts = Texts { above: self.above, ..texts(&self.blocks) };
        lines.extend(closing_lines(self.view, &texts, caps));
        lines
    }
}

/// Questions that are too long for the message with the controls, whole, in messages before it. The draft has no say in them, so
/// they stand as they are while the last message changes. None where even those messages are too few.
pub(super) fn above<'a>(view: &View<'_>, blocks: impl Iterator<Item = Block<'a>>) -> Vec<Body> {
    let room = Room::of(view.limits);
    let room = Room { messages: room.messages.saturating_sub(1), ..room };
    let mut lines: Vec<Line> = Vec::new();
    for block in blocks {
        lines.extend(block.lines(&Caps::WHOLE, room.unit));
        lines.push(Line::new());
    }
    if lines.is_empty() || room.messages == 0 || !view.limits.edits || view.alone {
        return Vec::new();
    }
    room.lay(&lines).unwrap_or_default()
}

/// What stands last under an open Prompt: the footer, and what of its texts was cut.
pub(super) fn closing_lines(view: &View<'_>, texts: &Texts<'_>, caps: &Caps) -> Vec<Line> {
    let footer = caps.extras.then(|| quiet(view.footer()));
    footer.into_iter().chain(caps.cut_line(texts, view.limits.unit, &view.id())).collect()
}

/// The texts of these blocks by what they are.
pub(super) fn texts<'a>(blocks: &'a [Block<'_>]) -> Texts<'a> {
    let mut texts = Texts::default();
    for block in blocks {
        block.add_texts(&mut texts);
    }
    texts
}

/// What a Question is called where its text does not stand: by its header, or its text where it has none.
pub(super) fn name(question: &Question) -> String {
    let header = clean::line(&question.header);
    if header.is_empty() { clean::line(&question.text) } else { header }
}

/// A label on one line, never invisible.
fn label(text: &str) -> String {
    let shown = clean::line(text);
    if clean::is_blank(&shown) { wording::INVISIBLE.to_owned() } else { shown }
}

/// The agent's link; plain text when it is not an address that is safe to open.
fn link(url: &str) -> Piece {
    let text = clean::line(url);
    let web = url.starts_with("https://") || url.starts_with("http://");
    let style = if web && text == url && !url.contains(char::is_whitespace) {
        Style::Link(url.to_owned())
    } else {
        Style::Plain
    };
    Piece { text, style }
}

/// The values of a list that is too long for choices.
fn one_of(constraint: Option<&Constraint>) -> String {
    match constraint {
        Some(Constraint::OneOf { values }) => {
            let values: Vec<String> = values.iter().map(|value| label(value)).collect();
            wording::one_of_line(&values.join(", "))
        }
        Some(Constraint::Or { constraint, .. }) => one_of(constraint.as_deref()),
        _ => String::new(),
    }
}

/// The values that are no declared label: the person's own words.
pub(super) fn own_words<'a>(question: &Question, values: &'a [String]) -> Vec<&'a str> {
    let declared = |value: &String| question.choices.iter().any(|choice| choice.label == *value);
    values.iter().filter(|value| !declared(value)).map(String::as_str).collect()
}

/// What is printed before each choice, and decides when it is typed.
pub(super) fn markers(question: &Question) -> Vec<String> {
    let marker = match reply::markers(question) {
        Markers::Plain => |position: usize| format!("{position}."),
        Markers::Hash => |position: usize| format!("#{position}"),
    };
    (1..=question.choices.len()).map(marker).collect()
}
