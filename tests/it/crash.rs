//! The server is killed again and again while fifty askers and fifty answerers work over real sockets. Whatever was
//! acknowledged is there, every ask ends once, and whoever waits gets the answer after coming back.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use askrelay_client::{Backoff, CallError, Client, Happening, Link, Settings, open};
use askrelay_core::answer::Answers;
use askrelay_core::ask::{Choice, Question};
use askrelay_core::id::{QuestionId, RecordId, ResolutionId};
use askrelay_core::record::{Record, State};
use askrelay_protocol::call::{AskParams, ListParams, ResolveAct, ResolveParams};
use askrelay_protocol::frame::Event;
use askrelay_protocol::reply::Ending;
use askrelay_protocol::secret::Secret;
use tokio::task::JoinSet;

use crate::program::{PATIENCE, Program};

const ASKERS: usize = 50;
const ANSWERERS: usize = 50;

/// How often the server is killed: enough to meet every stage of a request on a developer's machine, more in the slow suites.
fn kills() -> usize {
    if std::env::var_os("ASKRELAY_SLOW").is_some() { 40 } else { 5 }
}

/// Acknowledgements between two kills.
const STRIDE: usize = 60;

/// What people and programs were told, by ask.
#[derive(Default)]
struct Told {
    asked: Vec<RecordId>,
    /// What the asker's wait ended with.
    ended: BTreeMap<RecordId, Vec<String>>,
    /// What an answerer was told is recorded.
    accepted: BTreeMap<RecordId, Vec<String>>,
    acknowledgements: usize,
    done: bool,
}

#[derive(Default)]
struct Board {
    told: Mutex<Told>,
    changed: Condvar,
}

impl Board {
    fn write(&self, change: impl FnOnce(&mut Told)) {
        let mut told = self.told.lock().unwrap();
        change(&mut told);
        told.acknowledgements += 1;
        self.changed.notify_all();
    }

    fn is_done(&self) -> bool {
        self.told.lock().unwrap().done
    }

    /// Waits for this many more acknowledgements.
    fn progress(&self, more: usize) {
        let told = self.told.lock().unwrap();
        let target = told.acknowledgements + more;
        let waited =
            self.changed.wait_timeout_while(told, PATIENCE, |told| told.acknowledgements < target).unwrap();
        assert!(!waited.1.timed_out(), "nothing was acknowledged for {PATIENCE:?}");
    }
}

#[test]
fn nothing_acknowledged_is_lost_however_often_the_server_is_killed() {
    let program = Program::new();
    let created = program.run(&["token", "create", "--as", "owner", "--scopes", "operator.questions"]);
    let token = String::from_utf8(created.stdout).unwrap().trim().to_owned();
    // Freed at once: the server is to come back at the same address each time.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let board = Arc::new(Board::default());
    let mut server = program.serve_at(&address);

    let mut askers = JoinSet::new();
    let mut others = JoinSet::new();
    let _inside = runtime.enter();
    for number in 0..ASKERS {
        askers.spawn(asker(number, client(&mut others, &address, &token), Arc::clone(&board)));
    }
    for number in 0..ANSWERERS {
        let client = client(&mut others, &address, &token);
        others.spawn(answerer(number, client, Arc::clone(&board)));
    }
    for _ in 0..kills() {
        board.progress(STRIDE);
        server.kill();
        server = program.serve_at(&address);
    }
    board.progress(STRIDE);
    board.told.lock().unwrap().done = true;
    runtime.block_on(async {
        let all = async {
            while let Some(ended) = askers.join_next().await {
                ended.unwrap()
            }
        };
        tokio::time::timeout(PATIENCE, all).await.expect("every asker gets its last answer");
        others.shutdown().await;
    });
    let reader = client(&mut others, &address, &token);
    runtime.block_on(compare(&reader, &board));
    drop(server);
}

fn client(tasks: &mut JoinSet<()>, address: &str, token: &str) -> Client {
    let mut settings = Settings::new("local".into());
    settings.auth.token = Some(Secret::from(token));
    settings.backoff = Backoff { first: Duration::from_millis(5), most: Duration::from_millis(100) };
    let (client, connection) = open(settings, Link::Tcp(format!("ws://{address}/")));
    tasks.spawn(async move { drop(connection.run().await) });
    client
}

