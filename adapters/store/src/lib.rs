//! Durable facts: one trait, SQLite behind it, and a fake in memory that passes the same contract. Decides nothing: what a
//! fact means is the core's, who may cause one is the gateway's, and nothing here reads a clock into a fact.

mod encode;
mod error;
mod fact;
mod memory;
mod page;
mod port;
mod sqlite;
mod ticket;

#[cfg(any(test, feature = "contract"))]
pub mod contract;

pub use error::{BadBody, CommitError, OpenError, ReadError, Trouble, TroubleKind};
pub use fact::{AuditEntry, Fact, InviteFact, InviteRow, PersonFact, TokenFact, TokenHash, TokenRow};
pub use memory::MemoryStore;
pub use page::{AuditPage, AuditQuery, Direction, Family, PAGE_MAX, RecordPage, RecordQuery, StateFilter};
pub use port::{Health, Loaded, NoObserver, Observer, Outcome, Store};
pub use sqlite::{Options, SqliteStore};
pub use ticket::{CommitTicket, ReadTicket, Stopped, Ticket};
