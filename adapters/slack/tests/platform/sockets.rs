//! Socket Mode: what is asked for at the start, what is acknowledged when, and how connections end.

use askrelay_core::port::{Act, Report};
use askrelay_kit::slack::{Disconnect, StandIn};
use askrelay_kit::surface::Stage;
use tokio::sync::mpsc::channel;

use crate::room::{Room, config, place};
use crate::{Spoil, prompt, shown};

fn text(report: Report) -> String {
    match report {
        Report::Replied(reply) => match reply.act {
            Act::Text { text: Some(text), .. } => text,
            other => panic!("expected a text, got {other:?}"),
        },
        other => panic!("expected a reply, got {other:?}"),
    }
}

#[tokio::test]
async fn the_start_makes_everything_ready() {
    let stage = Stage::<Room>::online().await;
    let methods: Vec<String> = stage.platform.stand_in.calls().into_iter().map(|call| call.method).collect();
    assert_eq!(methods, ["auth.test", "apps.connections.open"]);
    assert_eq!(stage.platform.app.connections(), 1);
}

#[tokio::test]
async fn the_bot_is_named() {
    let stand_in = StandIn::start();
    let app = stand_in.team("Acme").app("askbot");
    let (_orders, surface_orders) = channel(1);
    let (surface_reports, mut reports) = channel(1);
    let task = tokio::spawn(askrelay_slack::run(config(&stand_in, &app), surface_orders, surface_reports));
    match reports.recv().await {
        Some(Report::Named { account, bot }) => {
            assert_eq!(account, place("").account);
            assert_eq!((bot.handle.as_deref(), bot.prefix), (Some("askbot"), '!'));
            assert_eq!(bot.id, Some(app.user_id()));
        }
        other => panic!("expected a name, got {other:?}"),
    }
    drop(reports);
    task.await.unwrap();
}

/// The relay takes nothing while its queue is full.
#[tokio::test]
async fn everything_is_acknowledged_whatever_the_relay_does() {
    let stand_in = StandIn::start();
    let team = stand_in.team("Acme");
    let (app, person) = (team.app("askbot"), team.person("Sam"));
    let dm = person.open(&app);
    let (_orders, surface_orders) = channel(1);
    let (surface_reports, mut reports) = channel(1);
    let _task = tokio::spawn(askrelay_slack::run(config(&stand_in, &app), surface_orders, surface_reports));
    app.until_connected(1).await;
    for number in 0..20 {
        person.write(&dm, &number.to_string());
    }
    app.until_deliveries("twenty that are taken", |all| {
        (all.len() == 20 && all.iter().all(|delivery| delivery.taken)).then_some(())
    })
    .await;
    let mut texts = Vec::new();
    while texts.len() < 20 {
        match reports.recv().await.unwrap() {
            Report::Named { .. } | Report::Online { .. } => {}
            report => texts.push(text(report)),
        }
    }
    assert_eq!(texts, (0..20).map(|number| number.to_string()).collect::<Vec<_>>());
    assert_eq!(app.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn what_is_delivered_again_is_the_same_update_and_acknowledged_again() {
    let mut stage = Stage::<Room>::online().await;
    stage.platform.person.write(&stage.platform.channel, "red");
    let first = stage.reply().await;
    assert!(stage.platform.app.deliver_again());
    let second = stage.reply().await;
    assert_eq!((first.update, first.act), (second.update, second.act));
    let answers = stage.platform.app.until_deliveries("two answers", |all| {
        let delivery = all.last()?;
        (delivery.answers.len() == 2).then(|| delivery.answers.clone())
    });
    assert!(answers.await.iter().all(serde_json::Value::is_null));
}

#[tokio::test]
async fn what_says_nothing_is_acknowledged() {
    let mut stage = Stage::<Room>::online().await;
    let app = stage.platform.app.clone();
    app.deliver_unknown();
    app.deliver_frame("no JSON");
    app.deliver_frame(r#"{"type":"something_new"}"#);
    app.deliver_frame(r#"{"type":"events_api"}"#);
    stage.nothing_more().await;
    app.until_quiet().await;
    let deliveries = app.deliveries();
    assert!(deliveries.iter().all(|delivery| delivery.taken), "{deliveries:?}");
    assert_eq!(app.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn an_announced_end_is_not_noticed() {
    for reason in [Disconnect::Warning, Disconnect::RefreshRequested] {
        let mut stage = Stage::<Room>::online().await;
        let app = stage.platform.app.clone();
        app.disconnect(reason);
        app.until_connected(2).await;
        // The old one may still bring something.
        app.prefer_socket(0);
        stage.platform.person.write(&stage.platform.channel, "over the old one");
        assert_eq!(text(stage.report().await), "over the old one");
        app.until_quiet().await;
        stage.platform.stand_in.pass(60);
        app.until_connected(1).await;
        stage.platform.person.write(&stage.platform.channel, "over the new one");
        assert_eq!(text(stage.report().await), "over the new one");
        stage.nothing_more().await;
    }
}

#[tokio::test]
async fn connections_that_end_are_told_and_replaced() {
    let ends: [(&str, Spoil); 2] =
        [("dropped", |room| room.app.drop_sockets()), ("closed", |room| room.app.close_sockets())];
    for (name, end) in ends {
        let mut stage = Stage::<Room>::online().await;
        end(&stage.platform);
        match stage.report().await {
            Report::Offline { why, .. } => assert!(why.contains("connection"), "{name}: {why}"),
            other => panic!("{name}: expected to be offline, got {other:?}"),
        }
        assert_eq!(stage.report().await, Report::Online { account: place("").account }, "{name}");
        stage.platform.person.write(&stage.platform.channel, "still there?");
        assert_eq!(text(stage.report().await), "still there?", "{name}");
    }
}

#[tokio::test]
async fn sockets_that_are_switched_off_are_named_and_waited_for() {
    let mut stage = Stage::<Room>::online().await;
    stage.platform.app.disconnect(Disconnect::LinkDisabled);
    let mut reports = vec![stage.report().await];
    stage.platform.app.enable_sockets();
    while !matches!(reports.last(), Some(Report::Online { .. })) {
        reports.push(stage.report().await);
    }
    assert!(
        matches!(&reports[0], Report::Offline { why, .. } if why.contains("Socket Mode is turned off")),
        "{reports:?}"
    );
    shown(&mut stage, "one", prompt("Still there?", &["Yes"])).await;
}

/// A name, what is wrong, and a part of the words.
type Wrong = (&'static str, fn(&mut askrelay_slack::Config), &'static str);

#[tokio::test]
async fn a_wrong_token_is_named() {
    let stand_in = StandIn::start();
    let app = stand_in.team("Acme").app("askbot");
    let rows: [Wrong; 2] = [
        ("bot", |config| config.token = "xoxb-1-unknown".into(), "xoxb-"),
        ("app", |config| config.mode = askrelay_slack::Mode::Socket("xapp-1-unknown".into()), "xapp-"),
    ];
    for (name, spoil, words) in rows {
        let mut config = config(&stand_in, &app);
        spoil(&mut config);
        let (_orders, surface_orders) = channel(1);
        let (surface_reports, mut reports) = channel(4);
        let _task = tokio::spawn(askrelay_slack::run(config, surface_orders, surface_reports));
        let why = loop {
            match reports.recv().await {
                Some(Report::Offline { why, .. }) => break why,
                Some(Report::Named { .. }) => {}
                other => panic!("{name}: expected to be offline, got {other:?}"),
            }
        };
        assert!(why.contains(words) && !why.contains("unknown"), "{name}: {why}");
    }
}
