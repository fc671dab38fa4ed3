//! A store that takes its time: every press is acknowledged by its platform while a commit lies still, and what was decided goes on
//! its way once it is saved. The loop and the surfaces are the real ones; the test plays the gateway.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askrelay::accounts::Accounts;
use askrelay::driver::{Driver, Ports};
use askrelay_core::ask::Binding;
use askrelay_core::id::{Account, GatewayId, Identity, Place};
use askrelay_core::limits::Limits;
use askrelay_core::person::{People, Person as Known, Scope};
use askrelay_core::port::{CommandAct, Errand, Notice, Order, Report};
use askrelay_core::record::Record;
use askrelay_core::relay::Config;
use askrelay_core::route::Routes;
use askrelay_gateway::metrics::Metrics;
use askrelay_kit::{discord, slack, telegram};
use askrelay_store::MemoryStore;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use crate::paper::record;

/// Nothing takes longer; only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A loop with one surface, between a gateway that the test plays and a platform.
struct Ring {
    store: Arc<MemoryStore>,
    notices: mpsc::Sender<(GatewayId, Notice)>,
    errands: mpsc::Receiver<Errand>,
}

impl Ring {
    /// One whose Records are shown at this Place, where the person may answer.
    async fn start<S>(
        place: Place,
        limits: Limits,
        person: Identity,
        surface: impl FnOnce(mpsc::Receiver<Order>, mpsc::Sender<Report>) -> S,
    ) -> Self
    where
        S: Future<Output = ()> + Send + 'static,
    {
        let store = Arc::new(MemoryStore::default());
        let (notices, noticed) = mpsc::channel(64);
        let (reports, reported) = mpsc::channel(64);
        let (orders, ordered) = mpsc::channel(64);
        let (errand, errands) = mpsc::channel(64);
        let (began, _) = watch::channel(Vec::new());
        let ports = Ports {
            notices: noticed,
            errands: BTreeMap::from([("local".into(), errand)]),
            reports: reported,
            orders: BTreeMap::from([(place.account.clone(), orders)]),
            beginnings: began,
            metrics: Metrics::new(),
            accounts: Accounts::default(),
        };
        let config = Config {
            accounts: [(place.account.clone(), limits)].into(),
            routes: Routes { always: vec![place], ..Routes::default() },
            ..Config::default()
        };
        let driver = Driver::recover(config, Arc::clone(&store) as _, ports).unwrap();
        tokio::spawn(driver.run());
        tokio::spawn(surface(ordered, reports));
        let ring = Self { store, notices, errands };
        let known = Known {
            id: "owner".into(),
            display_name: "owner".to_owned(),
            scopes: [Scope::QuestionsAnswer].into(),
            identities: [person].into(),
        };
        ring.tell(Notice::Online { boot: None }).await;
        ring.tell(Notice::People(Arc::new(People::from_iter([known])))).await;
        ring.tell(Notice::Snapshot { records: Vec::new(), last: true }).await;
        ring.tell(Notice::Opened(open())).await;
        ring
    }

    async fn tell(&self, notice: Notice) {
        self.notices.send(("local".into(), notice)).await.unwrap();
    }

    /// The commit lay still long enough; what was decided is sent now, and was not before.
    async fn saves(mut self, name: &str) {
        assert!(self.errands.try_recv().is_err(), "{name}: sent before it was saved");
        self.store.release();
        let errand = timeout(PATIENCE, self.errands.recv()).await.expect("the decision is sent").unwrap();
        let Errand::Command(command) = errand else { panic!("{name}: {errand:?}") };
        let CommandAct::Resolve { answers, .. } = command.act else { panic!("{name}: {command:?}") };
        assert_eq!(answers.of(&"q".into()), ["B"], "{name}");
    }
}

/// A question that anybody with the right may answer.
fn open() -> Arc<Record> {
    let mut record = Record::clone(&record("a"));
    record.ask.creator.binding = Binding::Run;
    record.ask.questions[0].other = true;
    Arc::new(record)
}

fn place(surface: &str, conversation: String) -> Place {
    let account = Account { surface: surface.into(), name: "main".into() };
    Place { account, conversation: conversation.as_str().into() }
}

