//! Who waits at the door: what a knock gets, in which order, and what holds of any sequence of knocks.

#![allow(clippy::expect_used, reason = "a world that cannot be set up is a mistake in the test itself")]

use std::collections::{BTreeMap, BTreeSet};

use askrelay_core::id::{Account, Identity, Place};
use askrelay_core::pairing::{
    CODE_LENGTH, CODES_MAX, Code, Fact, GOOD_FOR, Pairing, Pairings, Verdict, WAITING_MAX,
};
use askrelay_core::time::{Span, Time};
use proptest::prelude::*;

const HOUR: i64 = GOOD_FOR.0 as i64;

fn identity(user: u64) -> Identity {
    Identity { surface: "telegram".into(), user: user.to_string().into() }
}

fn place(account: &str, user: u64) -> Place {
    let account = Account { surface: "telegram".into(), name: account.into() };
    Place { account, conversation: user.to_string().into() }
}

/// Bytes that differ with every knock.
fn fresh(number: u64) -> [u8; 16] {
    let word = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
    [word, word.map(|byte| byte.rotate_left(3))].concat().try_into().expect("sixteen bytes")
}

/// The door, and how often somebody knocked.
#[derive(Default)]
struct Door(Pairings, u64);

impl Door {
    fn knock(&mut self, at: i64, account: &str, user: u64) -> Verdict {
        self.1 += 1;
        self.0.knock(Time(at), fresh(self.1), &place(account, user), &identity(user), "name")
    }

    /// `new`, `again` or `closed`, with the seconds that are left.
    fn knocks(&mut self, at: i64, account: &str, user: u64) -> String {
        match self.knock(at, account, user) {
            Verdict::Closed => "closed".to_owned(),
            Verdict::Code { good_for, is_new, .. } => {
                format!("{} {}", if is_new { "new" } else { "again" }, good_for.0 / 1000)
            }
        }
    }

    fn code(&self, at: i64, user: u64) -> Code {
        let waiting = self.0.waiting(Time(at));
        waiting.into_iter().find(|pairing| pairing.identity == identity(user)).expect("waits").code.clone()
    }
}

#[test]
fn a_knock_gets_one_code_for_an_hour() {
    let mut door = Door::default();
    let rows = [
        ("the first", 0, "main", 1, "new 3600"),
        ("again", 600_000, "main", 1, "again 3000"),
        ("somebody else", 600_000, "main", 2, "new 3600"),
        ("the same person at another account", 700_000, "other", 1, "again 2900"),
        ("in the last second", HOUR - 1000, "main", 1, "again 1"),
        ("when the hour is over", HOUR, "main", 1, "new 3600"),
        ("the second has time left", HOUR, "main", 2, "again 600"),
    ];
    for (name, at, account, user, expected) in rows {
        assert_eq!(door.knocks(at, account, user), expected, "{name}");
    }
}

#[test]
fn so_many_wait_at_one_account_and_no_more() {
    let mut door = Door::default();
    let many = WAITING_MAX as u64;
    for user in 0..many {
        assert_eq!(door.knocks(0, "main", user), "new 3600", "{user}");
    }
    assert_eq!(door.knocks(0, "main", many), "closed", "one more");
    assert_eq!(door.knocks(0, "main", 0), "again 3600", "whoever has a code keeps it");
    assert_eq!(door.knocks(0, "other", many), "new 3600", "at another account there is room");
    door.0.forget(&identity(3));
    assert_eq!(door.knocks(1, "main", many + 1), "new 3600", "somebody was let in");
    assert_eq!(door.knocks(HOUR, "main", many + 2), "new 3600", "the others' hour is over");
}

#[test]
fn so_many_codes_leave_one_account_within_an_hour() {
    let mut door = Door::default();
    for user in 0..CODES_MAX as u64 {
        assert_eq!(door.knocks(user as i64, "main", user), "new 3600", "{user}");
        door.0.forget(&identity(user));
    }
    assert_eq!(door.knocks(100, "main", 99), "closed", "whatever became of the others");
    assert_eq!(door.knocks(100, "other", 99), "new 3600");
    assert_eq!(door.knocks(HOUR, "main", 98), "new 3600", "the first was an hour ago");
    assert_eq!(door.knocks(HOUR, "main", 97), "closed");
}

