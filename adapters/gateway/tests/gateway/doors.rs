//! From a stranger to somebody known: codes, invites, who may open, and what the ring is told.

use serde_json::{Value, json};

use crate::world::{Peer, START, World, answer_by, ask, fault};

const HOUR: i64 = 3_600_000;

fn identity(user: &str) -> Value {
    json!({"surface": "telegram", "user": user})
}

fn place(user: &str) -> Value {
    json!({"surface": "telegram", "account": "main", "conversation": user})
}

fn knock(user: &str) -> Value {
    json!({"place": place(user), "identity": identity(user), "displayName": format!("User {user}")})
}

/// What the stranger is told, in short.
async fn knocks(ring: &mut Peer, user: &str, invite: Option<&str>) -> String {
    let mut params = knock(user);
    if let Some(invite) = invite {
        params["invite"] = json!(invite);
    }
    let told = ring.ok("pairings.knock", params).await;
    match told["welcome"].as_str() {
        Some("code") => format!("code {}", told["code"].as_str().expect("a code")),
        Some("in") => format!("in as {}", told["person"].as_str().expect("a person")),
        other => other.expect("a word").to_owned(),
    }
}

/// The events of these names that the ring hears next, skipping others.
async fn hears(ring: &mut Peer, name: &str) -> Value {
    loop {
        let event = ring.event().await;
        if event["event"] == name {
            return event["payload"].clone();
        }
    }
}

async fn code_of(ring: &mut Peer, user: &str) -> String {
    let told = knocks(ring, user, None).await;
    told.strip_prefix("code ").unwrap_or_else(|| panic!("no code: {told}")).to_owned()
}

async fn trail(admin: &mut Peer, params: Value) -> Vec<String> {
    let page = admin.ok("audit.list", params).await;
    let entries = page["entries"].as_array().expect("entries").iter().rev();
    let shown = |entry: &Value| {
        let words = ["what", "detail"].into_iter().filter_map(|member| entry[member].as_str());
        words.collect::<Vec<_>>().join(" ")
    };
    entries.map(shown).collect()
}

#[tokio::test(start_paused = true)]
async fn a_stranger_is_let_in_with_their_code_and_told_so() {
    let world = World::new().await;
    let (mut ring, mut admin) = (world.ring().await, world.local().await);
    let code = code_of(&mut ring, "7").await;
    assert_eq!(knocks(&mut ring, "7", None).await, format!("code {code}"), "the same for an hour");
    let waiting = admin.ok("pairings.list", json!({})).await;
    assert_eq!(waiting["pairings"][0]["code"], code.as_str());
    assert_eq!(waiting["pairings"][0]["displayName"], "User 7");
    let typed = format!(" {}-{} ", &code[..4].to_lowercase(), &code[4..]);
    let person = admin.ok("pairings.approve", json!({"code": typed, "person": "ann"})).await;
    assert_eq!(
        person["person"],
        json!({"id": "ann", "displayName": "ann", "scopes": ["questions.answer"], "identities": [identity("7")]})
    );
    let told = hears(&mut ring, "people.knocked").await;
    assert_eq!(told["place"], place("7"));
    assert_eq!(told["identity"], identity("7"));
    assert_eq!(told["told"], json!({"welcome": "in", "person": "ann", "displayName": "ann"}));
    assert_eq!(knocks(&mut ring, "7", None).await, "in as ann", "known from now on");
    let again = admin.err("pairings.approve", json!({"code": code, "person": "bob"})).await;
    assert_eq!(again, "NOT_FOUND", "a code is good once");
    assert_eq!(
        trail(&mut admin, json!({})).await,
        ["pairing.opened", "pairing.approved telegram/7 is ann: questions.answer"]
    );
}

