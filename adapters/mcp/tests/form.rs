//! The form page over real sockets: a browser's requests and everybody else's. How answers are read is tested where that is.
#![expect(clippy::unwrap_used, reason = "a broken world ends the test")]

use std::io;
use std::time::Duration;

use askrelay_core::ask::{Choice, Constraint, Question};
use askrelay_mcp::form::{self, Form, FormEnd, FormSettings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

const TOKEN: [u8; 16] = [0x5a; 16];

/// What a good browser sends.
const GOOD: &str = "act=send&q0=1&q0-text=but+slowly";

/// A form that somebody waits for.
struct World {
    host: String,
    path: String,
    waiting: JoinHandle<(Form, FormEnd)>,
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl World {
    async fn open(questions: Vec<Question>) -> Self {
        let mut form = form::open(questions, &FormSettings::default(), TOKEN).await.unwrap();
        let (host, path) = form.url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let (host, path) = (host.to_owned(), format!("/{path}"));
        let waiting = tokio::spawn(async move {
            let end = form.ended().await;
            (form, end)
        });
        Self { host, path, waiting }
    }

    async fn exchange(&self, request: &str) -> io::Result<Answer> {
        let mut socket = TcpStream::connect(&self.host).await?;
        socket.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).await?;
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
        Ok(Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() })
    }

    async fn get(&self) -> Answer {
        let request = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", self.path, self.host);
        self.exchange(&request).await.unwrap()
    }

    /// What a browser sends at the press of a button.
    fn post(&self, body: &str) -> String {
        format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nSec-Fetch-Site: same-origin\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            self.path,
            self.host,
            self.host,
            body.len()
        )
    }

    async fn submit(&self, body: &str) -> Answer {
        self.exchange(&self.post(body)).await.unwrap()
    }
}

fn where_to() -> Question {
    Question {
        id: "target".into(),
        header: "Release".to_owned(),
        text: "Where should <b>this</b> go?\nIt is & stays \"2.4\".".to_owned(),
        url: Some("https://example.org/diff?a=1&b=2".to_owned()),
        choices: vec![
            Choice { description: Some("safe first".to_owned()), ..Choice::new("Staging (Recommended)") },
            Choice { destructive: true, ..Choice::new("Production </label><script>alert(1)</script>") },
        ],
        other: true,
        ..Question::default()
    }
}

fn every_kind() -> Vec<Question> {
    let text =
        |id: &str, text: &str| Question { id: id.into(), text: text.to_owned(), ..Question::default() };
    let signals = ["Logs", "Metrics", "Traces"].map(Choice::new).to_vec();
    let small = Constraint::Integer { minimum: Some(1), maximum: Some(5) };
    let birds = ["heron", "wren"].map(str::to_owned).to_vec();
    vec![
        where_to(),
        Question {
            choices: signals,
            multi_select: true,
            min: Some(1),
            max: Some(2),
            default: vec!["Logs".to_owned()],
            ..text("signals", "Which signals?")
        },
        Question { placeholder: Some("a bird".to_owned()), ..text("name", "What is it called?") },
        Question { constraint: Some(small), ..text("copies", "How many copies?") },
        Question { constraint: Some(Constraint::OneOf { values: birds }), ..text("bird", "Which bird?") },
        Question { secret: true, ..text("key", "Which passphrase?") },
    ]
}

/// What a golden keeps of a page: where it is served and its style sheet change or say nothing.
fn golden(page: &str) -> String {
    let (before, rest) = page.split_once("<style>").unwrap();
    let (_, after) = rest.split_once("</style>").unwrap();
    let page = format!("{before}<style></style>{after}");
    [
        "<form",
        "<div",
        "<fieldset",
        "<legend",
        "<input",
        "<label",
        "<p",
        "<textarea",
        "<button",
        "<h1",
        "<li",
        "</",
    ]
    .iter()
    .fold(page, |page, tag| page.replace(tag, &format!("\n{tag}")))
    .replace("\n\n", "\n")
}

#[tokio::test]
async fn what_a_person_sends_is_the_end() {
    let world = World::open(vec![where_to()]).await;
    let page = world.get().await;
    assert_eq!(page.status, 200);
    let sent = world.submit(GOOD).await;
    assert_eq!(sent.status, 200, "{}", sent.body);
    let (_form, end) = world.waiting.await.unwrap();
    let FormEnd::Submitted(answers, notes) = end else { panic!("{end:?}") };
    assert_eq!(answers.of(&"target".into()), ["Production </label><script>alert(1)</script>"]);
    assert_eq!(notes["target"], "but slowly");
    insta::assert_snapshot!("sent", golden(&sent.body));
}

#[tokio::test]
async fn declining_is_an_end_too() {
    let world = World::open(vec![where_to()]).await;
    let told = world.submit("act=decline&q0=0").await;
    assert_eq!(told.status, 200);
    assert_eq!(world.waiting.await.unwrap().1, FormEnd::Declined);
    insta::assert_snapshot!("declined", golden(&told.body));
}

