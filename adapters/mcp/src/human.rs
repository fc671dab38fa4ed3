//! JustAskMe's environment: the settings of the question tools that carry its names. Reads no environment by itself.

use askrelay_core::time::Span;

use crate::wanted::Fallback;

/// The settings, each with the name of its variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Human {
    /// `HIM_TIMEOUT_MS`: how long a question may stay open; 1 s to 1 h.
    pub timeout: Span,
    /// `HIM_FALLBACK`: what is left when nobody can be asked.
    pub fallback: Fallback,
    /// `HIM_HTTP_HOST`: where the one-time page listens.
    pub http_host: String,
    /// `HIM_HTTP_PORT`: its port; 0 takes any that is free.
    pub http_port: u16,
    /// `HIM_HTTP_OPEN`: whether the page is opened in the browser.
    pub http_open: bool,
    /// `HIM_MULTISELECT_MODE`: how several choices are put to a client's form.
    pub multi_select: MultiSelect,
    /// `HIM_AUTO_REJECT_MS`: a form that is declined faster was declined by no person.
    pub auto_reject: Span,
    /// `HIM_LOG`: how much is logged.
    pub log: String,
    /// `HIM_STRICT_STDOUT`: refuse to write anything but the protocol to standard output. It holds always.
    pub strict_stdout: bool,
}

/// How several choices are put to a client's form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MultiSelect {
    /// A list of the choices.
    #[default]
    Array,
    /// One line of text that names them, for clients that show lists badly.
    Text,
}

impl Default for Human {
    fn default() -> Self {
        Self {
            timeout: Span::seconds(300),
            fallback: Fallback::Return,
            http_host: "127.0.0.1".to_owned(),
            http_port: 0,
            http_open: true,
            multi_select: MultiSelect::Array,
            auto_reject: Span(400),
            log: "info".to_owned(),
            strict_stdout: true,
        }
    }
}

impl Human {
    /// The settings of an environment. As in JustAskMe a value that cannot be read counts as not said, and a number outside its
    /// bounds is moved in.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let said = |name: &str| get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let word = |name: &str| said(name).map(|text| text.to_lowercase());
        let unsaid = Self::default();
        Self {
            timeout: Span(number(said("HIM_TIMEOUT_MS"), 1_000, 3_600_000).unwrap_or(unsaid.timeout.0)),
            fallback: match word("HIM_FALLBACK").as_deref() {
                Some("http") => Fallback::Http,
                Some("off") => Fallback::Off,
                _ => Fallback::Return,
            },
            http_host: said("HIM_HTTP_HOST").unwrap_or(unsaid.http_host),
            http_port: number(said("HIM_HTTP_PORT"), 0, 65_535)
                .and_then(|port| u16::try_from(port).ok())
                .unwrap_or(unsaid.http_port),
            http_open: truth(word("HIM_HTTP_OPEN")).unwrap_or(unsaid.http_open),
            multi_select: match word("HIM_MULTISELECT_MODE").as_deref() {
                Some("text") => MultiSelect::Text,
                _ => MultiSelect::Array,
            },
            auto_reject: Span(number(said("HIM_AUTO_REJECT_MS"), 0, 60_000).unwrap_or(unsaid.auto_reject.0)),
            log: said("HIM_LOG").unwrap_or(unsaid.log),
            strict_stdout: truth(word("HIM_STRICT_STDOUT")).unwrap_or(unsaid.strict_stdout),
        }
    }
}

/// A number, without its fraction, moved between its bounds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the bounds, which are small"
)]
fn number(text: Option<String>, least: u32, most: u32) -> Option<u64> {
    let number: f64 = text?.parse().ok().filter(|number: &f64| number.is_finite())?;
    Some(number.trunc().clamp(f64::from(least), f64::from(most)) as u64)
}

fn truth(word: Option<String>) -> Option<bool> {
    match word.as_deref() {
        Some("1" | "true" | "yes" | "on") => Some(true),
        Some("0" | "false" | "no" | "off") => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
