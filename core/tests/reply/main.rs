//! Reading typed replies: the corpus, tables of our own per rule and per language, and what must hold for every reply.
#![allow(clippy::panic, reason = "a row that cannot be read ends the test")]

mod corpus;
mod drafts;
mod languages;
mod properties;
mod rows;
mod rules;
