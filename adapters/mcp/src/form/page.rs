//! The form's pages as HTML: no script, nothing from elsewhere, one style sheet that the policy names by its hash. It works by
//! keyboard and screen reader, and no meaning hangs on a colour. Escaping is maud's; nothing here decides anything.

use std::sync::LazyLock;

use askrelay_core::answer::{Answers, Notes};
use askrelay_core::ask::{Choice, Constraint, Format, Question};
use askrelay_core::prompt::{one_line, wording};
use axum::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::fields::{ACT, DECLINE, Entry, OTHER, SEND, Wrong, name, words_name};

const STYLE: &str = include_str!("page.css");

/// How a form that is over ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Answered,
    Declined,
    /// Not on this page.
    Elsewhere,
}

/// What a browser may do with a page: show it with its own style, and send the form to where it came from.
pub(super) fn policy() -> HeaderValue {
    static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
        let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
        let policy = format!(
            "default-src 'none'; style-src 'sha256-{hash}'; form-action 'self'; frame-ancestors 'none'; \
             base-uri 'none'"
        );
        // Base64 has nothing that a header cannot carry; the strictest policy would stand in.
        HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
    });
    POLICY.clone()
}

/// The form, with what was entered and what is wrong with it.
pub(super) fn form(questions: &[Question], entries: &[Entry], wrong: &[Wrong]) -> String {
    let title = match questions.len() {
        1 => "A question for you".to_owned(),
        count => format!("{count} questions for you"),
    };
    let title = if wrong.is_empty() { title } else { format!("Please look again: {title}") };
    let body = html! {
        h1 { (title) }
        @if !wrong.is_empty() { (summary(questions, wrong)) }
        form method="post" novalidate autocomplete="off" {
            @for (index, (question, entry)) in questions.iter().zip(entries).enumerate() {
                (asked(&Field { index, count: questions.len(), question, entry, wrong: wrong_at(wrong, index) }))
            }
            p .hint { "Sending answers the agent that asks. Declining tells it that you do not answer." }
            div .buttons {
                button .send type="submit" name=(ACT) value=(SEND) { "Send answer" }
                button type="submit" name=(ACT) value=(DECLINE) { "Decline" }
            }
        }
    };
    whole(&title, &body)
}

/// What was sent.
pub(super) fn sent(questions: &[Question], answers: &Answers, notes: &Notes) -> String {
    let body = html! {
        h1 { "Answer sent" }
        p { "It goes to the agent that asked. You can close this page." }
        dl {
            @for question in questions {
                dt { (lines(&question.text)) }
                @if question.secret {
                    dd { "(kept hidden)" }
                } @else {
                    @for value in answers.of(&question.id) { dd { (value) } }
                    @if let Some(note) = notes.get(&question.id) { dd { "Remark: " (note) } }
                }
            }
        }
    };
    whole("Answer sent", &body)
}

pub(super) fn declined() -> String {
    said("Declined", "The agent is told that you do not answer. You can close this page.")
}

/// For whoever comes after the end.
pub(super) fn closed(over: Over) -> String {
    let what = match over {
        Over::Answered => "An answer was sent before. Nothing was changed, and you can close this page.",
        Over::Declined => "It was declined before. Nothing was changed, and you can close this page.",
        Over::Elsewhere => {
            "The question was answered elsewhere, or is not asked any more. Nothing was sent from here, and you can \
             close this page."
        }
    };
    said("This form is closed", what)
}

fn said(title: &str, what: &str) -> String {
    whole(title, &html! { h1 { (title) } p { (what) } })
}

fn whole(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · askrelay" }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (body) } }
        }
    };
    page.into_string()
}

/// What is wrong, with a way to each.
fn summary(questions: &[Question], wrong: &[Wrong]) -> Markup {
    html! {
        div .summary role="alert" {
            h2 { "Nothing was sent yet" }
            ul {
                @for Wrong { question, what } in wrong {
                    @let asked = questions.get(*question).map(|asked| one_line(&asked.text)).unwrap_or_default();
                    li { a href={ "#" (anchor(questions, *question)) } { (asked) } ": " (what) }
                }
            }
        }
    }
}

