//! What goes when, over time that the tests hand in.

use std::time::Duration;

use askrelay_core::id::Account;
use serde_json::Value;

use super::*;
use crate::place::Snowflake;

/// A pace that a test can count: five calls a second overall.
const PACE: Pace = Pace { most: 5, within: Duration::from_secs(1) };

const fn spot(channel: u64) -> Spot {
    Spot::Channel(Snowflake(channel))
}

fn place(channel: u64) -> Place {
    let account = Account { surface: "discord".into(), name: "main".into() };
    Place { account, conversation: channel.to_string().into() }
}

fn job(class: Class, channel: u64, send: &str, what: What) -> Job {
    let mut job = Job::new(class, place(channel), spot(channel), vec![Call { what, body: Value::Null }]);
    job.sends.push(send.into());
    job
}

fn new(class: Class, channel: u64, send: &str) -> Job {
    job(class, channel, send, What::Post)
}

fn edit(class: Class, channel: u64, message: u64, send: &str) -> Job {
    let mut job = job(class, channel, send, What::Edit(Snowflake(message)));
    job.redraws = Some(message.to_string().into());
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
            queue.made(job.spot, (!job.calls.is_empty()).then_some(job));
        }
        match queue.due(now) {
            Some(due) => now = due.max(now),
            None => return made,
        }
    }
}

fn told(left: u64, seconds: u64) -> Told {
    let resets_after = Some(Duration::from_secs(seconds));
    Told { bucket: Some("posts".to_owned()), left: Some(left), resets_after }
}

#[test]
fn what_matters_most_goes_first() {
    use Class::{Look, Outcome, Prompt};
    let rows = [
        (
            "five a second overall",
            (1..=7).map(|channel| new(Prompt, channel, &format!("{channel}p"))).collect::<Vec<_>>(),
            vec!["0:1p", "0:2p", "0:3p", "0:4p", "0:5p", "1:6p", "1:7p"],
        ),
        (
            "outcomes before prompts before looks",
            vec![
                edit(Look, 1, 12, "1look"),
                new(Prompt, 2, "2prompt"),
                new(Prompt, 3, "3prompt"),
                new(Outcome, 2, "2note"),
                edit(Outcome, 6, 12, "6end"),
            ],
            vec!["0:2note", "0:6end", "0:2prompt", "0:3prompt", "0:1look"],
        ),
        (
            "the newest look of a message is enough",
            vec![
                edit(Look, 1, 12, "1a"),
                edit(Look, 1, 13, "1other"),
                edit(Look, 1, 12, "1b"),
                edit(Outcome, 1, 12, "1end"),
            ],
            vec!["0:1a+1b+1end", "0:1other"],
        ),
    ];
    for (name, jobs, expected) in rows {
        let (mut queue, now) = (Queue::new(PACE), Instant::now());
        for job in jobs {
            queue.push(job);
        }
        assert_eq!(run(&mut queue, now), expected, "{name}");
        assert_eq!(queue.len(), 0, "{name}");
    }
}

#[test]
fn a_used_up_bucket_waits_alone_and_loses_nothing() {
    let (mut queue, now) = (Queue::new(PACE), Instant::now());
    queue.told(&What::Post, spot(1), &told(0, 4), now);
    queue.push(new(Class::Prompt, 1, "1p"));
    queue.push(new(Class::Prompt, 2, "2p"));
    queue.push(edit(Class::Outcome, 1, 12, "1end"));
    assert_eq!(run(&mut queue, now), ["0:1end", "0:2p", "4:1p"]);
}

#[test]
fn what_was_refused_as_too_much_goes_again_in_its_place() {
    let (mut queue, now) = (Queue::new(PACE), Instant::now());
    queue.push(new(Class::Prompt, 1, "1p"));
    let refused = queue.take(now).unwrap();
    queue.limited(&What::Post, spot(1), now + Duration::from_secs(40), false);
    queue.made(spot(1), Some(refused));
    queue.push(new(Class::Prompt, 2, "2p"));
    queue.push(new(Class::Prompt, 1, "1q"));
    queue.push(new(Class::Outcome, 1, "1note"));
    assert_eq!(queue.len(), 4);
    assert_eq!(run(&mut queue, now), ["0:2p", "40:1note", "40:1p", "40:1q"]);
    queue.limited(&What::Post, spot(1), now + Duration::from_secs(9), true);
    queue.push(new(Class::Prompt, 3, "3p"));
    assert_eq!(run(&mut queue, now), ["9:3p"], "all calls wait");
}

