//! The transitions of Records. So far only the facts that they leave behind; nothing here decides who may answer.

mod fact;
pub use fact::Fact;
