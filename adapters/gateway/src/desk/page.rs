//! Pages of Records for callers that list ended ones too. Read from the store, so that what is shown is what is saved, and
//! filtered here by what the caller may see.

use std::sync::Arc;

use askrelay_core::id::RecordKey;
use askrelay_core::record::Record;
use askrelay_protocol::call::Cursor;
use askrelay_protocol::reply::Reply;
use askrelay_store::{Direction, Family, ReadError, RecordPage, RecordQuery, StateFilter};

use super::lookup::Read;
use super::{Desk, ReplyTo, Seat};

/// Pages of the store looked through for one page of a caller who may see few of its Records.
const ROUNDS: usize = 8;

/// Which Records a caller wants.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// Only those whose ids begin so.
    pub(crate) id_prefix: Option<String>,
    pub(crate) filter: StateFilter,
    pub(crate) direction: Direction,
    /// Behind this one, in that direction.
    pub(crate) after: Option<Cursor>,
    /// At most so many; fewer do not mean that there are no more, the cursor says that.
    pub(crate) limit: usize,
}

/// A page under way.
#[derive(Debug)]
pub(super) struct Paging {
    seat: Arc<Seat>,
    page: Page,
    to: ReplyTo,
    found: Vec<Arc<Record>>,
    rounds: usize,
}

impl Desk {
    pub(super) fn page(&mut self, seat: Arc<Seat>, page: Page, to: ReplyTo) {
        self.turn(Paging { seat, page, to, found: Vec::new(), rounds: 0 });
    }

    /// Reads on.
    fn turn(&mut self, paging: Paging) {
        let query = RecordQuery {
            filter: paging.page.filter,
            family: paging
                .page
                .id_prefix
                .as_ref()
                .map(|prefix| Family { gateway: self.config.gateway.clone(), prefix: prefix.clone() }),
            direction: paging.page.direction,
            after: paging.page.after.as_ref().map(|cursor| RecordKey {
                gateway: self.config.gateway.clone(),
                id: cursor.id.clone(),
                created_at: cursor.created_at,
            }),
            limit: paging.page.limit,
        };
        let ticket = self.store.records(query);
        self.reads.push(Box::pin(async move { Read::Page(Box::new(paging), ticket.await) }));
    }

    /// One page of the store has come.
    pub(super) fn turned(&mut self, mut paging: Paging, read: Result<RecordPage, ReadError>) {
        let RecordPage { records, next } = match self.found(read) {
            Ok(page) => page,
            Err(error) => return self.respond(paging.to, Err(error)),
        };
        let room = paging.page.limit - paging.found.len();
        let caller = &paging.seat.caller;
        let mut visible = records.into_iter().filter(|record| caller.may_see(record, &self.people));
        paging.found.extend(visible.by_ref().take(room));
        let more = visible.next().is_some();
        paging.rounds += 1;
        let reached = paging.found.last().filter(|_| more).map(|record| &record.key);
        let next =
            reached.or(next.as_ref()).map(|key| Cursor { created_at: key.created_at, id: key.id.clone() });
        let is_full = paging.found.len() >= paging.page.limit || paging.rounds >= ROUNDS;
        if is_full || next.is_none() {
            self.respond(paging.to, Ok(Reply::Questions { records: paging.found, next }));
        } else {
            paging.page.after = next;
            self.turn(paging);
        }
    }
}
