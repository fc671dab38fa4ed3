//! Any text as a frame of either side: no panic, and whatever parses has a text again.
#![no_main]

use askrelay_protocol::frame::{Caps, ClientFrame};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for caps in [Caps::PLAIN, Caps::WIDE] {
        let _ = ClientFrame::parse(text, caps);
    }
});
