//! The terminal keeps the contract of every Surface. The stand-in for a tty is a pair of sockets.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a broken stand-in ends the test")]

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;

use askrelay_core::id::{Identity, Place};
use askrelay_core::port::{Order, Report};
use askrelay_core::time::Time;
use askrelay_kit::surface::Platform;
use askrelay_terminal::{Config, LIMITS, Seat, Terminal};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinHandle;

/// The other side of a terminal: the keyboard, and the glass.
struct Window {
    seat: Seat,
    keyboard: Option<UnixStream>,
    glass: UnixStream,
    read: Vec<u8>,
}

impl Platform for Window {
    const EDITS: bool = LIMITS.edits;

    async fn start(orders: Receiver<Order>, reports: Sender<Report>) -> (Self, JoinHandle<()>) {
        let (keyboard, input) = UnixStream::pair().unwrap();
        let (glass, output) = UnixStream::pair().unwrap();
        glass.set_nonblocking(true).unwrap();
        let seat = Seat::of_this_process("7f3a", "Sam".to_owned());
        let terminal =
            Terminal { input: input.into(), output: output.into(), styled: true, columns: Some(80) };
        let config = Config { seat: seat.clone(), terminal, now: || Time(1_764_500_000_000) };
        let task = tokio::spawn(askrelay_terminal::run(config, orders, reports));
        (Self { seat, keyboard: Some(keyboard), glass, read: Vec::new() }, task)
    }

    fn place(&self) -> Place {
        self.seat.place.clone()
    }

    fn person(&self) -> Identity {
        self.seat.identity.clone()
    }

    async fn seen(&mut self) -> String {
        match self.glass.read_to_end(&mut self.read) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => panic!("the glass cannot be read: {error}"),
        }
        String::from_utf8(self.read.clone()).unwrap()
    }

    async fn write(&mut self, text: &str) {
        self.keyboard.as_mut().unwrap().write_all(format!("{text}\n").as_bytes()).unwrap();
    }

    async fn repeat(&mut self) -> bool {
        false
    }

    async fn cut(&mut self) {
        self.keyboard = None;
    }

    async fn mend(&mut self) -> bool {
        false
    }

    async fn controls(&mut self) -> Option<Vec<String>> {
        None
    }

    async fn press(&mut self, _token: &str) -> bool {
        false
    }

    async fn acknowledged(&mut self, _press: usize) -> Vec<Option<String>> {
        Vec::new()
    }

    async fn submit(&mut self, _text: &str) -> bool {
        false
    }

    fn hostile(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("Look\u{1b}[2Jhere", "\u{1b}[2J"),
            ("\u{1b}]8;;https://evil.example\u{7}click\u{1b}]8;;\u{7}", "\u{1b}]"),
            ("\u{9b}31mred", "\u{9b}"),
            ("over\rwritten", "\r"),
            ("\u{202e}backwards", "\u{202e}"),
            ("\u{7}\u{8}\u{0}", "\u{7}"),
        ]
    }
}

askrelay_kit::surface_contract!(Window);
