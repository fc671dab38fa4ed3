//! What asks for no answer: it goes to the ring, whose word on where it was said is the asker's answer.

use serde_json::{Value, json};

use crate::world::{Peer, World, fault};

fn news() -> Value {
    json!({"message": "The build is green.", "label": "ci", "places": ["ops"]})
}

/// The number of the notification that the ring hears next.
async fn hears(ring: &mut Peer) -> Value {
    loop {
        let event = ring.event().await;
        if event["event"] == "notify.requested" {
            return event["payload"].clone();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_ring_tells_it_and_says_in_how_many_places() {
    let world = World::new().await;
    let mut asker = world.local().await;
    assert_eq!(asker.ok("notify.send", news()).await, json!({"places": 0}), "nobody is there to tell it");
    let mut ring = world.ring().await;
    let call = asker.begin("notify.send", news()).await;
    let heard = hears(&mut ring).await;
    assert_eq!(
        heard,
        json!({"number": heard["number"], "message": "The build is green.", "origin": {"label": "ci"},
               "creator": "owner", "places": ["ops"]})
    );
    let sent = json!({"number": heard["number"], "places": 2});
    assert_eq!(asker.err("notify.sent", sent.clone()).await, "FORBIDDEN", "only the ring says so");
    ring.ok("notify.sent", sent.clone()).await;
    assert_eq!(asker.reply(&call).await, Ok(json!({"places": 2})));
    ring.ok("notify.sent", sent).await;
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_a_ring_that_is_gone_or_silent() {
    let world = World::new().await;
    let mut asker = world.local().await;
    let mut ring = world.ring().await;
    let call = asker.begin("notify.send", news()).await;
    hears(&mut ring).await;
    drop(ring);
    assert_eq!(asker.reply(&call).await.map_err(|error| fault(&error)), Err("UNAVAILABLE".to_owned()));
    let mut ring = world.ring().await;
    let call = asker.begin("notify.send", news()).await;
    let number = hears(&mut ring).await["number"].clone();
    assert_eq!(asker.reply(&call).await.map_err(|error| fault(&error)), Err("UNAVAILABLE".to_owned()));
    ring.ok("notify.sent", json!({"number": number, "places": 1})).await;
}

#[tokio::test(start_paused = true)]
async fn not_everybody_may_tell_everything() {
    let world = World::with(|config| config.bounds.text_bytes = 64).await;
    let mut asker = world.local().await;
    world.person("ann", &["sessions.write"]).await;
    let mut reader = world.bearer(Some("ann"), &["operator.sessions.write"], &["askrelay/1"]).await;
    for (row, params, expected) in [
        ("no words", json!({"message": ""}), "INVALID_REQUEST"),
        ("too many words", json!({"message": "x".repeat(65)}), "INVALID_REQUEST"),
        ("more than is known", json!({"message": "x", "loud": true}), "INVALID_REQUEST"),
    ] {
        assert_eq!(asker.err("notify.send", params).await, expected, "{row}");
    }
    assert_eq!(reader.err("notify.send", news()).await, "MISSING_SCOPE", "it may not ask either");
}