/// The first control of a Question.
fn anchor(questions: &[Question], index: usize) -> String {
    let has_choices = questions.get(index).is_some_and(|question| !question.choices.is_empty());
    if has_choices { choice_id(index, "0") } else { words_name(index) }
}

/// One Question on the page.
struct Field<'a> {
    index: usize,
    count: usize,
    question: &'a Question,
    entry: &'a Entry,
    wrong: Option<&'a str>,
}

impl Field<'_> {
    fn hint_id(&self) -> String {
        format!("{}-hint", name(self.index))
    }

    fn wrong_id(&self) -> String {
        format!("{}-wrong", name(self.index))
    }

    /// What a screen reader says besides the name.
    fn described_by(&self) -> Option<String> {
        let hint = (!self.hint().is_empty()).then(|| self.hint_id());
        let all: Vec<String> = self.wrong.map(|_| self.wrong_id()).into_iter().chain(hint).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }

    /// How to answer: how many, and what own words must look like.
    fn hint(&self) -> String {
        let how_many = (!self.question.choices.is_empty()).then(|| wording::incomplete_one(self.question));
        let expected = self.question.constraint.as_ref().map(wording::expected);
        let all = how_many.into_iter().chain(expected).filter(|part| !part.is_empty());
        all.collect::<Vec<_>>().join(" ")
    }

    fn is_wrong(&self) -> Option<&'static str> {
        self.wrong.map(|_| "true")
    }
}

fn wrong_at(wrong: &[Wrong], index: usize) -> Option<&str> {
    wrong.iter().find(|wrong| wrong.question == index).map(|wrong| wrong.what.as_str())
}

fn asked(field: &Field<'_>) -> Markup {
    if field.question.choices.is_empty() {
        return html! {
            div .question {
                label .asked for=(words_name(field.index)) { (heading(field)) }
                (beside(field))
                (words(field))
            }
        };
    }
    // Several choices are a group, one of several a group of its own kind.
    let role = (!field.question.multi_select).then_some("radiogroup");
    let invalid = role.and(field.is_wrong());
    html! {
        fieldset .question role=[role] aria-invalid=[invalid] aria-describedby=[field.described_by()] {
            legend { (heading(field)) }
            (beside(field))
            @for (index, declared) in field.question.choices.iter().enumerate() { (choice(field, index, declared)) }
            @if field.question.other { (other(field)) }
        }
    }
}

fn heading(field: &Field<'_>) -> Markup {
    let header = one_line(&field.question.header);
    let place = (field.count > 1).then(|| format!("Question {} of {}", field.index + 1, field.count));
    let above: Vec<String> = place.into_iter().chain((!header.is_empty()).then_some(header)).collect();
    html! {
        @if !above.is_empty() { span .header { (above.join(" · ")) } }
        (lines(&field.question.text))
    }
}

