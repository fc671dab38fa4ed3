//! The receipt for work that another thread does: a future, or a blocking wait. Dropping one cancels nothing.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::oneshot;

use crate::error::{CommitError, ReadError};
use crate::port::Outcome;

/// Ends when the facts are on disk, with one [`Outcome`] for each, in their order; or with why they are not.
pub type CommitTicket = Ticket<Vec<Outcome>, CommitError>;

/// Ends with what was read.
pub type ReadTicket<T> = Ticket<T, ReadError>;

/// A result that comes later.
#[must_use = "the work is done anyway, but only the ticket tells whether it succeeded"]
#[derive(Debug)]
pub struct Ticket<T, E>(Inner<T, E>);

#[derive(Debug)]
enum Inner<T, E> {
    Ready(Option<Result<T, E>>),
    Later(oneshot::Receiver<Result<T, E>>),
}

/// The other end of a ticket.
pub(crate) type Reply<T, E> = oneshot::Sender<Result<T, E>>;

/// The store went away before it came to this piece of work.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

impl<T, E: From<Stopped>> Ticket<T, E> {
    /// A ticket and the end that settles it.
    pub(crate) fn later() -> (Reply<T, E>, Self) {
        let (reply, result) = oneshot::channel();
        (reply, Self(Inner::Later(result)))
    }

    /// A settled ticket.
    pub(crate) const fn ready(result: Result<T, E>) -> Self {
        Self(Inner::Ready(Some(result)))
    }

    /// Blocks until the result is there.
    ///
    /// # Errors
    /// As the future.
    ///
    /// # Panics
    /// Inside an async task, which would stall its whole runtime: await the ticket there.
    pub fn wait(self) -> Result<T, E> {
        match self.0 {
            Inner::Ready(result) => result.unwrap_or_else(|| Err(Stopped.into())),
            Inner::Later(result) => result.blocking_recv().unwrap_or_else(|_| Err(Stopped.into())),
        }
    }

    /// The result if it is there already, else the ticket back.
    ///
    /// # Errors
    /// The ticket, when the result is still to come.
    pub fn try_wait(self) -> Result<Result<T, E>, Self> {
        match self.0 {
            Inner::Ready(result) => Ok(result.unwrap_or_else(|| Err(Stopped.into()))),
            Inner::Later(mut later) => match later.try_recv() {
                Ok(result) => Ok(result),
                Err(oneshot::error::TryRecvError::Closed) => Ok(Err(Stopped.into())),
                Err(oneshot::error::TryRecvError::Empty) => Err(Self(Inner::Later(later))),
            },
        }
    }
}

impl<T: Unpin, E: From<Stopped> + Unpin> Future for Ticket<T, E> {
    type Output = Result<T, E>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Inner::Ready(result) => Poll::Ready(result.take().unwrap_or_else(|| Err(Stopped.into()))),
            Inner::Later(later) => {
                Pin::new(later).poll(context).map(|result| result.unwrap_or_else(|_| Err(Stopped.into())))
            }
        }
    }
}
