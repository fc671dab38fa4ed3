//! What apps are told: messages of every kind, mentions, changes, people of other teams, organisations; and what messages reach
//! beyond words.

use askrelay_kit::slack::{Channel, From, Post, StandIn};
use serde_json::{Value, json};

use super::{Scene, text};

/// Every field of the second is so in the first; `null` is a field that is not there.
fn contains(value: &Value, part: &Value) -> bool {
    match part {
        Value::Object(fields) => fields.iter().all(|(name, part)| contains(&value[name], part)),
        Value::Array(items) => items.iter().enumerate().all(|(index, part)| contains(&value[index], part)),
        part => value == part,
    }
}

#[tokio::test]
async fn messages_have_the_platforms_shape() {
    let scene = Scene::new();
    let question = scene.ask(&scene.channel).await;
    let mut listener = scene.listen().await;
    listener.take().await;
    let bot = scene.app.user_id();
    let rows: Vec<(&str, Post, Value)> = vec![
        ("text", Post::text("red"), json!({ "text": "red", "channel_type": "channel", "thread_ts": null })),
        ("signs", Post::text("a & b < c"), json!({ "text": "a &amp; b &lt; c" })),
        ("an entity that was typed", Post::text("&lt;"), json!({ "text": "&amp;lt;" })),
        (
            "an address",
            Post::text("see https://a.example/x?a=1&b=2."),
            json!({ "text": "see <https://a.example/x?a=1&amp;b=2>." }),
        ),
        (
            "a mail address",
            Post::text("sam@a.example"),
            json!({ "text": "<mailto:sam@a.example|sam@a.example>" }),
        ),
        ("a sign of approval", Post::text("\u{1f44d} 2\u{fe0f}\u{20e3}"), json!({ "text": ":+1: :two:" })),
        (
            "a reply",
            Post::text("red").in_thread(&question),
            json!({ "thread_ts": question, "parent_user_id": bot }),
        ),
        (
            "a reply for all",
            Post::text("red").in_thread(&question).broadcast(),
            json!({ "subtype": "thread_broadcast", "thread_ts": question }),
        ),
        (
            "a file",
            Post::file("red"),
            json!({ "subtype": "file_share", "text": "red", "files": [{ "id": "F01" }] }),
        ),
        ("an act", Post::text("waves").subtype("me_message"), json!({ "subtype": "me_message" })),
        ("anything", Post::text("red").with("is_starred", json!(true)), json!({ "is_starred": true })),
    ];
    for (name, post, expected) in rows {
        let ts = scene.sam.send(&scene.channel, post);
        let event = listener.event().await;
        assert_eq!((&event["ts"], &event["user"]), (&json!(ts), &json!(scene.sam.id())), "{name}");
        assert!(contains(&event, &expected), "{name}: {event} has no {expected}");
    }
}

#[tokio::test]
async fn a_mention_comes_twice_with_one_name() {
    let scene = Scene::new();
    let mut listener = scene.listen().await;
    let ts = scene.sam.send(&scene.channel, Post::text("2").mentioning(&scene.app));
    let (message, mention) = (listener.event().await, listener.event().await);
    assert_eq!((&message["type"], &mention["type"]), (&json!("message"), &json!("app_mention")));
    assert_eq!((&message["ts"], &mention["ts"]), (&json!(ts), &json!(ts)));
    assert_eq!(mention["text"], json!(format!("<@{}> 2", scene.app.user_id())));
    scene.app.remove_scope("channels:history");
    scene.sam.write(&scene.channel, "not for it");
    scene.sam.send(&scene.channel, Post::text("3").mentioning(&scene.app));
    assert_eq!(listener.event().await["type"], "app_mention", "without the scope nothing else is heard");
    scene.sam.send(&scene.direct, Post::text("4").mentioning(&scene.app));
    assert_eq!(listener.event().await["channel_type"], "im");
    scene.app.remove_event("message.im");
    scene.sam.write(&scene.direct, "nothing");
    scene.app.until_quiet().await;
    assert_eq!(scene.app.deliveries().len(), 4);
}

