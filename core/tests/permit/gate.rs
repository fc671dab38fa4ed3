//! Who may answer, see and withdraw: one row a rule of DESIGN section 8, over the public gate alone.

use askrelay_core::answer::{Actor, Way};
use askrelay_core::ask::{Ask, Binding, Creator, Question, WhenUnanswered};
use askrelay_core::id::{Identity, RecordKey};
use askrelay_core::permit::{Caller, Refused, WireScope, permit};
use askrelay_core::person::{People, Person, Scope, Scopes};
use askrelay_core::record::{Record, State};
use askrelay_core::time::{Span, Time};

const ANSWER: &[Scope] = &[Scope::QuestionsAnswer];
const WRITE: &[Scope] = &[Scope::SessionsWrite];
const ADMIN: &[Scope] = &[Scope::QuestionsAdmin];
const NOTHING: &[Scope] = &[];

fn scopes(scopes: &[Scope]) -> Scopes {
    scopes.iter().copied().collect()
}

fn people(scopes_of_dana: &[Scope]) -> People {
    let person = |id: &str, rights: &[Scope]| Person {
        id: id.into(),
        display_name: id.to_owned(),
        scopes: scopes(rights),
        identities: Default::default(),
    };
    [person("dana", scopes_of_dana), person("owner", ADMIN)].into_iter().collect()
}

fn record(binding: Binding, creator: Option<&str>, rights: &[Scope]) -> Record {
    let question = Question { id: "q".into(), text: "Go?".to_owned(), ..Question::default() };
    Record {
        key: RecordKey { gateway: "local".into(), id: "ask_1".into(), created_at: Time(1) },
        ask: Ask {
            questions: vec![question],
            wait: Span::seconds(60),
            origin: Default::default(),
            creator: Creator {
                person: creator.map(Into::into),
                token: None,
                binding,
                scopes: scopes(rights),
            },
            answerers: Vec::new(),
            places: Vec::new(),
            needs_surface: false,
            when_unanswered: WhenUnanswered::Fail,
            terminal_proof: None,
        },
        expires_at: Time(60_001),
        state: State::Pending,
        late: Vec::new(),
        collected: None,
    }
}

fn actor(person: Option<&str>, way: Way) -> Actor {
    Actor::new(person.map(Into::into), way)
}

const ALL_WAYS: [Way; 5] = [Way::Control, Way::Text, Way::AskingTerminal, Way::Call, Way::Elicitation];

/// What the gate says to Dana, one verdict a way, in the order of [`ALL_WAYS`].
fn check(name: &str, record: &Record, dana: &[Scope], expected: [Option<Refused>; 5]) {
    let people = people(dana);
    for (way, refused) in ALL_WAYS.into_iter().zip(expected) {
        let verdict = permit(record, &people, &actor(Some("dana"), way));
        assert_eq!(verdict.as_ref().err().copied(), refused, "{name}, by {way:?}");
        if let Ok(permit) = verdict {
            assert_eq!(
                (permit.person().as_str(), permit.record()),
                ("dana", &record.key),
                "{name}, by {way:?}"
            );
        }
    }
}

