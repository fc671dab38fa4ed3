//! One client over standard input and output. Nothing but the protocol goes out there.

use rmcp::ServiceExt as _;
use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;

use crate::delivery::Telling;
use crate::server::Server;

/// Why serving over standard input and output failed.
#[derive(Debug, thiserror::Error)]
pub enum StdioError {
    /// The client never began.
    #[error("the MCP client on standard input did not begin as the protocol says")]
    Begin(#[source] Box<ServerInitializeError>),
    /// The server's task broke.
    #[error("the MCP server broke off")]
    Broken(#[source] tokio::task::JoinError),
}

/// Serves until the client closes standard input, or `stop` ends. What it asked stays asked.
///
/// # Errors
/// The client speaks no MCP.
pub async fn stdio(server: Server, stop: impl Future<Output = ()>) -> Result<(), StdioError> {
    tokio::pin!(stop);
    let (input, output) = rmcp::transport::io::stdio_pipes();
    let pipes = Telling { inner: AsyncRwTransport::new_server(input, output), outgoing: server.outgoing() };
    let begun = tokio::select! {
        begun = server.serve(pipes) => begun,
        () = &mut stop => return Ok(()),
    };
    let running = match begun {
        Ok(running) => running,
        // A client that goes before it began wants nothing.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(StdioError::Begin(Box::new(error))),
    };
    let ending = running.cancellation_token();
    let waiting = running.waiting();
    tokio::pin!(waiting);
    let ended = tokio::select! {
        ended = &mut waiting => ended,
        () = stop => {
            ending.cancel();
            waiting.await
        }
    };
    match ended {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(StdioError::Broken(error)),
        Ok(_) => Ok(()),
    }
}
