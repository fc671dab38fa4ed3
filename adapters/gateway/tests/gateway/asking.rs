//! Asking, answering and being told: the round trip, repeats, races, and what every wrong call hears.

use askrelay_store::TroubleKind;
use serde_json::{Value, json};

use crate::world::{World, answer, answer_by, ask, fault};

#[tokio::test(start_paused = true)]
async fn a_question_goes_out_and_its_answer_comes_back() {
    let world = World::new().await;
    let (mut ring, mut asker) = (world.ring().await, world.local().await);
    let asked = asker.ok("question.request", ask("a")).await;
    assert_eq!(asked["id"], "a");
    let waiting = asker.begin("question.waitAnswer", json!({"id": "a"})).await;
    assert_eq!(asker.heard().await, ["question.requested a pending"]);

    let resolved = ring.ok("question.resolve", answer_by("a", " Staging ", "owner")).await;
    assert_eq!(resolved["answers"], json!({"answers": {"q": ["Staging"]}}));
    let waited = asker.reply(&waiting).await.expect("answered");
    assert_eq!(waited["status"], "answered");
    assert_eq!(waited["answers"]["answers"]["q"], json!(["Staging"]));
    assert_eq!(waited["actor"], json!({"person": "owner", "way": "control"}));
    assert_eq!(asker.heard().await, ["question.resolved a answered"]);
    assert_eq!(
        ring.heard().await,
        ["people.changed", "question.requested a pending", "question.resolved a answered"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_plain_peer_hears_the_plain_shape() {
    let world = World::new().await;
    let mut asker = world.bearer(None, &["operator.questions"], &[]).await;
    let mut admin = world.bearer(Some("owner"), &["operator.questions", "operator.admin"], &[]).await;
    asker.ok("question.request", ask("a")).await;
    let record = admin.ok("question.get", json!({"id": "a"})).await["question"].clone();
    let mut expected = ask("a");
    expected["createdAtMs"] = json!(crate::world::START);
    expected["expiresAtMs"] = json!(crate::world::START + 900_000);
    expected["status"] = json!("pending");
    assert_eq!(record, expected);
    let resolved = admin.ok("question.resolve", answer("a", "Staging")).await;
    assert_eq!(resolved, json!({"status": "answered", "answers": {"answers": {"q": ["Staging"]}}}));
    let waited = asker.ok("question.waitAnswer", json!({"id": "a"})).await;
    assert_eq!(waited, resolved);
    asker.heard().await;
    let wide = json!({
        "id": "b", "questions": [{"questionId": "n", "header": "", "question": "How many?", "options": [],
        "constraint": {"type": "integer", "minimum": 1}}],
    });
    world.local().await.ok("question.request", wide).await;
    assert_eq!(admin.err("question.get", json!({"id": "b"})).await, "QUESTION_NOT_FOUND");
    assert_eq!(admin.ok("question.list", json!({})).await, json!({"questions": []}));
    assert!(!admin.heard().await.iter().any(|event| event.contains(" b ")));
}

/// The answer to the same request made again.
fn repeated(first: &Value) -> Value {
    let mut again = first.clone();
    again["wasThere"] = json!(true);
    again
}

#[tokio::test(start_paused = true)]
async fn repeating_changes_nothing() {
    let world = World::new().await;
    let (mut ring, mut asker) = (world.ring().await, world.local().await);
    let first = asker.ok("question.request", ask("a")).await;
    let again = asker.ok("question.request", ask("a")).await;
    assert_eq!(again, repeated(&first));
    let mut other = ask("a");
    other["questions"][0]["question"] = json!("Really?");
    assert_eq!(asker.err("question.request", other).await, "QUESTION_ID_IN_USE");

    let mut attempt = answer_by("a", "Staging", "owner");
    attempt["resolutionId"] = json!("r1");
    let resolved = ring.ok("question.resolve", attempt.clone()).await;
    assert_eq!(ring.ok("question.resolve", attempt.clone()).await, resolved);
    attempt["resolutionId"] = json!("r2");
    let error = ring.call("question.resolve", attempt).await.expect_err("too late");
    assert_eq!(fault(&error), "QUESTION_ALREADY_TERMINAL");
    assert_eq!(error["details"]["record"]["answers"], resolved["answers"]);
    assert_eq!(asker.ok("question.request", ask("a")).await, repeated(&first));
    let kept = asker.ok("question.get", json!({"id": "a"})).await;
    assert_eq!(kept["question"]["late"].as_array().map(Vec::len), Some(1));
    let heard = asker.heard().await;
    assert_eq!(heard.iter().filter(|event| event.contains("requested")).count(), 1, "{heard:?}");
}

/// Whatever has changed since: who repeats gets the Record that there is.
#[tokio::test(start_paused = true)]
async fn what_was_asked_before_is_not_judged_again() {
    let world = World::with(|config| config.bounds.pending_bytes = 2500).await;
    let mut asker = world.local().await;
    world.person("ann", &["questions.answer"]).await;
    let mut params = ask("a");
    params["answerers"] = json!(["ann"]);
    let first = repeated(&asker.ok("question.request", params.clone()).await);
    asker.ok("people.remove", json!({"id": "ann"})).await;
    assert_eq!(asker.err("question.request", ask("b")).await, "QUESTION_TOO_MANY_OPEN");
    assert_eq!(
        asker.ok("question.request", params.clone()).await,
        first,
        "ann is gone, and there is no room"
    );
    world.store.fail(TroubleKind::DiskFull);
    assert_eq!(asker.ok("question.request", params.clone()).await, first, "nothing can be saved");
    assert_eq!(asker.err("question.request", ask("a")).await, "QUESTION_ID_IN_USE");
}

#[tokio::test(start_paused = true)]
async fn of_many_answers_at_once_one_wins() {
    let world = World::new().await;
    let mut asker = world.local().await;
    let mut rings = Vec::new();
    for _ in 0..8 {
        rings.push(world.ring().await);
    }
    for round in 0..20 {
        let id = format!("a{round}");
        asker.ok("question.request", ask(&id)).await;
        let mut begun = Vec::new();
        for (index, ring) in rings.iter_mut().enumerate() {
            let value = if index % 2 == 0 { "Staging" } else { "Production" };
            begun.push((ring.begin("question.resolve", answer_by(&id, value, "owner")).await, value));
        }
        let mut won: Vec<&str> = Vec::new();
        let mut told: Vec<Value> = Vec::new();
        for (ring, (request, value)) in rings.iter_mut().zip(&begun) {
            match ring.reply(request).await {
                Ok(_) => won.push(value),
                Err(error) => told.push(error["details"]["record"]["answers"]["answers"]["q"].clone()),
            }
        }
        assert_eq!(won.len(), 1, "round {round}");
        assert!(told.iter().all(|values| *values == json!([won[0]])), "round {round}: {told:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_skip_and_a_withdrawal_say_so() {
    // asked by the local process; who cancels, with what, and what the asker is told
    let rows = [
        ("local", json!({}), "withdrawn"),
        ("local", json!({"reason": "declined"}), "FORBIDDEN"),
        ("ring", json!({"reason": "declined", "actor": {"person": "owner", "way": "control"}}), "declined"),
        ("ring", json!({"reason": "not_delivered", "detail": "kicked"}), "not_delivered"),
        ("local", json!({"reason": "not_delivered", "detail": "kicked"}), "FORBIDDEN"),
        ("owner", json!({"reason": "declined"}), "declined"),
    ];
    let world = World::new().await;
    let mut asker = world.local().await;
    for (index, (who, extra, expected)) in rows.into_iter().enumerate() {
        let id = format!("a{index}");
        asker.ok("question.request", ask(&id)).await;
        let mut peer = match who {
            "ring" => world.ring().await,
            "local" => world.local().await,
            person => world.bearer(Some(person), &["operator.questions"], &["askrelay/1"]).await,
        };
        let mut params = json!({"id": id, "cancel": true});
        for (name, value) in extra.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        let got = match peer.call("question.resolve", params).await {
            Ok(record) => record["reason"].as_str().unwrap_or_default().to_owned(),
            Err(error) => error["code"].as_str().unwrap_or_default().to_owned(),
        };
        assert_eq!(got, expected, "{who} with {extra}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_wrong_call_hears_what_is_wrong() {
    let world = World::new().await;
    let mut peer =
        world.bearer(Some("owner"), &["operator.questions", "operator.admin"], &["askrelay/1"]).await;
    peer.ok("question.request", ask("a")).await;
    let two = |label: &str| json!([{"label": label}, {"label": label}]);
    let with = |options: Value| json!({"questions": [{"questionId": "q", "header": "", "question": "?", "options": options}]});
    let rows = [
        ("question.request", json!({}), "INVALID_REQUEST"),
        ("question.request", json!({"questions": []}), "INVALID_REQUEST"),
        ("question.request", with(two("x")), "INVALID_REQUEST"),
        ("question.request", json!({"questions": ask("z")["questions"], "x": 1}), "INVALID_REQUEST"),
        ("question.get", json!({"id": "zz"}), "QUESTION_NOT_FOUND"),
        ("question.waitAnswer", json!({"id": "zz"}), "QUESTION_NOT_FOUND"),
        ("question.resolve", answer("zz", "Staging"), "QUESTION_NOT_FOUND"),
        ("question.resolve", answer("a", "Mars"), "QUESTION_INVALID_ANSWER"),
        (
            "question.resolve",
            json!({"id": "a", "answers": {"answers": {"zz": ["Staging"]}}}),
            "QUESTION_INVALID_ANSWER",
        ),
        ("question.resolve", json!({"id": "a", "answers": {"answers": {}}}), "QUESTION_INVALID_ANSWER"),
        ("question.resolve", json!({"id": "a", "cancel": false}), "INVALID_REQUEST"),
        ("question.resolve", answer_by("a", "Staging", "owner"), "QUESTION_NOT_PERMITTED"),
        ("question.nonsense", json!({}), "INVALID_REQUEST"),
        ("people.remove", json!({"id": "zz"}), "NOT_FOUND"),
        ("tokens.revoke", json!({"id": "zz"}), "INVALID_REQUEST"),
        ("tokens.create", json!({"person": "zz", "scopes": []}), "INVALID_REQUEST"),
        ("connect", json!({}), "INVALID_REQUEST"),
    ];
    for (method, params, expected) in rows {
        let shown = params.to_string();
        assert_eq!(peer.err(method, params).await, expected, "{method} {shown}");
    }
    let mut nobody = ask("b");
    nobody["answerers"] = json!(["owner", "zz"]);
    let error = peer.call("question.request", nobody).await.expect_err("nobody is called zz");
    assert_eq!(error["details"]["faults"][0]["path"], "/answerers/1");
    assert_eq!(peer.ok("question.get", json!({"id": "a"})).await["question"]["status"], "pending");
}

#[tokio::test(start_paused = true)]
async fn a_terminal_that_proves_itself_answers_what_it_asked() {
    let world = World::new().await;
    let mut asker = world.local().await;
    let mut with_proof = ask("a");
    with_proof["terminalProof"] = json!("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
    asker.ok("question.request", with_proof).await;
    let mut attempt = answer("a", "Staging");
    assert_eq!(asker.err("question.resolve", attempt.clone()).await, "QUESTION_NOT_PERMITTED");
    attempt["terminalSecret"] = json!("guess");
    assert_eq!(asker.err("question.resolve", attempt.clone()).await, "QUESTION_NOT_PERMITTED");
    attempt["terminalSecret"] = json!("test");
    let record = asker.ok("question.resolve", attempt).await;
    assert_eq!(record["actor"], json!({"person": "owner", "way": "askingTerminal"}));
    assert!(!record.to_string().contains("9f86d081"), "the proof is nobody's business");
}

#[tokio::test(start_paused = true)]
async fn lists_are_paged_under_the_cap_and_whole_without() {
    let world = World::new().await;
    let mut asker = world.local().await;
    for index in 0..5 {
        asker.ok("question.request", ask(&format!("a{index}"))).await;
    }
    let mut ids: Vec<String> = Vec::new();
    let mut params = json!({"limit": 2});
    loop {
        let page = asker.ok("question.list", params.clone()).await;
        let questions = page["questions"].as_array().expect("questions");
        ids.extend(questions.iter().filter_map(|record| record["id"].as_str()).map(str::to_owned));
        match page["next"].as_str() {
            Some(next) => params["after"] = json!(next),
            None => break,
        }
    }
    assert_eq!(ids, ["a0", "a1", "a2", "a3", "a4"]);
    let mut plain = world.peer(crate::world::local(), json!({})).await;
    let all = plain.ok("question.list", json!({})).await;
    assert_eq!(all["questions"].as_array().map(Vec::len), Some(5));
    assert_eq!(all.get("next"), None);
}

#[tokio::test(start_paused = true)]
async fn a_list_may_reach_back_to_what_has_ended() {
    let world = World::new().await;
    let mut asker = world.local().await;
    for (index, end) in ["", "cancel", "", "cancel"].into_iter().enumerate() {
        let id = format!("a{index}");
        asker.ok("question.request", ask(&id)).await;
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        if end == "cancel" {
            asker.ok("question.resolve", json!({"id": id, "cancel": true})).await;
        }
    }
    let start = crate::world::START;
    for (since, expected) in [(0, "a0 a1 a2 a3"), (start + 3000, "a0 a2 a3"), (start + 60_000, "a0 a2")] {
        let page = asker.ok("question.list", json!({"endedSinceMs": since, "limit": 1000})).await;
        let questions = page["questions"].as_array().expect("questions").iter();
        let ids: Vec<_> = questions.filter_map(|record| record["id"].as_str()).collect();
        assert_eq!(ids.join(" "), expected, "since {since}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_asker_says_that_it_has_the_end() {
    let world = World::new().await;
    let (mut ring, mut asker) = (world.ring().await, world.local().await);
    let mut service = world.bearer(None, &["operator.questions"], &["askrelay/1"]).await;
    for id in ["mcp-a-0", "mcp-a-1", "mcp-b-0"] {
        asker.ok("question.request", ask(id)).await;
    }
    let named = |id: &str| json!({"id": id});
    asker.ok("question.collect", named("mcp-a-0")).await;
    let waits = asker.ok("question.get", named("mcp-a-0")).await;
    assert_eq!(waits["question"]["collectedAtMs"], Value::Null, "nothing to collect yet");
    ring.ok("question.resolve", answer_by("mcp-a-0", "Staging", "owner")).await;
    assert_eq!(service.err("question.collect", named("mcp-a-0")).await, "QUESTION_NOT_FOUND");
    assert_eq!(asker.err("question.collect", named("mcp-c-0")).await, "QUESTION_NOT_FOUND");
    ring.heard().await;
    asker.ok("question.collect", named("mcp-a-0")).await;
    assert!(ring.heard().await.is_empty(), "nobody else is told");

    let family = |since: Value| json!({"idPrefix": "mcp-a-", "endedSinceMs": since});
    let found = asker.ok("question.list", family(json!(0))).await;
    let found = found["questions"].as_array().unwrap();
    let of = |record: &Value| (record["id"].clone(), record["collectedAtMs"].clone());
    assert_eq!(
        found.iter().map(of).collect::<Vec<_>>(),
        [(json!("mcp-a-0"), json!(crate::world::START)), (json!("mcp-a-1"), Value::Null)]
    );
    let waiting = asker.ok("question.list", json!({"idPrefix": "mcp-a-"})).await;
    assert_eq!(waiting["questions"].as_array().map(Vec::len), Some(1));
}
