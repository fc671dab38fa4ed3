//! People, doors and the trail by HTTP: the same rules as on the wire, with the right statuses.

use askrelay_core::id::{Account, Identity, Place};
use askrelay_core::permit::{Caller, WireScope};
use askrelay_core::person::Scope;
use askrelay_core::port::{Knock, Welcome};
use askrelay_protocol::call::PairingCall;
use askrelay_protocol::connect::Connect;
use askrelay_protocol::frame::{CAP, Call, ClientFrame, ServerFrame};
use askrelay_protocol::reply::Reply;
use serde_json::{Value, json};

use crate::world::{Response, World, question_with};

/// A stranger knocks at the ring; gives the code.
async fn knock(world: &World, user: &str) -> String {
    let (requests, mut frames) = world.gateway.connect(Caller::Ring);
    let account = Account { surface: "telegram".into(), name: "main".into() };
    let knock = Knock {
        place: Place { account, conversation: user.into() },
        identity: Identity { surface: "telegram".into(), user: user.into() },
        display_name: user.to_owned(),
        invite: None,
    };
    let connect = Connect {
        min_protocol: 4,
        max_protocol: 4,
        caps: vec![CAP.to_owned()],
        scopes: Vec::new(),
        ..Connect::default()
    };
    let calls = [Call::Connect(Box::new(connect)), Call::Pairings(PairingCall::Knock(knock))];
    for (number, call) in calls.into_iter().enumerate() {
        requests.send(ClientFrame::Request { id: number.to_string(), call }).await.expect("it runs");
    }
    loop {
        if let ServerFrame::Response { id, result } = frames.recv().await.expect("it runs")
            && id == "1"
        {
            match result {
                Ok(Reply::Knocked(Welcome::Code { code, .. })) => return code,
                other => panic!("{other:?}"),
            }
        }
    }
}

fn check(response: &Response, status: u16, code: &str, row: &str) {
    let got = if response.status < 300 { String::new() } else { response.code() };
    assert_eq!((response.status, got.as_str()), (status, code), "{row}: {response:?}");
}

