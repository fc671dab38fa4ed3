//! Whether an SPDX licence expression can be met with licences that we can pass on. Knows `AND`, `OR`, `WITH`, brackets, and the
//! old `/` for `OR`.

/// Licences that ask for nothing but notices.
const ALLOWED: [&str; 14] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages under licences that ask for more, each with the reason why it is here all the same.
pub(super) const EXCEPTIONS: [(&str, &str); 1] = [
    // By teloxide's dispatcher, which is not used but cannot be left out. Its licence asks for the source of its own files only,
    // which are taken unchanged from the registry.
    ("colored", "MPL-2.0"),
];

pub(super) fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest) && rest.is_empty()
}

fn any(rest: &mut &[&str]) -> bool {
    let mut allowed = all(rest);
    while take(rest, "OR") {
        allowed |= all(rest);
    }
    allowed
}

fn all(rest: &mut &[&str]) -> bool {
    let mut allowed = one(rest);
    while take(rest, "AND") {
        allowed &= one(rest);
    }
    allowed
}

fn one(rest: &mut &[&str]) -> bool {
    if take(rest, "(") {
        let allowed = any(rest);
        return take(rest, ")") && allowed;
    }
    let Some((name, after)) = rest.split_first() else { return false };
    *rest = after;
    if take(rest, "WITH") {
        let Some((exception, after)) = rest.split_first() else { return false };
        *rest = after;
        return ALLOWED.contains(&format!("{name} WITH {exception}").as_str());
    }
    ALLOWED.contains(name)
}

fn take(rest: &mut &[&str], word: &str) -> bool {
    let is_next = rest.first() == Some(&word);
    if is_next {
        *rest = &rest[1..];
    }
    is_next
}

#[test]
fn expressions_are_understood() {
    for (expression, allowed) in [
        ("MIT", true),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0", false),
        ("MIT AND GPL-3.0", false),
        ("MIT/Apache-2.0", true),
        ("(MIT OR GPL-3.0) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND (GPL-3.0 OR LGPL-3.0)", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-2.0", true),
        ("GPL-2.0 WITH Classpath-exception-2.0", false),
        ("", false),
        ("(MIT", false),
        ("MIT MIT", false),
    ] {
        assert_eq!(is_allowed(expression), allowed, "{expression}");
    }
}
