//! Fields in a message: what is in them stays with the platform until a button brings it.

use askrelay_core::port::{Act, Field, Order};
use askrelay_kit::surface::Stage;
use serde_json::Value;

use crate::room::{Room, place};
use crate::{button, input, menu, prompt_of, shown};

fn field(token: &str, values: &[&str]) -> Field {
    Field { token: token.to_owned(), values: values.iter().map(|value| (*value).to_owned()).collect() }
}

fn brought(token: &str, fields: Vec<Field>) -> Act {
    Act::Press { token: token.to_owned(), values: Vec::new(), fields }
}

const MANY: [&str; 12] = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"];

/// The kind of control, its labels, those that are taken, and what comes of them.
type Row = (&'static str, &'static [&'static str], [&'static str; 2], [&'static str; 2]);

#[tokio::test]
async fn several_choices_come_with_the_button() {
    let rows: [Row; 2] = [
        ("checkboxes", &["Logs", "Traces", "Dumps"], ["Traces", "Dumps"], ["1", "2"]),
        ("multi_static_select", &MANY, ["B", "L"], ["1", "11"]),
    ];
    for (kind, labels, taken, values) in rows {
        let mut stage = Stage::<Room>::online().await;
        let controls = vec![menu(None, "t.menu", labels, labels.len()), button("Submit")];
        let message = shown(&mut stage, "one", prompt_of("Which?", controls)).await;
        let (person, dm) = (stage.platform.person.clone(), stage.platform.channel.clone());
        assert_eq!(person.sees(&dm, &message).controls[0].kind, kind);
        let change = person.choose(&dm, &message, &taken).unwrap();
        assert_eq!(change.answered().await, Value::Null, "{kind}: a change is acknowledged in silence");
        person.tap(&dm, &message, "Submit");
        let reply = stage.reply().await;
        assert_eq!(reply.act, brought("t.Submit", vec![field("t.menu", &values)]), "{kind}");
        stage.nothing_more().await;
    }
}

#[tokio::test]
async fn a_whole_form_comes_with_the_button() {
    let mut stage = Stage::<Room>::online().await;
    let controls = vec![
        menu(Some("One of few"), "t.1", &["Red", "Blue"], 1),
        menu(Some("One of many"), "t.2", &MANY, 1),
        menu(Some("Some of few"), "t.3", &["Logs", "Traces"], 2),
        menu(Some("Some of many"), "t.4", &MANY, 12),
        input("Your words", "t.5"),
        input("More words", "t.6"),
        button("Submit"),
    ];
    let message = shown(&mut stage, "one", prompt_of("Fill in.", controls)).await;
    let (person, dm) = (stage.platform.person.clone(), stage.platform.channel.clone());
    assert!(person.choose_in(&dm, &message, "One of few", &["Blue"]).is_none(), "a field tells nothing");
    person.choose_in(&dm, &message, "One of many", &["L"]);
    person.choose_in(&dm, &message, "Some of few", &["Logs", "Traces"]);
    person.type_into(&dm, &message, "Your words", " Lilac, *not* <b>red</b>\n🙂 ");
    person.tap(&dm, &message, "Submit");
    let fields = vec![
        field("t.1", &["1"]),
        field("t.2", &["11"]),
        field("t.3", &["0", "1"]),
        field("t.4", &[]),
        field("t.5", &[" Lilac, *not* <b>red</b>\n🙂 "]),
        field("t.6", &[]),
    ];
    assert_eq!(stage.reply().await.act, brought("t.Submit", fields));
}

/// What was taken at an older look does not linger, since every look has tokens of its own.
#[tokio::test]
async fn a_new_look_begins_with_what_it_says() {
    let mut stage = Stage::<Room>::online().await;
    let controls =
        |revision: &str| vec![menu(None, &format!("t.{revision}"), &["Logs", "Traces"], 2), button("Submit")];
    let message = shown(&mut stage, "one", prompt_of("Which?", controls("0"))).await;
    let (person, dm) = (stage.platform.person.clone(), stage.platform.channel.clone());
    person.choose(&dm, &message, &["Logs"]);
    let receipt = askrelay_core::port::Receipt {
        place: place(&format!("@{}", person.id())),
        messages: vec![message.as_str().into()],
    };
    let prompt = prompt_of("Which, now?", controls("1"));
    stage.order(Order::Edit { send: "two".into(), receipt, prompt }).await;
    stage.shown("two").await;
    person.tap(&dm, &message, "Submit");
    assert_eq!(stage.reply().await.act, brought("t.Submit", vec![field("t.1", &[])]));
}
