//! Presses: a person presses at a steady rate on a platform's stand-in, and the gateway's event tells when each counted. From the
//! press to that event everything is in it: the platform's delivery, the relay's step, the saves, the answer inside the gateway.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval};

use crate::bench::BenchError;
use crate::platform::{Asked, Platform};
use crate::process::{Gateway, ProcessError};
use crate::rounds::{Took, each, pending_id};
use crate::socket::{Socket, SocketError, read};

/// Presses in a second.
const RATE: u32 = 200;

/// How long all questions may take to be shown, and how often that is looked at.
const PATIENCE: Duration = Duration::from_secs(180);
const GLANCE: Duration = Duration::from_millis(500);

/// A gateway that is configured for these platforms, and asks on all of them; nothing runs yet.
pub(crate) fn configured(program: &Path, platforms: &[Box<dyn Platform>]) -> Result<Gateway, BenchError> {
    let gateway = Gateway::prepare(program)?;
    let places: Vec<String> = platforms.iter().map(|platform| platform.place()).collect();
    let mut config: String = platforms.iter().map(|platform| platform.table()).collect();
    config.push_str(&format!("\n[[route]]\nto = {places:?}\n"));
    let secrets = platforms.iter().flat_map(|platform| platform.secrets());
    for (name, text) in secrets.chain([("config.toml", config)]) {
        let path = gateway.home().join(name);
        std::fs::write(&path, text)
            .map_err(|source| ProcessError::File { what: path.display().to_string(), source })?;
    }
    for platform in platforms {
        gateway.succeeds(&["people", "link", "owner", &platform.identity()])?;
    }
    Ok(gateway)
}

/// Presses `count` buttons, each on a question of its own.
pub(crate) async fn presses(
    program: &Path,
    platform: Box<dyn Platform>,
    count: usize,
) -> Result<Took, BenchError> {
    let platforms = [platform];
    let mut gateway = configured(program, &platforms)?;
    let (_, mut socket) = gateway.start().await?;
    each(&mut socket, 0, count, |number| ("question.request", ask(number))).await?;
    let [platform] = &platforms;
    let asked = shown(platform.as_ref(), count).await?;
    pressed(&mut socket, platform.as_ref(), &asked).await.map_err(BenchError::from)
}

/// The questions, as soon as all stand in the chat. It looks now and then, since the stand-in must not be kept from its work.
async fn shown(platform: &dyn Platform, count: usize) -> Result<Vec<Asked>, BenchError> {
    let begin = Instant::now();
    let mut glances = interval(GLANCE);
    loop {
        glances.tick().await;
        let asked = platform.asked();
        if asked.len() >= count {
            return Ok(asked);
        }
        if begin.elapsed() > PATIENCE {
            return Err(BenchError::Unshown { shown: asked.len(), count });
        }
    }
}

/// A question that says which it is.
fn ask(number: usize) -> String {
    let id = pending_id(number);
    format!(
        r#"{{"id":"{id}","questions":[{{"questionId":"q","header":"Target","question":"{id} goes where?","options":[{{"label":"Staging"}},{{"label":"Production"}}]}}],"timeoutMs":3600000}}"#
    )
}

/// Presses at the rate; whatever counts is told by the socket, in the order in which it was pressed at the latest.
async fn pressed(socket: &mut Socket, platform: &dyn Platform, asked: &[Asked]) -> Result<Took, SocketError> {
    let begin = Instant::now();
    let mut took = Took::default();
    let mut waiting: BTreeMap<&str, Instant> = BTreeMap::new();
    let mut ticks = interval(Duration::from_secs(1) / RATE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut next = asked.iter();
    let mut all_pressed = false;
    while took.rounds.len() < asked.len() {
        tokio::select! {
            _ = ticks.tick(), if !all_pressed => match next.next() {
                Some(one) => {
                    waiting.insert(&one.id, Instant::now());
                    platform.press(one);
                }
                None => all_pressed = true,
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
