//! A press or a form: by its token to one Record and one control, through the one gate, to a decision, a draft or an input.
//! Never looks at a label.

use super::Relay;
use super::decided::{Allowed, Decided};
use super::draft::{self, Outcome, Pressing};
use super::filled::{Wrong, filled};
use super::replied::note;
use super::state::{Dirty, Pair, Phase};
use super::turn::Turn;
use crate::answer::{Answers, Notes, Way};
use crate::ask::Question;
use crate::id::RecordKey;
use crate::limits::InputLimits;
use crate::permit::Refused;
use crate::port::{Acknowledgement, CommandAct, Field, Reply, SenderKind};
use crate::prompt::{Control, Draft, complete, wording};
use crate::record::WhyCancelled;
use crate::token::{Nonce, Press, Token};

/// A control that its presser may use now.
struct Usable {
    token: Token,
    pair: Pair,
    allowed: Allowed,
}

impl Relay {
    pub(super) fn pressed(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        payload: &str,
        (values, fields): (&[String], &[Field]),
    ) -> Acknowledgement {
        let usable = match self.usable(turn, reply, payload) {
            Ok(usable) => usable,
            Err(with) => return with,
        };
        let Usable { token, pair, allowed } = usable;
        let Some(tracked) = self.tracked.get(&pair.0) else { return Acknowledgement::Silent };
        let Some(showing) = tracked.showings.get(&pair.1) else { return Acknowledgement::Silent };
        if tracked.secret() && token.press != Press::Skip {
            return Acknowledgement::Toast(wording::dead_control());
        }
        let before = &showing.draft;
        // Fields of an older look say nothing about what is drawn now.
        let fields = if token.revision == before.revision { fields } else { &[] };
        let fills = match token.press {
            Press::Fill { question } => Some(usize::from(question)),
            _ => None,
        };
        let asks = fills.is_some() || !fields.is_empty();
        let shown = if asks { self.choices_shown(turn.now, &pair) } else { Vec::new() };
        let draft = match filled(tracked.questions(), before, token.nonce, fields, &shown) {
            Ok(draft) => draft,
            Err(wrong) if token.press == Press::Submit => {
                return Acknowledgement::Toast(all_wrong(tracked.questions(), wrong));
            }
            Err(_) => before.clone(),
        };
        let shown = fills.and_then(|question| shown.get(question).cloned()).unwrap_or_default();
        let pressing = Pressing { questions: tracked.questions(), draft: &draft, token, values, shown };
        let outcome = match draft::pressed(&pressing) {
            Outcome::Unchanged => draft::changed(before, draft),
            Outcome::AskWords(question) => {
                let kept = draft::changed(before, draft);
                return self.ask_words(turn, reply, &pair, (token, question), kept);
            }
            outcome => outcome,
        };
        // Whoever presses another control does not want to type any more.
        self.stop_typing(turn, reply, &pair);
        match outcome {
            Outcome::OpenForm => self.open_form(turn, reply, &pair, token),
            outcome => self.carry_out(turn, reply, &pair, (outcome, token.revision), allowed),
        }
    }

    fn stop_typing(&mut self, turn: &mut Turn<'_>, reply: &Reply, pair: &Pair) {
        let seat = (reply.place.clone(), reply.sender.identity.clone());
        if self.inputs.get(&seat).is_some_and(|input| input.key == pair.0) {
            self.drop_input(turn, &seat);
        }
    }

    pub(super) fn formed(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        form: &str,
        fields: &[Field],
    ) -> Acknowledgement {
        let usable = match self.usable(turn, reply, form) {
            Ok(usable) => usable,
            Err(with) => return with,
        };
        let Usable { token, pair, allowed } = usable;
        let Some(tracked) = self.tracked.get(&pair.0) else { return Acknowledgement::Silent };
        let Some(showing) = tracked.showings.get(&pair.1) else { return Acknowledgement::Silent };
        if tracked.secret() {
            return Acknowledgement::Toast(wording::dead_control());
        }
        let questions = tracked.questions();
        let outcome = match token.press {
            Press::Other { question } => {
                let text: String =
                    fields.iter().flat_map(|field| &field.values).map(String::as_str).collect();
                draft::own_words(questions, &showing.draft, question.into(), &text)
                    .map_err(|what| vec![(form.to_owned(), wording::expected_text(&what))])
            }
            Press::Form => form_sent(questions, &showing.draft, token.nonce, fields),
            _ => return Acknowledgement::Toast(wording::dead_control()),
        };
        match outcome {
            Err(wrong) => Acknowledgement::Errors(wrong),
            Ok(outcome) => self.carry_out(turn, reply, &pair, (outcome, token.revision), allowed),
        }
    }

