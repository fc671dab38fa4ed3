//! Every kind of control, in a server and in direct messages: shown, used, answered and retired.

use askrelay_core::id::Place;
use askrelay_core::port::{Acknowledgement, Act, Field, Order, Receipt, Reply};
use askrelay_core::prompt::{Body, Control, Entry, Look, Piece, Prompt, Style};
use askrelay_kit::surface::{Platform, Stage, prompt};
use serde_json::{Value, json};

use crate::{Simcord, labels, place, shown};

fn button(label: &str, look: Look) -> Control {
    Control::Button { label: label.to_owned(), token: format!("t.{label}"), look }
}

fn menu(label: Option<&str>, count: usize, most: usize) -> Control {
    let entry = |number: usize| Entry {
        label: format!("Region {number}"),
        description: (number == 2).then(|| "The cheap one.".to_owned()),
        value: number.to_string(),
        taken: false,
    };
    Control::Menu {
        label: label.map(str::to_owned),
        placeholder: "Choose".to_owned(),
        token: "t.menu".to_owned(),
        entries: (0..count).map(entry).collect(),
        min: 1,
        max: most,
    }
}

fn input(label: &str, value: Option<&str>, required: bool) -> Control {
    Control::Input {
        label: label.to_owned(),
        token: format!("t.{label}"),
        placeholder: Some("such as lilac".to_owned()),
        value: value.map(str::to_owned),
        required,
    }
}

fn asked(controls: Vec<Vec<Control>>) -> Box<Prompt> {
    let body = Body(vec![Piece { text: "Where should it go?".to_owned(), style: Style::Strong }]);
    Box::new(Prompt { messages: vec![body], controls })
}

/// A Prompt in the server's channel; its Receipt and its message's id.
async fn in_team(stage: &mut Stage<Simcord>, controls: Vec<Vec<Control>>) -> (Receipt, String) {
    let place = team(stage);
    stage.order(Order::Show { send: "one".into(), place, prompt: asked(controls) }).await;
    let (receipt, position) = stage.shown("one").await;
    let message = receipt.messages[0].to_string();
    assert_eq!(position.map(|position| position.to_string()), Some(message.clone()));
    (receipt, message)
}

fn team(stage: &Stage<Simcord>) -> Place {
    place(&stage.platform.bridge.team)
}

/// The person uses a control of that message.
async fn uses(stage: &Stage<Simcord>, act: &str, message: &str, with: (&str, Value)) -> u64 {
    let bridge = &stage.platform.bridge;
    let mut what = json!({ "channel": bridge.team, "message": message });
    what[with.0] = with.1;
    bridge.act(act, what).await.as_u64().unwrap()
}

async fn acknowledge(stage: &Stage<Simcord>, reply: &Reply, with: Acknowledgement) {
    stage.order(Order::Acknowledge { ack: reply.ack.unwrap(), with }).await;
}

/// The message as it stands now: its text and the labels of its controls.
async fn standing(stage: &Stage<Simcord>) -> (String, Vec<String>) {
    let messages = stage.platform.messages(&stage.platform.bridge.team).await;
    let ours = messages.iter().find(|message| message["author"]["bot"] == true).unwrap();
    (shown(ours).trim_end().to_owned(), labels(ours))
}

#[tokio::test]
async fn a_button_is_pressed_told_and_retired() {
    let mut stage = Stage::<Simcord>::online().await;
    let link = Control::Link { label: "Log".to_owned(), url: "https://ci.example.org/run/5".to_owned() };
    let looks = [("Yes", Look::Primary), ("Edit", Look::Plain), ("No", Look::Danger)];
    let rows = looks.map(|(label, look)| button(label, look)).into_iter().chain([link]).collect();
    let (receipt, message) = in_team(&mut stage, vec![rows]).await;
    assert_eq!(standing(&stage).await.1, ["Yes", "Edit", "No", "Log"]);
    let press = uses(&stage, "click", &message, ("label", json!("No"))).await;
    let reply = stage.reply().await;
    assert_eq!(reply.act, Act::Press { token: "t.No".to_owned(), values: Vec::new(), fields: Vec::new() });
    assert_eq!((&reply.place, reply.private), (&team(&stage), false));
    assert_eq!(reply.sender.identity, stage.platform.person());
    acknowledge(&stage, &reply, Acknowledgement::Later).await;
    assert_eq!(stage.platform.answered(press).await["kind"], "deferred_update");
    let ack = reply.ack.unwrap();
    stage.order(Order::Toast { ack, text: "Recorded: *No*".to_owned(), otherwise: None }).await;
    stage.order(Order::Retire { send: "two".into(), receipt, prompt: prompt("Answered: No") }).await;
    stage.shown("two").await;
    stage.nothing_more().await;
    let follows = &stage.platform.answered(press).await["follows"];
    assert_eq!(*follows, json!(["Recorded: \\*No\\*"]));
    assert_eq!(standing(&stage).await, ("Answered: No".to_owned(), Vec::new()));
}

