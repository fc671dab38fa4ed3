//! Prompts with native controls: one Question at a time in one message, a review before several are sent. Falls back to
//! nothing where the controls cannot carry every choice; the caller then shows text.

use std::ops::Range;

use super::controls::{Carrier, Deck, Plan, small};
use super::fit::{Caps, Page, Texts, fit};
use super::form;
use super::layout::{Line, Room, plain, quiet, strong};
use super::shorten::shorten;
use super::text::{self, Block, Shown, closing_lines};
use super::wording;
use super::{Control, Look, Prompt, View};
use crate::ask::Question;
use crate::limits::ControlLimits;
use crate::token::Press;

/// Buttons that every review has room for: Back, Submit, Skip.
const REVIEW_BUTTONS: usize = 3;
/// Fewest units of a question in the review.
const REVIEW_QUESTION_MIN: usize = 12;

/// The Prompt, where native controls carry every Question of the Ask.
pub(super) fn prompt(view: &View<'_>) -> Option<Prompt> {
    let limits = view.limits.controls.as_ref()?;
    if view.is_secret() {
        return secret(view, limits);
    }
    if let Some(prompt) = form::prompt(view, limits) {
        return Some(prompt);
    }
    let steps = steps(view, limits)?;
    let long = steps.iter().filter(|(_, pages)| !pages.whole);
    let above = text::above(view, long.map(|(step, _)| Block::whole(&step.shown)));
    let mut prompt = match steps.get(current(view)) {
        Some((step, pages)) => step.prompt(pages, !above.is_empty()),
        None => review(view, limits),
    }?;
    prompt.messages.splice(0..0, above);
    Some(prompt)
}

/// The choices of every Question that the native controls speak for; empty where there are none.
pub(super) fn choices_shown(view: &View<'_>) -> Vec<Range<usize>> {
    let questions = &view.record.ask.questions;
    let mut shown = vec![0..0; questions.len()];
    let Some(limits) = view.limits.controls.as_ref().filter(|_| !view.is_secret()) else { return shown };
    if form::prompt(view, limits).is_some() {
        return questions.iter().map(|asked| 0..asked.choices.len()).collect();
    }
    let current = current(view);
    let steps = steps(view, limits).unwrap_or_default();
    if let (Some((_, pages)), Some(range)) = (steps.get(current), shown.get_mut(current)) {
        *range = pages.current(view).1;
    }
    shown
}

/// Every Question with its pages; nothing when the controls cannot carry one of them, or not the review of several. The
/// draft has no say in this, so that a Prompt never changes between controls and text.
fn steps<'a>(view: &'a View<'a>, limits: &'a ControlLimits) -> Option<Vec<(Step<'a>, Pages)>> {
    let count = view.record.ask.questions.len();
    if count > 1 && !(view.limits.edits && review_fits(view, limits)) {
        return None;
    }
    let steps = (0..count).map(|index| {
        let step = Step::of(view, limits, index)?;
        let pages = step.pages()?;
        Some((step, pages))
    });
    steps.collect()
}

/// Which Question is shown; their number is the review.
fn current(view: &View<'_>) -> usize {
    match view.record.ask.questions.len() {
        1 => 0,
        count => view.draft.step.min(count),
    }
}

/// One Question of the Ask on its own page.
struct Step<'a> {
    view: &'a View<'a>,
    limits: &'a ControlLimits,
    index: usize,
    question: &'a Question,
    shown: Shown,
    link: Option<String>,
}

/// How the choices of a Question are spread over pages.
struct Pages {
    plan: Plan,
    ranges: Vec<Range<usize>>,
    /// Every page lists all choices, not only its own.
    lists_all: bool,
    /// Every page shows its texts whole.
    whole: bool,
}

impl Pages {
    fn current(&self, view: &View<'_>) -> (usize, Range<usize>) {
        let page = view.draft.page.min(self.ranges.len().saturating_sub(1));
        (page, self.ranges.get(page).cloned().unwrap_or_default())
    }
}

impl<'a> Step<'a> {
    fn of(view: &'a View<'a>, limits: &'a ControlLimits, index: usize) -> Option<Self> {
        let question = view.record.ask.questions.get(index)?;
        let shown = Shown::of(view, index)?;
        let opens = |url: &&str| limits.link.is_some_and(|most| view.limits.unit.measure(url) <= most);
        let link = shown.address().filter(opens).map(str::to_owned);
        let shown = if link.is_some() { shown.without_link() } else { shown };
        Some(Self { view, limits, index, question, shown, link })
    }

