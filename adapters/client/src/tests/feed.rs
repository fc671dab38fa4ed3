//! The feed of the ring: what the relay hears, in which order, and what becomes of its Commands.

use std::sync::Arc;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use askrelay_core::answer::Way;
use askrelay_core::id::{Account, GatewayId, Identity, Place, RecordKey};
use askrelay_core::permit::Refused;
use askrelay_core::person::People;
use askrelay_core::port::{Command, CommandAct, Errand, Knock, Notice, Notification, Rejection, Welcome};
use askrelay_core::record::{Record, State};
use askrelay_protocol::call::{Cursor, NotifyCall, PairingCall};
use askrelay_protocol::error::{Reason, WireError};
use askrelay_protocol::frame::{Call, Event};
use askrelay_protocol::reply::{Ending, PlainEnd, Reply};

use super::peer::{Connection, Peer, Subject, actor, answered, answers, record, settings, soon, subject};
use crate::{CallError, Feed, Settings, relay_feed};

pub(super) struct Relay {
    notices: mpsc::Receiver<(GatewayId, Notice)>,
    errands: mpsc::Sender<Errand>,
    task: JoinHandle<Result<(), CallError>>,
}

impl Relay {
    pub(super) fn start(subject: &Subject, feed: Feed) -> Self {
        let (errands, given) = mpsc::channel(8);
        let (notices, noticed) = mpsc::channel(8);
        let task = tokio::spawn(relay_feed(subject.client.clone(), feed, given, notices));
        Self { notices: noticed, errands, task }
    }

    /// The next Notice, in short.
    pub(super) async fn hears(&mut self) -> String {
        let (gateway, notice) = soon(self.notices.recv()).await.expect("the feed ended");
        assert_eq!(gateway.as_str(), "gate");
        let named = |record: &Record| format!("{} {}", record.key.id, record.state.name());
        match notice {
            Notice::Online { .. } => "online".to_owned(),
            Notice::Offline => "offline".to_owned(),
            Notice::Opened(record) => format!("opened {}", record.key.id),
            Notice::Closed(record) => match &record.state {
                State::Answered(answered) => {
                    let by = answered.by.person.as_ref().map_or("somebody", |person| person.as_str());
                    format!("closed {} by {by}", named(&record))
                }
                _ => format!("closed {}", named(&record)),
            },
            Notice::Knocked { identity, welcome, .. } => format!("knocked {}: {welcome:?}", identity.user),
            Notice::Notify(notification) => {
                format!("notify {}: {}", notification.number, notification.message)
            }
            Notice::People(people) => format!("people {}", people.iter().count()),
            Notice::Snapshot { records, last } => {
                let records: Vec<String> = records.iter().map(|record| named(record)).collect();
                format!("{} [{}]", if last { "last page" } else { "page" }, records.join(", "))
            }
            Notice::Refused { resolution, why, .. } => match why {
                Rejection::Ended(state) => {
                    format!("refused {resolution}: ended {}", state.map_or("somehow", |state| state.name()))
                }
                Rejection::NotPermitted(why) => format!("refused {resolution}: {why:?}"),
                Rejection::Unknown => format!("refused {resolution}: unknown"),
                Rejection::Invalid(why) => format!("refused {resolution}: {why}"),
            },
        }
    }

    /// The Record whose end is told next.
    pub(super) async fn hears_closed(&mut self) -> Arc<Record> {
        match soon(self.notices.recv()).await {
            Some((_, Notice::Closed(record))) => record,
            other => panic!("instead of an end: {other:?}"),
        }
    }

    /// The Records of the snapshot's last page, which is told next.
    pub(super) async fn hears_last_page(&mut self) -> Vec<Arc<Record>> {
        match soon(self.notices.recv()).await {
            Some((_, Notice::Snapshot { records, last: true })) => records,
            other => panic!("instead of a last page: {other:?}"),
        }
    }

    pub(super) async fn hears_all(&mut self, expected: &[&str]) {
        for expected in expected {
            assert_eq!(self.hears().await, *expected);
        }
    }

    pub(super) async fn commands(&self, command: &Command) {
        self.errands.send(Errand::Command(command.clone())).await.unwrap();
    }

