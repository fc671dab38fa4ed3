//! Takes the envelope off a reply (rules 1 to 4): quoted mail, signatures, quoted lines, the bot's own address. Cuts whole lines
//! and changes no word of what is left.

use std::borrow::Cow;

use super::Bot;
use super::asked::Asked;
use super::fold::{KEYCAP, fold1, fold2, is_emoji, trim};
use super::words::words;

/// What is left of a reply to these questions.
pub(super) fn clean<'a>(reply: &'a str, bot: &Bot, asked: &[Asked<'_>]) -> Cow<'a, str> {
    let free = asked.iter().all(Asked::is_free);
    let text = trim(reply);
    if !text.contains('\n') && !text.starts_with('>') {
        return Cow::Borrowed(trim(without_address(text, bot)));
    }
    let lines: Vec<&str> = text.split('\n').collect();
    let end = lines.iter().enumerate().position(|(at, _)| starts_mail(&lines, at)).unwrap_or(lines.len());
    let kept = lines.get(..end).unwrap_or_default();
    let kept = if free { kept } else { without_signature(kept) };
    let quoted = |line: &str| line.trim_start().starts_with('>');
    if !kept.iter().any(|line| quoted(line)) {
        let length = kept.iter().map(|line| line.len() + 1).sum::<usize>().saturating_sub(1);
        return Cow::Borrowed(trim(without_address(trim(text.get(..length).unwrap_or(text)), bot)));
    }
    let mut after_repeat = false;
    let rest: Vec<&str> = kept
        .iter()
        .copied()
        .filter(|line| {
            let bare = line.trim_start().trim_start_matches(['>', ' ']);
            let repeats = !free || (after_repeat && trim(bare).is_empty()) || repeats_prompt(bare, asked);
            after_repeat = quoted(line) && repeats;
            !after_repeat
        })
        .collect();
    let rest = rest.join("\n");
    Cow::Owned(trim(without_address(trim(&rest), bot)).to_owned())
}

/// Whether there is anything that could choose: a letter, a digit or a picture.
pub(super) fn has_content(text: &str) -> bool {
    text.chars().any(|c| c.is_alphanumeric() || c == KEYCAP || is_emoji(c))
}

/// Whether the mail that is being answered starts at this line: an attribution, perhaps wrapped, a dashed heading, or a block of
/// header lines.
fn starts_mail(lines: &[&str], at: usize) -> bool {
    let line = trim(lines.get(at).copied().unwrap_or_default());
    if line.is_empty() || line.len() > LINE_BYTES_MAX {
        return false;
    }
    if line.starts_with("--") && line.len() > 4 {
        let heading = folded(line.trim_matches(|c: char| c == '-' || c.is_whitespace()));
        return words().mail.original.iter().any(|original| heading.starts_with(original.as_str()));
    }
    let mut joined = String::new();
    for next in lines.iter().skip(at).take(WRAPPED_LINES_MAX) {
        let next = trim(next);
        if next.is_empty() || joined.len() + next.len() > LINE_BYTES_MAX {
            break;
        }
        joined.push_str(next);
        if next.ends_with([':', '：']) && is_attribution(&joined, joined.len() > next.len()) {
            return true;
        }
        joined.push(' ');
    }
    line.contains([':', '：']) && starts_header(lines, at)
}

/// Attributions are at most this long, in bytes.
const LINE_BYTES_MAX: usize = 500;

/// Mail programs wrap them over at most so many lines.
const WRAPPED_LINES_MAX: usize = 3;

/// `wrapped` lines must start as an attribution does, or any line above one would be taken for a part of it.
fn is_attribution(line: &str, wrapped: bool) -> bool {
    let line = folded(line);
    let dated = line.contains('@') || line.bytes().any(|byte| byte.is_ascii_digit());
    words().mail.attribution.iter().any(|parts| {
        let named = parts.first().is_some_and(|start| !start.is_empty());
        (named || (dated && !wrapped)) && has_parts(&line, parts)
    })
}

/// Whether the line consists of these parts as whole words and of something between them.
fn has_parts(line: &str, parts: &[String]) -> bool {
    let [start, middles @ .., end] = parts else { return false };
    let Some(mut rest) = line
        .strip_prefix(start.as_str())
        .filter(|rest| is_edge(rest.chars().next(), start.chars().next_back()))
    else {
        return false;
    };
    for middle in middles {
        let found = rest.match_indices(middle.as_str()).find_map(|(at, _)| {
            let (before, after) = (rest.get(..at)?, rest.get(at + middle.len()..)?);
            let edges = is_edge(before.chars().next_back(), middle.chars().next())
                && is_edge(after.chars().next(), middle.chars().next_back());
            (edges && !before.trim().is_empty()).then_some(after)
        });
        let Some(after) = found else { return false };
        rest = after;
    }
    if end.is_empty() {
        return true;
    }
    rest.strip_suffix(end.as_str()).is_some_and(|between| {
        !between.trim().is_empty() && is_edge(between.chars().next_back(), end.chars().next())
    })
}

/// Whether a word ends between two characters.
fn is_edge(a: Option<char>, b: Option<char>) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !super::fold::is_glued(c));
    !(joins(a) && joins(b))
}

