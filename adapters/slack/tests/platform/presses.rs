//! Presses of a message's controls: each is reported, and acknowledged before anything else is done.

use askrelay_core::port::{Acknowledgement, Act, Order};
use askrelay_core::prompt::{Control, Look};
use askrelay_kit::slack::Fault;
use askrelay_kit::surface::Stage;
use serde_json::Value;

use crate::room::{Room, place};
use crate::{acknowledge, button, channel, menu, pressed, prompt, prompt_of, say, show, shown, ts};

fn toast(ack: Option<askrelay_core::id::AckId>, text: &str, otherwise: Order) -> Order {
    Order::Toast { ack: ack.unwrap(), text: text.to_owned(), otherwise: Some(Box::new(otherwise)) }
}

#[tokio::test]
async fn a_press_is_acknowledged_though_the_relay_says_nothing() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", prompt("Which colour?", &["Red", "Blue"])).await;
    let tap = stage.platform.person.tap(&stage.platform.channel, &message, "Red");
    assert_eq!(tap.answered().await, Value::Null);
    let reply = stage.reply().await;
    assert_eq!(reply.act, pressed("t.Red", &[]));
    assert_eq!(reply.message.as_ref().map(|id| id.as_str()), Some(message.as_str()));
    assert!(reply.private);
    stage.nothing_more().await;
}

#[tokio::test]
async fn a_choice_that_destroys_something_is_asked_about_once_more() {
    let mut stage = Stage::<Room>::online().await;
    let purge = Control::Button {
        label: "Delete all".to_owned(),
        token: "t.purge".to_owned(),
        look: Look::Danger,
        confirm: Some("Choose “Delete all”?".to_owned()),
    };
    let message = shown(&mut stage, "one", prompt_of("The backups?", vec![button("Keep"), purge])).await;
    let (person, dm) = (stage.platform.person.clone(), stage.platform.channel.clone());
    let seen = person.sees(&dm, &message);
    assert_eq!(seen.control("Delete all").style.as_deref(), Some("danger"));
    assert_eq!(seen.control("Keep").confirm, None);

    let asked = person.deny(&dm, &message, "Delete all");
    assert_eq!(asked.text, "Choose “Delete all”?");
    stage.nothing_more().await;

    let tap = person.tap(&dm, &message, "Delete all");
    assert_eq!(tap.confirm, Some(asked));
    assert_eq!(stage.reply().await.act, pressed("t.purge", &[]));
    stage.nothing_more().await;
}

#[tokio::test]
async fn words_for_the_one_who_pressed_are_seen_by_them_alone() {
    let mut stage = Stage::<Room>::online().await;
    let team = channel(&stage.platform);
    let other = stage.platform.team.person("Lee");
    team.add(&other);
    stage.order(show("one", place(team.id()), "Which colour?", &["Red"])).await;
    let (receipt, _) = stage.shown("one").await;
    let message = ts(&receipt.messages);
    stage.platform.person.tap(&team, &message, "Red");
    let reply = stage.reply().await;
    assert!(!reply.private);
    stage.order(acknowledge(reply.ack, Acknowledgement::Later)).await;
    stage.order(toast(reply.ack, "Recorded: Red & <more>", say(reply.place, "said instead"))).await;
    let note = stage.platform.person.until_told(&team, "Recorded: Red & <more>").await;
    assert!(note.ephemeral && note.thread.is_none());
    assert_eq!(other.ephemerals(&team), []);
    stage.nothing_more().await;
    assert!(team.messages().iter().all(|seen| !seen.contains("said instead")));
}

/// A name, what fails, how many words the person alone sees, and how many everybody.
type Way = (&'static str, Vec<(&'static str, Fault)>, usize, usize);

/// The ways that words can take, as far as the faults leave them.
#[tokio::test]
async fn words_find_another_way() {
    let gone = || Fault::Refuse(404, "expired_url".to_owned());
    let refused = || Fault::Refuse(200, "user_not_in_channel".to_owned());
    let rows: [Way; 3] = [
        ("by the address", vec![], 1, 0),
        ("by name", vec![("response_url", gone())], 1, 0),
        (
            "in the thread",
            vec![
                ("response_url", gone()),
                ("chat.postEphemeral", refused()),
                ("chat.postEphemeral", refused()),
            ],
            0,
            1,
        ),
    ];
    for (name, faults, alone, aloud) in rows {
        let mut stage = Stage::<Room>::online().await;
        let team = channel(&stage.platform);
        stage.order(show("one", place(team.id()), "Which colour?", &["Red"])).await;
        let (receipt, _) = stage.shown("one").await;
        let message = ts(&receipt.messages);
        for (method, fault) in faults {
            stage.platform.stand_in.fail(method, 1, fault);
        }
        stage.platform.person.tap(&team, &message, "Red");
        let reply = stage.reply().await;
        stage.order(acknowledge(reply.ack, Acknowledgement::Toast("Not for you.".to_owned()))).await;
        if alone > 0 {
            stage.platform.person.until_told(&team, "Not for you.").await;
        } else {
            team.until_seen("Not for you.").await;
        }
        assert_eq!(stage.platform.person.ephemerals(&team).len(), alone, "{name}");
        let thread = team.thread(&message);
        assert_eq!(thread.len(), aloud, "{name}: {thread:?}");
        let person = format!("@{}", stage.platform.person.id());
        assert!(thread.iter().all(|seen| seen.pings.contains(&person)), "{name}: {thread:?}");
    }
}

