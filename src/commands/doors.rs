//! `askrelay pair` and `askrelay invite`: lets people in. An invite's code is printed once and kept nowhere.

use askrelay_client::Client;
use askrelay_core::id::{InviteId, PersonId};
use askrelay_core::invite::Invite;
use askrelay_core::pairing::{Code, Pairing};
use askrelay_core::person::Person;
use askrelay_core::prompt::one_line;
use askrelay_core::prompt::when::stamp;
use askrelay_core::time::Time;
use askrelay_protocol::call::{Approval, NewInvite};
use askrelay_protocol::encode::{InviteView, PairingView};

use super::CommandError;
use super::outcome::Outcome;
use super::people::{granted, json, rights};
use crate::args::{InviteArgs, InviteCommand, PairCommand};
use crate::clock;
use crate::span;

/// `askrelay pair`.
///
/// # Errors
/// Wrong rights, or the gateway's.
pub async fn pair(client: &Client, command: &PairCommand) -> Result<Outcome, CommandError> {
    Ok(Outcome::Said(match command {
        PairCommand::List(args) => {
            let (now, waiting) = (clock::now(), client.pairings().await?);
            match waiting.as_slice() {
                [] if !args.json => "Nobody waits.\n".to_owned(),
                waiting if args.json => waiting.iter().map(|pairing| json(&PairingView(pairing))).collect(),
                waiting => waiting.iter().map(|pairing| waits(pairing, now)).collect(),
            }
        }
        PairCommand::Approve(args) => {
            let scopes = granted(&args.grant)?;
            let person = PersonId::from(args.person.as_str());
            let code = Code::typed(&args.code);
            let waiting = client.pairings().await?.into_iter().find(|pairing| pairing.code == code);
            let person = client.approve(Approval { code, person, scopes }).await?;
            let_in(&person, waiting.as_ref())
        }
        PairCommand::Reject(args) => {
            let code = Code::typed(&args.code);
            client.reject(code.clone()).await?;
            format!("Whoever has the code {code} is turned away for an hour; they are not told.\n")
        }
    }))
}

/// Who is in now, and where questions reach them.
fn let_in(person: &Person, waited: Option<&Pairing>) -> String {
    let Person { id, scopes, .. } = person;
    let mut text = format!("{id} is let in, with {}, and is told so in the chat.\n", rights(scopes));
    if let Some(pairing) = waited {
        let place = one_line(&pairing.place.to_string());
        text.push_str(&format!(
            "Questions reach them in {place}: name it in --to, or in a route of the configuration.\n"
        ));
    }
    text
}

/// `askrelay invite`.
///
/// # Errors
/// Wrong arguments, or the gateway's.
pub async fn invite(client: &Client, args: &InviteArgs) -> Result<Outcome, CommandError> {
    Ok(Outcome::Said(match &args.command {
        None => {
            let (invite, code) = client.create_invite(new_invite(args, clock::now())?).await?;
            invited(&invite, code.expose())
        }
        Some(InviteCommand::List(args)) => {
            let (now, invites) = (clock::now(), client.invites().await?);
            match invites.as_slice() {
                [] if !args.json => "No invites are open.\n".to_owned(),
                invites if args.json => invites.iter().map(|invite| json(&InviteView(invite))).collect(),
                invites => invites.iter().map(|invite| open(invite, now)).collect(),
            }
        }
        Some(InviteCommand::Revoke(args)) => {
            client.revoke_invite(InviteId::from(args.id.as_str())).await?;
            format!("The invite {} is revoked.\n", args.id)
        }
    }))
}

fn new_invite(args: &InviteArgs, now: Time) -> Result<NewInvite, CommandError> {
    let mut wrong = Vec::new();
    let scopes = granted(&args.grant).unwrap_or_else(|error| {
        wrong.push(error.to_string());
        None
    });
    let expires_at = match span::parse(&args.expires) {
        Ok(span) => Some(now.after(span)),
        Err(what) => {
            wrong.push(format!("--expires: {what}"));
            None
        }
    };
    if !wrong.is_empty() {
        return Err(CommandError::Misused(wrong));
    }
    let person = PersonId::from(args.person.as_deref().unwrap_or_default());
    Ok(NewInvite { person, scopes, expires_at })
}