    fn deck(&self) -> Deck<'_> {
        Deck::of(self.view, self.limits, (self.index, self.question), &self.shown)
    }

    /// The one message with the controls; `above` when the whole text stands in messages before it.
    fn prompt(&self, pages: &Pages, above: bool) -> Option<Prompt> {
        let (page, choices) = pages.current(self.view);
        let listed = if pages.lists_all { 0..self.shown.labels.len() } else { choices.clone() };
        let room = Room::of(self.view.limits).one();
        let fitted = |state| {
            let page = (page, pages.ranges.len());
            fit(&room, &Sheet { state, above, ..self.sheet(pages.plan, listed.clone(), &choices, page) })
        };
        // Words that cannot be cut small enough are kept and not shown: what was written takes no controls away.
        let messages = fitted(true).or_else(|| fitted(false))?;
        let deck = self.deck();
        let mut controls = deck.rows(pages.plan, choices);
        let mut groups = vec![self.page_buttons(page, pages.ranges.len())];
        groups.extend(self.others().groups);
        controls.extend(deck.pack(groups, controls.len()));
        Some(Prompt { messages, controls })
    }

    /// Pages that show every text whole where there can be any; otherwise pages as the controls need them.
    fn pages(&self) -> Option<Pages> {
        let count = self.shown.labels.len();
        let others = self.others().len();
        let deck = self.deck();
        let plan = deck.plan(others)?;
        let room = Room::of(self.view.limits).one();
        let whole = |plan: Plan, listed: Range<usize>, choices: &Range<usize>, of: usize| {
            room.lay(&self.sheet(plan, listed, choices, (of - 1, of)).lines(&Caps::WHOLE)).is_some()
        };
        let by_controls: Vec<Range<usize>> =
            if count == 0 { vec![Range::default()] } else { chunks(count, plan.page) };
        let most = by_controls.len();
        // The last page has the longest numbers, so it stands for all.
        if by_controls.last().is_some_and(|choices| whole(plan, 0..count, choices, most)) {
            return Some(Pages { plan, ranges: by_controls, lists_all: true, whole: true });
        }
        if let Some(paged) = deck.paged(others).filter(|_| count > 1)
            && let Some(ranges) =
                pages_that_fit(count, paged.page, |range| whole(paged, range.clone(), &range, count))
        {
            return Some(Pages { plan: paged, ranges, lists_all: false, whole: true });
        }
        let keeps_whole_as_text = !self.view.limits.edits && self.view.limits.messages > 1;
        let shortened = |choices: &Range<usize>| {
            let sheet = self.sheet(plan, choices.clone(), choices, (most - 1, most));
            room.lay(&sheet.lines(&sheet.least())).is_some()
        };
        let fits = !keeps_whole_as_text && by_controls.iter().all(shortened);
        fits.then_some(Pages { plan, ranges: by_controls, lists_all: false, whole: false })
    }

    /// The text of one page, without what the draft holds.
    fn sheet(
        &self,
        plan: Plan,
        listed: Range<usize>,
        choices: &Range<usize>,
        page: (usize, usize),
    ) -> Sheet<'_> {
        let count = self.shown.labels.len();
        let mut closing = Vec::new();
        if page.1 > 1 {
            closing.push(quiet(wording::page(choices, count, page.0, page.1)));
        }
        closing.push(plain(self.press_line(plan)));
        Sheet { view: self.view, shown: &self.shown, listed, closing, state: false, above: false }
    }

    fn press_line(&self, plan: Plan) -> String {
        let several = self.view.record.ask.questions.len() > 1;
        let then = if several { self.next_words() } else { wording::SUBMIT };
        let press = wording::press_line(self.question, plan.carrier == Carrier::Menu, then);
        match (self.view.typed, several) {
            (false, _) => format!("{press}."),
            (true, false) => wording::or(&press, &wording::reply_with(self.question, self.view.limits)),
            (true, true) => wording::or(&press, &wording::reply_keyed(self.view.limits)),
        }
    }

    /// The buttons beside the choices, those that turn pages apart.
    fn others(&self) -> Others {
        let deck = self.deck();
        let question = small(self.index);
        let mut own = Vec::new();
        if self.question.takes_text() {
            let words = if self.question.choices.is_empty() { wording::ANSWER } else { wording::OTHER };
            own.push(deck.button(words, Press::Other { question }, Look::Plain));
        }
        if self.offers_default() {
            own.push(deck.button(wording::USE_DEFAULT, Press::UseDefault { question }, Look::Plain));
        }
        if let Some(url) = &self.link {
            let label = shorten(wording::OPEN_LINK, self.view.limits.unit, self.limits.label).into_owned();
            own.push(Control::Link { label, url: url.clone() });
        }
        let count = self.view.record.ask.questions.len();
        let mut moves = Vec::new();
        if count > 1 {
            if self.index > 0 {
                moves.push(deck.button(
                    wording::BACK,
                    Press::Step { question: small(self.index - 1) },
                    Look::Plain,
                ));
            }
            moves.push(deck.button(
                self.next_words(),
                Press::Step { question: small(self.index + 1) },
                Look::Primary,
            ));
        } else if self.question.multi_select {
            let taken = self.view.draft.answers.get(&self.question.id).map_or(0, Vec::len);
            // What the platform holds until the press is not counted here.
            let held = self.limits.menu.as_ref().is_some_and(|menu| menu.held);
            let words =
                if held { wording::SUBMIT.to_owned() } else { wording::counted(wording::SUBMIT, taken) };
            moves.push(deck.button(&words, Press::Submit, Look::Primary));
        }
        moves.push(deck.button(self.skip_words(), Press::Skip, Look::Plain));
        Others { groups: vec![own, moves] }
    }

    fn next_words(&self) -> &'static str {
        let last = self.index + 1 == self.view.record.ask.questions.len();
        if last { wording::REVIEW } else { wording::NEXT }
    }

    /// Skip declines the whole Ask, so of several questions it says so.
    fn skip_words(&self) -> &'static str {
        if self.view.record.ask.questions.len() > 1 { wording::SKIP_ALL } else { wording::SKIP }
    }

    /// A default that has a button of its own among the choices needs no second one.
    fn offers_default(&self) -> bool {
        let question = self.question;
        let is_choice = question.choices.iter().any(|choice| question.default == [choice.label.as_str()]);
        !question.default.is_empty() && (question.multi_select || !is_choice)
    }

    fn page_buttons(&self, page: usize, pages: usize) -> Vec<Control> {
        let deck = self.deck();
        let turn = |words: &str, page: usize| {
            deck.button(words, Press::Page { question: small(self.index), page: small(page) }, Look::Plain)
        };
        let mut buttons = Vec::new();
        if page > 0 {
            buttons.push(turn(wording::PREVIOUS_PAGE, page - 1));
        }
        if page + 1 < pages {
            buttons.push(turn(wording::NEXT_PAGE, page + 1));
        }
        buttons
    }
}

