//! Controls that keep what was taken until it is sent, inputs in messages, and modals.

use askrelay_kit::slack::Channel;
use serde_json::{Value, json};

use super::listener::Listener;
use super::{Scene, text};

fn plain(text: &str) -> Value {
    json!({ "type": "plain_text", "text": text })
}

fn options(labels: &[&str]) -> Vec<Value> {
    labels.iter().map(|label| json!({ "text": plain(label), "value": label.to_lowercase() })).collect()
}

/// Checkboxes, a menu and an input in a message, and a button that sends them all.
fn form() -> Value {
    json!([
        { "type": "actions", "block_id": "ticks", "elements": [
            { "type": "checkboxes", "action_id": "tick", "options": options(&["Tests", "Docs & more"]) },
        ] },
        { "type": "section", "block_id": "menu", "text": plain("Where?"), "accessory": {
            "type": "static_select", "action_id": "pick", "placeholder": plain("Choose"),
            "options": options(&["Here", "There"]), "initial_option": options(&["Here"])[0],
        } },
        { "type": "input", "block_id": "why", "label": plain("Why?"), "optional": true, "element": {
            "type": "plain_text_input", "action_id": "typed", "max_length": 10,
        } },
        { "type": "actions", "block_id": "send", "elements": [
            { "type": "button", "action_id": "go", "text": plain("Submit"), "value": "go", "confirm": {
                "title": plain("Sure?"), "text": plain("It cannot be undone."), "confirm": plain("Yes"), "deny": plain("No"),
            } },
        ] },
    ])
}

async fn post(scene: &Scene, channel: &Channel, blocks: Value) -> String {
    let params = json!({ "channel": channel.id(), "text": "A form", "blocks": blocks });
    text(&scene.ok("chat.postMessage", params).await["ts"])
}

#[tokio::test]
async fn a_press_carries_what_one_person_took_and_typed() {
    let scene = Scene::new();
    let ts = post(&scene, &scene.channel, form()).await;
    let kim = scene.team.person("Kim");
    scene.channel.add(&kim);
    let mut listener = scene.listen().await;
    listener.take().await;
    scene.sam.tick(&scene.channel, &ts, "Tests");
    scene.sam.tick(&scene.channel, &ts, "Docs & more");
    scene.sam.choose(&scene.channel, &ts, &["There"]);
    scene.sam.type_into(&scene.channel, &ts, "Why?", "a < b");
    kim.tick(&scene.channel, &ts, "Docs & more");
    let ticked = |payload: &Value| payload["actions"][0]["selected_options"].as_array().map_or(0, Vec::len);
    assert_eq!(ticked(&listener.take().await), 1);
    let second = listener.take().await;
    assert_eq!(ticked(&second), 2, "each tick is told: {second}");
    assert_eq!(second["actions"][0]["selected_options"][1]["text"]["text"], "Docs &amp; more");
    assert_eq!(listener.take().await["actions"][0]["selected_option"]["value"], "there");
    listener.take().await;
    let tap = scene.sam.tap(&scene.channel, &ts, "Submit");
    assert_eq!(tap.confirm.unwrap().text, "It cannot be undone.");
    let values = listener.take().await["state"]["values"].clone();
    assert_eq!(values["ticks"]["tick"]["selected_options"].as_array().unwrap().len(), 2);
    assert_eq!(values["menu"]["pick"]["selected_option"]["value"], "there");
    assert_eq!(values["why"]["typed"], json!({ "type": "plain_text_input", "value": "a < b" }));
    kim.tap(&scene.channel, &ts, "Submit");
    let values = listener.take().await["state"]["values"].clone();
    assert_eq!(values["ticks"]["tick"]["selected_options"][0]["value"], "docs & more");
    assert_eq!(values["menu"]["pick"]["selected_option"]["value"], "here", "what stood there");
    assert_eq!(values["why"]["typed"]["value"], Value::Null);
}

