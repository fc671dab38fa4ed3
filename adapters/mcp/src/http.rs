//! Many clients over streamable HTTP: the route, who may use it, and sessions that outlive quiet hours and broken connections. Hosts and
//! origins are checked before by whoever mounts it, as for every route of the listener.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::delivery::Outgoing;
use crate::door::Door;
use crate::events::Events;
use crate::server::Server;

/// The path of the route.
pub const PATH: &str = "/mcp";

/// A session without traffic is forgotten after this time: longer than any call waits, so that none ends it.
const SESSION_IDLE: Duration = Duration::from_secs(2 * 60 * 60);

/// Between two comments on a quiet stream, so that nothing on the way takes it for dead.
const STREAM_ALIVE: Duration = Duration::from_secs(15);

/// Largest body of a request, in bytes.
const BODY: usize = 1024 * 1024;

/// What only the message with a result has, of those that a call sends.
const RESULT: &[u8] = b"\"result\":";

/// Who comes through which door.
pub trait Doors: Send + Sync + 'static {
    /// The door of the one who has this token.
    fn open(&self, token: &str) -> Pin<Box<dyn Future<Output = Result<Door, Shut>> + Send + '_>>;
}

/// Why a door stays shut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Shut {
    /// Nobody has this token.
    #[error(
        "this token is not accepted here; make one with: askrelay token create --as NAME --scopes operator.questions"
    )]
    Unknown,
    /// The gateway is not there at the moment, or too many are.
    #[error("the gateway cannot be reached at the moment; try again")]
    Away,
}

/// The route. `stop` ends every session; `key` is fresh chance.
pub fn router(doors: Arc<dyn Doors>, config: Arc<Config>, stop: CancellationToken, key: [u8; 16]) -> Router {
    let mut session = SessionConfig::default();
    session.keep_alive = Some(SESSION_IDLE);
    let mut sessions = LocalSessionManager::default().with_event_store(Arc::new(Events::new(key)));
    sessions.session_config = session;
    let settings = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_sse_keep_alive(Some(STREAM_ALIVE))
        .with_max_request_body_bytes(BODY)
        .with_cancellation_token(stop);
    let server = Server::of_everybody(config);
    let made = move || Ok(server.for_a_session());
    let service = StreamableHttpService::new(made, Arc::new(sessions), settings);
    Router::new().nest_service(PATH, service).layer(middleware::from_fn_with_state(doors, let_in))
}

/// Lets in who shows a token that the gateway takes; what they come through goes with the request.
async fn let_in(State(doors): State<Arc<dyn Doors>>, mut request: Request, next: Next) -> Response {
    let token = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = token.and_then(|value| value.split_once(' '));
    let Some((_, token)) = token.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) else {
        return refused(StatusCode::UNAUTHORIZED, "a token is needed: Authorization: Bearer TOKEN");
    };
    match doors.open(token.trim()).await {
        Ok(door) => {
            let outgoing = Outgoing::default();
            let ends_session = request.method() == Method::DELETE;
            request.extensions_mut().insert(door);
            request.extensions_mut().insert(outgoing.clone());
            let mut response = next.run(request).await;
            // The session is gone by then, and clients take "accepted" for a session that would not end.
            if ends_session && response.status() == StatusCode::ACCEPTED {
                *response.status_mut() = StatusCode::NO_CONTENT;
            }
            telling(response, outgoing)
        }
        Err(shut @ Shut::Unknown) => refused(StatusCode::UNAUTHORIZED, &shut.to_string()),
        Err(shut @ Shut::Away) => refused(StatusCode::SERVICE_UNAVAILABLE, &shut.to_string()),
    }
}

/// A response that tells what it hands out when its connection takes the result to write it. A broken connection takes nothing. Later is
/// too late: clients hang up as soon as they have the result, and with that nothing of this response runs any more.
fn telling(response: Response, outgoing: Outgoing) -> Response {
    let (head, body) = response.into_parts();
    let told = body.into_data_stream().then(move |chunk| {
        let outgoing = outgoing.clone();
        let has_result = |bytes: &Bytes| bytes.windows(RESULT.len()).any(|window| window == RESULT);
        async move {
            if outgoing.waits() && chunk.as_ref().is_ok_and(has_result) {
                outgoing.arrived().await;
            }
            chunk
        }
    });
    Response::from_parts(head, Body::from_stream(told))
}

fn refused(status: StatusCode, words: &str) -> Response {
    let body = serde_json::json!({ "error": { "code": status.as_u16(), "message": words } }).to_string();
    let kind = [(header::CONTENT_TYPE, "application/json"), (header::WWW_AUTHENTICATE, "Bearer")];
    (status, kind, body).into_response()
}
