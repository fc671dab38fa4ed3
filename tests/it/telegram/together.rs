//! One question in several places at once, and people who answer together.

use super::{Phone, retired, shown, tap};

#[test]
fn one_answer_counts_and_every_copy_is_retired() {
    let phone = Phone::new();
    let forum = phone.platform.forum("Releases");
    forum.add_bot(&phone.bot);
    let other = phone.platform.person("Kim");
    forum.add(&other);
    let topic = forum.open_topic("Deploys");
    phone.configure(&[phone.private(), format!("telegram/main/{}/{topic}", forum.id())]);
    phone.succeeds(&["people", "add", "kim", "--grant", "questions.answer"]);
    phone.link("kim", &other);
    let _server = phone.serve();
    let asking = phone.program.at_terminal(&["ask", "Where to?", "-o", "Staging", "-o", "Production"]);
    asking.shows("Where to?");
    let (private, shared) = (phone.question("Where to?").id, shown(&forum, "Where to?"));
    assert_eq!(shared.topic, Some(topic));
    let taps = [phone.owner.tap(&phone.chat, private, "Staging"), other.tap(&forum, shared.id, "Production")];
    let (code, stdout, screen) = asking.ends();
    assert_eq!(code, 0, "{screen}");
    let won = stdout.trim().to_owned();
    assert!(["Staging", "Production"].contains(&won.as_str()), "{screen}");
    let ended = [retired(&phone.chat, private, &won), retired(&forum, shared.id, &won)];
    let by = if won == "Staging" { "By owner" } else { "By kim" };
    assert!(ended.iter().all(|seen| seen.text.contains(by)), "{ended:?}");
    for told in taps.map(|tap| tap.wait_answered().text.unwrap()) {
        assert!(told.contains(&won), "both are told the truth: {told:?}, {won} counts");
    }
}

#[test]
fn somebody_in_the_group_cannot_answer_for_others() {
    let phone = Phone::new();
    let group = phone.platform.supergroup("Releases");
    group.add_bot(&phone.bot);
    let stranger = phone.platform.person("Eve");
    group.add(&phone.owner);
    group.add(&stranger);
    phone.configure(&[format!("telegram/main/{}", group.id())]);
    let _server = phone.serve();
    let asking = phone.ask(&["Where to?", "-o", "Staging", "-o", "Production"]);
    let message = shown(&group, "Where to?").id;
    let told = stranger.tap(&group, message, "Staging").wait_answered().text.unwrap();
    assert!(told.contains("do not know you") && !told.contains("Staging"), "{told}");
    stranger.write(&group, "1");
    tap(&phone.owner, &group, message, "Production");
    let (code, stdout, stderr) = asking.ends();
    assert_eq!((code, stdout.as_str()), (Some(0), "Production\n"), "{stderr}");
}

#[test]
fn a_bot_that_cannot_write_says_so_at_once() {
    let phone = Phone::new();
    phone.owner.block(&phone.bot);
    let _server = phone.serve();
    let (code, stdout, stderr) = phone.ask(&["Where to?", "-o", "Staging"]).ends();
    assert_eq!((code, stdout.as_str()), (Some(3), ""), "{stderr}");
    assert!(stderr.contains("block"), "{stderr}");
}