#[test]
fn rights_decide_at_the_moment_of_answering() {
    use Refused::{FewerRights, NeedsControls, NoRight};
    let run = record(Binding::Run, Some("dana"), ANSWER);
    check("own run, may answer", &run, ANSWER, [None; 5]);
    check("own run, admin holds every right", &run, ADMIN, [None; 5]);
    check("own run, writes in own sessions", &run, WRITE, [None, Some(FewerRights), None, None, None]);
    check("own run, every right revoked since", &run, NOTHING, [Some(NoRight); 5]);

    let others = record(Binding::Run, Some("owner"), ANSWER);
    check("another's run, may answer", &others, ANSWER, [None; 5]);
    check("another's run, writes in own sessions only", &others, WRITE, [Some(NoRight); 5]);

    let stronger = record(Binding::Run, Some("owner"), ADMIN);
    check("the creator held more", &stronger, ANSWER, [None, Some(FewerRights), None, None, None]);
    check("the creator held no more", &stronger, ADMIN, [None; 5]);

    let attached = record(Binding::Attached, None, NOTHING);
    check("attached takes no text", &attached, ADMIN, [None, Some(NeedsControls), None, None, None]);
    check("attached is nobody's own session", &attached, WRITE, [Some(NoRight); 5]);

    let nobodys = record(Binding::None, None, NOTHING);
    let for_admins = [None, Some(NeedsControls), Some(NoRight), None, Some(NoRight)];
    check("sessionless needs an admin whom somebody verified", &nobodys, ADMIN, for_admins);
    check("sessionless refuses who may only answer", &nobodys, ANSWER, [Some(NoRight); 5]);
}

#[test]
fn named_answerers_and_secrets_narrow_it() {
    use Refused::{NoRight, NotAnAnswerer};
    let mut named = record(Binding::Run, Some("owner"), NOTHING);
    named.ask.answerers = vec!["dana".into()];
    let verified_only = [None, None, Some(NotAnAnswerer), None, Some(NotAnAnswerer)];
    check("named and verified", &named, ANSWER, verified_only);
    let no_right = [NoRight, NoRight, NotAnAnswerer, NoRight, NotAnAnswerer].map(Some);
    check("being named grants nothing", &named, NOTHING, no_right);
    named.ask.answerers = vec!["owner".into()];
    check("others are named", &named, ADMIN, [Some(NotAnAnswerer); 5]);

    let mut secret = record(Binding::Run, Some("dana"), NOTHING);
    secret.ask.questions[0].secret = true;
    check("a secret needs an admin", &secret, ANSWER, [Some(NoRight); 5]);
    check("whom somebody verified", &secret, ADMIN, [None, None, Some(NoRight), None, Some(NoRight)]);
}

#[test]
fn nobody_known_may_answer_nothing() {
    for binding in [Binding::Run, Binding::Attached, Binding::None] {
        for way in ALL_WAYS {
            for person in [None, Some("stranger")] {
                let verdict =
                    permit(&record(binding, Some("owner"), NOTHING), &people(ADMIN), &actor(person, way));
                assert_eq!(verdict, Err(Refused::Unknown), "{binding:?} {way:?} {person:?}");
            }
        }
    }
}

/// What the gate says, one verdict a way, to whoever goes by that name on the identity `chat/7` with roles that give that.
fn check_roles(
    name: &str,
    (record, dana): (&Record, &[Scope]),
    (person, granted): (&str, &[Scope]),
    expected: [Option<Refused>; 5],
) {
    let identity = Some(Identity { surface: "chat".into(), user: "7".into() });
    for (way, refused) in ALL_WAYS.into_iter().zip(expected) {
        let actor =
            Actor { identity: identity.clone(), granted: scopes(granted), ..actor(Some(person), way) };
        let verdict = permit(record, &people(dana), &actor);
        assert_eq!(verdict.as_ref().err().copied(), refused, "{name}, by {way:?}");
        assert!(verdict.is_err() || verdict.unwrap().person().as_str() == person, "{name}, by {way:?}");
    }
}

