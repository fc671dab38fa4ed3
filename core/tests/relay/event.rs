//! The events of a script: one line of words each.
//!
//! `open q1 in b:1 t:1 [other] [multi] [secret] [attached] [for NAME] [wait SECONDS] [default LABEL] | A | B || X | Y` ·
//! `closed q1 answered A by NAME [as r1]`, `expired`, `withdrawn`, `declined by NAME`, `late r1 A by NAME` ·
//! `refused r1 q1 ended|gone|unpermitted|invalid` · `snapshot q1 … [more]` · `gateway online|offline` · `people without NAME` ·
//! `b online|offline` · `shown s1 m1 [@5]` · `failed s1 later 5|unreachable|gone|refused|unknown` · `moved b:1 2` ·
//! `NAME press q1 b:1 c0-0 [r1] [on m1] [update u1] [quiet] [values 0,1] [from b:2] [anonymous] [private]
//! [roles RIGHT,RIGHT]` · `NAME form q1 m:1 o0 "words"` ·
//! `NAME says b:1 "words" [re m1] [@7] [addressed] [message m9] [ago 5] [bot] [anonymous] [update u1]
//! [roles RIGHT,RIGHT]` ·
//! `many 40 in b:1` · `pass SECONDS` · `back SECONDS` · `tick SECONDS` · `restart` (nobody is known yet) · `crash
//! [without records]` (people are) · `kept` · `trail` ·
//! `gateway knows NAME b:1 code C|in NAME|refused|closed` · `gateway notifies b:1 … "words" [label NAME]` · of the other gateway, `claw`: `open … gateway claw [agent NAME]
//! [run ID]` · `claw online BOOT` · `claw offline` · `claw snapshot q1 …` · `claw people`

use std::sync::Arc;

use askrelay_core::answer::{Actor, Answered, Answers, Way};
use askrelay_core::ask::{Ask, Binding, Choice, Constraint, Creator, Origin, Question, WhenUnanswered};
use askrelay_core::id::{AckId, Place, RecordKey};
use askrelay_core::person::{Scope, Scopes};
use askrelay_core::port::{
    Act, Event, Failure, FailureKind, Field, Notice, Notification, Receipt, Rejection, Reply, Report, Sender,
    SenderKind, Welcome,
};
use askrelay_core::record::{Cancelled, Record, State, WhyCancelled};
use askrelay_core::time::{Span, Time};
use askrelay_core::token::Token;

use crate::world::{World, account, identity, people, place, refused};

