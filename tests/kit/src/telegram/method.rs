//! What the methods do, once a call has passed the faults: names without regard to case, the answer or the refusal.

use serde_json::{Value, json};

use super::access::Access;
use super::check::{self, Markup};
use super::params::Params;
use super::refusal::Refusal;
use super::state::{Author, ChatKey, Kind, MessageState, Role, Toast, World};
use super::update::PRESS_LIFE_SECONDS;

/// Longest answer to a press, in characters.
const TOAST_MAX: usize = 200;
/// Seconds after which a message can no longer be deleted.
const DELETE_LIFE_SECONDS: i64 = 48 * 3600;

impl World {
    /// Carries out one call. The method's name is in small letters.
    pub(super) fn carry_out(&mut self, bot: i64, method: &str, params: &Params) -> Result<Value, Refusal> {
        match method {
            "getme" => Ok(self.me(bot)),
            "sendmessage" => self.send(bot, params),
            "editmessagetext" => self.edit(bot, params, true),
            "editmessagereplymarkup" => self.edit(bot, params, false),
            "deletemessage" => self.delete(bot, params),
            "answercallbackquery" => self.answer_tap(bot, params),
            "setmycommands" => self.set_commands(bot, params),
            "getmycommands" => Ok(self.bot(bot).commands.clone()),
            "getchat" => self.get_chat(bot, params),
            "getchatmember" => self.get_member(bot, params),
            "setwebhook" => self.set_hook(bot, params),
            "deletewebhook" => Ok(self.delete_hook(bot, params)),
            "getwebhookinfo" => Ok(self.hook_info(bot)),
            _ => Err(Refusal::new(404, "Not Found: method not found".to_owned())),
        }
    }

    fn me(&self, bot: i64) -> Value {
        let mut me = self.user_value(bot);
        if let (Some(fields), Some(state)) = (me.as_object_mut(), self.bots.get(&bot)) {
            fields.insert("can_join_groups".to_owned(), true.into());
            fields.insert("can_read_all_group_messages".to_owned(), (!state.private).into());
            for name in ["supports_inline_queries", "can_connect_to_business", "has_main_web_app"] {
                fields.insert(name.to_owned(), false.into());
            }
        }
        me
    }

    fn send(&mut self, bot: i64, params: &Params) -> Result<Value, Refusal> {
        let text = params.text("text").unwrap_or_default();
        let entities = words(params, &text, "message is too long")?;
        let key = self.reach(bot, params, Access::Write)?;
        let only_inline = self.chat(key).kind == Kind::Channel;
        let Markup { keyboard, force_reply } = check::markup(params.structure("reply_markup"), only_inline)?;
        let topic = self.topic(key, params)?;
        let reply_to = self.replied(key, params)?;
        let topic = topic.or_else(|| self.chat(key).messages.get(&reply_to?)?.topic);
        self.pace.admit(bot, key, self.now)?;
        let author = if only_inline { Author::Channel } else { Author::Bot(bot) };
        let mut message = MessageState::new(author, self.now, Some(text));
        message.entities = entities;
        message.keyboard = keyboard;
        message.force_reply = force_reply;
        message.reply_to = reply_to;
        message.topic = topic;
        let id = self.post(key, message);
        self.chat_mut(key).last_bot = Some(bot);
        Ok(self.message(key, id))
    }

    /// The message that a new one replies to.
    fn replied(&self, key: ChatKey, params: &Params) -> Result<Option<i64>, Refusal> {
        let wrong = |()| Refusal::bad("can't parse reply parameters JSON object");
        let Some(parameters) = params.structure("reply_parameters").map_err(wrong)? else { return Ok(None) };
        let id = parameters.get("message_id").and_then(Value::as_i64).filter(|id| *id > 0);
        let id = id.ok_or_else(|| Refusal::bad("message to be replied not found"))?;
        let elsewhere = parameters.get("chat_id").and_then(Value::as_i64).is_some_and(|chat| chat != key.id);
        let found = if elsewhere {
            Err(Refusal::bad("message to be replied not found"))
        } else {
            self.existing(key, id, "message to be replied")
        };
        match found {
            Ok(_) => Ok(Some(id)),
            Err(_) if parameters.get("allow_sending_without_reply") == Some(&Value::Bool(true)) => Ok(None),
            Err(refusal) => Err(refusal),
        }
    }