#[tokio::test]
async fn new_names_begin_anew_and_old_ones_keep_what_was_taken() {
    let scene = Scene::new();
    let ts = post(&scene, &scene.direct, form()).await;
    let old = scene.direct.message(&ts);
    scene.sam.type_into(&scene.direct, &ts, "Why?", "because");
    let mut listener = scene.listen().await;
    listener.take().await;
    let typed = async |listener: &mut Listener| {
        listener.take().await["state"]["values"]["why"]["typed"]["value"].clone()
    };
    let update =
        |blocks: Value| json!({ "channel": scene.direct.id(), "ts": ts, "text": "A form", "blocks": blocks });
    scene.ok("chat.update", update(form())).await;
    listener.take().await;
    scene.sam.tap(&scene.direct, &ts, "Submit");
    assert_eq!(typed(&mut listener).await, "because", "the same names");
    let mut fresh = form();
    fresh[2]["block_id"] = json!("why again");
    scene.ok("chat.update", update(fresh)).await;
    listener.take().await;
    scene.sam.tap(&scene.direct, &ts, "Submit");
    assert_eq!(listener.take().await["state"]["values"]["why again"]["typed"]["value"], Value::Null);
    scene.sam.tap_on(&scene.direct, &old, "Submit");
    assert_eq!(typed(&mut listener).await, "because", "an old screen");
    let raw = json!({ "type": "button", "block_id": "send", "action_id": "gone", "value": "x" });
    scene.sam.press(&scene.direct, &ts, raw);
    assert_eq!(listener.take().await["actions"][0]["action_id"], "gone");
}

fn modal(labels: &[&str]) -> Value {
    let input = |label: &&str| {
        json!({ "type": "input", "block_id": label, "label": plain(label), "element": {
            "type": "plain_text_input", "action_id": "typed",
        } })
    };
    let mut blocks: Vec<Value> = labels.iter().map(input).collect();
    blocks.push(
        json!({ "type": "input", "block_id": "where", "label": plain("Where?"), "optional": true, "element": {
        "type": "multi_static_select", "action_id": "pick", "options": options(&["Here", "There"]),
    } }),
    );
    json!({
        "type": "modal", "title": plain("Other"), "submit": plain("Send"), "callback_id": "other",
        "private_metadata": "token", "notify_on_close": true, "blocks": blocks,
    })
}

/// Opens a modal before Sam; the socket over which its news come.
async fn open(scene: &Scene, view: Value) -> Listener {
    let ts = scene.ask(&scene.direct).await;
    let mut listener = scene.listen().await;
    listener.take().await;
    scene.sam.tap(&scene.direct, &ts, "Red");
    let trigger = listener.take().await["trigger_id"].clone();
    scene.ok("views.open", json!({ "trigger_id": trigger, "view": view })).await;
    listener
}

#[tokio::test]
async fn a_modal_is_filled_corrected_and_sent() {
    let scene = Scene::new();
    let mut listener = open(&scene, modal(&["Why?"])).await;
    let form = scene.sam.until_modal("the modal", |form| form.title == "Other").await;
    assert_eq!(
        (form.submit.as_deref(), form.close.as_str(), form.lines),
        (Some("Send"), "Cancel", vec!["Why?".to_owned(), "Where?".to_owned()])
    );
    let wrong = scene.sam.try_submit().unwrap_err();
    assert_eq!(wrong, [("Why?".to_owned(), "Please complete this required field.".to_owned())]);
    scene.sam.fill("Why?", "no & yes");
    scene.sam.pick("Where?", &["There"]);
    let tap = scene.sam.submit();
    let frame = listener.frame().await.unwrap();
    let view = &frame["payload"]["view"];
    assert_eq!(
        (&frame["payload"]["type"], &view["callback_id"]),
        (&json!("view_submission"), &json!("other"))
    );
    assert_eq!(
        (&view["private_metadata"], &view["state"]["values"]["Why?"]["typed"]["value"]),
        (&json!("token"), &json!("no & yes"))
    );
    assert_eq!(view["state"]["values"]["where"]["pick"]["selected_options"][0]["value"], "there");
    let errors = json!({ "response_action": "errors", "errors": { "Why?": "Say more." } });
    listener.acknowledge(&frame, Some(errors)).await;
    tap.answered().await;
    let form = scene.sam.modal().unwrap();
    assert_eq!((form.error("Why?"), form.error("Where?")), (Some("Say more."), None));
    scene.sam.fill("Why?", "because");
    let tap = scene.sam.submit();
    listener.take().await;
    assert_eq!(tap.answered().await, Value::Null);
    scene.sam.until_no_modal().await;
    let tap = scene.sam.submit_again(&form);
    listener.take().await;
    tap.answered().await;
}

