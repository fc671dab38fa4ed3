//! The thread on which a stand-in serves, so that neither a paused clock nor a blocked test stops it. It ends with this value.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::thread::JoinHandle;

use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A free port of 127.0.0.1 that nobody serves yet.
#[derive(Debug)]
pub(crate) struct Port {
    listener: std::net::TcpListener,
    address: SocketAddr,
}

/// A server on a thread of its own.
#[derive(Debug)]
pub(crate) struct Serving {
    address: SocketAddr,
    stop: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl Port {
    pub(crate) fn free() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        Self { listener, address }
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves there until the value is dropped; `serve` is told by its second argument.
    pub(crate) fn serve<F: Future<Output = ()>>(
        self,
        serve: impl FnOnce(TcpListener, oneshot::Receiver<Infallible>) -> F + Send + 'static,
    ) -> Serving {
        let Self { listener, address } = self;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async move {
                listener.set_nonblocking(true).expect("a socket that can wait");
                let listener = TcpListener::from_std(listener).expect("a socket");
                serve(listener, stopped).await;
            });
        });
        Serving { address, stop: Some(stop), thread: Some(thread) }
    }
}

impl Serving {
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