struct Others {
    groups: Vec<Vec<Control>>,
}

impl Others {
    fn len(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }
}

fn chunks(count: usize, size: usize) -> Vec<Range<usize>> {
    (0..count).step_by(size.max(1)).map(|start| start..(start + size.max(1)).min(count)).collect()
}

/// As few pages of at most `size` choices as show every choice whole; nothing when some choice is too long even alone.
fn pages_that_fit(
    count: usize,
    size: usize,
    fits: impl Fn(Range<usize>) -> bool,
) -> Option<Vec<Range<usize>>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    while start < count {
        let most = size.max(1).min(count - start);
        let length = super::shorten::largest(1, most, |length| fits(start..start + length))?;
        ranges.push(start..start + length);
        start += length;
    }
    Some(ranges)
}

/// The text above the controls of one Question.
struct Sheet<'a> {
    view: &'a View<'a>,
    shown: &'a Shown,
    listed: Range<usize>,
    closing: Vec<Line>,
    /// What the draft holds is shown too.
    state: bool,
    /// The whole text stands above it.
    above: bool,
}

impl Page for Sheet<'_> {
    fn lines(&self, caps: &Caps) -> Vec<Line> {
        let caps = &caps.below(self.above);
        let blocks = [Block { shown: self.shown, choices: self.listed.clone(), state: self.state }];
        let mut lines: Vec<Line> =
            blocks.iter().flat_map(|block| block.lines(caps, self.view.limits.unit)).collect();
        lines.push(Line::new());
        lines.extend(self.closing.iter().cloned());
        let texts = Texts { above: self.above, ..text::texts(&blocks) };
        lines.extend(closing_lines(self.view, &texts, caps));
        lines
    }
}

/// A secret has no input in a chat: the text says where to answer, and the Ask can be skipped.
fn secret(view: &View<'_>, limits: &ControlLimits) -> Option<Prompt> {
    let messages = text::prompt(view).messages;
    let step = Step::of(view, limits, 0)?;
    let skip = step.deck().button(step.skip_words(), Press::Skip, Look::Plain);
    let fits = messages.len() == 1 && limits.buttons > 0 && limits.rows > 0;
    fits.then(|| Prompt { messages, controls: vec![vec![skip]] })
}