/// `From: …` with `Sent: …` right below it.
fn starts_header(lines: &[&str], at: usize) -> bool {
    let name = |at: usize| {
        let line = lines.get(at).map(|line| trim(line)).filter(|line| line.len() <= LINE_BYTES_MAX)?;
        line.split_once([':', '：'])
            .filter(|(name, _)| name.len() <= HEADER_BYTES_MAX)
            .map(|(name, _)| folded(name))
    };
    let Some((first, second)) = name(at).zip(name(at + 1)) else { return false };
    words().mail.header.iter().any(|header| header.0 == first && header.1 == second)
}

/// Names of mail headers are at most this long, in bytes.
const HEADER_BYTES_MAX: usize = 40;

/// Without a signature and a device's advertising at the end.
fn without_signature<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let is_delimiter = |line: &&str| matches!(line.trim_end_matches('\r'), "--" | "-- ");
    let end = lines.iter().position(is_delimiter).unwrap_or(lines.len());
    let lines = lines.get(..end).unwrap_or_default();
    let Some(last) = lines.iter().rposition(|line| !trim(line).is_empty()) else { return lines };
    let advertises = lines.get(last).filter(|line| line.len() <= LINE_BYTES_MAX).is_some_and(|line| {
        let line = folded(line);
        words().mail.sent.iter().any(|sent| line.starts_with(sent.as_str()))
    });
    if last > 0 && advertises { lines.get(..last).unwrap_or_default() } else { lines }
}

/// Whether a quoted line is part of what was asked.
fn repeats_prompt(line: &str, asked: &[Asked<'_>]) -> bool {
    let line = folded(line);
    let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '#' || c == ' ');
    if line.is_empty() {
        return false;
    }
    asked.iter().any(|one| {
        let (header, text) = (folded(&one.question.header), folded(&one.question.text));
        let whole = line == header || line == text || line == format!("{header}: {text}");
        let part = line.chars().count() >= PART_CHARACTERS_MIN && text.contains(line);
        whole || part
    })
}

/// A shorter part of the question may be in the quote by chance.
const PART_CHARACTERS_MIN: usize = 12;

/// Without one leading address of this bot: `@askbot`, `<@U123>`, `askbot:`.
pub(super) fn without_address<'a>(text: &'a str, bot: &Bot) -> &'a str {
    if let Some(id) = bot.id.as_deref()
        && let Some(rest) = text.strip_prefix("<@").map(|rest| rest.strip_prefix('!').unwrap_or(rest))
        && let Some((named, after)) = rest.split_once('>')
        && named.split('|').next() == Some(id)
    {
        return after.trim_start_matches([',', ':', ' ']);
    }
    let Some(handle) = bot.handle.as_deref().filter(|handle| !handle.is_empty()) else { return text };
    let (rest, mention) = text.strip_prefix(['@', '＠']).map_or((text, false), |rest| (rest, true));
    let Some((named, after)) = rest.split_at_checked(handle.len()) else { return text };
    if !named.eq_ignore_ascii_case(handle) && named != handle {
        return text;
    }
    let mut following = after.chars();
    match (following.next(), following.next()) {
        (None, _) if mention => "",
        (Some(c), _) if mention && c.is_whitespace() => after,
        (Some(',' | ':' | '，' | '：'), next) if mention || next.is_none_or(char::is_whitespace) => {
            after.trim_start_matches([',', ':', '，', '：'])
        }
        _ => text,
    }
}