fn identity(surface: &str, user: &str) -> Identity {
    Identity { surface: surface.into(), user: user.into() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_on_discord_does_not_wait_for_the_store() {
    let stand_in = discord::StandIn::start();
    let (bot, person) = (stand_in.bot("askrelay"), stand_in.person("Sam"));
    let channel = person.open(&bot);
    let now = askrelay::clock::now;
    let mut config = askrelay_discord::Config::new("main".into(), bot.token().into(), now).unwrap();
    config.api_url = stand_in.url().parse().unwrap();
    config.gateway_url = Some(stand_in.gateway_url().parse().unwrap());
    let (place, who) =
        (place("discord", format!("@{}", person.id())), identity("discord", &person.id().to_string()));
    let run = |orders, reports| askrelay_discord::run(config, orders, reports);
    let ring = Ring::start(place, askrelay_discord::LIMITS, who, run).await;
    let seen =
        channel.until("the question", |seen| seen.iter().find(|one| !one.rows.is_empty()).cloned()).await;
    ring.store.hold();
    // A form opens, and a decision is acknowledged, all within the platform's three seconds.
    person.dismiss(person.tap(&channel, seen.id, "Other…").form().await);
    person.tap(&channel, seen.id, "B").answered().await;
    ring.saves("discord").await;
}

/// A question on Slack, and who is asked it where.
async fn on_slack() -> (Ring, slack::StandIn, slack::Person, slack::Channel, slack::Seen) {
    let stand_in = slack::StandIn::start();
    let team = stand_in.team("Acme");
    let (app, person) = (team.app("askrelay"), team.person("Sam"));
    let channel = person.open(&app);
    let mode = askrelay_slack::Mode::Socket(app.app_token().into());
    let now = askrelay::clock::now;
    let mut config = askrelay_slack::Config::new("main".into(), app.bot_token().into(), mode, now).unwrap();
    config.api_url = stand_in.url().parse().unwrap();
    let who = identity("slack", &format!("{}/{}", person.team_id(), person.id()));
    let run = |orders, reports| askrelay_slack::run(config, orders, reports);
    let ring =
        Ring::start(place("slack", format!("@{}", person.id())), askrelay_slack::LIMITS, who, run).await;
    let open = |seen: &[slack::Seen]| seen.iter().find(|one| !one.controls.is_empty()).cloned();
    let seen = channel.until("the question", open).await;
    (ring, stand_in, person, channel, seen)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_on_slack_does_not_wait_for_the_store() {
    let (ring, _stand_in, person, channel, seen) = on_slack().await;
    ring.store.hold();
    // The form opens within the three seconds that its trigger lives, and what was pressed is acknowledged.
    person.tap(&channel, &seen.ts, "Other…");
    person.until_modal("an input", |form| !form.controls.is_empty()).await;
    person.dismiss();
    drop(person.tap(&channel, &seen.ts, "B").answered().await);
    ring.saves("slack").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_modal_on_slack_does_not_wait_for_the_store() {
    let (ring, _stand_in, person, channel, seen) = on_slack().await;
    ring.store.hold();
    person.tap(&channel, &seen.ts, "Other…");
    let form = person.until_modal("an input", |form| !form.controls.is_empty()).await;
    person.fill(&form.controls[0].label, "B");
    let answer = person.submit().answered().await;
    assert!(answer.get("errors").is_none(), "{answer}");
    person.until_no_modal().await;
    ring.saves("slack").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_on_telegram_does_not_wait_for_the_store() {
    let stand_in = telegram::StandIn::start();
    let bot = stand_in.bot("askrelay_bot");
    let person = stand_in.person("Sam");
    let chat = person.open(&bot);
    let now = askrelay::clock::now;
    let mut config = askrelay_telegram::Config::new("main".into(), bot.token().into(), now).unwrap();
    config.api_url = stand_in.url().parse().unwrap();
    let who = identity("telegram", &person.id().to_string());
    let run = |orders, reports| askrelay_telegram::run(config, orders, reports);
    let ring =
        Ring::start(place("telegram", chat.id().to_string()), askrelay_telegram::LIMITS, who, run).await;
    let seen =
        chat.until("the question", |seen| seen.iter().find(|one| !one.buttons.is_empty()).cloned()).await;
    ring.store.hold();
    // The platform lets it wait a second for the words that follow, and no longer.
    person.tap(&chat, seen.id, "B").answered().await;
    ring.saves("telegram").await;
}