    /// The control behind a payload, if there is one, its Record waits, and this person may use it.
    fn usable(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        payload: &str,
    ) -> Result<Usable, Acknowledgement> {
        if reply.sender.kind != SenderKind::Human {
            return Err(self.turn_down(turn, reply, None, Refused::Unknown));
        }
        let dead = || Acknowledgement::Toast(wording::dead_control());
        let token = Token::parse(payload).ok_or_else(dead)?;
        let pair = self.index.nonces.get(&token.nonce).ok_or_else(dead)?.clone();
        if pair.1 != reply.place {
            return Err(dead());
        }
        self.supply_receipt(turn, &pair, reply.message.as_ref());
        let tracked = self.tracked.get(&pair.0).ok_or_else(dead)?;
        let allowed = match self.allowed(&tracked.record, self.actor(reply, Way::Control)) {
            Ok(allowed) => allowed,
            Err(why) => {
                return Err(self.turn_down(turn, reply, Some(&pair.0), why));
            }
        };
        let tracked = self.tracked.get(&pair.0).ok_or_else(dead)?;
        match tracked.phase {
            Phase::Open => Ok(Usable { token, pair, allowed }),
            Phase::Lost if tracked.forgotten => Err(Acknowledgement::Toast(wording::lost_question())),
            Phase::Lost => Err(dead()),
            Phase::Ended => {
                let reader = self.reader(turn.now, &pair.1).ok_or_else(dead)?;
                Err(Acknowledgement::Toast(wording::late(&tracked.record, &reader)))
            }
        }
    }

    /// Tells the presser why not: always where the platform waits for a word, else as rarely as a text is told.
    fn turn_down(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        record: Option<&RecordKey>,
        why: Refused,
    ) -> Acknowledgement {
        let told = self.refuse(turn, reply, record, why);
        if reply.ack.is_some() { Acknowledgement::Toast(wording::refused(why)) } else { told }
    }

    /// Does what a press or own words came to. `outcome` brings the revision that the person saw.
    pub(super) fn carry_out(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        pair: &Pair,
        (outcome, seen): (Outcome, u32),
        allowed: Allowed,
    ) -> Acknowledgement {
        match outcome {
            Outcome::Answer(answers, notes) => self.answer(turn, reply, (answers, notes), allowed),
            Outcome::Decline => {
                let Allowed { actor, permit } = allowed;
                let act = CommandAct::Cancel { why: WhyCancelled::Declined, actor: Some(actor) };
                let decided = self.decide(turn, &permit, act, reply);
                self.decision_note(turn, reply, decided)
            }
            Outcome::Changed(draft) => {
                self.put_draft(turn, pair, draft);
                Acknowledgement::Silent
            }
            Outcome::Stale => {
                self.redraw(turn, pair, seen);
                Acknowledgement::Toast(wording::stale())
            }
            Outcome::Incomplete(answers) => {
                let questions = self.tracked.get(&pair.0).map(|tracked| tracked.questions());
                let text = wording::incomplete(questions.unwrap_or_default(), &answers);
                Acknowledgement::Toast(text)
            }
            Outcome::Unchanged | Outcome::AskWords(_) | Outcome::OpenForm => Acknowledgement::Silent,
            Outcome::Dead => Acknowledgement::Toast(wording::dead_control()),
        }
    }

    fn answer(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        (answers, notes): (Answers, Notes),
        Allowed { actor, permit }: Allowed,
    ) -> Acknowledgement {
        let words = match &reply.act {
            crate::port::Act::Text { text, .. } => text.clone(),
            _ => None,
        };
        let act = CommandAct::Resolve { answers, notes, words, actor };
        let decided = self.decide(turn, &permit, act, reply);
        self.decision_note(turn, reply, decided)
    }

    pub(super) fn decision_note(
        &self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        decided: Decided,
    ) -> Acknowledgement {
        match decided {
            Decided::Sent => Acknowledgement::Later,
            Decided::Already => Acknowledgement::Toast(wording::received()),
            Decided::TooLate => Acknowledgement::Toast(wording::decided_before()),
            Decided::Kept => {
                // Only true once it is saved, so it cannot be the acknowledgement.
                note(turn, reply, wording::kept_until_online());
                Acknowledgement::Silent
            }
        }
    }