#[tokio::test]
async fn the_page_shows_every_kind_of_question() {
    let world = World::open(every_kind()).await;
    let page = world.get().await;
    insta::assert_snapshot!("every_kind", golden(&page.body));
    let keys =
        "q0=other&q1=0&q1=1&q1=2&q2-text=%0Atwo%0D%0A%3Clines%3E&q3-text=six&q4-text=wasp&q5-text=hush";
    let again = world.submit(&format!("act=send&{keys}")).await;
    assert_eq!(again.status, 422);
    assert!(!again.body.contains("hush"), "a secret is not written back");
    insta::assert_snapshot!("every_kind_wrong", golden(&again.body));
    let right = "q0=0&q1=0&q2-text=Wren&q3-text=5&q4-text=wren&q5-text=hush";
    let sent = world.submit(&format!("act=send&{right}")).await;
    assert_eq!(sent.status, 200);
    assert!(!sent.body.contains("hush"), "{}", sent.body);
}

/// Nothing that anybody but the person's own page sends ends the form, or is told a word of the question.
#[tokio::test]
async fn everybody_else_is_refused() {
    let world = World::open(vec![where_to()]).await;
    let good = world.post(GOOD);
    let (host, path) = (world.host.as_str(), world.path.as_str());
    let long = "x".repeat(300_000);
    let declared = format!("Content-Length: {}", GOOD.len());
    let rows = [
        ("another token", good.replace(path, &format!("/{}", "5b".repeat(16))), 404),
        ("no token", good.replace(path, "/"), 404),
        ("a token and more", good.replace(path, &format!("{path}/")), 404),
        ("the icon", format!("GET /favicon.ico HTTP/1.1\r\nHost: {host}\r\n\r\n"), 404),
        ("another host", good.replace(&format!("Host: {host}"), "Host: rebound.example"), 403),
        ("no host", good.replace(&format!("Host: {host}\r\n"), ""), 403),
        (
            "a page elsewhere",
            good.replace(&format!("Origin: http://{host}"), "Origin: http://evil.example"),
            403,
        ),
        ("a sandboxed page", good.replace(&format!("Origin: http://{host}"), "Origin: null"), 403),
        ("a link elsewhere", good.replace("same-origin", "cross-site"), 403),
        (
            "no browser",
            good.replace(&format!("Origin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n"), ""),
            403,
        ),
        ("another method", good.replace("POST", "PUT"), 405),
        ("JSON", good.replace("application/x-www-form-urlencoded", "application/json"), 415),
        ("plain text", good.replace("application/x-www-form-urlencoded", "text/plain"), 415),
        ("too much", world.post(&format!("{GOOD}{long}")), 413),
        (
            "too much in pieces",
            good.replace(&declared, "Transfer-Encoding: chunked")
                .replace(GOOD, &format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len())),
            413,
        ),
        ("no button", world.post("q0=1"), 400),
        ("no HTTP", "GARBAGE\r\n\r\n".to_owned(), 400),
    ];
    for (name, request, status) in rows {
        // What is refused before it was read may be cut off in the middle of being sent.
        match world.exchange(&request).await {
            Ok(answer) => {
                assert_eq!(answer.status, status, "{name}: {}", answer.body);
                assert!(!answer.body.contains("Staging"), "{name}: {}", answer.body);
            }
            Err(error) => assert_eq!((error.kind(), status), (io::ErrorKind::ConnectionReset, 413), "{name}"),
        }
        assert!(!world.waiting.is_finished(), "{name} ended the form");
    }
    assert_eq!(world.submit(GOOD).await.status, 200);
}

#[tokio::test]
async fn the_page_may_load_and_tell_nothing() {
    let world = World::open(vec![where_to()]).await;
    for request in [
        format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", world.path, world.host),
        format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", world.host),
    ] {
        let answer = world.exchange(&request).await.unwrap();
        for header in [
            "cache-control: no-store",
            "referrer-policy: same-origin",
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "content-security-policy: default-src 'none'; style-src 'sha256-",
            "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
            "connection: close",
        ] {
            assert!(answer.head.contains(header), "{header} is missing in\n{}", answer.head);
        }
        assert!(!answer.head.contains("access-control"), "{}", answer.head);
        assert!(!answer.body.contains("<script"), "{}", answer.body);
    }
}

#[tokio::test]
async fn the_second_press_is_told_that_it_is_closed() {
    for (first, golden_name) in [(GOOD, "closed_answered"), ("act=decline", "closed_declined")] {
        let world = World::open(vec![where_to()]).await;
        assert_eq!(world.submit(first).await.status, 200);
        let World { host, path, waiting } = world;
        let (mut form, _) = waiting.await.unwrap();
        let waiting = tokio::spawn(async move {
            form.linger(Duration::from_secs(600)).await;
            let end = form.ended().await;
            (form, end)
        });
        let world = World { host, path, waiting };
        for second in ["act=send&q0=0", "act=decline", "act=send"] {
            let told = world.submit(second).await;
            assert_eq!(told.status, 410, "{second}");
            insta::assert_snapshot!(golden_name, golden(&told.body));
        }
        assert_eq!(world.get().await.status, 410);
        world.waiting.abort();
    }
}

