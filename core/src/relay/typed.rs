//! A typed text: held while a Prompt is under way in its Place, routed to a Record, read, and turned into a decision, a draft,
//! or one short note. Bots are never read, and what is older than a Prompt never answers it.

use super::Relay;
use super::clock::Timer;
use super::decided::{Allowed, Decided};
use super::draft::{self, Outcome};
use super::replied::saved;
use super::routed::Target;
use super::seen::Key;
use super::state::{Dirty, Held, Input, Pair, Seat, Text, update_key, words};
use super::turn::Turn;
use crate::answer::{Answers, Notes, Way};
use crate::ask::Question;
use crate::id::{Place, RecordKey};
use crate::permit::{Permit, Refused};
use crate::port::{Acknowledgement, Act, CommandAct, Reply, SenderKind};
use crate::prompt::Draft;
use crate::prompt::wording;
use crate::record::WhyCancelled;
use crate::reply::{Bot, Reader, Reading, Reason, Unclear, read};
use crate::time::Span;

/// Most texts of one Place that are held; the oldest is then read as it is.
const HELD_MAX: usize = 32;

/// How long a text is held for a Prompt that is under way, when another question could be meant.
const HELD: Span = Span::seconds(10);

impl Relay {
    pub(super) fn typed(&mut self, turn: &mut Turn<'_>, mut text: Text) {
        let held = text.reply.sender.kind == SenderKind::Human
            && self.arriving(&text.reply.place)
            && self.prompt_of(&text).is_none();
        if !held {
            self.read_held(turn, &text, Held::Not);
            return;
        }
        // The platform cannot wait as long; what came of it follows as a note.
        self.acknowledge(turn, &text.reply, Acknowledgement::Silent);
        text.reply.ack = None;
        let place = text.reply.place.clone();
        let texts = &mut self.held.entry(place.clone()).or_default().texts;
        texts.push_back(text);
        let overflow = if texts.len() > HELD_MAX { texts.pop_front() } else { None };
        if let Some(text) = overflow {
            self.read_held(turn, &text, Held::TooLong);
        }
        self.time_held(&place);
    }

    /// The Record whose Prompt it replies to.
    pub(super) fn prompt_of<'a>(&'a self, text: &'a Text) -> Option<&'a RecordKey> {
        let Act::Text { reply_to, .. } = &text.reply.act else { return None };
        let shown_by = reply_to.as_ref().and_then(|message| self.index.shown_by(&text.reply.place, message));
        shown_by.or(text.about.as_ref())
    }

    /// A held text that was delivered once more: it is confirmed as often as it came.
    pub(super) fn delivered_again(&mut self, reply: &Reply) -> bool {
        let Some(held) = self.held.get_mut(&reply.place) else { return false };
        let same = held.texts.iter_mut().find(|text| text.reply.update == reply.update);
        if let Some(text) = same {
            text.deliveries += 1;
            return true;
        }
        false
    }

    /// Whether a message of ours may appear in the Place any moment.
    fn arriving(&self, place: &Place) -> bool {
        let prompt = self.index.open_in(place).any(|key| {
            let tracked = self.tracked.get(key);
            tracked.and_then(|tracked| tracked.showings.get(place)).is_some_and(|showing| showing.arriving())
        });
        prompt || self.inputs.iter().any(|(seat, input)| seat.0 == *place && !input.there)
    }

    /// Something of ours arrived in the Place, or will not: held texts are read once nothing is under way any more.
    pub(super) fn arrived(&mut self, turn: &mut Turn<'_>, place: &Place) {
        if self.held.contains_key(place) && !self.arriving(place) {
            self.read_all_held(turn, place, Held::Arrived);
        }
    }

