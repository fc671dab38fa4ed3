//! Which Record a typed text addresses, by the order of DESIGN section 7: the Prompt it replies to, the person's own running
//! input, the only one open for them, an exact match of exactly one, else nobody can say. Reads nothing into the text beyond
//! an exact number or label.

use unicode_normalization::UnicodeNormalization;

use super::Relay;
use super::decided::Allowed;
use super::state::{Held, Input, Seat, Showing, Text, Tracked, older};
use crate::answer::Way;
use crate::ask::Question;
use crate::id::RecordKey;
use crate::permit::{Refused, permit};
use crate::port::{Act, Reply};
use crate::prompt::Draft;

/// Where a text goes.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// To the Prompt of the Record that its author may answer.
    Prompt(Box<Allowed>),
    /// Into the person's running input.
    Input(Box<Input>),
    /// To a Prompt whose Record has ended.
    Over(RecordKey),
    /// To us, from somebody who may not answer.
    Refused(RecordKey, Refused),
    /// To one of several, and it does not say which.
    Unclear,
    /// To a question whose author pressed for an input that was not there yet.
    Unasked,
    /// To a Prompt that was not shown yet when it was written.
    Early,
    /// To a question whose answer may not pass through chat.
    Secret,
    /// To us, without any words.
    Wordless,
    /// Not to us.
    Nobody,
}

/// What a text says about whom it is for.
struct Addressed<'a> {
    reply: &'a Reply,
    text: &'a str,
    /// It is meant for the bot; otherwise only an exact number or label counts.
    directed: bool,
    held: Held,
}

impl Relay {
    /// Where the text goes.
    pub(super) fn route(&self, typed: &Text, held: Held) -> Target {
        let reply = &typed.reply;
        let Act::Text { text, reply_to, addressed } = &reply.act else { return Target::Nobody };
        let seat: Seat = (reply.place.clone(), reply.sender.identity.clone());
        let shown_by = self.prompt_of(typed);
        let input = self.inputs.get(&seat).filter(|input| !older(reply, input.position, input.at));
        let to_input = |input: &&Input| match shown_by {
            Some(key) => *key == input.key,
            None => reply_to.is_none() || *reply_to == input.message || !self.index.is_doubtful(&reply.place),
        };
        let own_input = input.filter(|input| input.there).filter(to_input);
        let words = text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let shared = self.limits(&reply.place).is_none_or(|limits| limits.shared);
        let Some(text) = words else {
            let ours = shown_by.is_some() || own_input.is_some() || *addressed || !shared;
            return if ours && self.may_answer_some(reply) { Target::Wordless } else { Target::Nobody };
        };
        if let Some(input) = own_input {
            return Target::Input(Box::new(input.clone()));
        }
        if let Some(key) = shown_by {
            return self.replying_to(key, reply);
        }
        let directed = *addressed || !shared;
        if reply_to.is_some() && self.index.is_doubtful(&reply.place) {
            // It may be a reply to a Prompt that nobody knows of, and an answer to no other.
            return if directed { Target::Unclear } else { Target::Nobody };
        }
        let awaited = input.filter(|input| !input.there);
        match self.addressed(&Addressed { reply, text, directed, held }) {
            // It may be the words for an input that its author saw and we do not know of yet.
            Target::Prompt(allowed) if awaited.is_some_and(|input| input.key == *allowed.permit.record()) => {
                Target::Unasked
            }
            target => target,
        }
    }

    /// A reply to the very message of a Prompt.
    fn replying_to(&self, key: &RecordKey, reply: &Reply) -> Target {
        let Some(tracked) = self.tracked.get(key) else { return Target::Nobody };
        let allowed = match self.allowed(&tracked.record, self.actor(reply, Way::Text)) {
            Ok(allowed) => allowed,
            Err(why) => return Target::Refused(key.clone(), why),
        };
        if !tracked.is_open() {
            Target::Over(key.clone())
        } else if tracked.secret() {
            Target::Secret
        } else {
            Target::Prompt(Box::new(allowed))
        }
    }