#[tokio::test]
async fn of_two_who_send_at_once_one_counts() {
    let world = World::open(vec![where_to()]).await;
    let presses = (0..8).map(|n| world.post(&format!("act=send&q0={}", n % 2)));
    let mut sockets = Vec::new();
    for press in presses {
        let mut socket = TcpStream::connect(&world.host).await.unwrap();
        socket.write_all(&press.as_bytes()[..press.len() - 1]).await.unwrap();
        sockets.push((socket, press));
    }
    for (socket, press) in &mut sockets {
        let last = press.as_bytes().last().copied().unwrap();
        // Once the first has ended it, the others may find it gone.
        let _ = socket.write_all(&[last]).await;
    }
    let (_form, end) = world.waiting.await.unwrap();
    assert!(matches!(end, FormEnd::Submitted(..)), "{end:?}");
}

#[tokio::test]
async fn one_that_was_ended_elsewhere_says_so_and_closes() {
    let mut form = form::open(vec![where_to()], &FormSettings::default(), TOKEN).await.unwrap();
    let (host, path) = form.url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let (host, path) = (host.to_owned(), format!("/{path}"));
    form.close();
    assert_eq!(form.ended().await, FormEnd::Closed);
    let waiting = tokio::spawn(async move {
        form.linger(Duration::from_secs(600)).await;
        (form, FormEnd::Closed)
    });
    let world = World { host, path, waiting };
    let told = world.submit(GOOD).await;
    assert_eq!(told.status, 410);
    insta::assert_snapshot!("closed_elsewhere", golden(&told.body));
    world.waiting.abort();
    assert!(world.waiting.await.unwrap_err().is_cancelled());
    let gone = TcpStream::connect(&world.host).await.unwrap_err();
    assert_eq!(gone.kind(), io::ErrorKind::ConnectionRefused, "dropped with whoever drove it");
}

/// A caller that races the form against something else loses nothing by it.
#[tokio::test]
async fn waiting_can_be_taken_up_again() {
    let mut form = form::open(vec![where_to()], &FormSettings::default(), TOKEN).await.unwrap();
    let (host, path) = form.url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let waiting = tokio::spawn(std::future::pending());
    let world = World { host: host.to_owned(), path: format!("/{path}"), waiting };
    let press = world.submit(GOOD);
    tokio::pin!(press);
    let mut answer = None;
    // Each turn drops the wait that the turn before began.
    let end = loop {
        tokio::select! {
            biased;
            end = form.ended() => break end,
            told = &mut press, if answer.is_none() => answer = Some(told),
            () = tokio::task::yield_now() => {}
        }
    };
    assert!(matches!(end, FormEnd::Submitted(..)), "{end:?}");
    assert_eq!(form.ended().await, FormEnd::Closed, "told once");
    let answer = match answer {
        Some(answer) => answer,
        None => press.await,
    };
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn other_machines_reach_it_on_purpose_only() {
    let rows = [
        ("127.0.0.1", false, ""),
        ("localhost", false, ""),
        ("127.8.9.1", false, ""),
        ("0.0.0.0", true, ""),
        ("0.0.0.0", false, "HIM_HTTP_HOST: '0.0.0.0' (0.0.0.0:0) can be reached by other machines"),
        ("::", false, "HIM_HTTP_HOST: '::' ([::]:0) can be reached by other machines"),
        ("192.0.2.1", false, "HIM_HTTP_HOST: '192.0.2.1' (192.0.2.1:0) can be reached by other machines"),
        ("192.0.2.1", true, "cannot serve the form page at 192.0.2.1:0"),
        (
            "no.such.host.invalid",
            false,
            "HIM_HTTP_HOST: 'no.such.host.invalid' is no address of this machine",
        ),
        ("", false, "HIM_HTTP_HOST: '' is no address of this machine"),
    ];
    for (host, allow_other_machines, expected) in rows {
        let settings =
            FormSettings { host: host.to_owned(), allow_other_machines, ..FormSettings::default() };
        let opened = form::open(vec![where_to()], &settings, TOKEN).await;
        let said = opened.map(|_| String::new()).unwrap_or_else(|error| error.to_string());
        assert!(said.starts_with(expected) && said.is_empty() == expected.is_empty(), "{host}: {said}");
    }
    let nothing = form::open(Vec::new(), &FormSettings::default(), TOKEN).await;
    assert_eq!(nothing.unwrap_err().to_string(), "a form page needs at least one question");
}