    pub(super) fn held_long_enough(&mut self, turn: &mut Turn<'_>, place: &Place) {
        if let Some(held) = self.held.get_mut(place) {
            held.timed = false;
        }
        let arriving = self.arriving(place);
        let shown = self.index.open_in(place).any(|key| {
            let tracked = self.tracked.get(key);
            tracked.and_then(|tracked| tracked.showings.get(place)).is_some_and(|showing| showing.is_shown())
        });
        if arriving && !shown {
            // Nothing else could be meant, and what they answer is not there yet.
            self.time_held(place);
            return;
        }
        self.read_all_held(turn, place, if arriving { Held::TooLong } else { Held::Arrived });
    }

    pub(super) fn time_held(&mut self, place: &Place) {
        if let Some(held) = self.held.get_mut(place)
            && !held.timed
        {
            held.timed = true;
            self.clock.after(HELD, Timer::Held(place.clone()));
        }
    }

    fn read_all_held(&mut self, turn: &mut Turn<'_>, place: &Place, held: Held) {
        let Some(texts) = self.held.remove(place) else { return };
        for text in texts.texts {
            self.read_held(turn, &text, held);
        }
    }

    fn read_held(&mut self, turn: &mut Turn<'_>, text: &Text, held: Held) {
        let with = self.read_text(turn, text, held);
        self.acknowledge(turn, &text.reply, with);
        turn.updates.push(update_key(&text.reply));
        for _ in 0..text.deliveries {
            saved(turn, &text.reply);
        }
    }

    fn read_text(&mut self, turn: &mut Turn<'_>, text: &Text, held: Held) -> Acknowledgement {
        let reply = &text.reply;
        match reply.sender.kind {
            SenderKind::Bot => return Acknowledgement::Silent,
            SenderKind::Anonymous if self.prompt_of(text).is_none() => return Acknowledgement::Silent,
            SenderKind::Anonymous | SenderKind::Human => {}
        }
        // An edit of a message that became an answer changes nothing any more.
        let message =
            reply.message.as_ref().map(|message| Key::Message(reply.place.clone(), message.clone()));
        if message.is_some_and(|key| self.seen.contains(&key)) {
            return Acknowledgement::Silent;
        }
        if let Some(with) = self.serve(turn, text) {
            return with;
        }
        let seat: Seat = (reply.place.clone(), reply.sender.identity.clone());
        let say = match self.route(text, held) {
            Target::Prompt(allowed) => return self.read_reply(turn, reply, *allowed),
            Target::Input(input) => return self.read_words(turn, reply, &input),
            Target::Nobody => return Acknowledgement::Silent,
            Target::Refused(key, why) => return self.refuse(turn, reply, Some(&key), why),
            Target::Unclear => wording::which(),
            Target::Unasked => wording::unasked(),
            Target::Early => wording::early(),
            Target::Secret => wording::secret(),
            Target::Wordless => wording::no_text(),
            Target::Over(key) => {
                let end = self.tracked.get(&key).zip(self.reader(turn.now, &reply.place));
                end.map_or_else(wording::dead_control, |(tracked, reader)| {
                    let pending = tracked.record.state.is_pending();
                    if pending { wording::closed() } else { wording::late(&tracked.record, &reader) }
                })
            }
        };
        if self.told.is_news(&seat, (&words(reply), &say)) {
            Acknowledgement::Toast(say)
        } else {
            Acknowledgement::Silent
        }
    }

    pub(super) fn refuse(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        record: Option<&RecordKey>,
        why: Refused,
    ) -> Acknowledgement {
        if self.note_refusal(turn, reply, record, why) {
            Acknowledgement::Toast(wording::refused(why))
        } else {
            Acknowledgement::Silent
        }
    }

    /// Writes a refusal to the trail, unless the same was written a moment ago: whoever is refused could fill the disk.
    pub(super) fn note_refusal(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        record: Option<&RecordKey>,
        why: Refused,
    ) -> bool {
        let seat: Seat = (reply.place.clone(), reply.sender.identity.clone());
        let due = self.told.may_refuse(&seat, why, self.clock.steady());
        if due {
            let way = if matches!(reply.act, Act::Text { .. }) { Way::Text } else { Way::Control };
            turn.note_refusal(record, self.actor(reply, way), why);
        }
        due
    }

