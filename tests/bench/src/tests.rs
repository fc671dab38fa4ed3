//! The generator against a stand-in that is just enough of a gateway: it refuses every tenth call once, and forgets nothing.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{broadcast, watch};
use tokio_tungstenite::accept_async;
use tokio_tungstenite::tungstenite::Message;

use crate::rounds::{Pair, empty, fill, is_there, known};
use crate::socket::{Socket, SocketError};

#[derive(Clone)]
struct Gateway {
    /// Ended or not, by id.
    questions: Arc<Mutex<HashMap<String, watch::Sender<bool>>>>,
    calls: Arc<Mutex<usize>>,
    events: broadcast::Sender<String>,
}

impl Gateway {
    async fn start() -> (Self, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        let gateway =
            Self { questions: Arc::default(), calls: Arc::default(), events: broadcast::channel(4096).0 };
        let all = gateway.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(all.clone().serve(stream));
            }
        });
        (gateway, url)
    }

    fn waiting(&self) -> usize {
        self.questions.lock().unwrap().values().filter(|ended| !*ended.borrow()).count()
    }

    async fn serve(self, stream: TcpStream) {
        let (mut out, mut asked) = accept_async(stream).await.unwrap().split();
        let (frames, mut outgoing) = tokio::sync::mpsc::channel::<String>(4096);
        let mut events = self.events.subscribe();
        frames
            .send(json!({ "type": "event", "event": "connect.challenge", "payload": {} }).to_string())
            .await
            .unwrap();
        tokio::spawn(async move {
            loop {
                let text = tokio::select! {
                    text = outgoing.recv() => text,
                    text = events.recv() => text.ok(),
                };
                let Some(text) = text else { return };
                if out.send(Message::text(text)).await.is_err() {
                    return;
                }
            }
        });
        while let Some(Ok(Message::Text(text))) = asked.next().await {
            let request: Value = serde_json::from_str(&text).unwrap();
            let (gateway, frames) = (self.clone(), frames.clone());
            tokio::spawn(async move { frames.send(gateway.answer(&request).await).await });
        }
    }

    async fn answer(&self, request: &Value) -> String {
        let result = if self.is_busy(&request["method"]) {
            Err("UNAVAILABLE")
        } else {
            self.result(request["method"].as_str().unwrap(), &request["params"]).await
        };
        match result {
            Ok(payload) => json!({ "type": "res", "id": request["id"], "ok": true, "payload": payload }),
            Err(code) => {
                json!({ "type": "res", "id": request["id"], "ok": false, "error": { "code": code } })
            }
        }
        .to_string()
    }

    fn is_busy(&self, method: &Value) -> bool {
        let mut calls = self.calls.lock().unwrap();
        *calls += 1;
        calls.is_multiple_of(10)
            && method.as_str().is_some_and(|method| {
                method != "connect" && method != "question.get" && method != "question.list"
            })
    }

    async fn result(&self, method: &str, params: &Value) -> Result<Value, &'static str> {
        let id = params["id"].as_str().unwrap_or_default().to_owned();
        let mut ended = match method {
            "connect" if params["auth"]["token"] == "right" => return Ok(json!({})),
            "connect" => return Err("INVALID_REQUEST"),
            "question.request" => {
                self.questions.lock().unwrap().insert(id.clone(), watch::channel(false).0);
                let event =
                    json!({ "type": "event", "event": "question.requested", "payload": params, "seq": 1 });
                let _ = self.events.send(event.to_string());
                return Ok(json!({ "id": id, "expiresAtMs": 9 }));
            }
            "question.list" => {
                let questions = self.questions.lock().unwrap();
                let open = questions.iter().filter(|(_, ended)| !*ended.borrow());
                let open: Vec<Value> =
                    open.map(|(id, _)| json!({ "id": id, "questions": [{ "questionId": "q" }] })).collect();
                return Ok(json!({ "questions": open }));
            }
            _ => match self.questions.lock().unwrap().get(&id) {
                Some(ended) => {
                    if method == "question.resolve" {
                        ended.send_replace(true);
                    }
                    ended.subscribe()
                }
                None => return Err("INVALID_REQUEST"),
            },
        };
        if method == "question.waitAnswer" {
            ended.wait_for(|ended| *ended).await.unwrap();
        }
        Ok(json!({ "status": "answered" }))
    }
}

#[tokio::test]
async fn every_round_trip_is_counted_once_though_calls_are_refused() {
    let (gateway, url) = Gateway::start().await;
    for (at_once, total) in [(1, 30), (16, 200)] {
        let mut pair = Pair::connect(&url, "right", format!("at-{at_once}")).await.unwrap();
        let took = pair.rounds(total, at_once).await.unwrap();
        assert_eq!(took.rounds.len(), total);
        assert!(took.refused > 0, "the stand-in refused nothing");
    }
    let asked = gateway.questions.lock().unwrap().len();
    assert_eq!((asked, gateway.waiting()), (230, 0));
}

#[tokio::test]
async fn filling_leaves_so_many_pending_and_emptying_none() {
    let (gateway, url) = Gateway::start().await;
    let mut socket = Socket::connect(&url, "right").await.unwrap();
    fill(&mut socket, 0, 300).await.unwrap();
    fill(&mut socket, 300, 500).await.unwrap();
    assert_eq!(gateway.waiting(), 500);
    assert_eq!(known(&mut socket).await.unwrap(), 500);
    assert!(is_there(&mut socket, 499).await.unwrap());
    assert!(!is_there(&mut socket, 500).await.unwrap());
    empty(&mut socket, 500).await.unwrap();
    assert_eq!(known(&mut socket).await.unwrap(), 0);
    assert_eq!(gateway.waiting(), 0);
}

#[tokio::test]
async fn a_wrong_token_is_said() {
    let (_, url) = Gateway::start().await;
    assert!(matches!(Socket::connect(&url, "wrong").await, Err(SocketError::Refused(_))));
}
