//! `askrelay token`: makes, lists and revokes access tokens at the gateway. Keeps none: a new token is printed once.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use askrelay_client::Client;
use askrelay_core::id::{PersonId, TokenId};
use askrelay_core::permit::WireScope;
use askrelay_protocol::call::{NewToken, TokenCall};
use askrelay_protocol::reply::{Reply, TokenInfo};

use super::CommandError;
use super::outcome::Outcome;
use crate::args::{TokenCommand, TokenCreateArgs};

/// Does one of them.
///
/// # Errors
/// Wrong scopes, or the gateway's.
pub async fn token(client: &Client, command: &TokenCommand) -> Result<Outcome, CommandError> {
    let (call, done) = match command {
        TokenCommand::Create(args) => (TokenCall::Create(new_token(args)?), String::new()),
        TokenCommand::List => (TokenCall::List, String::new()),
        TokenCommand::Revoke(args) => {
            let id = TokenId::from(args.id.as_str());
            (TokenCall::Revoke(id), format!("The token {} is revoked.\n", args.id))
        }
    };
    Ok(Outcome::Said(match client.tokens(call).await? {
        Reply::TokenCreated { token, .. } => format!("{}\n", token.expose()),
        Reply::Tokens(tokens) if tokens.is_empty() => "No tokens.\n".to_owned(),
        Reply::Tokens(tokens) => tokens.iter().fold(String::new(), |text, token| text + &line(token)),
        _ => done,
    }))
}

fn new_token(args: &TokenCreateArgs) -> Result<NewToken, CommandError> {
    let mut scopes = BTreeSet::new();
    let mut wrong = Vec::new();
    for name in &args.scopes {
        match WireScope::named(name) {
            Some(scope) => drop(scopes.insert(scope)),
            None => {
                let known = WireScope::ALL.map(WireScope::name).join(", ");
                wrong.push(format!("--scopes: there is no scope '{name}'; there are: {known}"));
            }
        }
    }
    if !wrong.is_empty() {
        return Err(CommandError::Misused(wrong));
    }
    let person = args.person.as_deref().map(PersonId::from);
    Ok(NewToken { person, scopes, label: args.label.clone(), expires_at: None })
}

fn line(token: &TokenInfo) -> String {
    let person = token.person.as_ref().map_or("service", |person| person.as_str());
    let scopes: Vec<&str> = token.scopes.iter().map(|scope| scope.name()).collect();
    let mut text = format!("{}  {person}  {}", token.id, scopes.join(","));
    if let Some(label) = &token.label {
        // Writing into memory does not fail.
        let _ = write!(text, "  {label}");
    }
    text + "\n"
}
