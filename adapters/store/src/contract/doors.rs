//! Who waits to be let in, and the invites that are open: put, replaced, removed.

use askrelay_core::invite::Invite;
use askrelay_core::pairing::{self, Pairing};

use super::{Case, Harness, sample};
use crate::fact::{Fact, InviteFact, InviteRow};

pub(super) const CASES: &[Case] = &[
    Case { name: "pairings come back as they were put last", run: pairings },
    Case { name: "invites come back with their hashes", run: invites },
];

/// Commits the facts one by one; what is there afterwards is there after a restart too.
fn load(harness: &mut dyn Harness, facts: Vec<Fact>) -> (Vec<Pairing>, Vec<InviteRow>) {
    for fact in facts {
        harness.store().commit(vec![fact]).wait().unwrap();
    }
    let before = harness.store().load().unwrap();
    harness.reopen();
    let after = harness.store().load().unwrap();
    assert_eq!((&before.pairings, &before.invites), (&after.pairings, &after.invites), "after a restart");
    (after.pairings, after.invites)
}

fn pairings(harness: &mut dyn Harness) {
    let rejected = Pairing { rejected: true, ..sample::pairing("CCCC2222", "3") };
    let facts = [
        pairing::Fact::Put(sample::pairing("CCCC2222", "3")),
        pairing::Fact::Put(sample::pairing("AAAA2222", "1")),
        pairing::Fact::Put(sample::pairing("BBBB2222", "2")),
        pairing::Fact::Put(rejected.clone()),
        pairing::Fact::Removed(sample::pairing("BBBB2222", "2").code),
        pairing::Fact::Removed(sample::pairing("ZZZZ2222", "9").code),
    ];
    let (pairings, _) = load(harness, facts.map(Fact::from).into());
    assert_eq!(pairings, [sample::pairing("AAAA2222", "1"), rejected]);
}

fn invites(harness: &mut dyn Harness) {
    let plain = sample::invite("b", 2);
    let plain = InviteRow { invite: Invite { scopes: None, ..plain.invite }, ..plain };
    let facts = [
        InviteFact::Put(sample::invite("c", 255)),
        InviteFact::Put(sample::invite("a", 0)),
        InviteFact::Put(plain.clone()),
        InviteFact::Put(sample::invite("d", 4)),
        InviteFact::Put(sample::invite("a", 1)),
        InviteFact::Remove("d".into()),
        InviteFact::Remove("nothing".into()),
    ];
    let (_, invites) = load(harness, facts.map(Fact::from).into());
    assert_eq!(invites, [sample::invite("a", 1), plain, sample::invite("c", 255)]);
    let printed = format!("{invites:?}");
    assert!(!printed.contains("255"), "a hash was printed: {printed}");
}