/// The link, the hint, and what is wrong.
fn beside(field: &Field<'_>) -> Markup {
    let link = field.question.url.as_deref().filter(|url| is_web_address(url));
    let hint = field.hint();
    html! {
        @if let Some(url) = link { p .hint { a href=(url) target="_blank" rel="noopener noreferrer" { (url) } } }
        @if !hint.is_empty() { p .hint #(field.hint_id()) { (hint) } }
        @if let Some(what) = field.wrong { p .wrong #(field.wrong_id()) { "Please change: " (what) } }
    }
}

fn is_web_address(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

fn choice(field: &Field<'_>, index: usize, declared: &Choice) -> Markup {
    let id = choice_id(field.index, &index.to_string());
    let about = declared.description.as_deref().map(one_line).filter(|about| !about.is_empty());
    let about_id = (about.is_some() || declared.destructive).then(|| format!("{id}-about"));
    html! {
        div .choice {
            input type=(kind(field)) id=(id) name=(name(field.index)) value=(index)
                checked[field.entry.taken.contains(&index)] aria-describedby=[about_id.as_deref()];
            label for=(id) { (one_line(&declared.label)) }
            @if let Some(about_id) = &about_id {
                p .about #(about_id) {
                    @if declared.destructive { strong { "⚠ Destroys something. " } }
                    @if let Some(about) = &about { (about) }
                }
            }
        }
    }
}

fn other(field: &Field<'_>) -> Markup {
    let id = choice_id(field.index, OTHER);
    html! {
        div .choice {
            input type=(kind(field)) id=(id) name=(name(field.index)) value=(OTHER) checked[field.entry.other];
            label for=(id) { "Other, in your own words" }
        }
        label .words for=(words_name(field.index)) { "Your own words, or a remark beside what you choose" }
        (words(field))
    }
}

fn kind(field: &Field<'_>) -> &'static str {
    if field.question.multi_select { "checkbox" } else { "radio" }
}

fn choice_id(question: usize, value: &str) -> String {
    format!("{}-{value}", name(question))
}

/// The field for own words. Nothing is refused by the browser: what is wrong is said by the page that keeps what was entered.
fn words(field: &Field<'_>) -> Markup {
    let id = words_name(field.index);
    let Input { kind, mode, listed, is_long } = Input::of(field.question);
    let list_id = (!listed.is_empty()).then(|| format!("{id}-list"));
    let hint = field.question.placeholder.as_deref().map(one_line).filter(|hint| !hint.is_empty());
    let text = if field.question.secret { "" } else { field.entry.words.as_str() };
    if is_long {
        return html! {
            // The first line break of a text area is none of its text.
            textarea id=(id) name=(id) rows="3" placeholder=[hint] aria-invalid=[field.is_wrong()]
                aria-describedby=[field.described_by()] { "\n" (text) }
        };
    }
    html! {
        input type=(kind) id=(id) name=(id) value=(text) inputmode=[mode] list=[list_id.as_deref()] placeholder=[hint]
            autocomplete="off" aria-invalid=[field.is_wrong()] aria-describedby=[field.described_by()];
        @if let Some(list_id) = &list_id {
            datalist #(list_id) { @for value in listed { option value=(value) {} } }
        }
    }
}

/// Which control suits a Question's own words.
struct Input<'a> {
    kind: &'static str,
    mode: Option<&'static str>,
    listed: &'a [String],
    is_long: bool,
}

impl<'a> Input<'a> {
    fn of(question: &'a Question) -> Self {
        let line = Self { kind: "text", mode: None, listed: &[], is_long: false };
        if question.secret {
            return Self { kind: "password", ..line };
        }
        match &question.constraint {
            None | Some(Constraint::Text { format: None, .. }) => Self { is_long: true, ..line },
            Some(Constraint::Text { format: Some(format), .. }) => match format {
                Format::Email => Self { mode: Some("email"), ..line },
                Format::Uri => Self { mode: Some("url"), ..line },
                Format::Date => Self { kind: "date", ..line },
                Format::DateTime => line,
            },
            Some(Constraint::Integer { minimum, .. }) => {
                let is_positive = minimum.is_some_and(|minimum| minimum >= 0);
                Self { mode: is_positive.then_some("numeric"), ..line }
            }
            Some(Constraint::Number { minimum, .. }) => {
                let is_positive = minimum.is_some_and(|minimum| minimum >= 0.0);
                Self { mode: is_positive.then_some("decimal"), ..line }
            }
            Some(Constraint::OneOf { values }) => Self { listed: values, ..line },
            Some(Constraint::Or { .. }) => line,
        }
    }
}

/// A text with its line breaks.
fn lines(text: &str) -> Markup {
    html! {
        @for (index, line) in text.trim().lines().enumerate() {
            @if index > 0 { br; }
            (one_line(line))
        }
    }
}
