//! What one process asks the holder of a ring beside the gateway's own requests: to hand over, and how the accounts
//! and the other gateways stand. Knows how to
//! ask; the answers are made where the ring is.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use crate::accounts::AccountStatus;
use crate::gateways::GatewayStatus;

/// The path of the request to hand over.
pub(crate) const HAND_OVER: &str = "/ring/hand-over";

/// The path of the question how the accounts stand.
pub(crate) const ACCOUNTS: &str = "/ring/accounts";

/// The path of the question how the other gateways stand.
pub(crate) const GATEWAYS: &str = "/ring/gateways";

/// Most bytes of an answer: far more than hundreds of accounts need.
const ANSWER_BYTES_MAX: u64 = 1024 * 1024;

/// How long a holder that works may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks the holder to hand over.
///
/// # Errors
/// The connection ended early, which says no more than that it ended.
pub(super) async fn hand_over(stream: UnixStream) -> io::Result<()> {
    // The answer says nothing that the lock does not: its end is what is waited for.
    ask(stream, "POST", HAND_OVER).await.map(drop)
}

/// How the accounts of the ring behind this socket stand.
///
/// # Errors
/// Nobody answers there, or not as this version does.
pub async fn accounts(socket: &Path) -> io::Result<Vec<AccountStatus>> {
    told(socket, ACCOUNTS).await
}

/// How the other gateways of the ring behind this socket stand.
///
/// # Errors
/// As [`accounts`].
pub async fn gateways(socket: &Path) -> io::Result<Vec<GatewayStatus>> {
    told(socket, GATEWAYS).await
}

async fn told<T: DeserializeOwned>(socket: &Path, path: &str) -> io::Result<T> {
    let asked = async { ask(UnixStream::connect(socket).await?, "GET", path).await };
    let answer = tokio::time::timeout(PATIENCE, asked).await.map_err(|_| io::ErrorKind::TimedOut)??;
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").map(|end| end + 4);
    let body = end.and_then(|end| answer.get(end..)).ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok(serde_json::from_slice(body)?)
}

async fn ask(mut stream: UnixStream, method: &str, path: &str) -> io::Result<Vec<u8>> {
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(ANSWER_BYTES_MAX).read_to_end(&mut answer).await?;
    Ok(answer)
}
