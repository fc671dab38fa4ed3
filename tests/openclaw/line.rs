//! The line between askrelay and the gateway, which can be cut, stay down, and swallow one frame on its way back. Reads no frame.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A line to a port of this machine.
pub(crate) struct Line {
    port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    streams: Vec<TcpStream>,
    is_down: bool,
    /// The next bytes from the gateway that hold this are lost, and the line with them.
    loses: Option<&'static str>,
}

impl Line {
    pub(crate) fn to(gateway: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State::default()));
        let kept = Arc::clone(&state);
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let is_down = kept.lock().unwrap().is_down;
                if let (false, Ok(far)) = (is_down, TcpStream::connect(("127.0.0.1", gateway))) {
                    join(&kept, near, far);
                }
            }
        });
        Self { port, state }
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// Cuts every connection; it comes back when askrelay tries again.
    pub(crate) fn cut(&self) {
        cut(&mut self.state.lock().unwrap());
    }

    /// Cuts every connection, and lets none through until it is up again.
    pub(crate) fn down(&self) {
        let mut state = self.state.lock().unwrap();
        state.is_down = true;
        cut(&mut state);
    }

    pub(crate) fn up(&self) {
        self.state.lock().unwrap().is_down = false;
    }

    /// Loses the next frame from the gateway that holds this text, and the connection with it.
    pub(crate) fn loses(&self, text: &'static str) {
        self.state.lock().unwrap().loses = Some(text);
    }

    /// Whether that frame is still to come.
    pub(crate) fn is_losing(&self) -> bool {
        self.state.lock().unwrap().loses.is_some()
    }
}

fn cut(state: &mut State) {
    for stream in state.streams.drain(..) {
        // One that ended by itself needs no cutting.
        let _ = stream.shutdown(Shutdown::Both);
    }
}

fn join(state: &Arc<Mutex<State>>, near: TcpStream, far: TcpStream) {
    let ends = [near.try_clone().unwrap(), far.try_clone().unwrap()];
    state.lock().unwrap().streams.extend(ends);
    let (to, from) = (far.try_clone().unwrap(), near.try_clone().unwrap());
    std::thread::spawn(move || carry(from, to, |_| true));
    let state = Arc::clone(state);
    std::thread::spawn(move || {
        carry(far, near, |bytes| {
            let mut state = state.lock().unwrap();
            let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
            if !state.loses.is_some_and(holds) {
                return true;
            }
            state.loses = None;
            cut(&mut state);
            false
        });
    });
}

fn carry(mut from: TcpStream, mut to: TcpStream, passes: impl Fn(&[u8]) -> bool) {
    let mut bytes = vec![0; 1 << 20];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        if !passes(&bytes[..length]) || to.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    // The other direction ends with it.
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}