#[test]
fn roles_give_rights_to_whoever_was_verified() {
    use Refused::{FewerRights, NoRight, NotAnAnswerer, Unknown};
    const BY_ROLES: &str = "chat:7";
    let run = record(Binding::Run, Some("owner"), ANSWER);
    let verified = [None, None, Some(Unknown), None, Some(Unknown)];
    check_roles("nobody stored", (&run, NOTHING), (BY_ROLES, ANSWER), verified);
    check_roles("nobody stored, no role", (&run, NOTHING), (BY_ROLES, NOTHING), [Some(Unknown); 5]);
    let no_right = [NoRight, NoRight, Unknown, NoRight, Unknown].map(Some);
    check_roles("a role that gives too little", (&run, NOTHING), (BY_ROLES, WRITE), no_right);
    check_roles("another identity's name", (&run, NOTHING), ("chat:8", ADMIN), [Some(Unknown); 5]);

    let no_right = [None, None, Some(NoRight), None, Some(NoRight)];
    check_roles("somebody known gains a right", (&run, NOTHING), ("dana", ANSWER), no_right);
    check_roles("somebody known loses none", (&run, ANSWER), ("dana", NOTHING), [None; 5]);
    let own = record(Binding::Run, Some("dana"), WRITE);
    check_roles("own rights and roles together", (&own, WRITE), ("dana", ANSWER), [None; 5]);
    let stronger = record(Binding::Run, Some("owner"), ADMIN);
    let fewer = [None, Some(FewerRights), Some(Unknown), None, Some(Unknown)];
    check_roles("the creator held more", (&stronger, NOTHING), (BY_ROLES, ANSWER), fewer);
    check_roles("the creator held no more", (&stronger, NOTHING), (BY_ROLES, ADMIN), verified);

    let gone = record(Binding::Run, Some("gone"), NOTHING);
    check_roles("the name of somebody removed", (&gone, NOTHING), ("gone", ADMIN), [Some(Unknown); 5]);
    let mut named = record(Binding::Run, Some("owner"), NOTHING);
    named.ask.answerers = vec!["dana".into()];
    let not_named = [NotAnAnswerer, NotAnAnswerer, Unknown, NotAnAnswerer, Unknown].map(Some);
    check_roles("others are named", (&named, ANSWER), (BY_ROLES, ADMIN), not_named);
    let mut secret = record(Binding::Run, Some("owner"), NOTHING);
    secret.ask.questions[0].secret = true;
    check_roles("a secret, for an admin by role", (&secret, NOTHING), (BY_ROLES, ADMIN), verified);
}

/// What a connection may do with a Record: see it, answer it by itself, take it back.
fn check_caller(name: &str, caller: &Caller, record: &Record, dana: &[Scope], expected: (bool, bool, bool)) {
    let people = people(dana);
    let verdict = (
        caller.may_see(record, &people),
        caller.permit(record, &people).is_ok(),
        caller.may_withdraw(record, &people),
    );
    assert_eq!(verdict, expected, "{name}: (sees, answers, withdraws)");
}

fn token(person: Option<&str>, wire: &[WireScope]) -> Caller {
    Caller::Token { id: "t1".into(), person: person.map(Into::into), scopes: wire.iter().copied().collect() }
}

