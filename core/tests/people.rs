//! Changes of who is known: what each leaves, and which are refused.

use askrelay_core::id::Identity;
use askrelay_core::person::{Change, ChangeFault, People, Person, Scope, Scopes, check_name};

fn identity(user: &str) -> Identity {
    Identity { surface: "telegram".into(), user: user.into() }
}

fn person(id: &str, scopes: &[Scope], users: &[&str]) -> Person {
    Person {
        id: id.into(),
        display_name: id.to_owned(),
        scopes: scopes.iter().copied().collect(),
        identities: users.iter().map(|user| identity(user)).collect(),
    }
}

fn people() -> People {
    [person("adm", &[Scope::QuestionsAdmin], &["1"]), person("ann", &[Scope::QuestionsAnswer], &["2"])]
        .into_iter()
        .collect()
}

fn change(id: &str, what: impl FnOnce(&mut Change)) -> Change {
    let mut change = Change::of(id.into());
    what(&mut change);
    change
}

#[test]
fn a_change_leaves_what_it_says() {
    let rows = [
        ("nothing", change("ann", |_| {}), Ok(person("ann", &[Scope::QuestionsAnswer], &["2"]))),
        (
            "a right more",
            change("ann", |change| change.grant = [Scope::SessionsWrite].into()),
            Ok(person("ann", &[Scope::QuestionsAnswer, Scope::SessionsWrite], &["2"])),
        ),
        (
            "a right that is held already",
            change("ann", |change| change.grant = [Scope::QuestionsAnswer].into()),
            Ok(person("ann", &[Scope::QuestionsAnswer], &["2"])),
        ),
        (
            "a right less",
            change("ann", |change| change.revoke = [Scope::QuestionsAnswer].into()),
            Ok(person("ann", &[], &["2"])),
        ),
        (
            "taking wins over giving",
            change("ann", |change| {
                change.grant = Scope::ALL.into();
                change.revoke = Scope::ALL.into();
            }),
            Ok(person("ann", &[], &["2"])),
        ),
        (
            "another identity",
            change("ann", |change| {
                change.link = [identity("3")].into();
                change.unlink = [identity("2"), identity("9")].into();
            }),
            Ok(person("ann", &[Scope::QuestionsAnswer], &["3"])),
        ),
        ("nobody", change("eve", |_| {}), Err(ChangeFault::Nobody("eve".into()))),
        (
            "somebody else's identity",
            change("ann", |change| change.link = [identity("1")].into()),
            Err(ChangeFault::Taken { identity: identity("1"), person: "adm".into() }),
        ),
        (
            "the last admin's right",
            change("adm", |change| change.revoke = [Scope::QuestionsAdmin].into()),
            Err(ChangeFault::LastAdmin("adm".into())),
        ),
        (
            "no name to show",
            change("ann", |change| change.display_name = Some("\t".to_owned())),
            Err(ChangeFault::DisplayName),
        ),
    ];
    for (name, change, expected) in rows {
        assert_eq!(people().changed(&change), expected, "{name}");
        if let Ok(changed) = expected {
            let mut again = people();
            again.put(changed.clone());
            assert_eq!(again.changed(&change), Ok(changed), "{name}, twice");
        }
    }
}

#[test]
fn whoever_is_let_in_has_the_rights_that_were_meant() {
    let stranger = identity("7");
    let all: Scopes = Scope::ALL.into();
    let rows = [
        ("new", "eve", None, Ok(person("eve", &[Scope::QuestionsAnswer], &["7"]))),
        ("new, without rights", "eve", Some(Scopes::new()), Ok(person("eve", &[], &["7"]))),
        ("new, with all", "eve", Some(all.clone()), Ok(person("eve", &Scope::ALL, &["7"]))),
        ("known", "ann", None, Ok(person("ann", &[Scope::QuestionsAnswer], &["2", "7"]))),
        ("known, with more", "ann", Some(all), Ok(person("ann", &Scope::ALL, &["2", "7"]))),
        ("no name", "a b", None, Err(ChangeFault::Name("a b".to_owned()))),
    ];
    for (name, id, scopes, expected) in rows {
        assert_eq!(people().admitted(&id.into(), scopes.as_ref(), &stranger), expected, "{name}");
    }
    let taken = people().admitted(&"eve".into(), None, &identity("1"));
    assert_eq!(taken, Err(ChangeFault::Taken { identity: identity("1"), person: "adm".into() }));
    let own = people().admitted(&"adm".into(), None, &identity("1"));
    assert_eq!(own, Ok(person("adm", &[Scope::QuestionsAdmin], &["1"])));
}

#[test]
fn somebody_is_added_once_and_the_last_admin_stays() {
    let people = people();
    let ann = person("ann", &[Scope::QuestionsAnswer], &["2"]);
    assert_eq!(people.added(ann.clone()), Ok(ann), "the same again");
    assert_eq!(people.added(person("ann", &[], &[])), Err(ChangeFault::Exists("ann".into())));
    let thief = person("eve", &[], &["2"]);
    assert_eq!(
        people.added(thief),
        Err(ChangeFault::Taken { identity: identity("2"), person: "ann".into() })
    );
    assert_eq!(people.check_removal(&"ann".into()), Ok(()));
    assert_eq!(people.check_removal(&"adm".into()), Err(ChangeFault::LastAdmin("adm".into())));
    assert_eq!(people.check_removal(&"eve".into()), Err(ChangeFault::Nobody("eve".into())));
    let lesser = person("adm", &[Scope::QuestionsAnswer], &[]);
    assert_eq!(people.replaced(lesser), Err(ChangeFault::LastAdmin("adm".into())));
    let mut two = people.clone();
    two.put(person("bob", &[Scope::QuestionsAdmin], &[]));
    assert_eq!(two.check_removal(&"adm".into()), Ok(()));
}

#[test]
fn names_are_what_can_be_typed() {
    for name in ["a", "ann", "Ann.Example-2_x", "ann@example.org", &"x".repeat(64)] {
        assert_eq!(check_name(&name.into()), Ok(()), "{name}");
    }
    for name in ["", " ", "a b", "-ann", "a/b", "a\n", "jürgen", "a\u{202e}", &"x".repeat(65)] {
        assert!(check_name(&name.into()).is_err(), "{name:?}");
    }
}

#[test]
fn an_identity_is_a_surface_and_a_user() {
    let rows = [
        ("telegram/700100", Some(("telegram", "700100"))),
        ("matrix/@ann:example.org/x", Some(("matrix", "@ann:example.org/x"))),
        ("telegram", None),
        ("telegram/", None),
        ("/7", None),
        ("", None),
        ("telegram/7\n", None),
    ];
    for (text, expected) in rows {
        let read = Identity::parse(text);
        let parts = read.as_ref().map(|identity| (identity.surface.as_str(), identity.user.as_str()));
        assert_eq!(parts, expected, "{text:?}");
        if let Some(identity) = read {
            assert_eq!(identity.to_string(), text);
        }
    }
}
