//! `askrelay token`: makes, lists and revokes access tokens at the gateway. Keeps none: a new token is printed once.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use askrelay_client::Client;
use askrelay_core::id::{PersonId, TokenId};
use askrelay_core::permit::WireScope;
use askrelay_core::prompt::one_line;
use askrelay_protocol::call::NewToken;
use askrelay_protocol::reply::TokenInfo;

use super::CommandError;
use super::outcome::Outcome;
use crate::args::{TokenCommand, TokenCreateArgs};

/// Does one of them.
///
/// # Errors
/// Wrong scopes, or the gateway's.
pub async fn token(client: &Client, command: &TokenCommand) -> Result<Outcome, CommandError> {
    Ok(Outcome::Said(match command {
        TokenCommand::Create(args) => {
            let (_, token) = client.create_token(new_token(args)?).await?;
            format!("{}\n", token.expose())
        }
        TokenCommand::List => {
            let tokens = client.tokens().await?;
            if tokens.is_empty() { "No tokens.\n".to_owned() } else { tokens.iter().map(line).collect() }
        }
        TokenCommand::Revoke(args) => {
            let id = TokenId::from(args.id.as_str());
            if client.tokens().await?.iter().all(|token| token.id != id) {
                return Err(CommandError::NoSuchToken(one_line(&args.id)));
            }
            client.revoke_token(id).await?;
            format!("The token {} is revoked.\n", args.id)
        }
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
    let mut text = format!("{}  {}  {}", token.id, one_line(person), scopes.join(","));
    if let Some(label) = &token.label {
        // Writing into memory does not fail.
        let _ = write!(text, "  {}", one_line(label));
    }
    text + "\n"
}
