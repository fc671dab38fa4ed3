//! The shapes of all requests and of Records. Each must say the same as the typed reading of the same thing; a property
//! test holds the two together.

use super::shape::Need::{NotYet, Optional, PlainRequired, Required, Wide};
use super::shape::{FILLED, Member, Need, Shape, TEXT};
use crate::call::{Cursor, PAGE_MAX};
use crate::connect::MODES;

const fn member(name: &'static str, need: Need, shape: &'static Shape) -> Member {
    Member { name, need, shape }
}

const FLAG: Shape = Shape::Flag;
const TEXTS: Shape = Shape::List(&TEXT);
const NAMES: Shape = Shape::List(&FILLED);
const WHOLE: Shape = Shape::Whole { min: 0, max: u64::MAX };
const POSITIVE: Shape = Shape::Whole { min: 1, max: u64::MAX };
const SIGNED: Shape = Shape::Signed;
const NUMBER: Shape = Shape::Number;
const VALUES: Shape = Shape::Map(&TEXTS);
const NOTES: Shape = Shape::Map(&TEXT);
const ANY: Shape = Shape::Any;
const RESOLUTION: Shape = Shape::Text { min: 1, max: 128 };
const CURSOR: Shape = Shape::Checked {
    takes: |text| Cursor::parse(text).is_some(),
    what: "must be the cursor of an earlier page",
    sample: "0:x",
};

/// The frame around every request.
pub(super) const FRAME: Shape = Shape::Object(&[
    member("type", Required, &Shape::Word(&["req"])),
    member("id", Required, &FILLED),
    member("method", Required, &FILLED),
    member("params", Optional, &ANY),
]);

/// Requests without params.
pub(super) const NOTHING: Shape = Shape::Object(&[]);

/// Requests that name one thing.
pub(super) const NAMED: Shape = Shape::Object(&[member("id", Required, &FILLED)]);

const CHOICE: Shape = Shape::Object(&[
    member("label", Required, &TEXT),
    member("description", Optional, &TEXT),
    member("destructive", Wide, &FLAG),
]);

const CONSTRAINT: Shape = Shape::Tagged(&[
    (
        "text",
        &[
            member("minLength", Optional, &WHOLE),
            member("maxLength", Optional, &WHOLE),
            member("format", Optional, &Shape::Word(&["email", "uri", "date", "date-time"])),
        ],
    ),
    ("integer", &[member("minimum", Optional, &SIGNED), member("maximum", Optional, &SIGNED)]),
    ("number", &[member("minimum", Optional, &NUMBER), member("maximum", Optional, &NUMBER)]),
    ("oneOf", &[member("values", Required, &TEXTS)]),
]);

const QUESTION: Shape = Shape::Object(&[
    member("questionId", Required, &TEXT),
    member("header", PlainRequired, &TEXT),
    member("question", Required, &TEXT),
    member("url", Optional, &TEXT),
    member("options", PlainRequired, &Shape::List(&CHOICE)),
    member("multiSelect", Optional, &FLAG),
    member("isOther", Optional, &FLAG),
    member("isSecret", Optional, &FLAG),
    member("secretStore", NotYet, &ANY),
    member("min", Wide, &WHOLE),
    member("max", Wide, &WHOLE),
    member("constraint", Wide, &CONSTRAINT),
    member("placeholder", Wide, &TEXT),
    member("default", Wide, &TEXTS),
]);

const QUESTIONS: Shape = Shape::List(&QUESTION);

const WHEN_UNANSWERED: Shape =
    Shape::WordOr(&["fail"], &Shape::Object(&[member("default", Required, &VALUES)]));

/// `question.request`.
pub(super) const ASK: Shape = Shape::Object(&[
    member("id", Optional, &FILLED),
    member("questions", Required, &QUESTIONS),
    member("agentId", Optional, &TEXT),
    member("sessionKey", Optional, &TEXT),
    member("runId", Optional, &TEXT),
    member("timeoutMs", Optional, &POSITIVE),
    member("label", Wide, &TEXT),
    member("answerers", Wide, &NAMES),
    member("places", Wide, &NAMES),
    member("needsSurface", Wide, &FLAG),
    member("whenUnanswered", Wide, &WHEN_UNANSWERED),
    member("terminalProof", Wide, &TEXT),
]);

/// `question.waitAnswer`.
pub(super) const WAIT: Shape = Shape::Object(&[
    member("id", Required, &FILLED),
    member("timeoutMs", Optional, &WHOLE),
    member("includeResolutionId", Optional, &FLAG),
]);

const IDENTITY: Shape =
    Shape::Object(&[member("surface", Required, &FILLED), member("user", Required, &FILLED)]);

