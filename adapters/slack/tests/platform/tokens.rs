//! The bot's token is taken away: the first call that is refused for it says so, whatever it was for, and not only the next look.

use std::time::Duration;

use askrelay_core::port::{Acknowledgement, Order, Report};
use askrelay_kit::slack::{App, Channel, Fault, Person, StandIn, Team};
use askrelay_slack::{Mode, Policy, webhook};
use axum::Router;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::room::{config, config_with, identity, now, place};
use crate::{acknowledge, input, prompt, show};

/// A surface that looks by itself so often, and what is told of it.
struct Scene {
    stand_in: StandIn,
    team: Team,
    app: App,
    person: Person,
    room: Channel,
    orders: Sender<Order>,
    reports: Receiver<Report>,
}

#[derive(Clone, Copy, Debug)]
enum Way {
    Sockets,
    Webhook,
}

impl Scene {
    async fn online(way: Way, looks: Duration) -> Self {
        let stand_in = StandIn::start();
        let team = stand_in.team("Acme");
        let (app, person, room) = (team.app("askbot"), team.person("Sam"), team.channel("team"));
        room.add(&person);
        room.add_app(&app);
        let mut config = match way {
            Way::Sockets => config(&stand_in, &app),
            Way::Webhook => {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                let url = format!("http://{}", listener.local_addr().unwrap());
                let (end, route) = webhook(app.signing_secret().into(), &Policy::default(), now).unwrap();
                tokio::spawn(async move { axum::serve(listener, Router::new().merge(route)).await });
                app.use_http(&url, &url);
                config_with(&stand_in, &app, Mode::Webhook(end))
            }
        };
        config.policy.retry_slowly = looks;
        let (orders, surface_orders) = channel(16);
        let (surface_reports, reports) = channel(16);
        tokio::spawn(askrelay_slack::run(config, surface_orders, surface_reports));
        let mut scene = Self { stand_in, team, app, person, room, orders, reports };
        scene.until(|report| matches!(report, Report::Online { .. }).then_some(())).await;
        scene
    }

    async fn until<T>(&mut self, find: impl Fn(Report) -> Option<T>) -> T {
        loop {
            let report = tokio::time::timeout(Duration::from_secs(30), self.reports.recv()).await;
            if let Some(found) = find(report.unwrap().unwrap()) {
                return found;
            }
        }
    }

    /// Shows a Prompt with a button; its Receipt.
    async fn shown(&mut self) -> askrelay_core::port::Receipt {
        let here = place(self.room.id());
        self.orders.send(show("one", here, "Which colour?", &["Other"])).await.unwrap();
        self.until(|report| match report {
            Report::Shown { receipt, .. } => Some(receipt),
            _ => None,
        })
        .await
    }

    /// Presses its button, and answers that.
    async fn pressed(&mut self, with: Acknowledgement) {
        let receipt = self.shown().await;
        self.person.tap(&self.room, receipt.messages[0].as_str(), "Other");
        let ack = self.until(|report| match report {
            Report::Replied(reply) => Some(reply.ack),
            _ => None,
        });
        let ack = ack.await;
        self.orders.send(acknowledge(ack, with)).await.unwrap();
    }

    async fn offline(&mut self) -> String {
        self.until(|report| match report {
            Report::Offline { why, .. } => Some(why),
            _ => None,
        })
        .await
    }

