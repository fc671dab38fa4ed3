//! Listeners: who may open a socket, how many, and serving each until the gateway stops. Knows no routes.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use askrelay_core::permit::Caller;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::budget::{Budget, Budgeted};
use crate::peer::Peer;
use crate::shared::Shared;

/// After a failed accept, for example for want of file descriptors, the next try waits this long.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Takes TCP connections until the gateway stops.
pub(crate) async fn tcp(shared: Arc<Shared>, listener: TcpListener, router: Router) {
    while let Some(accepted) = until_stopping(&shared, listener.accept()).await {
        match accepted {
            Ok((socket, address)) => {
                // Small frames are to go out at once; a socket that cannot promise it still works.
                let _ = socket.set_nodelay(true);
                serve(&shared, socket, None, Some(address.ip()), router.clone());
            }
            Err(_) => sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Takes connections of the user we run as, and of nobody else, until the gateway stops.
pub(crate) async fn unix(shared: Arc<Shared>, listener: UnixListener, router: Router) {
    let ourselves = rustix::process::getuid().as_raw();
    while let Some(accepted) = until_stopping(&shared, listener.accept()).await {
        match accepted {
            Ok((socket, _)) if socket.peer_cred().is_ok_and(|peer| peer.uid() == ourselves) => {
                let base = Caller::Local { owner: shared.config.owner.clone() };
                serve(&shared, socket, Some(base), None, router.clone());
            }
            Ok(_) => {}
            Err(_) => sleep(ACCEPT_PAUSE).await,
        }
    }
}

async fn until_stopping<T>(
    shared: &Shared,
    accept: impl Future<Output = io::Result<T>>,
) -> Option<io::Result<T>> {
    tokio::select! {
        accepted = accept => Some(accepted),
        () = shared.stopping.cancelled() => None,
    }
}

/// Serves one connection in a task of its own, if there is room for one more.
fn serve<S>(shared: &Arc<Shared>, socket: S, base: Option<Caller>, address: Option<IpAddr>, router: Router)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let Ok(place) = Arc::clone(&shared.places).try_acquire_owned() else { return };
    let budget = Budget::free();
    let peer = Peer::new(base, address, budget.clone(), place);
    let serving = Arc::clone(shared);
    shared.start(async move {
        let routes = TowerToHyperService::new(router);
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer.clone());
            routes.call(request.map(Body::new))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(serving.config.delays.request_head)
            .serve_connection(TokioIo::new(Budgeted::new(socket, budget)), service)
            .with_upgrades();
        tokio::pin!(connection);
        // How a single connection fails is its peer's affair.
        tokio::select! {
            _ = connection.as_mut() => return,
            () = serving.stopping.cancelled() => connection.as_mut().graceful_shutdown(),
        }
        tokio::select! {
            _ = connection => {}
            () = sleep(serving.config.delays.stop) => {}
        }
    });
}

/// The places for open sockets.
pub(crate) fn places(most: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)))
}