#[tokio::test]
async fn changes_and_deletions_are_told() {
    let scene = Scene::new();
    let mut listener = scene.listen().await;
    let ts = scene.sam.write(&scene.channel, "red");
    listener.event().await;
    scene.sam.edit(&scene.channel, &ts, "blue");
    let changed = listener.event().await;
    let expected = json!({
        "subtype": "message_changed", "message": { "text": "blue", "ts": ts, "edited": { "user": scene.sam.id() } },
        "previous_message": { "text": "red" },
    });
    assert!(contains(&changed, &expected), "{changed}");
    assert_ne!(changed["ts"], json!(ts));
    scene.channel.unfurl(&ts);
    let shown = listener.event().await;
    assert_eq!(shown["message"]["text"], shown["previous_message"]["text"], "nobody changed a word");
    scene.channel.delete(&ts);
    let deleted = listener.event().await;
    assert_eq!((&deleted["subtype"], &deleted["deleted_ts"]), (&json!("message_deleted"), &json!(ts)));
    assert_eq!(scene.channel.messages(), []);
    let ts = scene.ask(&scene.channel).await;
    let own = listener.event().await;
    assert_eq!((&own["user"], &own["app_id"]), (&json!(scene.app.user_id()), &json!(scene.app.id())));
    scene.sam.reply(&scene.channel, &ts, "red");
    listener.event().await;
    let edit = json!({ "channel": scene.channel.id(), "ts": ts, "text": "x", "blocks": [] });
    scene.ok("chat.update", edit).await;
    let changed = listener.event().await;
    assert_eq!(changed["message"]["thread_ts"], json!(ts), "a message with replies names itself");
}

#[tokio::test]
async fn who_is_nobody_is_told_apart() {
    let scene = Scene::new();
    let other = scene.team.app("other");
    scene.channel.add_app(&other);
    let mut listener = scene.listen().await;
    scene.channel.post_by_webhook("2");
    let hook = listener.event().await;
    assert_eq!((&hook["subtype"], &hook["user"]), (&json!("bot_message"), &Value::Null));
    let params = json!({ "channel": scene.channel.id(), "text": "3" });
    scene.platform.call(&other.bot_token(), "chat.postMessage", &params).await.unwrap();
    let post = listener.event().await;
    assert_eq!((&post["bot_id"], &post["subtype"]), (&json!(other.bot_id()), &Value::Null));
    let kim = scene.team.person("Kim");
    scene.channel.join(&kim);
    assert_eq!(listener.event().await["subtype"], "channel_join");
    let from: Vec<From> = scene.channel.messages().into_iter().map(|message| message.from).collect();
    let expected = [From::Webhook, From::App(other.id().to_owned()), From::Person(kim.id().to_owned())];
    assert_eq!(from, expected);
}

#[tokio::test]
async fn people_of_another_team_say_so() {
    let scene = Scene::new();
    let organisation = scene.platform.enterprise("Partners");
    for theirs in [scene.platform.team("Partner"), organisation.team("Partner")] {
        let far = theirs.person("Far");
        scene.channel.share_with(&theirs);
        scene.channel.add(&far);
        let ts = scene.ask(&scene.channel).await;
        let mut listener = scene.listen().await;
        listener.take().await;
        let theirs_or_all = if far.id().starts_with('W') { organisation.id() } else { theirs.id() };
        far.send(&scene.channel, Post::text("red").mentioning(&scene.app));
        // A message is told as theirs, the mention in it as ours.
        let expected = json!({
            "team_id": theirs.id(), "context_team_id": scene.team.id(), "is_ext_shared_channel": true,
            "event": { "type": "message", "team": theirs.id(), "user": far.id() },
        });
        let message = listener.take().await;
        assert!(contains(&message, &expected), "{message}");
        assert_eq!(message["event"]["user_team"], Value::Null);
        let expected = json!({
            "team_id": scene.team.id(), "is_ext_shared_channel": true,
            "event": {
                "type": "app_mention", "team": scene.team.id(), "user_team": theirs_or_all,
                "source_team": theirs_or_all, "user_profile": { "team": theirs_or_all },
            },
        });
        let mention = listener.take().await;
        assert!(contains(&mention, &expected), "{mention}");
        far.tap(&scene.channel, &ts, "Red");
        let press = listener.take().await;
        assert_eq!(
            (&press["user"]["team_id"], &press["user"]["id"]),
            (&json!(theirs.id()), &json!(far.id()))
        );
        assert_eq!(scene.ok("users.info", json!({ "user": far.id() })).await["user"]["team_id"], theirs.id());
    }
}

