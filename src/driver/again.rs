//! How the loop begins again after a failed commit: it lets the store end what it has, waits until the store works, and takes up
//! what is on disk. Everything that was only in memory is gone as if the process had crashed; platforms are still acknowledged.

use std::collections::VecDeque;
use std::error::Error;
use std::time::Duration;

use askrelay_core::port::{Acknowledgement, Event, Order, Report};
use askrelay_core::relay::Relay;
use askrelay_store::{ReadError, Trouble};
use tokio::time::{Instant, sleep, timeout};
use tracing::{error, info, warn};

use super::{Driver, recovered};

/// How long the store may take to end what was queued behind a failed commit; it fails that in one go.
const TICKETS_END: Duration = Duration::from_secs(10);

/// Between two looks at a store that does not work, and at least between two beginnings.
const LOOK: Duration = Duration::from_secs(1);

/// The log hears at every so many looks that the store still does not work.
const LOOKS_TOLD: usize = 30;

/// Reports held while there is no relay; more wait in their channel, and then at the surfaces.
const HELD_MAX: usize = 1024;

/// Why the relay cannot begin again yet.
#[derive(Debug, thiserror::Error)]
enum NotYet {
    /// Nothing it did would be saved.
    #[error("nothing can be saved")]
    Unsaved(#[source] Trouble),
    /// What it has to remember cannot be read.
    #[error("what the relay has to remember cannot be read")]
    Unread(#[source] ReadError),
}

impl Driver {
    /// Begins again from what is on disk; gives whether it did, rather than being told to stop.
    pub(super) async fn begin_again(&mut self) -> bool {
        self.let_tickets_end().await;
        self.waiting.clear();
        let mut held = VecDeque::new();
        if self.began.elapsed() < LOOK && !self.wait(&mut held).await {
            return false;
        }
        let mut looks = 0;
        self.relay = loop {
            match self.take_up() {
                Ok(relay) => break relay,
                Err(why) if looks % LOOKS_TOLD == 0 => {
                    error!(error = &why as &dyn Error, "the relay waits for the store");
                }
                Err(_) => {}
            }
            looks += 1;
            if !self.wait(&mut held).await {
                return false;
            }
        };
        self.began = Instant::now();
        info!("the relay has begun again");
        self.ports.beginnings.send_replace(self.relay.records().cloned().collect());
        // What was on its way to the relay that is gone is told again, in the order of now: an old snapshot would not know of
        // what this relay has open.
        while self.ports.notices.try_recv().is_ok() {}
        for account in self.online.clone() {
            if !self.surfaces.is_stalled(&account) {
                self.step(Event::Report(Report::Online { account }));
            }
        }
        held.into_iter().for_each(|report| self.report(report));
        true
    }

    /// Nothing that the old relay ordered to be saved may land after the new one has read.
    async fn let_tickets_end(&mut self) {
        let tickets: Vec<_> = self.saving.drain(..).filter_map(|saving| saving.ticket).collect();
        let end = async {
            for ticket in tickets {
                // Each says the same: it was behind the one that failed.
                let _ = ticket.await;
            }
        };
        if timeout(TICKETS_END, end).await.is_err() {
            warn!("the store did not end what was queued behind a failed commit");
        }
    }

    fn take_up(&self) -> Result<Relay, NotYet> {
        if let Some(trouble) = self.store.health().trouble() {
            return Err(NotYet::Unsaved(trouble.clone()));
        }
        recovered(&self.config, &*self.store).map_err(NotYet::Unread)
    }

    /// One pause; gives whether the gateways' side is still there. What a gateway tells is told again afterwards.
    async fn wait(&mut self, held: &mut VecDeque<Report>) -> bool {
        let pause = sleep(LOOK);
        tokio::pin!(pause);
        loop {
            self.surfaces.retry();
            tokio::select! {
                () = &mut pause => return true,
                notice = self.ports.notices.recv() => if notice.is_none() {
                    return false;
                },
                Some(report) = self.ports.reports.recv(), if held.len() < HELD_MAX => {
                    held.push_back(self.acknowledged(report));
                }
            }
        }
    }

    /// The platform's deadline does not wait for the store: what becomes of the act follows once there is a relay.
    fn acknowledged(&mut self, mut report: Report) -> Report {
        if let Report::Replied(reply) = &mut report
            && let Some(ack) = reply.ack.take()
        {
            let with = Acknowledgement::Silent;
            self.surfaces.order(&reply.place.account, Order::Acknowledge { ack, with });
        }
        report
    }
}
