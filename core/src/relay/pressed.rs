//! A press or a form: by its token to one Record and one control, through the one gate, to a decision, a draft or an input.
//! Never looks at a label.

use super::Relay;
use super::decided::{Allowed, Decided};
use super::draft::{self, Outcome, Pressing};
use super::replied::note;
use super::state::{Dirty, Pair, Phase};
use super::turn::Turn;
use crate::answer::{Answers, Notes, Way};
use crate::id::RecordKey;
use crate::limits::InputLimits;
use crate::permit::Refused;
use crate::port::{Acknowledgement, CommandAct, Field, Reply, SenderKind};
use crate::prompt::{Control, wording};
use crate::record::WhyCancelled;
use crate::token::{Press, Token};

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
        token: &str,
        values: &[String],
    ) -> Acknowledgement {
        let usable = match self.usable(turn, reply, token) {
            Ok(usable) => usable,
            Err(with) => return with,
        };
        let Usable { token, pair, allowed } = usable;
        let shown = self.choices_shown(turn.now, &pair);
        let Some(tracked) = self.tracked.get(&pair.0) else { return Acknowledgement::Silent };
        let Some(showing) = tracked.showings.get(&pair.1) else { return Acknowledgement::Silent };
        if tracked.secret() && token.press != Press::Skip {
            return Acknowledgement::Toast(wording::dead_control());
        }
        let questions = tracked.questions();
        let outcome = draft::pressed(&Pressing { questions, draft: &showing.draft, token, values, shown });
        // Whoever presses another control does not want to type any more.
        let seat = (reply.place.clone(), reply.sender.identity.clone());
        let typing = self.inputs.get(&seat).is_some_and(|input| input.key == pair.0);
        if typing && !matches!(outcome, Outcome::AskWords(_)) {
            self.drop_input(turn, &seat);
        }
        match outcome {
            Outcome::AskWords(question) => self.ask_words(turn, reply, &pair, token, question),
            outcome => self.carry_out(turn, reply, &pair, (outcome, token.revision), allowed),
        }
    }

    pub(super) fn formed(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        form: &str,
        fields: &[Field],
    ) -> Acknowledgement {
        let (field, text) = match fields {
            [only] => (only.token.as_str(), only.values.concat()),
            _ => (form, String::new()),
        };
        let usable = match self.usable(turn, reply, field) {
            Ok(usable) => usable,
            Err(with) => return with,
        };
        let Press::Other { question } = usable.token.press else {
            return Acknowledgement::Toast(wording::dead_control());
        };
        let Some(tracked) = self.tracked.get(&usable.pair.0) else { return Acknowledgement::Silent };
        let Some(showing) = tracked.showings.get(&usable.pair.1) else { return Acknowledgement::Silent };
        if tracked.secret() {
            return Acknowledgement::Toast(wording::dead_control());
        }
        match draft::own_words(tracked.questions(), &showing.draft, question.into(), &text) {
            Err(what) => Acknowledgement::Errors(vec![(field.to_owned(), format!("Expected {what}."))]),
            Ok(outcome) => {
                let outcome = (outcome, usable.token.revision);
                self.carry_out(turn, reply, &usable.pair, outcome, usable.allowed)
            }
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
            Outcome::Answer(answers) => self.answer(turn, reply, pair, answers, allowed),
            Outcome::Decline => {
                let Allowed { actor, permit } = allowed;
                let act = CommandAct::Cancel { why: WhyCancelled::Declined, actor: Some(actor) };
                let decided = self.decide(turn, &permit, act, reply);
                self.decision_note(turn, reply, decided)
            }
            Outcome::Changed(draft) => {
                if let Some(showing) = self.showing_mut(pair) {
                    showing.draft = draft;
                    turn.dirty.insert(Dirty::Draft(pair.clone()));
                    turn.touch(pair);
                }
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
            Outcome::Unchanged | Outcome::AskWords(_) => Acknowledgement::Silent,
            Outcome::Dead => Acknowledgement::Toast(wording::dead_control()),
        }
    }

    fn answer(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        pair: &Pair,
        answers: Answers,
        Allowed { actor, permit }: Allowed,
    ) -> Acknowledgement {
        let notes = self.showing(pair).map(|showing| showing.draft.notes.clone());
        let notes: Notes = notes.unwrap_or_default();
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

    fn ask_words(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        pair: &Pair,
        token: Token,
        question: usize,
    ) -> Acknowledgement {
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
