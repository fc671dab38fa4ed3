//! Rules about answers: who gave them, what they say, how old they are, and where they go.

use askrelay_core::answer::{Actor, Answers};
use askrelay_core::ask::Question;
use askrelay_core::id::{GatewayId, Identity, PersonId, RecordKey};
use askrelay_core::permit::permit;
use askrelay_core::person::Scopes;
use askrelay_core::port::{Acknowledgement, Act, Command, CommandAct, Field, Order};
use askrelay_core::prompt::Control;
use askrelay_core::record::WhyCancelled;
use askrelay_core::relay::{Effect, Out, Step};
use askrelay_core::token::{Press, Token};

use super::{Heard, Rules, Verdict, actor_of, broken};
use crate::scene::{GATEWAYS, SECRET};

impl Rules {
    /// Rule 3: no answer without a Permit at that moment, and in nobody else's name.
    pub(super) fn rule_03_only_with_a_permit(&self, command: &Command) -> Verdict {
        let Some(actor) = actor_of(&command.act) else { return Ok(()) };
        let Some(truth) = self.truths.get(&command.key) else { return Ok(()) };
        if let Err(why) = permit(&truth.record, &self.people, actor) {
            return broken(
                3,
                format!("{} was answered by {:?}, who may not: {why:?}", command.key, actor.person),
            );
        }
        let told = |granted: &Scopes| {
            let heard = actor.identity.as_ref().and_then(|identity| self.heard.get(identity));
            heard.into_iter().flatten().any(|heard| heard.reply.sender.granted == *granted)
        };
        if !told(&actor.granted) {
            return broken(3, format!("{:?} never had roles that give {:?}", actor.identity, actor.granted));
        }
        let identity = actor.identity.as_ref();
        if identity.and_then(|identity| self.person(identity, &actor.granted)) != actor.person {
            return broken(3, format!("{:?} was sent in the name of {:?}", actor.identity, actor.person));
        }
        Ok(())
    }

    /// Who acts on an identity: the Person, or the identity itself where only roles let it in.
    pub(super) fn person(&self, identity: &Identity, granted: &Scopes) -> Option<PersonId> {
        let known = self.people.behind(identity).map(|person| person.id.clone());
        known.or_else(|| (!granted.is_empty()).then(|| identity.person()))
    }

    /// Rule 4: an answer is what somebody pressed or wrote there: declared choices, or exact words.
    pub(super) fn rule_04_a_declared_choice_or_exact_words(&self, command: &Command) -> Verdict {
        let CommandAct::Resolve { answers, actor, .. } = &command.act else { return Ok(()) };
        let Some(truth) = self.truths.get(&command.key) else { return Ok(()) };
        let questions = &truth.record.ask.questions;
        let canonical = askrelay_core::answer::canonical(questions, answers);
        if canonical.as_ref() != Ok(answers) {
            return broken(4, format!("{} got {answers:?}, which is not canonical", command.key));
        }
        // One choice of one question is one person's act; anything else may have been put together by several.
        let alone = matches!(questions.as_slice(), [only] if !only.multi_select);
        for (index, question) in questions.iter().enumerate() {
            for value in answers.of(&question.id) {
                let given = self
                    .acts_in(actor, alone)
                    .any(|heard| self.gives(heard, &command.key, (index, question), value));
                if !given {
                    return broken(4, format!("{} got {value:?}, which nobody chose or wrote", command.key));
                }
            }
        }
        Ok(())
    }