    async fn knocks(&self, knock: &Knock) {
        self.errands.send(Errand::Knock(knock.clone())).await.unwrap();
    }
}

/// Answers the question for the people, which only a gateway with the cap is asked.
async fn people(connection: &mut Connection) {
    let (id, Call::People(_)) = connection.call().await else { panic!("not asked for people") };
    connection.reply(id, Reply::People(Arc::new(People::default()))).await;
}

pub(super) async fn page(connection: &mut Connection, records: &[&Record], next: Option<&str>) {
    let (id, Call::List(_)) = connection.call().await else { panic!("not asked for a list") };
    let records = records.iter().map(|record| Arc::new((*record).clone())).collect();
    connection.reply(id, Reply::Questions { records, next: next.and_then(Cursor::parse) }).await;
}

pub(super) fn opened(record: &Record) -> Event {
    Event::QuestionRequested(Arc::new(record.clone()))
}

fn closed(record: &Record) -> Event {
    Event::QuestionResolved(Ending::Record(Arc::new(answered(record, "res_9"))))
}

pub(super) fn plain_end(id: &str, resolution: Option<&str>) -> Ending {
    let end = PlainEnd::Answered { answers: answers(), resolution: resolution.map(Into::into) };
    Ending::Plain { id: Some(id.into()), end }
}

pub(super) fn command(record: &Record, resolution: &str) -> Command {
    let act =
        CommandAct::Resolve { answers: answers(), notes: Default::default(), words: None, actor: actor() };
    Command { resolution: resolution.into(), key: record.key.clone(), act }
}

/// What a relay begins with, and the way to let it begin again.
fn beginning(shown: Vec<RecordKey>) -> (watch::Sender<Vec<RecordKey>>, Feed) {
    let (begin, shown) = watch::channel(shown);
    (begin, Feed { shown, ..Feed::default() })
}

/// A feed that is through with an empty snapshot but for these Records.
pub(super) async fn running(
    peer: &Peer,
    subject: &Subject,
    records: &[&Record],
    wide: bool,
) -> (Relay, Connection) {
    let mut relay = Relay::start(subject, Feed::default());
    let mut connection = peer.accept().await;
    let names: Vec<String> = records.iter().map(|record| format!("{} pending", record.key.id)).collect();
    let last = format!("last page [{}]", names.join(", "));
    if wide {
        people(&mut connection).await;
        page(&mut connection, records, None).await;
        relay.hears_all(&["online", "people 0", &last]).await;
    } else {
        page(&mut connection, records, None).await;
        relay.hears_all(&["online", &last]).await;
    }
    (relay, connection)
}

#[tokio::test]
async fn pages_come_before_what_happened_while_they_were_read() {
    let (a, b, c, d) = (record("a", 1), record("b", 2), record("c", 3), record("d", 4));
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let mut relay = Relay::start(&subject, Feed::default());
    let mut connection = peer.accept().await;
    people(&mut connection).await;
    page(&mut connection, &[&a, &b], Some("2:b")).await;
    connection.event(closed(&a)).await;
    connection.event(opened(&c)).await;
    connection.event(opened(&d)).await;
    page(&mut connection, &[&c], None).await;
    relay.hears_all(&["online", "people 0", "page [a pending, b pending]", "last page [c pending]"]).await;
    relay.hears_all(&["closed a answered by ada", "opened d"]).await;
    connection.event(closed(&d)).await;
    relay.hears_all(&["closed d answered by ada"]).await;
}

#[tokio::test]
async fn coming_back_tells_how_those_ended_that_wait_no_more() {
    let (a, b, c) = (record("a", 1), record("b", 2), record("c", 3));
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (mut relay, connection) = running(&peer, &subject, &[&a, &b], true).await;
    drop(connection);
    let mut connection = peer.accept().await;
    relay.hears_all(&["offline", "online"]).await;
    people(&mut connection).await;
    page(&mut connection, &[&b, &c], None).await;
    let (id, Call::Get { id: wanted }) = connection.call().await else { panic!("not asked for a") };
    assert_eq!(wanted, a.key.id);
    connection.reply(id, Reply::Question(Arc::new(answered(&a, "res_9")))).await;
    relay.hears_all(&["people 0", "last page [b pending, c pending, a answered]"]).await;
}

