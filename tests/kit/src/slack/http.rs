//! One HTTP request over a connection of its own, in plain text: how events are brought, and what tests call with.

use axum::body::{Body, Bytes, to_bytes};
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, HOST};
use hyper::{HeaderMap, Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// Largest answer that is read, in bytes.
const ANSWER_MAX_BYTES: usize = 1 << 24;

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

/// Posts a body to an address such as `http://127.0.0.1:1234/path`; why not, in words.
pub(super) async fn post(url: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Result<Answer, String> {
    let rest = url.strip_prefix("http://").ok_or("only plain HTTP is spoken here")?;
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let path = if path.is_empty() { "/" } else { path };
    let mut request = Request::post(path).header(HOST, host).header(CONNECTION, "close");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(body)).map_err(|error| error.to_string())?;
    let stream = TcpStream::connect(host).await.map_err(|error| error.to_string())?;
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    let exchange = async {
        let answer = sender.send_request(request).await.map_err(|error| error.to_string())?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = to_bytes(Body::new(answer.into_body()), ANSWER_MAX_BYTES).await;
        Ok(Answer { status, headers, body: body.map_err(|error| error.to_string())? })
    };
    tokio::pin!(connection, exchange);
    tokio::select! {
        answer = &mut exchange => answer,
        _ = &mut connection => exchange.await,
    }
}
