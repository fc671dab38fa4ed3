//! Text to frames. What a client sends is read strictly ([`request`]): closed objects, every fault with its path. What a
//! gateway sends is read openly ([`response`]): unknown members and events are ignored. Never panics, whatever the text.

mod administration;
mod ask;
mod call;
mod connect;
mod notify;
mod record;
mod request;
mod response;
mod scalar;
mod shape;
mod shapes;

pub use request::NotJson;
#[cfg(test)]
pub(crate) use request::readings_agree;
pub use response::{NotAFrame, Reading};
