//! Round trips: a request on one socket, its event on the other, a resolve there, and the answer to the first socket's
//! waitAnswer. Many conversations share the two sockets. Also fills a gateway with questions that nobody answers.

use std::time::{Duration, Instant};

use crate::socket::{Frame, Socket, SocketError, read};

/// A question with two options; `ID` is its id.
const ASK: &str = r#"{"id":"ID","questions":[{"questionId":"target","header":"Target","question":"Where should this release go?","options":[{"label":"Staging","description":"safe first"},{"label":"Production"}],"isOther":true}],"timeoutMs":3600000}"#;

/// Requests on their way at once while filling; below OpenClaw's 256.
const WINDOW: usize = 128;

/// How the ids of questions begin that are left pending.
const PENDING: &str = "pending-";

/// What one measurement took.
#[derive(Debug, Default)]
pub(crate) struct Took {
    /// Each round trip.
    pub(crate) rounds: Vec<Duration>,
    /// All of it.
    pub(crate) all: Duration,
    /// Calls that the gateway refused; each was sent again.
    pub(crate) refused: usize,
}

/// The two sockets.
pub(crate) struct Pair {
    asker: Socket,
    answerer: Socket,
    /// Makes ids of different measurements differ.
    prefix: String,
}

struct Run<'a> {
    pair: &'a mut Pair,
    begun: Vec<Option<Instant>>,
    total: usize,
    took: Took,
}

impl Pair {
    pub(crate) async fn connect(url: &str, token: &str, prefix: String) -> Result<Self, SocketError> {
        let asker = Socket::connect(url, token).await?;
        Ok(Self { asker, answerer: Socket::connect(url, token).await?, prefix })
    }

    /// `total` round trips, `at_once` at any time.
    pub(crate) async fn rounds(&mut self, total: usize, at_once: usize) -> Result<Took, SocketError> {
        let begin = Instant::now();
        let mut run = Run { pair: self, begun: Vec::with_capacity(total), total, took: Took::default() };
        for _ in 0..at_once.min(total) {
            run.begin().await?;
        }
        while run.took.rounds.len() < total {
            run.pair.asker.flush().await?;
            run.pair.answerer.flush().await?;
            let (asked, text) = tokio::select! {
                text = run.pair.asker.next() => (true, text?),
                text = run.pair.answerer.next() => (false, text?),
            };
            run.heard(asked, &text).await?;
            while let Some(text) = run.pair.asker.ready()? {
                run.heard(true, &text).await?;
            }
            while let Some(text) = run.pair.answerer.ready()? {
                run.heard(false, &text).await?;
            }
        }
        let mut took = run.took;
        took.all = begin.elapsed();
        Ok(took)
    }
}

