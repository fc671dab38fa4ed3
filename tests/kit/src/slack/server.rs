//! The HTTP side: takes calls, lets faults happen, answers. A dropped connection is one that ends without an answer.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, RETRY_AFTER};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::courier;
use super::fault::Fault;
use super::params::Params;
use super::refusal::Refusal;
use super::socket;
use super::state::{Call, Shared, World};
use crate::faults::released;

/// How often everybody who waits looks at the wall clock.
const TICK: Duration = Duration::from_secs(1);

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
    let courier = courier::bring(Arc::clone(&shared));
    tokio::pin!(courier);
    loop {
        tokio::select! {
            _ = &mut stop => return,
            () = &mut courier => return,
            _ = tick.tick() => shared.wake(),
            Some(_) = connections.join_next() => {}
            Ok((stream, _)) = listener.accept() => {
                connections.spawn(connection(stream, Arc::clone(&shared)));
            }
        }
    }
}

async fn connection(stream: TcpStream, shared: Arc<Shared>) {
    let service = service_fn(move |request| handle(Arc::clone(&shared), request));
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // How a connection ends is the peer's business, or on purpose.
    let _ = connection.with_upgrades().await;
}

async fn handle(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Response<Body>, Dropped> {
    let request = request.map(Body::new);
    let path = request.uri().path().to_owned();
    if shared.read(|world| world.cut) {
        return Err(Dropped);
    }
    if path.starts_with("/link") {
        return Ok(socket::accept(shared, request).await);
    }
    if let Some(key) = path.strip_prefix("/actions/") {
        let params = Params::read(request).await;
        let act = |world: &mut World| world.reply(key, &params);
        return call(&shared, "response_url", String::new(), &params, act).await;
    }
    let Some(method) = path.strip_prefix("/api/") else {
        return Ok(response(404, "text/html", Body::from("<html><body>Not Found</body></html>")));
    };
    let params = Params::read(request).await;
    let app = shared.read(|world| world.caller(method, &params)).unwrap_or_default();
    let act = |world: &mut World| world.carry_out(method, &params);
    call(&shared, method, app, &params, act).await
}

/// One call: the fault that is planned for it, its effect, its answer.
async fn call(
    shared: &Shared,
    method: &str,
    app: String,
    params: &Params,
    act: impl Fn(&mut World) -> Result<Value, Refusal>,
) -> Result<Response<Body>, Dropped> {
    // A call takes effect in the moment in which it is noted: who waits for the call finds the effect.
    let (number, fault, result) = shared.change(|world| {
        let (method, body) = (method.to_owned(), Value::Object(params.fields.clone()));
        let fault = world.faults.next(&method);
        let at = world.now;
        world.calls.push(Call { app: app.clone(), method, body, status: None, answer: Value::Null, at });
        let number = world.calls.len() - 1;
        let result = match &fault {
            Some(Fault::Refuse(status, error)) => Some(Err(Refusal::with_status(*status, error))),
            Some(Fault::RefuseAfter(status, error)) => {
                let _ = act(world);
                Some(Err(Refusal::with_status(*status, error)))
            }
            Some(Fault::Flood(seconds)) => Some(Err(Refusal::flood(*seconds))),
            Some(Fault::DropBefore | Fault::HoldRequest(_)) => None,
            Some(Fault::DropAfter | Fault::Garbage | Fault::HoldAnswer(_)) | None => Some(act(world)),
        };
        (number, fault, result)
    });
    let result = match (result, &fault) {
        (Some(result), _) => result,
        (None, Some(Fault::HoldRequest(hold))) => {
            released(shared, *hold).await;
            shared.change(|world| act(world))
        }
        (None, _) => {
            note(shared, number, 0, Value::Null);
            return Err(Dropped);
        }
    };
    if let Some(Fault::HoldAnswer(hold)) = &fault {
        released(shared, *hold).await;
    }
    let (status, answer) = match &result {
        Ok(value) => (200, with_ok(value)),
        Err(refusal) => (refusal.status, refusal.body()),
    };
    let dropped = fault == Some(Fault::DropAfter) || shared.read(|world| world.cut);
    note(shared, number, if dropped { 0 } else { status }, answer.clone());
    match (fault, result) {
        _ if dropped => Err(Dropped),
        (Some(Fault::Garbage), _) => Ok(response(200, JSON, Body::from("{\"ok\": tr"))),
        // In front of the real server stands another, which answers in its own way.
        (_, Err(refusal)) if [502, 503].contains(&refusal.status) => {
            Ok(response(refusal.status, "text/html", Body::from("<html><body>Bad Gateway</body></html>")))
        }
        (_, Err(refusal)) => Ok(refused(&refusal)),
        (_, Ok(_)) => {
            let mut answer = response(200, JSON, Body::from(answer.to_string()));
            let scopes = shared.read(|world| world.apps.get(&app).map(|app| app.scopes.clone()));
            let scopes: Vec<String> = scopes.into_iter().flatten().collect();
            if let Ok(scopes) = scopes.join(",").parse() {
                answer.headers_mut().insert("x-oauth-scopes", scopes);
            }
            Ok(answer)
        }
    }
}

const JSON: &str = "application/json; charset=utf-8";

fn with_ok(value: &Value) -> Value {
    let mut answer = json!({ "ok": true });
    if let (Some(answer), Some(fields)) = (answer.as_object_mut(), value.as_object()) {
        answer.extend(fields.clone());
    }
    answer
}

fn note(shared: &Shared, call: usize, status: u16, answer: Value) {
    shared.change(|world| {
        if let Some(call) = world.calls.get_mut(call) {
            call.status = Some(status);
            call.answer = answer;
        }
    });
}

fn refused(refusal: &Refusal) -> Response<Body> {
    let mut response = response(refusal.status, JSON, Body::from(refusal.body().to_string()));
    if let Some(seconds) = refusal.retry_after {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

fn response(status: u16, kind: &'static str, body: Body) -> Response<Body> {
    let builder = Response::builder().status(status).header(CONTENT_TYPE, kind);
    builder.body(body).expect("status and kind are sane")
}
