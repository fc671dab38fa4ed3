//! Reads what is about telling people something that asks for no answer: the params, the reply and the event. Closed and typed;
//! where it goes is not known here.

use serde::Deserialize;

use askrelay_core::ask::Origin;
use askrelay_core::port::Notification;

use super::request::Params;
use super::response::typed;
use super::scalar::{Filled, Whole, present};
use super::shape::Shape;
use super::shapes;
use crate::call::{NotifyCall, NotifyParams};
use crate::frame::Event;
use crate::reply::Reply;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NotifyWire {
    message: Filled,
    #[serde(default, deserialize_with = "present")]
    agent_id: Option<String>,
    #[serde(default, deserialize_with = "present")]
    session_key: Option<String>,
    #[serde(default, deserialize_with = "present")]
    run_id: Option<String>,
    #[serde(default, deserialize_with = "present")]
    label: Option<String>,
    #[serde(default)]
    places: Vec<Filled>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NotifiedWire {
    number: Whole,
    places: Whole,
}

#[derive(Deserialize)]
struct NotificationWire {
    number: u64,
    message: String,
    #[serde(default)]
    origin: Origin,
    creator: Option<String>,
    #[serde(default)]
    places: Vec<String>,
}

#[derive(Deserialize)]
struct PlacesWire {
    places: usize,
}

impl Params for NotifyWire {
    type Typed = NotifyCall;
    const SHAPE: Shape = shapes::NOTIFY;

    fn typed(self) -> NotifyCall {
        let Self { message, agent_id, session_key, run_id, label, places } = self;
        let origin = Origin { agent_id, session_key, run_id, label };
        let places = places.into_iter().map(|place| place.0).collect();
        NotifyCall::Send(NotifyParams { message: message.0, origin, places })
    }
}

impl Params for NotifiedWire {
    type Typed = NotifyCall;
    const SHAPE: Shape = shapes::NOTIFIED;

    fn typed(self) -> NotifyCall {
        NotifyCall::Sent {
            number: self.number.0,
            places: usize::try_from(self.places.0).unwrap_or(usize::MAX),
        }
    }
}

pub(super) fn notification(payload: &str) -> Result<Event, String> {
    let NotificationWire { number, message, origin, creator, places } = typed(payload)?;
    let creator = creator.map(|person| person.as_str().into());
    Ok(Event::Notify(Notification { number, message, origin, creator, places }))
}

pub(super) fn notified(payload: &str) -> Result<Reply, String> {
    Ok(Reply::Notified { places: typed::<PlacesWire>(payload)?.places })
}
