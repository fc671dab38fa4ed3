//! Who may answer a Record, as a short line for people. Asks the one gate ([`crate::permit`]) about everybody known; grants
//! nothing, and is never used to decide.

use crate::answer::{Actor, Way};
use crate::permit::permit;
use crate::person::{People, Person};
use crate::prompt::wording;
use crate::record::Record;

/// Who may answer `record` with its controls: by name up to three, then by number. Empty where it says nothing new: a Place
/// that is not `shared`, for an Ask that names no answerers.
#[must_use]
pub fn line(record: &Record, people: &People, shared: bool) -> String {
    if !shared && record.ask.answerers.is_empty() {
        return String::new();
    }
    let may = |person: &&Person| {
        let actor = Actor::new(Some(person.id.clone()), Way::Control);
        permit(record, people, &actor).is_ok()
    };
    let names: Vec<&str> = people.iter().filter(may).map(|person| person.display_name.as_str()).collect();
    wording::audience(&names)
}
