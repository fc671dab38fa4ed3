//! The one thread that owns both ends of the terminal, so that typing and printing have one order. It ends when its bell is
//! dropped and the work before that is done, or when nobody takes its Reports.

use std::io::{PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;

use askrelay_core::port::{FailureKind, Order, Report};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::sync::mpsc::{Receiver, Sender};

use crate::config::{Config, Seat};
use crate::decode::{Line, replied};
use crate::failed;
use crate::inbox::{Inbox, Positions, Typed};
use crate::limits::{QUEUE, READS_MAX};
use crate::outbox::{Carried, Outbox};

/// The thread's state.
pub(crate) struct Screen {
    seat: Seat,
    inbox: Inbox,
    outbox: Outbox,
    positions: Positions,
    works: Receiver<Order>,
    woken: PipeReader,
    reports: Sender<Report>,
    broken: bool,
}

/// Wakes the thread: once a ring, and for good when it is dropped.
pub(crate) struct Bell(PipeWriter);

/// Nobody takes Reports any more.
struct Deserted;

const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

impl Bell {
    pub(crate) const fn new(writer: PipeWriter) -> Self {
        Self(writer)
    }

    /// Tells the thread that there is work. Never blocks: at most a queue's worth of rings is unheard.
    pub(crate) fn ring(&mut self) {
        // Fails only when the thread has ended, which the work queue tells as well.
        let _ = self.0.write(&[0]);
    }
}

impl Screen {
    pub(crate) fn new(
        config: Config,
        works: Receiver<Order>,
        woken: PipeReader,
        reports: Sender<Report>,
    ) -> Self {
        let Config { seat, terminal, now } = config;
        Self {
            inbox: Inbox::new(terminal.input),
            outbox: Outbox::new(terminal.output, terminal.styled, terminal.columns, seat.place.clone()),
            seat,
            positions: Positions::new(now),
            works,
            woken,
            reports,
            broken: false,
        }
    }

    /// The thread's whole life.
    pub(crate) fn run(mut self) {
        // Deserted or done: either way this is the end.
        let _ = self.serve();
    }

    fn serve(&mut self) -> Result<(), Deserted> {
        self.file(Report::Online { account: self.seat.place.account.clone() })?;
        loop {
            let rung = self.wait();
            if self.is_typed() {
                self.read()?;
            }
            if rung {
                let heard = self.woken.read(&mut [0; QUEUE]);
                while let Ok(order) = self.works.try_recv() {
                    self.carry(order)?;
                }
                if !matches!(heard, Ok(1..)) {
                    return Ok(());
                }
            }
            if !self.inbox.is_closed() {
                let invited = self.outbox.invite();
                self.check(invited)?;
            }
        }
    }

    /// Waits for typing or work; tells whether it is work.
    fn wait(&self) -> bool {
        let bell = PollFd::from_borrowed_fd(self.woken.as_fd(), PollFlags::IN);
        let input = self.inbox.waiting().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        let mut both: Vec<PollFd<'_>> = std::iter::once(bell).chain(input).collect();
        // An interrupted poll leaves no events: the caller comes back.
        let _ = poll(&mut both, None);
        both.first().is_some_and(|bell| !bell.revents().is_empty())
    }

    fn is_typed(&self) -> bool {
        let Some(input) = self.inbox.waiting() else { return false };
        let mut input = [PollFd::from_borrowed_fd(input, PollFlags::IN)];
        poll(&mut input, Some(&AT_ONCE)).is_ok_and(|ready| ready > 0)
    }

    /// Files what was typed up to now.
    fn drain(&mut self) -> Result<(), Deserted> {
        for _ in 0..READS_MAX {
            if !self.is_typed() {
                break;
            }
            self.read()?;
        }
        Ok(())
    }

    fn read(&mut self) -> Result<(), Deserted> {
        let Typed::Lines(lines) = self.inbox.read() else {
            return self.go_offline("the terminal was closed");
        };
        for line in lines {
            self.outbox.line_ended();
            match line {
                Line::Whole(text) => {
                    let (position, at) = self.positions.next();
                    self.file(replied(text, position, at, &self.seat))?;
                }
                Line::Continued => {
                    let invited = self.outbox.invite_more();
                    self.check(invited)?;
                }
                Line::Dropped(why) => {
                    let said = self.outbox.say(why);
                    self.check(said)?;
                }
            }
        }
        Ok(())
    }

    /// Carries out one Order. What was typed before it, and while it was printed, is older than it.
    fn carry(&mut self, order: Order) -> Result<(), Deserted> {
        self.drain()?;
        let carried = self.outbox.carry(order, !self.inbox.is_closed());
        self.drain()?;
        match carried {
            Carried::Silent => Ok(()),
            Carried::Reported(report) => self.file(report),
            Carried::Printed(send, receipt) => {
                let (position, _) = self.positions.next();
                let report = Report::Shown { send: send.clone(), receipt, position: Some(position) };
                self.outbox.remember(&send, &report);
                self.file(report)
            }
            Carried::Broken(send, error) => {
                self.check(Err(error))?;
                let why = "the terminal takes no text";
                send.map_or(Ok(()), |send| self.file(failed(&send, FailureKind::Unreachable, why)))
            }
        }
    }

    /// A terminal that takes no text is offline, once.
    fn check(&mut self, written: std::io::Result<()>) -> Result<(), Deserted> {
        match written {
            Err(error) if !self.broken => {
                self.broken = true;
                self.go_offline(&format!("the terminal takes no text: {error}"))
            }
            _ => Ok(()),
        }
    }

    fn go_offline(&self, why: &str) -> Result<(), Deserted> {
        self.file(Report::Offline { account: self.seat.place.account.clone(), why: why.to_owned() })
    }

    fn file(&self, report: Report) -> Result<(), Deserted> {
        self.reports.blocking_send(report).map_err(|_| Deserted)
    }
}
