//! The MCP asker: any MCP client's agent asks a person through it. It translates tools to Asks and Records to results; it keeps
//! no Records, decides about no rights, and shows nothing by itself but a one-time page where nobody else can be reached.

mod asking;
mod client_log;
pub mod config;
mod delivery;
pub mod door;
pub mod elicitation;
mod events;
#[cfg(feature = "conformance")]
mod fixture;
pub mod form;
mod form_of_client;
pub mod http;
pub mod human;
pub mod instructions;
mod joined;
pub mod plan;
mod pointer;
mod server;
mod stdio;
mod taken_back;
mod tasks;
pub mod template;
pub mod tool;
mod visit;
pub mod wanted;

pub use config::{Config, Way};
pub use door::{Around, Door};
pub use http::{Doors, Shut};
pub use server::Server;
pub use stdio::{StdioError, stdio};
pub use wanted::{Fallback, Finished, How, OnCancel, Via, Wanted};
