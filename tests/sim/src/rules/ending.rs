//! Rules about the end of a healed world: everything asked has ended, everything shown is retired, nothing is on its way, and
//! after a day nothing is remembered.

use askrelay_core::prompt::Control;
use askrelay_core::record::State;
use askrelay_core::relay::facts::FactKind;

use super::{Rules, Truth, Verdict, broken, text_of};
use crate::scene::GATEWAYS;
use crate::store::Store;
use crate::surface::Surface;

impl Rules {
    /// What must be true once nothing happens any more.
    pub(crate) fn finished(&self, surfaces: &[Surface], store: &Store) -> Verdict {
        self.rule_02_everything_ended()?;
        self.rule_06_everything_is_retired(surfaces)?;
        self.rule_07_what_reached_nobody_says_so()?;
        self.rule_13_every_delivery_is_confirmed()?;
        self.rule_13_nothing_is_on_its_way(store)
    }

    fn rule_02_everything_ended(&self) -> Verdict {
        let open = self.truths.iter().find(|(_, truth)| truth.state.is_pending() && !truth.forgotten);
        open.map_or(Ok(()), |(key, _)| broken(2, format!("{key} never ended")))
    }

    fn rule_06_everything_is_retired(&self, surfaces: &[Surface]) -> Verdict {
        for (place, id, message) in surfaces.iter().flat_map(Surface::messages) {
            let Some(prompt) = &message.prompt else { continue };
            let Some((key, known)) = self.copies.get(&(place.clone(), id.clone())) else { continue };
            // A copy whose Receipt was lost waits for a press; one that a conversation left behind cannot be changed.
            if message.gone || !known || self.moved.contains_key(&place) {
                continue;
            }
            let pressable =
                prompt.controls.iter().flatten().any(|control| !matches!(control, Control::Link { .. }));
            if !message.retired || pressable {
                return broken(6, format!("{key} is still live as {id} in {place}: {:?}", text_of(prompt)));
            }
        }
        Ok(())
    }

    fn rule_07_what_reached_nobody_says_so(&self) -> Verdict {
        for (key, truth) in self.truths.iter().filter(|(key, _)| key.gateway.as_str() == GATEWAYS[0]) {
            let ended_itself = matches!(&truth.state, State::Expired { .. });
            if ended_itself && hopeless(truth) {
                return broken(7, format!("{key} reached nobody and was left to expire"));
            }
        }
        Ok(())
    }

    fn rule_13_every_delivery_is_confirmed(&self) -> Verdict {
        let left = self.deliveries.iter().find(|(_, (came, confirmed))| came != confirmed);
        left.map_or(Ok(()), |((_, update), (came, confirmed))| {
            broken(13, format!("{update} came {came} times and was confirmed {confirmed} times"))
        })
    }

    fn rule_13_nothing_is_on_its_way(&self, store: &Store) -> Verdict {
        let kept = store.facts().find(|fact| !matches!(fact.kind, FactKind::Seen | FactKind::Moved));
        kept.map_or(Ok(()), |fact| {
            broken(13, format!("the {} {} is never settled: {:?}", fact.kind.name(), fact.key, fact.body))
        })
    }
}

/// Whether an Ask was meant for Places of which none can be reached.
fn hopeless(truth: &Truth) -> bool {
    let ask = &truth.record.ask;
    let reachable = |name: &String| !name.ends_with(":blocked") && !name.ends_with(":nowhere");
    let meant = ask.needs_surface || !ask.places.is_empty();
    meant && ask.origin.label.is_none() && !ask.places.iter().any(reachable)
}
