//! `askrelay people`: who is known and what they may do. Knows no rights by itself: the gateway does.

use askrelay_client::Client;
use askrelay_core::id::{Identity, PersonId};
use askrelay_core::person::{Change, Person, Scope, Scopes};
use askrelay_core::prompt::one_line;
use askrelay_protocol::encode::PersonView;
use serde::Serialize;

use super::CommandError;
use super::outcome::Outcome;
use crate::args::{IdentityArgs, PeopleCommand, PersonAddArgs, RightsArgs};
use crate::compose;

/// Does one of them.
///
/// # Errors
/// Wrong arguments, or the gateway's.
pub async fn people(client: &Client, command: &PeopleCommand) -> Result<Outcome, CommandError> {
    Ok(Outcome::Said(match command {
        PeopleCommand::Add(args) => {
            let person = client.add_person(added(args)?).await?;
            format!("{} is known, with {}.\n", person.id, rights(&person.scopes))
        }
        PeopleCommand::List(args) => {
            let people = client.people().await?;
            people
                .iter()
                .map(|person| if args.json { json(&PersonView(person)) } else { line(person) })
                .collect()
        }
        PeopleCommand::Show(args) => {
            let id = PersonId::from(args.person.as_str());
            let people = client.people().await?;
            let person = people.get(&id).ok_or_else(|| CommandError::NoSuchPerson(id.to_string()))?;
            if args.json { json(&PersonView(person)) } else { shown(person) }
        }
        PeopleCommand::Grant(args) => {
            let change = Change { grant: scopes("SCOPE", &args.scopes)?, ..of(args) };
            holds(&client.change_person(change).await?)
        }
        PeopleCommand::Revoke(args) => {
            let change = Change { revoke: scopes("SCOPE", &args.scopes)?, ..of(args) };
            holds(&client.change_person(change).await?)
        }
        PeopleCommand::Link(args) => {
            let link = possible("SURFACE/USER", &args.identities)?;
            client.change_person(Change { link: link.iter().cloned().collect(), ..whose(args) }).await?;
            link.iter().map(|identity| format!("{identity} is {} now.\n", args.person)).collect()
        }
        PeopleCommand::Unlink(args) => {
            let unlink = identities("SURFACE/USER", &args.identities)?;
            client.change_person(Change { unlink: unlink.iter().cloned().collect(), ..whose(args) }).await?;
            unlink.iter().map(|identity| format!("{identity} is not {} any more.\n", args.person)).collect()
        }
        PeopleCommand::Remove(args) => {
            client.remove_person(PersonId::from(args.person.as_str())).await?;
            format!("{} is forgotten, with their tokens and the invites for them.\n", args.person)
        }
    }))
}

fn added(args: &PersonAddArgs) -> Result<Person, CommandError> {
    let grant = scopes("--grant", &args.grant);
    let identities = possible("--identity", &args.identities);
    let (grant, identities) = both(grant, identities)?;
    Ok(Person {
        id: PersonId::from(args.person.as_str()),
        display_name: args.name.clone().unwrap_or_else(|| args.person.clone()),
        scopes: if args.grant.is_empty() { [Scope::QuestionsAnswer].into() } else { grant },
        identities: identities.into_iter().collect(),
    })
}

