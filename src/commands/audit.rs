//! `askrelay audit`: the trail, oldest line first, as text or JSON. Shows what the gateway gives and masks nothing itself: that
//! was done before it was written down.

use askrelay_client::Client;
use askrelay_core::answer::{Actor, Way};
use askrelay_core::audit::Entry;
use askrelay_core::prompt::one_line;
use askrelay_core::prompt::when::stamp;
use askrelay_protocol::call::{AuditParams, PAGE_MAX};
use askrelay_protocol::encode::EntryView;

use super::CommandError;
use super::outcome::Outcome;
use super::people::json;
use crate::args::AuditArgs;

/// Reads the newest entries that the arguments want.
///
/// # Errors
/// The gateway's.
pub async fn audit(client: &Client, args: &AuditArgs) -> Result<Outcome, CommandError> {
    let wanted = args.last as usize;
    let mut entries = Vec::new();
    let mut after = None;
    while entries.len() < wanted {
        let limit = Some((wanted - entries.len()).min(PAGE_MAX));
        let params = AuditParams {
            ask: args.ask.as_deref().map(Into::into),
            person: args.person.as_deref().map(Into::into),
            after,
            limit,
        };
        let page = client.audit(params).await?;
        entries.extend(page.entries);
        match page.next {
            None => break,
            next => after = next,
        }
    }
    if entries.is_empty() && !args.json {
        return Ok(Outcome::Said("Nothing is written down.\n".to_owned()));
    }
    let shown = entries.iter().rev().map(|(number, entry)| match args.json {
        true => json(&EntryView { number: *number, entry }),
        false => line(entry),
    });
    Ok(Outcome::Said(shown.collect()))
}

/// One entry on one line: when, what, about which ask, who, where, what was read from which words.
fn line(entry: &Entry) -> String {
    let Entry { at, what, actor, token, record, place, answers, words, detail } = entry;
    let mut parts = vec![stamp(*at), what.clone()];
    parts.extend(record.iter().map(|key| format!("ask {}", one_line(key.id.as_str()))));
    parts.extend(actor.iter().map(who));
    parts.extend(token.iter().map(|token| format!("token {token}")));
    let there = place.as_ref().or_else(|| actor.as_ref().and_then(|actor| actor.place.as_ref()));
    parts.extend(there.map(|place| format!("in {}", one_line(&place.to_string()))));
    for (question, values) in answers.iter().flat_map(|answers| &answers.0) {
        parts.push(format!("{question}: {}", one_line(&values.join(", "))));
    }
    parts.extend(words.iter().map(|words| format!("from “{}”", one_line(words))));
    parts.extend(detail.iter().map(|detail| one_line(detail)));
    parts.join("  ") + "\n"
}

fn who(actor: &Actor) -> String {
    let person = actor.person.as_ref().map_or("somebody", |person| person.as_str());
    let identity = actor.identity.as_ref().map(|identity| one_line(&identity.to_string()));
    let identity = identity.map(|identity| format!(" as {identity}")).unwrap_or_default();
    let way = match actor.way {
        Way::Control => "by a control",
        Way::Text => "by text",
        Way::AskingTerminal => "at the asking terminal",
        Way::Call => "by a call",
        Way::Elicitation => "in the agent's own form",
    };
    format!("{}{identity} {way}", one_line(person))
}

#[cfg(test)]
mod tests {
    //! Entries as they are printed.

    use super::*;
    use askrelay_core::answer::Answers;
    use askrelay_core::id::{Account, Identity, Place, RecordKey};
    use askrelay_core::time::Time;

    #[test]
    fn entries_as_they_are_printed() {
        let at = Time(1_796_040_005_250);
        let account = Account { surface: "telegram".into(), name: "main".into() };
        let place = Place { account, conversation: "-1001/42".into() };
        let record = RecordKey { gateway: "local".into(), id: "ask_1".into(), created_at: at };
        let ann = Actor {
            identity: Some(Identity { surface: "telegram".into(), user: "7".into() }),
            place: Some(place.clone()),
            ..Actor::new(Some("ann".into()), Way::Text)
        };
        let answers =
            Answers([("target".into(), vec!["Staging".to_owned(), "with\ncare".to_owned()])].into());
        let owner = Actor::new(Some("owner".into()), Way::Call);
        let entries = [
            Entry {
                record: Some(record.clone()),
                actor: Some(owner.clone()),
                ..Entry::new(at, "ask.opened")
            },
            Entry { record: Some(record.clone()), place: Some(place), ..Entry::new(at, "prompt.shown") },
            Entry {
                record: Some(record.clone()),
                actor: Some(Actor { person: None, ..ann.clone() }),
                detail: Some("unknown".to_owned()),
                ..Entry::new(at, "answer.refused")
            },
            Entry {
                record: Some(record),
                actor: Some(ann),
                answers: Some(answers),
                words: Some("the first, with\ncare".to_owned()),
                ..Entry::new(at, "ask.answered")
            },
            Entry { actor: Some(owner), token: Some("t1".into()), ..Entry::new(at, "token.created") },
        ];
        let text: String = entries.iter().map(line).collect();
        let json = json(&EntryView { number: 4, entry: &entries[3] });
        insta::assert_snapshot!(text + &json);
    }
}