    fn edit(&mut self, bot: i64, params: &Params, with_text: bool) -> Result<Value, Refusal> {
        let text = params.text("text").unwrap_or_default();
        let entities = if with_text { words(params, &text, "MESSAGE_TOO_LONG")? } else { Vec::new() };
        let Some(id) = params.integer("message_id") else {
            return Err(Refusal::bad("message identifier is not specified"));
        };
        let Markup { keyboard, .. } = check::markup(params.structure("reply_markup"), true)?;
        let key = self.reach(bot, params, Access::Edit)?;
        let message = self.existing(key, id, "message to edit")?;
        let is_own = message.author == Author::Bot(bot)
            || message.author == Author::Channel && self.chat(key).members.get(&bot) == Some(&Role::Admin);
        if !is_own || message.force_reply.is_some() || self.chat(key).moved_to.is_some() {
            return Err(Refusal::bad("message can't be edited"));
        }
        let same_text = !with_text || message.words.as_deref() == Some(&text) && message.entities == entities;
        if same_text && message.keyboard == keyboard {
            return Err(Refusal::bad(
                "message is not modified: specified new message content and reply markup are exactly the same as a \
                 current content and reply markup of the message",
            ));
        }
        self.pace.admit(bot, key, self.now)?;
        let now = self.now;
        if let Some(message) = self.chat_mut(key).messages.get_mut(&id) {
            if with_text {
                message.words = Some(text);
                message.entities = entities;
            }
            // An inline keyboard that is left out is gone.
            message.keyboard = keyboard;
            message.edited = Some(now);
        }
        Ok(self.message(key, id))
    }

    fn delete(&mut self, bot: i64, params: &Params) -> Result<Value, Refusal> {
        let key = self.reach(bot, params, Access::Edit)?;
        let id = params.integer("message_id").unwrap_or_default();
        let message = self.existing(key, id, "message to delete")?;
        let may = message.author == Author::Bot(bot)
            || key.bot == bot
            || self.chat(key).members.get(&bot) == Some(&Role::Admin);
        if !may || message.date + DELETE_LIFE_SECONDS < self.now {
            return Err(Refusal::bad("message can't be deleted"));
        }
        if let Some(message) = self.chat_mut(key).messages.get_mut(&id) {
            message.deleted = true;
        }
        Ok(Value::Bool(true))
    }

    fn answer_tap(&mut self, bot: i64, params: &Params) -> Result<Value, Refusal> {
        let text = params.text("text").filter(|text| !text.is_empty());
        if text.as_ref().is_some_and(|text| text.chars().count() > TOAST_MAX) {
            return Err(Refusal::bad("MESSAGE_TOO_LONG"));
        }
        let id = params.text("callback_query_id").unwrap_or_default();
        let now = self.now;
        let tap = self
            .taps
            .get_mut(&id)
            .filter(|tap| tap.bot == bot && tap.answer.is_none() && tap.at + PRESS_LIFE_SECONDS >= now);
        let Some(tap) = tap else {
            let words = "query is too old and response timeout expired or query ID is invalid";
            return Err(Refusal::bad(words));
        };
        let toast = Toast { text, alert: params.flag("show_alert") };
        tap.answer = Some(toast.clone());
        if let Some(person) = tap.person.filter(|_| toast.text.is_some()) {
            self.person(person).toasts.push(toast);
        }
        Ok(Value::Bool(true))
    }

