//! Asking by the client's own form. The ask lies in the gateway all the same, so that there is one truth about it.

use askrelay_client::CallError;
use askrelay_core::id::RecordId;
use askrelay_core::record::WhyCancelled;
use askrelay_protocol::call::ResolveAct;
use rmcp::model::ElicitationAction;

use super::{Asking, Forms, Returned, Tried};
use crate::elicitation::{Content, Form, form, read};
use crate::form_of_client::{self, Given};
use crate::tool::End;
use crate::wanted::{How, Via};

/// What a form that was filled comes to.
enum Filled {
    Ended(Tried),
    /// A second form is wanted, for own words.
    More(Form),
}

impl Asking<'_> {
    /// Nothing when the question cannot be put into a form.
    pub(super) async fn by_form(&mut self, how: &mut How) -> Result<Option<Tried>, CallError> {
        let questions = &self.asked.wanted.params.questions;
        let Some(form) = form(questions, self.door.config.settings.human.multi_select) else {
            return Ok(None);
        };
        how.via = Via::Elicitation;
        match self.returned.take() {
            Some(returned) => self.filled_elsewhere(form, returned, how).await.map(Some),
            None => {
                let joined = self.put().await?;
                how.joined = joined.was_there;
                if self.forms == Forms::Result {
                    let state = self.sealed(&joined.id);
                    return Ok(Some(Tried::Form(Box::new(form), state)));
                }
                self.shown(form, &joined.id, how).await.map(Some)
            }
        }
    }

    /// A call made again with what its form came back with. One that came back without it is asked for it once more.
    async fn filled_elsewhere(
        &self,
        form: Form,
        returned: Returned,
        how: &mut How,
    ) -> Result<Tried, CallError> {
        let Some(id) = self.opened(&returned.state) else { return Ok(Tried::Forged) };
        how.joined = true;
        let Some(given) = returned.given else { return Ok(Tried::Form(Box::new(form), returned.state)) };
        match self.filled(&id, given).await? {
            Filled::Ended(tried) => Ok(tried),
            Filled::More(form) => Ok(Tried::Form(Box::new(form), returned.state)),
        }
    }

    /// Shows the form, and its second one where that is wanted, until the ask ends by it or elsewhere.
    async fn shown(&self, mut form: Form, id: &RecordId, how: &mut How) -> Result<Tried, CallError> {
        loop {
            let asked_at = self.door.around.now();
            let given = tokio::select! {
                given = form_of_client::asked(&form, &self.context.peer) => given,
                end = self.wait(id, None) => return end.map(Tried::End),
            };
            let elapsed = self.door.around.now().since(asked_at);
            let declined = matches!(given, Given::Answered { action: ElicitationAction::Decline, .. });
            if declined && elapsed < self.door.config.settings.human.auto_reject {
                how.auto_reject_suspected = true;
                self.cancel(id, WhyCancelled::Unavailable).await?;
                return Ok(Tried::Nobody(format!(
                    "The client turned its form down after {} ms, faster than a person: perhaps it is set to refuse forms by itself.",
                    elapsed.0
                )));
            }
            match self.filled(id, given).await? {
                Filled::Ended(tried) => return Ok(tried),
                Filled::More(more) => form = more,
            }
        }
    }

    async fn filled(&self, id: &RecordId, given: Given) -> Result<Filled, CallError> {
        let (action, content) = match given {
            Given::Failed(what) => {
                self.cancel(id, WhyCancelled::Unavailable).await?;
                return Ok(Filled::Ended(Tried::Nobody(format!("The client's form failed: {what}."))));
            }
            Given::Answered { action, content } => (action, content),
        };
        let why = match action {
            ElicitationAction::Accept => match read(&self.asked.wanted.params.questions, &content) {
                Ok(Content::OwnWords(form)) => return Ok(Filled::More(form)),
                Ok(Content::Answered(answers, notes)) => {
                    self.resolve(id, ResolveAct::Answer { answers, notes, words: None }).await?;
                    return self.stands(id).await.map(|end| Filled::Ended(Tried::End(end)));
                }
                Err(what) => {
                    self.cancel(id, WhyCancelled::Withdrawn).await?;
                    return Ok(Filled::Ended(Tried::End(End::Unreadable(what.to_string()))));
                }
            },
            ElicitationAction::Decline => WhyCancelled::Declined,
            _ => WhyCancelled::Withdrawn,
        };
        self.cancel(id, why).await?;
        self.stands(id).await.map(|end| Filled::Ended(Tried::End(end)))
    }
}