#[tokio::test(start_paused = true)]
async fn rights_come_with_the_approval() {
    let world = World::new().await;
    let (mut ring, mut admin) = (world.ring().await, world.local().await);
    world.person("bob", &["sessions.write"]).await;
    let rows = [
        ("new, nothing said", "n1", None, json!(["questions.answer"])),
        ("new, none", "n2", Some(json!([])), json!([])),
        ("new, all", "n3", Some(json!(["questions.admin"])), json!(["questions.admin"])),
        ("known, nothing said", "bob", None, json!(["sessions.write"])),
        (
            "known, more",
            "bob",
            Some(json!(["questions.answer"])),
            json!(["questions.answer", "sessions.write"]),
        ),
    ];
    for (index, (row, person, scopes, expected)) in rows.into_iter().enumerate() {
        let code = code_of(&mut ring, &index.to_string()).await;
        let mut params = json!({"code": code, "person": person});
        if let Some(scopes) = scopes {
            params["scopes"] = scopes;
        }
        let person = admin.ok("pairings.approve", params).await;
        assert_eq!(person["person"]["scopes"], expected, "{row}");
    }
}

#[tokio::test(start_paused = true)]
async fn codes_end_and_whoever_is_turned_away_gets_no_other() {
    let world = World::new().await;
    let (mut ring, mut admin) = (world.ring().await, world.local().await);
    let (first, other) = (code_of(&mut ring, "1").await, code_of(&mut ring, "2").await);
    admin.ok("pairings.reject", json!({"code": first})).await;
    assert_eq!(knocks(&mut ring, "1", None).await, "closed");
    assert_eq!(admin.err("pairings.approve", json!({"code": first, "person": "ann"})).await, "NOT_FOUND");
    tokio::time::advance(std::time::Duration::from_millis(HOUR as u64)).await;
    assert_eq!(admin.err("pairings.approve", json!({"code": other, "person": "ann"})).await, "NOT_FOUND");
    assert_eq!(admin.ok("pairings.list", json!({})).await["pairings"], json!([]));
    assert_ne!(code_of(&mut ring, "1").await, first, "an hour later anybody may try again");
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_strangers_closes_the_door_and_an_invite_opens_it() {
    let world = World::new().await;
    let (mut ring, mut admin) = (world.ring().await, world.local().await);
    for user in 0..20 {
        code_of(&mut ring, &user.to_string()).await;
    }
    assert_eq!(knocks(&mut ring, "20", None).await, "closed");
    let made = admin.ok("invites.create", json!({"person": "ann"})).await;
    assert_eq!(made["invite"]["expiresAtMs"], START + 7 * 24 * HOUR);
    let code = made["code"].as_str().expect("a code");
    let listed = admin.ok("invites.list", json!({})).await;
    assert_eq!(listed["invites"][0]["person"], "ann");
    assert!(!listed.to_string().contains(code), "shown once only");
    assert_eq!(knocks(&mut ring, "20", Some("0-nonsense")).await, "inviteRefused");
    assert_eq!(knocks(&mut ring, "20", Some(code)).await, "in as ann");
    assert_eq!(knocks(&mut ring, "21", Some(code)).await, "inviteRefused", "good once");
    assert_eq!(admin.ok("invites.list", json!({})).await["invites"], json!([]));
    let lines = trail(&mut admin, json!({})).await;
    let id = made["invite"]["id"].as_str().expect("an id");
    assert!(lines.contains(&format!("invite.created {id} for ann")), "{lines:?}");
    assert!(lines.contains(&format!("invite.used invite {id}")), "{lines:?}");
    assert!(!lines.concat().contains(code), "{lines:?}");
}

#[tokio::test(start_paused = true)]
async fn invites_end_by_time_by_hand_and_with_their_person() {
    let world = World::new().await;
    let (mut ring, mut admin) = (world.ring().await, world.local().await);
    world.person("bob", &[]).await;
    let mut codes = Vec::new();
    for params in [
        json!({"person": "ann", "expiresAtMs": START + 10_000}),
        json!({"person": "ann"}),
        json!({"person": "bob"}),
    ] {
        let made = admin.ok("invites.create", params).await;
        codes.push((made["invite"]["id"].clone(), made["code"].as_str().expect("a code").to_owned()));
    }
    tokio::time::advance(std::time::Duration::from_secs(10)).await;
    admin.ok("invites.revoke", json!({"id": codes[1].0})).await;
    admin.ok("people.remove", json!({"id": "bob"})).await;
    for (number, (_, code)) in codes.iter().enumerate() {
        assert_eq!(knocks(&mut ring, "1", Some(code)).await, "inviteRefused", "{number}");
    }
    let wrong = [
        ("over already", json!({"person": "ann", "expiresAtMs": START}), "INVALID_REQUEST"),
        ("for ever", json!({"person": "ann", "expiresAtMs": START + 366 * 24 * HOUR}), "INVALID_REQUEST"),
        ("no name", json!({"person": "-"}), "INVALID_REQUEST"),
    ];
    for (row, params, code) in wrong {
        assert_eq!(admin.err("invites.create", params).await, code, "{row}");
    }
    assert_eq!(admin.err("invites.revoke", json!({"id": "none"})).await, "NOT_FOUND");
}

#[tokio::test(start_paused = true)]
async fn a_restart_forgets_no_code_and_no_invite() {
    let world = World::new().await;
    let (mut ring, mut admin) = (world.ring().await, world.local().await);
    let code = code_of(&mut ring, "1").await;
    let invite = admin.ok("invites.create", json!({"person": "bob"})).await;
    world.gateway.stop().await;
    let gateway = crate::world::start_at(
        world.store.clone(),
        askrelay_gateway::Config::default(),
        askrelay_core::time::Time(START + 1000),
    )
    .await;
    let world = World { gateway, store: world.store };
    let (mut ring, mut admin) = (world.ring().await, world.local().await);
    assert_eq!(knocks(&mut ring, "1", None).await, format!("code {code}"));
    admin.ok("pairings.approve", json!({"code": code, "person": "ann"})).await;
    assert_eq!(knocks(&mut ring, "2", invite["code"].as_str()).await, "in as bob");
}

#[tokio::test(start_paused = true)]
async fn only_those_who_administer_open_doors_and_read_the_trail() {
    let world = World::new().await;
    world.person("eve", &["questions.answer", "sessions.write"]).await;
    world.person("adm", &["questions.admin"]).await;
    let rows: [(&str, Option<&str>, &[&str], &str); 6] = [
        ("an admin", Some("adm"), &["operator.admin"], "ok"),
        ("a service for it", None, &["operator.admin"], "ok"),
        ("an admin's lesser token", Some("adm"), &["operator.questions"], "MISSING_SCOPE"),
        ("a service", None, &["operator.questions"], "MISSING_SCOPE"),
        ("an admin's scope without the right", Some("eve"), &["operator.admin"], "FORBIDDEN"),
        ("nothing", Some("eve"), &[], "MISSING_SCOPE"),
    ];
    for (who, person, scopes, expected) in rows {
        let mut peer = world.bearer(person, scopes, &["askrelay/1"]).await;
        for (method, params) in [
            ("people.list", json!({})),
            ("pairings.list", json!({})),
            ("invites.list", json!({})),
            ("audit.list", json!({})),
        ] {
            let got = peer.err(method, params).await;
            assert_eq!(if got.starts_with("ok") { "ok" } else { &got }, expected, "{who}: {method}");
        }
        // There or not there makes no difference to somebody who may not know.
        for (method, params) in [
            ("people.change", json!({"id": "adm"})),
            ("people.change", json!({"id": "nobody"})),
            (
                "people.add",
                json!({"person": {"id": "adm", "displayName": "x", "scopes": [], "identities": []}}),
            ),
            ("people.remove", json!({"id": "nobody"})),
            ("pairings.approve", json!({"code": "x", "person": "y"})),
            ("pairings.reject", json!({"code": "x"})),
            ("invites.create", json!({"person": "-"})),
            ("invites.revoke", json!({"id": "x"})),
        ] {
            let got = peer.err(method, params).await;
            assert!(expected == "ok" || got == expected, "{who}: {method} says {got}");
        }
        assert_eq!(peer.err("pairings.knock", knock("1")).await, "FORBIDDEN", "{who} is not the ring");
    }
    let mut plain = world.bearer(Some("adm"), &["operator.admin"], &[]).await;
    assert_eq!(
        plain.err("pairings.list", json!({})).await,
        "INVALID_REQUEST",
        "no such method in the plain shape"
    );
}

#[tokio::test(start_paused = true)]
async fn people_are_changed_by_what_is_said_and_no_more() {
    let world = World::new().await;
    let mut admin = world.local().await;
    let person = |id: &str| json!({"person": {"id": id, "displayName": id, "scopes": [], "identities": [identity(id)]}});
    admin.ok("people.add", person("ann")).await;
    admin.ok("people.add", person("ann")).await;
    admin.ok("people.add", person("bob")).await;
    let change = json!({"id": "ann", "displayName": "Ann A.", "grant": ["questions.answer", "sessions.write"],
        "revoke": ["sessions.write"], "link": [identity("x")], "unlink": [identity("ann")]});
    for row in ["once", "again"] {
        let changed = admin.ok("people.change", change.clone()).await;
        let expected = json!({"id": "ann", "displayName": "Ann A.", "scopes": ["questions.answer"],
            "identities": [identity("x")]});
        assert_eq!(changed["person"], expected, "{row}");
    }
    let other = json!({"person": {"id": "ann", "displayName": "x", "scopes": [], "identities": []}});
    let rows = [
        ("a name that is taken", "people.add", other, "CONFLICT"),
        ("nobody", "people.change", json!({"id": "eve", "grant": ["questions.answer"]}), "NOT_FOUND"),
        ("nobody to remove", "people.remove", json!({"id": "eve"}), "NOT_FOUND"),
        ("another's identity", "people.change", json!({"id": "ann", "link": [identity("bob")]}), "CONFLICT"),
        ("no name", "people.add", person("a b"), "INVALID_REQUEST"),
        ("nothing to be shown", "people.change", json!({"id": "ann", "displayName": " "}), "INVALID_REQUEST"),
        (
            "the last admin's right",
            "people.change",
            json!({"id": "owner", "revoke": ["questions.admin"]}),
            "CONFLICT",
        ),
        ("the last admin", "people.remove", json!({"id": "owner"}), "CONFLICT"),
        ("the last admin put otherwise", "people.put", person("owner"), "CONFLICT"),
    ];
    for (row, method, params, expected) in rows {
        assert_eq!(admin.err(method, params).await, expected, "{row}");
    }
    admin.ok("people.change", json!({"id": "ann", "grant": ["questions.admin"]})).await;
    admin.ok("people.remove", json!({"id": "owner"})).await;
    assert_eq!(admin.err("people.remove", json!({"id": "ann"})).await, "CONFLICT");
}

#[tokio::test(start_paused = true)]
async fn a_right_that_is_revoked_ends_for_prompts_that_are_shown() {
    let world = World::new().await;
    let (mut ring, mut admin) = (world.ring().await, world.local().await);
    world.person("ann", &["questions.answer"]).await;
    admin.ok("question.request", ask("a")).await;
    hears(&mut ring, "question.requested").await;
    admin.ok("people.change", json!({"id": "ann", "revoke": ["questions.answer"]})).await;
    let error = ring.call("question.resolve", answer_by("a", "Staging", "ann")).await.expect_err("revoked");
    assert_eq!(
        (fault(&error).as_str(), error["details"]["refused"].as_str()),
        ("QUESTION_NOT_PERMITTED", Some("no_right"))
    );
    admin.ok("people.change", json!({"id": "ann", "grant": ["questions.answer"]})).await;
    admin.ok("people.remove", json!({"id": "ann"})).await;
    let error = ring.call("question.resolve", answer_by("a", "Staging", "ann")).await.expect_err("gone");
    assert_eq!(error["details"]["refused"], "unknown");
    let lines = trail(&mut admin, json!({"ask": "a"})).await;
    assert_eq!(lines, ["ask.opened", "answer.refused no_right", "answer.refused unknown"]);
}

#[tokio::test(start_paused = true)]
async fn whoever_is_removed_loses_their_tokens() {
    let world = World::new().await;
    world.person("adm", &["questions.admin"]).await;
    let mut peer = world.bearer(Some("adm"), &["operator.admin"], &["askrelay/1"]).await;
    peer.ok("people.list", json!({})).await;
    world.local().await.ok("people.remove", json!({"id": "adm"})).await;
    assert!(peer.closed().await);
    assert_eq!(world.local().await.ok("tokens.list", json!({})).await["tokens"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn few_wrong_invites_are_looked_at() {
    let world = World::new().await;
    let (mut ring, mut admin) = (world.ring().await, world.local().await);
    let made = admin.ok("invites.create", json!({"person": "ann"})).await;
    let code = made["code"].as_str().expect("a code").to_owned();
    let id = made["invite"]["id"].as_str().expect("an id").to_owned();
    for guess in 0..20 {
        let told = knocks(&mut ring, "1", Some(&format!("{id}-{guess}"))).await;
        assert_eq!(told, "inviteRefused", "{guess}");
    }
    assert_eq!(knocks(&mut ring, "1", Some(&code)).await, "closed", "too many, right or wrong");
    assert_eq!(
        trail(&mut admin, json!({})).await.iter().filter(|line| *line == "invite.refused").count(),
        20
    );
    tokio::time::advance(std::time::Duration::from_secs(600)).await;
    assert_eq!(knocks(&mut ring, "1", Some(&code)).await, "in as ann", "after a while anybody may try again");
}

#[tokio::test(start_paused = true)]
async fn an_admin_is_one_as_long_as_they_hold_the_right() {
    let world = World::new().await;
    let mut local = world.local().await;
    world.person("bob", &["questions.admin"]).await;
    let mut bob = world.bearer(Some("bob"), &["operator.admin"], &["askrelay/1"]).await;
    local.ok("question.request", ask("a")).await;
    bob.ok("people.list", json!({})).await;
    bob.ok("question.get", json!({"id": "a"})).await;
    assert_eq!(bob.heard().await, ["question.requested a pending"]);
    local.ok("people.change", json!({"id": "bob", "revoke": ["questions.admin"]})).await;
    local.ok("question.request", ask("b")).await;
    let put =
        json!({"person": {"id": "eve", "displayName": "e", "scopes": ["questions.admin"], "identities": []}});
    for (method, params) in [
        ("people.put", put),
        ("people.list", json!({})),
        ("tokens.create", json!({"scopes": ["operator.admin"]})),
        ("tokens.list", json!({})),
        ("audit.list", json!({})),
    ] {
        assert_eq!(bob.err(method, params).await, "FORBIDDEN", "{method}");
    }
    assert_eq!(bob.err("question.get", json!({"id": "a"})).await, "QUESTION_NOT_FOUND");
    assert_eq!(bob.err("question.resolve", json!({"id": "a", "cancel": true})).await, "QUESTION_NOT_FOUND");
    assert_eq!(bob.heard().await, [""; 0]);
    local.ok("people.change", json!({"id": "bob", "grant": ["questions.admin"]})).await;
    bob.ok("people.list", json!({})).await;
    local.ok("people.remove", json!({"id": "bob"})).await;
    assert!(bob.closed().await, "removed with every key");
}