const PLACE: Shape = Shape::Object(&[
    member("surface", Required, &FILLED),
    member("account", Required, &FILLED),
    member("conversation", Required, &FILLED),
]);

const ACTOR: Shape = Shape::Object(&[
    member("person", Optional, &FILLED),
    member("identity", Optional, &IDENTITY),
    member("place", Optional, &PLACE),
    member("way", Required, &Shape::Word(&["control", "text", "askingTerminal", "call", "elicitation"])),
    member("granted", Optional, &SCOPES),
    member("name", Optional, &FILLED),
]);

const ENVELOPE: Shape = Shape::Object(&[member("answers", Required, &VALUES)]);

/// `question.resolve` that answers.
pub(super) const ANSWER: Shape = Shape::Object(&[
    member("id", Required, &FILLED),
    member("answers", Required, &ENVELOPE),
    member("resolvedBy", Optional, &FILLED),
    member("resolutionId", Optional, &RESOLUTION),
    member("secretStoreAllowedHosts", NotYet, &ANY),
    member("createdAtMs", Wide, &SIGNED),
    member("notes", Wide, &NOTES),
    member("words", Wide, &TEXT),
    member("actor", Wide, &ACTOR),
    member("terminalSecret", Wide, &FILLED),
]);

const WHY: Shape = Shape::Word(&["declined", "withdrawn", "unavailable", "not_delivered"]);

/// `question.resolve` that cancels.
pub(super) const CANCEL: Shape = Shape::Object(&[
    member("id", Required, &FILLED),
    member("cancel", Required, &Shape::True),
    member("resolvedBy", Optional, &FILLED),
    member("resolutionId", Wide, &RESOLUTION),
    member("createdAtMs", Wide, &SIGNED),
    member("reason", Wide, &WHY),
    member("detail", Wide, &TEXT),
    member("actor", Wide, &ACTOR),
    member("terminalSecret", Wide, &FILLED),
]);

/// `question.list`.
pub(super) const LIST: Shape = Shape::Object(&[
    member("after", Wide, &CURSOR),
    member("limit", Wide, &Shape::Whole { min: 1, max: PAGE_MAX as u64 }),
    member("endedSinceMs", Wide, &SIGNED),
    member("idPrefix", Wide, &FILLED),
]);

const SCOPES: Shape = Shape::List(&Shape::Word(&["questions.answer", "sessions.write", "questions.admin"]));

/// A Person.
pub(super) const PERSON: Shape = Shape::Object(&[
    member("id", Required, &FILLED),
    member("displayName", Required, &TEXT),
    member("scopes", Required, &SCOPES),
    member("identities", Required, &Shape::List(&IDENTITY)),
]);

/// `people.put`.
pub(super) const PEOPLE_PUT: Shape = Shape::Object(&[member("person", Required, &PERSON)]);

const WIRE_SCOPES: Shape =
    Shape::List(&Shape::Word(&["operator.questions", "operator.sessions.write", "operator.admin"]));

/// `tokens.create`.
pub(super) const TOKENS_CREATE: Shape = Shape::Object(&[
    member("person", Optional, &FILLED),
    member("scopes", Required, &WIRE_SCOPES),
    member("label", Optional, &TEXT),
    member("expiresAtMs", Optional, &SIGNED),
]);

/// `people.change`.
pub(super) const PEOPLE_CHANGE: Shape = Shape::Object(&[
    member("id", Required, &FILLED),
    member("displayName", Optional, &TEXT),
    member("grant", Optional, &SCOPES),
    member("revoke", Optional, &SCOPES),
    member("link", Optional, &Shape::List(&IDENTITY)),
    member("unlink", Optional, &Shape::List(&IDENTITY)),
]);

/// `pairings.knock`.
pub(super) const KNOCK: Shape = Shape::Object(&[
    member("place", Required, &PLACE),
    member("identity", Required, &IDENTITY),
    member("displayName", Required, &TEXT),
    member("invite", Optional, &FILLED),
]);

/// `notify.send`.
pub(super) const NOTIFY: Shape = Shape::Object(&[
    member("message", Required, &FILLED),
    member("agentId", Optional, &TEXT),
    member("sessionKey", Optional, &TEXT),
    member("runId", Optional, &TEXT),
    member("label", Optional, &TEXT),
    member("places", Optional, &NAMES),
]);

/// `notify.sent`.
pub(super) const NOTIFIED: Shape =
    Shape::Object(&[member("number", Required, &WHOLE), member("places", Required, &WHOLE)]);