#[tokio::test]
async fn what_an_earlier_process_showed_is_asked_for_too() {
    let (gone, reused) = (record("gone", 1), record("reused", 2));
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (_begin, feed) = beginning(vec![gone.key.clone(), reused.key.clone()]);
    let mut relay = Relay::start(&subject, feed);
    let mut connection = peer.accept().await;
    people(&mut connection).await;
    page(&mut connection, &[], None).await;
    let (id, _) = connection.call().await;
    connection.refuse(id, WireError::not_found("gone")).await;
    let (id, _) = connection.call().await;
    connection.reply(id, Reply::Question(Arc::new(record("reused", 99)))).await;
    relay.hears_all(&["online", "people 0", "last page []"]).await;
}

#[tokio::test]
async fn lost_events_and_a_rebuilt_relay_are_told_everything_again() {
    let a = record("a", 1);
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[], true).await;
    connection.skip();
    connection.event(Event::Tick { ts: a.expires_at }).await;
    people(&mut connection).await;
    page(&mut connection, &[&a], None).await;
    relay.hears_all(&["offline", "online", "people 0", "last page [a pending]"]).await;

    let (begin, feed) = beginning(Vec::new());
    let mut second = Relay::start(&subject, feed);
    for again in [false, true] {
        if again {
            begin.send(Vec::new()).unwrap();
            second.hears_all(&["offline"]).await;
        }
        people(&mut connection).await;
        page(&mut connection, &[&a], None).await;
        second.hears_all(&["online", "people 0", "last page [a pending]"]).await;
    }
}

#[tokio::test]
async fn a_relay_that_lost_an_outcome_hears_it_again() {
    let (a, b) = (record("a", 1), record("b", 2));
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (begin, feed) = beginning(Vec::new());
    let mut relay = Relay::start(&subject, feed);
    let mut connection = peer.accept().await;
    people(&mut connection).await;
    page(&mut connection, &[&a, &b], None).await;
    relay.hears_all(&["online", "people 0", "last page [a pending, b pending]"]).await;
    connection.event(closed(&a)).await;
    assert_eq!(relay.hears().await, "closed a answered by ada");

    begin.send(vec![a.key.clone()]).unwrap();
    people(&mut connection).await;
    page(&mut connection, &[&b], None).await;
    let (id, Call::Get { id: wanted }) = connection.call().await else { panic!("not asked for a") };
    assert_eq!(wanted, a.key.id);
    connection.reply(id, Reply::Question(Arc::new(answered(&a, "res_9")))).await;
    relay.hears_all(&["offline", "online", "people 0", "last page [b pending, a answered]"]).await;
}

#[tokio::test]
async fn a_command_that_the_gateway_knows_already_is_settled() {
    let a = record("a", 1);
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[], true).await;
    relay.commands(&command(&a, "res_1")).await;
    let (id, Call::Resolve(_)) = connection.call().await else { panic!("no resolve") };
    connection.reply(id, Reply::Resolved(Ending::Record(Arc::new(answered(&a, "res_1"))))).await;
    assert_eq!(relay.hears().await, "closed a answered by ada");
}

#[tokio::test]
async fn one_who_falls_behind_lists_again() {
    let a = record("a", 1);
    let peer = Peer::wide().await;
    let subject = subject(Settings { events: 1, ..settings() }, peer.link());
    let (mut relay, mut connection) = running(&peer, &subject, &[], true).await;
    for _ in 0..200 {
        connection.event(Event::People(Arc::new(People::default()))).await;
    }
    let mut heard = relay.hears().await;
    while heard == "people 0" {
        heard = relay.hears().await;
    }
    assert_eq!(heard, "offline");
    people(&mut connection).await;
    page(&mut connection, &[&a], None).await;
    while heard != "last page [a pending]" {
        heard = relay.hears().await;
    }
}

