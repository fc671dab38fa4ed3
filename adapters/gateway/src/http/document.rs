//! The shapes that the OpenAPI document shows where others read and write: the protocol reads asks and writes records. Only
//! shown, never filled; the suite that reads the document and calls the server behind it holds the two together.
#![expect(dead_code, reason = "the document is made from these types; no value of them ever exists")]

use std::collections::BTreeMap;

use serde::Deserialize;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::{IntoResponses, ToSchema};

pub(super) mod administration;

use super::failure::ErrorBody;
use super::outcome::{ActorInfo, NoAnswerName};

/// An ask to be made. Give either `questions` or `schema`.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({
    "questions": [{
        "questionId": "target",
        "question": "Where should this release go?",
        "options": [{"label": "Staging", "description": "safe first"}, {"label": "Production"}],
        "isOther": true
    }],
    "timeout": 900
}))]
pub(super) struct AskBody {
    /// Your own id. Sent again with the same body it names the same ask, so a lost response does not ask twice.
    #[schema(required = false, min_length = 1)]
    id: String,
    /// In the order they are shown.
    #[schema(required = false, min_items = 1, max_items = 50)]
    questions: Vec<QuestionBody>,
    /// In place of `questions`: a flat JSON Schema object, each property of which becomes a question. Give it again when
    /// waiting, and the answers come as a value of it.
    #[schema(required = false, value_type = Object)]
    schema: serde_json::Map<String, serde_json::Value>,
    /// How long to wait, in seconds; 900 when neither this nor `timeoutMs` is there.
    #[schema(required = false, minimum = 1, maximum = 2_592_000)]
    timeout: u64,
    /// The same in milliseconds.
    #[schema(required = false, minimum = 1, maximum = 2_592_000_000_u64)]
    timeout_ms: u64,
    /// Which agent asks; shown to people and matched by routes, never a right.
    #[schema(required = false)]
    agent_id: String,
    /// Its session.
    #[schema(required = false)]
    session_key: String,
    /// The run within the session.
    #[schema(required = false)]
    run_id: String,
    /// A short name for people and routes.
    #[schema(required = false)]
    label: String,
    /// The only people who may answer; without any, whoever has the right.
    #[schema(required = false)]
    answerers: Vec<Name>,
    /// Where to show it; without any, the configured routes say.
    #[schema(required = false)]
    places: Vec<Name>,
    /// End it as not delivered when no surface reaches anybody.
    #[schema(required = false)]
    needs_surface: bool,
    /// What you get when nobody answers.
    #[schema(required = false)]
    when_unanswered: WhenUnansweredBody,
}

/// The name of a person or a place.
#[derive(Deserialize, ToSchema)]
#[schema(value_type = String, min_length = 1)]
pub(super) struct Name(String);

/// One question: with options, or without any for free text.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct QuestionBody {
    /// Its key in the answers; unique within the ask.
    #[schema(pattern = "^[a-z][a-z0-9_]*$")]
    question_id: String,
    /// A short heading.
    #[schema(required = false)]
    header: String,
    /// The question itself.
    #[schema(pattern = r"\S")]
    question: String,
    /// A link for the person.
    #[schema(
        required = false,
        max_length = 2048,
        pattern = r"^https?://[A-Za-z0-9.\-]+(:[0-9]+)?(/[!-~]*)?$"
    )]
    url: String,
    /// Unique labels.
    #[schema(required = false, max_items = 100)]
    options: Vec<OptionBody>,
    /// Several options may be taken.
    #[schema(required = false)]
    multi_select: bool,
    /// Fewest values of a multi-select.
    #[schema(required = false, minimum = 1)]
    min: u64,
    /// Most values of a multi-select.
    #[schema(required = false, minimum = 1)]
    max: u64,
    /// The person's own words are allowed beside the options.
    #[schema(required = false)]
    is_other: bool,
    /// A hint inside an empty input.
    #[schema(required = false)]
    placeholder: String,
    /// What free text must look like.
    #[schema(required = false)]
    constraint: ConstraintBody,
    /// Offered to the person; counts only once a person accepts it.
    #[schema(required = false)]
    default: Vec<String>,
}

