//! The environment as JustAskMe reads it.

use super::*;

fn check(name: &str, value: &str, expected: &Human) {
    let read = Human::read(|asked| (asked == name).then(|| value.to_owned()));
    assert_eq!(read, *expected, "{name}={value}");
}

#[test]
fn each_variable_is_read_and_nonsense_counts_as_unsaid() {
    let unsaid = Human::default;
    check("HIM_NOTHING", "1", &unsaid());
    for (value, timeout) in [
        ("5000", 5_000),
        (" 1500.7 ", 1_500),
        ("1", 1_000),
        ("9e9", 3_600_000),
        ("", 300_000),
        ("soon", 300_000),
        ("NaN", 300_000),
    ] {
        check("HIM_TIMEOUT_MS", value, &Human { timeout: Span(timeout), ..unsaid() });
    }
    for (value, fallback) in [
        ("HTTP", Fallback::Http),
        (" off", Fallback::Off),
        ("return", Fallback::Return),
        ("x", Fallback::Return),
    ] {
        check("HIM_FALLBACK", value, &Human { fallback, ..unsaid() });
    }
    for (value, http_port) in [("8123", 8123), ("99999", 65_535), ("-1", 0)] {
        check("HIM_HTTP_PORT", value, &Human { http_port, ..unsaid() });
    }
    for (value, http_open) in [("0", false), ("No", false), ("on", true), ("perhaps", true)] {
        check("HIM_HTTP_OPEN", value, &Human { http_open, ..unsaid() });
    }
    check("HIM_HTTP_HOST", "::1", &Human { http_host: "::1".to_owned(), ..unsaid() });
    check("HIM_MULTISELECT_MODE", "text", &Human { multi_select: MultiSelect::Text, ..unsaid() });
    check("HIM_AUTO_REJECT_MS", "70000", &Human { auto_reject: Span(60_000), ..unsaid() });
    check("HIM_LOG", "debug", &Human { log: "debug".to_owned(), ..unsaid() });
    check("HIM_STRICT_STDOUT", "off", &Human { strict_stdout: false, ..unsaid() });
}
