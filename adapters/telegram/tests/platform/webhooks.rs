//! Updates that the platform brings by itself, over the route that the program mounts.

use std::time::Duration;

use askrelay_core::port::{Act, Order, Report};
use askrelay_kit::telegram::{Bot, Person, StandIn};
use askrelay_telegram::{Mode, TelegramError, Url, webhook};
use axum::Router;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::room::{config, place};

struct Hooked {
    stand_in: StandIn,
    bot: Bot,
    person: Person,
    url: String,
    orders: Sender<Order>,
    reports: Receiver<Report>,
}

const SECRET: &str = "a-secret_1";

/// A surface that is called at a port of its own.
async fn hooked(wait: Duration) -> Hooked {
    let stand_in = StandIn::start();
    let (bot, person) = (stand_in.bot("askbot"), stand_in.person("Sam"));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/telegram/main", listener.local_addr().unwrap());
    let mut config = config(&stand_in, &bot);
    config.policy.webhook_wait = wait;
    let (end, route) = webhook(url.parse().unwrap(), SECRET.into(), &config.policy).unwrap();
    config.mode = Mode::Webhook(end);
    let app = Router::new().nest("/telegram/main", route);
    tokio::spawn(async move { axum::serve(listener, app).await });
    let (orders, surface_orders) = channel(16);
    let (surface_reports, reports) = channel(16);
    tokio::spawn(askrelay_telegram::run(config, surface_orders, surface_reports));
    let mut hooked = Hooked { stand_in, bot, person, url, orders, reports };
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

    /// Calls the route by hand: the status.
    async fn call(&self, secret: Option<&str>, body: &str) -> u16 {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut request = client.post(&self.url).body(body.to_owned());
        if let Some(secret) = secret {
            request = request.header("X-Telegram-Bot-Api-Secret-Token", secret);
        }
        request.send().await.unwrap().status().as_u16()
    }
}

#[tokio::test]
async fn an_update_is_answered_once_it_is_saved() {
    let mut hooked = hooked(Duration::from_secs(30)).await;
    let chat = hooked.person.open(&hooked.bot);
    hooked.person.write(&chat, "red");
    let Report::Replied(reply) = hooked.report().await else { panic!("expected a text") };
    assert!(matches!(&reply.act, Act::Text { text: Some(text), .. } if text == "red"));
    assert_eq!(hooked.bot.pending().len(), 1, "the platform waits");
    let account = place(0).account;
    hooked.orders.send(Order::Saved { account, update: reply.update }).await.unwrap();
    hooked.bot.until_pending(0).await;
    hooked.bot.deliver_unknown();
    hooked.bot.until_pending(0).await;
}

#[tokio::test]
async fn an_update_that_is_not_saved_in_time_comes_again() {
    let mut hooked = hooked(Duration::from_millis(20)).await;
    let chat = hooked.person.open(&hooked.bot);
    hooked.person.write(&chat, "red");
    let Report::Replied(first) = hooked.report().await else { panic!("expected a text") };
    let account = place(0).account;
    assert_eq!(hooked.call(Some(SECRET), &hooked.bot.pending()[0].to_string()).await, 503, "still not saved");
    hooked.orders.send(Order::Saved { account, update: first.update }).await.unwrap();
    hooked.stand_in.pass(600);
    hooked.bot.until_pending(0).await;
}

#[tokio::test]
async fn only_the_platform_is_let_in() {
    let hooked = hooked(Duration::from_secs(30)).await;
    let update = r#"{"update_id":7}"#;
    assert_eq!(hooked.call(None, update).await, 401, "no secret");
    assert_eq!(hooked.call(Some(""), update).await, 401, "an empty secret");
    assert_eq!(hooked.call(Some("a-secret_2"), update).await, 401, "another secret");
    assert_eq!(hooked.call(Some("a-secret_"), update).await, 401, "a part of it");
    assert_eq!(hooked.call(Some(SECRET), update).await, 200, "an update that says nothing");
    assert_eq!(hooked.call(Some(SECRET), "garbage").await, 200, "no update");
    assert_eq!(hooked.call(Some(SECRET), "{}").await, 200, "no id");
    let set = hooked.stand_in.calls_of("setWebhook");
    assert_eq!(set[0].body["secret_token"], SECRET);
    assert!(set[0].body["allowed_updates"].is_array());
}

#[test]
fn a_secret_has_a_shape() {
    let url: Url = "https://ask.example.org/telegram/main".parse().unwrap();
    let long = "x".repeat(257);
    for (secret, fine) in [("a-secret_1", true), ("", false), ("with space", false), (long.as_str(), false)] {
        let made = webhook(url.clone(), secret.into(), &askrelay_telegram::Policy::default());
        assert_eq!(matches!(made, Err(TelegramError::Secret)), !fine, "{secret}");
    }
}
