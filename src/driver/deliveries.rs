//! Counts what the surfaces did with their orders. A failure names only what was ordered, so this remembers of which surface it
//! was; it decides nothing.

use std::collections::BTreeMap;

use askrelay_core::id::{Account, SendId};
use askrelay_core::port::{FailureKind, Order, Report};
use askrelay_gateway::metrics::{DeliveryFailure, Metrics};

/// Orders under way, of which the relay has one for each Record and Place at a time.
#[derive(Debug)]
pub(super) struct Deliveries {
    metrics: Metrics,
    under_way: BTreeMap<SendId, Account>,
}

impl Deliveries {
    pub(super) const fn new(metrics: Metrics) -> Self {
        Self { metrics, under_way: BTreeMap::new() }
    }

    /// An order goes to a surface.
    pub(super) fn ordered(&mut self, account: &Account, order: &Order) {
        if let Order::Show { send, .. }
        | Order::Edit { send, .. }
        | Order::Retire { send, .. }
        | Order::AskForText { send, .. } = order
        {
            self.under_way.insert(send.clone(), account.clone());
        }
    }

    /// A surface tells something.
    pub(super) fn reported(&mut self, report: &Report) {
        match report {
            Report::Shown { send, receipt, .. } => {
                self.under_way.remove(send);
                self.metrics.delivered(&receipt.place.account.surface);
            }
            Report::Failed { send, failure } => {
                if let Some(account) = self.under_way.remove(send) {
                    self.metrics.failed(&account.surface, kind(failure.kind));
                }
            }
            // What is not reported on by now is ordered again.
            Report::Offline { account, .. } => self.under_way.retain(|_, whose| whose != account),
            Report::Replied(_) | Report::Moved { .. } | Report::Named { .. } | Report::Online { .. } => {}
        }
    }
}

const fn kind(kind: FailureKind) -> DeliveryFailure {
    match kind {
        FailureKind::Later(_) => DeliveryFailure::Limited,
        FailureKind::Unreachable | FailureKind::Unknown => DeliveryFailure::Unreachable,
        FailureKind::MessageGone | FailureKind::Refused => DeliveryFailure::Refused,
    }
}
