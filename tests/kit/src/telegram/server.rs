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

use super::fault::Fault;
use super::params::Params;
use super::poll::Poll;
use super::refusal::Refusal;
use super::state::{Call, Shared};
use super::webhook;

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
    let courier = webhook::bring(Arc::clone(&shared));
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
    // How a connection ends is the peer's business, or on purpose.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn handle(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Response<Body>, Dropped> {
    let path = request.uri().path().to_owned();
    let Some((token, method)) = path.strip_prefix("/bot").and_then(|path| path.split_once('/')) else {
        return Ok(refused(&Refusal::new(404, "Not Found".to_owned())));
    };
    let params = Params::read(request.map(Body::new)).await;
    if shared.read(|world| world.cut) {
        return Err(Dropped);
    }
    let Some(bot) = shared.read(|world| world.bot_of(token)) else {
        return Ok(refused(&stranger(token)));
    };
    let name = method.to_ascii_lowercase();
    let (call, fault) = shared.change(|world| {
        let (method, body) = (method.to_owned(), Value::Object(params.0.clone()));
        world.calls.push(Call { bot, method, body, status: None, answer: Value::Null, at: world.now });
        (world.calls.len() - 1, world.faults.next(&name))
    });
    match &fault {
        Some(Fault::DropBefore) => {
            note(&shared, call, 0, Value::Null);
            return Err(Dropped);
        }
        Some(Fault::HoldRequest(hold)) => released(&shared, *hold).await,
        _ => {}
    }
    let result = match &fault {
        Some(Fault::Refuse(code, description)) => Err(Refusal::new(*code, description.clone())),
        Some(Fault::Flood(seconds)) => Err(Refusal::flood(*seconds)),
        _ if name == "getupdates" => match shared.change(|world| world.begin_poll(bot, &params)) {
            Ok(poll) => wait(&shared, poll).await?,
            Err(refusal) => Err(refusal),
        },
        _ => shared.change(|world| world.carry_out(bot, &name, &params)),
    };
    if let Some(Fault::HoldAnswer(hold)) = &fault {
        released(&shared, *hold).await;
    }
    let (status, answer) = match &result {
        Ok(value) => (200, json!({ "ok": true, "result": value })),
        Err(refusal) => (refusal.code, refusal.body()),
    };
    let dropped = fault == Some(Fault::DropAfter) || shared.read(|world| world.cut);
    note(&shared, call, if dropped { 0 } else { status }, answer.clone());
    match (fault, result) {
        _ if dropped => Err(Dropped),
        (Some(Fault::Garbage), _) => Ok(response(200, "application/json", Body::from("{\"ok\": tr"))),
        // In front of the real server stands another, which answers in its own way.
        (_, Err(refusal)) if refusal.code == 502 => {
            Ok(response(502, "text/html", Body::from("<html><body>502 Bad Gateway</body></html>")))
        }
        (_, Err(refusal)) => Ok(refused(&refusal)),
        (_, Ok(_)) => Ok(response(200, "application/json", Body::from(answer.to_string()))),
    }
}

fn note(shared: &Shared, call: usize, status: u16, answer: Value) {
    shared.change(|world| {
        if let Some(call) = world.calls.get_mut(call) {
            call.status = Some(status);
            call.answer = answer;
        }
    });
}

/// A token of the right form that nobody has is unauthorized; anything else is no address.
fn stranger(token: &str) -> Refusal {
    let is_token = token.split_once(':').is_some_and(|(id, _)| id.parse::<u64>().is_ok_and(|id| id > 0));
    match is_token {
        true => Refusal::new(401, "Unauthorized".to_owned()),
        false => Refusal::new(404, "Not Found".to_owned()),
    }
}

async fn released(shared: &Shared, hold: u64) {
    let mut news = shared.news();
    while !shared.read(|world| world.faults.is_released(hold) || world.cut) {
        if news.changed().await.is_err() {
            return;
        }
    }
}

/// Waits for updates, by the stand-in's clock, and no longer than that by the wall clock.
async fn wait(shared: &Shared, poll: Poll) -> Result<Result<Value, Refusal>, Dropped> {
    let mut news = shared.news();
    let timeout = tokio::time::sleep(Duration::from_secs(poll.timeout.unsigned_abs()));
    tokio::pin!(timeout);
    let mut expired = poll.timeout == 0;
    loop {
        // Only an answer that leaves the queue as it was is silent: nobody needs to look again because somebody looked.
        let answer =
            shared.look(|world| if world.cut { Some(None) } else { world.poll(poll, expired).map(Some) });
        match answer {
            Some(Some(answer)) => return Ok(answer),
            Some(None) => return Err(Dropped),
            None => {}
        }
        tokio::select! {
            () = &mut timeout, if !expired => expired = true,
            changed = news.changed() => if changed.is_err() { return Err(Dropped) },
        }
    }
}

fn refused(refusal: &Refusal) -> Response<Body> {
    let mut response = response(refusal.code, "application/json", Body::from(refusal.body().to_string()));
    let seconds = refusal.parameters.as_ref().and_then(|parameters| parameters.get("retry_after"));
    if let Some(seconds) = seconds.and_then(Value::as_i64) {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

fn response(status: u16, kind: &'static str, body: Body) -> Response<Body> {
    let builder = Response::builder().status(status).header(CONTENT_TYPE, kind);
    builder.body(body).expect("status and kind are sane")
}
