//! Asking by the one-time page of this machine, where neither a chat nor the client's form reaches a person.

use askrelay_client::CallError;
use askrelay_core::record::WhyCancelled;
use askrelay_protocol::call::ResolveAct;

use super::{Asking, Tried, in_words};
use crate::form::{FormEnd, FormSettings, open};
use crate::tool::End;
use crate::wanted::{How, Via};

impl Asking<'_> {
    pub(super) async fn by_page(&mut self, how: &mut How) -> Result<Tried, CallError> {
        let human = &self.door.config.settings.human;
        let settings =
            FormSettings { host: human.http_host.clone(), port: human.http_port, ..FormSettings::default() };
        let questions = self.asked.wanted.params.questions.clone();
        let mut page = match open(questions, &settings, self.door.around.chance()).await {
            Ok(page) => page,
            Err(error) => return Ok(Tried::End(End::Failed(in_words(&error)))),
        };
        how.via = Via::Form;
        how.form_url = Some(page.url.clone());
        let joined = self.put().await?;
        how.joined = joined.was_there;
        self.door.around.page(&page.url, human.http_open);
        let url = page.url.clone();
        self.log.warn(self.context, format!("A question waits at {url}")).await;
        let ended = tokio::select! {
            ended = page.ended() => ended,
            end = self.wait(&joined.id, Some(&url)) => return end.map(Tried::End),
        };
        match ended {
            FormEnd::Submitted(answers, notes) => {
                self.resolve(&joined.id, ResolveAct::Answer { answers, notes, words: None }).await?;
            }
            FormEnd::Declined => self.cancel(&joined.id, WhyCancelled::Declined).await?,
            FormEnd::Closed => self.cancel(&joined.id, WhyCancelled::Withdrawn).await?,
        }
        self.stands(&joined.id).await.map(Tried::End)
    }
}