    /// Refuses this, and lets the surface make the call.
    async fn call(&mut self, method: &str, error: &str) {
        let refuse = |scene: &Self| scene.stand_in.fail(method, 1, Fault::Refuse(200, error.to_owned()));
        let here = place(self.room.id());
        match method {
            "chat.postMessage" => {
                refuse(self);
                self.orders.send(show("one", here, "Which colour?", &[])).await.unwrap();
            }
            "conversations.open" => {
                refuse(self);
                let direct = place(&format!("@{}", self.person.id()));
                self.orders.send(show("one", direct, "Which colour?", &[])).await.unwrap();
            }
            "chat.postEphemeral" => {
                refuse(self);
                let to = Some(identity(self.team.id(), self.person.id()));
                let say = Order::Say { place: here, to, reply_to: None, text: "Not for you.".to_owned() };
                self.orders.send(say).await.unwrap();
            }
            "chat.update" => {
                let receipt = self.shown().await;
                refuse(self);
                let prompt = prompt("Answered", &[]);
                self.orders.send(Order::Retire { send: "end".into(), receipt, prompt }).await.unwrap();
            }
            "views.open" => {
                refuse(self);
                let fields = vec![input("Colour", "t.colour")];
                let (token, title) = ("t.form".to_owned(), "Your colour".to_owned());
                self.pressed(Acknowledgement::Form { token, title, fields }).await;
            }
            other => panic!("no such call: {other}"),
        }
    }
}

/// The surface would not look by itself for an hour.
#[tokio::test]
async fn whatever_call_is_refused_for_the_token_the_account_is_offline_at_once() {
    let methods =
        ["chat.postMessage", "conversations.open", "chat.postEphemeral", "chat.update", "views.open"];
    let errors = [
        ("token_revoked", "revoked: install the app anew"),
        ("account_inactive", "removed from the workspace"),
        ("invalid_auth", "take the bot token (xoxb-)"),
        ("token_expired", "turn token rotation off"),
    ];
    for way in [Way::Sockets, Way::Webhook] {
        for method in methods {
            for (error, words) in errors {
                let mut scene = Scene::online(way, Duration::from_secs(3600)).await;
                scene.call(method, error).await;
                let why = scene.offline().await;
                assert!(why.contains(words), "{way:?} {method} {error}: {why}");
            }
        }
    }
}

/// What is wrong with one call or one conversation says nothing of the account.
#[tokio::test]
async fn other_refusals_leave_the_account_online() {
    for way in [Way::Sockets, Way::Webhook] {
        for error in ["channel_not_found", "is_archived", "msg_too_long", "missing_scope", "fatal_error"] {
            let mut scene = Scene::online(way, Duration::from_secs(3600)).await;
            scene.call("chat.postMessage", error).await;
            let mut failed = false;
            while !failed {
                match scene.reports.recv().await.unwrap() {
                    Report::Failed { .. } => failed = true,
                    Report::Named { .. } => {}
                    other => panic!("{way:?} {error}: {other:?}"),
                }
            }
            // Whatever else it had to say would come before what is heard next.
            scene.person.write(&scene.room, "hello");
            let next = scene.reports.recv().await.unwrap();
            assert!(matches!(next, Report::Replied(_)), "{way:?} {error}: {next:?}");
        }
    }
}

#[tokio::test]
async fn once_it_is_mended_the_account_is_online_again() {
    for way in [Way::Sockets, Way::Webhook] {
        let mut scene = Scene::online(way, Duration::from_millis(50)).await;
        scene.app.revoke();
        scene.orders.send(show("one", place(scene.room.id()), "Which?", &[])).await.unwrap();
        let (mut failed, mut offline) = (None, None);
        while failed.is_none() || offline.is_none() {
            match scene.reports.recv().await.unwrap() {
                Report::Failed { failure, .. } => failed = Some(failure.why),
                Report::Offline { why, .. } => offline = Some(why),
                Report::Named { .. } => {}
                other => panic!("expected to be refused and offline, got {other:?}"),
            }
        }
        for why in failed.iter().chain(&offline) {
            assert!(why.contains("revoked") && why.contains("install the app anew"), "{why}");
        }
        scene.app.restore();
        let back = scene.reports.recv().await.unwrap();
        assert!(matches!(back, Report::Online { .. }), "{way:?}: {back:?}");
        scene.orders.send(show("two", place(scene.room.id()), "Which?", &[])).await.unwrap();
        scene.room.until_seen("Which?").await;
    }
}