    fn addressed(&self, addressed: &Addressed<'_>) -> Target {
        let reply = addressed.reply;
        let actor = self.actor(reply, Way::Text);
        let mut may = Vec::new();
        let (mut refused, mut early, mut secret) = (None, false, false);
        for (key, tracked, showing) in self.open_in(reply) {
            // What is still under way after long may be what the author saw.
            let here = showing.is_shown() || (addressed.held == Held::TooLong && showing.arriving());
            match self.allowed(&tracked.record, actor.clone()) {
                _ if !here => {}
                Ok(_) if showing.is_shown() && showing.came_after(reply) => early = true,
                Err(why) => refused = refused.or_else(|| Some((key.clone(), why))),
                Ok(_) if tracked.secret() => secret = true,
                Ok(allowed) => may.push((allowed, tracked, showing)),
            }
        }
        let exact: Vec<_> = may
            .iter()
            .filter(|(_, tracked, showing)| is_exact(tracked.questions(), &showing.draft, addressed.text))
            .collect();
        let chosen = match (may.as_slice(), exact.as_slice()) {
            // With a secret question beside it, anything but an exact match may be the secret.
            ([only], _) if addressed.directed && !secret => only,
            (_, [only]) => *only,
            ([], _) if !addressed.directed => return Target::Nobody,
            ([], _) => {
                return match refused {
                    Some((key, why)) => Target::Refused(key, why),
                    None if secret => Target::Secret,
                    None if early && addressed.held != Held::Not => Target::Early,
                    None => Target::Nobody,
                };
            }
            (_, []) if !addressed.directed => return Target::Nobody,
            _ => return Target::Unclear,
        };
        let (allowed, _, showing) = chosen;
        if !showing.is_shown() {
            return Target::Unclear;
        }
        Target::Prompt(Box::new(allowed.clone()))
    }

    /// The open Records with a Prompt in the reply's Place.
    pub(super) fn open_in(&self, reply: &Reply) -> impl Iterator<Item = (&RecordKey, &Tracked, &Showing)> {
        self.index.open_in(&reply.place).filter_map(|key| {
            let tracked = self.tracked.get(key)?;
            Some((key, tracked, tracked.showings.get(&reply.place)?))
        })
    }

    fn may_answer_some(&self, reply: &Reply) -> bool {
        let actor = self.actor(reply, Way::Text);
        self.open_in(reply).any(|(_, tracked, showing)| {
            showing.is_shown()
                && !showing.came_after(reply)
                && permit(&tracked.record, &self.people, &actor).is_ok()
        })
    }
}

/// Whether the text is nothing but a number or a label of the one question that is open, or a list of them where several
/// may be taken.
pub(super) fn is_exact(questions: &[Question], draft: &Draft, text: &str) -> bool {
    let mut open = questions.iter().filter(|question| !draft.answers.contains_key(&question.id));
    let (Some(question), None) = (open.next(), open.next()) else { return false };
    let text = plain(text);
    if names_choice(question, &text) {
        return true;
    }
    question.multi_select && text.split([',', ';', '\n']).all(|part| names_choice(question, part.trim()))
}

fn names_choice(question: &Question, text: &str) -> bool {
    if is_label(question, text) {
        return true;
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    let digits = digits.strip_suffix(['.', ')']).unwrap_or(digits);
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<usize>().ok());
    number.flatten().is_some_and(|number| (1..=question.choices.len()).contains(&number))
}

/// Whether the text is one of the question's labels.
pub(super) fn is_label(question: &Question, text: &str) -> bool {
    let text = plain(text);
    question.choices.iter().any(|choice| plain(&choice.label) == text)
}

/// Width and case aside.
fn plain(text: &str) -> String {
    caseless::default_case_fold_str(&text.trim().nfkc().collect::<String>())
}
