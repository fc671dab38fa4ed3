//! The addresses that come with presses: words can be posted to each five times within half an hour.

use serde_json::{Value, json};

use super::params::Params;
use super::refusal::Refusal;
use super::send::Content;
use super::state::{Author, MessageState, World};

/// How often one can be used.
const USES_MAX: u32 = 5;
/// Seconds for which one is good.
const LIFE_SECONDS: i64 = 30 * 60;

#[derive(Clone, Debug)]
pub(super) struct ReplyUrl {
    app: String,
    person: String,
    channel: String,
    /// The message that was pressed.
    ts: String,
    at: i64,
    uses: u32,
}

impl World {
    pub(super) fn new_reply_url(&mut self, tap: u64, person: &str, channel: &str, ts: &str) -> String {
        let team = self.person(person).team.clone();
        let key = format!("{team}/{:0>24}", self.next());
        let app = self.taps.get(&tap).map(|tap| tap.app.clone()).unwrap_or_default();
        let reply = ReplyUrl {
            app,
            person: person.to_owned(),
            channel: channel.to_owned(),
            ts: ts.to_owned(),
            at: self.now,
            uses: 0,
        };
        let url = format!("http://{}/actions/{key}", self.address);
        self.replies.insert(key, reply);
        url
    }

    /// Something is posted to one of them.
    pub(super) fn reply(&mut self, key: &str, params: &Params) -> Result<Value, Refusal> {
        let now = self.now;
        let refuse = |error| Refusal::with_status(404, error);
        let reply = self.replies.get(key).cloned().ok_or_else(|| refuse("invalid_url"))?;
        if reply.at + LIFE_SECONDS < now {
            return Err(refuse("expired_url"));
        }
        if reply.uses >= USES_MAX {
            return Err(refuse("used_url"));
        }
        if params.flag("delete_original") == Some(true) {
            self.drop_original(&reply);
        } else {
            let content =
                Content::read(self, params).map_err(|refusal| Refusal { status: 400, ..refusal })?;
            self.answer_reply(&reply, content, params)?;
        }
        if let Some(reply) = self.replies.get_mut(key) {
            reply.uses += 1;
        }
        Ok(json!({}))
    }

    fn drop_original(&mut self, reply: &ReplyUrl) {
        let key = (reply.channel.clone(), reply.ts.clone());
        if self.person_mut(&reply.person).ephemerals.remove(&key).is_none() {
            self.delete_message(&reply.channel, &reply.ts);
        }
    }

    fn answer_reply(&mut self, reply: &ReplyUrl, content: Content, params: &Params) -> Result<(), Refusal> {
        let (text, blocks) = (content.text.unwrap_or_default(), content.blocks.unwrap_or_default());
        if params.flag("replace_original") == Some(true) {
            let key = (reply.channel.clone(), reply.ts.clone());
            if let Some(own) = self.person_mut(&reply.person).ephemerals.get_mut(&key) {
                (own.text, own.blocks) = (text, blocks);
                return Ok(());
            }
            let before = self.message(&reply.channel, &reply.ts).cloned();
            let before = before.ok_or_else(|| Refusal::with_status(404, "message_not_found"))?;
            if let Some(message) = self.channel_mut(&reply.channel).messages.get_mut(&reply.ts) {
                (message.text, message.blocks) = (text, blocks);
            }
            self.spread_change(&reply.channel, &reply.ts, &before);
            return Ok(());
        }
        let mut message = MessageState::new(Author::App(reply.app.clone()), text);
        message.blocks = blocks;
        message.thread = params.text("thread_ts");
        message.unfurls =
            ["unfurl_links", "unfurl_media"].iter().any(|name| params.flag(name) != Some(false));
        match params.text("response_type").as_deref() {
            Some("in_channel") => self.post(&reply.channel, message),
            _ => self.show_to(&reply.person, &reply.channel, message),
        };
        Ok(())
    }
}
