//! The writing end of the terminal: carries out Orders, remembers what it has shown. Reads nothing, and does not decide what
//! is shown.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};

use askrelay_core::id::{MessageId, Place, SendId};
use askrelay_core::port::{Failure, FailureKind, Order, Receipt, Report};
use askrelay_core::prompt::Prompt;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::termios::tcgetwinsize;

use crate::encode::{self, Look};
use crate::inbox::is_passing;
use crate::limits::{COLUMNS, COLUMNS_MIN, REMEMBERED};

/// The writing end.
pub(crate) struct Outbox {
    output: File,
    styled: bool,
    columns: Option<usize>,
    place: Place,
    /// Prompts on the screen that wait for a reply.
    live: BTreeSet<Receipt>,
    /// The Prompt printed last: nothing but notes and replies stands below it.
    newest: Option<(Receipt, Box<Prompt>)>,
    done: BTreeMap<SendId, Report>,
    done_in_order: VecDeque<SendId>,
    /// The cursor stands behind the sign that invites a reply.
    cue_open: bool,
}

/// What became of an Order.
pub(crate) enum Carried {
    /// Printed; its Report wants a position.
    Printed(SendId, Receipt),
    /// Its Report as it is.
    Reported(Report),
    /// Nothing to report.
    Silent,
    /// The output is broken.
    Broken(Option<SendId>, io::Error),
}

const CUE: &str = "> ";
const CUE_CONTINUED: &str = ". ";

impl Outbox {
    /// Over `output`; `columns` of `None` asks it.
    pub(crate) fn new(output: OwnedFd, styled: bool, columns: Option<usize>, place: Place) -> Self {
        Self {
            output: output.into(),
            styled,
            columns,
            place,
            live: BTreeSet::new(),
            newest: None,
            done: BTreeMap::new(),
            done_in_order: VecDeque::new(),
            cue_open: false,
        }
    }

    /// Carries out one Order. `readable` tells whether anybody can still reply.
    pub(crate) fn carry(&mut self, order: Order, readable: bool) -> Carried {
        if let Some(before) = crate::answered_by_report(&order).and_then(|send| self.done.get(send)) {
            return Carried::Reported(before.clone());
        }
        match order {
            Order::Show { send, place, .. } | Order::AskForText { send, place, .. }
                if place != self.place =>
            {
                refused(&send, FailureKind::Unreachable, "this is another terminal")
            }
            Order::Show { send, .. } | Order::AskForText { send, .. } if !readable => {
                refused(&send, FailureKind::Unreachable, "the terminal was closed")
            }
            Order::Edit { send, receipt, .. } | Order::Retire { send, receipt, .. }
                if !self.live.contains(&receipt) =>
            {
                refused(&send, FailureKind::MessageGone, "this terminal does not show it")
            }
            Order::Show { send, place, prompt } => {
                let receipt = Receipt { place, messages: vec![MessageId::from(send.as_str())] };
                self.live.insert(receipt.clone());
                self.print_prompt(send, receipt, prompt)
            }
            Order::Edit { send, receipt, prompt } => self.print_prompt(send, receipt, prompt),
            Order::Retire { send, receipt, prompt } => {
                self.live.remove(&receipt);
                self.print_prompt(send, receipt, prompt)
            }
            Order::AskForText { send, text, placeholder, receipt, .. } => {
                let hint = placeholder.map(|hint| format!(" ({hint})")).unwrap_or_default();
                let text = encode::note(&format!("{text}{hint}"), &self.look());
                self.print(Some((send, receipt)), &text)
            }
            Order::Say { text, .. } => {
                let text = encode::note(&text, &self.look());
                self.print(None, &text)
            }
            // No Report of a terminal owes an acknowledgement, so that nothing carries a toast; and a tty confirms no updates.
            Order::Toast { otherwise: Some(order), .. } => self.carry(*order, readable),
            Order::Acknowledge { .. } | Order::Toast { otherwise: None, .. } | Order::Saved { .. } => {
                Carried::Silent
            }
        }
    }