fn folded(text: &str) -> String {
    let (mut one, mut two) = (String::new(), String::new());
    fold1(text, &mut one);
    fold2(&one, &mut two);
    two
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::{Choice, Question};

    fn check(name: &str, choices: &[&str], reply: &str, expected: &str) {
        let choices = choices.iter().map(|l| Choice::new(*l)).collect();
        let question =
            Question { text: "Where should I deploy this build?".to_owned(), choices, ..Question::default() };
        let bot = Bot { handle: Some("askbot".to_owned()), id: Some("U123".to_owned()), ..Bot::default() };
        assert_eq!(clean(reply, &bot, &[Asked::new(&question)]), expected, "{name}");
    }

    #[test]
    fn envelopes_come_off_replies_to_choices() {
        let rows = [
            (
                "attribution",
                "2\n\nOn Mon, 30 Nov 2026 at 15:14, Ask Bot <a@b.example> wrote:\n> 1. Staging",
                "2",
            ),
            ("wrapped", "2\nOn Mon, 30 Nov 2026 at 15:14, Ask Bot\n<a@b.example> wrote:\n> 1. Staging", "2"),
            ("german", "2\nAm 30.11.2026 um 15:14 schrieb Ask Bot:\n> x", "2"),
            ("german, participle", "2\nAm 30.11.26 hat Ask Bot <a@b.example> geschrieben:\n> x", "2"),
            ("french", "2\nLe lun. 30 nov. 2026 à 15:14, Ask Bot a écrit :\n> x", "2"),
            ("russian", "2\n30.11.2026 15:14, Ask Bot пишет:\n> x", "2"),
            ("chinese", "2\n在 2026年11月30日，Ask Bot 写道：\n> x", "2"),
            ("outlook", "2\n-----Original Message-----\nFrom: Ask Bot\n1. Staging", "2"),
            ("header block", "2\nFrom: Ask Bot\nSent: Monday\n1. Staging", "2"),
            ("signature", "Production\n\n-- \nDana\next. 3", "Production"),
            ("bullet is no signature", "- Production", "- Production"),
            ("advertising", "2\n\nSent from my iPhone", "2"),
            ("german advertising", "2\n\nVon meinem iPhone gesendet", "2"),
            ("quotes anywhere", "> 1. Staging\n2\n> 3. Canary", "2"),
            ("own words around a quote", "neither\n> 1. Staging\nof them", "neither\nof them"),
            ("only a quote", "> Staging", ""),
            ("mention", "@AskBot 2", "2"),
            ("mention with colon", "@askbot: 2", "2"),
            ("platform mention", "<@!U123> 2", "2"),
            ("another bot", "@askbot2 2", "@askbot2 2"),
            ("irc", "askbot, 2", "2"),
            ("a word", "askbot is slow", "askbot is slow"),
            ("only the mention", "@askbot", ""),
            ("mention after a quote", "> 1. Staging\n@askbot 2", "2"),
        ];
        for (name, reply, expected) in rows {
            check(name, &["Staging", "Production"], reply, expected);
        }
    }

    #[test]
    fn free_text_keeps_all_but_mail_and_the_repeated_prompt() {
        let rows = [
            ("signature stays", "a\n-- \nDana", "a\n-- \nDana"),
            ("quote stays", "> a quote\nb", "> a quote\nb"),
            ("prompt goes", "> Where should I deploy this build?\n>\nb", "b"),
            ("attribution goes", "b\nOn 30 Nov 2026, Ask Bot wrote:\n> x", "b"),
        ];
        for (name, reply, expected) in rows {
            check(name, &[], reply, expected);
        }
    }
}
