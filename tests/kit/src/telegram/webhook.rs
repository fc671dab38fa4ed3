//! Updates that the platform brings by itself: setting, telling and delivering. One at a time for each bot; what is not answered
//! with success comes again later, by the stand-in's clock.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use super::http::{self, Answer};
use super::params::Params;
use super::refusal::Refusal;
use super::state::{Call, Hook, Shared, World};

/// Longest secret, in characters.
const SECRET_MAX: usize = 256;
/// Longest wait between two tries, in seconds.
const RETRY_MAX_SECONDS: i64 = 60;
/// Longest wait that the other side may ask for, in seconds.
const RETRY_AFTER_MAX_SECONDS: i64 = 3600;

/// One update on its way.
#[derive(Debug)]
struct Delivery {
    bot: i64,
    hook: Hook,
    update: Value,
    /// When it began: the next try is so much later than this, so that time passed meanwhile counts.
    at: i64,
}

/// Brings updates until it is dropped.
pub(super) async fn bring(shared: Arc<Shared>) {
    let mut news = shared.news();
    let mut under_way = JoinSet::new();
    loop {
        while let Some(delivery) = shared.look(World::next_delivery) {
            let shared = Arc::clone(&shared);
            under_way.spawn(async move {
                let secret = delivery.hook.secret.as_deref();
                let header = secret.map(|secret| ("X-Telegram-Bot-Api-Secret-Token", secret));
                let body = delivery.update.to_string().into_bytes();
                let answer = http::post(&delivery.hook.url, "application/json", header, body).await;
                shared.change(|world| world.settle(&delivery, answer));
            });
        }
        tokio::select! {
            Some(_) = under_way.join_next() => {}
            changed = news.changed() => if changed.is_err() { return },
        }
    }
}

impl World {
    /// Sets or takes away a webhook.
    pub(super) fn set_hook(&mut self, bot: i64, params: &Params) -> Result<Value, Refusal> {
        let url = params.text("url").unwrap_or_default();
        if url.is_empty() {
            return Ok(self.delete_hook(bot, params));
        }
        let secret = params.text("secret_token").filter(|secret| !secret.is_empty());
        let length = secret.as_ref().map_or(0, String::len);
        if length > SECRET_MAX {
            return Err(Refusal::bad("secret token is too long"));
        }
        let is_sane = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if !secret.as_deref().unwrap_or_default().chars().all(is_sane) {
            return Err(Refusal::bad("secret token contains unallowed characters"));
        }
        // Plain HTTP is for a server of one's own, which speaks to its own machine.
        if !url.starts_with("https://") && !url.starts_with("http://127.0.0.1:") {
            return Err(Refusal::bad("bad webhook: An HTTPS URL must be provided for webhook"));
        }
        self.allow_updates(bot, params);
        let setting = self.next();
        let max_connections = params.bounded("max_connections", 40, 1, 100);
        let (failures, next_try_at) = (0, self.now);
        let state = self.bot(bot);
        if params.flag("drop_pending_updates") {
            state.updates.clear();
        }
        state.hook = Some(Hook {
            url,
            secret,
            max_connections,
            failures,
            next_try_at,
            last_error: None,
            setting,
            is_busy: false,
        });
        Ok(Value::Bool(true))
    }

    /// Takes a webhook away, if there is one.
    pub(super) fn delete_hook(&mut self, bot: i64, params: &Params) -> Value {
        let state = self.bot(bot);
        if params.flag("drop_pending_updates") {
            state.updates.clear();
        }
        state.hook = None;
        Value::Bool(true)
    }

    /// What the platform tells about a webhook.
    pub(super) fn hook_info(&mut self, bot: i64) -> Value {
        let state = self.bot(bot);
        let mut info = json!({ "url": "", "has_custom_certificate": false, "pending_update_count": state.updates.len() });
        let Some(fields) = info.as_object_mut() else { return info };
        if let Some(hook) = &state.hook {
            fields.insert("url".to_owned(), hook.url.clone().into());
            fields.insert("max_connections".to_owned(), hook.max_connections.into());
            if let Some((at, why)) = &hook.last_error {
                fields.insert("last_error_date".to_owned(), (*at).into());
                fields.insert("last_error_message".to_owned(), why.clone().into());
            }
        }
        if !state.allowed.is_empty() {
            fields.insert("allowed_updates".to_owned(), state.allowed.clone().into());
        }
        info
    }

    fn next_delivery(&mut self) -> Option<Delivery> {
        let now = self.now;
        if self.cut {
            return None;
        }
        self.bots.iter_mut().find_map(|(bot, state)| {
            let hook = state.hook.as_mut().filter(|hook| !hook.is_busy && hook.next_try_at <= now)?;
            state.updates.retain(|update| update.expires_at > now);
            let update = state
                .again
                .pop_front()
                .or_else(|| state.updates.front().map(|update| update.value.clone()))?;
            hook.is_busy = true;
            Some(Delivery { bot: *bot, hook: hook.clone(), update, at: now })
        })
    }

    fn settle(&mut self, delivery: &Delivery, answer: Result<Answer, String>) {
        let now = self.now;
        let state = self.bot(delivery.bot);
        let Some(hook) = state.hook.as_mut().filter(|hook| hook.setting == delivery.hook.setting) else {
            return;
        };
        hook.is_busy = false;
        let (why, retry_after) = match answer {
            Ok(answer) if answer.status.is_success() => {
                hook.failures = 0;
                let id = delivery.update.get("update_id").and_then(Value::as_i64);
                state.updates.retain(|update| Some(update.id) != id);
                state.delivered = Some(delivery.update.clone());
                self.carry_out_answer(delivery.bot, &answer);
                return;
            }
            Ok(answer) => (format!("Wrong response from the webhook: {}", answer.status), answer.retry_after),
            Err(why) => (why, None),
        };
        hook.failures += 1;
        let grown = RETRY_MAX_SECONDS.min(1 << hook.failures.min(6));
        hook.next_try_at =
            delivery.at + retry_after.map_or(grown, |seconds| seconds.clamp(1, RETRY_AFTER_MAX_SECONDS));
        hook.last_error = Some((now, why));
    }

    /// A webhook may call one method in its answer; what becomes of that nobody tells it.
    fn carry_out_answer(&mut self, bot: i64, answer: &Answer) {
        let Ok(mut fields) = serde_json::from_slice::<Map<String, Value>>(&answer.body) else { return };
        let Some(Value::String(method)) = fields.remove("method") else { return };
        let params = Params(fields);
        let result = self.carry_out(bot, &method.to_ascii_lowercase(), &params);
        let (status, answer) = match result {
            Ok(value) => (200, value),
            Err(refusal) => (refusal.code, refusal.body()),
        };
        let (body, at) = (Value::Object(params.0), self.now);
        self.calls.push(Call { bot, method, body, status: Some(status), answer, at });
    }
}