/// Asks one question after the other, each under an id of its own, and waits for each answer.
async fn asker(number: usize, client: Client, board: Arc<Board>) {
    for round in 0.. {
        if board.is_done() {
            return;
        }
        let id = RecordId::from(format!("ask_{number}_{round}"));
        let params = AskParams { id: Some(id.clone()), questions: vec![question()], ..AskParams::default() };
        let asked = client.request(params).await.expect("an ask is taken, however often it is repeated");
        assert_eq!(asked.id, id);
        board.write(|told| told.asked.push(id.clone()));
        let Ending::Record(record) = client.wait_answer(id.clone()).await.expect("a wait survives") else {
            panic!("our gateway tells whole records");
        };
        board.write(|told| assert!(told.ended.insert(id, values(&record)).is_none(), "one end"));
    }
}

/// Answers every third ask it hears of, so that each has several who try at once with different choices.
async fn answerer(number: usize, client: Client, board: Arc<Board>) {
    let mut happenings = client.happenings();
    loop {
        let records = match happenings.recv().await {
            Ok(Happening::Event(Event::QuestionRequested(record))) => vec![record],
            Ok(Happening::Online(_) | Happening::Gap) | Err(_) => {
                let page = client.list(ListParams::default()).await;
                page.map(|page| page.records).unwrap_or_default()
            }
            Ok(_) => continue,
        };
        for record in records {
            let spread: usize = record.key.id.as_str().bytes().map(usize::from).sum();
            if (spread + number).is_multiple_of(ANSWERERS / 3) {
                answer(number, &client, &record, &board).await;
            }
        }
    }
}

async fn answer(number: usize, client: &Client, record: &Record, board: &Board) {
    let label = if number.is_multiple_of(2) { "Staging" } else { "Production" };
    let answers = Answers([(QuestionId::from("target"), vec![label.to_owned()])].into());
    let params = ResolveParams {
        id: record.key.id.clone(),
        created_at: Some(record.key.created_at),
        act: ResolveAct::Answer { answers, notes: BTreeMap::new(), words: None },
        resolved_by: None,
        resolution: Some(ResolutionId::from(format!("{number}-{}", record.key.id))),
        actor: None,
        terminal_secret: None,
    };
    match client.resolve(params).await {
        Ok(Ending::Record(record)) => board.write(|told| {
            let before = told.accepted.insert(record.key.id.clone(), values(&record));
            assert!(before.is_none_or(|before| before == values(&record)), "one winner of {}", record.key.id);
        }),
        Ok(Ending::Plain { .. }) => panic!("our gateway tells whole records"),
        // Somebody was faster.
        Err(CallError::Refused(_)) => {}
        Err(error) => panic!("{error}"),
    }
}

async fn compare(client: &Client, board: &Board) {
    let (asked, ended, accepted) = {
        let told = board.told.lock().unwrap();
        (told.asked.clone(), told.ended.clone(), told.accepted.clone())
    };
    assert!(asked.len() >= STRIDE, "{} asks are too few to tell anything", asked.len());
    for id in asked {
        let record = client.get(id.clone()).await.unwrap();
        let record = record.unwrap_or_else(|| panic!("{id} was acknowledged and is gone"));
        assert_eq!(Some(&values(&record)), ended.get(&id), "{id}: what the asker was told");
        if let Some(accepted) = accepted.get(&id) {
            assert_eq!(accepted, &values(&record), "{id}: what an answerer was told");
        }
    }
}

fn values(record: &Record) -> Vec<String> {
    match &record.state {
        State::Answered(answered) => answered.answers.of(&QuestionId::from("target")).to_vec(),
        other => panic!("{} ended as {}", record.key.id, other.name()),
    }
}

fn question() -> Question {
    let choice = |label: &str| Choice::new(label);
    Question {
        id: "target".into(),
        text: "Where to?".to_owned(),
        choices: vec![choice("Staging"), choice("Production")],
        ..Question::default()
    }
}
