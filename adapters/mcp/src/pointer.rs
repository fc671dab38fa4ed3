//! Places within JSON, as the JSON pointers that faults name. Follows none.

/// The place of a member of what lies at `path`.
pub(crate) fn at(path: &str, member: &str) -> String {
    format!("{path}/{}", member.replace('~', "~0").replace('/', "~1"))
}
