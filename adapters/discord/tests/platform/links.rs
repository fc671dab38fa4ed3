//! The connection: what is asked for at its start, what is taken up again after its end, and where it never goes.

use std::time::Duration;

use askrelay_core::port::{Act, Report};
use askrelay_discord::Config;
use askrelay_kit::discord::{Bot, Fault, Route, StandIn};
use askrelay_kit::surface::Stage;
use tokio::sync::mpsc::{Receiver, channel};

use crate::room::{Room, config, place};
use crate::shown;

/// Starts a surface; what it reports.
fn start(config: Config) -> Receiver<Report> {
    let (orders, surface_orders) = channel(16);
    let (surface_reports, reports) = channel(16);
    tokio::spawn(async move {
        askrelay_discord::run(config, surface_orders, surface_reports).await;
        drop(orders);
    });
    reports
}

fn bot() -> (StandIn, Bot) {
    let stand_in = StandIn::start();
    let bot = stand_in.bot("askbot");
    (stand_in, bot)
}

async fn offline(reports: &mut Receiver<Report>) -> String {
    match reports.recv().await {
        Some(Report::Offline { why, .. }) => why,
        other => panic!("expected to be offline, got {other:?}"),
    }
}

async fn write(stage: &mut Stage<Room>, text: &str) {
    stage.platform.person.write(&stage.platform.channel, text);
    let heard = stage.reply().await;
    assert!(matches!(&heard.act, Act::Text { text: Some(words), .. } if words == text), "{heard:?}");
}

#[tokio::test]
async fn the_bot_is_named() {
    let (stand_in, bot) = bot();
    let mut reports = start(config(&stand_in, &bot));
    match reports.recv().await {
        Some(Report::Named { account, bot: named }) => {
            assert_eq!(account, place(0).account);
            assert_eq!((named.handle.as_deref(), named.prefix), (Some("askbot"), '!'));
            assert_eq!(named.id, Some(bot.id().to_string()));
        }
        other => panic!("expected a name, got {other:?}"),
    }
    assert_eq!(reports.recv().await, Some(Report::Online { account: place(0).account }));
}

#[tokio::test]
async fn a_wrong_token_is_named() {
    let (stand_in, bot) = bot();
    let mut wrong = config(&stand_in, &bot);
    wrong.token = "MTIz.Gx.revoked".into();
    let why = offline(&mut start(wrong)).await;
    assert!(why.contains("developer portal") && !why.contains("revoked"), "{why}");
}

#[tokio::test]
async fn a_token_that_is_taken_back_is_named() {
    let mut stage = Stage::<Room>::online().await;
    stage.platform.bot.reset_token();
    stage.platform.bot.close_gateway(4000);
    match stage.report().await {
        Report::Offline { why, .. } => assert!(why.contains("developer portal"), "{why}"),
        other => panic!("expected to be offline, got {other:?}"),
    }
}

