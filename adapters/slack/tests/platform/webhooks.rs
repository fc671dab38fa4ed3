//! Events and interactions that the platform brings by itself, over the route that the program mounts.

use askrelay_core::port::{Acknowledgement, Act, Order, Reply, Report};
use askrelay_kit::slack::{App, Channel, Person, Signing, StandIn};
use askrelay_slack::{Mode, Policy, SlackError, webhook};
use axum::Router;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::room::{config_with, now, place};
use crate::{acknowledge, input, show};

struct Hooked {
    stand_in: StandIn,
    app: App,
    person: Person,
    dm: Channel,
    url: String,
    orders: Sender<Order>,
    reports: Receiver<Report>,
}

/// A surface that is called at a port of its own.
async fn hooked() -> Hooked {
    let stand_in = StandIn::start();
    let team = stand_in.team("Acme");
    let (app, person) = (team.app("askbot"), team.person("Sam"));
    let dm = person.open(&app);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/slack/main", listener.local_addr().unwrap());
    let (end, route) = webhook(app.signing_secret().into(), &Policy::default(), now).unwrap();
    let config = config_with(&stand_in, &app, Mode::Webhook(end));
    let routes = Router::new().nest("/slack/main", route);
    tokio::spawn(async move { axum::serve(listener, routes).await });
    app.use_http(&url, &url);
    let (orders, surface_orders) = channel(16);
    let (surface_reports, reports) = channel(16);
    tokio::spawn(askrelay_slack::run(config, surface_orders, surface_reports));
    let mut hooked = Hooked { stand_in, app, person, dm, url, orders, reports };
    assert!(matches!(hooked.report().await, Report::Online { .. }));
    hooked
}

impl Hooked {
    async fn report(&mut self) -> Report {
        loop {
            match self.reports.recv().await.unwrap() {
                Report::Named { .. } => {}
                report => return report,
            }
        }
    }

    async fn reply(&mut self) -> Reply {
        match self.report().await {
            Report::Replied(reply) => *reply,
            other => panic!("expected a reply, got {other:?}"),
        }
    }

    async fn press(&mut self) -> (Reply, askrelay_kit::slack::Tap) {
        let here = place(&format!("@{}", self.person.id()));
        self.orders.send(show("one", here, "Which colour?", &["Other"])).await.unwrap();
        let seen = self.dm.until_seen("Which colour?").await;
        assert!(matches!(self.report().await, Report::Shown { .. }));
        let tap = self.person.tap(&self.dm, &seen.ts, "Other");
        (self.reply().await, tap)
    }
}

#[tokio::test]
async fn the_address_is_verified_and_events_are_taken() {
    let mut hooked = hooked().await;
    assert_eq!(hooked.stand_in.verify_url(&hooked.app, &hooked.url).await, Ok(()));
    hooked.person.write(&hooked.dm, "red");
    let reply = hooked.reply().await;
    assert!(matches!(&reply.act, Act::Text { text: Some(text), .. } if text == "red"));
    hooked.app.deliver_unknown();
    hooked.app.until_quiet().await;
    let statuses: Vec<u16> = hooked.app.deliveries().into_iter().flat_map(|each| each.statuses).collect();
    assert_eq!(statuses, [200, 200]);
    assert_eq!(hooked.app.connections(), 0, "no socket is opened");
}

#[tokio::test]
async fn only_the_platform_is_let_in() {
    let rows = [
        ("another secret", Signing::Wrong, 401),
        ("more than five minutes ago", Signing::Late(301), 401),
        ("in more than five minutes", Signing::Late(-301), 401),
        ("five minutes ago", Signing::Late(300), 200),
        ("no signature", Signing::Missing, 401),
        ("a changed body", Signing::Tampered, 401),
        ("now", Signing::Right, 200),
    ];
    for (name, signing, status) in rows {
        let mut hooked = hooked().await;
        hooked.app.sign(1, &signing);
        hooked.person.write(&hooked.dm, "red");
        let first = hooked.app.until_deliveries("a first try", |all| all.last()?.statuses.first().copied());
        assert_eq!(first.await, status, "{name}");
        if status == 200 {
            hooked.reply().await;
        }
    }
}

#[tokio::test]
async fn an_event_that_comes_again_is_the_same_update() {
    let mut hooked = hooked().await;
    hooked.person.write(&hooked.dm, "red");
    let first = hooked.reply().await;
    hooked.app.until_quiet().await;
    assert!(hooked.app.deliver_again());
    let second = hooked.reply().await;
    assert_eq!((first.update, first.act), (second.update, second.act));
}

#[tokio::test]
async fn presses_and_modals_are_answered_in_time() {
    let mut hooked = hooked().await;
    let (press, tap) = hooked.press().await;
    tap.answered().await;
    let form = Acknowledgement::Form {
        token: "t.form".to_owned(),
        title: "Your colour".to_owned(),
        fields: vec![input("Colour", "t.colour")],
    };
    hooked.orders.send(acknowledge(press.ack, form)).await.unwrap();
    hooked.person.until_modal("a form", |_| true).await;
    hooked.person.fill("Colour", "5 & <more>");
    hooked.person.submit();
    let sent = hooked.reply().await;
    assert!(
        matches!(&sent.act, Act::Form { fields, .. } if fields[0].values == ["5 & <more>"]),
        "{:?}",
        sent.act
    );
    let wrong = vec![("t.colour".to_owned(), "Expected a colour.".to_owned())];
    hooked.orders.send(acknowledge(sent.ack, Acknowledgement::Errors(wrong))).await.unwrap();
    let modal = hooked.person.until_modal("errors", |form| !form.errors.is_empty()).await;
    assert_eq!(modal.error("Colour"), Some("Expected a colour."));
    hooked.person.fill("Colour", "lilac");
    let tap = hooked.person.submit();
    let sent = hooked.reply().await;
    hooked.orders.send(acknowledge(sent.ack, Acknowledgement::Silent)).await.unwrap();
    tap.answered().await;
    hooked.person.until_no_modal().await;
    assert_eq!(hooked.app.complaints(), Vec::<String>::new());
}

#[test]
fn a_secret_is_needed() {
    assert!(matches!(webhook("".into(), &Policy::default(), now), Err(SlackError::SigningSecret)));
}
