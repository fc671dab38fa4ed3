//! Two people who press at the same moment, one in private and one in a channel: one answer counts, both are told the truth, and
//! every copy is retired.

use super::discord::Discord;
use super::slack::Slack;
use super::{Chat, Desk};

const WHERE: [&str; 5] = ["Where to?", "-o", "Staging", "-o", "Production"];

/// A chat of the owner and one that others share, in which somebody else presses.
struct Pair<C> {
    desk: Desk,
    private: C,
    shared: C,
    /// The Place of the shared one.
    place: String,
}

/// `presses` makes the owner and the other press at once, and gives what each of them was told.
fn check<C: Chat>(pair: &Pair<C>, presses: impl FnOnce(&str, &str) -> [String; 2]) {
    let Pair { desk, private, shared, place } = pair;
    let _server = desk.serve();
    let own = private.place();
    let asking = desk.program.at_terminal(&[&["ask"], &WHERE[..], &["--to", &own, "--to", place]].concat());
    asking.shows("Where to?");
    let (here, there) = (private.question("Where to?"), shared.question("Where to?"));
    let told = presses(&here, &there);
    let (code, stdout, screen) = asking.ends();
    assert_eq!(code, 0, "{screen}");
    let won = stdout.trim().to_owned();
    let by = if won == "Staging" { "By owner" } else { "By kim" };
    for seen in [private.retired(&here, &won), shared.retired(&there, &won)] {
        assert!(seen.contains(by), "{won} counts: {seen}");
    }
    for words in told {
        assert!(words.contains(&won), "both are told the truth: {words}, {won} counts");
    }
}

fn let_in(desk: &Desk, identity: &str) {
    desk.succeeds(&["people", "add", "kim", "--grant", "questions.answer"]);
    desk.succeeds(&["people", "link", "kim", identity]);
}

#[test]
fn two_people_press_at_once_on_discord() {
    let private = Discord::new();
    let (guild, kim) = (private.stand_in.guild("Ops"), private.stand_in.person("Kim"));
    guild.add_bot(&private.bot);
    guild.add(&kim);
    let shared = Discord { channel: guild.text_channel("deploys"), ..private.clone() };
    let desk = Desk::new(vec![Box::new(private.clone())]);
    let_in(&desk, &format!("discord/{}", kim.id()));
    let place = format!("discord/main/{}", shared.channel.id());
    let pair = Pair { desk, private, shared, place };
    check(&pair, |here, there| {
        let own = pair.private.person.tap(&pair.private.channel, here.parse().unwrap(), "Staging");
        let other = kim.tap(&pair.shared.channel, there.parse().unwrap(), "Production");
        [own, other].map(|press| press.wait_note("").text)
    });
}

#[test]
fn two_people_press_at_once_on_slack() {
    let private = Slack::new();
    let kim = private.team.person("Kim");
    let channel = private.team.channel("deploys");
    channel.add_app(&private.app);
    channel.add(&kim);
    let shared = Slack { channel, ..private.clone() };
    let desk = Desk::new(vec![Box::new(private.clone())]);
    let_in(&desk, &format!("slack/{}/{}", kim.team_id(), kim.id()));
    let place = format!("slack/main/{}", shared.channel.id());
    let pair = Pair { desk, private, shared, place };
    check(&pair, |here, there| {
        let (own, kims) = (&pair.private, &pair.shared);
        own.person.tap(&own.channel, here, "Staging");
        kim.tap(&kims.channel, there, "Production");
        [own.person.wait_told(&own.channel, "").body(), kim.wait_told(&kims.channel, "").body()]
    });
}