    /// Tells the person something about their own typing.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        let text = encode::note(text, &self.look());
        self.write(&text)
    }

    /// Invites a reply while a Prompt waits for one.
    pub(crate) fn invite(&mut self) -> io::Result<()> {
        if self.cue_open || self.live.is_empty() {
            return Ok(());
        }
        self.write(CUE)?;
        self.cue_open = true;
        Ok(())
    }

    /// Invites the next line of a reply.
    pub(crate) fn invite_more(&mut self) -> io::Result<()> {
        self.write(CUE_CONTINUED)?;
        self.cue_open = true;
        Ok(())
    }

    /// Somebody pressed Enter: the cursor is at the start of a line.
    pub(crate) const fn line_ended(&mut self) {
        self.cue_open = false;
    }

    /// Keeps the Report of an Order, to be given again if the Order is repeated.
    pub(crate) fn remember(&mut self, send: &SendId, report: &Report) {
        if self.done.insert(send.clone(), report.clone()).is_none() {
            self.done_in_order.push_back(send.clone());
        }
        if self.done_in_order.len() > REMEMBERED
            && let Some(oldest) = self.done_in_order.pop_front()
        {
            self.done.remove(&oldest);
        }
    }

    fn print_prompt(&mut self, send: SendId, receipt: Receipt, prompt: Box<Prompt>) -> Carried {
        let text = match &self.newest {
            Some((newest, above)) if *newest == receipt => encode::continued(above, &prompt, &self.look()),
            _ => encode::prompt(&prompt, &self.look()),
        };
        self.newest = Some((receipt.clone(), prompt));
        self.print(Some((send, receipt)), &text)
    }

    fn print(&mut self, handle: Option<(SendId, Receipt)>, text: &str) -> Carried {
        match (self.write(text), handle) {
            (Ok(()), Some((send, receipt))) => Carried::Printed(send, receipt),
            (Ok(()), None) => Carried::Silent,
            (Err(error), handle) => Carried::Broken(handle.map(|(send, _)| send), error),
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        if std::mem::take(&mut self.cue_open) {
            self.write_all(b"\n")?;
        }
        self.write_all(text.as_bytes())
    }

    fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.output.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                // Whoever shares the terminal may have made it non-blocking.
                Err(error) if is_passing(&error) => {
                    let room = PollFd::from_borrowed_fd(self.output.as_fd(), PollFlags::OUT);
                    // A failed poll only means that writing is tried at once.
                    let _ = poll(&mut [room], None);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn look(&self) -> Look {
        let told = || tcgetwinsize(&self.output).ok().map(|size| usize::from(size.ws_col));
        let columns = self.columns.or_else(told).filter(|columns| *columns > 0).unwrap_or(COLUMNS);
        Look { columns: columns.max(COLUMNS_MIN), styled: self.styled }
    }
}

fn refused(send: &SendId, kind: FailureKind, why: &str) -> Carried {
    Carried::Reported(Report::Failed { send: send.clone(), failure: Failure { kind, why: why.to_owned() } })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use askrelay_core::prompt::{Body, Piece, Style};

    use super::*;
    use crate::config::Seat;

    fn prompt(text: &str) -> Box<Prompt> {
        let piece = Piece { text: text.to_owned(), style: Style::Plain };
        Box::new(Prompt { messages: vec![Body(vec![piece])], controls: Vec::new() })
    }

    #[test]
    fn a_conversation_reads_well() {
        let (mut glass, output) = std::io::pipe().unwrap();
        let place = Seat::of_this_process("7f3a", String::new()).place;
        let mut outbox = Outbox::new(output.into(), false, Some(40), place.clone());
        let say =
            |text: &str| Order::Say { place: place.clone(), to: None, reply_to: None, text: text.to_owned() };
        let show = |send: &str, text: &str| Order::Show {
            send: send.into(),
            place: place.clone(),
            prompt: prompt(text),
        };

        outbox.carry(say("Nothing waits yet, so nobody is invited."), true);
        outbox.invite().unwrap();
        let Carried::Printed(_, colour) = outbox.carry(show("one", "Which?\n1. Red\n2. Blue"), true) else {
            panic!("it is printed")
        };
        outbox.invite().unwrap();
        outbox.invite().unwrap();
        outbox.carry(say("A note while the person thinks."), true);
        outbox.invite().unwrap();
        outbox.line_ended();
        outbox.carry(say("Only 1 and 2 here."), true);
        outbox.invite().unwrap();
        outbox.line_ended();
        outbox.invite_more().unwrap();
        outbox.line_ended();
        let edited = prompt("Which?\n1. Red\n2. Blue\n\nTwo minutes left.");
        outbox.carry(Order::Edit { send: "two".into(), receipt: colour.clone(), prompt: edited }, true);
        let Carried::Printed(_, size) = outbox.carry(show("three", "How large?"), true) else {
            panic!("it is printed")
        };
        // The question is repeated only where another one stands in between.
        for (send, receipt, ended) in
            [("four", size, "How large?\nAnswered: 7"), ("five", colour, "Which?\nAnswered: Red")]
        {
            outbox.carry(Order::Retire { send: send.into(), receipt, prompt: prompt(ended) }, true);
        }
        outbox.invite().unwrap();
        drop(outbox);

        let mut seen = String::new();
        glass.read_to_string(&mut seen).unwrap();
        insta::assert_snapshot!(seen);
    }

    #[test]
    fn only_the_newest_orders_are_remembered() {
        let place = Seat::of_this_process("7f3a", String::new()).place;
        let (_glass, output) = std::io::pipe().unwrap();
        let mut outbox = Outbox::new(output.into(), false, None, place.clone());
        let send = |number: usize| SendId::from(number.to_string());
        for number in 0..=REMEMBERED {
            let receipt = Receipt { place: place.clone(), messages: Vec::new() };
            let report = Report::Shown { send: send(number), receipt, position: None };
            outbox.remember(&send(number), &report);
        }
        assert_eq!(outbox.done.len(), REMEMBERED);
        assert!(!outbox.done.contains_key(&send(0)) && outbox.done.contains_key(&send(REMEMBERED)));
    }
}
