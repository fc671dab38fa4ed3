//! The MCP asker: any MCP client's agent asks a person through it. It translates tools to Asks and Records to results; it keeps
//! no Records, decides about no rights, and shows nothing by itself but a one-time page where nobody else can be reached.

pub mod elicitation;
pub mod human;
pub mod instructions;
pub mod plan;
pub mod template;
pub mod tool;
pub mod wanted;

pub use wanted::{Fallback, Finished, How, OnCancel, Via, Wanted};