/// A name, and how a connection ends.
type End = (&'static str, fn(&Bot));

#[tokio::test]
async fn a_connection_that_ends_is_taken_up_again_and_nothing_is_missed() {
    let ends: [End; 5] = [
        ("hung up", Bot::drop_gateway),
        ("closed", |bot| bot.close_gateway(4000)),
        ("closed as usual", |bot| bot.close_gateway(1001)),
        ("asked to reconnect", Bot::ask_to_reconnect),
        ("a session that goes on", |bot| bot.invalidate_session(true)),
    ];
    for (name, end) in ends {
        let mut stage = Stage::<Room>::online().await;
        write(&mut stage, "before").await;
        end(&stage.platform.bot);
        stage.platform.person.write(&stage.platform.channel, "meanwhile");
        let heard = stage.reply().await;
        assert!(matches!(&heard.act, Act::Text { text: Some(text), .. } if text == "meanwhile"), "{name}");
        write(&mut stage, "after").await;
        stage.nothing_more().await;
        let bot = &stage.platform.bot;
        assert_eq!((bot.identified(), bot.resumed()), (1, 1), "{name}");
    }
}

#[tokio::test]
async fn a_session_that_is_over_begins_anew() {
    let ends: [End; 3] = [
        ("not valid any more", |bot| bot.invalidate_session(false)),
        ("timed out", |bot| bot.close_gateway(4009)),
        ("out of step", |bot| bot.close_gateway(4007)),
    ];
    for (name, end) in ends {
        let mut stage = Stage::<Room>::online().await;
        end(&stage.platform.bot);
        stage.platform.bot.until_identified(2).await;
        stage.platform.bot.until_told().await;
        write(&mut stage, name).await;
        shown(&mut stage, "one", &["Red"]).await;
    }
}

#[tokio::test]
async fn no_more_sessions_begin_than_the_platform_allows_in_a_day() {
    let (stand_in, bot) = bot();
    bot.limit_starts(0, 50);
    let mut reports = start(config(&stand_in, &bot));
    assert!(matches!(reports.recv().await, Some(Report::Named { .. })));
    let why = offline(&mut reports).await;
    assert!(
        why.contains("connected too often today") && why.contains("askrelay, or another program"),
        "{why}"
    );
    bot.limit_starts(1, 50);
    assert_eq!(reports.recv().await, Some(Report::Online { account: place(0).account }));
    assert_eq!(bot.identified(), 1, "none was tried while none was left");
    // The last one of the day is over: nothing is begun until there are others.
    bot.invalidate_session(false);
    let why = offline(&mut reports).await;
    assert!(why.contains("connected too often today"), "{why}");
    bot.limit_starts(1000, 0);
    assert_eq!(reports.recv().await, Some(Report::Online { account: place(0).account }));
    assert_eq!(bot.identified(), 2);
}

#[tokio::test]
async fn a_session_that_was_forgotten_meanwhile_begins_anew() {
    let mut stage = Stage::<Room>::online().await;
    stage.platform.stand_in.cut_gateways();
    assert!(matches!(stage.report().await, Report::Offline { .. }));
    stage.platform.bot.forget_sessions();
    stage.platform.stand_in.mend();
    assert_eq!(stage.report().await, Report::Online { account: place(0).account });
    assert_eq!(stage.platform.bot.identified(), 2);
    write(&mut stage, "still there").await;
}

#[tokio::test]
async fn a_connection_that_is_dead_and_does_not_know_it_is_given_up() {
    let (stand_in, bot) = bot();
    stand_in.set_heartbeat(20);
    let person = stand_in.person("Sam");
    let direct = person.open(&bot);
    bot.withhold_acknowledgements(true);
    let mut reports = start(config(&stand_in, &bot));
    bot.until_resumed(1).await;
    bot.withhold_acknowledgements(false);
    person.write(&direct, "still there?");
    loop {
        if let Report::Replied(reply) = reports.recv().await.unwrap() {
            assert!(matches!(&reply.act, Act::Text { text: Some(text), .. } if text == "still there?"));
            break;
        }
    }
    assert_eq!(bot.identified(), 1, "nothing was lost with it");
}

#[tokio::test]
async fn a_heartbeat_is_sent_when_it_is_asked_for() {
    let mut stage = Stage::<Room>::online().await;
    for _ in 0..3 {
        stage.platform.bot.ask_for_heartbeat();
    }
    write(&mut stage, "still there").await;
    assert_eq!(stage.platform.bot.resumed(), 0);
}

#[tokio::test]
async fn a_gateway_out_of_reach_is_told_and_outlived() {
    let mut stage = Stage::<Room>::online().await;
    let account = place(0).account;
    stage.platform.stand_in.cut_gateways();
    match stage.report().await {
        Report::Offline { why, .. } => assert!(why.contains("gateway"), "{why}"),
        other => panic!("expected to be offline, got {other:?}"),
    }
    shown(&mut stage, "one", &["Red"]).await;
    stage.platform.person.write(&stage.platform.channel, "meanwhile");
    stage.platform.stand_in.mend();
    assert_eq!(stage.report().await, Report::Online { account });
    let heard = stage.reply().await;
    assert!(matches!(&heard.act, Act::Text { text: Some(text), .. } if text == "meanwhile"), "{heard:?}");
}

#[tokio::test]
async fn without_the_intent_the_bot_connects_all_the_same() {
    let (stand_in, bot) = bot();
    bot.allow_message_content(true);
    // It is taken back between the look at it and the connection.
    let hold = stand_in.hold_answers(Route::GetGatewayBot, 1);
    let mut asking = config(&stand_in, &bot);
    asking.gateway_url = None;
    let mut reports = start(asking);
    stand_in.until_called(Route::GetGatewayBot, 1).await;
    bot.allow_message_content(false);
    hold.release();
    assert!(matches!(reports.recv().await, Some(Report::Named { .. })));
    assert!(matches!(reports.recv().await, Some(Report::Online { .. })));
    assert_eq!(bot.identified(), 1);
}

#[tokio::test]
async fn where_the_gateway_is_only_the_configured_host_says() {
    let (stand_in, bot) = bot();
    let mut asking = config(&stand_in, &bot);
    asking.gateway_url = None;
    for fault in
        [Fault::Refuse(500, 0, "500: Internal Server Error".to_owned()), Fault::Garbage, Fault::DropAfter]
    {
        stand_in.fail(Route::GetGatewayBot, 1, fault);
    }
    let mut reports = start(asking);
    assert!(matches!(reports.recv().await, Some(Report::Named { .. })));
    offline(&mut reports).await;
    loop {
        match reports.recv().await.unwrap() {
            Report::Online { .. } => break,
            Report::Offline { .. } => {}
            other => panic!("expected to come online, got {other:?}"),
        }
    }
    assert_eq!(stand_in.calls_of(Route::GetGatewayBot).len(), 4, "asked until it said");
}

#[tokio::test]
async fn a_gateway_that_says_nothing_is_left() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (stand_in, bot) = bot();
    let mut mute = config(&stand_in, &bot);
    mute.gateway_url = Some(format!("ws://{}/", listener.local_addr().unwrap()).parse().unwrap());
    mute.policy.hello_wait = Duration::from_millis(20);
    let mut reports = start(mute);
    assert!(matches!(reports.recv().await, Some(Report::Named { .. })));
    let why = offline(&mut reports).await;
    assert!(why.contains("does not answer"), "{why}");
}

