//! One HTTP request over a connection of its own, in plain text: what tests call with.

use std::collections::BTreeMap;

use axum::body::{Body, to_bytes};
use hyper::Request;
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, HOST};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// Largest answer that is read, in bytes.
const ANSWER_MAX_BYTES: usize = 1 << 24;

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The headers, with names in small letters.
    pub headers: BTreeMap<String, String>,
    /// The body, where it is JSON.
    pub body: Value,
}

/// Calls a host such as `127.0.0.1:1234`; why not, in words.
pub(super) async fn call(
    host: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Vec<u8>,
) -> Result<Answer, String> {
    let mut request =
        Request::builder().method(method).uri(path).header(HOST, host).header(CONNECTION, "close");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(body)).map_err(|error| error.to_string())?;
    let stream = TcpStream::connect(host).await.map_err(|error| error.to_string())?;
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    let exchange = async {
        let answer = sender.send_request(request).await.map_err(|error| error.to_string())?;
        let status = answer.status().as_u16();
        let header = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
            (name.as_str().to_owned(), value.to_str().unwrap_or_default().to_owned())
        };
        let headers = answer.headers().iter().map(header).collect();
        let bytes = to_bytes(Body::new(answer.into_body()), ANSWER_MAX_BYTES).await;
        let bytes = bytes.map_err(|error| error.to_string())?;
        let body = serde_json::from_slice(&bytes).unwrap_or_default();
        Ok(Answer { status, headers, body })
    };
    tokio::pin!(connection, exchange);
    tokio::select! {
        answer = &mut exchange => answer,
        _ = &mut connection => exchange.await,
    }
}
