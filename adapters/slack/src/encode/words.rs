//! Text as rich text, and the same as the plain text beside it. Rich text is structure: nothing in it is markup, a mention or an
//! address unless it is said to be one. Knows no controls.

use askrelay_core::prompt::shorten::shorten;
use askrelay_core::prompt::{Piece, Style};
use slack_morphism::prelude::{
    SlackBlock, SlackRelaxedUrl, SlackRichTextBlock, SlackRichTextInlineElement, SlackRichTextLink,
    SlackRichTextSection, SlackRichTextText, SlackRichTextUser,
};

use crate::limits::{FALLBACK, LIMITS};

/// The text of one message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    elements: Vec<SlackRichTextInlineElement>,
    /// As a person reads it where blocks are not shown: notifications, screen readers, search.
    plain: String,
    /// Whom it is for, in the same.
    to: Option<String>,
}

impl Words {
    /// These pieces, one after the other.
    pub(super) fn of(pieces: &[Piece]) -> Self {
        let mut words = Self::default();
        for Piece { text, style } in pieces.iter().filter(|piece| !piece.text.is_empty()) {
            words.plain.push_str(text);
            let plain = SlackRichTextText::new(text.clone());
            words.elements.push(match style {
                Style::Plain => plain.into(),
                Style::Strong => plain.bold().into(),
                Style::Quiet => plain.italic().into(),
                Style::Link(url) => {
                    let mut link = SlackRichTextLink::new(SlackRelaxedUrl(url.clone()));
                    link.text = Some(text.clone()).filter(|text| text != url);
                    SlackRichTextInlineElement::Link(link)
                }
            });
        }
        words
    }

    /// Text without any look.
    pub(super) fn plain(text: &str) -> Self {
        Self::of(&[Piece { text: text.to_owned(), style: Style::Plain }])
    }

    /// The same behind the name of this user, who is told.
    pub(super) fn addressed(mut self, user: &str) -> Self {
        let named = SlackRichTextUser::new(user.into());
        let space = SlackRichTextText::new(" ".to_owned());
        self.elements.splice(0..0, [SlackRichTextInlineElement::User(named), space.into()]);
        self.to = Some(format!("<@{user}> "));
        self
    }

    /// Lines at the end of the plain text alone: what blocks beside the text say.
    pub(super) fn append(&mut self, lines: &[String]) {
        for line in lines {
            self.plain.push('\n');
            self.plain.push_str(line);
        }
    }

    pub(super) fn length(&self) -> usize {
        LIMITS.unit.measure(&self.plain)
    }

    pub(super) fn block(&self) -> SlackBlock {
        let section = SlackRichTextSection::new(self.elements.clone());
        SlackRichTextBlock::new(vec![section.into()]).into()
    }

    /// The plain text, in which nothing is markup. Longer than the platform takes it does not get: the blocks say all of it.
    pub(super) fn fallback(&self) -> String {
        let to = self.to.as_deref().unwrap_or_default();
        let mut most = FALLBACK - to.len().min(FALLBACK);
        loop {
            let escaped = escaped(&shorten(&self.plain, LIMITS.unit, most));
            let over = LIMITS.unit.measure(&escaped).saturating_sub(FALLBACK - to.len().min(FALLBACK));
            if over == 0 || most == 0 {
                return format!("{to}{escaped}");
            }
            // What becomes longer becomes at most five times as long.
            most -= over.div_ceil(5).min(most);
        }
    }
}

/// The three characters that mean something, and no others, as the platform wants them.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn exactly_three_characters_are_escaped() {
        for (text, expected) in [
            ("R&D > Ops", "R&amp;D &gt; Ops"),
            ("a<b", "a&lt;b"),
            ("&lt;", "&amp;lt;"),
            ("<!here> <@U0SAM> *no* `no`", "&lt;!here&gt; &lt;@U0SAM&gt; *no* `no`"),
        ] {
            assert_eq!(Words::plain(text).fallback(), expected, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_plain_text_never_gets_too_long(text in "[&<>a🙂 ]{0,40}", times in 1_usize..200) {
            let text = text.repeat(times);
            let fallback = Words::plain(&text).addressed("U0SAM").fallback();
            prop_assert!(LIMITS.unit.measure(&fallback) <= FALLBACK);
            prop_assert!(!fallback.replace("<@U0SAM>", "").contains(['<', '>']));
            if escaped(&text).chars().count() < FALLBACK - 10 {
                prop_assert_eq!(fallback, format!("<@U0SAM> {}", escaped(&text)));
            }
        }
    }
}
