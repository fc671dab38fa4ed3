//! Brings events in over the gateway, and tells whether the platform is in reach. Takes a session up again where that is possible, so
//! that nothing is missed; what an event means is the decoder's business.

mod connection;
mod link;

use std::sync::Arc;
use std::time::Duration;

use askrelay_core::id::{Account, ConversationId};
use askrelay_core::port::Report;
use askrelay_core::reply::Bot;
use askrelay_core::time::Time;
use reqwest::Url;
use secrecy::SecretString;
use serde::Deserialize;
use tokio::sync::mpsc::Sender;
use tokio::time::Instant;

use crate::check::{Findings, Looking, READS_TEXTS};
use crate::client::Client;
use crate::config::{Policy, Roles};
use crate::decode::Me;
use crate::error::gateway_fault;
use crate::gateway::{Ended, Session, is_gateway};
use crate::limits::LIMITS;
use crate::shared::Shared;
use connection::Filing;
use link::{Fault, Link};

/// The incoming side of one Account.
pub(crate) struct Inbox {
    pub(crate) account: Account,
    pub(crate) client: Arc<Client>,
    pub(crate) token: SecretString,
    /// None where the REST interface says it.
    pub(crate) gateway_url: Option<Url>,
    pub(crate) roles: Roles,
    /// Conversations that are looked at at the start.
    pub(crate) places: Vec<ConversationId>,
    pub(crate) policy: Policy,
    pub(crate) shared: Arc<Shared>,
    pub(crate) reports: Sender<Report>,
    pub(crate) now: fn() -> Time,
}

/// Nobody takes Reports any more.
pub(crate) struct Gone;

/// What a connection needs from the one before.
struct State {
    me: Me,
    session: Option<Session>,
    reads_texts: bool,
    filing: Filing,
}

#[derive(Deserialize)]
struct Gateway {
    url: String,
    session_start_limit: Option<StartLimit>,
}

#[derive(Deserialize)]
struct StartLimit {
    remaining: u64,
    reset_after: u64,
}

impl Inbox {
    /// Runs until nobody takes Reports.
    pub(crate) async fn run(self) -> Result<(), Gone> {
        let mut link = Link::new(self.account.clone(), self.policy);
        let (me, reads_texts) = self.meet(&mut link).await?;
        let stays = self.stay(me.clone(), reads_texts, link);
        tokio::pin!(stays);
        tokio::select! {
            gone = &mut stays => gone,
            () = self.look(&me) => stays.await,
        }
    }

    /// Once the bot is online, tells what it lacks in the configured conversations. Nobody waits for it.
    async fn look(&self, me: &Me) {
        self.shared.until_online().await;
        let mut looking = Looking::new(&self.client, me, self.policy.looks);
        for conversation in &self.places {
            if let Some(finding) = looking.at(conversation).await {
                tracing::warn!(account = %self.account, "{finding}");
            }
        }
    }

    /// Keeps a connection for as long as Reports are taken.
    async fn stay(&self, me: Me, reads_texts: bool, mut link: Link) -> Result<(), Gone> {
        let filing = Filing::new(self.reports.clone());
        let mut state = State { me, session: None, reads_texts, filing };
        loop {
            let url = match self.address(&state).await {
                Ok(url) => url,
                Err(fault) => {
                    link.failed(&mut state.filing, &fault).await?;
                    continue;
                }
            };
            let fault = match self.connect(&url, &mut state, &mut link).await? {
                Ok(ended) => self.ended(ended, &mut state, &mut link).await?,
                Err(fault) => {
                    // Where it was to be taken up may be what is out of reach.
                    if let Some(session) = &mut state.session {
                        session.url = None;
                    }
                    Some(fault)
                }
            };
            if let Some(fault) = fault {
                link.failed(&mut state.filing, &fault).await?;
            }
        }
    }

    /// Learns who the bot is, and whether its application may read what people write.
    async fn meet(&self, link: &mut Link) -> Result<(Me, bool), Gone> {
        let mut filing = Filing::new(self.reports.clone());
        let (me, flags) = loop {
            match self.client.me().await {
                Ok(met) => break met,
                Err(error) => link.failed(&mut filing, &Fault::from(error)).await?,
            }
        };
        let reads_texts = flags & READS_TEXTS != 0;
        tracing::info!(account = %self.account, handle = %me.handle, reads_texts, "this is the bot");
        if let Some(finding) = Findings::of_flags(flags) {
            tracing::warn!(account = %self.account, "{finding}");
        }
        self.shared.meet(&me);
        let (handle, id) = (Some(me.handle.clone()), Some(me.id.to_string()));
        let bot = Bot { handle, id, prefix: LIMITS.command_prefix };
        filing.file(Report::Named { account: self.account.clone(), bot }).await?;
        Ok((me, reads_texts))
    }

    /// Where to connect to: where the configuration says, else where the session says, else where the REST interface says. No host is
    /// known here. Before a session begins, the REST interface is asked in any case: it says whether another may begin today, and a bot
    /// that begins too many loses its token.
    async fn address(&self, state: &State) -> Result<Url, Fault> {
        if let Some(session) = &state.session {
            let there = session.url.as_ref().filter(|url| self.is_safe(url));
            if let Some(url) = self.gateway_url.as_ref().or(there) {
                return Ok(url.clone());
            }
        }
        let answer = match (self.client.get("gateway/bot").await, &self.gateway_url) {
            (Ok(answer), _) => answer,
            // Whoever puts a gateway of their own before the platform's may have no such answer.
            (Err(_), Some(url)) => return Ok(url.clone()),
            (Err(error), None) => return Err(error.into()),
        };
        let gateway: Gateway =
            serde_json::from_value(answer).map_err(|_| Fault::new(gateway_fault::NO_ADDRESS))?;
        if let Some(limit) = gateway.session_start_limit.filter(|limit| limit.remaining == 0)
            && state.session.is_none()
        {
            return Err(Fault::after(
                "the bot connected too often today: something starts askrelay, or another program with this bot, again and again",
                Duration::from_millis(limit.reset_after),
            ));
        }
        if let Some(url) = &self.gateway_url {
            return Ok(url.clone());
        }
        let url = Url::parse(&gateway.url).ok().filter(|url| is_gateway(url) && self.is_safe(url));
        url.ok_or_else(|| Fault::new(gateway_fault::NO_ADDRESS))
    }

    /// The token goes over no plain connection that somebody else named, where the REST interface has a safe one.
    fn is_safe(&self, url: &Url) -> bool {
        url.scheme() == "wss" || !self.client.is_safe()
    }

    /// What the end of a connection changes, and what there is to tell of it.
    async fn ended(&self, ended: Ended, state: &mut State, link: &mut Link) -> Result<Option<Fault>, Gone> {
        match ended {
            Ended::Resume => {}
            Ended::Anew => {
                state.session = None;
                link.pause_before_identify(&mut state.filing).await?;
            }
            Ended::NoTexts if state.reads_texts => {
                tracing::warn!(account = %self.account, "{}", Findings::NO_TEXTS);
                (state.session, state.reads_texts) = (None, false);
            }
            Ended::NoTexts => {
                return Ok(Some(Fault::lasting(gateway_fault::INTENTS)));
            }
            Ended::Refused(why) => {
                state.session = None;
                return Ok(Some(Fault::lasting(why)));
            }
        }
        link.lost(&mut state.filing, Instant::now()).await?;
        Ok(None)
    }
}
