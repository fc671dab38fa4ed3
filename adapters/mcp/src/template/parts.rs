//! Takes a text with templates apart: `{{path}}`, `{{#path}}for each, or when it is so{{/path}}`, `{{^path}}otherwise{{/path}}`. Fills
//! nothing in.

/// Most sections within each other.
const DEPTH_MAX: usize = 16;

/// One part of a text.
#[derive(Debug)]
pub(super) enum Part<'t> {
    /// As it stands.
    Text(&'t str),
    /// A value.
    Value(Path<'t>),
    /// What stands there for each entry of a list, or when something is so; with `unless`, when it is not.
    Section { of: Path<'t>, unless: bool, inside: Vec<Part<'t>> },
}

/// Which value is meant.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Path<'t> {
    /// `@index`: how many entries of the list came before.
    Index,
    /// `@first`: this is the first entry.
    First,
    /// `@last`: this is the last entry.
    Last,
    /// The steps from an object on; never none.
    Steps(Vec<&'t str>),
}

/// A section whose end was not seen yet.
struct Open<'t> {
    name: &'t str,
    of: Path<'t>,
    unless: bool,
    /// What stands before it, in the section around it.
    before: Vec<Part<'t>>,
}

/// The parts of a text.
///
/// # Errors
/// What is wrong with how it is written.
pub(super) fn parts(text: &str) -> Result<Vec<Part<'_>>, String> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((tag, behind)) = after.split_once("}}") else {
            return Err("has {{ without }}".to_owned());
        };
        rest = behind;
        if !before.is_empty() {
            parts.push(Part::Text(before));
        }
        let tag = tag.trim();
        let mut letters = tag.chars();
        let sign = letters.next();
        let name = letters.as_str().trim();
        match sign {
            Some('#' | '^') if open.len() == DEPTH_MAX => {
                return Err(format!("has more than {DEPTH_MAX} sections within each other"));
            }
            Some(sign @ ('#' | '^')) => {
                open.push(Open {
                    name,
                    of: path(name)?,
                    unless: sign == '^',
                    before: std::mem::take(&mut parts),
                });
            }
            Some('/') => {
                let section = open.pop().filter(|section| section.name == name);
                let Some(Open { of, unless, before, .. }) = section else {
                    return Err(format!("{{{{/{name}}}}} ends a section that does not begin there"));
                };
                let inside = std::mem::replace(&mut parts, before);
                parts.push(Part::Section { of, unless, inside });
            }
            Some('>' | '<' | '$' | '!' | '&' | '{') => {
                return Err(format!("{{{{{tag}}}}}: there is no such template"));
            }
            _ => parts.push(Part::Value(path(tag)?)),
        }
    }
    if let Some(section) = open.pop() {
        return Err(format!("the section {} has no end {{{{/{}}}}}", section.name, section.name));
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    Ok(parts)
}

/// The steps of a text that is one whole template, to the letter.
pub(super) fn whole(text: &str) -> Option<Path<'_>> {
    let tag = text.strip_prefix("{{")?.strip_suffix("}}")?.trim();
    let is_one = !tag.contains("{{")
        && !tag.contains("}}")
        && !tag.starts_with(['#', '^', '/', '>', '<', '$', '!', '&', '@']);
    path(tag).ok().filter(|_| is_one)
}

fn path(text: &str) -> Result<Path<'_>, String> {
    match text {
        "@index" => return Ok(Path::Index),
        "@first" => return Ok(Path::First),
        "@last" => return Ok(Path::Last),
        "" => return Err("has an empty template".to_owned()),
        _ => {}
    }
    let steps: Vec<&str> = text.split('.').collect();
    if steps.iter().any(|step| step.is_empty()) {
        return Err(format!("{{{{{text}}}}} has nothing beside one of its dots"));
    }
    if steps.iter().any(|step| step.starts_with('@')) {
        return Err(format!("{{{{{text}}}}}: known are @index, @first and @last, each alone"));
    }
    Ok(Path::Steps(steps))
}
