//! What the platform refuses, and with which codes; beside each limit what it still takes.

use askrelay_kit::discord::permission;
use serde_json::{Value, json};

use super::{Scene, colours};

/// A name, a method, a path, a body, and what is answered: the status, the code and, of a body that is wrong, each place with the
/// code of what is wrong there; `@` is the first component of the first row. In path and body, `$name` is an id of the stage below.
pub(crate) type Row = (&'static str, &'static str, &'static str, Value, &'static str);

pub(crate) const SEND: &str = "/channels/$text/messages";
const EDIT: &str = "/channels/$text/messages/$mine";

pub(crate) async fn check(rows: Vec<Row>) {
    let stage = Stage::new().await;
    let file = format!("discord-judged-{}.json", rows[0].0.replace(' ', "-"));
    let (mut wrong, mut judged) = (Vec::new(), Vec::new());
    for (name, method, path, body, expected) in rows {
        let row = json!({ "name": name, "method": method, "path": path, "body": body });
        let (path, body) = (stage.fill(path), stage.fill(&body.to_string()));
        let answer = stage.scene.call(method, &path, serde_json::from_str(&body).unwrap()).await;
        let told = match answer.status {
            200 | 204 => "ok".to_owned(),
            status => format!("{status} {}{}", answer.body["code"], places(&answer.body["errors"], "")),
        };
        judged.push(json!({ "row": row, "told": told }));
        let expected = expected.replace('@', "components.0.components.0");
        if told != expected {
            wrong.push(format!("{name}: {told}, not {expected}: {}", answer.body));
        }
        let has_words = answer.body["message"].as_str().is_some_and(|words| !words.is_empty());
        assert!(told == "ok" || has_words, "{name}: {}", answer.body);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Programs that nobody here wrote judge the same: `tests/peers/discord_shapes.py`.
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(path, Value::Array(judged).to_string()).unwrap();
}

/// Every place in a tree of errors with what is wrong there.
fn places(errors: &Value, path: &str) -> String {
    let fields = errors.as_object().into_iter().flatten();
    let below = fields.map(|(name, value)| match value.as_array() {
        Some(list) => {
            let codes: Vec<&str> = list.iter().filter_map(|error| error["code"].as_str()).collect();
            format!(" {path}={}", codes.join("+"))
        }
        None => {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            places(value, &path)
        }
    });
    below.collect()
}

/// One of everything in which one can do and not do things.
struct Stage {
    scene: Scene,
    ids: Vec<(&'static str, u64)>,
}

impl Stage {
    async fn new() -> Self {
        let scene = Scene::new().await;
        let (platform, guild, bot) = (&scene.platform, &scene.guild, &scene.bot);
        let [unseen, mute, past] = ["unseen", "mute", "past"].map(|name| guild.text_channel(name));
        unseen.overwrite_bot(bot, 0, permission::VIEW_CHANNEL);
        mute.overwrite_bot(bot, 0, permission::SEND_MESSAGES);
        past.overwrite_bot(bot, 0, permission::READ_MESSAGE_HISTORY);
        let forum = guild.forum("forum");
        let [archived, locked, shut, silent] =
            ["archived", "locked", "shut", "silent"].map(|name| guild.thread(&scene.channel, name));
        let in_archived = scene.ask_in(&archived).await;
        archived.archive();
        locked.set_locked(true);
        shut.archive();
        shut.set_locked(true);
        let mute_thread = guild.thread(&mute, "of a mute channel");
        mute.overwrite_bot(bot, 0, permission::SEND_MESSAGES | permission::SEND_MESSAGES_IN_THREADS);
        let [closed, stranger] = ["Lee", "Kim"].map(|name| platform.person(name));
        guild.add(&closed);
        closed.refuse_direct(true);
        let (other_bot, other_guild) = (platform.bot("other"), platform.guild("Other"));
        let elsewhere = other_guild.text_channel("elsewhere");
        let gone = scene.ask_in(&scene.channel).await;
        scene.sam.delete(&scene.channel, gone);
        let mine = scene.ask_in(&scene.channel).await;
        let ids = vec![
            ("$text", scene.channel.id()),
            ("$unseen", unseen.id()),
            ("$mutethread", mute_thread.id()),
            ("$mute", mute.id()),
            ("$past", past.id()),
            ("$forum", forum.id()),
            ("$inarchived", in_archived),
            ("$archived", archived.id()),
            ("$locked", locked.id()),
            ("$shut", shut.id()),
            ("$silent", silent.id()),
            ("$elsewhere", elsewhere.id()),
            ("$otherguild", other_guild.id()),
            ("$otherbot", other_bot.id()),
            ("$guild", guild.id()),
            ("$theirs", scene.sam.write(&scene.channel, "hello")),
            ("$old", scene.sam.write(&past, "hello")),
            ("$system", scene.sam.send(&scene.channel, askrelay_kit::discord::Post::system(6))),
            ("$dmtheirs", scene.sam.write(&scene.sam.direct(bot), "hello")),
            ("$dm", scene.sam.direct(bot).id()),
            ("$closed", closed.direct(bot).id()),
            ("$strangeruser", stranger.id()),
            ("$stranger", stranger.direct(bot).id()),
            ("$gone", gone),
            ("$mine", mine),
            ("$sam", scene.sam.id()),
            ("$me", bot.id()),
        ];
        Self { scene, ids }
    }

    fn fill(&self, text: &str) -> String {
        self.ids.iter().fold(text.to_owned(), |text, (name, id)| text.replace(name, &id.to_string()))
    }
}

fn content(text: impl Into<String>) -> Value {
    json!({ "content": text.into() })
}

pub(crate) fn with(field: &str, value: Value) -> Value {
    json!({ "content": "hello", field: value })
}

#[tokio::test]
async fn contents() {
    check(vec![
        ("none", "POST", SEND, json!({}), "400 50006"),
        ("empty", "POST", SEND, content(""), "400 50006"),
        ("only spaces", "POST", SEND, content(" \n "), "400 50006"),
        ("null", "POST", SEND, json!({ "content": null }), "400 50006"),
        ("a number", "POST", SEND, json!({ "content": 7 }), "400 50035 content=STRING_TYPE_CONVERT"),
        ("longest, wide in UTF-16", "POST", SEND, content("😀".repeat(2000)), "ok"),
        ("one too many", "POST", SEND, content("x".repeat(2001)), "400 50035 content=BASE_TYPE_MAX_LENGTH"),
        (
            "edited, one too many",
            "PATCH",
            EDIT,
            content("x".repeat(2001)),
            "400 50035 content=BASE_TYPE_MAX_LENGTH",
        ),
        ("edited, longest", "PATCH", EDIT, content("x".repeat(2000)), "ok"),
        ("edited, without buttons", "PATCH", EDIT, json!({ "components": [] }), "ok"),
        ("edited, nothing left", "PATCH", EDIT, content(""), "400 50006"),
        ("only buttons", "POST", SEND, json!({ "components": colours() }), "ok"),
        ("longest nonce", "POST", SEND, with("nonce", json!("n".repeat(25))), "ok"),
        (
            "longer nonce",
            "POST",
            SEND,
            with("nonce", json!("n".repeat(26))),
            "400 50035 nonce=NONCE_TYPE_TOO_LONG",
        ),
        (
            "nonce that is none",
            "POST",
            SEND,
            with("nonce", json!([])),
            "400 50035 nonce=NONCE_TYPE_INVALID_TYPE",
        ),
        (
            "a field that is none",
            "POST",
            SEND,
            with("text", json!("x")),
            "400 50035 text=STAND_IN_UNKNOWN_FIELD",
        ),
        (
            "a newer layout",
            "POST",
            SEND,
            with("flags", json!(1 << 15)),
            "400 50035 flags=STAND_IN_UNKNOWN_FLAG",
        ),
    ])
    .await;
}

#[tokio::test]
async fn calls_of_people() {
    let allowed = |value: Value| with("allowed_mentions", value);
    let many: Vec<String> = (1..=101).map(|id| id.to_string()).collect();
    check(vec![
        ("nobody", "POST", SEND, allowed(json!({ "parse": [] })), "ok"),
        ("somebody", "POST", SEND, allowed(json!({ "parse": [], "users": ["$sam"] })), "ok"),
        (
            "an unknown kind",
            "POST",
            SEND,
            allowed(json!({ "parse": ["all"] })),
            "400 50035 allowed_mentions.parse.0=BASE_TYPE_CHOICES",
        ),
        (
            "all and some",
            "POST",
            SEND,
            allowed(json!({ "parse": ["users"], "users": ["1"] })),
            "400 50035 allowed_mentions=MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
        ),
        (
            "too many",
            "POST",
            SEND,
            allowed(json!({ "users": many })),
            "400 50035 allowed_mentions.users=BASE_TYPE_MAX_LENGTH",
        ),
        (
            "by name",
            "POST",
            SEND,
            allowed(json!({ "users": ["sam"] })),
            "400 50035 allowed_mentions.users.0=NUMBER_TYPE_COERCE",
        ),
    ])
    .await;
}

#[tokio::test]
async fn places_where_one_may_not() {
    let hello = || content("hello");
    let open = || json!({ "archived": false });
    check(vec![
        ("unknown channel", "POST", "/channels/1/messages", hello(), "404 10003"),
        ("no id", "POST", "/channels/general/messages", hello(), "400 50035 channel_id=NUMBER_TYPE_COERCE"),
        ("unseen", "POST", "/channels/$unseen/messages", hello(), "403 50001"),
        ("unseen, looked at", "GET", "/channels/$unseen", Value::Null, "403 50001"),
        ("of another guild", "GET", "/channels/$elsewhere", Value::Null, "403 50001"),
        ("mute", "POST", "/channels/$mute/messages", hello(), "403 50013"),
        ("mute, looked at", "GET", "/channels/$mute", Value::Null, "ok"),
        ("a thread where threads are mute", "POST", "/channels/$mutethread/messages", hello(), "403 50013"),
        ("a forum itself", "POST", "/channels/$forum/messages", hello(), "400 50008"),
        ("a thread", "POST", "/channels/$silent/messages", hello(), "ok"),
        ("a locked thread", "POST", "/channels/$locked/messages", hello(), "400 160005"),
        ("a locked thread in the archive", "POST", "/channels/$shut/messages", hello(), "400 50083"),
        (
            "a change in the archive",
            "PATCH",
            "/channels/$archived/messages/$inarchived",
            hello(),
            "400 50083",
        ),
        (
            "a deletion in the archive",
            "DELETE",
            "/channels/$archived/messages/$inarchived",
            Value::Null,
            "400 50083",
        ),
        ("a locked thread brought back", "PATCH", "/channels/$shut", open(), "403 50013"),
        ("a thread locked", "PATCH", "/channels/$silent", json!({ "locked": true }), "403 50013"),
        ("a thread put away", "PATCH", "/channels/$silent", json!({ "archived": true }), "403 50013"),
        ("a channel changed", "PATCH", "/channels/$text", json!({ "name": "x" }), "403 50013"),
        ("a thread brought back", "PATCH", "/channels/$archived", open(), "ok"),
        ("a change after that", "PATCH", "/channels/$archived/messages/$inarchived", hello(), "ok"),
        ("a direct message", "POST", "/channels/$dm/messages", hello(), "ok"),
        ("to one who takes none", "POST", "/channels/$closed/messages", hello(), "403 50007"),
        ("to a stranger", "POST", "/channels/$stranger/messages", hello(), "403 50278"),
        (
            "opened to nobody",
            "POST",
            "/users/@me/channels",
            json!({}),
            "400 50035 recipient_id=BASE_TYPE_REQUIRED",
        ),
        ("opened to an unknown", "POST", "/users/@me/channels", json!({ "recipient_id": "1" }), "400 50033"),
        ("opened to itself", "POST", "/users/@me/channels", json!({ "recipient_id": "$me" }), "400 50033"),
        (
            "opened to a stranger",
            "POST",
            "/users/@me/channels",
            json!({ "recipient_id": "$strangeruser" }),
            "ok",
        ),
    ])
    .await;
}

#[tokio::test]
async fn messages_that_are_not_its_own() {
    let reply = |fields: Value| with("message_reference", fields);
    let unknown = "400 50035 message_reference=REPLIES_UNKNOWN_MESSAGE";
    check(vec![
        ("unknown message", "PATCH", "/channels/$text/messages/1", content("x"), "404 10008"),
        ("deleted message", "PATCH", "/channels/$text/messages/$gone", content("x"), "404 10008"),
        ("deleted message, read", "GET", "/channels/$text/messages/$gone", Value::Null, "404 10008"),
        ("somebody else's", "PATCH", "/channels/$text/messages/$theirs", content("x"), "403 50005"),
        ("somebody else's, deleted", "DELETE", "/channels/$text/messages/$theirs", Value::Null, "403 50013"),
        (
            "somebody else's, deleted in private",
            "DELETE",
            "/channels/$dm/messages/$dmtheirs",
            Value::Null,
            "403 50003",
        ),
        ("its own", "PATCH", EDIT, content("x"), "ok"),
        ("read", "GET", EDIT, Value::Null, "ok"),
        ("read without history", "GET", "/channels/$past/messages/$old", Value::Null, "403 50001"),
        ("a reply", "POST", SEND, reply(json!({ "message_id": "$theirs" })), "ok"),
        (
            "a reply to nothing",
            "POST",
            SEND,
            reply(json!({})),
            "400 50035 message_reference.message_id=BASE_TYPE_REQUIRED",
        ),
        ("a reply to what is gone", "POST", SEND, reply(json!({ "message_id": "$gone" })), unknown),
        (
            "a reply to what may be gone",
            "POST",
            SEND,
            reply(json!({ "message_id": "$gone", "fail_if_not_exists": false })),
            "ok",
        ),
        (
            "a reply to the platform",
            "POST",
            SEND,
            reply(json!({ "message_id": "$system" })),
            "400 50035 message_reference=REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE",
        ),
        (
            "a reply to another channel",
            "POST",
            SEND,
            reply(json!({ "message_id": "$old", "channel_id": "$past" })),
            "400 50035 message_reference=REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL",
        ),
        (
            "a reply without history",
            "POST",
            "/channels/$past/messages",
            reply(json!({ "message_id": "$old" })),
            "400 160002",
        ),
        ("its own, deleted", "DELETE", EDIT, Value::Null, "ok"),
        ("deleted twice", "DELETE", EDIT, Value::Null, "404 10008"),
    ])
    .await;
}

#[tokio::test]
async fn what_a_start_check_reads() {
    check(vec![
        ("gateway", "GET", "/gateway", Value::Null, "ok"),
        ("gateway of a bot", "GET", "/gateway/bot", Value::Null, "ok"),
        ("itself", "GET", "/users/@me", Value::Null, "ok"),
        ("its application", "GET", "/applications/@me", Value::Null, "ok"),
        ("its guilds", "GET", "/users/@me/guilds", Value::Null, "ok"),
        ("a guild", "GET", "/guilds/$guild", Value::Null, "ok"),
        ("its roles", "GET", "/guilds/$guild/roles", Value::Null, "ok"),
        ("its channels", "GET", "/guilds/$guild/channels", Value::Null, "ok"),
        ("a member", "GET", "/guilds/$guild/members/$sam", Value::Null, "ok"),
        ("itself as a member", "GET", "/guilds/$guild/members/$me", Value::Null, "ok"),
        (
            "itself by a word that is only for changes",
            "GET",
            "/guilds/$guild/members/@me",
            Value::Null,
            "400 50035 user_id=NUMBER_TYPE_COERCE",
        ),
        (
            "somebody who is no member",
            "GET",
            "/guilds/$guild/members/$strangeruser",
            Value::Null,
            "404 10007",
        ),
        ("nobody", "GET", "/guilds/$guild/members/1", Value::Null, "404 10013"),
        ("another guild", "GET", "/guilds/$otherguild", Value::Null, "403 50001"),
        ("no guild", "GET", "/guilds/1", Value::Null, "404 10004"),
        ("a user", "GET", "/users/$sam", Value::Null, "ok"),
        ("no user", "GET", "/users/1", Value::Null, "404 10013"),
        ("no route", "GET", "/thoughts", Value::Null, "404 0"),
        ("no such method", "DELETE", "/users/@me", Value::Null, "405 0"),
    ])
    .await;
}

#[tokio::test]
async fn requests_that_are_not_in_order() {
    let scene = Scene::new().await;
    let agent = ("user-agent", "DiscordBot (https://askrelay.example, 1)");
    let token = format!("Bot {}", scene.bot.token());
    let authorization = ("authorization", token.as_str());
    let json = ("content-type", "application/json");
    let rows = [
        ("in order", vec![agent, authorization, json], r#"{"content":"x"}"#, "200"),
        ("no token", vec![agent, json], r#"{"content":"x"}"#, "401 0"),
        ("another token", vec![agent, ("authorization", "Bot x.y.z"), json], r#"{"content":"x"}"#, "401 0"),
        ("not as a bot", vec![agent, ("authorization", &token[4..]), json], r#"{"content":"x"}"#, "401 0"),
        ("no library", vec![authorization, json], r#"{"content":"x"}"#, "403 40333"),
        (
            "another kind",
            vec![agent, authorization, ("content-type", "text/plain")],
            r#"{"content":"x"}"#,
            "400 50035",
        ),
        ("not JSON", vec![agent, authorization, json], r#"{"content":"#, "400 50109"),
        ("no object", vec![agent, authorization, json], r#""content""#, "400 50109"),
    ];
    let path = format!("/channels/{}/messages", scene.channel.id());
    for (name, headers, body, expected) in rows {
        let answer =
            scene.platform.call_raw("POST", &path, &headers, body.as_bytes().to_vec()).await.unwrap();
        let code = &answer.body["code"];
        let told = if answer.status == 200 { "200".to_owned() } else { format!("{} {code}", answer.status) };
        assert_eq!(told, expected, "{name}: {answer:?}");
        assert_eq!(answer.headers["content-type"], "application/json", "{name}");
        assert!(answer.headers.contains_key("via"), "{name}");
    }
    scene.bot.reset_token();
    let answer =
        scene.platform.call_raw("GET", "/users/@me", &[agent, authorization], Vec::new()).await.unwrap();
    assert_eq!(answer.status, 401, "a token that was replaced");
}
