//! What goes when, at which pace, over time that the tests hand in.

use std::time::Duration;

use askrelay_core::id::Account;

use super::*;
use crate::encode;
use askrelay_core::pace::Pace;

/// Paces that a test can count: one message a second in a conversation, two edits in five seconds.
fn policy() -> Policy {
    let pace = |most, seconds| Pace { most, within: Duration::from_secs(seconds) };
    Policy { messages: pace(1, 1), edits: pace(2, 5), ..Policy::default() }
}

fn spot(number: usize) -> Spot {
    Spot { room: Room::Channel(format!("C{number}")), thread: None }
}

fn job(class: Class, number: usize, send: &str, call: Call) -> Job {
    let account = Account { surface: "slack".into(), name: "main".into() };
    let place = Place { account, conversation: spot(number).conversation() };
    let mut job = Job::new(class, place, spot(number), vec![call]);
    job.sends.push(send.into());
    job
}

fn new(class: Class, number: usize, send: &str) -> Job {
    job(class, number, send, encode::say(&spot(number), None, None, send))
}

fn edit(class: Class, number: usize, message: &str, send: &str) -> Job {
    let receipt = askrelay_core::port::Receipt {
        place: new(class, number, send).place,
        messages: vec![format!("1764500000.{message:0>6}").as_str().into()],
    };
    let prompt = askrelay_core::prompt::Prompt {
        messages: vec![askrelay_core::prompt::Body::default()],
        controls: Vec::new(),
    };
    let (_, mut calls) = encode::redraw(&receipt, &prompt).unwrap();
    let mut job = job(class, number, send, calls.pop().unwrap());
    job.redraws = receipt.messages.last().cloned();
    job
}

/// Makes every call that waits as soon as it may be, at once; each as `SECONDS:ORDERS`.
fn run(queue: &mut Queue, start: Instant) -> Vec<String> {
    let mut now = start;
    let mut made = Vec::new();
    loop {
        while let Some(mut job) = queue.take(now) {
            job.calls.pop_front();
            let sends: Vec<&str> = job.sends.iter().map(SendId::as_str).collect();
            made.push(format!("{}:{}", now.duration_since(start).as_secs(), sends.join("+")));
            let spot = job.spot.clone();
            queue.made(&spot, (!job.calls.is_empty()).then_some(job));
        }
        match queue.due(now) {
            Some(due) => now = due.max(now),
            None => return made,
        }
    }
}

fn check(name: &str, jobs: Vec<Job>, expected: &[&str]) {
    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    for job in jobs {
        queue.push(job, now);
    }
    assert_eq!(run(&mut queue, now), expected, "{name}");
    assert_eq!(queue.len(), 0, "{name}");
}

#[test]
fn conversations_and_edits_keep_their_pace() {
    use Class::{Look, Outcome, Prompt};
    check(
        "one a second in a conversation",
        (0..3).map(|number| new(Prompt, 4, &format!("p{number}"))).collect(),
        &["0:p0", "1:p1", "2:p2"],
    );
    check(
        "conversations do not wait for each other",
        (0..5).map(|number| new(Prompt, number, &format!("p{number}"))).collect(),
        &["0:p0", "0:p1", "0:p2", "0:p3", "0:p4"],
    );
    check(
        "outcomes before prompts",
        vec![new(Prompt, 2, "prompt"), new(Outcome, 2, "note")],
        &["0:note", "1:prompt"],
    );
    check(
        "edits do not wait for messages",
        vec![new(Prompt, 1, "a"), new(Prompt, 1, "b"), edit(Outcome, 1, "12", "end")],
        &["0:end", "0:a", "1:b"],
    );
    check(
        "edits have one pace everywhere, and ends go first",
        vec![
            edit(Look, 1, "1", "e1"),
            edit(Look, 2, "2", "e2"),
            edit(Look, 3, "3", "e3"),
            edit(Outcome, 4, "4", "end"),
        ],
        &["0:end", "0:e1", "5:e2", "5:e3"],
    );
    check(
        "the newest look of a message is enough",
        vec![
            edit(Look, 1, "12", "a"),
            edit(Look, 1, "13", "other"),
            edit(Look, 1, "12", "b"),
            edit(Outcome, 1, "12", "end"),
        ],
        &["0:a+b+end", "0:other"],
    );
}

