//! Presses, choices and forms: how they arrive, how they are answered, and until when.

use askrelay_kit::discord::{Answered, Form, Press};
use serde_json::{Value, json};

use super::{Scene, colours};

impl Scene {
    fn callback(press: &Press) -> String {
        format!("/interactions/{}/{}/callback", press.id(), press.token())
    }

    fn webhook(&self, press: &Press) -> String {
        format!("/webhooks/{}/{}", self.bot.id(), press.token())
    }

    /// Presses Red under a new question; the program has heard of both.
    async fn pressed(&mut self) -> (u64, Press) {
        let question = self.ask().await;
        let press = self.sam.tap(&self.channel, question, "Red");
        self.program.event("INTERACTION_CREATE").await;
        (question, press)
    }

    /// The status and code of an answer to a press.
    async fn answer(&self, press: &Press, body: Value) -> (u16, u64) {
        self.told("POST", &Self::callback(press), body).await
    }

    async fn told(&self, method: &str, path: &str, body: Value) -> (u16, u64) {
        let answer = self.call(method, path, body).await;
        (answer.status, answer.body["code"].as_u64().unwrap_or(0))
    }

    async fn form(&mut self, form: Value) -> Form {
        let (_, press) = self.pressed().await;
        assert_eq!(self.answer(&press, json!({ "type": 9, "data": form })).await, (204, 0));
        press.form().await
    }
}

fn note(text: &str) -> Value {
    json!({ "content": text, "flags": 64 })
}

fn input(fields: Value) -> Value {
    let mut input = json!({ "type": 4, "custom_id": "why", "label": "Why?", "style": 2 });
    input.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    json!({ "custom_id": "form", "title": "Reasons", "components": [{ "type": 1, "components": [input] }] })
}

fn labelled(component: Value) -> Value {
    json!({ "type": 18, "label": component["custom_id"], "component": component })
}

fn entries() -> Value {
    json!([{ "label": "Red", "value": "r" }, { "label": "Blue", "value": "b" }])
}

#[tokio::test]
async fn press_says_who_and_where() {
    let mut scene = Scene::new().await;
    let role = scene.guild.role("Deployers", 0);
    scene.guild.give(&scene.sam, &role);
    let question = scene.ask().await;
    let press = scene.sam.tap(&scene.channel, question, "Red");
    let event = scene.program.event("INTERACTION_CREATE").await;
    assert_eq!(event["data"], json!({ "component_type": 2, "custom_id": "red", "id": 2 }));
    assert_eq!(event["member"]["user"]["id"], scene.sam.id().to_string());
    assert_eq!(event["member"]["roles"], json!([role.id().to_string()]));
    assert_eq!(event["message"]["components"][0]["components"][1]["custom_id"], "blue");
    assert_eq!((&event["type"], &event["id"]), (&json!(3), &json!(press.id().to_string())));
    assert_eq!(event["channel"]["id"], scene.channel.id().to_string());
    assert_eq!(event["user"], Value::Null);
}

