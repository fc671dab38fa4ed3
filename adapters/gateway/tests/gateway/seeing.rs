//! Who may call what and see which Record. What may not be seen is indistinguishable from what does not exist.

use serde_json::json;

use crate::world::{World, answer, ask, fault};

/// Every caller against every method on a Record that the person `owner` asked and on one that a service asked.
#[tokio::test(start_paused = true)]
async fn each_caller_sees_its_own_share() {
    let world = World::new().await;
    world.person("ann", &["questions.answer"]).await;
    world.person("bob", &["sessions.write"]).await;
    world.person("eve", &[]).await;
    let mut service = world.bearer(None, &["operator.questions"], &["askrelay/1"]).await;
    world.local().await.ok("question.request", ask("local")).await;
    service.ok("question.request", ask("service")).await;

    let questions: &[&str] = &["operator.questions"];
    /// Name, Person, scopes; what `get` says about each Record; what is listed.
    type Row<'a> = (&'a str, Option<&'a str>, &'a [&'a str], &'a str, &'a str, &'a str);
    let rows: [Row<'_>; 9] = [
        // who, its person, its scopes; what get says about each Record; what is listed
        ("answerer", Some("ann"), questions, "ok", "ok", "local service"),
        ("writer", Some("bob"), questions, "NOT_FOUND", "NOT_FOUND", ""),
        (
            "writer with the session scope",
            Some("bob"),
            &["operator.sessions.write"],
            "NOT_FOUND",
            "NOT_FOUND",
            "",
        ),
        ("nobody special", Some("eve"), questions, "NOT_FOUND", "NOT_FOUND", ""),
        ("another service", None, questions, "NOT_FOUND", "NOT_FOUND", ""),
        ("a service with all rights", None, &["operator.admin"], "ok", "ok", "local service"),
        ("owner", Some("owner"), &["operator.admin"], "ok", "ok", "local service"),
        ("owner without the admin scope", Some("owner"), questions, "ok", "ok", "local service"),
        ("no scope", Some("owner"), &[], "MISSING_SCOPE", "MISSING_SCOPE", "MISSING_SCOPE"),
    ];
    for (who, person, scopes, on_local, on_service, listed) in rows {
        let mut peer = world.bearer(person, scopes, &["askrelay/1"]).await;
        for (id, expected) in [("local", on_local), ("service", on_service)] {
            let got = match peer.err("question.get", json!({"id": id})).await {
                ok if ok.starts_with("ok") => "ok".to_owned(),
                error => error.replace("QUESTION_", ""),
            };
            assert_eq!(got, expected, "{who} gets {id}");
            if expected == "NOT_FOUND" {
                let there = peer.call("question.resolve", answer(id, "Staging")).await.expect_err("unseen");
                let gone =
                    peer.call("question.resolve", answer("nonexistent", "Staging")).await.expect_err("none");
                assert_eq!(there["code"], gone["code"], "{who}");
                assert_eq!(there["details"], gone["details"], "{who}");
                assert_eq!(peer.err("question.waitAnswer", json!({"id": id})).await, "QUESTION_NOT_FOUND");
                assert_eq!(
                    peer.err("question.resolve", json!({"id": id, "cancel": true})).await,
                    "QUESTION_NOT_FOUND"
                );
                assert_eq!(peer.err("question.request", ask(id)).await, in_use_or_scope(scopes), "{who}");
            }
        }
        let got = match peer.call("question.list", json!({})).await {
            Ok(page) => {
                let records = page["questions"].as_array().expect("questions").iter();
                records.filter_map(|record| record["id"].as_str()).collect::<Vec<_>>().join(" ")
            }
            Err(error) => fault(&error),
        };
        assert_eq!(got, listed, "{who} lists");
    }
}

/// An id that is taken has to be refused; asking needs its scope first.
fn in_use_or_scope(scopes: &[&str]) -> &'static str {
    if scopes.contains(&"operator.questions") { "QUESTION_ID_IN_USE" } else { "MISSING_SCOPE" }
}