/// All answers of several Questions, before they are sent together.
fn review(view: &View<'_>, limits: &ControlLimits) -> Option<Prompt> {
    let questions = &view.record.ask.questions;
    let room = Room::of(view.limits).one();
    let fitted = |entries| fit(&room, &Review { view, entries, open: open_questions(view) });
    // Words that cannot be cut small enough are kept and not shown: what was written takes no controls away.
    let numbers = || (1..=questions.len()).map(|number| (number.to_string(), "…".to_owned())).collect();
    let entries = questions.iter().map(|question| review_entry(view, question)).collect();
    let messages = fitted(entries).or_else(|| fitted(numbers()))?;
    Some(Prompt { messages, controls: review_controls(view, limits)? })
}

/// Whether a review fits whatever the answers will be.
fn review_fits(view: &View<'_>, limits: &ControlLimits) -> bool {
    let count = view.record.ask.questions.len();
    let longer_than_least = || "m".repeat(4 * REVIEW_QUESTION_MIN);
    let entries = (0..count).map(|_| (longer_than_least(), longer_than_least())).collect();
    let review = Review { view, entries, open: (0..count).collect() };
    let buttons =
        limits.buttons >= REVIEW_BUTTONS && REVIEW_BUTTONS.div_ceil(limits.row.max(1)) <= limits.rows;
    buttons && Room::of(view.limits).one().lay(&review.lines(&review.least())).is_some()
}

fn review_controls(view: &View<'_>, limits: &ControlLimits) -> Option<Vec<super::Row>> {
    let questions = &view.record.ask.questions;
    let step = Step::of(view, limits, 0)?;
    let deck = step.deck();
    let open = open_questions(view);
    let go_to = |index: usize| {
        deck.button(&wording::go_to(index), Press::Step { question: small(index) }, Look::Plain)
    };
    let mut moves = Vec::new();
    if open.is_empty() {
        moves.push(deck.button(wording::SUBMIT, Press::Submit, Look::Primary));
    }
    moves.push(deck.button(wording::SKIP_ALL, Press::Skip, Look::Plain));
    let fits = |count: usize| count <= limits.buttons && count.div_ceil(limits.row.max(1)) <= limits.rows;
    let last = questions.len().saturating_sub(1);
    let jumps: Vec<Control> = if fits(moves.len() + questions.len()) {
        (0..questions.len()).map(go_to).collect()
    } else {
        let back = deck.button(wording::BACK, Press::Step { question: small(last) }, Look::Plain);
        let first = open.first().filter(|_| fits(moves.len() + 2)).map(|first| go_to(*first));
        [back].into_iter().chain(first).collect()
    };
    fits(moves.len() + jumps.len()).then(|| deck.pack(vec![jumps, moves], 0))
}

/// The Questions whose draft is not complete.
fn open_questions(view: &View<'_>) -> Vec<usize> {
    let questions = view.record.ask.questions.iter().enumerate();
    let values = |question: &Question| view.draft.answers.get(&question.id).map_or(&[][..], Vec::as_slice);
    questions
        .filter(|(_, question)| !super::complete(question, values(question)))
        .map(|(index, _)| index)
        .collect()
}

struct Review<'a> {
    view: &'a View<'a>,
    /// What was asked, and the values so far.
    entries: Vec<(String, String)>,
    open: Vec<usize>,
}

impl Page for Review<'_> {
    fn lines(&self, caps: &Caps) -> Vec<Line> {
        let unit = self.view.limits.unit;
        let mut lines = vec![strong(wording::review_heading(self.entries.len()))];
        for (index, (what, values)) in self.entries.iter().enumerate() {
            let (what, values) = (caps.question(what, unit), caps.label(values, unit));
            lines.push(plain(wording::review_entry(index, &what, &values)));
        }
        lines.push(Line::new());
        lines.push(plain(wording::review_line(&self.open)));
        let texts = Texts {
            questions: self.entries.iter().map(|(what, _)| what.as_str()).collect(),
            labels: self.entries.iter().map(|(_, values)| values.as_str()).collect(),
            ..Texts::default()
        };
        lines.extend(closing_lines(self.view, &texts, caps));
        lines
    }

    fn question_min(&self) -> usize {
        REVIEW_QUESTION_MIN
    }
}

fn review_entry(view: &View<'_>, question: &Question) -> (String, String) {
    let what = text::name(question);
    let values = view.draft.answers.get(&question.id).map_or(&[][..], Vec::as_slice);
    let values = match values {
        [] => wording::NOT_ANSWERED_YET.to_owned(),
        values => wording::values(question, values),
    };
    (what, values)
}
