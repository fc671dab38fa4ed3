//! The end of a surface: it comes in time whatever hangs, waits or is refused, and every Order that owes a Report has one by then.

use std::time::Duration;

use askrelay_core::port::{FailureKind, Order, Report};
use askrelay_discord::Config;
use askrelay_kit::discord::{Bot, Channel, Fault, Hold, Person, Route, Scope, StandIn};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::room::{config, private};
use crate::show;

/// What may take far longer than an end.
const LONG: Duration = Duration::from_secs(3600);

struct World {
    stand_in: StandIn,
    bot: Bot,
    person: Person,
    direct: Channel,
    orders: Sender<Order>,
    reports: Receiver<Report>,
    task: JoinHandle<()>,
    /// What hangs, until it is dropped.
    _holds: Option<Hold>,
}

/// What happens while it runs.
#[derive(Clone, Copy)]
enum Meanwhile {
    Nothing,
    /// The platform ends the session.
    NewSession,
    /// Somebody presses, and no callback is taken.
    Press,
}

use Meanwhile::{NewSession, Nothing, Press};

/// Before it starts, and while it runs.
type Row = (&'static str, fn(&StandIn, &mut Config) -> Option<Hold>, Meanwhile);

const ROWS: [Row; 8] = [
    ("in peace", |_, _| None, Nothing),
    ("the bot is not told who it is", |kit, _| Some(kit.hold_requests(Route::GetCurrentUser, 1)), Nothing),
    (
        "the gateway's address is kept from us for a long time",
        |kit, config| {
            config.gateway_url = None;
            kit.fail(Route::GetGatewayBot, 1, Fault::Flood(Scope::User, 3600.0));
            None
        },
        Nothing,
    ),
    (
        "the gateway is out of reach",
        |kit, config| {
            kit.cut_gateways();
            (config.policy.retry_first, config.policy.retry_slowly) = (LONG, LONG);
            None
        },
        Nothing,
    ),
    (
        "another session is to wait",
        |_, config| {
            config.policy.identify_wait = LONG;
            None
        },
        NewSession,
    ),
    ("a message hangs", |kit, _| Some(kit.hold_requests(Route::CreateMessage, 1)), Nothing),
    (
        "a message is put off",
        |kit, _| {
            kit.fail(Route::CreateMessage, 1, Fault::Flood(Scope::Global, 3600.0));
            None
        },
        Nothing,
    ),
    (
        "a callback hangs",
        |kit, config| {
            config.policy.answer_within = LONG;
            Some(kit.hold_requests(Route::CreateCallback, usize::MAX))
        },
        Press,
    ),
];

async fn start(prepare: fn(&StandIn, &mut Config) -> Option<Hold>) -> World {
    let stand_in = StandIn::start();
    let (bot, person) = (stand_in.bot("askbot"), stand_in.person("Sam"));
    let direct = person.open(&bot);
    let mut config = config(&stand_in, &bot);
    config.policy.end_wait = Duration::from_millis(100);
    let holds = prepare(&stand_in, &mut config);
    let (orders, surface_orders) = channel(16);
    let (surface_reports, reports) = channel(16);
    let task = tokio::spawn(askrelay_discord::run(config, surface_orders, surface_reports));
    World { stand_in, bot, person, direct, orders, reports, task, _holds: holds }
}

#[tokio::test]
async fn the_end_comes_in_time_and_everything_owed_is_reported() {
    for (name, prepare, meanwhile) in ROWS {
        let mut world = start(prepare).await;
        world.orders.send(show("one", private(&world.person), "Which colour?", &["Red"])).await.unwrap();
        world.orders.send(show("two", private(&world.person), "Which size?", &["L"])).await.unwrap();
        world.stand_in.until_called(Route::CreateMessage, 1).await;
        match meanwhile {
            Nothing => {}
            NewSession => {
                world.bot.until_told().await;
                world.bot.invalidate_session(false);
            }
            Press => {
                let message = world.direct.until_seen("Which colour?").await.id;
                world.bot.until_told().await;
                world.person.tap(&world.direct, message, "Red");
            }
        }
        drop(world.orders);
        let mut owed = vec!["one", "two"];
        let all = async {
            while let Some(report) = world.reports.recv().await {
                let (send, later) = match report {
                    Report::Shown { send, .. } => (send, true),
                    Report::Failed { send, failure } => {
                        (send, matches!(failure.kind, FailureKind::Later(_) | FailureKind::Unknown))
                    }
                    _ => continue,
                };
                assert!(later, "{name}: it may be tried again");
                owed.retain(|owed| *owed != send.as_str());
            }
        };
        timeout(Duration::from_secs(5), all).await.unwrap_or_else(|_| panic!("{name}: no end"));
        world.task.await.unwrap();
        assert!(owed.is_empty(), "{name}: {owed:?}");
    }
}

/// The relay hangs: it takes no Reports, and does not say so.
#[tokio::test]
async fn a_relay_that_takes_nothing_holds_up_no_end() {
    let world = start(|_, _| None).await;
    for number in 0..40 {
        let order = show(&format!("{number}"), private(&world.person), "Which colour?", &["Red"]);
        world.orders.send(order).await.unwrap();
    }
    drop(world.orders);
    timeout(Duration::from_secs(5), world.task).await.expect("an end").unwrap();
    drop(world.reports);
}

/// What was heard before a wait is told during it.
#[tokio::test]
async fn what_was_heard_is_told_while_another_session_is_to_wait() {
    let stand_in = StandIn::start();
    let (bot, person) = (stand_in.bot("askbot"), stand_in.person("Sam"));
    let direct = person.open(&bot);
    let mut config = config(&stand_in, &bot);
    config.policy.identify_wait = LONG;
    let (_orders, surface_orders) = channel(1);
    let (surface_reports, mut reports) = channel(1);
    tokio::spawn(askrelay_discord::run(config, surface_orders, surface_reports));
    for _ in 0..2 {
        reports.recv().await.unwrap();
    }
    for number in 0..4 {
        person.write(&direct, &format!("{number}"));
    }
    bot.until_told().await;
    bot.invalidate_session(false);
    bot.until_gateways(0).await;
    for number in 0..4 {
        let heard = timeout(Duration::from_secs(5), reports.recv()).await;
        assert!(matches!(heard, Ok(Some(Report::Replied(_)))), "{number}: {heard:?}");
    }
}