#[tokio::test]
async fn a_command_is_repeated_until_the_gateway_closed_the_record() {
    let a = record("a", 1);
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[&a], true).await;
    let command = command(&a, "res_1");
    relay.commands(&command).await;
    relay.commands(&command).await;
    let (id, Call::Resolve(params)) = connection.call().await else { panic!("no resolve") };
    assert_eq!((params.created_at, params.actor), (Some(a.key.created_at), Some(actor())));
    connection.refuse(id, WireError::unavailable("busy", Some(1))).await;
    connection.call().await;
    drop(connection);
    let mut connection = peer.accept().await;
    relay.hears_all(&["offline", "online"]).await;
    let end = answered(&a, "res_1");
    for _ in 0..3 {
        match connection.call().await {
            (id, Call::Resolve(params)) => {
                assert_eq!(params.resolution, Some("res_1".into()));
                connection.reply(id, Reply::Resolved(Ending::Record(Arc::new(end.clone())))).await;
                connection.event(Event::QuestionResolved(Ending::Record(Arc::new(end.clone())))).await;
            }
            (id, Call::People(_)) => connection.reply(id, Reply::People(Arc::default())).await,
            (id, Call::List(_)) => {
                connection
                    .reply(id, Reply::Questions { records: vec![Arc::new(a.clone())], next: None })
                    .await;
            }
            (_, other) => panic!("{other:?}"),
        }
    }
    relay.hears_all(&["people 0", "last page [a pending]", "closed a answered by ada"]).await;
}

#[tokio::test]
async fn refusals_for_good_are_told_with_their_reason() {
    let a = record("a", 1);
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[&a], true).await;
    for (name, error, expected) in [
        ("ended", WireError::already_terminal(Arc::new(answered(&a, "x"))), "refused res: ended answered"),
        ("not permitted", WireError::not_permitted(Refused::FewerRights), "refused res: FewerRights"),
        ("no scope", WireError::missing_scope("operator.questions"), "refused res: NoRight"),
        ("unknown", WireError::not_found("a"), "refused res: unknown"),
        (
            "no answer",
            WireError::question(Reason::InvalidAnswer, "unknown option"),
            "refused res: unknown option",
        ),
    ] {
        relay.commands(&command(&a, "res")).await;
        let (id, Call::Resolve(_)) = connection.call().await else { panic!("{name}: no resolve") };
        connection.refuse(id, error).await;
        assert_eq!(relay.hears().await, expected, "{name}");
    }
}

#[tokio::test]
async fn a_plain_end_is_completed_from_what_we_know() {
    let (a, b) = (record("a", 1), record("b", 2));
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[&a, &b], false).await;
    relay.commands(&command(&a, "res_1")).await;
    let (id, Call::Get { .. }) = connection.call().await else { panic!("no look at the record") };
    connection.reply(id, Reply::Question(Arc::new(a.clone()))).await;
    let (id, Call::Resolve(params)) = connection.call().await else { panic!("no resolve") };
    assert_eq!(params.resolved_by.as_deref(), Some("ada"));
    // The event overtakes the response: who decided is known only from the latter.
    connection.event(Event::QuestionResolved(plain_end("a", None))).await;
    connection.event(Event::QuestionResolved(plain_end("b", None))).await;
    let (looked, Call::Get { .. }) = connection.call().await else { panic!("not asked how b ended") };
    connection.refuse(looked, WireError::question(Reason::NotFound, "gone")).await;
    assert_eq!(relay.hears().await, "closed b answered by somebody");
    connection.reply(id, Reply::Resolved(plain_end("a", None))).await;
    assert_eq!(relay.hears().await, "closed a answered by ada");
}

#[tokio::test]
async fn an_asking_terminal_hears_of_its_own_record_and_answers_with_its_secret() {
    let (mine, other) = (record("mine", 1), record("other", 2));
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let feed = Feed { only: Some("mine".into()), terminal_secret: Some("s3cret".into()), ..Feed::default() };
    let mut relay = Relay::start(&subject, feed);
    let mut connection = peer.accept().await;
    let (id, Call::Get { .. }) = connection.call().await else { panic!("not asked for mine") };
    connection.reply(id, Reply::Question(Arc::new(mine.clone()))).await;
    connection.event(opened(&other)).await;
    connection.event(closed(&other)).await;
    relay.hears_all(&["online", "last page [mine pending]"]).await;
    let mut command = command(&mine, "res_1");
    if let CommandAct::Resolve { actor, .. } = &mut command.act {
        actor.way = Way::AskingTerminal;
    }
    relay.commands(&command).await;
    let (_, Call::Resolve(params)) = connection.call().await else { panic!("no resolve") };
    assert_eq!(params.terminal_secret.as_ref().map(|secret| secret.expose()), Some("s3cret"));
    assert_eq!(params.actor, None);
    connection.event(closed(&mine)).await;
    assert_eq!(relay.hears().await, "closed mine answered by ada");
}

