//! What waits at a gateway after coming online, page by page, and how those ended that were shown before and wait no more.
//! Does not listen to what happens meanwhile: that is [`crate::feed`]'s to merge.

use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc;

use askrelay_core::answer::Answered;
use askrelay_core::id::{GatewayId, RecordId, RecordKey};
use askrelay_core::port::Notice;
use askrelay_core::record::{Record, State};
use askrelay_protocol::call::{Cursor, ListParams};
use askrelay_protocol::reply::{Ending, PlainEnd};

use crate::client::Client;
use crate::error::CallError;

/// What waits, by id.
pub(crate) type Open = HashMap<RecordId, Arc<Record>>;

/// Where Notices go, each with the name of its gateway.
pub(crate) type Notices = mpsc::Sender<(GatewayId, Notice)>;

/// Tells all pages to `notices` and gives back what waits. `before` is what was shown by then: of those that wait no more
/// the gateway is asked how they ended, and the ones it still knows are on the last page.
///
/// # Errors
/// The gateway refused, or the connection is gone for good. That nobody listens is no error here: the feed notices.
pub(crate) async fn read(
    client: Client,
    notices: Notices,
    before: Vec<RecordKey>,
) -> Result<Open, CallError> {
    let tell = |notice| tell(&client, &notices, notice);
    if client.caps().wide
        && let Ok(people) = client.people().await
    {
        tell(Notice::People(people)).await;
    }
    let mut open = Open::new();
    let mut after: Option<Cursor> = None;
    let mut last = loop {
        let page = client.list(ListParams { after: after.take(), ..ListParams::default() }).await?;
        open.extend(page.records.iter().map(|record| (record.key.id.clone(), Arc::clone(record))));
        match page.next {
            None => break page.records,
            next => after = next,
        }
        tell(Notice::Snapshot { records: page.records, last: false }).await;
    };
    for key in before {
        if open.get(&key.id).is_some_and(|record| record.key == key) {
            continue;
        }
        last.extend(ended(&client, &key).await?);
    }
    tell(Notice::Snapshot { records: last, last: true }).await;
    Ok(open)
}

/// How a Record stands that does not wait any more, where its gateway still knows it. One that does not tell with a Record which
/// resolution was its end is asked for that too: whose answer it is must be known before anybody is told.
///
/// # Errors
/// The gateway refused, or the connection is gone for good.
pub(crate) async fn ended(client: &Client, key: &RecordKey) -> Result<Option<Arc<Record>>, CallError> {
    let record = client.get(key.id.clone()).await?.filter(|record| record.key == *key);
    let Some(record) = record else { return Ok(None) };
    let State::Answered(answered) = &record.state else { return Ok(Some(record)) };
    if !answered.resolution.as_str().is_empty() {
        return Ok(Some(record));
    }
    let end = client.end_of(key.id.clone()).await?;
    let Some(Ending::Plain { end: PlainEnd::Answered { resolution: Some(resolution), .. }, .. }) = end else {
        return Ok(Some(record));
    };
    let answered = Answered { resolution, ..(**answered).clone() };
    Ok(Some(Arc::new(Record { state: State::Answered(Box::new(answered)), ..(*record).clone() })))
}

/// The same for one Record only.
///
/// # Errors
/// As [`read`].
pub(crate) async fn read_one(client: Client, notices: Notices, id: RecordId) -> Result<Open, CallError> {
    let record = client.get(id).await?;
    let open = record.iter().filter(|record| record.state.is_pending());
    let open = open.map(|record| (record.key.id.clone(), Arc::clone(record))).collect();
    tell(&client, &notices, Notice::Snapshot { records: record.into_iter().collect(), last: true }).await;
    Ok(open)
}

async fn tell(client: &Client, notices: &Notices, notice: Notice) {
    // Whoever stopped listening needs no more; the feed ends by itself.
    let _ = notices.send((client.gateway().clone(), notice)).await;
}
