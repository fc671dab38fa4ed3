//! The HTTP front door over real sockets: what each route does, what each refusal says, who sees what. The rules behind it
//! are tested where they live.
#![expect(clippy::expect_used, clippy::panic, reason = "a broken world ends the test")]

mod answering;
mod asking;
mod events;
mod guarding;
mod operating;
mod people;
mod refusing;
mod seeing;
mod world;
