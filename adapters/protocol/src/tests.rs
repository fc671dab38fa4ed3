//! Tests of the whole protocol: goldens of every frame in both shapes, tables of refusals, properties. No sockets.

mod frames;
mod openclaw;
mod properties;
mod refusals;
mod samples;
mod strategies;