#[tokio::test]
async fn a_toast_that_cannot_be_shown_does_what_it_says() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", prompt("Which colour?", &["Red"])).await;
    let tap = stage.platform.person.tap(&stage.platform.channel, &message, "Red");
    let reply = stage.reply().await;
    tap.answered().await;
    stage.platform.stand_in.fail("response_url", 1, Fault::Refuse(404, "expired_url".to_owned()));
    let cannot = Fault::Refuse(200, "channel_not_found".to_owned());
    stage.platform.stand_in.fail("chat.postEphemeral", 1, cannot);
    stage.order(toast(reply.ack, "Recorded: Red", say(reply.place, "Recorded all the same"))).await;
    stage.platform.channel.until_seen("Recorded all the same").await;
    stage.nothing_more().await;
}

#[tokio::test]
async fn a_press_that_comes_twice_owes_one_answer() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", prompt("Which colour?", &["Red"])).await;
    stage.platform.person.tap(&stage.platform.channel, &message, "Red");
    let first = stage.reply().await;
    assert!(stage.platform.app.deliver_again());
    let second = stage.reply().await;
    assert_eq!((&first.update, second.ack), (&second.update, None), "the first answer is still owed");
    stage.order(acknowledge(first.ack, Acknowledgement::Toast("Recorded".to_owned()))).await;
    stage.platform.person.until_told(&stage.platform.channel, "Recorded").await;
    stage.nothing_more().await;
    assert_eq!(stage.platform.person.ephemerals(&stage.platform.channel).len(), 1);
}

#[tokio::test]
async fn a_link_that_is_opened_tells_nothing() {
    let mut stage = Stage::<Room>::online().await;
    let link = askrelay_core::prompt::Control::Link {
        label: "Open link".to_owned(),
        url: "https://ci.example.org/run/5".to_owned(),
    };
    let message = shown(&mut stage, "one", prompt_of("Go?", vec![link])).await;
    let tap = stage.platform.person.tap(&stage.platform.channel, &message, "Open link");
    assert_eq!(tap.answered().await, Value::Null);
    stage.nothing_more().await;
}

#[tokio::test]
async fn one_of_a_menu_is_a_press() {
    let few = ["Red", "Blue", "Green", "Grey", "Pink"];
    let many = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"];
    let rows: [(&str, &[&str], &str, &str); 2] =
        [("radio_buttons", &few, "Grey", "3"), ("static_select", &many, "L", "11")];
    for (kind, labels, label, value) in rows {
        let mut stage = Stage::<Room>::online().await;
        let prompt = prompt_of("Which?", vec![menu(None, "t.menu", labels, 1)]);
        let message = shown(&mut stage, "one", prompt).await;
        let (person, dm) = (stage.platform.person.clone(), stage.platform.channel.clone());
        assert_eq!(person.sees(&dm, &message).controls[0].kind, kind);
        let tap = person.choose(&dm, &message, &[label]).unwrap();
        assert_eq!(stage.reply().await.act, pressed("t.menu", &[value]));
        assert_eq!(tap.answered().await, Value::Null);
    }
}

#[tokio::test]
async fn a_press_on_what_is_not_there_any_more_is_reported() {
    let mut stage = Stage::<Room>::online().await;
    let message = shown(&mut stage, "one", prompt("Which colour?", &["Red"])).await;
    let (person, dm) = (stage.platform.person.clone(), stage.platform.channel.clone());
    let seen = person.sees(&dm, &message);
    dm.delete(&message);
    let tap = person.tap_on(&dm, &seen, "Red");
    let reply = stage.reply().await;
    assert_eq!(reply.act, pressed("t.Red", &[]));
    assert_eq!(reply.place, place(&format!("@{}", person.id())));
    tap.answered().await;
    assert!(matches!(reply.act, Act::Press { .. }));
}
