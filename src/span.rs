//! Lengths of time as people write them: `90s`, `15m`, `1h30m`, `2d`. A number without its unit is refused, because it
//! would be somebody's wrong guess.

use askrelay_core::time::Span;

const UNITS: [(&str, u64); 4] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)];

/// The length of time that `text` says, in whole seconds.
///
/// # Errors
/// What would be right, in words for a person.
pub fn parse(text: &str) -> Result<Span, String> {
    let right = || format!("expected a length of time such as 90s, 15m, 1h30m or 2d, got '{text}'");
    let mut rest = text.trim();
    let mut seconds: u64 = 0;
    // Units come from long to short, each at most once.
    let mut units = UNITS.iter();
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(right)?;
        let (number, after) = rest.split_at(digits);
        let number: u64 = number.parse().map_err(|_| right())?;
        let (unit, worth) = units.find(|(unit, _)| after.starts_with(unit)).ok_or_else(right)?;
        seconds = number.checked_mul(*worth).and_then(|more| seconds.checked_add(more)).ok_or_else(right)?;
        rest = &after[unit.len()..];
    }
    if seconds == 0 {
        return Err(right());
    }
    Ok(Span::seconds(seconds))
}

/// The same in words of the same kind; parts of a second are left out.
#[must_use]
pub fn show(span: Span) -> String {
    let mut rest = span.0 / 1000;
    let mut text = String::new();
    for (unit, worth) in UNITS {
        if rest >= worth {
            text.push_str(&format!("{}{unit}", rest / worth));
            rest %= worth;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read_and_shown() {
        let rows = [
            ("90s", 90, "1m30s"),
            ("15m", 900, "15m"),
            (" 1h30m ", 5400, "1h30m"),
            ("2d", 172_800, "2d"),
            ("1d1s", 86_401, "1d1s"),
            ("007s", 7, "7s"),
        ];
        for (text, seconds, shown) in rows {
            assert_eq!(parse(text), Ok(Span::seconds(seconds)), "{text}");
            assert_eq!(show(Span::seconds(seconds)), shown, "{text}");
        }
        assert_eq!(show(Span(999)), "0s");
    }

    #[test]
    fn anything_else_is_refused_with_an_example() {
        for text in
            ["", "15", "m", "15 m", "-1m", "1.5h", "1m1h", "1m2m", "0s", "999999999999999999d", "1x", "１m"]
        {
            let fault = parse(text).unwrap_err();
            assert!(fault.contains("15m") && fault.contains(text), "{text}: {fault}");
        }
    }
}
