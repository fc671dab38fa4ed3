//! Rows of our own for every rule of reading replies, adversarial ones among them.

use super::rows::check;

#[test]
fn rows_of_every_rule() {
    check(include_str!("rules.txt"));
}