#[tokio::test]
async fn a_modal_is_dismissed_and_the_app_is_told() {
    let scene = Scene::new();
    let mut listener = open(&scene, modal(&["Why?"])).await;
    assert!(scene.sam.dismiss().is_some());
    assert_eq!(scene.sam.modal(), None);
    let payload = listener.take().await;
    assert_eq!((&payload["type"], &payload["is_cleared"]), (&json!("view_closed"), &json!(false)));
}

#[tokio::test]
async fn an_answer_to_a_modal_updates_pushes_clears_or_means_nothing() {
    let answers = [
        (json!({ "response_action": "update", "view": modal(&["Then?"]) }), Some("Then?"), 1),
        (json!({ "response_action": "push", "view": modal(&["Then?"]) }), Some("Then?"), 2),
        (json!({ "response_action": "clear" }), None, 0),
        (json!({}), None, 0),
    ];
    for (answer, expected, depth) in answers {
        let scene = Scene::new();
        let mut listener = open(&scene, modal(&["Why?"])).await;
        scene.sam.fill("Why?", "because");
        let tap = scene.sam.submit();
        let frame = listener.frame().await.unwrap();
        listener.acknowledge(&frame, Some(answer.clone())).await;
        tap.answered().await;
        assert_eq!(scene.sam.modal().map(|form| form.lines[0].clone()).as_deref(), expected, "{answer}");
        for _ in 0..depth {
            scene.sam.dismiss();
        }
        assert_eq!(scene.sam.modal(), None, "{answer}");
    }
    let wrong = [
        (json!({ "response_action": "errors", "errors": { "nowhere": "x" } }), "where no input is"),
        (json!({ "response_action": "errors", "errors": {} }), "errors without any"),
        (json!({ "response_action": "close" }), "means nothing"),
        (json!({ "response_action": "update", "view": {} }), "invalid_arguments"),
    ];
    for (answer, expected) in wrong {
        let scene = Scene::new();
        let mut listener = open(&scene, modal(&["Why?"])).await;
        scene.sam.fill("Why?", "because");
        let tap = scene.sam.submit();
        let frame = listener.frame().await.unwrap();
        listener.acknowledge(&frame, Some(answer)).await;
        let why = tap.failed().await;
        assert!(why.contains(expected), "{why}");
        assert_eq!(scene.app.complaints().len(), 1);
    }
}

#[tokio::test]
async fn a_modal_that_nobody_answers_stays_and_says_so() {
    let scene = Scene::new();
    let mut listener = open(&scene, modal(&["Why?"])).await;
    scene.sam.fill("Why?", "because");
    let tap = scene.sam.submit();
    let frame = listener.frame().await.unwrap();
    scene.platform.pass(4);
    assert_eq!(tap.failed().await, "the app did not answer in time");
    listener.acknowledge(&frame, None).await;
    scene.app.until_quiet().await;
    assert!(scene.sam.modal().is_some(), "an answer that comes too late changes nothing");
}

#[tokio::test]
async fn views_are_pushed_three_high_and_updated_against_races() {
    let scene = Scene::new();
    let mut listener = open(&scene, modal(&["1?"])).await;
    let ts = scene.ask(&scene.direct).await;
    listener.take().await;
    let mut trigger = async || {
        scene.sam.tap(&scene.direct, &ts, "Red");
        listener.take().await["trigger_id"].clone()
    };
    for (label, expected) in [("2?", "ok"), ("3?", "ok"), ("4?", "push_limit_reached")] {
        let params = json!({ "trigger_id": trigger().await, "view": modal(&[label]) });
        let (_, body) = scene.call("views.push", params).await;
        assert_eq!(body["error"].as_str().unwrap_or("ok"), expected, "{label}");
    }
    let form = scene.sam.modal().unwrap();
    assert_eq!(form.lines[0], "3?");
    let update = |hash: &str| json!({ "view_id": form.id, "hash": hash, "view": modal(&["5?"]) });
    assert_eq!(scene.call("views.update", update("1.2")).await.1["error"], "hash_conflict");
    let params = json!({ "view_id": form.id, "view": modal(&["5?"]) });
    let hash = text(&scene.ok("views.update", params).await["view"]["hash"]);
    scene.ok("views.update", update(&hash)).await;
    assert_eq!(scene.sam.modal().unwrap().lines[0], "5?");
    scene.sam.dismiss();
    assert_eq!(scene.call("views.update", update("")).await.1["error"], "not_found");
}