/// `pairings.approve`.
pub(super) const APPROVE: Shape = Shape::Object(&[
    member("code", Required, &FILLED),
    member("person", Required, &FILLED),
    member("scopes", Optional, &SCOPES),
]);

/// `pairings.reject`.
pub(super) const REJECT: Shape = Shape::Object(&[member("code", Required, &FILLED)]);

/// `invites.create`.
pub(super) const INVITE: Shape = Shape::Object(&[
    member("person", Required, &FILLED),
    member("scopes", Optional, &SCOPES),
    member("expiresAtMs", Optional, &SIGNED),
]);

/// `audit.list`.
pub(super) const AUDIT: Shape = Shape::Object(&[
    member("ask", Optional, &FILLED),
    member("person", Optional, &FILLED),
    member("after", Optional, &SIGNED),
    member("limit", Optional, &Shape::Whole { min: 1, max: PAGE_MAX as u64 }),
]);

const CLIENT: Shape = Shape::Object(&[
    member("id", Required, &FILLED),
    member("mode", Required, &Shape::Word(&MODES)),
    member("version", Required, &FILLED),
    member("platform", Required, &FILLED),
    member("displayName", Optional, &FILLED),
    member("deviceFamily", Optional, &FILLED),
    member("modelIdentifier", Optional, &FILLED),
    member("instanceId", Optional, &FILLED),
]);

const AUTH: Shape = Shape::Object(&[
    member("token", Optional, &TEXT),
    member("deviceToken", Optional, &TEXT),
    member("bootstrapToken", Optional, &TEXT),
    member("password", Optional, &TEXT),
]);

const DEVICE: Shape = Shape::Object(&[
    member("id", Required, &FILLED),
    member("publicKey", Required, &FILLED),
    member("signature", Required, &FILLED),
    member("signedAt", Required, &SIGNED),
    member("nonce", Required, &TEXT),
]);

/// `connect`. Members that other clients send and nobody here needs are read past.
pub(super) const CONNECT: Shape = Shape::Object(&[
    member("minProtocol", Required, &POSITIVE),
    member("maxProtocol", Required, &POSITIVE),
    member("client", Required, &CLIENT),
    member("role", Optional, &FILLED),
    member("scopes", Optional, &NAMES),
    member("caps", Optional, &NAMES),
    member("auth", Optional, &AUTH),
    member("device", Optional, &DEVICE),
    member("commands", Optional, &ANY),
    member("permissions", Optional, &ANY),
    member("pathEnv", Optional, &ANY),
    member("locale", Optional, &ANY),
    member("userAgent", Optional, &ANY),
]);

const CREATOR: Shape = Shape::Object(&[
    member("person", Optional, &FILLED),
    member("token", Optional, &FILLED),
    member("binding", Required, &Shape::Word(&["run", "attached", "none"])),
    member("scopes", Required, &SCOPES),
]);

const LATE: Shape = Shape::Object(&[
    member("answers", Required, &ENVELOPE),
    member("notes", Optional, &NOTES),
    member("words", Optional, &TEXT),
    member("actor", Required, &ACTOR),
    member("actorName", Optional, &TEXT),
    member("endedAtMs", Required, &SIGNED),
    member("resolutionId", Required, &TEXT),
]);

/// A Record, in either shape.
pub(super) const RECORD: Shape = Shape::Object(&[
    member("id", Required, &FILLED),
    member("questions", Required, &QUESTIONS),
    member("agentId", Optional, &TEXT),
    member("sessionKey", Optional, &TEXT),
    member("runId", Optional, &TEXT),
    member("createdAtMs", Required, &SIGNED),
    member("expiresAtMs", Required, &SIGNED),
    member("status", Required, &Shape::Word(&["pending", "answered", "cancelled", "expired"])),
    member("answers", Optional, &ENVELOPE),
    member("resolvedBy", Optional, &TEXT),
    member("label", Wide, &TEXT),
    member("answerers", Wide, &NAMES),
    member("places", Wide, &NAMES),
    member("needsSurface", Wide, &FLAG),
    member("whenUnanswered", Wide, &WHEN_UNANSWERED),
    member("creator", Wide, &CREATOR),
    member("endedAtMs", Wide, &SIGNED),
    member("notes", Wide, &NOTES),
    member("words", Wide, &TEXT),
    member("actor", Wide, &ACTOR),
    member("actorName", Wide, &TEXT),
    member("resolutionId", Wide, &TEXT),
    member("reason", Wide, &WHY),
    member("detail", Wide, &TEXT),
    member("late", Wide, &Shape::List(&LATE)),
    member("collectedAtMs", Wide, &SIGNED),
]);
