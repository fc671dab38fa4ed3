//! A seeded world around the relay: people, platforms, gateways, crashes and clock jumps, with the rules of the design checked
//! after every event. One number is a whole world, so a failure is repeated by its seed. The relay is the real one; nothing
//! in it knows of the simulation.

pub mod chance;
pub mod crowd;
pub mod fault;
pub mod gateway;
pub mod rules;
pub mod scene;
pub mod store;
pub mod story;
pub mod surface;
pub mod world;
