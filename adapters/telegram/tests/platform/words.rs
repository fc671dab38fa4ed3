//! What people send instead of plain words.

use askrelay_core::port::{Act, Order};
use askrelay_kit::surface::Stage;
use askrelay_kit::telegram::Post;

use crate::room::{Room, identity, place};
use crate::shown;

fn words(act: Act) -> Option<String> {
    match act {
        Act::Text { text, .. } => text,
        other => panic!("expected a text, got {other:?}"),
    }
}

#[tokio::test]
async fn only_own_words_are_words() {
    let mut stage = Stage::<Room>::online().await;
    let lee = stage.platform.stand_in.person("Lee");
    let rows = [
        ("a voice message", Post::voice(), None),
        ("a voice message with words", Post::voice().caption("red"), Some("red")),
        ("a picture", Post::photo(), None),
        ("a picture with words", Post::photo().caption("the red one"), Some("the red one")),
        ("the first of an album", Post::photo().caption("red").in_group("7"), Some("red")),
        ("the second of an album", Post::photo().in_group("7"), None),
        ("forwarded words", Post::text("red").forwarded_from(&lee), None),
    ];
    for (name, post, expected) in rows {
        stage.platform.person.send(&stage.platform.chat, post);
        assert_eq!(words(stage.reply().await.act).as_deref(), expected, "{name}");
    }
}

#[tokio::test]
async fn an_edited_text_is_the_same_message() {
    let mut stage = Stage::<Room>::online().await;
    let message = stage.platform.person.write(&stage.platform.chat, "red");
    let first = stage.reply().await;
    stage.platform.person.edit(&stage.platform.chat, message, "blue");
    let second = stage.reply().await;
    assert_eq!((&first.message, first.position), (&second.message, second.position));
    assert_ne!(first.update, second.update);
    assert_eq!(words(second.act).as_deref(), Some("blue"));
}

#[tokio::test]
async fn a_note_refers_to_the_message_it_is_about() {
    let mut stage = Stage::<Room>::online().await;
    let message = stage.platform.person.write(&stage.platform.chat, "purple");
    let reply = stage.reply().await;
    let note = |text: &str| Order::Say {
        place: place(stage.platform.chat.id()),
        to: Some(identity(stage.platform.person.id())),
        reply_to: reply.message.clone(),
        text: text.to_owned(),
    };
    stage.order(note("Only Red here.")).await;
    assert_eq!(stage.platform.chat.until_seen("Only Red here.").await.reply_to, Some(message));
    stage.platform.person.delete(&stage.platform.chat, message);
    stage.order(note("Only Red there.")).await;
    assert_eq!(stage.platform.chat.until_seen("Only Red there.").await.reply_to, None, "said all the same");
}

#[tokio::test]
async fn texts_and_prompts_have_one_order() {
    let mut stage = Stage::<Room>::online().await;
    let before = stage.platform.person.write(&stage.platform.chat, "red");
    let old = stage.reply().await.position;
    let prompt = shown(&mut stage, "one", "Which colour?", &["Red"]).await;
    assert_eq!(old, Some(before));
    assert!(before < prompt);
}
