//! Presses: people tap at a steady rate on Telegram's stand-in, and the gateway's event tells when each counted. From the tap to
//! that event everything is in it: the poll, the relay's step, the saves, the answer inside the gateway.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use askrelay_kit::telegram::{Chat, Person, StandIn};
use tokio::time::{MissedTickBehavior, interval};

use crate::bench::BenchError;
use crate::process::{Gateway, ProcessError};
use crate::rounds::{Took, each, pending_id};
use crate::socket::{Socket, SocketError, read};

/// Presses in a second.
const RATE: u32 = 200;

/// Taps `count` buttons, each on a question of its own.
pub(crate) async fn presses(program: &Path, count: usize) -> Result<Took, BenchError> {
    let platform = StandIn::start();
    let bot = platform.bot("bench_bot");
    let person = platform.person("Sam");
    let chat = person.open(&bot);
    let mut gateway = Gateway::prepare(program)?;
    let place = format!("telegram/main/{}", chat.id());
    let config = format!(
        "[[telegram]]\ntoken_file = \"token\"\napi_url = \"{}\"\npace_percent = 100000\n\n[[route]]\nto = [\"{place}\"]\n",
        platform.url()
    );
    for (name, text) in [("token", bot.token()), ("config.toml", config)] {
        let path = gateway.home().join(name);
        std::fs::write(&path, text)
            .map_err(|source| ProcessError::File { what: path.display().to_string(), source })?;
    }
    gateway.succeeds(&["people", "link", "owner", &format!("telegram/{}", person.id())])?;
    let (_, mut socket) = gateway.start().await?;
    each(&mut socket, 0, count, |number| ("question.request", ask(number))).await?;
    let shown = chat
        .until("every question", |messages| {
            let open = messages.iter().filter_map(|seen| {
                let data = seen.buttons.first()?.first()?.data.clone()?;
                Some((asked(&seen.text)?, seen.id, data))
            });
            let shown: Vec<(String, i64, String)> = open.collect();
            (shown.len() >= count).then_some(shown)
        })
        .await;
    tapped(&mut socket, &person, &chat, &shown, count).await.map_err(BenchError::from)
}

/// A question that says which it is.
fn ask(number: usize) -> String {
    let id = pending_id(number);
    format!(
        r#"{{"id":"{id}","questions":[{{"questionId":"q","header":"Target","question":"{id} goes where?","options":[{{"label":"Staging"}},{{"label":"Production"}}]}}],"timeoutMs":3600000}}"#
    )
}

/// The id in the text of such a question.
fn asked(text: &str) -> Option<String> {
    text.split_whitespace().find(|word| word.starts_with("pending-")).map(str::to_owned)
}

/// Taps at the rate; whatever counts is told by the socket, in the order in which it was tapped at the latest.
async fn tapped(
    socket: &mut Socket,
    person: &Person,
    chat: &Chat,
    shown: &[(String, i64, String)],
    count: usize,
) -> Result<Took, SocketError> {
    let begin = Instant::now();
    let mut took = Took::default();
    let mut waiting: BTreeMap<String, Instant> = BTreeMap::new();
    let mut ticks = interval(Duration::from_secs(1) / RATE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut next = shown.iter().take(count);
    let mut all_tapped = false;
    while took.rounds.len() < count {
        tokio::select! {
            _ = ticks.tick(), if !all_tapped => match next.next() {
                Some((id, message, data)) => {
                    waiting.insert(id.clone(), Instant::now());
                    person.press(chat, *message, data);
                }
                None => all_tapped = true,
            },
            text = socket.next() => {
                let text = text?;
                let frame = read(&text)?;
                let ended = frame.event == Some("question.resolved");
                let id = frame.payload.and_then(|payload| payload.id);
                if let (true, Some(id)) = (ended, id)
                    && let Some(began) = waiting.remove(id.as_ref())
                {
                    took.rounds.push(began.elapsed());
                }
            }
        }
    }
    took.all = begin.elapsed();
    Ok(took)
}