    /// The person saw something else than what is drawn: it is drawn again.
    fn redraw(&mut self, turn: &mut Turn<'_>, pair: &Pair, seen: u32) {
        let Some(showing) = self.showing_mut(pair) else { return };
        if seen > showing.draft.revision {
            // A newer draft was shown and lost before it was saved.
            showing.draft.revision = seen.saturating_add(1);
            turn.dirty.insert(Dirty::Draft(pair.clone()));
        }
        turn.touch(pair);
    }

    fn put_draft(&mut self, turn: &mut Turn<'_>, pair: &Pair, draft: Draft) {
        if let Some(showing) = self.showing_mut(pair) {
            showing.draft = draft;
            turn.dirty.insert(Dirty::Draft(pair.clone()));
            turn.touch(pair);
        }
    }

    /// A modal form for every question of the Ask.
    fn open_form(&self, turn: &Turn<'_>, reply: &Reply, pair: &Pair, token: Token) -> Acknowledgement {
        let fields = self.form_fields(turn.now, pair);
        let Some(tracked) = self.tracked.get(&pair.0) else { return Acknowledgement::Silent };
        if fields.is_empty() || reply.ack.is_none() {
            return Acknowledgement::Toast(wording::dead_control());
        }
        let title = wording::form_title(tracked.questions());
        Acknowledgement::Form { token: token.to_string(), title, fields }
    }

    /// An input for own words; `kept` is what else the press brought.
    fn ask_words(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        pair: &Pair,
        (token, question): (Token, usize),
        kept: Outcome,
    ) -> Acknowledgement {
        if let Outcome::Changed(draft) = kept {
            self.put_draft(turn, pair, draft);
        }
        let Some(tracked) = self.tracked.get(&pair.0) else { return Acknowledgement::Silent };
        let Some(showing) = tracked.showings.get(&pair.1) else { return Acknowledgement::Silent };
        let Some(asked) = tracked.questions().get(question) else { return Acknowledgement::Silent };
        let controls = self.limits(&pair.1).and_then(|limits| limits.controls.as_ref());
        let modal = controls.is_some_and(|controls| matches!(controls.input, InputLimits::Modal { .. }));
        if modal && reply.ack.is_some() {
            let token = Token { revision: showing.draft.revision, ..token }.to_string();
            let title = wording::input_title(asked);
            let input = Control::Input {
                label: title.clone(),
                token: token.clone(),
                placeholder: asked.placeholder.clone(),
                value: draft::words_so_far(asked, &showing.draft),
                required: true,
            };
            return Acknowledgement::Form { token, title, fields: vec![input] };
        }
        self.open_input(turn, reply, pair, question);
        Acknowledgement::Silent
    }
}

/// A form for the whole Ask was sent: what was seen in it is all of it, however the draft changed meanwhile.
///
/// # Errors
/// What is wrong, by field.
fn form_sent(
    questions: &[Question],
    draft: &Draft,
    nonce: Nonce,
    fields: &[Field],
) -> Result<Outcome, Vec<Wrong>> {
    let all: Vec<_> = questions.iter().map(|asked| 0..asked.choices.len()).collect();
    let draft = filled(questions, draft, nonce, fields, &all)?;
    match draft::submit(questions, &draft) {
        Outcome::Incomplete(answers) if fields.is_empty() => Ok(Outcome::Incomplete(answers)),
        Outcome::Incomplete(answers) => Err(missing(questions, &answers, fields)),
        outcome => Ok(outcome),
    }
}

/// Everything that is wrong in one note, each with its question where there are several.
fn all_wrong(questions: &[Question], wrong: Vec<Wrong>) -> String {
    let sentence = |(token, what): Wrong| match Token::parse(&token).map(|token| token.press) {
        Some(Press::Fill { question } | Press::Other { question }) if questions.len() > 1 => {
            wording::about(question.into(), &what)
        }
        _ => what,
    };
    wrong.into_iter().map(sentence).collect::<Vec<_>>().join(" ")
}

/// What each question still needs, at its first field.
fn missing(questions: &[Question], answers: &Answers, fields: &[Field]) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    for (index, question) in questions.iter().enumerate() {
        if complete(question, answers.of(&question.id)) {
            continue;
        }
        let is_its = |field: &&Field| match Token::parse(&field.token).map(|token| token.press) {
            Some(Press::Fill { question } | Press::Other { question }) => usize::from(question) == index,
            _ => false,
        };
        let field = fields.iter().find(is_its).or(fields.first());
        wrong.extend(field.map(|field| (field.token.clone(), wording::incomplete_one(question))));
    }
    wrong
}