#[tokio::test(start_paused = true)]
async fn events_go_to_those_who_may_see() {
    let world = World::new().await;
    world.person("ann", &["questions.answer"]).await;
    world.person("eve", &[]).await;
    let mut service = world.bearer(None, &["operator.questions"], &[]).await;
    let mut other = world.bearer(None, &["operator.questions"], &[]).await;
    let mut ann = world.bearer(Some("ann"), &["operator.questions"], &["askrelay/1"]).await;
    let mut eve = world.bearer(Some("eve"), &["operator.questions"], &["askrelay/1"]).await;
    let mut scopeless = world.bearer(Some("ann"), &[], &["askrelay/1"]).await;
    service.ok("question.request", ask("a")).await;
    ann.ok("question.resolve", answer("a", "Staging")).await;
    let both = ["question.requested a pending", "question.resolved a answered"];
    assert_eq!(service.heard().await, both);
    assert_eq!(ann.heard().await, both);
    for (who, peer) in [("other", &mut other), ("eve", &mut eve), ("scopeless", &mut scopeless)] {
        assert_eq!(peer.heard().await, [""; 0], "{who}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_right_counts_as_it_is_now() {
    let world = World::new().await;
    world.person("ann", &["questions.answer"]).await;
    let mut ann = world.bearer(Some("ann"), &["operator.questions"], &["askrelay/1"]).await;
    world.local().await.ok("question.request", ask("a")).await;
    ann.ok("question.get", json!({"id": "a"})).await;
    world.person("ann", &[]).await;
    assert_eq!(ann.err("question.resolve", answer("a", "Staging")).await, "QUESTION_NOT_FOUND");
    world.person("ann", &["questions.answer"]).await;
    ann.ok("question.resolve", answer("a", "Staging")).await;
}

/// What the platform's roles give is the ring's to tell; whoever says so about themselves is told nothing and gets nothing.
#[tokio::test(start_paused = true)]
async fn roles_count_as_the_ring_tells_them() {
    let world = World::new().await;
    world.person("ann", &[]).await;
    let (mut ring, mut local) = (world.ring().await, world.local().await);
    let wire = ["operator.questions", "operator.sessions.write", "operator.admin"];
    let mut ann = world.bearer(Some("ann"), &wire, &["askrelay/1"]).await;
    let mut owner = world.bearer(Some("owner"), &wire, &["askrelay/1"]).await;
    let mut service = world.bearer(None, &wire, &["askrelay/1"]).await;
    let by = |id: &str, person: &str, granted: &[&str]| {
        let identity = json!({"surface": "discord", "user": "7"});
        let mut params = answer(id, "Staging");
        params["actor"] = json!({
            "person": person, "identity": identity, "way": "control", "granted": granted, "name": "Eve",
        });
        params
    };
    const ANSWER: &[&str] = &["questions.answer"];
    for id in ["a", "b"] {
        local.ok("question.request", ask(id)).await;
    }
    for (row, peer, expected) in [
        ("nobody who sees it", &mut ann, "QUESTION_NOT_FOUND"),
        ("an admin", &mut owner, "QUESTION_NOT_PERMITTED"),
        ("a service", &mut service, "QUESTION_NOT_PERMITTED"),
        ("a local process", &mut local, "QUESTION_NOT_PERMITTED"),
    ] {
        assert_eq!(peer.err("question.resolve", by("a", "discord:7", ANSWER)).await, expected, "{row}");
    }
    for (row, person, granted) in [
        ("no role any more", "discord:7", &[][..]),
        ("too little", "discord:7", &["sessions.write"]),
        ("another's identity", "discord:8", ANSWER),
        ("somebody known without a role", "ann", &[]),
    ] {
        let refused = ring.err("question.resolve", by("a", person, granted)).await;
        assert_eq!(refused, "QUESTION_NOT_PERMITTED", "{row}");
    }
    let record = ring.ok("question.resolve", by("a", "discord:7", ANSWER)).await;
    let who = (&record["actor"]["person"], &record["actor"]["granted"], &record["actorName"]);
    assert_eq!(who, (&json!("discord:7"), &json!(ANSWER), &json!("Eve (discord:7)")));
    let record = ring.ok("question.resolve", by("b", "ann", ANSWER)).await;
    assert_eq!(record["actorName"], "ann", "somebody known is shown by their own name");

    let trail = local.ok("audit.list", json!({"person": "discord:7"})).await;
    let lines = trail["entries"].as_array().expect("entries").iter();
    let lines: Vec<_> = lines.map(|entry| (&entry["what"], &entry["actor"]["identity"]["user"])).collect();
    let (answered, refused) = (json!("ask.answered"), json!("answer.refused"));
    assert_eq!(lines, [(&answered, &json!("7")), (&refused, &json!("7")), (&refused, &json!("7"))]);
}

/// Ann may see the Record when she begins to wait; what she hears is what she may know when the wait ends.
#[tokio::test(start_paused = true)]
async fn a_wait_ends_with_what_one_may_know_by_then() {
    let world = World::new().await;
    world.person("bob", &["questions.answer"]).await;
    let mut bob = world.bearer(Some("bob"), &["operator.questions"], &["askrelay/1"]).await;
    for (name, rights, is_answered, expected) in [
        ("rights kept", &["questions.answer"][..], true, "answered"),
        ("rights kept, still pending", &["questions.answer"], false, "pending"),
        ("rights revoked", &[], true, "QUESTION_NOT_FOUND"),
        ("rights revoked, still pending", &[], false, "QUESTION_NOT_FOUND"),
    ] {
        world.person("ann", &["questions.answer"]).await;
        let mut ann = world.bearer(Some("ann"), &["operator.questions"], &["askrelay/1"]).await;
        world.local().await.ok("question.request", ask(name)).await;
        let waiting = ann.begin("question.waitAnswer", json!({"id": name, "timeoutMs": 30_000})).await;
        ann.settle().await;
        world.person("ann", rights).await;
        if is_answered {
            bob.ok("question.resolve", answer(name, "Staging")).await;
        }
        let got = match ann.reply(&waiting).await {
            Ok(waited) => waited["status"].as_str().unwrap_or_default().to_owned(),
            Err(error) => fault(&error),
        };
        assert_eq!(got, expected, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_caller_may_call_at_all() {
    let world = World::new().await;
    /// Name, Person, scopes; what each call says.
    type Row<'a> = (&'a str, Option<&'a str>, &'a [&'a str], [&'a str; 4]);
    let rows: [Row<'_>; 5] = [
        ("all", Some("owner"), &["operator.admin"], ["ok", "ok", "ok", "INVALID_REQUEST"]),
        ("questions", Some("owner"), &["operator.questions"], ["ok", "ok", "MISSING_SCOPE", "MISSING_SCOPE"]),
        (
            "sessions",
            Some("owner"),
            &["operator.sessions.write"],
            ["MISSING_SCOPE", "ok", "MISSING_SCOPE", "MISSING_SCOPE"],
        ),
        (
            "sessions, nobody",
            None,
            &["operator.sessions.write"],
            ["MISSING_SCOPE", "FORBIDDEN", "MISSING_SCOPE", "MISSING_SCOPE"],
        ),
        ("none", Some("owner"), &[], ["MISSING_SCOPE"; 4]),
    ];
    for (who, person, scopes, expected) in rows {
        let mut peer = world.bearer(person, scopes, &["askrelay/1"]).await;
        let calls = [
            ("question.request", ask(who)),
            ("question.list", json!({})),
            ("tokens.list", json!({})),
            ("sessions.list", json!({})),
        ];
        for ((method, params), expected) in calls.into_iter().zip(expected) {
            let got = peer.err(method, params).await;
            let got = if got.starts_with("ok") { "ok" } else { got.as_str() };
            assert_eq!(got, expected, "{who}: {method}");
        }
    }
}