    /// Everything heard in the actor's Place: of the actor alone, or of everybody.
    fn acts_in<'a>(&'a self, actor: &Actor, alone: bool) -> impl Iterator<Item = &'a Heard> {
        let place = actor.place.as_ref().map(|place| self.now_at(place));
        let identity = actor.identity.clone();
        self.heard
            .iter()
            .filter(move |(who, _)| !alone || Some(*who) == identity.as_ref())
            .flat_map(|(_, all)| all)
            .filter(move |heard| Some(self.now_at(&heard.reply.place)) == place)
    }

    fn gives(
        &self,
        heard: &Heard,
        key: &RecordKey,
        (index, question): (usize, &Question),
        value: &str,
    ) -> bool {
        match &heard.reply.act {
            Act::Text { text: Some(text), .. } => says(text, question, value),
            Act::Text { text: None, .. } => false,
            Act::Form { fields, .. } => self.fields_give(fields, key, (index, question), value),
            Act::Press { fields, .. } if self.fields_give(fields, key, (index, question), value) => true,
            Act::Press { token, values, .. } => {
                let Some(press) = self.is_about(token, key) else { return false };
                let choice = |at: usize| question.choices.get(at).is_some_and(|choice| choice.label == value);
                match press {
                    Press::Choose { question: at, choice: taken }
                    | Press::Toggle { question: at, choice: taken, on: true } => {
                        usize::from(at) == index && choice(taken.into())
                    }
                    Press::Fill { question: at } => {
                        usize::from(at) == index
                            && values.iter().filter_map(|value| value.parse().ok()).any(choice)
                    }
                    Press::UseDefault { question: at } => {
                        usize::from(at) == index && question.default.iter().any(|default| default == value)
                    }
                    _ => false,
                }
            }
        }
    }

    /// Whether a field of this question brought the value.
    fn fields_give(
        &self,
        fields: &[Field],
        key: &RecordKey,
        (index, question): (usize, &Question),
        value: &str,
    ) -> bool {
        fields.iter().any(|field| match self.is_about(&field.token, key) {
            Some(Press::Other { question: at }) if usize::from(at) == index => {
                field.values.iter().any(|text| text.trim() == value)
            }
            Some(Press::Fill { question: at }) if usize::from(at) == index => {
                let choices = field
                    .values
                    .iter()
                    .filter_map(|entry| question.choices.get(entry.parse::<usize>().ok()?));
                choices.into_iter().any(|choice| choice.label == value)
            }
            _ => false,
        })
    }

    /// What a payload presses, if it belongs to a Prompt of the Record.
    fn is_about(&self, token: &str, key: &RecordKey) -> Option<Press> {
        let token = Token::parse(token)?;
        self.nonces.get(&token.nonce).filter(|pair| pair.0 == *key).map(|_| token.press)
    }

    /// Rule 7: an Ask that reached nobody is ended, but only by the gateway it is ours at.
    pub(super) fn rule_07_ends_only_what_is_ours(&self, command: &Command) -> Verdict {
        let undelivered =
            matches!(&command.act, CommandAct::Cancel { why: WhyCancelled::NotDelivered { .. }, .. });
        if undelivered && command.key.gateway.as_str() != GATEWAYS[0] {
            return broken(7, format!("{} was ended because our delivery failed", command.key));
        }
        Ok(())
    }

    /// Rule 10: nothing typed for a secret is kept or said.
    pub(super) fn rule_10_secrets_stay_out(&self, step: &Step) -> Verdict {
        let kept = step.facts.iter().any(|fact| fact.body.as_ref().is_some_and(|body| body.contains(SECRET)));
        if kept {
            return broken(10, "a fact holds a secret".to_owned());
        }
        let said = step.effects.iter().any(|effect| {
            let (Effect::Now(out) | Effect::AfterSave(out)) = effect;
            mentions_secret(out)
        });
        if said { broken(10, "a secret was passed on".to_owned()) } else { Ok(()) }
    }

    /// Rule 13: one attempt has one name, over every repetition.
    pub(super) fn rule_13_one_name_for_one_attempt(&self, command: &Command) -> Verdict {
        if let Some(given) = self.given.get(&command.resolution) {
            if given.act != command.act || given.key != command.key {
                return broken(13, format!("{} means something else now", command.resolution));
            }
            return Ok(());
        }
        let person = |act: &CommandAct| actor_of(act).and_then(|actor| actor.person.clone());
        let twin = self.given.iter().find(|(_, given)| {
            given.key == command.key && !given.settled && person(&given.act) == person(&command.act)
        });
        match twin {
            Some((before, _)) => broken(
                13,
                format!(
                    "{} of {:?} follows {before}, which is still on its way",
                    command.resolution,
                    person(&command.act)
                ),
            ),
            None => Ok(()),
        }
    }

    /// Rule 14: a text that is older than the Prompt in its Place never answers it.
    pub(super) fn rule_14_nothing_older_than_its_prompt(&self, command: &Command) -> Verdict {
        let CommandAct::Resolve { words: Some(words), actor, .. } = &command.act else { return Ok(()) };
        let Some(place) = actor.place.as_ref().map(|place| self.now_at(place)) else { return Ok(()) };
        // Where only time tells, a clock that jumped tells nothing.
        if place.account.surface.as_str() == "lines" && self.jumped {
            return Ok(());
        }
        let Some(first) = self.first.get(&(command.key.clone(), place)) else { return Ok(()) };
        let newer = self.acts_in(actor, true).any(|heard| {
            let said =
                matches!(&heard.reply.act, Act::Text { text: Some(text), .. } if text.trim() == words.trim());
            said && heard.position > *first
        });
        if newer {
            return Ok(());
        }
        broken(14, format!("{} was answered by {words:?}, which is older", command.key))
    }

    /// Rule 15: a Command goes to the gateway whose Record it is.
    pub(super) fn rule_15_the_right_gateway(&self, gateway: &GatewayId, command: &Command) -> Verdict {
        if command.key.gateway != *gateway || !self.truths.contains_key(&command.key) {
            return broken(15, format!("{gateway} got a Command about {}", command.key));
        }
        Ok(())
    }
}

/// Whether a text can be what chose this value: the words themselves, its label, or its number.
fn says(text: &str, question: &Question, value: &str) -> bool {
    if text.trim() == value {
        return true;
    }
    let Some(at) = question.choices.iter().position(|choice| choice.label == value) else {
        return text.contains(value);
    };
    let number = (at + 1).to_string();
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word == number || word.eq_ignore_ascii_case(value))
}

fn mentions_secret(out: &Out) -> bool {
    match out {
        Out::Order(_, order) => match order {
            Order::Show { prompt, .. } | Order::Edit { prompt, .. } | Order::Retire { prompt, .. } => {
                prompt.messages.iter().flat_map(|body| &body.0).any(|piece| piece.text.contains(SECRET))
            }
            Order::Acknowledge { with: Acknowledgement::Form { fields, .. }, .. } => {
                let filled = |field: &Control| matches!(field, Control::Input { value: Some(text), .. } if text.contains(SECRET));
                fields.iter().any(filled)
            }
            Order::Acknowledge { with: Acknowledgement::Toast(text), .. }
            | Order::Say { text, .. }
            | Order::Toast { text, .. }
            | Order::AskForText { text, .. } => text.contains(SECRET),
            Order::Acknowledge { .. } | Order::Saved { .. } => false,
        },
        Out::Knock(..) | Out::Notified(..) => false,
        Out::Command(_, command) => match &command.act {
            CommandAct::Resolve { answers: Answers(values), words, .. } => {
                values.values().flatten().chain(words).any(|text| text.contains(SECRET))
            }
            CommandAct::Cancel { .. } => false,
        },
    }
}