#[test]
fn one_call_of_a_conversation_is_on_its_way_at_a_time() {
    let (mut queue, now) = (Queue::new(PACE), Instant::now());
    let later = now + Duration::from_secs(60);
    queue.push(new(Class::Prompt, 1, "1a"));
    queue.push(new(Class::Prompt, 1, "1b"));
    assert!(queue.take(now).is_some());
    assert!(queue.take(later).is_none(), "the first is not over");
    assert_eq!(queue.due(later), None, "nothing but the answer can change that");
    queue.made(spot(1), None);
    assert!(queue.take(later).is_some());
}

#[test]
fn calls_of_one_order_stay_together() {
    let (mut queue, now) = (Queue::new(PACE), Instant::now());
    let mut long = new(Class::Prompt, 1, "1long");
    long.calls.extend(new(Class::Prompt, 1, "").calls);
    long.not_before = Some(now + Duration::from_secs(2));
    queue.push(long);
    queue.push(new(Class::Prompt, 1, "1next"));
    assert_eq!(run(&mut queue, now), ["2:1long", "2:1long", "2:1next"]);
}

#[test]
fn what_waits_can_be_given_up() {
    let (mut queue, now) = (Queue::new(PACE), Instant::now());
    queue.push(new(Class::Prompt, 1, "1a"));
    queue.push(edit(Class::Look, 2, 12, "2a"));
    assert_eq!(queue.drain().len(), 2);
    assert_eq!((queue.len(), queue.due(now)), (0, None));
}

#[test]
fn conversations_at_rest_are_forgotten() {
    let (mut queue, now) = (Queue::new(PACE), Instant::now());
    for channel in 1..=2000 {
        queue.push(new(Class::Prompt, channel, "p"));
        queue.take(now + Duration::from_secs(channel)).unwrap();
        queue.made(spot(channel), None);
    }
    assert!(queue.lines.len() <= LINES, "{}", queue.lines.len());
}

#[test]
fn a_newer_change_takes_the_place_of_one_that_has_to_be_repeated() {
    let (mut queue, now) = (Queue::new(PACE), Instant::now());
    queue.push(edit(Class::Look, 1, 10, "older"));
    let older = queue.take(now).unwrap();
    queue.push(edit(Class::Outcome, 1, 10, "newer"));
    let spot = older.spot;
    queue.made(spot, Some(older));
    assert_eq!(queue.len(), 1, "one change of one message waits");
    let next = queue.take(now + Duration::from_secs(60)).unwrap();
    let sends: Vec<&str> = next.sends.iter().map(SendId::as_str).collect();
    assert_eq!((sends, next.number), (vec!["older", "newer"], 2), "what is drawn is the newest");
}

/// A newer change, by its Order.
type Newer = fn(&str) -> Job;

/// What has to be done before a change can be made: its channel opened, its thread taken out of the archive.
#[test]
fn a_newer_change_takes_the_place_of_one_that_waits_for_something_else() {
    let behind = |class, send: &str, what: What| {
        let mut job = edit(class, 1, 10, send);
        job.calls.push_front(Call { what, body: Value::Null });
        job
    };
    let newer_rows: [(&str, Newer); 2] = [
        ("that can be made", |send| edit(Class::Outcome, 1, 10, send)),
        ("that waits too", |send| {
            let mut job = edit(Class::Outcome, 1, 10, send);
            job.calls.push_front(Call { what: What::Reopen, body: Value::Null });
            job
        }),
    ];
    for what in [What::Open, What::Reopen] {
        for (name, newer) in newer_rows {
            let (mut queue, now) = (Queue::new(PACE), Instant::now());
            queue.push(behind(Class::Look, "older", what.clone()));
            queue.push(newer("newer"));
            assert_eq!(queue.len(), 1, "{what:?}, {name}: one change of one message waits");
            let made = run(&mut queue, now);
            assert!(made.iter().all(|made| made == "0:older+newer"), "{what:?}, {name}: {made:?}");

            // The same where the older one was on its way, and comes back with something to do first.
            let (mut queue, now) = (Queue::new(PACE), Instant::now());
            queue.push(edit(Class::Look, 1, 10, "older"));
            let mut older = queue.take(now).unwrap();
            queue.push(newer("newer"));
            older.calls.push_front(Call { what: what.clone(), body: Value::Null });
            queue.made(older.spot, Some(older));
            assert_eq!(queue.len(), 1, "{what:?}, {name}, back again");
        }
    }
}
