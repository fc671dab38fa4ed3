//! The one-time form page of this machine: the way to ask a person where no chat and no form of the client reaches them. It
//! listens on loopback, shows the Questions under an address that nobody can guess, and takes one answer. It knows no Records, makes no
//! tokens, starts no tasks (whoever waits for its end drives it), and what an answer may be is the core's.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use askrelay_core::answer::{Answers, Notes};
use askrelay_core::ask::Question;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

mod address;
mod desk;
mod fields;
mod page;
mod serving;

use address::Address;
use desk::Desk;

/// Most connections at a time; the next ones wait until one of these is done.
const CONNECTIONS: usize = 64;

/// After a failed accept, for example for want of file descriptors, the next try waits this long.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Where the page is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormSettings {
    /// `HIM_HTTP_HOST`: an address, or a name of one.
    pub host: String,
    /// `HIM_HTTP_PORT`; 0 takes any free one.
    pub port: u16,
    /// Addresses that other machines reach are allowed as well. The page is not encrypted.
    pub allow_other_machines: bool,
}

impl Default for FormSettings {
    fn default() -> Self {
        Self { host: "127.0.0.1".to_owned(), port: 0, allow_other_machines: false }
    }
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// There is nothing to ask.
    #[error("a form page needs at least one question")]
    NoQuestion,
    /// The host is no address and no known name.
    #[error("HIM_HTTP_HOST: '{host}' is no address of this machine; use 127.0.0.1, which is the default")]
    Unknown {
        /// What was set.
        host: String,
        /// Why.
        #[source]
        source: Option<io::Error>,
    },
    /// Other machines would reach it.
    #[error(
        "HIM_HTTP_HOST: '{host}' ({address}) can be reached by other machines, and the form page is not encrypted; \
         use 127.0.0.1, which is the default, or allow other machines on purpose"
    )]
    OtherMachines {
        /// What was set.
        host: String,
        /// Where that is.
        address: SocketAddr,
    },
    /// Nothing can listen there.
    #[error("cannot serve the form page at {address}; HIM_HTTP_PORT=0 takes any free port")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
}

/// How it ended.
#[derive(Clone, Debug, PartialEq)]
pub enum FormEnd {
    /// Somebody answered: canonical values, and remarks beside choices.
    Submitted(Answers, Notes),
    /// Somebody pressed Decline.
    Declined,
    /// It was over before: by [`Form::close`], or its end was told already.
    Closed,
}

/// A page that is served while somebody awaits [`Form::ended`] or [`Form::linger`]. Dropping it closes it.
#[derive(Debug)]
pub struct Form {
    /// The address to open; whoever has it can answer.
    pub url: String,
    listener: TcpListener,
    desk: Arc<Desk>,
    /// Each tells at its end whether it brought the form's.
    connections: FuturesUnordered<Connection>,
}

type Connection = Pin<Box<dyn Future<Output = bool> + Send>>;

/// Opens a page for `questions`, which keep the contract of asks. `token` is fresh chance.
///
/// # Errors
/// [`FormError`].
pub async fn open(
    questions: Vec<Question>,
    settings: &FormSettings,
    token: [u8; 16],
) -> Result<Form, FormError> {
    if questions.is_empty() {
        return Err(FormError::NoQuestion);
    }
    let (listener, address) = Address::take(settings, token).await?;
    let url = address.url();
    let desk = Arc::new(Desk::new(questions, address));
    Ok(Form { url, listener, desk, connections: FuturesUnordered::new() })
}

impl Form {
    /// Serves the page until somebody answered or declined and was told so. May be dropped and awaited again: nothing is lost.
    pub async fn ended(&mut self) -> FormEnd {
        while self.desk.is_open() || (self.desk.has_untold_end() && !self.connections.is_empty()) {
            if self.step().await {
                break;
            }
        }
        self.desk.take_end()
    }

    /// Ends it from here: the question was answered elsewhere, or is not asked any more. Who comes later is told.
    pub fn close(&mut self) {
        self.desk.close();
    }

    /// Goes on for a while to tell whoever comes, with a second press of the button say, that the form is over.
    pub async fn linger(&mut self, span: Duration) {
        self.close();
        let telling = async {
            loop {
                self.step().await;
            }
        };
        // Nothing else ends it.
        let _: Result<(), _> = timeout(span, telling).await;
    }

    /// The next connection that comes or goes; whether one went that brought the form's end.
    async fn step(&mut self) -> bool {
        tokio::select! {
            Some(brought_the_end) = self.connections.next() => brought_the_end,
            accepted = self.listener.accept(), if self.connections.len() < CONNECTIONS => {
                match accepted {
                    Ok((socket, _)) => {
                        self.connections.push(Box::pin(serving::serve(socket, Arc::clone(&self.desk))));
                    }
                    Err(_) => sleep(ACCEPT_PAUSE).await,
                }
                false
            }
        }
    }
}