#[tokio::test(start_paused = true)]
async fn an_admin_manages_people() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let ann = json!({"id": "ann", "displayName": "ann", "scopes": [], "identities": []});
    let changed = json!({"grant": ["questions.answer"], "link": [{"surface": "telegram", "user": "7"}]});
    let rows = [
        ("add", "POST", "/v1/people", Some(json!({"id": "ann"})), 201, ""),
        ("add the same", "POST", "/v1/people", Some(ann), 201, ""),
        (
            "add another so",
            "POST",
            "/v1/people",
            Some(json!({"id": "ann", "scopes": ["questions.answer"]})),
            409,
            "conflict",
        ),
        ("add nobody", "POST", "/v1/people", Some(json!({})), 422, "invalid"),
        ("add with a name that is none", "POST", "/v1/people", Some(json!({"id": "a b"})), 422, "invalid"),
        ("add with more", "POST", "/v1/people", Some(json!({"id": "x", "y": 1})), 422, "invalid"),
        ("add what is no object", "POST", "/v1/people", Some(json!([])), 422, "invalid"),
        ("change", "PATCH", "/v1/people/ann", Some(changed), 200, ""),
        ("change nothing", "PATCH", "/v1/people/ann", Some(json!({})), 200, ""),
        ("change nobody", "PATCH", "/v1/people/eve", Some(json!({})), 404, "not_found"),
        ("change the id", "PATCH", "/v1/people/ann", Some(json!({"id": "ann"})), 422, "invalid"),
        ("a right that is none", "PATCH", "/v1/people/ann", Some(json!({"grant": ["all"]})), 422, "invalid"),
        (
            "the last admin",
            "PATCH",
            "/v1/people/owner",
            Some(json!({"revoke": ["questions.admin"]})),
            409,
            "conflict",
        ),
        ("see", "GET", "/v1/people/ann", None, 200, ""),
        ("see nobody", "GET", "/v1/people/eve", None, 404, "not_found"),
        ("see all", "GET", "/v1/people", None, 200, ""),
        ("forget the last admin", "DELETE", "/v1/people/owner", None, 409, "conflict"),
        ("forget", "DELETE", "/v1/people/ann", None, 204, ""),
        ("forget nobody", "DELETE", "/v1/people/ann", None, 404, "not_found"),
    ];
    for (row, method, path, body, status, code) in rows {
        let response = world.send(&token, method, path, body).await;
        check(&response, status, code, row);
        if row == "see" {
            let expected = json!({"id": "ann", "displayName": "ann", "scopes": ["questions.answer"],
                "identities": [{"surface": "telegram", "user": "7"}]});
            assert_eq!(response.json(), expected);
        }
        if row == "add nobody" {
            assert!(response.body.contains("'id'"), "{response:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_admin_opens_doors() {
    let mut world = World::new().await;
    let token = world.owner().await;
    let (first, second) = (knock(&world, "7").await, knock(&world, "8").await);
    let waiting = world.send(&token, "GET", "/v1/pairings", None).await.json();
    assert_eq!(waiting["pairings"].as_array().map(Vec::len), Some(2));
    let approve = format!("/v1/pairings/{first}");
    let rows = [
        ("no person", approve.as_str(), json!({}), 422, "invalid"),
        ("no such code", "/v1/pairings/AAAAAAAA", json!({"person": "ann"}), 404, "not_found"),
        ("let in", &approve, json!({"person": "ann", "scopes": ["questions.answer"]}), 200, ""),
        ("once", &approve, json!({"person": "ann"}), 404, "not_found"),
    ];
    for (row, path, body, status, code) in rows {
        check(&world.send(&token, "POST", path, Some(body)).await, status, code, row);
    }
    let reject = format!("/v1/pairings/{second}");
    check(&world.send(&token, "DELETE", &reject, None).await, 204, "", "turn away");
    check(&world.send(&token, "DELETE", &reject, None).await, 404, "not_found", "turned away");
    let made = world.send(&token, "POST", "/v1/invites", Some(json!({"person": "bob"}))).await;
    check(&made, 201, "", "an invite");
    let made = made.json();
    let listed = world.send(&token, "GET", "/v1/invites", None).await;
    assert_eq!(listed.json()["invites"][0], made["invite"]);
    assert!(!listed.body.contains(made["code"].as_str().expect("a code")));
    let path = format!("/v1/invites/{}", made["invite"]["id"].as_str().expect("an id"));
    check(&world.send(&token, "DELETE", &path, None).await, 204, "", "revoked");
    check(&world.send(&token, "DELETE", &path, None).await, 404, "not_found", "revoked before");
    let late = json!({"person": "bob", "expiresAtMs": 0});
    check(&world.send(&token, "POST", "/v1/invites", Some(late)).await, 422, "invalid", "over already");
}

#[tokio::test(start_paused = true)]
async fn nobody_else_learns_whether_anything_is_there() {
    let mut world = World::new().await;
    world.person("ann", &[Scope::QuestionsAnswer]).await;
    let code = knock(&world, "7").await;
    let narrow = world.token(Some("ann"), &[WireScope::Questions]).await;
    let wide = world.token(Some("ann"), &[WireScope::Admin]).await;
    let service = world.token(None, &[WireScope::Questions]).await;
    let there = format!("/v1/pairings/{code}");
    let rows: [(&str, &str, Option<Value>); 14] = [
        ("GET", "/v1/people", None),
        ("GET", "/v1/people/ann", None),
        ("GET", "/v1/people/nobody", None),
        ("POST", "/v1/people", Some(json!({"id": "x"}))),
        ("PATCH", "/v1/people/ann", Some(json!({"grant": ["questions.admin"]}))),
        ("PATCH", "/v1/people/nobody", Some(json!({}))),
        ("DELETE", "/v1/people/nobody", None),
        ("GET", "/v1/pairings", None),
        ("POST", &there, Some(json!({"person": "x"}))),
        ("DELETE", "/v1/pairings/AAAAAAAA", None),
        ("GET", "/v1/invites", None),
        ("POST", "/v1/invites", Some(json!({"person": "x"}))),
        ("DELETE", "/v1/invites/x", None),
        ("GET", "/v1/audit", None),
    ];
    for (method, path, body) in rows {
        let row = format!("{method} {path}");
        check(&world.send(&narrow, method, path, body.clone()).await, 403, "missing_scope", &row);
        check(&world.send(&service, method, path, body.clone()).await, 403, "missing_scope", &row);
        check(&world.send(&wide, method, path, body).await, 403, "not_permitted", &row);
    }
}

#[tokio::test(start_paused = true)]
async fn the_trail_is_paged_and_filtered() {
    let mut world = World::new().await;
    world.person("ann", &[Scope::QuestionsAnswer]).await;
    world.person("eve", &[]).await;
    let (token, ann) = (world.owner().await, world.token(Some("ann"), &[WireScope::Questions]).await);
    let eve = world.token(Some("eve"), &[WireScope::Questions]).await;
    let asked = question_with(json!({"id": "x", "sessionKey": "s"}));
    world.ask(&token, asked).await;
    for _ in 0..50 {
        let refused = world.send(&eve, "POST", "/v1/asks/x/answer", Some(json!({"text": "1"}))).await;
        assert_eq!(refused.status, 404);
    }
    world.send(&ann, "POST", "/v1/asks/x/answer", Some(json!({"text": "staging"}))).await;
    let (mut path, mut lines) = ("/v1/audit?ask=x&limit=10".to_owned(), Vec::new());
    loop {
        let page = world.send(&token, "GET", &path, None).await.json();
        for entry in page["entries"].as_array().expect("entries") {
            let words = [&entry["what"], &entry["actor"]["person"], &entry["words"]];
            let words: Vec<&str> = words.into_iter().filter_map(Value::as_str).collect();
            lines.push(words.join(" "));
        }
        match page["next"].as_i64() {
            Some(next) => path = format!("/v1/audit?ask=x&limit=10&after={next}"),
            None => break,
        }
    }
    assert_eq!(lines.first().map(String::as_str), Some("ask.answered ann staging"));
    assert_eq!(lines.last().map(String::as_str), Some("ask.opened owner"));
    let refusals = lines.iter().filter(|line| *line == "answer.refused eve").count();
    assert_eq!(refusals, lines.len() - 2);
    assert_eq!(refusals, 20, "more would only fill the disk");
    let of_ann = world.send(&token, "GET", "/v1/audit?person=ann", None).await.json();
    assert_eq!(of_ann["entries"].as_array().map(Vec::len), Some(1));
    assert_eq!(of_ann["entries"][0]["answers"], json!({"target": ["Staging"]}));
    for wrong in ["limit=0", "limit=1001", "after=x", "nonsense=1"] {
        let path = format!("/v1/audit?{wrong}");
        check(&world.send(&token, "GET", &path, None).await, 400, "bad_request", wrong);
    }
}
