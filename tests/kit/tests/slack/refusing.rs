//! What the platform refuses, and by which name; beside each what it still takes.

use serde_json::{Value, json};

use super::{Scene, colours, text};

/// A method, its parameters, and the error of the answer; `ok` where it is taken. In the parameters, `$name` is an id of the
/// stage below.
type Row = (&'static str, &'static str, Value, &'static str);

async fn check(rows: Vec<Row>) {
    let stage = Stage::new().await;
    let mut wrong = Vec::new();
    for (name, method, params, expected) in rows {
        let (status, body) = stage.scene.call(method, stage.fill(params)).await;
        let error = body["error"].as_str().unwrap_or("ok");
        if (status, error) != (200, expected) {
            wrong.push(format!("{name}: {status} {error}, not {expected}: {body}"));
        }
        assert_eq!(body["ok"], json!(expected == "ok" && error == "ok"), "{name}: {body}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One of every kind of conversation and person, with whom one can do and not do things.
struct Stage {
    scene: Scene,
    ids: Vec<(&'static str, String)>,
}

impl Stage {
    async fn new() -> Self {
        let scene = Scene::new();
        let (platform, team) = (&scene.platform, &scene.team);
        let [outsider, gone] = ["Lee", "Ash"].map(|name| team.person(name));
        gone.deactivate();
        let (elsewhere, other) = (platform.team("Other"), team.app("other"));
        let [unjoined, archived, foreign] =
            [team.channel("unjoined"), team.channel("old"), elsewhere.channel("far")];
        let [secret, hidden] = ["secret", "hidden"].map(|name| team.private_channel(name));
        archived.add_app(&scene.app);
        secret.add_app(&scene.app);
        let mine = scene.ask(&scene.channel).await;
        let deleted = scene.ask(&scene.channel).await;
        scene.channel.delete(&deleted);
        let stale = scene.ask(&archived).await;
        archived.archive();
        let reply = scene.sam.reply(&scene.channel, &mine, "Why?");
        let ids = vec![
            ("$dm", scene.direct.id().to_owned()),
            ("$other_dm", scene.sam.open(&other).id().to_owned()),
            ("$channel", scene.channel.id().to_owned()),
            ("$unjoined", unjoined.id().to_owned()),
            ("$archived", archived.id().to_owned()),
            ("$foreign", foreign.id().to_owned()),
            ("$secret", secret.id().to_owned()),
            ("$hidden", hidden.id().to_owned()),
            ("$sam", scene.sam.id().to_owned()),
            ("$outsider", outsider.id().to_owned()),
            ("$gone", gone.id().to_owned()),
            ("$stranger", elsewhere.person("Far").id().to_owned()),
            ("$bot", other.user_id()),
            ("$mine", mine),
            ("$deleted", deleted),
            ("$stale", stale),
            ("$reply", reply),
        ];
        Self { scene, ids }
    }

    fn fill(&self, value: Value) -> Value {
        match value {
            Value::String(text) => match self.ids.iter().find(|(name, _)| *name == text) {
                Some((_, id)) => id.clone().into(),
                None => Value::String(text),
            },
            Value::Object(fields) => {
                Value::Object(fields.into_iter().map(|(name, value)| (name, self.fill(value))).collect())
            }
            other => other,
        }
    }
}

fn to(channel: &str) -> Value {
    json!({ "channel": channel, "text": "hello" })
}

fn with(mut params: Value, name: &str, value: impl Into<Value>) -> Value {
    params[name] = value.into();
    params
}

#[tokio::test]
async fn writing_is_refused_by_name() {
    let post = "chat.postMessage";
    check(vec![
        ("a conversation of one's own", post, to("$dm"), "ok"),
        ("a person, by whom it is found", post, to("$sam"), "ok"),
        ("a channel", post, to("$channel"), "ok"),
        ("a private channel", post, to("$secret"), "ok"),
        ("another app's conversation", post, to("$other_dm"), "channel_not_found"),
        ("a private channel where it is not", post, to("$hidden"), "channel_not_found"),
        ("another team's channel", post, to("$foreign"), "channel_not_found"),
        ("another team's person", post, to("$stranger"), "channel_not_found"),
        ("no channel", post, json!({ "text": "hello" }), "channel_not_found"),
        ("a public channel where it is not", post, to("$unjoined"), "not_in_channel"),
        ("an archived channel", post, to("$archived"), "is_archived"),
        ("nothing", post, json!({ "channel": "$dm" }), "no_text"),
        ("nothing in blocks", post, json!({ "channel": "$dm", "blocks": [] }), "no_text"),
        ("4000 signs", post, with(to("$dm"), "text", "\u{1f600}".repeat(4000)), "ok"),
        ("4001 signs", post, with(to("$dm"), "text", "x".repeat(4001)), "msg_too_long"),
        ("blocks alone", post, json!({ "channel": "$dm", "blocks": colours() }), "ok"),
        ("blocks as text", post, with(to("$dm"), "blocks", colours().to_string()), "ok"),
        ("blocks that are none", post, with(to("$dm"), "blocks", "[{"), "invalid_blocks_format"),
        ("a wrong block", post, with(to("$dm"), "blocks", json!([{ "type": "poll" }])), "invalid_blocks"),
        ("a thread", post, with(to("$channel"), "thread_ts", "$mine"), "ok"),
        (
            "the thread of a reply",
            post,
            with(to("$channel"), "thread_ts", "$reply"),
            "cannot_reply_to_message",
        ),
        ("no thread", post, with(to("$channel"), "thread_ts", "1.2"), "thread_not_found"),
    ])
    .await;
}

#[tokio::test]
async fn changing_is_refused_by_name() {
    let edit = |channel: &str, ts: &str| json!({ "channel": channel, "ts": ts, "text": "new" });
    let (update, delete) = ("chat.update", "chat.delete");
    check(vec![
        ("one's own", update, edit("$channel", "$mine"), "ok"),
        ("the same again", update, edit("$channel", "$mine"), "ok"),
        ("somebody else's", update, edit("$channel", "$reply"), "cant_update_message"),
        ("none", update, edit("$channel", "1.2"), "message_not_found"),
        ("a deleted one", update, edit("$channel", "$deleted"), "message_not_found"),
        ("elsewhere", update, edit("$dm", "$mine"), "message_not_found"),
        ("nowhere", update, edit("$hidden", "$mine"), "channel_not_found"),
        ("in an archived channel", update, edit("$archived", "$stale"), "is_inactive"),
        ("4001 signs", update, with(edit("$channel", "$mine"), "text", "x".repeat(4001)), "msg_too_long"),
        ("nothing", update, json!({ "channel": "$channel", "ts": "$mine" }), "no_text"),
        ("deleting somebody else's", delete, edit("$channel", "$reply"), "cant_delete_message"),
        ("deleting one's own", delete, edit("$channel", "$mine"), "ok"),
        ("deleting it again", delete, edit("$channel", "$mine"), "message_not_found"),
    ])
    .await;
}

#[tokio::test]
async fn people_and_places_are_refused_by_name() {
    let (open, ephemeral) = ("conversations.open", "chat.postEphemeral");
    let (info, members, user) = ("conversations.info", "conversations.members", "users.info");
    check(vec![
        ("opening", open, json!({ "users": "$outsider" }), "ok"),
        ("opening for nobody", open, json!({}), "users_list_not_supplied"),
        ("opening for no one known", open, json!({ "users": "U1" }), "user_not_found"),
        ("opening for another team", open, json!({ "users": "$stranger" }), "user_not_found"),
        ("opening for a bot", open, json!({ "users": "$bot" }), "cannot_dm_bot"),
        ("opening for who is gone", open, json!({ "users": "$gone" }), "user_disabled"),
        ("telling one alone", ephemeral, with(to("$channel"), "user", "$sam"), "ok"),
        (
            "telling who is not there",
            ephemeral,
            with(to("$channel"), "user", "$outsider"),
            "user_not_in_channel",
        ),
        ("telling where it is not", ephemeral, with(to("$unjoined"), "user", "$sam"), "not_in_channel"),
        ("telling nothing", ephemeral, json!({ "channel": "$channel", "user": "$sam" }), "no_text"),
        ("a channel", info, json!({ "channel": "$channel" }), "ok"),
        ("a public channel where it is not", info, json!({ "channel": "$unjoined" }), "ok"),
        ("a private channel where it is not", info, json!({ "channel": "$hidden" }), "channel_not_found"),
        ("who is in it", members, json!({ "channel": "$channel" }), "ok"),
        ("a person", user, json!({ "user": "$sam" }), "ok"),
        ("a bot", user, json!({ "user": "$bot" }), "ok"),
        ("a stranger", user, json!({ "user": "$stranger" }), "user_not_found"),
        ("no method", "chat.shout", json!({}), "unknown_method"),
    ])
    .await;
}

#[tokio::test]
async fn tokens_are_refused_by_name() {
    let scene = Scene::new();
    let (bot, app) = (scene.app.bot_token(), scene.app.app_token());
    let call = async |token: &str, method: &str| {
        let (_, body) = scene.platform.call(token, method, &to(scene.channel.id())).await.unwrap();
        body["error"].as_str().unwrap_or("ok").to_owned()
    };
    let rows = [
        ("the right one", bot.as_str(), "auth.test", "ok"),
        ("none", "", "auth.test", "not_authed"),
        ("a wrong one", "xoxb-1-2-3", "auth.test", "invalid_auth"),
        ("an app's where a bot's is wanted", &app, "auth.test", "not_allowed_token_type"),
        ("a bot's where an app's is wanted", &bot, "apps.connections.open", "not_allowed_token_type"),
        ("an app's", &app, "apps.connections.open", "ok"),
    ];
    for (name, token, method, expected) in rows {
        assert_eq!(call(token, method).await, expected, "{name}");
    }
    scene.app.revoke();
    assert_eq!(call(&bot, "auth.test").await, "token_revoked");
    scene.app.deactivate();
    assert_eq!(call(&bot, "chat.postMessage").await, "account_inactive");
    scene.app.restore();
    scene.app.remove_scope("chat:write");
    assert_eq!(call(&bot, "chat.postMessage").await, "missing_scope");
    let (_, body) = scene.call("chat.postMessage", to(scene.channel.id())).await;
    assert_eq!(body["needed"], "chat:write");
    assert!(text(&body["provided"]).contains("im:write"), "{body}");
}

#[tokio::test]
async fn a_policy_ends_the_time_for_changes() {
    let scene = Scene::new();
    let ts = scene.ask(&scene.channel).await;
    scene.team.set_edit_window(Some(60));
    let edit = json!({ "channel": scene.channel.id(), "ts": ts, "text": "new" });
    scene.platform.pass(60);
    scene.ok("chat.update", edit.clone()).await;
    scene.platform.pass(1);
    assert_eq!(scene.call("chat.update", edit).await.1["error"], "edit_window_closed");
}

#[tokio::test]
async fn forms_are_read_as_json_is() {
    let scene = Scene::new();
    let blocks =
        "[{\"type\":\"divider\"},{\"type\":\"section\",\"text\":{\"type\":\"plain_text\",\"text\":\"a b\"}}]";
    let body = format!(
        "token={}&channel={}&text=a+%26+b&blocks={}",
        scene.app.bot_token(),
        scene.channel.id(),
        blocks.replace('"', "%22").replace(' ', "+")
    );
    let headers = [("Content-Type", "application/x-www-form-urlencoded")];
    let (_, answer) = scene.platform.call_raw("chat.postMessage", &headers, body.into_bytes()).await.unwrap();
    assert_eq!(answer["ok"], true, "{answer}");
    assert_eq!(scene.channel.message(&text(&answer["ts"])).lines, ["---", "a b"]);
}