impl World {
    /// Plays one line.
    pub(crate) fn run(&mut self, line: &str) -> Vec<String> {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["open", id, rest @ ..] => self.open(id, rest, line),
            ["closed", id, rest @ ..] => self.close(id, rest),
            ["refused", resolution, id, why] => self.refuse(resolution, id, why),
            ["snapshot", rest @ ..] => {
                let ids = rest.iter().filter(|word| **word != "more");
                let records = ids.map(|id| Arc::clone(&self.records[*id])).collect();
                let last = !rest.contains(&"more");
                self.notice(Notice::Snapshot { records, last })
            }
            ["claw", rest @ ..] => self.claw(rest),
            ["gateway", "online"] => self.notice(Notice::Online { boot: None }),
            ["gateway", "offline"] => self.notice(Notice::Offline),
            ["people", "without", name] => self.notice(Notice::People(people(Some(name)))),
            [surface, "online"] => self.step(Event::Report(Report::Online { account: account(surface) })),
            [surface, "offline"] => {
                let why = "the line is down".to_owned();
                self.step(Event::Report(Report::Offline { account: account(surface), why }))
            }
            ["shown", send, message, rest @ ..] => self.shown(send, message, rest),
            ["failed", send, rest @ ..] => {
                let failure = Failure { kind: failure(rest), why: rest.join(" ") };
                let send = self.id(send).into();
                self.step(Event::Report(Report::Failed { send, failure }))
            }
            ["moved", from, to] => {
                self.step(Event::Report(Report::Moved { from: place(from), to: (*to).into() }))
            }
            ["pass", seconds] => {
                self.now = self.now.after(seconds_of(seconds));
                Vec::new()
            }
            ["back", seconds] => {
                self.now = Time(self.now.0 - seconds_of(seconds).0 as i64);
                Vec::new()
            }
            ["tick", seconds] => {
                self.now = self.now.after(seconds_of(seconds));
                self.step(Event::Tick)
            }
            ["crash"] => {
                self.restart();
                self.notice(Notice::People(people(None)))
            }
            ["crash", "without", "records"] => {
                self.lose_records();
                self.notice(Notice::People(people(None)))
            }
            ["restart"] => {
                self.restart();
                Vec::new()
            }
            ["people", "known"] => self.notice(Notice::People(people(None))),
            ["many", count, "in", at] => self.many(count, at),
            ["kept"] => self.kept(),
            ["trail"] => self.trail(),
            ["gateway", "knows", who, at, what @ ..] => self.knocked(who, at, what),
            ["gateway", "notifies", rest @ ..] => self.notified(rest),
            [who, "press", id, at, press, rest @ ..] => self.press(who, (id, at), press, rest),
            [who, "sends", id, at, press, rest @ ..] => self.sends(who, (id, at), press, rest),
            [who, "form", id, at, press, text] => self.form(who, (id, at), press, text),
            [who, "says", at, text, rest @ ..] => self.says(who, at, text, rest),
            _ => panic!("no event: {line}"),
        }
    }

    fn notice(&mut self, notice: Notice) -> Vec<String> {
        self.step(Event::Notice("local".into(), notice))
    }

    /// What the other gateway tells.
    fn claw(&mut self, words: &[&str]) -> Vec<String> {
        let notice = match words {
            ["online", boot] => Notice::Online { boot: Some((*boot).into()) },
            ["offline"] => Notice::Offline,
            ["people"] => Notice::People(Arc::default()),
            ["snapshot", ids @ ..] => {
                let records = ids.iter().map(|id| Arc::clone(&self.records[*id])).collect();
                Notice::Snapshot { records, last: true }
            }
            _ => panic!("claw tells no such thing: {words:?}"),
        };
        self.step(Event::Notice("claw".into(), notice))
    }

    fn knocked(&mut self, who: &str, at: &str, what: &[&str]) -> Vec<String> {
        let place = place(at);
        let identity = identity(place.account.surface.as_str(), who);
        let welcome = match what {
            ["code", code] => Welcome::Code { code: (*code).to_owned(), good_for: Span::seconds(3600) },
            ["in", name] => Welcome::In { person: (*name).into(), display_name: (*name).to_owned() },
            ["refused"] => Welcome::InviteRefused,
            _ => Welcome::Closed,
        };
        self.notice(Notice::Knocked { place, identity, welcome })
    }

    fn notified(&mut self, rest: &[&str]) -> Vec<String> {
        let message = rest.iter().rfind(|word| word.contains(' ')).unwrap_or(&"");
        let notification = Notification {
            number: 7,
            message: (*message).to_owned(),
            origin: Origin { label: after(rest, "label").map(str::to_owned), ..Origin::default() },
            creator: Some("owner".into()),
            places: rest.iter().filter(|word| word.contains(':')).map(|word| (*word).to_owned()).collect(),
        };
        self.notice(Notice::Notify(notification))
    }

    /// Many Records at once; only how many Orders that gives.
    fn many(&mut self, count: &str, at: &str) -> Vec<String> {
        let open = |number: usize| format!("open a{number} in {at} | Yes | No");
        (0..count.parse().unwrap()).flat_map(|number| self.run(&open(number))).collect()
    }

    fn id<'a>(&'a self, name: &'a str) -> &'a str {
        self.names.get(name).map_or(name, String::as_str)
    }

    fn open(&mut self, id: &str, rest: &[&str], line: &str) -> Vec<String> {
        let mut gateway = "local";
        let options = rest.iter().position(|word| *word == "|").map_or(rest, |end| &rest[..end]);
        let blocks = line.split_once('|').map_or("", |(_, blocks)| blocks);
        let has = |word: &str| options.contains(&word);
        let questions = blocks.split("||").enumerate().map(|(index, block)| {
            let labels = block.split('|').map(str::trim).filter(|label| !label.is_empty());
            Question {
                id: format!("k{index}").as_str().into(),
                text: if index == 0 { format!("{id}?") } else { format!("{id}.{index}?") },
                choices: labels.map(Choice::new).collect(),
                other: has("other"),
                multi_select: has("multi"),
                secret: has("secret"),
                constraint: has("digit")
                    .then_some(Constraint::Integer { minimum: Some(1), maximum: Some(9) }),
                default: after(options, "default").map(str::to_owned).into_iter().collect(),
                ..Question::default()
            }
        });
        if let Some(other) = after(options, "gateway") {
            gateway = other;
        }
        let wait = Span::seconds(after(options, "wait").map_or(900, |wait| wait.parse().unwrap()));
        let binding = if has("attached") { Binding::Attached } else { Binding::Run };
        let ask = Ask {
            questions: questions.collect(),
            wait,
            origin: Origin {
                agent_id: after(options, "agent").map(str::to_owned),
                run_id: after(options, "run").map(str::to_owned),
                ..Origin::default()
            },
            creator: Creator {
                person: Some("owner".into()),
                token: None,
                binding,
                scopes: if has("strong") {
                    [Scope::QuestionsAdmin].into()
                } else {
                    [Scope::QuestionsAnswer].into()
                },
            },
            answerers: after(options, "for").map(Into::into).into_iter().collect(),
            places: options.iter().filter(|word| word.contains(':')).map(|word| (*word).to_owned()).collect(),
            needs_surface: has("needs-surface"),
            when_unanswered: WhenUnanswered::Fail,
            terminal_proof: has("terminal").then(|| "proof".to_owned()),
        };
        let key = RecordKey { gateway: gateway.into(), id: id.into(), created_at: self.now };
        let expires_at = self.now.after(wait);
        let record = Arc::new(Record {
            key,
            ask,
            expires_at,
            state: State::Pending,
            late: Vec::new(),
            collected: None,
        });
        self.records.insert(id.to_owned(), Arc::clone(&record));
        self.step(Event::Notice(gateway.into(), Notice::Opened(record)))
    }

    fn close(&mut self, id: &str, rest: &[&str]) -> Vec<String> {
        let now = self.now;
        let mut record = (*self.records[id]).clone();
        match rest {
            ["expired"] => record.state = State::Expired { at: now },
            ["late", resolution, value, "by", who] => {
                let late = self.answered(&record, value, who, self.id(resolution));
                record.late.push(late);
            }
            ["answered", value, "by", who, rest @ ..] => {
                let resolution = match rest {
                    ["as", resolution] => self.id(resolution),
                    _ => "elsewhere",
                };
                record.state = State::Answered(Box::new(self.answered(&record, value, who, resolution)));
            }
            [why, rest @ ..] => {
                let who = after(rest, "by");
                record.state = State::Cancelled(Cancelled {
                    at: now,
                    why: if *why == "declined" { WhyCancelled::Declined } else { WhyCancelled::Withdrawn },
                    by: who.map(by),
                    by_name: who.map(str::to_owned),
                });
            }
            [] => panic!("how did it end?"),
        }
        let record = Arc::new(record);
        self.records.insert(id.to_owned(), Arc::clone(&record));
        self.step(Event::Notice(record.key.gateway.clone(), Notice::Closed(record)))
    }

    fn answered(&self, record: &Record, value: &str, who: &str, resolution: &str) -> Answered {
        let id = record.ask.questions[0].id.clone();
        Answered {
            answers: Answers([(id, vec![value.to_owned()])].into()),
            notes: Default::default(),
            words: None,
            by: by(who),
            by_name: Some(who.to_owned()),
            at: self.now,
            resolution: resolution.into(),
        }
    }

    fn refuse(&mut self, resolution: &str, id: &str, why: &str) -> Vec<String> {
        let why = match why {
            "ended" => Rejection::Ended(None),
            "gone" => Rejection::Unknown,
            "invalid" => Rejection::Invalid("the values are no answer".to_owned()),
            other => Rejection::NotPermitted(refused(other)),
        };
        let resolution = self.id(resolution).into();
        let key = self.records[id].key.clone();
        self.step(Event::Notice(key.gateway.clone(), Notice::Refused { resolution, key, why }))
    }

    fn shown(&mut self, send: &str, message: &str, rest: &[&str]) -> Vec<String> {
        let at = after(rest, "in").unwrap_or("b:1");
        let receipt = Receipt { place: place(at), messages: message.split('+').map(Into::into).collect() };
        let send = self.id(send).into();
        self.step(Event::Report(Report::Shown { send, receipt, position: position(rest) }))
    }

    fn reply(&mut self, who: &str, at: Place, rest: &[&str], act: Act) -> Reply {
        self.updates += 1;
        let ago = after(rest, "ago").map_or(Span(0), seconds_of);
        let kind = match () {
            () if rest.contains(&"bot") => SenderKind::Bot,
            () if rest.contains(&"anonymous") => SenderKind::Anonymous,
            () => SenderKind::Human,
        };
        Reply {
            update: after(rest, "update").map_or_else(|| format!("u{}", self.updates), str::to_owned).into(),
            sender: Sender {
                identity: identity(at.account.surface.as_str(), who),
                display_name: who.to_owned(),
                kind,
                granted: after(rest, "roles").map(granted).unwrap_or_default(),
            },
            place: at,
            at: Time(self.now.0 - ago.0 as i64),
            position: position(rest),
            private: rest.contains(&"private"),
            message: None,
            ack: None,
            act,
        }
    }

    fn replied(&mut self, reply: Reply) -> Vec<String> {
        self.step(Event::Report(Report::Replied(Box::new(reply))))
    }

    fn token(&self, id: &str, at: &Place, press: &str, rest: &[&str]) -> String {
        let revision = rest.iter().find_map(|word| word.strip_prefix('r')?.parse::<u32>().ok());
        let nonce = self.nonces.get(&(id.to_owned(), at.clone()));
        let nonce = nonce.map_or_else(|| "00".repeat(16), ToString::to_string);
        let text = format!("{nonce}.{:x}.{press}", revision.unwrap_or_default());
        assert!(Token::parse(&text).is_some(), "no token: {text}");
        text
    }

    fn press(&mut self, who: &str, (id, at): (&str, &str), press: &str, rest: &[&str]) -> Vec<String> {
        let at = place(at);
        let token = self.token(id, &at, press, rest);
        let at = after(rest, "from").map_or(at, place);
        let values = after(rest, "values").unwrap_or("");
        let values = values.split(',').filter(|value| !value.is_empty()).map(str::to_owned).collect();
        let mut reply = self.reply(who, at, rest, Act::Press { token, values, fields: Vec::new() });
        let with = rest.iter().position(|word| *word == "with").map_or(rest.len(), |with| with + 1);
        let held = self.fields(id, &reply.place, rest.get(with..).unwrap_or_default(), rest);
        if let Act::Press { fields, .. } = &mut reply.act {
            *fields = held;
        }
        reply.message = Some(after(rest, "on").unwrap_or("m1").into());
        reply.ack = (!rest.contains(&"quiet")).then_some(AckId(self.updates));
        self.replied(reply)
    }

    fn form(&mut self, who: &str, (id, at): (&str, &str), press: &str, text: &str) -> Vec<String> {
        let at = place(at);
        let token = self.token(id, &at, press, &[]);
        let mut reply = self.reply(
            who,
            at,
            &[],
            Act::Form { fields: vec![Field { token: token.clone(), values: vec![text.to_owned()] }], token },
        );
        reply.ack = Some(AckId(self.updates));
        self.replied(reply)
    }

    /// A form with several fields: `f0=0,2` takes entries, `o1=words` writes words.
    fn sends(&mut self, who: &str, (id, at): (&str, &str), press: &str, rest: &[&str]) -> Vec<String> {
        let at = place(at);
        let token = self.token(id, &at, press, rest);
        let fields = self.fields(id, &at, rest, rest);
        let mut reply = self.reply(who, at, &[], Act::Form { token, fields });
        reply.ack = Some(AckId(self.updates));
        self.replied(reply)
    }

    fn fields(&self, id: &str, at: &Place, fields: &[&str], rest: &[&str]) -> Vec<Field> {
        let fields = fields.iter().filter_map(|field| field.split_once('='));
        let field = |(press, held): (&str, &str)| {
            let values = if press.starts_with('f') { held.split(',').collect() } else { vec![held] };
            let values = values.into_iter().filter(|value| !value.is_empty());
            Field { token: self.token(id, at, press, rest), values: values.map(str::to_owned).collect() }
        };
        fields.map(field).collect()
    }

    fn says(&mut self, who: &str, at: &str, text: &str, rest: &[&str]) -> Vec<String> {
        let act = Act::Text {
            text: (text != "-").then(|| text.to_owned()),
            reply_to: after(rest, "re").map(Into::into),
            addressed: rest.contains(&"addressed"),
        };
        let mut reply = self.reply(who, place(at), rest, act);
        let message = after(rest, "message").map_or_else(|| format!("x{}", self.updates), str::to_owned);
        reply.message = Some(message.into());
        self.replied(reply)
    }
}