const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn an_organisation_says_so() {
    let platform = StandIn::start();
    let organisation = platform.enterprise("Acme Group");
    let (team, app) = (organisation.team("Acme"), organisation.app("askrelay"));
    let sam = team.person("Sam");
    assert!(sam.id().starts_with('W'), "{}", sam.id());
    let (_, me) = platform.call(&app.bot_token(), "auth.test", &json!({})).await.unwrap();
    let expected = json!({ "team_id": organisation.id(), "enterprise_id": organisation.id(), "is_enterprise_install": true });
    assert!(contains(&me, &expected), "{me}");
    let mut listener = super::listener::Listener::connect(&platform, &app).await;
    let direct = sam.open(&app);
    sam.write(&direct, "red");
    let payload = listener.take().await;
    let expected = json!({ "team_id": team.id(), "enterprise_id": organisation.id(), "authorizations": [{ "is_enterprise_install": true, "team_id": null }] });
    assert!(contains(&payload, &expected), "{payload}");
    let params = json!({ "channel": direct.id(), "text": "x", "blocks": super::colours() });
    let (_, sent) = platform.call(&app.bot_token(), "chat.postMessage", &params).await.unwrap();
    listener.take().await;
    sam.tap(&direct, &text(&sent["ts"]), "Red");
    let press = listener.take().await;
    let expected = json!({
        "enterprise": { "id": organisation.id() }, "is_enterprise_install": true, "user": { "team_id": team.id() },
        "team": null,
    });
    assert!(contains(&press, &expected), "{press}");
    // Its workspaces come in pages, by a form; JSON is not read.
    let other = organisation.team("Other");
    platform.team("Stranger");
    let rows = [
        (FORM, "limit=1", vec![team.id()], "1"),
        (FORM, "limit=1&cursor=1", vec![other.id()], ""),
        (FORM, "", vec![team.id(), other.id()], ""),
        ("application/json", "{\"limit\": 1}", vec![team.id(), other.id()], ""),
    ];
    let bearer = format!("Bearer {}", app.bot_token());
    for (kind, body, ids, next) in rows {
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", kind)];
        let (_, page) = platform.call_raw("auth.teams.list", &headers, body.into()).await.unwrap();
        let told: Vec<&str> =
            page["teams"].as_array().unwrap().iter().filter_map(|team| team["id"].as_str()).collect();
        assert_eq!((told, &page["response_metadata"]["next_cursor"]), (ids, &json!(next)), "{kind} {body}");
    }
}

