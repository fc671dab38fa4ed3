//! The HTTP side: takes calls, lets faults happen, answers, and hands gateways over. A dropped connection is one that ends without
//! an answer.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, WebSocketUpgrade};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::fault::Fault;
use super::gateway;
use super::rate::{Bucket, Scope};
use super::refusal::{Refusal, Wrongs};
use super::rest::Answer;
use super::route::{Route, Target};
use super::state::{Call, Shared, World};
use crate::faults::released;

/// How often everybody who waits looks at the wall clock.
const TICK: Duration = Duration::from_secs(1);
/// Largest body that is read, in bytes.
const BODY_MAX_BYTES: usize = 1 << 24;

/// Ends a connection without an answer.
#[derive(Debug)]
struct Dropped;

impl std::fmt::Display for Dropped {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("the connection was dropped on purpose")
    }
}

impl std::error::Error for Dropped {}

/// Serves until it is told to stop.
pub(super) async fn serve(
    listener: TcpListener,
    shared: Arc<Shared>,
    mut stop: oneshot::Receiver<Infallible>,
) {
    let mut connections = JoinSet::new();
    let mut tick = tokio::time::interval(TICK);
    loop {
        tokio::select! {
            _ = &mut stop => return,
            _ = tick.tick() => shared.wake(),
            Some(_) = connections.join_next() => {}
            Ok((stream, _)) = listener.accept() => {
                connections.spawn(connection(stream, Arc::clone(&shared)));
            }
        }
    }
}

async fn connection(stream: TcpStream, shared: Arc<Shared>) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| handle(Arc::clone(&shared), request));
    // How a connection ends is the peer's business, or on purpose.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).with_upgrades().await;
}

async fn handle(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Response<Body>, Dropped> {
    let (is_cut, is_gateway_cut) = shared.read(|world| (world.cut, world.gateway_cut));
    if is_cut {
        return Err(Dropped);
    }
    if request.uri().path().starts_with("/gateway") {
        return if is_gateway_cut { Err(Dropped) } else { Ok(open_gateway(shared, request).await) };
    }
    let (parts, body) = request.into_parts();
    let method = parts.method.as_str();
    let target = Target::find(method, parts.uri.path(), parts.uri.query().unwrap_or_default());
    let bytes = to_bytes(Body::new(body), BODY_MAX_BYTES).await.map_err(|_| Dropped)?;
    let target = match target {
        Ok(target) => target,
        Err(refusal) => return Ok(answer(&Err(refusal), None)),
    };
    let taken = shared.read(|world| admit(world, &parts.headers, &target, &bytes));
    let (bot, body) = match taken {
        Ok(taken) => taken,
        Err(refusal) => return Ok(answer(&Err(refusal), None)),
    };
    call(&shared, bot, &target, &body).await
}

async fn open_gateway(shared: Arc<Shared>, request: Request<Incoming>) -> Response<Body> {
    let query = request.uri().query().unwrap_or_default().to_owned();
    let is_known = query.split('&').any(|part| part == "v=10");
    let (mut parts, _) = request.into_parts();
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => {
            upgrade.on_upgrade(move |socket| gateway::talk(shared, socket, is_known)).into_response()
        }
        Err(rejection) => rejection.into_response(),
    }
}

/// Who calls, and the body, if the request is in order.
fn admit(
    world: &World,
    headers: &HeaderMap,
    target: &Target,
    bytes: &Bytes,
) -> Result<(Option<u64>, Value), Refusal> {
    let header =
        |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    // What stands before the platform wants to know which library calls. Where no token is needed, any name will do.
    let agent = header(USER_AGENT);
    if agent.is_empty() || !target.route.is_open() && !agent.starts_with("DiscordBot") {
        return Err(Refusal::forbidden(40333, "internal network error"));
    }
    let bot = header(AUTHORIZATION).strip_prefix("Bot ").and_then(|token| world.bot_of(token));
    let bot = match target.route.is_open() {
        true => None,
        false => Some(bot.ok_or_else(|| Refusal::new(401, 0, "401: Unauthorized"))?),
    };
    if bytes.is_empty() {
        return Ok((bot, Value::Null));
    }
    if header(CONTENT_TYPE).split(';').next().map(str::trim) != Some("application/json") {
        let message = "Expected \"Content-Type\" header to be one of {'application/json'}.";
        return Err(Wrongs::one("", "CONTENT_TYPE_INVALID", message));
    }
    let body = serde_json::from_slice::<Value>(bytes).ok().filter(Value::is_object);
    let body = body.ok_or_else(|| Refusal::bad(50109, "The request body contains invalid JSON."))?;
    Ok((bot, body))
}