fn by(who: &str) -> Actor {
    Actor::new(Some(who.into()), Way::Control)
}

/// What roles give, named one after the other.
fn granted(names: &str) -> Scopes {
    let scope = |name: &str| Scope::named(name).unwrap_or_else(|| panic!("no right: {name}"));
    names.split(',').map(scope).collect()
}

fn seconds_of(text: &str) -> Span {
    Span::seconds(text.parse().unwrap_or_else(|_| panic!("no seconds: {text}")))
}

fn after<'a>(words: &[&'a str], word: &str) -> Option<&'a str> {
    let index = words.iter().position(|found| *found == word)?;
    words.get(index + 1).copied()
}

fn position(words: &[&str]) -> Option<i64> {
    words.iter().find_map(|word| word.strip_prefix('@')?.parse().ok())
}

fn failure(words: &[&str]) -> FailureKind {
    match words {
        ["later", seconds] => FailureKind::Later(seconds_of(seconds)),
        ["unreachable", ..] => FailureKind::Unreachable,
        ["gone"] => FailureKind::MessageGone,
        ["refused"] => FailureKind::Refused,
        ["unknown"] => FailureKind::Unknown,
        other => panic!("no failure: {other:?}"),
    }
}

/// Words, with quoted ones kept whole.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.replace("\\n", "\n"));
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
