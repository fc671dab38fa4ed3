//! What a request to the form page comes to: who is let through, what is shown, and which answer is the one that counts. Reads no
//! fields and writes no HTML itself.

use std::sync::{Mutex, MutexGuard, PoisonError};

use askrelay_core::answer::{Answers, Notes};
use askrelay_core::ask::Question;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::FormEnd;
use super::address::{Address, is_from_own_page};
use super::fields::{self, Act};
use super::page;

/// Most bytes of a submitted form: fifty questions with a page of text each.
const BODY_BYTES: usize = 256 * 1024;

/// A page's one answer.
#[derive(Debug)]
pub(super) struct Desk {
    questions: Vec<Question>,
    address: Address,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Open,
    /// Over; whoever waits has not heard of it.
    Ended(FormEnd),
    /// Over, and told.
    Told(page::Over),
}

/// What a request gets.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) response: Response,
    /// The request ended the form.
    pub(super) ends: bool,
}

impl Desk {
    pub(super) fn new(questions: Vec<Question>, address: Address) -> Self {
        Self { questions, address, state: Mutex::new(State::Open) }
    }

    /// What is kept is whole at any time, so that a panic elsewhere spoils nothing.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_open(&self) -> bool {
        matches!(*self.state(), State::Open)
    }

    pub(super) fn has_untold_end(&self) -> bool {
        matches!(*self.state(), State::Ended(_))
    }

    pub(super) fn take_end(&self) -> FormEnd {
        let mut state = self.state();
        let over = over(&state).unwrap_or(page::Over::Elsewhere);
        match std::mem::replace(&mut *state, State::Told(over)) {
            State::Ended(end) => end,
            State::Open | State::Told(_) => FormEnd::Closed,
        }
    }

    pub(super) fn close(&self) {
        let mut state = self.state();
        if matches!(*state, State::Open) {
            *state = State::Told(page::Over::Elsewhere);
        }
    }

    pub(super) async fn serve(&self, request: Request) -> Told {
        let mut told = self.answer(request).await;
        protect(told.response.headers_mut());
        told
    }

    async fn answer(&self, request: Request) -> Told {
        let Some(host) = self.address.host(request.uri(), request.headers()) else {
            return refused(StatusCode::FORBIDDEN, "This page is not served under that host name.");
        };
        if !self.address.is_path(request.uri()) {
            return refused(StatusCode::NOT_FOUND, "There is nothing here.");
        }
        match *request.method() {
            Method::GET | Method::HEAD => self.shown(),
            Method::POST if is_from_own_page(request.headers(), &host) => self.submitted(request).await,
            Method::POST => refused(StatusCode::FORBIDDEN, "Only the form itself can be sent here."),
            _ => {
                let mut told = refused(StatusCode::METHOD_NOT_ALLOWED, "The form can be opened and sent.");
                let allowed = HeaderValue::from_static("GET, HEAD, POST");
                told.response.headers_mut().insert(header::ALLOW, allowed);
                told
            }
        }
    }

    fn shown(&self) -> Told {
        match over(&self.state()) {
            Some(over) => closed(over),
            None => {
                let fresh = fields::offered(&self.questions);
                told(StatusCode::OK, page::form(&self.questions, &fresh, &[]))
            }
        }
    }

    async fn submitted(&self, request: Request) -> Told {
        if !is_form(request.headers()) {
            return refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Only a form can be sent here.");
        }
        // The time of the whole connection is bounded.
        let Ok(body) = to_bytes(request.into_body(), BODY_BYTES).await else {
            return refused(StatusCode::PAYLOAD_TOO_LARGE, "That is too much text, or it broke off.");
        };
        let (act, entered) = fields::parse(&body, &self.questions);
        let read = match act {
            Some(Act::Decline) => return self.end(FormEnd::Declined),
            Some(Act::Send) => fields::read(&self.questions, &entered),
            None => return refused(StatusCode::BAD_REQUEST, "Neither button was pressed."),
        };
        match read {
            Ok((answers, notes)) => self.end(FormEnd::Submitted(answers, notes)),
            // Whoever comes late is told that, not what is missing.
            Err(_) if !self.is_open() => self.shown(),
            Err(faults) => {
                let page = page::form(&self.questions, &entered, &faults);
                told(StatusCode::UNPROCESSABLE_ENTITY, page)
            }
        }
    }

    /// The first end counts; everybody later is told of it.
    fn end(&self, end: FormEnd) -> Told {
        let mut state = self.state();
        if let Some(over) = over(&state) {
            return closed(over);
        }
        let page = match &end {
            FormEnd::Submitted(answers, notes) => self.thanks(answers, notes),
            FormEnd::Declined | FormEnd::Closed => page::declined(),
        };
        *state = State::Ended(end);
        Told { ends: true, ..told(StatusCode::OK, page) }
    }

    fn thanks(&self, answers: &Answers, notes: &Notes) -> String {
        page::sent(&self.questions, answers, notes)
    }
}

fn over(state: &State) -> Option<page::Over> {
    match state {
        State::Open => None,
        State::Told(over) => Some(*over),
        State::Ended(FormEnd::Submitted(..)) => Some(page::Over::Answered),
        State::Ended(FormEnd::Declined) => Some(page::Over::Declined),
        State::Ended(FormEnd::Closed) => Some(page::Over::Elsewhere),
    }
}

fn closed(over: page::Over) -> Told {
    told(StatusCode::GONE, page::closed(over))
}

fn told(status: StatusCode, page: String) -> Told {
    let mut response = Response::new(Body::from(page));
    *response.status_mut() = status;
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, html);
    Told { response, ends: false }
}

/// In plain text, and without a word about the Questions.
fn refused(status: StatusCode, words: &'static str) -> Told {
    Told { response: (status, format!("{words}\n")).into_response(), ends: false }
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// What every answer carries: nothing is kept, loaded, framed or told to other pages. The referrer stays on for the page
/// itself, since without it browsers leave out where a form came from.
fn protect(headers: &mut HeaderMap) {
    let fixed = [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    headers.extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    headers.insert(header::CONTENT_SECURITY_POLICY, page::policy());
}
