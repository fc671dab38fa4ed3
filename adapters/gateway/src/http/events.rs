//! What happens, as server-sent events. The desk decides what each listener sees and keeps the log that a returning one is
//! caught up from; here its frames become lines of text.

use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;

use askrelay_protocol::encode::RecordView;
use askrelay_protocol::frame::{Caps, Event, ServerFrame};
use askrelay_protocol::reply::Ending;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use axum::response::sse::{Event as Lines, Sse};
use futures_util::stream::{self, Stream, StreamExt};
use serde::Serialize;

use super::Front;
use super::caller::Known;
use super::document::Called;
use super::failure::Failure;
use super::query::{Nothing, Parameters};
use crate::desk::Following;
use crate::outbox::{Outgoing, Outlet};

/// Frames turned into text at one wake-up.
const FRAMES: usize = 64;

/// Listen to what happens.
///
/// `question.requested` and `question.resolved` carry the ask (`AskRecord`); the latter comes again when a late answer is
/// kept. `resync` says that events were missed: list again. `shutdown` says that the gateway stops. Comments come as signs
/// of life. Every event has an id: send the last one as `Last-Event-ID` to go on from there.
#[utoipa::path(
    get, path = "/v1/events", tag = "asks", operation_id = "events",
    security(("bearer" = [])),
    params(("Last-Event-ID" = Option<String>, Header, description = "The id of the last event heard.")),
    responses(
        (status = 200, description = "Events, without end.", body = String, content_type = "text/event-stream"),
        Called,
    )
)]
pub(super) async fn events(
    State(front): State<Arc<Front>>,
    Known(credential): Known,
    Parameters(Nothing {}): Parameters<Nothing>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Failure> {
    // An id that is no text is none of ours, and so is the empty one: a gap.
    let heard = headers.get("last-event-id").map(|id| id.to_str().unwrap_or_default().to_owned());
    let came_back = heard.is_some();
    let (following, outlet) = front.shared.follow(credential, heard).await?;
    let first = first(&following, came_back);
    let Following { boot, .. } = following;
    Ok(Sse::new(stream::iter(first).map(Ok).chain(listen(boot, outlet))))
}

/// What a listener hears first: where it is in the log, if it cannot know, and whether it missed anything.
fn first(following: &Following, came_back: bool) -> Option<Lines> {
    let place = || Lines::default().id(format!("{}-{}", following.boot, following.position));
    if following.gap {
        return Some(place().event("resync").data("{}"));
    }
    (!came_back).then(|| place().comment("listening"))
}

/// The frames of a listener as they come, until the desk lets go of it or it is too slow.
fn listen(boot: String, outlet: Outlet) -> impl Stream<Item = Result<Lines, Infallible>> + Send {
    let batches = stream::unfold((boot, outlet), |(boot, mut outlet)| async move {
        let cut = outlet.cut();
        let mut batch = Vec::new();
        let taken = tokio::select! {
            biased;
            () = cut.cancelled() => 0,
            taken = outlet.take(&mut batch, FRAMES) => taken,
        };
        if taken == 0 {
            return None;
        }
        let mut lines = Vec::new();
        for outgoing in batch {
            match outgoing {
                Outgoing::Frame(frame, weight) => {
                    outlet.sent(weight);
                    lines.extend(said(&boot, &frame).map(Some));
                }
                Outgoing::Close(_) => lines.push(None),
            }
        }
        Some((stream::iter(lines), (boot, outlet)))
    });
    // A close ends the stream, whatever was queued behind it.
    batches.flatten().take_while(|lines| ready(lines.is_some())).filter_map(|lines| ready(lines.map(Ok)))
}

/// One frame as lines, if it says anything to a listener.
fn said(boot: &str, frame: &ServerFrame) -> Option<Lines> {
    let ServerFrame::Event { seq, event } = frame else { return None };
    let lines = match event {
        Event::QuestionRequested(record) | Event::QuestionResolved(Ending::Record(record)) => {
            with_data(RecordView { record, caps: Caps::WIDE }).event(event.name())
        }
        Event::Tick { .. } => Lines::default().comment("tick"),
        Event::Shutdown { .. } => Lines::default().event(event.name()).data("{}"),
        Event::Challenge(_)
        | Event::QuestionResolved(_)
        | Event::People(_)
        | Event::Knocked { .. }
        | Event::Notify(_)
        | Event::Unknown { .. } => {
            return None;
        }
    };
    Some(match seq {
        Some(number) => lines.id(format!("{boot}-{number}")),
        None => lines,
    })
}

/// A view that cannot be written, which there is none of, is said as nothing.
fn with_data(view: impl Serialize) -> Lines {
    Lines::default().json_data(view).unwrap_or_default()
}
