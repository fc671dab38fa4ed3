//! Reads Questions and the params of `question.request`. Closed and typed; whether they keep the contract is
//! [`crate::check`]'s.

use serde::Deserialize;
use std::collections::BTreeMap;

use askrelay_core::ask::{Choice, Constraint, Fault, Format, Origin, Question, WhenUnanswered};
use askrelay_core::id::QuestionId;
use askrelay_core::time::Span;

use super::request::Params;
use super::scalar::{Filled, Object, Whole, present};
use super::shape::Shape;
use super::shapes;
use crate::call::AskParams;
use crate::frame::Caps;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AskWire {
    #[serde(default, deserialize_with = "present")]
    id: Option<Filled>,
    questions: Vec<Object<QuestionWire>>,
    #[serde(default, deserialize_with = "present")]
    agent_id: Option<String>,
    #[serde(default, deserialize_with = "present")]
    session_key: Option<String>,
    #[serde(default, deserialize_with = "present")]
    run_id: Option<String>,
    #[serde(default, deserialize_with = "present")]
    timeout_ms: Option<Whole<1>>,
    #[serde(default, deserialize_with = "present")]
    label: Option<String>,
    #[serde(default, deserialize_with = "present")]
    answerers: Option<Vec<Filled>>,
    #[serde(default, deserialize_with = "present")]
    places: Option<Vec<Filled>>,
    #[serde(default, deserialize_with = "present")]
    needs_surface: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    when_unanswered: Option<WhenUnansweredWire>,
    #[serde(default, deserialize_with = "present")]
    terminal_proof: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct QuestionWire {
    question_id: String,
    #[serde(default, deserialize_with = "present")]
    header: Option<String>,
    question: String,
    #[serde(default, deserialize_with = "present")]
    url: Option<String>,
    #[serde(default, deserialize_with = "present")]
    options: Option<Vec<Object<ChoiceWire>>>,
    #[serde(default, deserialize_with = "present")]
    multi_select: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    is_other: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    is_secret: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    min: Option<Whole>,
    #[serde(default, deserialize_with = "present")]
    max: Option<Whole>,
    #[serde(default, deserialize_with = "present")]
    constraint: Option<Object<ConstraintWire>>,
    #[serde(default, deserialize_with = "present")]
    placeholder: Option<String>,
    #[serde(default, deserialize_with = "present")]
    default: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChoiceWire {
    label: String,
    #[serde(default, deserialize_with = "present")]
    description: Option<String>,
    #[serde(default, deserialize_with = "present")]
    destructive: Option<bool>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
enum ConstraintWire {
    #[serde(rename_all = "camelCase")]
    Text {
        #[serde(default, deserialize_with = "present")]
        min_length: Option<Whole>,
        #[serde(default, deserialize_with = "present")]
        max_length: Option<Whole>,
        #[serde(default, deserialize_with = "present")]
        format: Option<Format>,
    },
    Integer {
        #[serde(default, deserialize_with = "present")]
        minimum: Option<i64>,
        #[serde(default, deserialize_with = "present")]
        maximum: Option<i64>,
    },
    Number {
        #[serde(default, deserialize_with = "present")]
        minimum: Option<f64>,
        #[serde(default, deserialize_with = "present")]
        maximum: Option<f64>,
    },
    OneOf {
        values: Vec<String>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum WhenUnansweredWire {
    Fail,
    Default(BTreeMap<QuestionId, Vec<String>>),
}

impl Params for AskWire {
    type Typed = AskParams;
    const SHAPE: Shape = shapes::ASK;

    fn fits_plain(&self) -> bool {
        let wide = self.label.is_some()
            || self.answerers.is_some()
            || self.places.is_some()
            || self.needs_surface.is_some()
            || self.when_unanswered.is_some()
            || self.terminal_proof.is_some();
        !wide && self.questions.iter().all(|question| question.0.fits_plain())
    }

    fn typed(self) -> AskParams {
        let texts = |list: Option<Vec<Filled>>| list.unwrap_or_default().into_iter().map(|text| text.0);
        AskParams {
            id: self.id.map(|id| id.0.into()),
            questions: questions(self.questions),
            origin: Origin {
                agent_id: self.agent_id,
                session_key: self.session_key,
                run_id: self.run_id,
                label: self.label,
            },
            wait: self.timeout_ms.map(|wait| Span(wait.0)),
            answerers: texts(self.answerers).map(Into::into).collect(),
            places: texts(self.places).collect(),
            needs_surface: self.needs_surface.unwrap_or_default(),
            when_unanswered: self.when_unanswered.map(Into::into).unwrap_or_default(),
            terminal_proof: self.terminal_proof,
        }
    }

    fn contract_faults(typed: AskParams, caps: Caps) -> Vec<Fault> {
        typed.faults(caps)
    }
}

impl QuestionWire {
    fn fits_plain(&self) -> bool {
        let wide = self.min.is_some()
            || self.max.is_some()
            || self.constraint.is_some()
            || self.placeholder.is_some()
            || self.default.is_some();
        let plain =
            |choices: &[Object<ChoiceWire>]| choices.iter().all(|choice| choice.0.destructive.is_none());
        !wide && self.header.is_some() && self.options.as_deref().is_some_and(plain)
    }
}

pub(super) fn questions(wire: Vec<Object<QuestionWire>>) -> Vec<Question> {
    wire.into_iter().map(|question| question.0.into()).collect()
}

impl From<QuestionWire> for Question {
    fn from(wire: QuestionWire) -> Self {
        let choice = |Object(wire): Object<ChoiceWire>| Choice {
            label: wire.label,
            description: wire.description,
            destructive: wire.destructive.unwrap_or_default(),
        };
        Self {
            id: wire.question_id.into(),
            header: wire.header.unwrap_or_default(),
            text: wire.question,
            url: wire.url,
            choices: wire.options.unwrap_or_default().into_iter().map(choice).collect(),
            multi_select: wire.multi_select.unwrap_or_default(),
            min: wire.min.map(size),
            max: wire.max.map(size),
            other: wire.is_other.unwrap_or_default(),
            secret: wire.is_secret.unwrap_or_default(),
            constraint: wire.constraint.map(|constraint| constraint.0.into()),
            placeholder: wire.placeholder,
            default: wire.default.unwrap_or_default(),
        }
    }
}

impl From<ConstraintWire> for Constraint {
    fn from(wire: ConstraintWire) -> Self {
        match wire {
            ConstraintWire::Text { min_length, max_length, format } => {
                Self::Text { min_length: min_length.map(size), max_length: max_length.map(size), format }
            }
            ConstraintWire::Integer { minimum, maximum } => Self::Integer { minimum, maximum },
            ConstraintWire::Number { minimum, maximum } => Self::Number { minimum, maximum },
            ConstraintWire::OneOf { values } => Self::OneOf { values },
        }
    }
}

impl From<WhenUnansweredWire> for WhenUnanswered {
    fn from(wire: WhenUnansweredWire) -> Self {
        match wire {
            WhenUnansweredWire::Fail => Self::Fail,
            WhenUnansweredWire::Default(values) => Self::Default(values),
        }
    }
}

fn size<const MIN: u64, const MAX: u64>(whole: Whole<MIN, MAX>) -> usize {
    usize::try_from(whole.0).unwrap_or(usize::MAX)
}
