//! The HTTP side: takes calls, lets faults happen, answers. A dropped connection is one that ends without an answer.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
use super::state::{Call, Shared, World};
use super::webhook;
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
    // A call takes effect in the moment in which it is noted: who waits for the call finds the effect.
    let (call, fault, effect) = shared.change(|world| {
        let (method, body) = (method.to_owned(), Value::Object(params.0.clone()));
        world.calls.push(Call { bot, method, body, status: None, answer: Value::Null, at: world.now });
        let fault = world.faults.next(&name);
        let effect = match &fault {
            Some(Fault::Refuse(code, description)) => {
                Some(Effect::Done(Err(Refusal::new(*code, description.clone()))))
            }
            Some(Fault::Flood(seconds)) => Some(Effect::Done(Err(Refusal::flood(*seconds)))),
            Some(Fault::DropBefore | Fault::HoldRequest(_)) => None,
            Some(Fault::DropAfter | Fault::Garbage | Fault::HoldAnswer(_)) | None => {
                Some(world.take(bot, &name, &params))
            }
        };
        (world.calls.len() - 1, fault, effect)
    });
    let effect = match (effect, &fault) {
        (Some(effect), _) => effect,
        (None, Some(Fault::HoldRequest(hold))) => {
            released(&shared, *hold).await;
            shared.change(|world| world.take(bot, &name, &params))
        }
        (None, _) => {
            note(&shared, call, 0, Value::Null);
            return Err(Dropped);
        }
    };
    let result = match effect {
        Effect::Done(result) => result,
        Effect::Waits(poll) => wait(&shared, poll).await?,
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

/// What a call did at once.
enum Effect {
    Done(Result<Value, Refusal>),
    Waits(Poll),
}

impl World {
    fn take(&mut self, bot: i64, method: &str, params: &Params) -> Effect {
        if method != "getupdates" {
            return Effect::Done(self.carry_out(bot, method, params));
        }
        match self.begin_poll(bot, params) {
            Ok(poll) => Effect::Waits(poll),
            Err(refusal) => Effect::Done(Err(refusal)),
        }
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

/// Waits for updates, by the stand-in's clock, and no longer than that by the wall clock, which is looked at every tick.
async fn wait(shared: &Shared, poll: Poll) -> Result<Result<Value, Refusal>, Dropped> {
    let began = Instant::now();
    let mut news = shared.news();
    loop {
        let expired = began.elapsed().as_secs() >= poll.timeout.unsigned_abs();
        // Looking is silent: nobody needs to look again because somebody looked.
        let answer =
            shared.look(|world| if world.cut { Some(None) } else { world.poll(poll, expired).map(Some) });
        match answer {
            Some(Some(answer)) => return Ok(answer),
            Some(None) => return Err(Dropped),
            None => {}
        }
        if news.changed().await.is_err() {
            return Err(Dropped);
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
