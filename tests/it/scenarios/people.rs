//! Stories with more than one person: groups, bystanders, several places.

use askrelay_kit::telegram::Post;
use serde_json::json;

use super::stories::{DEPLOY, prints, waits};
use crate::telegram::{Phone, retired, shown, tap};

#[test]
fn b32_b34_a_bystander_is_refused_by_who_they_are() {
    let phone = Phone::new();
    let group = phone.platform.supergroup("Ops");
    group.add_bot(&phone.bot);
    let guest = phone.platform.person("Eve");
    group.add(&phone.owner);
    group.add(&guest);
    phone.configure(&[format!("telegram/main/{}", group.id())]);
    let _server = phone.serve();
    let asking = phone.ask(&DEPLOY);
    let seen = shown(&group, "Where?");
    let told = guest.tap(&group, seen.id, "Staging").wait_answered().text.unwrap();
    assert!(told.contains("do not know you") && !told.contains("Staging"), "{told}");
    let data = seen.buttons[0][0].data.clone().unwrap();
    // Nobody is named at all.
    phone.bot.deliver_raw(json!({"callback_query": {"id": "4712", "chat_instance": "1", "data": data}}));
    tap(&phone.owner, &group, seen.id, "Production");
    prints(asking, "Production\n");
    let trail = phone.succeeds(&["audit"]);
    assert!(trail.contains("answer.refused") && trail.contains(&guest.id().to_string()), "{trail}");
}

#[test]
fn b35_only_the_route_is_shown_it() {
    let phone = Phone::new();
    let _server = phone.serve();
    let contact = phone.platform.person("Kim");
    let chat = contact.start(&phone.bot);
    chat.wait_seen("Give this code");
    let asking = phone.ask(&DEPLOY);
    phone.question("Where?");
    contact.write(&chat, "1");
    phone.everything_was_read();
    assert!(chat.from_bots().iter().all(|seen| !seen.text.contains("Where?")), "{:?}", chat.from_bots());
    waits(asking);
}

#[test]
fn b37_a_code_names_a_question_and_authorises_nobody() {
    let phone = Phone::new();
    let group = phone.platform.supergroup("Ops");
    phone.bot.set_privacy(false);
    group.add_bot(&phone.bot);
    let peer = phone.platform.person("Kim");
    group.add(&phone.owner);
    group.add(&peer);
    phone.configure(&[format!("telegram/main/{}", group.id())]);
    let _server = phone.serve();
    let asking = phone.ask(&["Go?", "-o", "Yes", "-o", "No", "--id", "k7f2q"]);
    let seen = shown(&group, "Go?");
    peer.send(&group, Post::text("yes").reply_to(seen.id));
    peer.write(&group, "yes k7f2q");
    phone.owner.send(&group, Post::text("no").reply_to(seen.id));
    prints(asking, "No\n");
}

#[test]
fn b40_a_press_and_a_text_are_judged_alike() {
    let phone = Phone::new();
    let guest = phone.platform.person("Kim");
    let chat = guest.open(&phone.bot);
    phone.succeeds(&["people", "add", "kim", "--grant", "questions.admin"]);
    phone.link("kim", &guest);
    phone.configure(&[format!("telegram/main/{}", chat.id())]);
    let _server = phone.serve();
    let asking = phone.ask(&DEPLOY);
    let seen = shown(&chat, "Where?");
    tap(&guest, &chat, seen.id, "Staging");
    prints(asking, "Staging\n");
    let asking = phone.ask(&["When?", "-o", "Now", "-o", "Later"]);
    shown(&chat, "When?");
    guest.write(&chat, "2");
    prints(asking, "Later\n");
}

#[test]
fn b44_the_input_of_one_person_takes_no_other_words() {
    let phone = Phone::new();
    let group = phone.platform.supergroup("Ops");
    phone.bot.set_privacy(false);
    group.add_bot(&phone.bot);
    let guest = phone.platform.person("Eve");
    group.add(&phone.owner);
    group.add(&guest);
    phone.configure(&[format!("telegram/main/{}", group.id())]);
    let _server = phone.serve();
    let asking = phone.ask(&["Which port?", "-o", "8080", "-o", "9090"]);
    let seen = shown(&group, "Which port?");
    tap(&phone.owner, &group, seen.id, "Other…");
    let input =
        group.wait("an input", |messages| messages.iter().find(|seen| seen.force_reply.is_some()).cloned());
    guest.send(&group, Post::text("drop everything").reply_to(input.id));
    phone.owner.send(&group, Post::text("use port 8443").reply_to(input.id));
    prints(asking, "use port 8443\n");
}

#[test]
fn b62_a_plain_word_and_a_reply_answer_alike_in_a_group() {
    let phone = Phone::new();
    let group = phone.platform.supergroup("Ops");
    phone.bot.set_privacy(false);
    group.add_bot(&phone.bot);
    let guest = phone.platform.person("Eve");
    group.add(&phone.owner);
    group.add(&guest);
    phone.configure(&[format!("telegram/main/{}", group.id())]);
    let _server = phone.serve();
    for by_reply in [false, true] {
        let asking = phone.ask(&["Ready?", "-o", "Done", "-o", "Not yet"]);
        let seen = shown(&group, "Ready?");
        guest.write(&group, "Done");
        // What a reply carries outside a forum looks like a topic and is none.
        let post = Post::text("Done").with("message_thread_id", json!(900));
        let post = if by_reply { post.reply_to(seen.id) } else { Post::text("Done") };
        phone.owner.send(&group, post);
        prints(asking, "Done\n");
        retired(&group, seen.id, "Done");
    }
}

#[test]
fn b65_asked_in_two_places_answered_in_one() {
    let phone = Phone::new();
    let elsewhere = phone.platform.supergroup("Ops");
    elsewhere.add_bot(&phone.bot);
    elsewhere.add(&phone.owner);
    let _server = phone.serve();
    let one = phone.ask(&["Only here?", "-o", "Yes"]);
    let only = phone.question("Only here?");
    phone.tap(only.id, "Yes");
    prints(one, "Yes\n");
    assert!(elsewhere.from_bots().is_empty(), "shown only where it is routed to");
    let group = format!("telegram/main/{}", elsewhere.id());
    let both = phone.ask(&["Both?", "-o", "Yes", "--to", &group, "--to", &phone.private()]);
    let (here, there) = (phone.question("Both?").id, shown(&elsewhere, "Both?").id);
    tap(&phone.owner, &elsewhere, there, "Yes");
    prints(both, "Yes\n");
    retired(&phone.chat, here, "Yes");
    retired(&elsewhere, there, "Yes");
}
