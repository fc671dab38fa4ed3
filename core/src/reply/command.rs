//! Typed commands (rules 5 to 9): ours, another bot's, or a path that only looks like one; and those that are about the bot
//! itself and answer nothing. Carries nothing out.

use super::clean::without_address;
use super::fold::trim;
use super::{Bot, Reason};

/// What a text is, as a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// No command.
    None,
    /// Dismisses the whole Ask.
    Skip,
    /// What follows is the answer.
    Answer(&'a str),
    /// `/2`: the position.
    Position(&'a str),
    /// Another bot's.
    Foreign,
    /// Ours or nobody's, but not usable.
    Unclear(Reason),
}

/// What people ask of the bot itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// To begin, perhaps with an invite.
    Start,
    /// What is open for them.
    Questions,
    /// As whom they are known.
    WhoAmI,
    /// What can be typed.
    Help,
    /// To dismiss what is open.
    Skip,
}

/// What a text asks of the bot itself, perhaps behind its own address, with what stands behind it; nothing where it does not, or
/// asks another bot.
#[must_use]
pub fn service<'a>(text: &'a str, bot: &Bot) -> Option<(Service, &'a str)> {
    let Typed { name, addressee, arguments, .. } = typed(trim(without_address(trim(text), bot)), bot)?;
    if addressee.is_some_and(|whom| !is_ours(whom, bot)) {
        return None;
    }
    let service = match name.to_lowercase().as_str() {
        "start" => Service::Start,
        "questions" => Service::Questions,
        "whoami" => Service::WhoAmI,
        "help" => Service::Help,
        "skip" | "cancel" => Service::Skip,
        _ => return None,
    };
    Some((service, arguments))
}

/// A text that begins as a command does.
struct Typed<'a> {
    sign: char,
    /// Behind the sign.
    rest: &'a str,
    name: &'a str,
    addressee: Option<&'a str>,
    arguments: &'a str,
}

fn typed<'a>(text: &'a str, bot: &Bot) -> Option<Typed<'a>> {
    let mut characters = text.chars();
    let sign = match characters.next() {
        Some('/' | '／') => '/',
        Some('!' | '！') if bot.prefix == '!' => '!',
        Some(c) if c == bot.prefix => c,
        _ => return None,
    };
    let rest = characters.as_str();
    let (word, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let (name, addressee) = word.split_once('@').map_or((word, None), |(name, whom)| (name, Some(whom)));
    let name = name.trim_end_matches(['.', '!', ',', ';', ':']);
    Some(Typed { sign, rest, name, addressee, arguments: trim(arguments) })
}

/// Reads the start of a cleaned reply; `text_allowed` when some open question takes own words.
pub(super) fn command<'a>(text: &'a str, bot: &Bot, text_allowed: bool) -> Command<'a> {
    let Some(Typed { sign, rest, name, addressee, arguments }) = typed(text, bot) else {
        return Command::None;
    };
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) && arguments.is_empty() {
        return Command::Position(name);
    }
    let is_word = name.chars().next().is_some_and(char::is_alphabetic)
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if !is_word {
        return Command::None;
    }
    if addressee.is_some_and(|whom| !is_ours(whom, bot)) {
        return Command::Foreign;
    }
    match name.to_lowercase().as_str() {
        "skip" | "cancel" if arguments.is_empty() => Command::Skip,
        "skip" | "cancel" => Command::Unclear(Reason::Ambiguous),
        "answer" if arguments.is_empty() => Command::Unclear(Reason::Empty),
        "answer" => Command::Answer(arguments),
        _ if sign == '/' && (rest.contains('/') || bot.prefix != '/') => Command::None,
        _ if !arguments.is_empty() || !text_allowed => Command::Foreign,
        _ => Command::Unclear(Reason::Ambiguous),
    }
}

fn is_ours(whom: &str, bot: &Bot) -> bool {
    let whom = whom.trim_end_matches(['.', '!', ',', ';', ':']);
    bot.handle.as_deref().is_some_and(|handle| handle.to_lowercase() == whom.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_of_the_bot_is_told_apart() {
        let rows = [
            ("/start", Some((Service::Start, ""))),
            ("/start inv_4f ", Some((Service::Start, "inv_4f"))),
            ("/QUESTIONS@AskBot", Some((Service::Questions, ""))),
            ("/whoami.", Some((Service::WhoAmI, ""))),
            ("/help me", Some((Service::Help, "me"))),
            ("/cancel", Some((Service::Skip, ""))),
            ("/help@otherbot", None),
            ("/status", None),
            ("help", None),
            ("/2", None),
            ("", None),
            ("@askbot /help", Some((Service::Help, ""))),
            ("<@7> /questions", Some((Service::Questions, ""))),
            ("<@!7>, /start inv_4f", Some((Service::Start, "inv_4f"))),
            ("<@8> /questions", None),
        ];
        for (text, expected) in rows {
            let bot = Bot { handle: Some("askbot".to_owned()), id: Some("7".to_owned()), prefix: '/' };
            assert_eq!(service(text, &bot), expected, "{text}");
        }
    }

    #[test]
    fn commands_are_told_apart() {
        use Command::{Answer, Foreign, None, Position, Skip, Unclear};
        let rows = [
            ('/', "/skip", true, Skip),
            ('/', "/SKIP@AskBot", false, Skip),
            ('/', "/cancel.", true, Skip),
            ('/', "／skip", true, Skip),
            ('/', "/skip now", true, Unclear(Reason::Ambiguous)),
            ('/', "/skip@otherbot", true, Foreign),
            ('/', "/answer", true, Unclear(Reason::Empty)),
            ('/', "/answer  the DR site ", false, Answer("the DR site")),
            ('/', "/2", false, Position("2")),
            ('/', "/status", false, Foreign),
            ('/', "/status", true, Unclear(Reason::Ambiguous)),
            ('/', "/deploy production", true, Foreign),
            ('/', "/api/v2/orders", true, None),
            ('/', "/ready and /live", true, None),
            ('/', "/", true, None),
            ('/', "/ 2", true, None),
            ('/', "!skip", true, None),
            ('!', "!skip", true, Skip),
            ('!', "/skip", true, Skip),
            ('!', "!2", true, Position("2")),
            ('!', "!deploy", false, Foreign),
            ('!', "/health", true, None),
        ];
        for (prefix, text, text_allowed, expected) in rows {
            let bot = Bot { handle: Some("askbot".to_owned()), id: Option::None, prefix };
            assert_eq!(command(text, &bot, text_allowed), expected, "{prefix} {text}");
        }
    }
}