/// Both values, or the mistakes of both.
fn both<A, B>(one: Result<A, CommandError>, two: Result<B, CommandError>) -> Result<(A, B), CommandError> {
    match (one, two) {
        (Ok(one), Ok(two)) => Ok((one, two)),
        (Err(CommandError::Misused(mut all)), Err(CommandError::Misused(more))) => {
            all.extend(more);
            Err(CommandError::Misused(all))
        }
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

fn of(args: &RightsArgs) -> Change {
    Change::of(PersonId::from(args.person.as_str()))
}

fn whose(args: &IdentityArgs) -> Change {
    Change::of(PersonId::from(args.person.as_str()))
}

/// The rights of these names.
///
/// # Errors
/// Every name that is none.
pub fn scopes(argument: &str, names: &[String]) -> Result<Scopes, CommandError> {
    let known = Scope::ALL.map(Scope::name).join(", ");
    let wrong = names.iter().filter(|name| Scope::named(name).is_none());
    let wrong: Vec<String> =
        wrong.map(|name| format!("{argument}: there is no right '{name}'; there are: {known}")).collect();
    if !wrong.is_empty() {
        return Err(CommandError::Misused(wrong));
    }
    Ok(names.iter().filter_map(|name| Scope::named(name)).collect())
}

/// Rights that may be left to the gateway to choose.
///
/// # Errors
/// As [`scopes`].
pub fn granted(names: &[String]) -> Result<Option<Scopes>, CommandError> {
    let scopes = scopes("--grant", names)?;
    Ok(Some(scopes).filter(|scopes| !scopes.is_empty()))
}

/// Identities that somebody can have.
fn possible(argument: &str, texts: &[String]) -> Result<Vec<Identity>, CommandError> {
    judged(argument, texts, compose::identity)
}

/// Identities that somebody may have been given before, too.
fn identities(argument: &str, texts: &[String]) -> Result<Vec<Identity>, CommandError> {
    judged(argument, texts, |_| Ok(()))
}

fn judged(
    argument: &str,
    texts: &[String],
    judge: impl Fn(&Identity) -> Result<(), String>,
) -> Result<Vec<Identity>, CommandError> {
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    for text in texts {
        let parsed = Identity::parse(text);
        let parsed =
            parsed.ok_or_else(|| format!("'{}' is no identity; write it as telegram/700100", one_line(text)));
        match parsed.and_then(|identity| judge(&identity).map(|()| identity)) {
            Ok(identity) => all.push(identity),
            Err(why) => wrong.push(format!("{argument}: {why}")),
        }
    }
    if wrong.is_empty() { Ok(all) } else { Err(CommandError::Misused(wrong)) }
}

/// Rights as words: `questions.answer and sessions.write`, or `no rights`.
#[must_use]
pub fn rights(scopes: &Scopes) -> String {
    let names: Vec<&str> = scopes.iter().map(|scope| scope.name()).collect();
    match names.as_slice() {
        [] => "no rights".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn holds(person: &Person) -> String {
    format!("{} holds {} now.\n", person.id, rights(&person.scopes))
}

/// One person on one line: name, shown name, rights, identities.
fn line(person: &Person) -> String {
    let Person { id, display_name, scopes, identities } = person;
    let names: Vec<&str> = scopes.iter().map(|scope| scope.name()).collect();
    let rights = if names.is_empty() { "no rights".to_owned() } else { names.join(",") };
    let mut text = format!("{id}  {}  {rights}", one_line(display_name));
    for identity in identities {
        text.push_str("  ");
        text.push_str(&one_line(&identity.to_string()));
    }
    text + "\n"
}

fn shown(person: &Person) -> String {
    let mut text = format!("{}, shown as {}\n", person.id, one_line(&person.display_name));
    text.push_str(&format!("  holds {}\n", rights(&person.scopes)));
    for identity in &person.identities {
        text.push_str(&format!("  is {}\n", one_line(&identity.to_string())));
    }
    if person.identities.is_empty() {
        text.push_str(&format!(
            "  is on no platform yet; `askrelay invite --as {}` makes an invite\n",
            person.id
        ));
    }
    text
}

/// One JSON value on a line.
pub fn json(view: &impl Serialize) -> String {
    // Only a map key that is no string could fail, and no view has one.
    serde_json::to_string(view).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    //! What is printed, and what is said about wrong arguments.

    use super::*;

    fn ann(scopes: &[Scope], identities: &[&str]) -> Person {
        Person {
            id: "ann".into(),
            display_name: "Ann\u{202e} A.".to_owned(),
            scopes: scopes.iter().copied().collect(),
            identities: identities.iter().filter_map(|text| Identity::parse(text)).collect(),
        }
    }

    #[test]
    fn people_as_they_are_printed() {
        let rows = [
            ann(&[], &[]),
            ann(&[Scope::QuestionsAnswer], &["telegram/7"]),
            ann(&Scope::ALL, &["telegram/7", "discord/8"]),
        ];
        let text: Vec<String> = rows
            .iter()
            .map(|person| {
                format!("{}{}{}{}", line(person), shown(person), holds(person), json(&PersonView(person)))
            })
            .collect();
        insta::assert_snapshot!(text.join("\n"));
    }

    #[test]
    fn every_wrong_argument_is_told_at_once() {
        let args = PersonAddArgs {
            person: "ann".to_owned(),
            grant: vec!["all".to_owned(), "questions.answer".to_owned(), "".to_owned()],
            identities: vec!["telegram".to_owned(), "telegram/7".to_owned(), "/7".to_owned()],
            name: None,
        };
        let Err(CommandError::Misused(wrong)) = added(&args) else { panic!("it is wrong") };
        insta::assert_snapshot!(wrong.join("\n"));
    }
}
