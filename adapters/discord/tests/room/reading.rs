//! How a message reads on the screen: what is markup in it, and texts that would be. Judges nothing.

/// Texts that would be markup, each with the sign that is then not seen.
pub(crate) fn hostile() -> Vec<(&'static str, &'static str)> {
    vec![
        ("**bold** _slanted_ ~~gone~~ `code` ||hidden||", "‹"),
        ("[a](https://evil.example) https://evil.example", "‹"),
        ("# Title\n> said\n- one\n1. two\n-# small", "‹"),
        ("<@80351110224678912> <#4711> <@&4711> <t:0> @everyone (@here)", "‹"),
        ("\\*not escaped\\* \\\\", "‹"),
    ]
}

/// Markdown as one reads it, with a sign before everything that is markup.
pub(crate) fn read(text: &str) -> String {
    let mut read = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let line = read.rsplit('\n').next().unwrap_or_default();
        let starts_line = line.trim().is_empty();
        let counts = !starts_line && line.trim().chars().all(|c| c.is_ascii_digit());
        let is_markup = match c {
            '\\' => {
                read.extend(chars.next());
                continue;
            }
            '*' | '_' | '~' | '`' | '|' | '<' | '[' | '@' => true,
            '#' | '>' | '-' | '+' => starts_line,
            '.' | ')' => counts,
            '/' => text.contains("://"),
            _ => false,
        };
        if is_markup {
            read.push('‹');
        }
        read.push(c);
    }
    read
}
