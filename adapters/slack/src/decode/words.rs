//! What a person typed, out of the text as the platform keeps it. Exactly three characters are escaped there, and what stands in
//! angle brackets is a link or a name. Decides nothing about what the words mean.

/// The words as they were typed. A mention of a user stays as it is, `<@U024BE7LH>`: names are not known here.
pub(super) fn read(raw: &str) -> String {
    let mut words = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('<') {
        words.push_str(&unescaped(before));
        match after.split_once('>') {
            Some((inner, after)) => {
                words.push_str(&shown(inner));
                rest = after;
            }
            None => {
                words.push('<');
                rest = after;
            }
        }
    }
    words.push_str(&unescaped(rest));
    words
}

/// The text calls this user by name.
pub(super) fn names(raw: &str, user: &str) -> bool {
    !user.is_empty()
        && raw.split("<@").skip(1).any(|rest| {
            let id = rest.split(['>', '|']).next();
            id == Some(user)
        })
}

/// What the app shows in place of what stands in angle brackets.
fn shown(inner: &str) -> String {
    let (target, label) =
        inner.split_once('|').map_or((inner, None), |(target, label)| (target, Some(label)));
    let label = label.filter(|label| !label.is_empty());
    match target.chars().next() {
        Some('@') => format!("<{target}>"),
        Some('#') => label.map_or_else(|| format!("<{target}>"), |label| format!("#{}", unescaped(label))),
        Some('!') => match label {
            Some(label) => unescaped(label),
            None => format!("@{}", unescaped(target.trim_start_matches('!'))),
        },
        _ => unescaped(label.unwrap_or_else(|| target.strip_prefix("mailto:").unwrap_or(target))),
    }
}

/// Once, and nothing else than the three.
fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_were_typed() {
        for (raw, typed) in [
            ("R&amp;D &gt; Ops", "R&D > Ops"),
            ("&amp;lt;", "&lt;"),
            ("&copy; &quot;", "&copy; &quot;"),
            ("*not* &lt;b&gt;markup&lt;/b&gt; &amp;amp;", "*not* <b>markup</b> &amp;"),
            ("see <http://example.com|example.com> now", "see example.com now"),
            ("<https://a.example/x?a=1&amp;b=2>", "https://a.example/x?a=1&b=2"),
            ("<mailto:sam@example.org|sam@example.org>", "sam@example.org"),
            ("<@U0BOT> 2", "<@U0BOT> 2"),
            ("<@U0BOT|askbot> 2", "<@U0BOT> 2"),
            ("<#C0TEAM|team> <!here> <!subteam^S1|@ops>", "#team @here @ops"),
            ("<!date^1764500000^{date}|today>", "today"),
            ("1 &lt; 2", "1 < 2"),
            ("a < b", "a < b"),
            ("<", "<"),
            ("", ""),
        ] {
            assert_eq!(read(raw), typed, "{raw}");
        }
    }

    #[test]
    fn a_name_is_found_only_as_a_mention() {
        for (raw, named) in [
            ("<@U0BOT> 2", true),
            ("hey <@U0BOT|askbot>", true),
            ("&lt;@U0BOT&gt;", false),
            ("<@U0BOTS>", false),
            ("U0BOT", false),
        ] {
            assert_eq!(names(raw, "U0BOT"), named, "{raw}");
        }
        assert!(!names("<@> hi", ""));
    }
}
