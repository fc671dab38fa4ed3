//! Deliveries over HTTP, signed, to a small server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use askrelay_kit::slack::{Delivery, Signing};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use super::{Scene, write};

/// What was brought, and what is answered to it.
#[derive(Clone)]
struct Door {
    brought: watch::Sender<Vec<Letter>>,
    answer: Arc<Mutex<(u16, String)>>,
    url: String,
}

#[derive(Clone)]
struct Letter {
    headers: HeaderMap,
    body: String,
}

impl Letter {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// What is in it: JSON, or a form with JSON in one field.
    fn payload(&self) -> Value {
        let json = match self.body.strip_prefix("payload=") {
            Some(percent) => decode(percent),
            None => self.body.clone(),
        };
        serde_json::from_str(&json).unwrap()
    }
}

fn decode(percent: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = percent.bytes();
    while let Some(byte) = rest.next() {
        let pair = || [rest.next(), rest.next()].map(|digit| char::from(digit.unwrap()));
        bytes.push(if byte == b'%' {
            let digits: String = { pair }().iter().collect();
            u8::from_str_radix(&digits, 16).unwrap()
        } else {
            byte
        });
    }
    String::from_utf8(bytes).unwrap()
}

impl Door {
    async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/slack", listener.local_addr().unwrap());
        let door = Self {
            brought: watch::Sender::new(Vec::new()),
            answer: Arc::new(Mutex::new((200, String::new()))),
            url,
        };
        let inside = door.clone();
        let take = move |headers: HeaderMap, body: Bytes| async move {
            let body = String::from_utf8(body.to_vec()).unwrap();
            inside.brought.send_modify(|all| all.push(Letter { headers, body }));
            let (status, answer) = inside.answer.lock().unwrap().clone();
            (StatusCode::from_u16(status).unwrap(), answer)
        };
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/slack", post(take))).await });
        door
    }

    fn answer(&self, status: u16, answer: &str) {
        *self.answer.lock().unwrap() = (status, answer.to_owned());
    }

    async fn brought(&self, count: usize) -> Vec<Letter> {
        let mut brought = self.brought.subscribe();
        let waited =
            tokio::time::timeout(Duration::from_secs(30), brought.wait_for(|all| all.len() >= count)).await;
        waited.expect("letters are brought").unwrap().clone()
    }
}

async fn scene_with_door() -> (Scene, Door) {
    let (scene, door) = (Scene::new(), Door::open().await);
    scene.app.use_http(&door.url, &door.url);
    (scene, door)
}

/// The signature as the platform's reference describes it, for a secret that is no longer than a block.
fn expected_signature(secret: &str, at: &str, body: &str) -> String {
    let pad = |with: u8| {
        let mut block = [with; 64];
        block.iter_mut().zip(secret.bytes()).for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = Sha256::digest([pad(0x36).as_slice(), format!("v0:{at}:{body}").as_bytes()].concat());
    let outer = Sha256::digest([pad(0x5c).as_slice(), inner.as_slice()].concat());
    outer.iter().fold("v0=".to_owned(), |all, byte| format!("{all}{byte:02x}"))
}

#[tokio::test]
async fn events_come_as_json_and_presses_as_a_form_signed_both() {
    let (scene, door) = scene_with_door().await;
    scene.sam.write(&scene.direct, "red & blue");
    let event = door.brought(1).await[0].clone();
    assert_eq!(event.header("content-type"), "application/json");
    assert_eq!(event.payload()["event"]["text"], "red &amp; blue");
    let ts = scene.ask(&scene.direct).await;
    door.brought(2).await;
    let tap = scene.sam.tap(&scene.direct, &ts, "Red");
    let press = door.brought(3).await[2].clone();
    assert_eq!(press.header("content-type"), "application/x-www-form-urlencoded");
    assert_eq!(press.payload()["actions"][0]["value"], "Red");
    assert_eq!(tap.answered().await, Value::Null);
    for letter in [event, press] {
        let at = letter.header("x-slack-request-timestamp");
        assert_eq!(at, scene.platform.now().to_string());
        let expected = expected_signature(&scene.app.signing_secret(), at, &letter.body);
        assert_eq!(letter.header("x-slack-signature"), expected);
    }
}

#[tokio::test]
async fn an_event_that_is_refused_comes_again_and_a_press_does_not() {
    let (scene, door) = scene_with_door().await;
    door.answer(500, "");
    scene.sam.write(&scene.direct, "red");
    for (count, seconds) in [(2, 0), (3, 60), (4, 300)] {
        let settled = |all: &[Delivery]| (all[0].statuses.len() + 1 >= count).then_some(());
        scene.app.until_deliveries("an answer that arrived", settled).await;
        scene.platform.pass(seconds);
        let letter = door.brought(count).await[count - 1].clone();
        let retry = (letter.header("x-slack-retry-num"), letter.header("x-slack-retry-reason"));
        assert_eq!(retry, ((count - 1).to_string().as_str(), "http_error"));
    }
    scene.app.until_quiet().await;
    assert_eq!(scene.app.deliveries()[0].statuses, [500; 4]);
    let ts = scene.ask(&scene.channel).await;
    let tap = scene.sam.tap(&scene.channel, &ts, "Red");
    assert_eq!(tap.failed().await, "http_error");
}

#[tokio::test]
async fn signatures_can_be_wrong() {
    let (scene, door) = scene_with_door().await;
    let (secret, now) = (scene.app.signing_secret(), scene.platform.now());
    let mut made = Vec::new();
    let rows = [
        (Signing::Right, true, now),
        (Signing::Late(299), true, now - 299),
        (Signing::Wrong, false, now),
        (Signing::Tampered, false, now),
        (Signing::Late(301), true, now - 301),
    ];
    for (index, (signing, good, at)) in rows.into_iter().enumerate() {
        scene.app.sign(1, &signing);
        scene.sam.write(&scene.direct, "red");
        let letter = door.brought(index + 1).await[index].clone();
        let expected = expected_signature(&secret, &at.to_string(), &letter.body);
        assert_eq!(letter.header("x-slack-request-timestamp"), at.to_string(), "{signing:?}");
        let signature = letter.header("x-slack-signature");
        assert_eq!(signature == expected, good, "{signing:?}");
        let valid = good && now - at <= 300;
        made.push(json!({ "name": format!("{signing:?}"), "body": letter.body, "at": at.to_string(), "signature": signature, "valid": valid }));
    }
    scene.app.sign(1, &Signing::Missing);
    scene.sam.write(&scene.direct, "red");
    assert_eq!(door.brought(6).await[5].header("x-slack-signature"), "");
    write("slack-stand-in-signed.json", &json!({ "secret": secret, "now": now, "rows": made }));
}

#[tokio::test]
async fn an_address_must_answer_the_challenge() {
    let (scene, door) = scene_with_door().await;
    let asked = scene.platform.verify_url(&scene.app, &door.url).await;
    assert!(asked.is_err(), "an empty answer");
    let challenge = door.brought(1).await[0].payload()["challenge"].clone();
    door.answer(200, &json!({ "challenge": challenge }).to_string());
    scene.platform.verify_url(&scene.app, &door.url).await.unwrap();
    assert_eq!(door.brought(2).await[1].payload()["type"], "url_verification");
}