#[tokio::test]
async fn the_feed_ends_with_its_commands_its_listener_or_its_gateway() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (relay, _connection) = running(&peer, &subject, &[], true).await;
    let Relay { errands, notices, task } = relay;
    drop(errands);
    assert!(soon(task).await.unwrap().is_ok());
    drop(notices);

    let relay = Relay::start(&subject, Feed::default());
    drop(relay.notices);
    assert!(soon(relay.task).await.unwrap().is_ok());

    let relay = Relay::start(&subject, Feed::default());
    subject.driver.abort();
    assert!(matches!(soon(relay.task).await.unwrap(), Err(CallError::Ended(_))));
}

fn knock(user: &str) -> Knock {
    let account = Account { surface: "telegram".into(), name: "main".into() };
    Knock {
        place: Place { account, conversation: user.into() },
        identity: Identity { surface: "telegram".into(), user: user.into() },
        display_name: "Grace".to_owned(),
        invite: None,
    }
}

#[tokio::test]
async fn a_knock_is_answered_with_what_the_gateway_says() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[], true).await;
    let welcome = Welcome::In { person: "ann".into(), display_name: "Ann".to_owned() };
    relay.knocks(&knock("7")).await;
    relay.knocks(&knock("8")).await;
    let (first, Call::Pairings(PairingCall::Knock(asked))) = connection.call().await else {
        panic!("no knock")
    };
    assert_eq!(asked, knock("7"));
    let (second, _) = connection.call().await;
    // Answers may come in any order, and the gateway may have more to say later.
    connection.refuse(second, WireError::unavailable("nothing can be saved", None)).await;
    connection.reply(first, Reply::Knocked(Welcome::InviteRefused)).await;
    relay.hears_all(&["knocked 8: Closed", "knocked 7: InviteRefused"]).await;
    let Knock { place, identity, .. } = knock("7");
    connection.event(Event::Knocked { place, identity, welcome: welcome.clone() }).await;
    assert_eq!(relay.hears().await, format!("knocked 7: {welcome:?}"));
}

#[tokio::test]
async fn a_gateway_learns_where_its_notification_went() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[], true).await;
    let notification = Notification {
        number: 7,
        message: "The build is green.".to_owned(),
        origin: Default::default(),
        creator: None,
        places: Vec::new(),
    };
    connection.event(Event::Notify(notification)).await;
    assert_eq!(relay.hears().await, "notify 7: The build is green.");
    relay.errands.send(Errand::Notified { number: 7, places: 2 }).await.unwrap();
    let (id, Call::Notify(NotifyCall::Sent { number, places })) = connection.call().await else {
        panic!("not told where it went")
    };
    assert_eq!((number, places), (7, 2));
    connection.reply(id, Reply::Done).await;
}

#[tokio::test]
async fn without_a_gateway_that_lets_people_in_the_door_is_closed() {
    let peer = Peer::plain().await;
    let subject = peer.subject();
    let (mut relay, connection) = running(&peer, &subject, &[], false).await;
    relay.knocks(&knock("7")).await;
    assert_eq!(relay.hears().await, "knocked 7: Closed", "another gateway knows no knocks");
    drop((connection, peer));
    assert_eq!(relay.hears().await, "offline");
    relay.knocks(&knock("7")).await;
    assert_eq!(relay.hears().await, "knocked 7: Closed", "there is no connection");
}

#[tokio::test]
async fn a_knock_whose_answer_is_lost_is_answered_too() {
    let peer = Peer::wide().await;
    let subject = peer.subject();
    let (mut relay, mut connection) = running(&peer, &subject, &[], true).await;
    relay.knocks(&knock("7")).await;
    connection.call().await;
    drop((connection, peer));
    let mut heard = vec![relay.hears().await, relay.hears().await];
    heard.sort();
    assert_eq!(heard, ["knocked 7: Closed", "offline"]);
}
