//! Events and effects as short lines, for the report of a failed seed. Only read by people.

use askrelay_core::port::{Act, CommandAct, Event, Notice, Order, Report};
use askrelay_core::prompt::Prompt;
use askrelay_core::relay::{Effect, Out, Step};

/// An event on its way into the relay.
#[must_use]
pub fn event(event: &Event) -> String {
    match event {
        Event::Tick => "> tick".to_owned(),
        Event::Notice(gateway, notice) => format!("> {gateway} {}", self::notice(notice)),
        Event::Report(report) => format!("> {}", self::report(report)),
    }
}

fn notice(notice: &Notice) -> String {
    match notice {
        Notice::Opened(record) => format!("opened {}", record.key),
        Notice::Closed(record) => {
            format!("closed {}: {:?}, {} late", record.key, record.state, record.late.len())
        }
        Notice::Refused { resolution, key, why } => format!("refused {resolution} of {key}: {why:?}"),
        Notice::Knocked { identity, welcome, .. } => format!("to {}: {welcome:?}", identity.user),
        Notice::Notify(notification) => format!("notify {}", notification.number),
        Notice::People(people) => {
            let rights = people.iter().map(|person| format!("{}:{}", person.id, person.scopes.len()));
            format!("people {}", rights.collect::<Vec<_>>().join(" "))
        }
        Notice::Snapshot { records, last } => {
            let keys: Vec<String> =
                records.iter().map(|record| format!("{}={}", record.key, record.state.name())).collect();
            format!("snapshot {}{}", keys.join(" "), if *last { "" } else { " more" })
        }
        Notice::Online { .. } => "online".to_owned(),
        Notice::Offline => "offline".to_owned(),
    }
}

fn report(report: &Report) -> String {
    match report {
        Report::Shown { send, receipt, position } => {
            format!("shown {send} in {} as {:?} at {position:?}", receipt.place, receipt.messages)
        }
        Report::Failed { send, failure } => format!("failed {send}: {:?}", failure.kind),
        Report::Moved { from, to } => format!("moved {from} to {to}"),
        Report::Named { account, bot } => format!("{account} is called {:?}", bot.handle),
        Report::Online { account } => format!("online {account}"),
        Report::Offline { account, .. } => format!("offline {account}"),
        Report::Replied(reply) => {
            let who = format!("{} ({:?}) in {}", reply.sender.identity.user, reply.sender.kind, reply.place);
            let what = match &reply.act {
                Act::Press { token, values, .. } => format!("presses {token} {values:?}"),
                Act::Form { token, fields } => format!("fills {token} with {fields:?}"),
                Act::Text { text, reply_to, .. } => format!("says {text:?} re {reply_to:?}"),
            };
            let on = reply.message.as_ref().map(|message| format!(" on {message}")).unwrap_or_default();
            format!("{who} {what}{on} [{} ack {:?} at {:?}]", reply.update, reply.ack, reply.position)
        }
    }
}

/// What a step leaves behind.
#[must_use]
pub fn effects(step: &Step) -> Vec<String> {
    let facts: Vec<String> = step
        .facts
        .iter()
        .map(|fact| format!("{}{}", if fact.body.is_some() { "" } else { "-" }, fact.kind.name()))
        .collect();
    let mut lines = Vec::new();
    if !facts.is_empty() {
        lines.push(format!("    saves {}", facts.join(" ")));
    }
    lines.extend(step.effects.iter().map(|effect| match effect {
        Effect::Now(out) => format!("    now {}", self::out(out)),
        Effect::AfterSave(out) => format!("    then {}", self::out(out)),
    }));
    lines
}

fn out(out: &Out) -> String {
    match out {
        Out::Command(gateway, command) => {
            let what = match &command.act {
                CommandAct::Resolve { answers, words, actor, .. } => {
                    let values: Vec<String> = answers.0.values().map(|values| values.join("+")).collect();
                    format!(
                        "resolve {} from {words:?} by {:?} ({:?})",
                        values.join("/"),
                        actor.person,
                        actor.way
                    )
                }
                CommandAct::Cancel { why, actor } => {
                    format!("cancel {why:?} by {:?}", actor.as_ref().and_then(|actor| actor.person.as_ref()))
                }
            };
            format!("{gateway} {} {}: {what}", command.resolution, command.key)
        }
        Out::Knock(gateway, knock) => {
            format!("{gateway} knock of {} in {}", knock.identity.user, knock.place)
        }
        Out::Notified(gateway, number, places) => format!("{gateway} notified {number} in {places}"),
        Out::Order(account, order) => format!("{account} {}", self::order(order)),
    }
}

fn order(order: &Order) -> String {
    match order {
        Order::Show { send, place, prompt } => format!("show {send} in {place}: {}", self::prompt(prompt)),
        Order::Edit { send, receipt, prompt } => {
            format!("edit {send} of {:?}: {}", receipt.messages, self::prompt(prompt))
        }
        Order::Retire { send, receipt, prompt } => {
            format!("retire {send} of {:?} in {}: {}", receipt.messages, receipt.place, self::prompt(prompt))
        }
        Order::Acknowledge { ack, with } => format!("ack {}: {with:?}", ack.0),
        Order::AskForText { send, to, .. } => format!("ask {send} {}", to.user),
        Order::Say { place, to, text, .. } => {
            format!("say in {place} to {:?}: {text}", to.as_ref().map(|to| to.user.as_str()))
        }
        Order::Toast { ack, text, .. } => format!("toast {}: {text}", ack.0),
        Order::Saved { update, .. } => format!("saved {update}"),
    }
}

fn prompt(prompt: &Prompt) -> String {
    let text: String =
        prompt.messages.iter().flat_map(|body| &body.0).map(|piece| piece.text.as_str()).collect();
    let text = text.replace('\n', " / ");
    let controls = prompt.controls.iter().map(Vec::len).sum::<usize>();
    format!("{} [{controls}]", text.chars().take(160).collect::<String>())
}
