//! One connection to the form page: one request, in bounded time. What it comes to is [`Desk`]'s.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::desk::Desk;

/// How long the head of a request may take. Browsers open connections ahead of need; this closes them again.
const HEAD: Duration = Duration::from_secs(10);

/// How long a connection may take in all.
const WHOLE: Duration = Duration::from_secs(30);

/// Serves it; whether its request ended the form.
pub(super) async fn serve(socket: TcpStream, desk: Arc<Desk>) -> bool {
    let brought_the_end = AtomicBool::new(false);
    let service = service_fn(|request: Request<Incoming>| async {
        let told = desk.serve(request.map(Body::new)).await;
        brought_the_end.fetch_or(told.ends, Ordering::Relaxed);
        Ok::<_, Infallible>(told.response)
    });
    let connection = http1::Builder::new()
        .keep_alive(false)
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(socket), service);
    // How a single connection fails is its peer's affair.
    let _ = timeout(WHOLE, connection).await;
    brought_the_end.load(Ordering::Relaxed)
}
