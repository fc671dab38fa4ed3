//! The pure core of askrelay: questions, records, permission, prompts, replies and the relay step.
//! No async, clock, randomness, files, sockets, threads, environment or logging; names no platform.

pub mod answer;
pub mod ask;
pub mod audience;
pub mod audit;
pub mod foreign;
pub mod id;
pub mod invite;
pub mod ledger;
pub mod limits;
pub mod pace;
pub mod pairing;
pub mod permit;
pub mod person;
pub mod port;
pub mod prompt;
pub mod record;
pub mod relay;
pub mod reply;
pub mod route;
pub mod schema;
pub mod time;
pub mod token;
