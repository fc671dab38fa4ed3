//! Runs the terminal surface's one thread and forwards orders to it; what is printed and read is its files' business.
#![doc = include_str!("../README.md")]

mod config;
mod decode;
mod encode;
mod error;
mod inbox;
mod limits;
mod outbox;
mod screen;

use askrelay_core::id::{Account, SendId};
use askrelay_core::port::{Failure, FailureKind, Order, Report};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;

pub use config::{Config, SURFACE, Seat, Terminal};
pub use encode::{Look, prompt};
pub use error::TerminalError;
pub use limits::LIMITS;

/// Shows what is ordered, files what is typed. Ends when `orders` ended and the orders before that were carried out, or
/// when nobody takes reports any more. What goes wrong is a Report too.
pub async fn run(config: Config, mut orders: Receiver<Order>, reports: Sender<Report>) {
    let account = config.seat.place.account.clone();
    let (woken, bell) = match std::io::pipe() {
        Ok(ends) => ends,
        Err(source) => return refuse_all(TerminalError::Start(source), account, orders, reports).await,
    };
    let (work, works) = channel(limits::QUEUE);
    let (ending, ended) = oneshot::channel::<()>();
    let screen = screen::Screen::new(config, works, woken, reports.clone());
    let thread = std::thread::Builder::new().name("terminal".to_owned()).spawn(move || {
        screen.run();
        drop(ending);
    });
    if let Err(source) = thread {
        return refuse_all(TerminalError::Start(source), account, orders, reports).await;
    }
    let mut bell = screen::Bell::new(bell);
    while let Some(order) = orders.recv().await {
        if work.send(order).await.is_err() {
            break;
        }
        bell.ring();
    }
    drop((work, bell));
    // Nothing is ever sent: the end of the thread drops the other half.
    let _ = ended.await;
}

async fn refuse_all(
    error: TerminalError,
    account: Account,
    mut orders: Receiver<Order>,
    reports: Sender<Report>,
) {
    let why = error.to_string();
    if reports.send(Report::Offline { account, why: why.clone() }).await.is_err() {
        return;
    }
    while let Some(order) = orders.recv().await {
        if let Some(send) = answered_by_report(&order)
            && reports.send(failed(send, FailureKind::Unreachable, &why)).await.is_err()
        {
            return;
        }
    }
}

/// The key of an Order that is answered by a Report.
fn answered_by_report(order: &Order) -> Option<&SendId> {
    match order {
        Order::Show { send, .. }
        | Order::Edit { send, .. }
        | Order::Retire { send, .. }
        | Order::AskForText { send, .. } => Some(send),
        Order::Acknowledge { .. } | Order::Toast { .. } | Order::Say { .. } | Order::Saved { .. } => None,
    }
}

fn failed(send: &SendId, kind: FailureKind, why: &str) -> Report {
    Report::Failed { send: send.clone(), failure: Failure { kind, why: why.to_owned() } }
}
