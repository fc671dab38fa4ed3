//! The questions themselves: rows back into Records, people, tokens, relay facts and the trail. Changes nothing.

use askrelay_core::id::{GatewayId, RecordId};
use askrelay_core::record::Record;
use askrelay_core::relay::facts::{Fact as RelayFact, FactKind};
use askrelay_core::time::Time;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Row, ToSql, params};
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::Arc;

use super::select;
use crate::encode::{self, Body, Ended};
use crate::error::{ReadError, Trouble};
use crate::fact::{InviteRow, TokenHash, TokenRow};
use crate::page::{AuditPage, AuditQuery, Direction, Family, RecordPage, RecordQuery, page_limit};
use crate::port::Loaded;

/// Reads from one connection to one file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reads<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) path: &'a Path,
}

impl Reads<'_> {
    /// Everything the gateway needs at a start, row by row: no text is held longer than it takes to read it.
    pub(crate) fn load(&self) -> Result<Loaded, ReadError> {
        // One transaction, so that all tables are read as of one moment.
        let transaction = self.connection.unchecked_transaction().map_err(|error| self.trouble(error))?;
        let mut loaded = Loaded::default();
        self.each(select::PENDING, &[], |row| {
            loaded.pending.push(self.record(row)?);
            Ok(())
        })?;
        self.each(select::PEOPLE, &[], |row| {
            loaded.people.put(self.body("people", row)?);
            Ok(())
        })?;
        self.each(select::TOKENS, &[], |row| {
            let token: TokenRow = self.body("tokens", row)?;
            loaded.tokens.push(TokenRow { hash: TokenHash(self.get(row, 3)?), ..token });
            Ok(())
        })?;
        self.each(select::PAIRINGS, &[], |row| {
            loaded.pairings.push(self.body("pairings", row)?);
            Ok(())
        })?;
        self.each(select::INVITES, &[], |row| {
            let (invite, hash) = (self.body("invites", row)?, TokenHash(self.get(row, 3)?));
            loaded.invites.push(InviteRow { invite, hash });
            Ok(())
        })?;
        transaction.finish().map_err(|error| self.trouble(error))?;
        Ok(loaded)
    }

    /// Everything the relay remembers.
    pub(crate) fn load_relay(&self) -> Result<Vec<RelayFact>, ReadError> {
        let mut facts = Vec::new();
        self.each(select::RELAY, &[], |row| {
            facts.push(self.relay(row)?);
            Ok(())
        })?;
        Ok(facts)
    }

    /// The newest Record with this id.
    pub(crate) fn newest(
        &self,
        gateway: &GatewayId,
        id: &RecordId,
    ) -> Result<Option<Arc<Record>>, ReadError> {
        let mut newest = None;
        self.each(select::NEWEST, params![gateway.as_str(), id.as_str()], |row| {
            newest = Some(self.record(row)?);
            Ok(())
        })?;
        Ok(newest)
    }

    /// One page of Records.
    pub(crate) fn records(&self, query: &RecordQuery) -> Result<RecordPage, ReadError> {
        let limit = page_limit(query.limit);
        let rows = limit as i64;
        let sql = select::records(query);
        let mut page = RecordPage::default();
        let each = |row: &Row<'_>| {
            page.records.push(self.record(row)?);
            Ok(())
        };
        let after = query.after.as_ref().map(|key| (key.created_at.0, key.id.as_str(), key.gateway.as_str()));
        let family = query.family.as_ref().map(|Family { gateway, prefix }| {
            (gateway.as_str(), prefix.as_str(), format!("{prefix}{}", char::MAX))
        });
        let mut values: Vec<&dyn ToSql> = vec![&rows];
        if let Some((created_at, id, gateway)) = &after {
            values.extend([created_at as &dyn ToSql, id, gateway]);
        }
        if let Some((gateway, first, last)) = &family {
            values.extend([gateway as &dyn ToSql, first, last]);
        }
        self.each(&sql, &values, each)?;
        if page.records.len() == limit {
            page.next = page.records.last().map(|record| record.key.clone());
        }
        Ok(page)
    }

    /// One page of the trail.
    pub(crate) fn audit(&self, query: &AuditQuery) -> Result<AuditPage, ReadError> {
        let limit = page_limit(query.limit);
        let rows = limit as i64;
        let after = query.after.unwrap_or(match query.direction {
            Direction::OldestFirst => i64::MIN,
            Direction::NewestFirst => i64::MAX,
        });
        let mut values: Vec<&dyn ToSql> = vec![&rows, &after];
        let person = query.person.as_ref().map(|id| id.as_str());
        let record = query.record.as_ref().map(|(gateway, id)| (gateway.as_str(), id.as_str()));
        if let Some(person) = &person {
            values.push(person);
        }
        if let Some((gateway, id)) = &record {
            values.push(gateway);
            values.push(id);
        }
        let mut page = AuditPage::default();
        self.each(&select::audit(query), &values, |row| {
            page.entries.push((self.get(row, 3)?, self.body("audit", row)?));
            Ok(())
        })?;
        if page.entries.len() == limit {
            page.next = page.entries.last().map(|(number, _)| *number);
        }
        Ok(page)
    }

    /// A Record from a row of id, format, body, number and ending.
    fn record(&self, row: &Row<'_>) -> Result<Arc<Record>, ReadError> {
        let opened = self.body("records", row)?;
        let Some(ending) = self.maybe_text(row, 4)? else {
            return Ok(encode::record(opened, None));
        };
        let state = self.body_in("records", row, ending)?;
        let mut late = Vec::new();
        self.each(select::LATE, params![self.get::<i64>(row, 3)?], |row| {
            late.push(self.body("late", row)?);
            Ok(())
        })?;
        let collected = self.get::<Option<i64>>(row, 5)?.map(Time);
        Ok(encode::record(opened, Some(Ended { state, late, collected })))
    }

    /// A relay fact from a row of kind, key and body.
    fn relay(&self, row: &Row<'_>) -> Result<RelayFact, ReadError> {
        let kind = self.text(row, 0)?;
        let (key, body) = (self.get(row, 1)?, self.get(row, 2)?);
        let Some(kind) = FactKind::named(kind) else {
            let body = Body { table: "relay", key: kind, format: encode::FORMAT, text: "" };
            return Err(ReadError::Body(body.bad(self.path, None)));
        };
        Ok(RelayFact { kind, key, body: Some(body) })
    }

    /// What a row of key, format and body holds.
    fn body<T: DeserializeOwned>(&self, table: &'static str, row: &Row<'_>) -> Result<T, ReadError> {
        self.body_in(table, row, self.text(row, 2)?)
    }

    fn body_in<T: DeserializeOwned>(
        &self,
        table: &'static str,
        row: &Row<'_>,
        text: &str,
    ) -> Result<T, ReadError> {
        let body = Body { table, key: self.text(row, 0)?, format: self.get(row, 1)?, text };
        body.read(self.path).map_err(ReadError::Body)
    }

    fn get<T: FromSql>(&self, row: &Row<'_>, column: usize) -> Result<T, ReadError> {
        row.get(column).map_err(|error| self.trouble(error))
    }

    fn text<'row>(&self, row: &'row Row<'_>, column: usize) -> Result<&'row str, ReadError> {
        let value = row.get_ref(column).map_err(|error| self.trouble(error))?;
        value.as_str().map_err(|error| self.trouble(error.into()))
    }

    fn maybe_text<'row>(&self, row: &'row Row<'_>, column: usize) -> Result<Option<&'row str>, ReadError> {
        let value = row.get_ref(column).map_err(|error| self.trouble(error))?;
        value.as_str_or_null().map_err(|error| self.trouble(error.into()))
    }

    fn each(
        &self,
        sql: &str,
        values: &[&dyn ToSql],
        mut each: impl FnMut(&Row<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let trouble = |error| self.trouble(error);
        let mut statement = self.connection.prepare_cached(sql).map_err(trouble)?;
        let mut rows = statement.query(values).map_err(trouble)?;
        while let Some(row) = rows.next().map_err(trouble)? {
            each(row)?;
        }
        Ok(())
    }

    fn trouble(&self, error: rusqlite::Error) -> ReadError {
        ReadError::Trouble(Trouble::sqlite(self.path, error))
    }
}
