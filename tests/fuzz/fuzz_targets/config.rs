//! Any text as a configuration file: no panic, only a list of mistakes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = askrelay::config::Config::parse(text, "config.toml".as_ref());
});
