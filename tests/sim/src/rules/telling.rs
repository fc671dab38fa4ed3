//! Rules about telling: nothing before the save, everything at once that has a deadline, and nobody left without a word.

use askrelay_core::answer::{Actor, Way};
use askrelay_core::id::Identity;
use askrelay_core::permit::permit;
use askrelay_core::port::{
    Acknowledgement, Act, CommandAct, Event, Notice, Order, Reply, Sender, SenderKind,
};
use askrelay_core::record::State;
use askrelay_core::relay::facts::FactKind;
use askrelay_core::relay::{Effect, Out, Step};
use askrelay_core::token::{Press, Token};

use super::{Rules, Verdict, actor_of, broken};
use crate::store::Store;

impl Rules {
    /// Rule 1: what is told or sent rests on something saved.
    pub(super) fn rule_01_save_then_tell(&self, out: &Out, store: &Store) -> Verdict {
        match out {
            Out::Command(_, command) => {
                let key = format!("{:?}", command.resolution.as_str());
                if store.body(FactKind::Command, &key).is_none() {
                    return broken(1, format!("{} was sent before it was saved", command.resolution));
                }
            }
            Out::Order(_, Order::Show { send, .. }) => {
                let saved = store.facts_of(FactKind::Prompt);
                let named = |body: &String| body.contains(send.as_str());
                if !saved.filter_map(|fact| fact.body.as_ref()).any(named) {
                    return broken(1, format!("{send} was shown before it was saved"));
                }
            }
            Out::Order(_, Order::Saved { account, update }) => {
                if store.saves(FactKind::Seen, &format!("{:?}", update.as_str()), account.surface.as_str()) {
                    return broken(1, format!("{update} was confirmed before its effects were saved"));
                }
            }
            Out::Knock(..) | Out::Notified(..) | Out::Order(..) => {}
        }
        Ok(())
    }

    /// Rule 2: whoever came second is told what was recorded.
    pub(super) fn rule_02_losers_are_told(&mut self, event: &Event, step: &Step, process: u64) -> Verdict {
        let Event::Notice(_, notice) = event else { return Ok(()) };
        let told: Vec<&Identity> = step.effects.iter().filter_map(said_to).collect();
        for given in self.given.values_mut() {
            let author = actor_of(&given.act).and_then(|actor| actor.identity.as_ref());
            given.told |= author.is_some_and(|author| told.contains(&author));
        }
        let records: Vec<_> = match notice {
            Notice::Closed(record) => vec![record],
            Notice::Snapshot { records, .. } => records.iter().filter(|r| !r.state.is_pending()).collect(),
            _ => Vec::new(),
        };
        for record in records {
            self.knows_the_end.extend(told.iter().map(|who| (record.key.clone(), (*who).clone())));
            for (resolution, given) in &mut self.given {
                if given.key != record.key || given.process != process || given.settled {
                    continue;
                }
                let won = match (&record.state, &given.act) {
                    (State::Answered(answered), _) => answered.resolution == *resolution,
                    (State::Cancelled(cancelled), CommandAct::Cancel { why, .. }) => cancelled.why == *why,
                    _ => false,
                };
                let asked_by_somebody = actor_of(&given.act).is_some();
                if won || record.late.iter().any(|late| late.resolution == *resolution) {
                    given.settled = true;
                }
                if !won && asked_by_somebody && !given.told {
                    return broken(
                        2,
                        format!("{resolution} lost {}, and its author was not told", record.key),
                    );
                }
            }
        }
        Ok(())
    }

    /// Rule 7: nobody's press ends in silence.
    pub(super) fn rule_07_a_press_has_an_outcome(&self, reply: Option<&Reply>, step: &Step) -> Verdict {
        let Some(reply) = reply else { return Ok(()) };
        let Act::Press { token, .. } = &reply.act else { return Ok(()) };
        // Before people are known a press waits for them.
        if reply.sender.kind != SenderKind::Human || self.people.iter().next().is_none() {
            return Ok(());
        }
        let noticed = step.effects.iter().any(|effect| match effect {
            Effect::Now(Out::Order(_, Order::Acknowledge { with, .. })) => {
                !matches!(with, Acknowledgement::Silent | Acknowledgement::Later)
            }
            Effect::AfterSave(Out::Command(..)) => true,
            _ => false,
        });
        let Some((token, pair)) =
            Token::parse(token).and_then(|token| Some((token, self.nonces.get(&token.nonce)?)))
        else {
            return if noticed { Ok(()) } else { broken(7, "a dead control gave no word".to_owned()) };
        };
        let Some(truth) = self.truths.get(&pair.0) else { return Ok(()) };
        let Sender { identity, granted, .. } = &reply.sender;
        let actor = Actor {
            identity: Some(identity.clone()),
            place: Some(reply.place.clone()),
            granted: granted.clone(),
            ..Actor::new(self.person(identity, granted), Way::Control)
        };
        let refused = permit(&truth.record, &self.people, &actor).is_err();
        let decides = matches!(token.press, Press::Skip | Press::Submit);
        // A decision that is kept while the gateway is away is told after the save.
        let kept = step.facts.iter().any(|fact| fact.kind == FactKind::Command);
        if (refused || decides) && !noticed && !kept {
            return broken(
                7,
                format!("{} pressed {:?} and nothing came of it", reply.sender.identity.user, token.press),
            );
        }
        Ok(())
    }

    /// Rule 8: every interaction is acknowledged exactly once, in the step that hears of it.
    pub(super) fn rule_08_acknowledged_at_once(&self, reply: Option<&Reply>, step: &Step) -> Verdict {
        let owed = reply.and_then(|reply| reply.ack);
        let mut given = 0;
        for effect in &step.effects {
            let (now, out) = match effect {
                Effect::Now(out) => (true, out),
                Effect::AfterSave(out) => (false, out),
            };
            let Out::Order(_, Order::Acknowledge { ack, .. }) = out else { continue };
            if !now {
                return broken(8, format!("acknowledgement {} waits for the store", ack.0));
            }
            if Some(*ack) != owed {
                return broken(8, format!("acknowledgement {} was not owed", ack.0));
            }
            given += 1;
        }
        if given != usize::from(owed.is_some()) {
            return broken(8, format!("{owed:?} was acknowledged {given} times"));
        }
        Ok(())
    }

    /// Rule 13: every delivery of an update is confirmed once.
    pub(super) fn rule_13_confirmed_once(&mut self, out: &Out) -> Verdict {
        let Out::Order(account, Order::Saved { update, .. }) = out else { return Ok(()) };
        let count = self.deliveries.entry((account.clone(), update.to_string())).or_default();
        count.1 += 1;
        if count.1 > count.0 {
            return broken(
                13,
                format!("{update} came {} times and was confirmed {} times", count.0, count.1),
            );
        }
        Ok(())
    }
}

fn said_to(effect: &Effect) -> Option<&Identity> {
    match effect {
        Effect::AfterSave(Out::Order(_, Order::Toast { otherwise: Some(order), .. })) => to_whom(order),
        Effect::AfterSave(Out::Order(_, order)) => to_whom(order),
        _ => None,
    }
}

const fn to_whom(order: &Order) -> Option<&Identity> {
    match order {
        Order::Say { to, .. } => to.as_ref(),
        _ => None,
    }
}
