//! Any JSON as a form's schema: no panic, and every form's questions keep the gateway's contract.
#![no_main]

use askrelay_core::schema::Form;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(schema) = serde_json::from_str(text) {
        let _ = Form::of(&schema);
    }
});
