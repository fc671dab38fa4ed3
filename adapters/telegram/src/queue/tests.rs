//! What goes when, at which pace, over time that the tests hand in.

use std::time::Duration;

use askrelay_core::id::Account;
use teloxide::payloads::{EditMessageText, SendMessage};
use teloxide::types::MessageId as Id;

use super::*;
use askrelay_core::pace::Pace;

/// Paces that a test can count: one message a second in a chat, three in ten seconds in a group, five calls a second overall, two
/// edits in five seconds.
fn policy() -> Policy {
    let pace = |most, seconds| Pace { most, within: Duration::from_secs(seconds) };
    Policy {
        private: pace(1, 1),
        group: pace(3, 10),
        overall: pace(5, 1),
        edits: pace(2, 5),
        ..Policy::default()
    }
}

fn spot(chat: i64) -> Spot {
    Spot::parse(&chat.to_string().into()).unwrap()
}

fn place(chat: i64) -> Place {
    let account = Account { surface: "telegram".into(), name: "main".into() };
    Place { account, conversation: chat.to_string().into() }
}

fn new(class: Class, chat: i64, send: &str) -> Job {
    let call = Call::Send(Box::new(SendMessage::new(spot(chat).chat, send)));
    Job::new(class, place(chat), spot(chat), Some(send.into()), vec![call])
}

fn edit(class: Class, chat: i64, message: i32, send: &str) -> Job {
    let call = Call::Edit(Box::new(EditMessageText::new(spot(chat).chat, Id(message), send)));
    let mut job = Job::new(class, place(chat), spot(chat), Some(send.into()), vec![call]);
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
            let rest = (!job.calls.is_empty()).then_some(job);
            let spot = rest.as_ref().map_or_else(|| spot_of(made.last()), |job| job.spot);
            queue.made(spot, rest);
        }
        match queue.due(now) {
            Some(due) => now = due.max(now),
            None => return made,
        }
    }
}

/// The tests' names of Orders begin with their chat.
fn spot_of(made: Option<&String>) -> Spot {
    let name = made.and_then(|made| made.split_once(':')).map(|(_, name)| name).unwrap_or_default();
    let digits: String = name.chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
    spot(digits.parse().unwrap())
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
fn every_chat_and_the_whole_keep_their_pace() {
    use Class::{Look, Outcome, Prompt};
    let prompts = |chat: i64, count: usize| {
        (0..count).map(move |number| new(Prompt, chat, &format!("{chat}p{number}")))
    };
    check("one a second in a chat", prompts(4, 3).collect(), &["0:4p0", "1:4p1", "2:4p2"]);
    check(
        "a group has a slower pace too",
        prompts(-4, 5).collect(),
        &["0:-4p0", "1:-4p1", "2:-4p2", "10:-4p3", "11:-4p4"],
    );
    check(
        "five a second overall",
        (1..=7).flat_map(|chat| prompts(chat, 1)).collect(),
        &["0:1p0", "0:2p0", "0:3p0", "0:4p0", "0:5p0", "1:6p0", "1:7p0"],
    );
    check(
        "outcomes before prompts before looks",
        vec![
            edit(Look, 1, 12, "1look"),
            new(Prompt, 2, "2prompt"),
            new(Prompt, 3, "3prompt"),
            new(Prompt, 4, "4prompt"),
            new(Prompt, 5, "5prompt"),
            new(Outcome, 2, "2note"),
            edit(Outcome, 6, 12, "6end"),
        ],
        &["0:2note", "0:6end", "0:3prompt", "0:4prompt", "0:5prompt", "1:2prompt", "1:1look"],
    );
    check(
        "edits do not wait for messages",
        vec![new(Prompt, 1, "1a"), new(Prompt, 1, "1b"), edit(Outcome, 1, 12, "1end")],
        &["0:1end", "0:1a", "1:1b"],
    );
    check(
        "edits have a pace of their own",
        (12..15).map(|message| edit(Look, 1, message, &format!("1e{message}"))).collect(),
        &["0:1e12", "0:1e13", "5:1e14"],
    );
    check(
        "the newest look of a message is enough",
        vec![
            edit(Look, 1, 12, "1a"),
            edit(Look, 1, 13, "1other"),
            edit(Look, 1, 12, "1b"),
            edit(Outcome, 1, 12, "1end"),
        ],
        &["0:1a+1b+1end", "0:1other"],
    );
}

#[test]
fn a_flooded_chat_waits_alone_and_loses_nothing() {
    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    queue.push(new(Class::Prompt, 1, "1p"), now);
    let refused = queue.take(now).unwrap();
    queue.flood(spot(1), now + Duration::from_secs(40));
    queue.made(spot(1), Some(refused));
    queue.push(new(Class::Prompt, 2, "2p"), now);
    queue.push(new(Class::Prompt, 1, "1q"), now);
    queue.push(new(Class::Outcome, 1, "1note"), now);
    assert_eq!(queue.len(), 4);
    assert_eq!(run(&mut queue, now), ["0:2p", "40:1note", "41:1p", "42:1q"]);
}

#[test]
fn one_call_of_a_chat_is_on_its_way_at_a_time() {
    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    let later = now + Duration::from_secs(60);
    queue.push(new(Class::Prompt, 1, "1a"), now);
    queue.push(new(Class::Prompt, 1, "1b"), now);
    assert!(queue.take(now).is_some());
    assert!(queue.take(later).is_none(), "the first is not over");
    assert_eq!(queue.due(later), None, "nothing but the answer can change that");
    queue.made(spot(1), None);
    assert!(queue.take(later).is_some());
}

#[test]
fn calls_of_one_order_stay_together() {
    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    let mut long = new(Class::Prompt, 1, "1long");
    long.calls.extend(new(Class::Prompt, 1, "").calls);
    queue.push(long, now);
    queue.push(new(Class::Prompt, 1, "1next"), now);
    assert_eq!(run(&mut queue, now), ["0:1long", "1:1long", "2:1next"]);
}

#[test]
fn what_waits_can_be_given_up() {
    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    queue.push(new(Class::Prompt, 1, "1a"), now);
    queue.push(edit(Class::Look, 2, 12, "2a"), now);
    assert_eq!(queue.drain().len(), 2);
    assert_eq!((queue.len(), queue.due(now)), (0, None));
}

#[test]
fn chats_at_rest_are_forgotten() {
    let (mut queue, start) = (Queue::new(policy()), Instant::now());
    for chat in 1..=2000 {
        let now = start + Duration::from_secs(20 * u64::try_from(chat).unwrap());
        queue.push(new(Class::Prompt, chat, &format!("{chat}p")), now);
        assert_eq!(run(&mut queue, now).len(), 1);
    }
    assert!(queue.lines.len() <= LINES, "{}", queue.lines.len());
}

#[test]
fn a_newer_change_takes_the_place_of_one_that_has_to_be_repeated() {
    let (mut queue, now) = (Queue::new(policy()), Instant::now());
    queue.push(edit(Class::Look, 1, 10, "older"), now);
    let older = queue.take(now).unwrap();
    queue.push(edit(Class::Outcome, 1, 10, "newer"), now);
    let spot = older.spot;
    queue.made(spot, Some(older));
    assert_eq!(queue.len(), 1, "one change of one message waits");
    let next = queue.take(now + Duration::from_secs(60)).unwrap();
    let sends: Vec<&str> = next.sends.iter().map(SendId::as_str).collect();
    assert_eq!((sends, next.number), (vec!["older", "newer"], 2), "what is drawn is the newest");
}