#[test]
fn what_a_connection_may_not_see_it_may_not_touch() {
    const QUESTIONS: &[WireScope] = &[WireScope::Questions];
    const SESSIONS: &[WireScope] = &[WireScope::SessionsWrite];
    const ALL: &[WireScope] = &[WireScope::Admin];
    let owners = record(Binding::Run, Some("owner"), NOTHING);
    let danas = record(Binding::Run, Some("dana"), NOTHING);
    let mut of_token = record(Binding::Attached, None, NOTHING);
    of_token.ask.creator.token = Some("t1".into());
    let local = Caller::Local { owner: "owner".into() };

    check_caller(
        "the ring sees all and answers only for actors",
        &Caller::Ring,
        &owners,
        ANSWER,
        (true, false, true),
    );
    check_caller("a local process has its own", &local, &owners, ANSWER, (true, false, true));
    check_caller("and nobody else's", &local, &danas, ANSWER, (false, false, false));
    check_caller("may answer", &token(Some("dana"), QUESTIONS), &owners, ANSWER, (true, true, false));
    check_caller("may not answer", &token(Some("dana"), QUESTIONS), &owners, NOTHING, (false, false, false));
    check_caller("own ask, no right", &token(Some("dana"), QUESTIONS), &danas, NOTHING, (true, false, true));
    check_caller("own ask, own session", &token(Some("dana"), SESSIONS), &danas, WRITE, (true, true, true));
    check_caller(
        "own session scope, another's ask",
        &token(Some("dana"), SESSIONS),
        &owners,
        WRITE,
        (false, false, false),
    );
    check_caller("an admin's admin token", &token(Some("dana"), ALL), &owners, ADMIN, (true, true, true));
    check_caller(
        "an admin's narrow token",
        &token(Some("dana"), QUESTIONS),
        &owners,
        ADMIN,
        (true, true, false),
    );
    check_caller(
        "an admin scope without the right",
        &token(Some("dana"), ALL),
        &owners,
        NOTHING,
        (false, false, false),
    );
    check_caller("a service has its own", &token(None, QUESTIONS), &of_token, ANSWER, (true, false, true));
    check_caller("and nobody else's", &token(None, QUESTIONS), &owners, ANSWER, (false, false, false));
    check_caller("a service that administers", &token(None, ALL), &owners, ANSWER, (true, false, true));
    check_caller(
        "a token of somebody removed",
        &token(Some("gone"), QUESTIONS),
        &owners,
        ANSWER,
        (false, false, false),
    );
    check_caller(
        "an admin token of somebody removed",
        &token(Some("gone"), ALL),
        &owners,
        ADMIN,
        (false, false, false),
    );
    check_caller(
        "an admin token of somebody who is no admin any more",
        &token(Some("dana"), ALL),
        &danas,
        NOTHING,
        (true, false, true),
    );
    check_caller("no scope at all", &token(Some("dana"), &[]), &owners, ANSWER, (false, false, false));
}

#[test]
fn who_asks_decides_the_binding() {
    let rows = [
        ("a person's token", token(Some("dana"), &[WireScope::Questions]), false, Binding::Run, Some("dana")),
        ("a local process", Caller::Local { owner: "owner".into() }, false, Binding::Run, Some("owner")),
        ("a service with a session", token(None, &[WireScope::Questions]), true, Binding::Attached, None),
        ("a service without one", token(None, &[WireScope::Questions]), false, Binding::None, None),
        (
            "a token of somebody removed",
            token(Some("gone"), &[WireScope::Questions]),
            true,
            Binding::None,
            None,
        ),
    ];
    for (name, caller, session, binding, person) in rows {
        let creator = caller.creator(&people(ANSWER), session);
        assert_eq!(creator.binding, binding, "{name}");
        assert_eq!(creator.person.as_ref().map(|id| id.as_str()), person, "{name}");
    }
    let narrow = token(Some("dana"), &[WireScope::Questions]).creator(&people(ADMIN), false);
    assert_eq!(narrow.scopes, scopes(ANSWER), "a token lets no more rights through than it has");
}

#[test]
fn administering_needs_the_right_and_the_scope() {
    const ALL: &[WireScope] = &[WireScope::Admin];
    const QUESTIONS: &[WireScope] = &[WireScope::Questions, WireScope::SessionsWrite];
    let rows = [
        ("the ring", Caller::Ring, NOTHING, true),
        ("the data directory's own user", Caller::Local { owner: "owner".into() }, NOTHING, true),
        ("an admin's admin token", token(Some("dana"), ALL), ADMIN, true),
        ("an admin's lesser token", token(Some("dana"), QUESTIONS), ADMIN, false),
        ("somebody who is no admin any more", token(Some("dana"), ALL), ANSWER, false),
        ("somebody removed", token(Some("gone"), ALL), ADMIN, false),
        ("a service made for it", token(None, ALL), NOTHING, true),
        ("another service", token(None, QUESTIONS), NOTHING, false),
    ];
    for (name, caller, dana, expected) in rows {
        assert_eq!(caller.administers(&people(dana)), expected, "{name}");
    }
}