    /// A text that answers this Prompt, if it can be understood.
    fn read_reply(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        Allowed { actor, permit }: Allowed,
    ) -> Acknowledgement {
        let pair: &Pair = &(permit.record().clone(), reply.place.clone());
        let Some(tracked) = self.tracked.get(&pair.0) else { return Acknowledgement::Silent };
        let Some(showing) = tracked.showings.get(&pair.1) else { return Acknowledgement::Silent };
        let bot = self.config.bots.get(&reply.place.account).cloned().unwrap_or_default();
        let text = words(reply);
        let understood = understand(tracked.questions(), &showing.draft, text, &bot);
        match understood {
            Understood::Answer(answers, notes) => {
                let words = Some(text.to_owned());
                let echo = self.echo(turn, &pair.0, &reply.place, &answers, &notes);
                let act = CommandAct::Resolve { answers, notes, words, actor };
                self.decide_by_text(turn, reply, &permit, act, echo)
            }
            Understood::Skip => {
                let act = CommandAct::Cancel { why: WhyCancelled::Declined, actor: Some(actor) };
                self.decide_by_text(turn, reply, &permit, act, None)
            }
            // They decided; whatever else they write is for somebody else.
            Understood::Unclear(..) if self.under_way(&pair.0, &actor).is_some() => Acknowledgement::Silent,
            Understood::Unclear(draft, unclear) => {
                let seat: Seat = (reply.place.clone(), reply.sender.identity.clone());
                let questions = tracked.questions();
                let reader = self.reader(turn.now, &reply.place);
                let reask = reader.map(|reader| wording::reask(questions, &unclear, &reader));
                if let Some(draft) = draft {
                    self.consume(turn, reply);
                    self.keep_draft(turn, pair, draft);
                }
                match reask {
                    Some(text) if self.told.is_news(&seat, (&pair.0, words(reply))) => {
                        Acknowledgement::Toast(text)
                    }
                    _ => Acknowledgement::Silent,
                }
            }
            Understood::Nothing => Acknowledgement::Silent,
        }
    }

    /// Own words for the input that the person's own press opened: a control answer, taken as it is.
    fn read_words(&mut self, turn: &mut Turn<'_>, reply: &Reply, input: &Input) -> Acknowledgement {
        let pair: Pair = (input.key.clone(), reply.place.clone());
        let Some(tracked) = self.tracked.get(&pair.0) else { return Acknowledgement::Silent };
        let Some(showing) = tracked.showings.get(&pair.1) else { return Acknowledgement::Silent };
        let Some(question) = tracked.questions().get(input.question) else { return Acknowledgement::Silent };
        let Allowed { actor, permit } = match self.allowed(&tracked.record, self.actor(reply, Way::Control)) {
            Ok(allowed) => allowed,
            Err(why) => return self.refuse(turn, reply, Some(&pair.0), why),
        };
        let seat: Seat = (reply.place.clone(), reply.sender.identity.clone());
        let bot = self.config.bots.get(&reply.place.account).cloned().unwrap_or_default();
        let free =
            Question { choices: Vec::new(), multi_select: false, min: None, max: None, ..question.clone() };
        let free = [free];
        let own = match read(&free, words(reply), &bot) {
            Reading::Answer { answers, .. } => answers.of(&question.id).concat(),
            Reading::Skip => {
                let act = CommandAct::Cancel { why: WhyCancelled::Declined, actor: Some(actor) };
                return self.decide_by_text(turn, reply, &permit, act, None);
            }
            // Whether the words keep the constraint is judged with the choices in view: a label needs not.
            Reading::Clarify(unclear) if unclear.reason == Reason::Constraint => {
                words(reply).trim().to_owned()
            }
            Reading::Clarify(unclear) => {
                let reader = self.reader(turn.now, &reply.place);
                let text = reader.map(|reader| wording::reask(&free, &unclear, &reader));
                return text.map_or(Acknowledgement::Silent, Acknowledgement::Toast);
            }
            Reading::NotAnAnswer => return Acknowledgement::Silent,
        };
        match draft::own_words(tracked.questions(), &showing.draft, input.question, &own) {
            Err(what) => Acknowledgement::Toast(wording::expected_text(&what)),
            Ok(Outcome::Answer(answers, notes)) => {
                let echo = self.echo(turn, &pair.0, &reply.place, &answers, &notes);
                let act = CommandAct::Resolve { answers, notes, words: Some(own), actor };
                self.decide_by_text(turn, reply, &permit, act, echo)
            }
            Ok(outcome) => {
                let revision = showing.draft.revision;
                self.drop_input(turn, &seat);
                self.consume(turn, reply);
                self.carry_out(turn, reply, &pair, (outcome, revision), Allowed { actor, permit })
            }
        }
    }

