//! The ledger from outside: tables for each verdict, and properties over any sequence of steps. Permission itself has its
//! own tests; here it only has to be asked.

mod ending;
mod opening;
mod properties;
mod world;