#[tokio::test]
async fn a_gateway_that_does_not_speak_tls_is_named() {
    let (stand_in, bot) = bot();
    let mut secure = config(&stand_in, &bot);
    secure.gateway_url = Some(stand_in.gateway_url().replace("ws://", "wss://").parse().unwrap());
    let mut reports = start(secure);
    assert!(matches!(reports.recv().await, Some(Report::Named { .. })));
    let why = offline(&mut reports).await;
    assert!(why.contains("cannot be reached"), "{why}");
}

#[tokio::test]
async fn what_says_nothing_is_dropped() {
    let mut stage = Stage::<Room>::online().await;
    stage.platform.bot.deliver_unknown();
    stage.platform.bot.deliver_garbage();
    write(&mut stage, "still there").await;
    stage.nothing_more().await;
}

#[tokio::test]
async fn addresses_that_are_none_are_named() {
    let (stand_in, bot) = bot();
    let mut no_gateway = config(&stand_in, &bot);
    no_gateway.gateway_url = Some("https://gateway.example".parse().unwrap());
    let mut no_api = config(&stand_in, &bot);
    no_api.api_url = "ftp://discord.example".parse().unwrap();
    for (config, words) in [(no_gateway, "ws or wss"), (no_api, "http or https")] {
        let why = offline(&mut start(config)).await;
        assert!(why.contains(words), "{why}");
    }
    assert_eq!(stand_in.calls().len(), 0);
}