/// A message, and whom it pings, what it links to, what has style.
type Reach = (&'static str, Value, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

async fn marks(scene: &Scene, channel: &Channel, params: Value) -> (Vec<String>, Vec<String>, Vec<String>) {
    let mut params = params;
    params["channel"] = channel.id().into();
    let ts = text(&scene.ok("chat.postMessage", params).await["ts"]);
    let seen = channel.message(&ts);
    (seen.pings, seen.links, seen.styled)
}

#[tokio::test]
async fn what_reaches_beyond_words_is_seen() {
    let scene = Scene::new();
    let section = |kind: &str, text: &str| json!({ "blocks": [{ "type": "section", "text": { "type": kind, "text": text } }] });
    let verbatim = |text: &str| json!({ "blocks": [{ "type": "section", "text": { "type": "mrkdwn", "text": text, "verbatim": true } }] });
    let rich = |piece: Value| json!({ "blocks": [{ "type": "rich_text", "elements": [{ "type": "rich_text_section", "elements": [piece] }] }] });
    let rows: [Reach; 12] = [
        ("words", json!({ "text": "a &lt;!here&gt; & b" }), &[], &[], &[]),
        ("everybody", json!({ "text": "<!here> and <!channel>" }), &["!here", "!channel"], &[], &[]),
        (
            "one",
            json!({ "text": "<@U1> <#C1|x> <https://a.example|x>" }),
            &["@U1"],
            &["#C1", "https://a.example"],
            &[],
        ),
        ("an address", json!({ "text": "(https://a.example)" }), &[], &["https://a.example"], &[]),
        (
            "style",
            json!({ "text": "*bold* 2*3*4 _it_ snake_case_x `c`" }),
            &[],
            &[],
            &["*bold*", "_it_", "`c`"],
        ),
        ("plain words", section("plain_text", "<!here> *x* https://a.example"), &[], &[], &[]),
        (
            "words with markup",
            section("mrkdwn", "@here *x* https://a.example"),
            &["@here"],
            &["https://a.example"],
            &["*x*"],
        ),
        ("verbatim words", verbatim("@here https://a.example"), &[], &[], &[]),
        ("verbatim pings", verbatim("<!everyone>"), &["!everyone"], &[], &[]),
        (
            "rich words",
            rich(json!({ "type": "text", "text": "<!here> @here *x* https://a.example" })),
            &[],
            &[],
            &[],
        ),
        ("a rich user", rich(json!({ "type": "user", "user_id": "U1" })), &["@U1"], &[], &[]),
        (
            "rich style and a link",
            rich(
                json!({ "type": "link", "url": "https://a.example", "text": "x", "style": { "bold": true } }),
            ),
            &[],
            &["https://a.example"],
            &["x"],
        ),
    ];
    for (name, params, pings, links, styled) in rows {
        let found = marks(&scene, &scene.direct, params).await;
        let expected =
            [pings, links, styled].map(|list| list.iter().map(|word| (*word).to_owned()).collect());
        let [pings, links, styled]: [Vec<String>; 3] = expected;
        assert_eq!(found, (pings, links, styled), "{name}");
    }
    let ts = scene.ask(&scene.direct).await;
    assert!(scene.direct.message(&ts).unfurls, "unless it is forbidden");
    let quiet =
        json!({ "channel": scene.direct.id(), "text": "x", "unfurl_links": false, "unfurl_media": false });
    let ts = text(&scene.ok("chat.postMessage", quiet).await["ts"]);
    assert!(!scene.direct.message(&ts).unfurls);
}

#[tokio::test]
async fn what_is_for_one_is_seen_by_one_who_is_there() {
    let scene = Scene::new();
    let kim = scene.team.person("Kim");
    scene.channel.add(&kim);
    let params = |text: &str| json!({ "channel": scene.channel.id(), "user": scene.sam.id(), "text": text, "blocks": super::colours() });
    scene.sam.set_away(true);
    scene.ok("chat.postEphemeral", params("one")).await;
    scene.sam.set_away(false);
    let ts = text(&scene.ok("chat.postEphemeral", params("two")).await["message_ts"]);
    let seen: Vec<String> = scene.sam.ephemerals(&scene.channel).into_iter().map(|seen| seen.text).collect();
    assert_eq!(seen, ["two"]);
    assert_eq!((kim.ephemerals(&scene.channel), scene.channel.messages()), (vec![], vec![]));
    let mut listener = scene.listen().await;
    scene.sam.tap(&scene.channel, &ts, "Red");
    let press = listener.take().await;
    assert_eq!((&press["container"]["is_ephemeral"], &press["message"]), (&json!(true), &Value::Null));
    let url = text(&press["response_url"]);
    StandIn::post_json(&url, &json!({ "delete_original": true })).await.unwrap();
    assert_eq!(scene.sam.ephemerals(&scene.channel), []);
    let edit = json!({ "channel": scene.channel.id(), "ts": ts, "text": "x" });
    assert_eq!(scene.call("chat.update", edit).await.1["error"], "message_not_found");
}