/// One declared answer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OptionBody {
    /// Delivered byte for byte.
    #[schema(pattern = r"\S")]
    label: String,
    /// What it means.
    #[schema(required = false)]
    description: String,
    /// Taking it destroys something: its button is red, and a platform with a dialog for that asks once more.
    #[schema(required = false)]
    destructive: bool,
}

/// What free text must look like.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
pub(super) enum ConstraintBody {
    /// Text of a length, in code points, and perhaps of a format.
    #[serde(rename_all = "camelCase")]
    Text {
        #[schema(required = false, minimum = 0)]
        min_length: u64,
        #[schema(required = false, minimum = 0)]
        max_length: u64,
        #[schema(required = false)]
        format: FormatName,
    },
    /// A whole number.
    Integer {
        #[schema(required = false, minimum = -9_223_372_036_854_775_808_i64, maximum = 9_223_372_036_854_775_807_i64)]
        minimum: i64,
        #[schema(required = false, minimum = -9_223_372_036_854_775_808_i64, maximum = 9_223_372_036_854_775_807_i64)]
        maximum: i64,
    },
    /// A decimal number.
    Number {
        #[schema(required = false)]
        minimum: f64,
        #[schema(required = false)]
        maximum: f64,
    },
    /// One of many words, for lists too long for options.
    OneOf {
        #[schema(min_items = 1)]
        values: Vec<String>,
    },
}

/// A text format.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FormatName {
    Email,
    Uri,
    Date,
    DateTime,
}

/// What you get when nobody answers: nothing but the reason, or these values, marked as not answered.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum WhenUnansweredBody {
    Fail,
    Default(BTreeMap<String, Vec<String>>),
}

/// An answer, in one of three ways.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(super) enum AnswerBody {
    Answers(AnswersBody),
    Text(TextBody),
    Skip(SkipBody),
}

/// Labels, and the person's own words where the question takes them.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"answers": {"target": ["Staging"]}}))]
pub(super) struct AnswersBody {
    /// Values by question.
    answers: BTreeMap<String, Vec<String>>,
    /// Remarks by question.
    #[schema(required = false)]
    notes: BTreeMap<String, String>,
    /// Your own id of this attempt: repeated, it gets the same result.
    #[schema(required = false, min_length = 1, max_length = 128)]
    resolution_id: String,
}

/// What the person typed, to be read as a reply in a chat is read.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"text": "1"}))]
pub(super) struct TextBody {
    text: String,
    /// Your own id of this attempt: repeated, it gets the same result.
    #[schema(required = false, min_length = 1, max_length = 128)]
    resolution_id: String,
}

/// The person declines the whole ask.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"skip": true}))]
pub(super) struct SkipBody {
    #[schema(schema_with = only_true)]
    skip: bool,
    /// Your own id of this attempt: repeated, it gets the same result.
    #[schema(required = false, min_length = 1, max_length = 128)]
    resolution_id: String,
}

fn only_true() -> Object {
    ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([true])).build()
}

/// An ask as it is kept.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AskRecord {
    id: String,
    questions: Vec<QuestionRecord>,
    #[schema(required = false)]
    agent_id: String,
    #[schema(required = false)]
    session_key: String,
    #[schema(required = false)]
    run_id: String,
    #[schema(required = false)]
    label: String,
    created_at_ms: i64,
    expires_at_ms: i64,
    status: StatusName,
    #[schema(required = false)]
    answerers: Vec<String>,
    #[schema(required = false)]
    places: Vec<String>,
    #[schema(required = false)]
    needs_surface: bool,
    #[schema(required = false)]
    when_unanswered: WhenUnansweredBody,
    creator: CreatorRecord,
    /// When it ended.
    #[schema(required = false)]
    ended_at_ms: i64,
    /// Once answered.
    #[schema(required = false)]
    answers: AnswersRecord,
    /// Remarks beside a choice, by question.
    #[schema(required = false)]
    notes: BTreeMap<String, String>,
    /// The exact words of a typed reply.
    #[schema(required = false)]
    words: String,
    /// Who ended it.
    #[schema(required = false)]
    actor: ActorInfo,
    #[schema(required = false)]
    actor_name: String,
    /// The attempt that won.
    #[schema(required = false)]
    resolution_id: String,
    /// Why it was cancelled.
    #[schema(required = false)]
    reason: NoAnswerName,
    #[schema(required = false)]
    detail: String,
    /// Answers that came after the end.
    #[schema(required = false)]
    late: Vec<LateRecord>,
}

