//! `askrelay ask`, in parts: what the arguments ask for is [`input`]'s.

mod default_values;
pub mod input;
