//! Turns the params of `question.request` into an Ask, or reports everything wrong with it at once. The contract itself
//! is the core's; here are only the rules of the wire: how ids are spelt and what is not supported yet.

use askrelay_core::ask::{Ask, Binding, Contract, Creator, Fault, Question, WhenUnanswered};
use askrelay_core::person::Scopes;

use crate::call::{AskParams, WAIT_DEFAULT, WAIT_PLAIN_MAX};
use crate::error::WireError;
use crate::frame::{Caps, Method};

impl AskParams {
    /// The Ask they describe, created by `creator`. A plain peer's too long wait is cut, as OpenClaw does.
    ///
    /// # Errors
    /// `INVALID_REQUEST` with the path of every fault.
    pub fn into_ask(self, creator: Creator, caps: Caps) -> Result<Ask, WireError> {
        let of_id = self.id.as_ref().and_then(|id| id_fault(id.as_str()));
        let ask = self.unchecked(creator, caps);
        let mut faults = faults(&ask, caps);
        faults.extend(of_id);
        if faults.is_empty() {
            Ok(ask)
        } else {
            Err(WireError::invalid_params(Method::Request.name(), faults))
        }
    }

    /// Everything in them that breaks the contract.
    #[must_use]
    pub fn faults(self, caps: Caps) -> Vec<Fault> {
        let nobody = Creator { person: None, token: None, binding: Binding::None, scopes: Scopes::new() };
        let of_id = self.id.as_ref().and_then(|id| id_fault(id.as_str()));
        let mut faults = faults(&self.unchecked(nobody, caps), caps);
        faults.extend(of_id);
        faults
    }

    /// What a plain gateway would not honour: rules of the contract it does not have, members it does not know. Hints and
    /// names may be left out.
    #[must_use]
    pub fn lost_on_plain(&self) -> Vec<Fault> {
        let mut faults = self.clone().faults(Caps::PLAIN);
        let members = [
            ("/answerers", !self.answerers.is_empty()),
            ("/places", !self.places.is_empty()),
            ("/needsSurface", self.needs_surface),
            ("/whenUnanswered", self.when_unanswered != WhenUnanswered::Fail),
        ];
        let lost = members.into_iter().filter(|(_, used)| *used).map(|(path, _)| path.to_owned());
        let questions = self.questions.iter().enumerate();
        let bounded = questions.filter(|(_, question)| !plain_can_express_one(question));
        let bounded = bounded.map(|(index, _)| format!("/questions/{index}"));
        let what = || "needs a gateway that speaks askrelay/1".to_owned();
        faults.extend(lost.chain(bounded).map(|path| Fault { path, what: what() }));
        faults
    }

    fn unchecked(self, creator: Creator, caps: Caps) -> Ask {
        let wait = self.wait.unwrap_or(WAIT_DEFAULT);
        Ask {
            questions: self.questions,
            wait: if caps.wide { wait } else { wait.min(WAIT_PLAIN_MAX) },
            origin: self.origin,
            creator,
            answerers: self.answerers,
            places: self.places,
            needs_surface: self.needs_surface,
            when_unanswered: self.when_unanswered,
            terminal_proof: self.terminal_proof,
        }
    }
}

/// Why a secret is refused, and the way out.
const SECRET: &str = "no chat may carry a secret, so it cannot be asked for; let the person put it where your program reads it, \
                      and ask them to confirm that";

/// Everything in an Ask that a peer with these caps may not send.
#[must_use]
pub fn faults(ask: &Ask, caps: Caps) -> Vec<Fault> {
    let contract = if caps.wide { &Contract::WIDE } else { &Contract::PLAIN };
    let mut faults = ask.faults(contract);
    for (index, question) in ask.questions.iter().enumerate() {
        let mut add = |member: &str, what: &str| {
            faults.push(Fault { path: format!("/questions/{index}/{member}"), what: what.to_owned() });
        };
        if !is_question_id(question.id.as_str()) {
            add("questionId", "must match [a-z][a-z0-9_]*");
        }
        if question.secret {
            // In the other gateway's own words for its own peers.
            add("isSecret", if caps.wide { SECRET } else { "not supported yet" });
        }
    }
    if let Some(proof) = &ask.terminal_proof
        && !is_sha256(proof)
    {
        let what = "must be 64 lower-case hexadecimal digits".to_owned();
        faults.push(Fault { path: "/terminalProof".to_owned(), what });
    }
    faults
}

/// Whether the plain shape can express the Ask. A Record of one it cannot express is never sent to a plain peer.
#[must_use]
pub fn plain_can_express(ask: &Ask) -> bool {
    ask.questions.iter().all(plain_can_express_one) && faults(ask, Caps::PLAIN).is_empty()
}

/// A hint or an offered default may be left out; a rule for the answer may not.
const fn plain_can_express_one(question: &Question) -> bool {
    question.min.is_none() && question.max.is_none() && question.constraint.is_none()
}

/// An id is printed, logged and typed by people: what would steer a terminal or turn the text around has no place in it.
fn id_fault(id: &str) -> Option<Fault> {
    let turns = |c: char| matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let what = "must not contain control or direction characters".to_owned();
    id.chars().any(|c| c.is_control() || turns(c)).then(|| Fault { path: "/id".to_owned(), what })
}

fn is_question_id(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}
