//! The queues of orders to the surfaces. One that does not keep up is stalled until it has taken everything; what nobody would
//! order again waits for it meanwhile, up to a bound. Awaits nothing and steps nothing: its news is the loop's to tell.

use std::collections::{BTreeMap, VecDeque};

use askrelay_core::id::Account;
use askrelay_core::port::Order;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tracing::{debug, warn};

/// Orders that wait for one stalled surface. Each holds a few hundred bytes of text, and a platform's deadline has passed long
/// before so many have come together.
const WAITING_MAX: usize = 1024;

/// Every surface's queue.
#[derive(Debug)]
pub(super) struct Surfaces {
    queues: BTreeMap<Account, Queue>,
    news: Vec<News>,
}

/// What became of a surface.
#[derive(Debug)]
pub(super) enum News {
    /// It does not keep up.
    Stalled(Account),
    /// It keeps up again.
    CaughtUp(Account),
    /// It takes no orders any more.
    Ended(Account),
}

#[derive(Debug)]
struct Queue {
    orders: mpsc::Sender<Order>,
    is_stalled: bool,
    /// In the order in which they are to leave.
    waiting: VecDeque<Order>,
    /// How many did not even fit there.
    lost: usize,
}

impl Surfaces {
    pub(super) fn new(orders: BTreeMap<Account, mpsc::Sender<Order>>) -> Self {
        let queue = |orders| Queue { orders, is_stalled: false, waiting: VecDeque::new(), lost: 0 };
        let queues = orders.into_iter().map(|(account, orders)| (account, queue(orders))).collect();
        Self { queues, news: Vec::new() }
    }

    /// Hands the order over, or keeps it, or drops what is ordered again once the surface keeps up.
    pub(super) fn order(&mut self, account: &Account, order: Order) {
        let Some(queue) = self.queues.get_mut(account) else {
            debug!(%account, "an order for an account that does not run here");
            return;
        };
        if queue.is_stalled {
            return queue.keep(order);
        }
        match queue.orders.try_send(order) {
            Ok(()) => {}
            Err(TrySendError::Full(order)) => {
                queue.is_stalled = true;
                queue.keep(order);
                self.news.push(News::Stalled(account.clone()));
            }
            Err(TrySendError::Closed(_)) => {
                self.queues.remove(account);
                self.news.push(News::Ended(account.clone()));
            }
        }
    }

    /// Hands over what waits, as far as there is room.
    pub(super) fn retry(&mut self) {
        let news = &mut self.news;
        self.queues.retain(|account, queue| {
            if !queue.is_stalled {
                return true;
            }
            if queue.orders.is_closed() {
                news.push(News::Ended(account.clone()));
                return false;
            }
            if queue.hand_over() {
                queue.is_stalled = false;
                if queue.lost > 0 {
                    warn!(%account, lost = queue.lost, "acknowledgements and notes did not fit while a surface was stalled");
                    queue.lost = 0;
                }
                news.push(News::CaughtUp(account.clone()));
            }
            true
        });
    }

    pub(super) fn take_news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// Whether there is something to try again or to tell.
    pub(super) fn is_busy(&self) -> bool {
        !self.news.is_empty() || self.queues.values().any(|queue| queue.is_stalled)
    }

    pub(super) fn is_stalled(&self, account: &Account) -> bool {
        self.queues.get(account).is_some_and(|queue| queue.is_stalled)
    }
}

impl Queue {
    fn keep(&mut self, order: Order) {
        if is_ordered_again(&order) {
            return;
        }
        if self.waiting.len() < WAITING_MAX {
            self.waiting.push_back(order);
        } else {
            self.lost += 1;
        }
    }

    /// Hands over what waits; gives whether the surface has taken everything.
    fn hand_over(&mut self) -> bool {
        while let Ok(room) = self.orders.try_reserve()
            && let Some(order) = self.waiting.pop_front()
        {
            room.send(order);
        }
        self.waiting.is_empty() && self.orders.capacity() == self.orders.max_capacity()
    }
}

/// Whether the relay orders it again by itself when the account is online again.
const fn is_ordered_again(order: &Order) -> bool {
    match order {
        Order::Show { .. } | Order::Edit { .. } | Order::Retire { .. } | Order::AskForText { .. } => true,
        Order::Acknowledge { .. } | Order::Toast { .. } | Order::Say { .. } | Order::Saved { .. } => false,
    }
}