    fn decide_by_text(
        &mut self,
        turn: &mut Turn<'_>,
        reply: &Reply,
        permit: &Permit,
        act: CommandAct,
        echo: Option<String>,
    ) -> Acknowledgement {
        let seat: Seat = (reply.place.clone(), reply.sender.identity.clone());
        self.told.understood(&seat);
        let decided = self.decide(turn, permit, act, reply);
        if matches!(decided, Decided::Already | Decided::TooLate) {
            return self.decision_note(turn, reply, decided);
        }
        self.consume(turn, reply);
        if let Some(echo) = echo {
            // Everybody who reads the Place sees what was understood.
            turn.say(&reply.place, None, reply.message.as_ref(), echo);
        }
        self.decision_note(turn, reply, decided)
    }

    fn echo(
        &self,
        turn: &Turn<'_>,
        key: &crate::id::RecordKey,
        place: &Place,
        answers: &Answers,
        notes: &Notes,
    ) -> Option<String> {
        let tracked = self.tracked.get(key)?;
        Some(wording::understood(tracked.questions(), answers, notes, &self.reader(turn.now, place)?))
    }

    /// The message became an answer or a part of one.
    fn consume(&mut self, turn: &mut Turn<'_>, reply: &Reply) {
        if let Some(message) = &reply.message {
            let key = Key::Message(reply.place.clone(), message.clone());
            self.seen.insert(key.clone(), turn.now);
            turn.updates.push(key);
        }
    }

    fn keep_draft(&mut self, turn: &mut Turn<'_>, pair: &Pair, draft: Draft) {
        if let Some(showing) = self.showing_mut(pair) {
            showing.draft = draft;
            turn.dirty.insert(Dirty::Draft(pair.clone()));
            turn.touch(pair);
        }
    }
}

/// What a text comes to, with what was understood before.
#[derive(Debug, PartialEq)]
enum Understood {
    Answer(Answers, Notes),
    /// Perhaps with a draft that grew.
    Unclear(Option<Draft>, Unclear),
    Skip,
    Nothing,
}

/// Reads a text in view of what earlier ones left open.
fn understand(questions: &[Question], draft: &Draft, text: &str, bot: &Bot) -> Understood {
    let kept = Answers(draft.answers.clone());
    // A remark stays with the choice it stood beside.
    let notes = |answers: &Answers, fresh: Notes| {
        let mut notes = draft.notes.clone();
        notes.retain(|id, _| answers.of(id) == kept.of(id));
        notes.extend(fresh);
        notes
    };
    match Reader::new(questions).read_open(&kept, text, bot) {
        Reading::Answer { answers, notes: fresh } => {
            let notes = notes(&answers, fresh);
            Understood::Answer(answers, notes)
        }
        Reading::Skip => Understood::Skip,
        Reading::NotAnAnswer => Understood::Nothing,
        Reading::Clarify(unclear) if questions.len() == 1 || unclear.kept == kept => {
            Understood::Unclear(None, unclear)
        }
        Reading::Clarify(unclear) => {
            let next = Draft {
                revision: draft.revision.saturating_add(1),
                answers: unclear.kept.0.clone(),
                notes: notes(&unclear.kept, unclear.notes.clone()),
                ..draft.clone()
            };
            Understood::Unclear(Some(next), unclear)
        }
    }
}
