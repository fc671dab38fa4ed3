//! How much a socket may send before it has proved itself: a reader that errors past the budget, wherever the bytes would
//! have gone. Counts only while a handshake is under way.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// No limit.
const FREE: usize = usize::MAX;

/// What is left of it, shared by the socket and whoever judges the handshake.
#[derive(Clone, Debug)]
pub(crate) struct Budget(Arc<AtomicUsize>);

/// A socket under a budget.
#[derive(Debug)]
pub(crate) struct Budgeted<S> {
    socket: S,
    budget: Budget,
}

impl Budget {
    pub(crate) fn free() -> Self {
        Self(Arc::new(AtomicUsize::new(FREE)))
    }

    /// From now on at most so many bytes.
    pub(crate) fn limit(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    /// From now on as many as come.
    pub(crate) fn lift(&self) {
        self.0.store(FREE, Ordering::Relaxed);
    }

    /// Whether more came than allowed.
    pub(crate) fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    fn spend(&self, bytes: usize) -> io::Result<()> {
        let left = self.0.load(Ordering::Relaxed);
        if left != FREE {
            self.0.store(left.saturating_sub(bytes), Ordering::Relaxed);
            if bytes >= left {
                return Err(io::Error::other("too much before the handshake"));
            }
        }
        Ok(())
    }
}

impl<S> Budgeted<S> {
    pub(crate) const fn new(socket: S, budget: Budget) -> Self {
        Self { socket, budget }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Budgeted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.socket).poll_read(context, buffer))?;
        Poll::Ready(self.budget.spend(buffer.filled().len() - before))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Budgeted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }
}