#[tokio::test]
async fn press_in_private_has_a_user_and_no_member() {
    let mut scene = Scene::new().await;
    let direct = scene.sam.direct(&scene.bot);
    let question = scene.ask_in(&direct).await;
    scene.program.event("MESSAGE_CREATE").await;
    scene.sam.tap(&direct, question, "Blue");
    let event = scene.program.event("INTERACTION_CREATE").await;
    assert_eq!(event["user"]["id"], scene.sam.id().to_string());
    assert_eq!((&event["member"], &event["guild_id"]), (&Value::Null, &Value::Null));
    assert_eq!((&event["context"], &event["channel"]["type"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn choice_brings_the_values_of_the_labels() {
    let mut scene = Scene::new().await;
    let select =
        json!({ "type": 3, "custom_id": "pick", "options": entries(), "min_values": 0, "max_values": 2 });
    let body = json!({ "content": "Which?", "components": [{ "type": 1, "components": [select] }] });
    let sent = scene.ok("POST", &format!("/channels/{}/messages", scene.channel.id()), body).await;
    scene.program.event("MESSAGE_CREATE").await;
    let question = sent["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(scene.channel.message(question).labels(), ["Red", "Blue"]);
    for (labels, values) in [(vec!["Blue", "Red"], json!(["b", "r"])), (vec![], json!([]))] {
        scene.sam.choose(&scene.channel, question, &labels);
        let event = scene.program.event("INTERACTION_CREATE").await;
        let data = json!({ "component_type": 3, "custom_id": "pick", "id": 2, "values": values });
        assert_eq!(event["data"], data);
    }
}

#[tokio::test]
async fn every_kind_of_answer_is_seen_as_what_it_is() {
    let thinking = |ephemeral| Answered::Thinking { ephemeral };
    let said = |text: &str, ephemeral| Answered::Note { text: text.to_owned(), ephemeral };
    let changed = json!({ "content": "Red it is.", "components": [] });
    let rows: [(&str, Value, Answered); 6] = [
        ("a private note", json!({ "type": 4, "data": note("Not for you.") }), said("Not for you.", true)),
        ("a public note", json!({ "type": 4, "data": { "content": "Done." } }), said("Done.", false)),
        ("later", json!({ "type": 5 }), thinking(false)),
        ("later, in private", json!({ "type": 5, "data": { "flags": 64 } }), thinking(true)),
        ("silence", json!({ "type": 6 }), Answered::Silent),
        ("a change", json!({ "type": 7, "data": changed }), Answered::Updated),
    ];
    for (name, body, expected) in rows {
        let mut scene = Scene::new().await;
        let (question, press) = scene.pressed().await;
        assert_eq!(press.answer(), None, "{name}");
        assert_eq!(scene.answer(&press, body).await, (204, 0), "{name}");
        assert_eq!(press.answered().await, expected, "{name}");
        let is_changed = expected == Answered::Updated;
        let seen = scene.channel.message(question);
        assert_eq!((seen.edited, seen.labels().is_empty()), (is_changed, is_changed), "{name}");
        let private = scene.sam.notes().into_iter().map(|note| note.text).collect::<Vec<_>>();
        assert_eq!(private.concat(), if name == "a private note" { "Not for you." } else { "" }, "{name}");
        let public = scene.channel.from_bots().len();
        assert_eq!(public, if ["a public note", "later"].contains(&name) { 2 } else { 1 }, "{name}");
    }
}

#[tokio::test]
async fn answers_that_are_refused() {
    let form = || input(json!({}));
    let rows: [(&str, Value, (u16, u64)); 7] = [
        ("no kind", json!({}), (400, 50035)),
        ("an unknown kind", json!({ "type": 12 }), (400, 50035)),
        ("nothing said", json!({ "type": 4, "data": {} }), (400, 50006)),
        ("too much said", json!({ "type": 4, "data": { "content": "x".repeat(2001) } }), (400, 50035)),
        ("nothing left", json!({ "type": 7, "data": { "content": "", "components": [] } }), (400, 50006)),
        (
            "a form without a title",
            json!({ "type": 9, "data": { "custom_id": "x", "components": [] } }),
            (400, 50035),
        ),
        ("a form", json!({ "type": 9, "data": form() }), (204, 0)),
    ];
    let mut scene = Scene::new().await;
    let (_, press) = scene.pressed().await;
    for (name, body, expected) in rows {
        assert_eq!(scene.answer(&press, body).await, expected, "{name}");
    }
    assert_eq!(scene.answer(&press, json!({ "type": 6 })).await, (400, 40060), "answered twice");
    let form = press.form().await.fill("Why?", "Because.");
    let sent = scene.sam.submit(&form);
    scene.program.event("INTERACTION_CREATE").await;
    let again = json!({ "type": 9, "data": input(json!({})) });
    assert_eq!(scene.answer(&sent, again).await, (400, 50035), "a form after a form");
    assert_eq!(scene.answer(&sent, json!({ "type": 6 })).await, (204, 0));
    let other = format!("/interactions/{}/another/callback", sent.id());
    assert_eq!(scene.told("POST", &other, json!({ "type": 6 })).await, (404, 10062), "another token");
}

#[tokio::test]
async fn answers_have_three_seconds() {
    let mut scene = Scene::new().await;
    for (ms, expected) in [(3000, (204, 0)), (3001, (404, 10062))] {
        let (_, press) = scene.pressed().await;
        scene.platform.pass_ms(ms);
        assert_eq!(press.has_failed(), expected.0 != 204, "{ms} ms");
        assert_eq!(scene.answer(&press, json!({ "type": 6 })).await, expected, "{ms} ms");
    }
}

#[tokio::test]
async fn tokens_have_a_quarter_of_an_hour() {
    let mut scene = Scene::new().await;
    let (_, press) = scene.pressed().await;
    let webhook = scene.webhook(&press);
    assert_eq!(scene.told("POST", &webhook, note("Early.")).await, (404, 10015), "before it is answered");
    scene.answer(&press, json!({ "type": 6 })).await;
    scene.platform.pass(900);
    assert_eq!(scene.told("POST", &webhook, note("In time.")).await, (200, 0));
    scene.platform.pass(1);
    assert_eq!(scene.told("POST", &webhook, note("Late.")).await, (401, 50027));
    let other = format!("/webhooks/{}/another", scene.bot.id());
    assert_eq!(scene.told("POST", &other, note("x")).await, (401, 50027));
    assert_eq!(scene.told("POST", "/webhooks/1/another", note("x")).await, (404, 10015));
    assert_eq!(press.until_note("time").await.text, "In time.");
    assert_eq!(scene.sam.notes().len(), 1);
}

#[tokio::test]
async fn first_words_after_thinking_take_its_place() {
    let mut scene = Scene::new().await;
    let (_, press) = scene.pressed().await;
    scene.answer(&press, json!({ "type": 5, "data": { "flags": 64 } })).await;
    assert_eq!((scene.sam.notes().len(), press.notes().len()), (0, 0));
    let webhook = scene.webhook(&press);
    // It is as private as "thinking" was, whatever it says itself.
    scene.ok("POST", &webhook, json!({ "content": "Recorded." })).await;
    let notes = scene.sam.notes();
    assert_eq!((notes.len(), notes[0].text.as_str(), notes[0].thinking), (1, "Recorded.", false));
    scene.ok("PATCH", &format!("{webhook}/messages/@original"), json!({ "content": "Recorded: Red." })).await;
    assert_eq!(scene.sam.notes()[0].text, "Recorded: Red.");
    let more = scene.ok("POST", &webhook, note("And more.")).await;
    assert_eq!(more["flags"], 64);
    let path = format!("{webhook}/messages/{}", more["id"].as_str().unwrap());
    scene.ok("DELETE", &path, Value::Null).await;
    assert_eq!(scene.told("PATCH", &path, note("x")).await, (404, 10008));
    assert_eq!(scene.sam.notes().len(), 1);
}

#[tokio::test]
async fn original_is_the_message_of_the_button_after_silence() {
    let mut scene = Scene::new().await;
    let (question, press) = scene.pressed().await;
    scene.answer(&press, json!({ "type": 6 })).await;
    let original = format!("{}/messages/@original", scene.webhook(&press));
    scene.ok("PATCH", &original, json!({ "content": "Red.", "components": [] })).await;
    let seen = scene.channel.message(question);
    assert_eq!((seen.text.as_str(), seen.labels().len()), ("Red.", 0));
    assert_eq!(scene.program.event("MESSAGE_UPDATE").await["content"], "Red.");
}

#[tokio::test]
async fn private_notes_are_told_like_direct_messages() {
    let mut scene = Scene::new().await;
    let (_, press) = scene.pressed().await;
    let ask = json!({ "type": 4, "data": { "content": "Sure?", "flags": 64, "components": colours() } });
    scene.answer(&press, ask).await;
    let event = scene.program.event("MESSAGE_CREATE").await;
    assert_eq!((&event["guild_id"], &event["flags"]), (&Value::Null, &json!(64)));
    let note = scene.sam.until_note("Sure?").await;
    let path = format!("/channels/{}/messages/{}", scene.channel.id(), note.id);
    assert_eq!(
        scene.told("PATCH", &path, json!({ "content": "x" })).await,
        (404, 10008),
        "only by its token"
    );
    let second = scene.sam.tap(&scene.channel, note.id, "Blue");
    assert_eq!(scene.program.event("INTERACTION_CREATE").await["message"]["flags"], 64);
    scene.answer(&second, json!({ "type": 7, "data": { "content": "Sure.", "components": [] } })).await;
    assert_eq!(scene.sam.until_note("Sure.").await.labels(), [] as [&str; 0]);
}

#[tokio::test]
async fn old_screen_can_still_be_pressed() {
    let mut scene = Scene::new().await;
    let question = scene.ask().await;
    let path = format!("/channels/{}/messages/{question}", scene.channel.id());
    scene.ok("PATCH", &path, json!({ "components": [] })).await;
    scene.program.event("MESSAGE_UPDATE").await;
    scene.sam.press(&scene.channel, question, "red");
    let event = scene.program.event("INTERACTION_CREATE").await;
    assert_eq!((&event["data"]["custom_id"], &event["message"]["components"]), (&json!("red"), &json!([])));
}

#[tokio::test]
async fn form_brings_what_was_filled_in() {
    let mut scene = Scene::new().await;
    let form = scene.form(input(json!({ "placeholder": "such as lilac", "value": "Mauve" }))).await;
    assert_eq!(
        (form.title.as_str(), form.fields[0].placeholder.as_deref()),
        ("Reasons", Some("such as lilac"))
    );
    assert_eq!(form.fields[0].values, ["Mauve"]);
    let words = " Lilac, *not* <b>red</b>\n🙂 ";
    let sent = scene.sam.submit(&form.fill("Why?", words));
    let event = scene.program.event("INTERACTION_CREATE").await;
    let inside = json!([{ "type": 4, "id": 2, "custom_id": "why", "value": words }]);
    let data = json!({ "custom_id": "form", "components": [{ "type": 1, "id": 1, "components": inside }] });
    assert_eq!((&event["type"], &event["data"]), (&json!(5), &data));
    assert!(event["message"].is_object(), "the message of the button that opened it");
    scene.answer(&sent, json!({ "type": 4, "data": note("Thanks.") })).await;
    assert_eq!(sent.answered().await, Answered::Note { text: "Thanks.".to_owned(), ephemeral: true });
}

#[tokio::test]
async fn newer_forms_have_labels_and_menus() {
    let mut scene = Scene::new().await;
    let menu = |kind: u64, id: &str| labelled(json!({ "type": kind, "custom_id": id, "options": entries() }));
    let form = json!({ "custom_id": "form", "title": "All", "components": [
        menu(3, "select"),
        menu(21, "radio"),
        menu(22, "boxes"),
        labelled(json!({ "type": 23, "custom_id": "box" })),
        labelled(json!({ "type": 4, "custom_id": "text", "style": 1, "required": false })),
    ] });
    let form = scene.form(form).await;
    let filled = form.choose("select", &["Blue"]).choose("radio", &["Red"]).choose("boxes", &["Red", "Blue"]);
    scene.sam.submit(&filled.choose("box", &["box"]));
    let data = scene.program.event("INTERACTION_CREATE").await["data"].clone();
    let inside = |index: usize| data["components"][index]["component"].clone();
    assert_eq!(inside(0), json!({ "type": 3, "id": 2, "custom_id": "select", "values": ["b"] }));
    assert_eq!(inside(1), json!({ "type": 21, "id": 4, "custom_id": "radio", "value": "r" }));
    assert_eq!(inside(2), json!({ "type": 22, "id": 6, "custom_id": "boxes", "values": ["r", "b"] }));
    assert_eq!(inside(3), json!({ "type": 23, "id": 8, "custom_id": "box", "value": true }));
    assert_eq!(inside(4), json!({ "type": 4, "id": 10, "custom_id": "text", "value": "" }));
}

#[tokio::test]
async fn forms_that_are_refused() {
    let mut scene = Scene::new().await;
    let (_, press) = scene.pressed().await;
    let rows = |count: usize| -> Value {
        let row = |index| {
            let input = json!({ "type": 4, "custom_id": format!("i{index}"), "label": "x", "style": 1 });
            json!({ "type": 1, "components": [input] })
        };
        json!({ "custom_id": "form", "title": "x", "components": (0..count).map(row).collect::<Vec<Value>>() })
    };
    let titled =
        |title: String| json!({ "custom_id": "form", "title": title, "components": rows(1)["components"] });
    let group = |kind: u64, count: usize| {
        let options: Vec<Value> =
            (0..count).map(|index| json!({ "label": "x", "value": index.to_string() })).collect();
        let group = labelled(json!({ "type": kind, "custom_id": "g", "options": options }));
        json!({ "custom_id": "form", "title": "x", "components": [group] })
    };
    let field = "data.components.0.components.0";
    let cases: Vec<(&str, Value, String)> = vec![
        ("longer title", titled("x".repeat(46)), "data.title".to_owned()),
        ("no components", rows(0), "data.components".to_owned()),
        ("6 components", rows(6), "data.components".to_owned()),
        ("longer label", input(json!({ "label": "x".repeat(46) })), format!("{field}.label")),
        (
            "longer placeholder",
            input(json!({ "placeholder": "x".repeat(101) })),
            format!("{field}.placeholder"),
        ),
        ("longer value", input(json!({ "value": "x".repeat(4001) })), format!("{field}.value")),
        ("unknown style", input(json!({ "style": 3 })), format!("{field}.style")),
        ("longest allowed is too long", input(json!({ "max_length": 4001 })), format!("{field}.max_length")),
        ("longer id", input(json!({ "custom_id": "x".repeat(101) })), format!("{field}.custom_id")),
        ("one radio button", group(21, 1), "data.components.0.component.options".to_owned()),
        ("11 boxes", group(22, 11), "data.components.0.component.options".to_owned()),
    ];
    for (name, form, place) in cases {
        let answer = scene.call("POST", &Scene::callback(&press), json!({ "type": 9, "data": form })).await;
        let wrong = place.split('.').fold(&answer.body["errors"], |errors, step| &errors[step]);
        assert!(answer.status == 400 && wrong["_errors"].is_array(), "{name}: {answer:?}");
    }
    let longest = json!({
        "label": "l".repeat(45), "placeholder": "p".repeat(100), "value": "v".repeat(4000),
        "custom_id": "i".repeat(100), "min_length": 0, "max_length": 4000,
    });
    let mut form = input(longest);
    form["title"] = json!("t".repeat(45));
    assert_eq!(scene.answer(&press, json!({ "type": 9, "data": form })).await, (204, 0), "longest of all");
}