#[test]
fn a_flood_stops_what_it_is_about_and_loses_nothing() {
    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    queue.push(new(Class::Prompt, 1, "p"), now);
    let refused = queue.take(now).unwrap();
    queue.flood(&refused, now + Duration::from_secs(40));
    queue.made(&spot(1), Some(refused));
    queue.push(new(Class::Prompt, 2, "other"), now);
    queue.push(new(Class::Outcome, 1, "note"), now);
    queue.push(edit(Class::Outcome, 1, "12", "end"), now);
    assert_eq!(queue.len(), 4);
    assert_eq!(run(&mut queue, now), ["0:end", "0:other", "40:note", "41:p"]);

    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    queue.push(edit(Class::Outcome, 1, "12", "end"), now);
    let refused = queue.take(now).unwrap();
    queue.flood(&refused, now + Duration::from_secs(40));
    queue.made(&spot(1), Some(refused));
    queue.push(edit(Class::Look, 2, "13", "look"), now);
    queue.push(new(Class::Prompt, 1, "p"), now);
    assert_eq!(run(&mut queue, now), ["0:p", "40:end", "40:look"]);
}

#[test]
fn one_call_of_a_conversation_is_on_its_way_at_a_time() {
    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    let later = now + Duration::from_secs(60);
    queue.push(new(Class::Prompt, 1, "a"), now);
    queue.push(new(Class::Prompt, 1, "b"), now);
    assert!(queue.take(now).is_some());
    assert!(queue.take(later).is_none(), "the first is not over");
    assert_eq!(queue.due(later), None, "nothing but the answer can change that");
    queue.made(&spot(1), None);
    assert!(queue.take(later).is_some());
}

#[test]
fn calls_of_one_order_stay_together() {
    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    let mut long = new(Class::Prompt, 1, "long");
    long.calls.extend(new(Class::Prompt, 1, "").calls);
    queue.push(long, now);
    queue.push(new(Class::Prompt, 1, "next"), now);
    assert_eq!(run(&mut queue, now), ["0:long", "1:long", "2:next"]);
}

#[test]
fn what_waits_can_be_given_up_and_what_rests_is_forgotten() {
    let (mut queue, start) = (Queue::new(policy()), Instant::now());
    queue.push(new(Class::Prompt, 1, "a"), start);
    queue.push(edit(Class::Look, 2, "12", "b"), start);
    assert_eq!(queue.drain().len(), 2);
    assert_eq!((queue.len(), queue.due(start)), (0, None));
    for number in 1..=2000 {
        let now = start + Duration::from_secs(20 * u64::try_from(number).unwrap());
        queue.push(new(Class::Prompt, number, "p"), now);
        assert_eq!(run(&mut queue, now).len(), 1);
    }
    assert!(queue.lines.len() <= LINES, "{}", queue.lines.len());
}

#[test]
fn a_newer_change_takes_the_place_of_one_that_has_to_be_repeated() {
    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    queue.push(edit(Class::Look, 1, "1", "older"), now);
    let older = queue.take(now).unwrap();
    queue.push(edit(Class::Outcome, 1, "1", "newer"), now);
    let spot = older.spot.clone();
    queue.made(&spot, Some(older));
    assert_eq!(queue.len(), 1, "one change of one message waits");
    let next = queue.take(now + Duration::from_secs(60)).unwrap();
    let sends: Vec<&str> = next.sends.iter().map(SendId::as_str).collect();
    assert_eq!((sends, next.number), (vec!["older", "newer"], 2), "what is drawn is the newest");
}