impl Run<'_> {
    async fn begin(&mut self) -> Result<(), SocketError> {
        if self.begun.len() == self.total {
            return Ok(());
        }
        let number = self.begun.len();
        self.begun.push(Some(Instant::now()));
        self.ask(number).await
    }

    fn id(&self, number: usize) -> String {
        format!("{}-{number}", self.pair.prefix)
    }

    async fn ask(&mut self, number: usize) -> Result<(), SocketError> {
        let params = ASK.replace("ID", &self.id(number));
        self.pair.asker.request(&format!("r{number}"), "question.request", &params).await
    }

    async fn wait(&mut self, number: usize) -> Result<(), SocketError> {
        let params = format!(r#"{{"id":"{}"}}"#, self.id(number));
        self.pair.asker.request(&format!("w{number}"), "question.waitAnswer", &params).await
    }

    async fn answer(&mut self, number: usize) -> Result<(), SocketError> {
        let id = self.id(number);
        let params = format!(r#"{{"id":"{id}","answers":{{"answers":{{"target":["Production"]}}}}}}"#);
        self.pair.answerer.request(&format!("a{number}"), "question.resolve", &params).await
    }

    async fn heard(&mut self, by_asker: bool, text: &str) -> Result<(), SocketError> {
        let frame = read(text)?;
        match (frame.event, frame.id) {
            (Some("question.requested"), _) if !by_asker => match self.number(&frame) {
                Some(number) => self.answer(number).await,
                None => Ok(()),
            },
            (None, Some(id)) => self.answered(id, &frame, text).await,
            _ => Ok(()),
        }
    }

    /// Which of our conversations the event is about.
    fn number(&self, frame: &Frame<'_>) -> Option<usize> {
        let id = frame.payload.as_ref()?.id.as_deref()?;
        id.strip_prefix(self.pair.prefix.as_str())?.strip_prefix('-')?.parse().ok()
    }

    async fn answered(&mut self, id: &str, frame: &Frame<'_>, text: &str) -> Result<(), SocketError> {
        let unexpected = || SocketError::Unexpected(text.to_owned());
        let (kind, number) = id.split_at_checked(1).ok_or_else(unexpected)?;
        let number: usize = number.parse().map_err(|_| unexpected())?;
        if !frame.ok {
            if !text.contains("UNAVAILABLE") {
                return Err(unexpected());
            }
            self.took.refused += 1;
        }
        match (kind, frame.ok) {
            ("r", true) => self.wait(number).await,
            ("r", false) => self.ask(number).await,
            ("w", false) => self.wait(number).await,
            ("a", false) => self.answer(number).await,
            ("w", true) => {
                if frame.payload.as_ref().and_then(|payload| payload.status) != Some("answered") {
                    return Err(unexpected());
                }
                let begun = self.begun.get_mut(number).and_then(Option::take).ok_or_else(unexpected)?;
                self.took.rounds.push(begun.elapsed());
                self.begin().await
            }
            _ => Ok(()),
        }
    }
}

/// Creates questions `from..to` and leaves them pending.
pub(crate) async fn fill(socket: &mut Socket, from: usize, to: usize) -> Result<Duration, SocketError> {
    let ask = |number: usize| ("question.request", ASK.replace("ID", &pending_id(number)));
    each(socket, from, to, ask).await
}

/// Takes them back.
pub(crate) async fn empty(socket: &mut Socket, to: usize) -> Result<Duration, SocketError> {
    let cancel =
        |number: usize| ("question.resolve", format!(r#"{{"id":"{}","cancel":true}}"#, pending_id(number)));
    each(socket, 0, to, cancel).await
}

/// Whether the question of that number is there.
pub(crate) async fn is_there(socket: &mut Socket, number: usize) -> Result<bool, SocketError> {
    socket.request("g", "question.get", &format!(r#"{{"id":"{}"}}"#, pending_id(number))).await?;
    socket.flush().await?;
    loop {
        let text = socket.next().await?;
        let frame = read(&text)?;
        if frame.id == Some("g") {
            return Ok(frame.ok);
        }
    }
}

/// How many of the pending questions are listed.
pub(crate) async fn known(socket: &mut Socket) -> Result<usize, SocketError> {
    socket.request("l", "question.list", "{}").await?;
    socket.flush().await?;
    loop {
        let text = socket.next().await?;
        let frame = read(&text)?;
        match (frame.id, frame.payload.and_then(|payload| payload.questions)) {
            (Some("l"), Some(questions)) => {
                let ids = questions.iter().filter_map(|question| question.id.as_deref());
                return Ok(ids.filter(|id| id.starts_with(PENDING)).count());
            }
            (Some("l"), None) => return Err(SocketError::Unexpected(text.to_string())),
            _ => {}
        }
    }
}

pub(crate) fn pending_id(number: usize) -> String {
    format!("{PENDING}{number}")
}

pub(crate) async fn each(
    socket: &mut Socket,
    from: usize,
    to: usize,
    call: impl Fn(usize) -> (&'static str, String),
) -> Result<Duration, SocketError> {
    let begin = Instant::now();
    let (mut sent, mut done) = (from, from);
    while done < to {
        while sent < to && sent - done < WINDOW {
            let (method, params) = call(sent);
            socket.request(&format!("p{sent}"), method, &params).await?;
            sent += 1;
        }
        socket.flush().await?;
        let mut text = Some(socket.next().await?);
        while let Some(heard) = text {
            let frame = read(&heard)?;
            match frame.id.and_then(|id| id.strip_prefix('p')?.parse::<usize>().ok()) {
                Some(_) if frame.ok => done += 1,
                Some(number) if heard.contains("UNAVAILABLE") => {
                    let (method, params) = call(number);
                    socket.request(&format!("p{number}"), method, &params).await?;
                }
                Some(_) => return Err(SocketError::Unexpected(heard.to_string())),
                None => {}
            }
            text = socket.ready()?;
        }
    }
    Ok(begin.elapsed())
}