/// One question as it is kept.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct QuestionRecord {
    question_id: String,
    header: String,
    question: String,
    #[schema(required = false)]
    url: String,
    options: Vec<OptionBody>,
    #[schema(required = false)]
    multi_select: bool,
    #[schema(required = false)]
    is_other: bool,
    #[schema(required = false)]
    is_secret: bool,
    #[schema(required = false)]
    min: u64,
    #[schema(required = false)]
    max: u64,
    #[schema(required = false)]
    constraint: ConstraintBody,
    #[schema(required = false)]
    placeholder: String,
    #[schema(required = false)]
    default: Vec<String>,
}

/// Where an ask stands.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum StatusName {
    Pending,
    Answered,
    Cancelled,
    Expired,
}

/// Who asked, as the gateway established it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CreatorRecord {
    #[schema(required = false)]
    person: String,
    #[schema(required = false)]
    token: String,
    binding: BindingName,
    scopes: Vec<String>,
}

/// How an ask is tied to who asked.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum BindingName {
    Run,
    Attached,
    None,
}

/// Values by question.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswersRecord {
    answers: BTreeMap<String, Vec<String>>,
}

/// An answer that came after the end.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LateRecord {
    answers: AnswersRecord,
    #[schema(required = false)]
    notes: BTreeMap<String, String>,
    #[schema(required = false)]
    words: String,
    actor: ActorInfo,
    #[schema(required = false)]
    actor_name: String,
    resolution_id: String,
    ended_at_ms: i64,
}

/// What any route may answer instead: the guard is before all of them.
#[derive(IntoResponses)]
pub(super) enum Guarded {
    /// The host or the origin is not allowed.
    #[response(status = 403)]
    Forbidden(ErrorBody<'static>),
    /// Too much is going on, or the gateway cannot do it at the moment.
    #[response(status = 503, headers(("Retry-After" = u64, description = "Seconds, where it is known.")))]
    Unavailable(ErrorBody<'static>),
}

/// What a route for known callers may answer instead.
#[derive(IntoResponses)]
pub(super) enum Called {
    /// The path, the query or the body cannot be read.
    #[response(status = 400)]
    BadRequest(ErrorBody<'static>),
    /// No token, or none that is known and in its time.
    #[response(status = 401, headers(("WWW-Authenticate" = String)))]
    Unauthorized(ErrorBody<'static>),
    /// The caller may not do this, its token lacks a scope, or the host or the origin is not allowed.
    #[response(status = 403)]
    Forbidden(ErrorBody<'static>),
    /// Too much is going on, or the gateway cannot do it at the moment.
    #[response(status = 503, headers(("Retry-After" = u64, description = "Seconds, where it is known.")))]
    Unavailable(ErrorBody<'static>),
}

/// What a route of one ask may answer besides.
#[derive(IntoResponses)]
pub(super) enum OfOne {
    /// No such ask, or none that the caller may see.
    #[response(status = 404)]
    NotFound(ErrorBody<'static>),
}

/// What a route that takes a body may answer besides.
#[derive(IntoResponses)]
pub(super) enum WithBody {
    /// The body did not arrive in time.
    #[response(status = 408)]
    TooSlow(ErrorBody<'static>),
    /// The body is too large.
    #[response(status = 413)]
    TooLarge(ErrorBody<'static>),
    /// The body is not said to be JSON.
    #[response(status = 415)]
    UnsupportedMediaType(ErrorBody<'static>),
    /// The body breaks its shape or the contract, or does not answer the questions.
    #[response(status = 422)]
    Invalid(ErrorBody<'static>),
}
