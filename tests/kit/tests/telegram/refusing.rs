//! What the platform refuses, and in which words; beside each limit what it still takes.

use serde_json::{Value, json};

use super::Scene;

/// A method, its parameters, and the description of the answer; `ok` where it is taken. In the parameters, `$name` is an id of
/// the stage below.
type Row = (&'static str, &'static str, Value, &'static str);

const NOT_MODIFIED: &str = "Bad Request: message is not modified: specified new message content and reply markup are exactly the \
                            same as a current content and reply markup of the message";
const TOO_OLD: &str = "Bad Request: query is too old and response timeout expired or query ID is invalid";

async fn check(rows: Vec<Row>) {
    let stage = Stage::new().await;
    let mut wrong = Vec::new();
    for (name, method, params, expected) in rows {
        let (status, body) = stage.scene.call(method, stage.fill(params)).await;
        let description = body["description"].as_str().unwrap_or("ok");
        let code = match expected.split_once(':').map_or(expected, |(kind, _)| kind) {
            "ok" => 200,
            "Unauthorized" => 401,
            "Forbidden" => 403,
            "Not Found" => 404,
            "Conflict" => 409,
            _ => 400,
        };
        if (status, description) != (code, expected) {
            wrong.push(format!("{name}: {status} {description}, not {code} {expected}"));
        }
        assert_eq!(body["ok"], json!(status == 200), "{name}: {body}");
        assert!(status == 200 || body["error_code"] == status, "{name}: {body}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One of every kind of chat, in which one can do and not do things.
struct Stage {
    scene: Scene,
    ids: Vec<(&'static str, Value)>,
}

impl Stage {
    async fn new() -> Self {
        let scene = Scene::new().await;
        let platform = &scene.platform;
        let [stranger, blocker, gone] = ["Kim", "Lee", "Ash"].map(|name| platform.person(name));
        blocker.start(&scene.bot);
        blocker.block(&scene.bot);
        gone.start(&scene.bot);
        gone.deactivate();
        let other_bot = platform.bot("other_bot");
        let [group, kicked_from, old] = ["Team", "Gone", "Old"].map(|title| platform.group(title));
        let (forum, channel, news) =
            (platform.forum("Forum"), platform.channel("News"), platform.channel("Read"));
        let closed = platform.supergroup("Closed");
        let [left, unseen] = ["Left", "Unseen"].map(|title| platform.supergroup(title));
        for chat in [&group, &kicked_from, &old, &forum, &channel, &news, &closed, &left] {
            chat.add_bot(&scene.bot);
        }
        kicked_from.kick_bot(&scene.bot);
        closed.kick_bot(&scene.bot);
        left.remove_bot(&scene.bot);
        channel.promote_bot(&scene.bot);
        old.upgrade();
        let ids = vec![
            ("$topic", forum.open_topic("Deploys").into()),
            ("$theirs", scene.sam.write(&scene.chat, "hello").into()),
            ("$deleted", scene.ask().await.into()),
            ("$forced", forced(&scene).await.into()),
            ("$mine", scene.ask().await.into()),
            ("$tap", scene.sam.press(&scene.chat, 1, "red").id().into()),
            ("$sam", scene.chat.id().into()),
            ("$stranger", stranger.id().into()),
            ("$blocker", blocker.id().into()),
            ("$gone", gone.id().into()),
            ("$bot", other_bot.id().into()),
            ("$group", group.id().into()),
            ("$kicked", kicked_from.id().into()),
            ("$old", old.id().into()),
            ("$forum", forum.id().into()),
            ("$channel", channel.id().into()),
            ("$news", news.id().into()),
            ("$closed", closed.id().into()),
            ("$left", left.id().into()),
            ("$unseen", unseen.id().into()),
        ];
        let stage = Self { scene, ids };
        let deleted = stage.fill(json!({ "chat_id": "$sam", "message_id": "$deleted" }));
        stage.scene.ok("deleteMessage", deleted).await;
        stage
    }

    fn fill(&self, value: Value) -> Value {
        match value {
            Value::String(text) => match self.ids.iter().find(|(name, _)| *name == text) {
                Some((_, id)) => id.clone(),
                None => Value::String(text),
            },
            Value::Object(fields) => {
                Value::Object(fields.into_iter().map(|(name, value)| (name, self.fill(value))).collect())
            }
            other => other,
        }
    }
}

async fn forced(scene: &Scene) -> i64 {
    let params =
        json!({ "chat_id": scene.chat.id(), "text": "Words?", "reply_markup": { "force_reply": true } });
    scene.ok("sendMessage", params).await["message_id"].as_i64().unwrap()
}

fn text(text: impl Into<String>) -> Value {
    json!({ "chat_id": "$sam", "text": text.into() })
}

fn to(chat: &str) -> Value {
    json!({ "chat_id": chat, "text": "hello" })
}

fn with(field: &str, value: Value) -> Value {
    json!({ "chat_id": "$sam", "text": "a😀b", field: value })
}

fn markup(value: Value) -> Value {
    with("reply_markup", value)
}

fn button(button: Value) -> Value {
    markup(json!({ "inline_keyboard": [[button]] }))
}

fn rows(count: usize, width: usize, data: &str) -> Value {
    let row = vec![json!({ "text": "x", "callback_data": data }); width];
    markup(json!({ "inline_keyboard": vec![row; count] }))
}

fn entity(kind: &str, offset: i64, length: i64) -> Value {
    with("entities", json!([{ "type": kind, "offset": offset, "length": length }]))
}

#[tokio::test]
async fn texts() {
    let send = "sendMessage";
    let edit = |text: String| json!({ "chat_id": "$sam", "message_id": "$mine", "text": text });
    check(vec![
        ("none", send, json!({ "chat_id": "$sam" }), "Bad Request: message text is empty"),
        ("empty", send, text(""), "Bad Request: message text is empty"),
        ("only spaces", send, text(" \n\t "), "Bad Request: text must be non-empty"),
        ("longest, wide in UTF-16", send, text("😀".repeat(4096)), "ok"),
        ("one too many", send, text("x".repeat(4097)), "Bad Request: message is too long"),
        ("too many bytes", send, text("😀".repeat(8193)), "Bad Request: text is too long"),
        ("edited, one too many", "editMessageText", edit("x".repeat(4097)), "Bad Request: MESSAGE_TOO_LONG"),
        ("edited, longest", "editMessageText", edit("x".repeat(4096)), "ok"),
        ("markup", send, with("parse_mode", json!("HTML")), "Bad Request: unsupported parse_mode"),
    ])
    .await;
}

#[tokio::test]
async fn entities() {
    let send = "sendMessage";
    // In `a😀b` the face is two UTF-16 code units, from 1 to 3.
    check(vec![
        ("whole", send, entity("bold", 0, 4), "ok"),
        ("the face", send, entity("code", 1, 2), "ok"),
        (
            "past the end",
            send,
            entity("bold", 0, 5),
            "Bad Request: entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 5",
        ),
        (
            "behind the end",
            send,
            entity("bold", 5, 1),
            "Bad Request: entity begins after the end of the text at UTF-16 offset 5",
        ),
        ("before the beginning", send, entity("bold", -1, 2), "Bad Request: receive an entity with incorrect offset -1"),
        ("backwards", send, entity("bold", 0, -1), "Bad Request: receive an entity with incorrect length -1"),
        ("nothing", send, entity("bold", 1, 0), "ok"),
        (
            "link of another kind",
            send,
            with("entities", json!([{ "type": "text_link", "offset": 0, "length": 1, "url": "ftp://a.example" }])),
            "Bad Request: entity URL 'ftp://a.example' is invalid: Unsupported URL protocol",
        ),
        (
            "begins in a pair",
            send,
            entity("bold", 2, 2),
            "Bad Request: entity begins in a middle of a UTF-16 symbol at byte offset 5",
        ),
        (
            "ends in a pair",
            send,
            entity("bold", 0, 2),
            "Bad Request: entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 5",
        ),
        (
            "unknown kind",
            send,
            entity("shouting", 0, 1),
            "Bad Request: can't parse MessageEntity: Unsupported type specified",
        ),
        (
            "link to nowhere",
            send,
            entity("text_link", 0, 1),
            "Bad Request: can't parse MessageEntity: Can't find field \"url\"",
        ),
        (
            "no offset",
            send,
            with("entities", json!([{ "type": "bold", "length": 1 }])),
            "Bad Request: can't parse MessageEntity: Can't find field \"offset\"",
        ),
        ("one that the platform finds itself", send, entity("mention", 90, 90), "ok"),
    ])
    .await;
}

#[tokio::test]
async fn buttons() {
    let send = "sendMessage";
    let url = |url: &str| button(json!({ "text": "x", "url": url }));
    let label = |label: &str| button(json!({ "text": label, "callback_data": "x" }));
    let data = |data: String| button(json!({ "text": "x", "callback_data": data }));
    let too_long = "Bad Request: reply markup is too long";
    check(vec![
        ("data of 64 bytes", send, data("ж".repeat(32)), "ok"),
        ("data of 65 bytes", send, data("x".repeat(65)), "Bad Request: BUTTON_DATA_INVALID"),
        ("data of 33 characters", send, data("ж".repeat(33)), "Bad Request: BUTTON_DATA_INVALID"),
        (
            "empty data",
            send,
            data(String::new()),
            "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (
            "no action",
            send,
            button(json!({ "text": "x" })),
            "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (
            "two actions",
            send,
            button(json!({ "text": "x", "callback_data": "x", "url": "https://a.example" })),
            "Bad Request: BUTTON_TYPE_INVALID",
        ),
        ("empty label", send, label(""), "Bad Request: inline keyboard button text must be non-empty"),
        ("label of spaces", send, label("  "), "Bad Request: inline keyboard button text must be non-empty"),
        ("8 in a row", send, rows(1, 8, "x"), "ok"),
        ("9 in a row", send, rows(1, 9, "x"), too_long),
        ("100 in all", send, rows(25, 4, "x"), "ok"),
        ("101 in all", send, rows(101, 1, "x"), too_long),
        ("100 with long data", send, rows(25, 4, &"x".repeat(64)), "ok"),
        ("100 with long labels", send, long_labels(), too_long),
        ("https", send, url("https://a.example/path?x=1"), "ok"),
        ("tg", send, url("tg://user?id=1"), "ok"),
        (
            "another scheme",
            send,
            url("ftp://a.example"),
            "Bad Request: inline keyboard button URL 'ftp://a.example' is invalid: Unsupported URL protocol",
        ),
        (
            "no host",
            send,
            url("https://"),
            "Bad Request: inline keyboard button URL 'https://' is invalid: URL host is empty",
        ),
        (
            "rows that are none",
            send,
            markup(json!({ "inline_keyboard": [{ "text": "x", "callback_data": "x" }] })),
            "Bad Request: field \"inline_keyboard\" of the InlineKeyboardMarkup must be an Array of Arrays",
        ),
        ("not an object", send, markup(json!([])), "Bad Request: object expected as reply markup"),
        (
            "not JSON",
            send,
            markup(json!("{")),
            "Bad Request: can't parse reply keyboard markup JSON object",
        ),
    ])
    .await;
}

fn long_labels() -> Value {
    let row = vec![json!({ "text": "x".repeat(90), "callback_data": "x" }); 4];
    markup(json!({ "inline_keyboard": vec![row; 25] }))
}

#[tokio::test]
async fn asking_for_words() {
    let send = "sendMessage";
    let hint = |hint: String| markup(json!({ "force_reply": true, "input_field_placeholder": hint }));
    let force = json!({ "force_reply": true, "selective": true });
    check(vec![
        ("plain", send, markup(force.clone()), "ok"),
        ("longest hint", send, hint("ж".repeat(64)), "ok"),
        ("longer hint", send, hint("x".repeat(65)), "Bad Request: REPLY_MARKUP_INVALID"),
        ("empty hint", send, hint(String::new()), "Bad Request: REPLY_MARKUP_INVALID"),
        (
            "in a channel",
            send,
            json!({ "chat_id": "$channel", "text": "x", "reply_markup": force }),
            "Bad Request: inline keyboard expected",
        ),
        (
            "with buttons",
            send,
            markup(json!({ "force_reply": true, "inline_keyboard": [] })),
            "Bad Request: REPLY_MARKUP_INVALID",
        ),
        (
            "by an edit",
            "editMessageText",
            json!({ "chat_id": "$sam", "message_id": "$mine", "text": "x", "reply_markup": { "force_reply": true } }),
            "Bad Request: inline keyboard expected",
        ),
    ])
    .await;
}

#[tokio::test]
async fn chats() {
    let send = "sendMessage";
    check(vec![
        ("started", send, to("$sam"), "ok"),
        ("none", send, json!({ "text": "x" }), "Bad Request: chat_id is empty"),
        ("unknown", send, to("12345"), "Bad Request: chat not found"),
        ("a name", send, to("nowhere"), "Bad Request: chat not found"),
        ("never started", send, to("$stranger"), "Forbidden: bot can't initiate conversation with a user"),
        ("blocked", send, to("$blocker"), "Forbidden: bot was blocked by the user"),
        ("deactivated", send, to("$gone"), "Forbidden: user is deactivated"),
        ("a bot", send, to("$bot"), "Forbidden: bot can't send messages to bots"),
        ("group", send, to("$group"), "ok"),
        ("kicked from a group", send, to("$kicked"), "Forbidden: bot was kicked from the group chat"),
        (
            "kicked from a supergroup",
            send,
            to("$closed"),
            "Forbidden: bot was kicked from the supergroup chat",
        ),
        ("left", send, to("$left"), "Forbidden: bot is not a member of the supergroup chat"),
        ("never there", send, to("$unseen"), "Bad Request: chat not found"),
        ("moved", send, to("$old"), "Bad Request: group chat was upgraded to a supergroup chat"),
        ("own channel", send, to("$channel"), "ok"),
        (
            "somebody's channel",
            send,
            to("$news"),
            "Bad Request: need administrator rights in the channel chat",
        ),
        (
            "read of one left",
            "getChat",
            json!({ "chat_id": "$closed" }),
            "Forbidden: bot was kicked from the supergroup chat",
        ),
        ("member", "getChatMember", json!({ "chat_id": "$group", "user_id": "$sam" }), "ok"),
        (
            "nobody",
            "getChatMember",
            json!({ "chat_id": "$group", "user_id": 1 }),
            "Bad Request: user not found",
        ),
    ])
    .await;
}

#[tokio::test]
async fn topics_and_replies() {
    let send = "sendMessage";
    let topic =
        |chat: &str, topic: Value| json!({ "chat_id": chat, "text": "x", "message_thread_id": topic });
    let reply = |parameters: Value| with("reply_parameters", parameters);
    let thread = "Bad Request: message thread not found";
    let replied = "Bad Request: message to be replied not found";
    check(vec![
        ("a topic", send, topic("$forum", json!("$topic")), "ok"),
        ("General", send, to("$forum"), "ok"),
        ("General by its number", send, topic("$forum", json!(1)), thread),
        ("unknown topic", send, topic("$forum", json!(4711)), thread),
        ("in a group", send, topic("$group", json!(5)), thread),
        ("in a private chat", send, topic("$sam", json!(5)), thread),
        ("a reply", send, reply(json!({ "message_id": "$theirs" })), "ok"),
        ("to nothing", send, reply(json!({ "message_id": 4711 })), replied),
        ("to what was deleted", send, reply(json!({ "message_id": "$deleted" })), replied),
        (
            "to nothing, all the same",
            send,
            reply(json!({ "message_id": 4711, "allow_sending_without_reply": true })),
            "ok",
        ),
    ])
    .await;
}

#[tokio::test]
async fn edits() {
    let edit = "editMessageText";
    let of = |id: Value| json!({ "chat_id": "$sam", "message_id": id, "text": "new" });
    let same = json!({ "chat_id": "$sam", "message_id": "$mine", "text": "Which colour?", "reply_markup": super::colours() });
    let keyboard = json!({ "chat_id": "$sam", "message_id": "$mine", "reply_markup": super::colours() });
    check(vec![
        ("the same", edit, same, NOT_MODIFIED),
        ("the same buttons", "editMessageReplyMarkup", keyboard, NOT_MODIFIED),
        ("own", edit, of(json!("$mine")), "ok"),
        ("the same again", edit, of(json!("$mine")), NOT_MODIFIED),
        ("unknown", edit, of(json!(4711)), "Bad Request: message to edit not found"),
        ("deleted", edit, of(json!("$deleted")), "Bad Request: message to edit not found"),
        ("somebody's", edit, of(json!("$theirs")), "Bad Request: message can't be edited"),
        ("one that asked for words", edit, of(json!("$forced")), "Bad Request: message can't be edited"),
        (
            "no message",
            edit,
            json!({ "chat_id": "$sam", "text": "new" }),
            "Bad Request: message identifier is not specified",
        ),
        (
            "deleting nothing",
            "deleteMessage",
            json!({ "chat_id": "$sam", "message_id": 4711 }),
            "Bad Request: message to delete not found",
        ),
    ])
    .await;
}

#[tokio::test]
async fn answers_and_commands() {
    let answer = |text: String| json!({ "callback_query_id": "$tap", "text": text });
    let command = |name: &str, description: String| json!({ "commands": [{ "command": name, "description": description }] });
    let set = "setMyCommands";
    check(vec![
        ("too long", "answerCallbackQuery", answer("x".repeat(201)), "Bad Request: MESSAGE_TOO_LONG"),
        ("longest", "answerCallbackQuery", answer("ж".repeat(200)), "ok"),
        ("twice", "answerCallbackQuery", answer(String::new()), TOO_OLD),
        ("unknown", "answerCallbackQuery", json!({ "callback_query_id": "1" }), TOO_OLD),
        ("commands", set, command("questions", "What is open for me".to_owned()), "ok"),
        ("capital", set, command("Questions", "x".to_owned()), "Bad Request: BOT_COMMAND_INVALID"),
        ("slash", set, command("/help", "x".to_owned()), "Bad Request: BOT_COMMAND_INVALID"),
        ("undescribed", set, command("help", String::new()), "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID"),
        ("unknown method", "sendThought", json!({}), "Not Found: method not found"),
        ("any spelling", "GETME", json!({}), "ok"),
    ])
    .await;
}

#[tokio::test]
async fn only_a_known_token_is_served() {
    let scene = Scene::new().await;
    for (token, status, description) in
        [("7:wrong", 401, "Unauthorized"), ("wrong", 404, "Not Found"), ("0:x", 404, "Not Found")]
    {
        let (got, body) = scene.platform.call(token, "getMe", &json!({})).await.unwrap();
        assert_eq!((got, &body["description"]), (status, &json!(description)), "{token}");
    }
}

#[tokio::test]
async fn a_moved_group_names_its_new_id() {
    let scene = Scene::new().await;
    let old = scene.platform.group("Team");
    old.add_bot(&scene.bot);
    scene.updates().await;
    let new = old.upgrade();
    let told = scene.updates().await;
    assert_eq!(told[0]["message"]["migrate_to_chat_id"], new.id());
    assert_eq!(told[1]["message"]["migrate_from_chat_id"], old.id());
    let (_, body) = scene.call("sendMessage", json!({ "chat_id": old.id(), "text": "x" })).await;
    assert_eq!(body["parameters"], json!({ "migrate_to_chat_id": new.id() }));
    scene.ok("sendMessage", json!({ "chat_id": new.id(), "text": "x" })).await;
}
