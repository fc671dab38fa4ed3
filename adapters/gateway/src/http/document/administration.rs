//! The shapes of people, pairings, invites and the trail, as the OpenAPI document shows them.
#![expect(dead_code, reason = "the document is made from these types; no value of them ever exists")]

use std::collections::BTreeMap;

use serde::Deserialize;
use utoipa::{IntoResponses, ToSchema};

use crate::http::failure::ErrorBody;
use crate::http::outcome::{ActorInfo, IdentityInfo, PlaceInfo};

/// A right.
#[derive(Deserialize, ToSchema)]
pub(crate) enum ScopeName {
    /// Answers asks.
    #[serde(rename = "questions.answer")]
    QuestionsAnswer,
    /// Writes in sessions; alone it answers only asks of the person's own sessions.
    #[serde(rename = "sessions.write")]
    SessionsWrite,
    /// All of it, and the secret and sessionless asks.
    #[serde(rename = "questions.admin")]
    QuestionsAdmin,
}

/// A person on one surface, by the platform's own id.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IdentityBody {
    #[schema(min_length = 1)]
    surface: String,
    #[schema(min_length = 1)]
    user: String,
}

/// Somebody known.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonRecord {
    id: String,
    display_name: String,
    scopes: Vec<ScopeName>,
    identities: Vec<IdentityInfo>,
}

/// Everybody known.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PeopleList {
    people: Vec<PersonRecord>,
}

/// Somebody to be known from now on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"id": "ann", "displayName": "Ann", "scopes": ["questions.answer"]}))]
pub(crate) struct PersonBody {
    #[schema(pattern = "^[A-Za-z0-9._@][A-Za-z0-9._@-]{0,63}$")]
    id: String,
    /// What others are shown; the id when it is not there.
    #[schema(required = false, min_length = 1, max_length = 128, pattern = "^[ -~]*[!-~][ -~]*$")]
    display_name: String,
    #[schema(required = false)]
    scopes: Vec<ScopeName>,
    #[schema(required = false)]
    identities: Vec<IdentityBody>,
}

/// What is to become of somebody. Whatever is so already stays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"grant": ["questions.answer"], "link": [{"surface": "telegram", "user": "700100"}]}))]
pub(crate) struct ChangeBody {
    #[schema(required = false, min_length = 1, max_length = 128, pattern = "^[ -~]*[!-~][ -~]*$")]
    display_name: String,
    #[schema(required = false)]
    grant: Vec<ScopeName>,
    /// Wins over `grant`.
    #[schema(required = false)]
    revoke: Vec<ScopeName>,
    #[schema(required = false)]
    link: Vec<IdentityBody>,
    /// Wins over `link`.
    #[schema(required = false)]
    unlink: Vec<IdentityBody>,
}

/// Everybody who waits to be let in, the longest first.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PairingsList {
    pairings: Vec<PairingRecord>,
}

/// Somebody who waits.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PairingRecord {
    /// What they were told to pass on.
    code: String,
    identity: IdentityInfo,
    place: PlaceInfo,
    /// The name they show; never trusted.
    display_name: String,
    since_ms: i64,
    expires_at_ms: i64,
}

/// As whom somebody is let in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdmissionBody {
    /// Somebody known, or a new person.
    #[schema(pattern = "^[A-Za-z0-9._@][A-Za-z0-9._@-]{0,63}$")]
    person: String,
    /// Without it somebody new may answer, and somebody known gets nothing more.
    #[schema(required = false)]
    scopes: Vec<ScopeName>,
}

/// An invite to be made.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct InviteBody {
    /// Whom it makes of whoever brings it: somebody known, or a new person.
    #[schema(pattern = "^[A-Za-z0-9._@][A-Za-z0-9._@-]{0,63}$")]
    person: String,
    /// Without it somebody new may answer, and somebody known gets nothing more.
    #[schema(required = false)]
    scopes: Vec<ScopeName>,
    /// Seven days from now when it is not there; at most 365.
    #[schema(required = false)]
    expires_at_ms: i64,
}

/// An invite, without its code.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InviteRecord {
    id: String,
    person: String,
    #[schema(required = false)]
    scopes: Vec<ScopeName>,
    created_at_ms: i64,
    expires_at_ms: i64,
}

/// The open invites.
#[derive(Deserialize, ToSchema)]
pub(crate) struct InvitesList {
    invites: Vec<InviteRecord>,
}

/// An invite and its code, which is shown this once.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewInviteRecord {
    invite: InviteRecord,
    /// To be typed to the bot: `/start CODE`.
    code: String,
}

/// A page of the trail, newest first.
#[derive(Deserialize, ToSchema)]
pub(crate) struct TrailPage {
    entries: Vec<EntryRecord>,
    /// What to give as `after` for the next page; absent after the last.
    #[schema(required = false)]
    next: i64,
}

/// Who did what.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryRecord {
    /// Grows with time.
    number: i64,
    at_ms: i64,
    /// A dotted word, such as `ask.answered`.
    what: String,
    #[schema(required = false)]
    actor: ActorInfo,
    /// The token that was used or concerned.
    #[schema(required = false)]
    token: String,
    #[schema(required = false)]
    ask: AskKey,
    #[schema(required = false)]
    place: PlaceInfo,
    /// What was read from an accepted answer, secret questions left out.
    #[schema(required = false)]
    answers: BTreeMap<String, Vec<String>>,
    /// The words of an accepted typed answer: at most 600 characters, with what looks like a secret masked.
    #[schema(required = false)]
    words: String,
    #[schema(required = false)]
    detail: String,
}

/// Which ask: an id may be used again.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskKey {
    gateway: String,
    id: String,
    created_at_ms: i64,
}

/// What a route that changes who is known may answer besides.
#[derive(IntoResponses)]
pub(crate) enum Contended {
    /// It does not go with what is there: a name or an identity that is taken, or the last admin.
    #[response(status = 409)]
    Conflict(ErrorBody<'static>),
}

/// Done; there is nothing to say.
#[derive(IntoResponses)]
pub(crate) enum Gone {
    /// Done.
    #[response(status = 204)]
    Done,
}
