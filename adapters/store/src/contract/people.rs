//! People and tokens: put, replaced, removed.

use askrelay_core::id::{Identity, TokenId};
use askrelay_core::permit::WireScope;
use askrelay_core::person::{People, Scope};
use askrelay_core::time::Time;

use super::{Case, Harness, sample};
use crate::fact::{PersonFact, TokenFact, TokenHash, TokenRow};

pub(super) const CASES: &[Case] = &[
    Case { name: "people come back as they were put last", run: people },
    Case { name: "an identity belongs to the Person who was put last with it", run: identities },
    Case { name: "tokens come back with their hashes", run: tokens },
];

/// Commits the facts one by one and expects to load what the core makes of them.
fn check_people(harness: &mut dyn Harness, facts: Vec<PersonFact>) {
    let mut expected = People::default();
    for fact in facts {
        match &fact {
            PersonFact::Put(person) => expected.put(person.clone()),
            PersonFact::Remove(id) => {
                expected.remove(id);
            }
        }
        harness.store().commit(vec![fact.into()]).wait().unwrap();
        assert_eq!(harness.store().load().unwrap().people, expected);
    }
    harness.reopen();
    assert_eq!(harness.store().load().unwrap().people, expected, "after a restart");
}

fn people(harness: &mut dyn Harness) {
    let mut admin = sample::person("owner", &["1"]);
    admin.scopes.insert(Scope::QuestionsAdmin);
    check_people(
        harness,
        vec![
            PersonFact::Remove("nobody".into()),
            PersonFact::Put(sample::person("owner", &[])),
            PersonFact::Put(sample::person("ops", &["2", "3"])),
            PersonFact::Put(admin),
            PersonFact::Put(sample::person("Ünï\0cödé", &["\0"])),
            PersonFact::Remove("ops".into()),
            PersonFact::Put(sample::person("ops", &[])),
        ],
    );
}

fn identities(harness: &mut dyn Harness) {
    let (zoe, amy) = (sample::person("zoe", &["1", "2"]), sample::person("amy", &["2", "3"]));
    // Whatever order the ids sort in, the later put decides: here and after loading.
    check_people(harness, vec![PersonFact::Put(amy.clone()), PersonFact::Put(zoe.clone())]);
    let people = harness.store().load().unwrap().people;
    let two = Identity { surface: "telegram".into(), user: "2".into() };
    assert_eq!(people.behind(&two).map(|person| person.id.as_str()), Some("zoe"));
    harness.store().commit(vec![PersonFact::Put(amy).into()]).wait().unwrap();
    harness.reopen();
    let people = harness.store().load().unwrap().people;
    assert_eq!(people.behind(&two).map(|person| person.id.as_str()), Some("amy"));
}

fn tokens(harness: &mut dyn Harness) {
    let token = |id: &str, byte| TokenRow {
        id: id.into(),
        hash: TokenHash([byte; 32]),
        person: Some("owner".into()),
        scopes: [WireScope::Questions].into(),
        label: "for the build".to_owned(),
        created_at: Time(1),
        expires_at: Some(Time(2)),
    };
    let service = TokenRow { person: None, expires_at: None, scopes: [].into(), ..token("b", 2) };
    let facts = [
        TokenFact::Put(token("c", 255)),
        TokenFact::Put(token("a", 0)),
        TokenFact::Put(service.clone()),
        TokenFact::Put(token("d", 4)),
        TokenFact::Put(token("a", 1)),
        TokenFact::Remove("d".into()),
        TokenFact::Remove("nothing".into()),
    ];
    for fact in facts {
        harness.store().commit(vec![fact.into()]).wait().unwrap();
    }
    harness.reopen();
    let tokens = harness.store().load().unwrap().tokens;
    assert_eq!(tokens, [token("a", 1), service, token("c", 255)]);
    let printed = format!("{tokens:?}");
    assert!(!printed.contains("255"), "a hash was printed: {printed}");
    let ids: Vec<TokenId> = tokens.into_iter().map(|token| token.id).collect();
    assert_eq!(ids, ["a".into(), "b".into(), "c".into()]);
}
