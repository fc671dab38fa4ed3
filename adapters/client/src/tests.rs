//! The client against a scripted gateway behind a real WebSocket. The script loses answers, repeats them, mixes them up and
//! restarts; no test sleeps or looks at a clock.

mod calls;
mod connections;
mod feed;
mod others;
mod peer;
mod plain;
mod secure;