    fn set_commands(&mut self, bot: i64, params: &Params) -> Result<Value, Refusal> {
        let commands = params.structure("commands").ok().flatten();
        let Some(list) = commands.as_ref().and_then(Value::as_array) else {
            return Err(Refusal::bad("can't parse commands list JSON object"));
        };
        if list.len() > 100 {
            return Err(Refusal::bad("BOT_COMMANDS_TOO_MUCH"));
        }
        for command in list {
            let field = |name| command.get(name).and_then(Value::as_str).unwrap_or_default();
            let (name, description) = (field("command"), field("description"));
            let is_sane = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            if !(1..=32).contains(&name.len()) || !name.chars().all(is_sane) {
                return Err(Refusal::bad("BOT_COMMAND_INVALID"));
            }
            if !(1..=256).contains(&description.chars().count()) {
                return Err(Refusal::bad("BOT_COMMAND_DESCRIPTION_INVALID"));
            }
        }
        self.bot(bot).commands = commands.unwrap_or_default();
        Ok(Value::Bool(true))
    }

    fn get_chat(&self, bot: i64, params: &Params) -> Result<Value, Refusal> {
        let key = self.reach(bot, params, Access::Read)?;
        let mut chat = self.chat_value(key);
        if let Some(fields) = chat.as_object_mut() {
            fields.insert("accent_color_id".to_owned(), 0.into());
            fields.insert("max_reaction_count".to_owned(), 11.into());
            let gifts = ["unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription"];
            let mut accepted: serde_json::Map<_, _> =
                gifts.map(|gift| (gift.to_owned(), true.into())).into_iter().collect();
            accepted.insert("gifts_from_channels".to_owned(), true.into());
            fields.insert("accepted_gift_types".to_owned(), Value::Object(accepted));
        }
        Ok(chat)
    }

    fn get_member(&self, bot: i64, params: &Params) -> Result<Value, Refusal> {
        let key = self.reach(bot, params, Access::Read)?;
        let user = params.integer("user_id").ok_or_else(|| Refusal::bad("invalid user_id specified"))?;
        if !self.people.contains_key(&user) && !self.bots.contains_key(&user) {
            return Err(Refusal::bad("user not found"));
        }
        let role = match self.chat(key).kind {
            Kind::Private if user == key.id || user == key.bot => Role::Member,
            _ => self.chat(key).members.get(&user).copied().unwrap_or(Role::Left),
        };
        Ok(self.member_value(user, role))
    }

    /// Somebody's place in a chat.
    pub(super) fn member_value(&self, user: i64, role: Role) -> Value {
        let user = self.user_value(user);
        match role {
            Role::Member => json!({ "status": "member", "user": user }),
            Role::Left => json!({ "status": "left", "user": user }),
            Role::Kicked => json!({ "status": "kicked", "user": user, "until_date": 0 }),
            Role::Admin => {
                let mut member = json!({ "status": "administrator", "user": user, "can_be_edited": false });
                let rights = [
                    "is_anonymous",
                    "can_manage_chat",
                    "can_delete_messages",
                    "can_manage_video_chats",
                    "can_restrict_members",
                    "can_promote_members",
                    "can_change_info",
                    "can_invite_users",
                    "can_post_stories",
                    "can_edit_stories",
                    "can_delete_stories",
                    "can_send_welcome_messages",
                ];
                if let Some(fields) = member.as_object_mut() {
                    fields
                        .extend(rights.map(|right| (right.to_owned(), Value::Bool(right != "is_anonymous"))));
                }
                member
            }
        }
    }
}

/// Text and entities of a message, judged. Markup in the text is not read: this house sends entities only.
fn words(params: &Params, text: &str, too_long: &str) -> Result<Vec<Value>, Refusal> {
    if params.text("parse_mode").is_some_and(|mode| !mode.is_empty()) {
        return Err(Refusal::bad("unsupported parse_mode"));
    }
    check::text(text, too_long)?;
    check::entities(text, params.structure("entities").ok().flatten())
}