#[tokio::test]
async fn what_is_chosen_in_a_menu_comes() {
    for (count, most, chosen) in [(2, 1, vec!["1"]), (25, 1, vec!["24"]), (12, 12, vec!["0", "3", "11"])] {
        let mut stage = Stage::<Simcord>::online().await;
        let rows = vec![vec![menu(None, count, most)], vec![button("Submit", Look::Primary)]];
        let (receipt, message) = in_team(&mut stage, rows).await;
        uses(&stage, "select", &message, ("values", json!(chosen))).await;
        let reply = stage.reply().await;
        let values = chosen.iter().map(|value| (*value).to_owned()).collect();
        assert_eq!(reply.act, Act::Press { token: "t.menu".to_owned(), values, fields: Vec::new() });
        acknowledge(&stage, &reply, Acknowledgement::Silent).await;
        let again = asked(vec![vec![menu(None, count, most)], vec![button("Submit (1)", Look::Primary)]]);
        stage.order(Order::Edit { send: "two".into(), receipt: receipt.clone(), prompt: again }).await;
        stage.shown("two").await;
        assert_eq!(standing(&stage).await.1, ["menu", "Submit (1)"]);
        stage.order(Order::Retire { send: "three".into(), receipt, prompt: prompt("Answered") }).await;
        stage.shown("three").await;
        assert_eq!(standing(&stage).await, ("Answered".to_owned(), Vec::new()));
    }
}

#[tokio::test]
async fn a_form_is_filled_in_and_a_fault_in_it_is_told() {
    let mut stage = Stage::<Simcord>::online().await;
    let (_, message) = in_team(&mut stage, vec![vec![button("Answer", Look::Primary)]]).await;
    let press = uses(&stage, "click", &message, ("label", json!("Answer"))).await;
    let reply = stage.reply().await;
    let fields = vec![
        menu(Some("Where?"), 5, 3),
        input("Colour", None, true),
        input("Why", Some("It was blue."), false),
    ];
    let (token, title) = ("t.form".to_owned(), "Deploy".to_owned());
    acknowledge(&stage, &reply, Acknowledgement::Form { token, title, fields }).await;
    let opened = stage.platform.answered(press).await;
    assert_eq!((&opened["kind"], &opened["modal"]["title"]), (&json!("modal"), &json!("Deploy")));
    let submit = stage.platform.submitted(press, json!([["1", "4"], "lilac", ""])).await;
    let filled = stage.reply().await;
    let field = |token: &str, values: &[&str]| Field {
        token: token.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let fields = vec![field("t.menu", &["1", "4"]), field("t.Colour", &["lilac"]), field("t.Why", &[])];
    assert_eq!(filled.act, Act::Form { token: "t.form".to_owned(), fields });
    assert_eq!(filled.place, team(&stage));
    let fault = ("t.Colour".to_owned(), "no such colour".to_owned());
    acknowledge(&stage, &filled, Acknowledgement::Errors(vec![fault])).await;
    let told = stage.platform.answered(submit).await;
    assert_eq!((&told["kind"], &told["ephemeral"]), (&json!("message"), &json!(true)));
    assert!(told["words"].as_str().unwrap().contains("no such colour"), "{told}");
}

#[tokio::test]
async fn words_in_a_server_count_where_they_mention_the_bot() {
    let mut stage = Stage::<Simcord>::online().await;
    in_team(&mut stage, vec![vec![button("Red", Look::Plain)]]).await;
    let channel = stage.platform.bridge.team.clone();
    for (text, mention) in [("nobody asked", false), ("red", true)] {
        let what = json!({ "channel": channel, "text": text, "mention": mention });
        stage.platform.bridge.act("write", what).await;
    }
    let mut replies = vec![stage.reply().await];
    if !matches!(replies[0].act, Act::Text { addressed: true, .. }) {
        replies.push(stage.reply().await);
    }
    let last = replies.pop().unwrap();
    assert!(
        matches!(&last.act, Act::Text { text: Some(text), addressed: true, .. } if text.contains("red")),
        "{:?}",
        last.act
    );
    assert!(
        replies.iter().all(
            |reply| !matches!(&reply.act, Act::Text { text: Some(text), .. } if text.contains("nobody"))
        )
    );
}