#[test]
fn whoever_is_turned_away_waits_no_more_and_gets_no_other_code() {
    let mut door = Door::default();
    door.knock(0, "main", 1);
    let code = door.code(0, 1);
    assert!(door.0.reject(Time(1), &code).is_some());
    assert_eq!((door.0.get(Time(1), &code), door.0.waiting(Time(1)).len()), (None, 0));
    assert!(door.0.reject(Time(2), &code).is_none(), "once");
    assert_eq!(door.knocks(HOUR - 1, "main", 1), "closed");
    assert_eq!(door.knocks(HOUR, "main", 1), "new 3600");
}

#[test]
fn a_code_is_read_however_it_is_typed() {
    let mut door = Door::default();
    door.knock(0, "main", 1);
    let code = door.code(0, 1);
    let (first, last) = code.as_str().split_at(4);
    for typed in [
        code.to_string(),
        code.as_str().to_lowercase(),
        format!(" {first}-{last}\n"),
        format!("{} {}", first.to_lowercase(), last),
    ] {
        assert!(door.0.get(Time(0), &Code::typed(&typed)).is_some(), "{typed:?}");
    }
    for typed in ["", first, &format!("{code}{code}"), "00000000"] {
        assert!(door.0.get(Time(0), &Code::typed(typed)).is_none(), "{typed:?}");
    }
    assert!(door.0.get(Time(HOUR), &code).is_none(), "too late");
}

#[test]
fn whoever_writes_elsewhere_is_told_there() {
    let mut door = Door::default();
    door.knock(0, "main", 1);
    door.knock(1, "other", 1);
    assert_eq!(door.0.get(Time(1), &door.code(1, 1)).map(|pairing| &pairing.place), Some(&place("other", 1)));
    assert_eq!(door.0.take_facts().len(), 2);
    door.knock(2, "other", 1);
    assert_eq!(door.0.take_facts(), [], "nothing new is nothing to save");
}

#[test]
fn names_are_cut_and_codes_never_shared() {
    let mut door = Pairings::default();
    for user in 0..2 {
        let verdict = door.knock(Time(0), [7; 16], &place("main", user), &identity(user), &"n".repeat(1000));
        // All three codes in these bytes are one and the same.
        assert_eq!(matches!(verdict, Verdict::Closed), user == 1);
    }
    assert!(door.waiting(Time(0)).iter().all(|pairing| pairing.display_name.len() <= 64));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Each step: how much time passes, who knocks where, and whether somebody who waits is turned away or let in.
    #[test]
    fn whatever_happens_at_the_door(
        steps in proptest::collection::vec((0..400_000_i64, 0..60_u64, any::<bool>(), 0..6_u8), 1..400)
    ) {
        let mut door = Door::default();
        let mut stored: BTreeMap<Code, Pairing> = BTreeMap::new();
        let mut now = 0;
        for (pause, user, is_main, act) in steps {
            now += pause;
            match act {
                0 => door.0.forget(&identity(user)),
                1 => {
                    let code = door.0.waiting(Time(now)).first().map(|pairing| pairing.code.clone());
                    if let Some(code) = code { door.0.reject(Time(now), &code); }
                }
                _ => if let Verdict::Code { good_for, .. } = door.knock(now, if is_main { "main" } else { "other" }, user) {
                    prop_assert!(good_for > Span(0) && good_for <= GOOD_FOR);
                    prop_assert!(door.0.get(Time(now), &door.code(now, user)).is_some());
                },
            }
            for fact in door.0.take_facts() {
                match fact {
                    Fact::Put(pairing) => drop(stored.insert(pairing.code.clone(), pairing)),
                    Fact::Removed(code) => drop(stored.remove(&code)),
                }
            }
            let waiting = door.0.waiting(Time(now));
            let identities: BTreeSet<_> = waiting.iter().map(|pairing| &pairing.identity).collect();
            prop_assert_eq!(identities.len(), waiting.len(), "one code for each identity");
            for account in ["main", "other"] {
                let here = waiting.iter().filter(|pairing| pairing.place.account == place(account, 0).account);
                prop_assert!(here.count() <= WAITING_MAX);
            }
            for pairing in &waiting {
                prop_assert_eq!(pairing.code.as_str().len(), CODE_LENGTH);
                prop_assert!(!pairing.code.as_str().contains(['0', 'O', '1', 'I', 'l']));
            }
            // What is saved is what is there: a restart changes nothing.
            let mut again = Pairings::default();
            stored.values().cloned().for_each(|pairing| again.hold(pairing));
            prop_assert_eq!(again.waiting(Time(now)), waiting);
        }
    }
}
