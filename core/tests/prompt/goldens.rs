//! Goldens: every ask on every surface, one snapshot per ask.

use std::fmt::Write as _;

use askrelay_core::prompt::{View, ended, open};
use askrelay_core::token::Nonce;

use crate::asks::{self, Case, NOW};
use crate::render::render;
use crate::surfaces;

fn nonce() -> Nonce {
    Nonce::try_from("00112233445566778899aabbccddeeff".to_owned()).expect("32 hexadecimal digits")
}

fn view<'a>(case: &'a Case, limits: &'a askrelay_core::limits::Limits) -> View<'a> {
    View {
        record: &case.record,
        limits,
        draft: &case.draft,
        audience: "Maria or Jo may answer.",
        nonce: nonce(),
        now: NOW,
        zone_minutes: 0,
        typed: true,
    }
}

#[test]
fn every_ask_on_every_surface() {
    for case in asks::all() {
        let mut all = String::new();
        for (name, limits) in surfaces::all() {
            let _ = writeln!(all, "=== {name}\n{}", render(&open(&view(&case, &limits)), &limits));
        }
        insta::assert_snapshot!(case.name, all);
    }
}