/// What an operator passes on. The bot's handle is the platform's to know, so that a link is told as a form.
fn invited(invite: &Invite, code: &str) -> String {
    let Invite { id, person, expires_at, .. } = invite;
    let until = stamp(*expires_at);
    format!(
        "{code}\n\n\
         Send it to {person}, and to nobody else: whoever uses it first is {person}. It is good once, until {until} UTC.\n\
         They write this to the bot in a private chat (on Discord and Slack with ! in place of /):\n\n  /start {code}\n\n\
         On Telegram this link does the same, with the bot's name in it:\n\n  https://t.me/BOTNAME?start={code}\n\n\
         To take it back: askrelay invite revoke {id}\n"
    )
}

/// One who waits, on one line.
fn waits(pairing: &Pairing, now: Time) -> String {
    let Pairing { code, identity, display_name, expires_at, .. } = pairing;
    let left = span::show(expires_at.since(now));
    let name = one_line(display_name);
    format!("{code}  {}  {name}  {left} left\n", one_line(&identity.to_string()))
}

/// One invite, on one line.
fn open(invite: &Invite, now: Time) -> String {
    let Invite { id, person, scopes, expires_at, .. } = invite;
    let scopes = scopes.as_ref().map_or_else(|| "as usual".to_owned(), rights);
    format!("{id}  {person}  {scopes}  {} left\n", span::show(expires_at.since(now)))
}

#[cfg(test)]
mod tests {
    //! What is printed.

    use super::*;
    use askrelay_core::id::{Account, Identity, Place};
    use askrelay_core::invite::GOOD_FOR;
    use askrelay_core::person::Scope;
    use askrelay_core::time::Span;

    const NOW: Time = Time(1_796_040_000_000);

    #[test]
    fn doors_as_they_are_printed() {
        let account = Account { surface: "telegram".into(), name: "main".into() };
        let pairing = Pairing {
            code: Code::typed("7K2M9QXZ"),
            identity: Identity { surface: "telegram".into(), user: "700100".into() },
            place: Place { account, conversation: "700100".into() },
            display_name: "Grace\nHopper".to_owned(),
            since: NOW,
            expires_at: NOW.after(Span::seconds(2820)),
            rejected: false,
        };
        let invite = Invite {
            id: "3f2a9c41".into(),
            person: "ann".into(),
            scopes: None,
            created_at: NOW,
            expires_at: NOW.after(GOOD_FOR),
        };
        let admin = Invite { scopes: Some([Scope::QuestionsAdmin].into()), ..invite.clone() };
        let ann = Person {
            id: "ann".into(),
            display_name: "Ann".to_owned(),
            scopes: [Scope::QuestionsAnswer, Scope::SessionsWrite].into(),
            identities: [pairing.identity.clone()].into(),
        };
        let parts = [
            waits(&pairing, NOW),
            json(&PairingView(&pairing)),
            open(&invite, NOW),
            open(&admin, NOW),
            json(&InviteView(&admin)),
            invited(&invite, "3f2a9c41-Kd8sQ2mVYx0aB7ErTpLw1g"),
            let_in(&ann, Some(&pairing)),
        ];
        insta::assert_snapshot!(parts.concat());
    }

    #[test]
    fn every_wrong_argument_of_an_invite_is_told_at_once() {
        let args = InviteArgs {
            person: Some("ann".to_owned()),
            grant: vec!["all".to_owned()],
            expires: "soon".to_owned(),
            command: None,
        };
        let error = new_invite(&args, NOW).unwrap_err();
        insta::assert_snapshot!(error.to_string());
    }
}