/// One call that is in order so far. It takes effect in the moment in which it is noted: who waits for the call finds the effect.
async fn call(
    shared: &Shared,
    bot: Option<u64>,
    target: &Target,
    body: &Value,
) -> Result<Response<Body>, Dropped> {
    let (call, fault, effect) = shared.change(|world| {
        world.record(bot, target, body);
        let fault = world.faults.next(&target.route);
        let effect = match &fault {
            Some(Fault::Refuse(status, code, message)) => {
                Some((None, Err(Refusal::new(*status, *code, message))))
            }
            Some(Fault::Flood(scope, seconds)) => {
                let bucket = Bucket::full(target.route, *seconds, world.now_ms);
                Some((Some(bucket), Err(Refusal::flood(*scope, *seconds))))
            }
            Some(Fault::DropBefore | Fault::HoldRequest(_)) => None,
            _ => Some(world.take(bot, target, body)),
        };
        (world.calls.len() - 1, fault, effect)
    });
    let (bucket, result) = match (effect, &fault) {
        (Some(effect), _) => effect,
        (None, Some(Fault::HoldRequest(hold))) => {
            released(shared, *hold).await;
            shared.change(|world| world.take(bot, target, body))
        }
        (None, _) => {
            finish(shared, call, 0, Value::Null);
            return Err(Dropped);
        }
    };
    if let Some(Fault::HoldAnswer(hold)) = &fault {
        released(shared, *hold).await;
    }
    let result = match fault {
        Some(Fault::FailAfter) => Err(Refusal::new(500, 0, "500: Internal Server Error")),
        _ => result,
    };
    let (status, value) = told(&result);
    let is_dropped = fault == Some(Fault::DropAfter) || shared.read(|world| world.cut);
    finish(shared, call, if is_dropped { 0 } else { status }, value);
    match fault {
        _ if is_dropped => Err(Dropped),
        Some(Fault::Garbage) => Ok(response(200, "application/json", Body::from("{\"id\": \"1"))),
        _ => Ok(answer(&result, bucket.as_ref())),
    }
}

impl World {
    fn record(&mut self, bot: Option<u64>, target: &Target, body: &Value) {
        let bot = bot.or_else(|| match target.route {
            Route::CreateCallback => {
                self.interactions.get(&target.name(0).parse().ok()?).map(|state| state.bot)
            }
            _ => target.name(0).parse().ok(),
        });
        let (route, path, body) = (target.route, target.path.clone(), body.clone());
        let at = self.now_ms.div_euclid(1000);
        self.calls.push(Call { bot, route, path, body, status: None, answer: Value::Null, at });
    }

    fn take(
        &mut self,
        bot: Option<u64>,
        target: &Target,
        body: &Value,
    ) -> (Option<Bucket>, Result<Answer, Refusal>) {
        let (bucket, admitted) = self.pace.admit(bot, target.route, target.name(0), self.now_ms);
        let result = admitted.and_then(|()| self.carry_out(bot, target, body));
        (Some(bucket), result)
    }
}

fn told(result: &Result<Answer, Refusal>) -> (u16, Value) {
    match result {
        Ok(Answer::Value(value)) => (200, value.clone()),
        Ok(Answer::Empty) => (204, Value::Null),
        Err(refusal) => (refusal.status, refusal.body()),
    }
}

fn finish(shared: &Shared, call: usize, status: u16, answer: Value) {
    shared.change(|world| {
        if let Some(call) = world.calls.get_mut(call) {
            call.status = Some(status);
            call.answer = answer;
        }
    });
}

fn answer(result: &Result<Answer, Refusal>, bucket: Option<&Bucket>) -> Response<Body> {
    let (status, value) = told(result);
    let mut response = match status {
        204 => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = hyper::StatusCode::NO_CONTENT;
            response
        }
        // Before the platform stands another server, which answers in its own way.
        502.. => return response(status, "text/html", Body::from("<html><body>Bad Gateway</body></html>")),
        _ => response(status, "application/json", Body::from(value.to_string())),
    };
    let flood = result.as_ref().err().and_then(|refusal| refusal.flood);
    let headers = response.headers_mut();
    let mut put = |name: &'static str, value: String| {
        let value = HeaderValue::from_str(&value).expect("digits and words");
        headers.insert(HeaderName::from_static(name), value);
    };
    put("via", "1.1 stand-in".to_owned());
    if let Some(bucket) = bucket.filter(|_| flood.is_none_or(|(scope, _)| scope != Scope::Global)) {
        put("x-ratelimit-limit", bucket.limit.to_string());
        put("x-ratelimit-remaining", bucket.remaining.to_string());
        put("x-ratelimit-reset", format!("{:.3}", bucket.reset));
        put("x-ratelimit-reset-after", format!("{:.3}", bucket.reset_after));
        put("x-ratelimit-bucket", bucket.name.clone());
    }
    if let Some((scope, seconds)) = flood {
        put("retry-after", format!("{:.0}", seconds.ceil()));
        put("x-ratelimit-scope", scope.word().to_owned());
        if scope == Scope::Global {
            put("x-ratelimit-global", "true".to_owned());
        }
    }
    response
}

fn response(status: u16, kind: &'static str, body: Body) -> Response<Body> {
    let builder = Response::builder().status(status).header(CONTENT_TYPE, kind);
    builder.body(body).expect("status and kind are sane")
}
