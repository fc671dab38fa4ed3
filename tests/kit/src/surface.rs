//! The contract of every Surface, as named cases run against a stand-in of its platform. The cases know ports only; what a
//! particular platform can do more is tested in its own crate.

use std::future::Future;
use std::time::Duration;

use askrelay_core::id::{Identity, Place, SendId};
use askrelay_core::port::{Acknowledgement, Act, Field, Order, Receipt, Reply, Report};
use askrelay_core::prompt::{Body, Control, Look, Piece, Prompt, Style};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;

pub mod cases;
pub mod fake;
pub mod pressing;

/// A running surface and the platform that it believes to speak to.
pub trait Platform: Sized + Send + 'static {
    /// What was shown can be changed, by the surface's own Limits; otherwise a new text comes below the old one.
    const EDITS: bool = true;

    /// Starts the surface with these ends of its queues. Everything else it needs is the stand-in's business.
    fn start(
        orders: Receiver<Order>,
        reports: Sender<Report>,
    ) -> impl Future<Output = (Self, JoinHandle<()>)> + Send;

    /// A conversation in which the person and the bot can write.
    fn place(&self) -> Place;

    /// The person in it.
    fn person(&self) -> Identity;

    /// Everything the person can read in the conversation now, the newest last. Styling may be left out, nothing else.
    fn seen(&mut self) -> impl Future<Output = String> + Send;

    /// The person writes this.
    fn write(&mut self, text: &str) -> impl Future<Output = ()> + Send;

    /// Delivers the newest update once more; `false` where the platform cannot.
    fn repeat(&mut self) -> impl Future<Output = bool> + Send;

    /// Cuts the connection.
    fn cut(&mut self) -> impl Future<Output = ()> + Send;

    /// Lets the surface connect again; `false` where it never does.
    fn mend(&mut self) -> impl Future<Output = bool> + Send;

    /// The labels of the controls that can be pressed now; `None` where a platform has no controls.
    fn controls(&mut self) -> impl Future<Output = Option<Vec<String>>> + Send;

    /// The person presses the control with this token on the newest message of the bot, whether or not it still stands there, as
    /// one does who sees an old screen; `false` where there are no controls.
    fn press(&mut self, token: &str) -> impl Future<Output = bool> + Send;

    /// Waits until a press, counted from 0, is acknowledged: every acknowledgement that it got, with the words that the person
    /// saw. Asked only where there are controls.
    fn acknowledged(&mut self, press: usize) -> impl Future<Output = Vec<Option<String>>> + Send;

    /// The person sends the input that their newest press opened, with these words; `false` where nothing opens inputs.
    fn submit(&mut self, text: &str) -> impl Future<Output = bool> + Send;

    /// Texts that would act on this platform if a Prompt's text became markup, each with what must then not be seen.
    fn hostile(&self) -> Vec<(&'static str, &'static str)>;
}

/// One case's surface with the test's ends of its queues.
pub struct Stage<P> {
    /// The platform.
    pub platform: P,
    orders: Option<Sender<Order>>,
    reports: Receiver<Report>,
    task: JoinHandle<()>,
}

/// Longest wait for what must come; only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(30);

impl<P: Platform> Stage<P> {
    /// Starts a surface with queues of this length.
    pub async fn open(queue: usize) -> Self {
        let (orders, surface_orders) = channel(queue);
        let (surface_reports, reports) = channel(queue);
        let (platform, task) = P::start(surface_orders, surface_reports).await;
        Self { platform, orders: Some(orders), reports, task }
    }

    /// Starts a surface and takes the Report that it is online.
    pub async fn online() -> Self {
        let mut stage = Self::open(16).await;
        let account = stage.platform.place().account;
        assert_eq!(stage.report().await, Report::Online { account }, "the first report");
        stage
    }

    /// Gives an Order.
    pub async fn order(&self, order: Order) {
        let orders = self.orders.as_ref().expect("orders were ended");
        let sent = tokio::time::timeout(PATIENCE, orders.send(order)).await.expect("an order is taken");
        sent.expect("the surface runs while orders may come");
    }

    /// A sender of Orders beside the stage's own.
    #[must_use]
    pub fn orders(&self) -> Sender<Order> {
        self.orders.clone().expect("orders were ended")
    }

    /// The next Report.
    pub async fn report(&mut self) -> Report {
        loop {
            let report = tokio::time::timeout(PATIENCE, self.reports.recv()).await.expect("a report comes");
            match report.expect("the surface runs while reports are owed") {
                // What a bot is called changes nothing else.
                Report::Named { .. } => {}
                report => return report,
            }
        }
    }

    /// Orders a Prompt to be shown and waits until it is.
    pub async fn show(&mut self, send: &str, text: &str) -> (Receipt, Option<i64>) {
        self.order(show(send, self.platform.place(), text)).await;
        self.shown(send).await
    }

    /// The next Report, which tells that this Order took effect.
    pub async fn shown(&mut self, expected: &str) -> (Receipt, Option<i64>) {
        match self.report().await {
            Report::Shown { send, receipt, position } if send == SendId::from(expected) => {
                (receipt, position)
            }
            other => panic!("expected '{expected}' to be shown, got {other:?}"),
        }
    }

    /// The next Report, which tells what a person did.
    pub async fn reply(&mut self) -> Reply {
        match self.report().await {
            Report::Replied(reply) => *reply,
            other => panic!("expected a reply, got {other:?}"),
        }
    }

    /// Nothing more was reported than what the case took: whatever was still owed would come before this.
    pub async fn nothing_more(&mut self) {
        self.show("fence", "Nothing more?").await;
    }

    /// Ends the Orders; everything reported from then on, once the surface has ended.
    pub async fn end(mut self) -> (P, Vec<Report>) {
        self.orders = None;
        let mut rest = Vec::new();
        while let Some(report) =
            tokio::time::timeout(PATIENCE, self.reports.recv()).await.expect("the surface ends")
        {
            if !matches!(report, Report::Named { .. }) {
                rest.push(report);
            }
        }
        let ended = tokio::time::timeout(PATIENCE, self.task).await.expect("the surface ends");
        ended.expect("the surface does not panic");
        (self.platform, rest)
    }
}

/// A Prompt of one plain message.
#[must_use]
pub fn prompt(text: &str) -> Box<Prompt> {
    prompt_of(&[text])
}

/// A Prompt of several plain messages.
#[must_use]
pub fn prompt_of(texts: &[&str]) -> Box<Prompt> {
    let body = |text: &&str| Body(vec![Piece { text: (*text).to_owned(), style: Style::Plain }]);
    Box::new(Prompt { messages: texts.iter().map(body).collect(), controls: Vec::new() })
}

/// A Prompt of one plain message with one button of this token below it.
#[must_use]
pub fn pressable(text: &str, token: &str) -> Box<Prompt> {
    let button = Control::button("Red", token, Look::Plain);
    Box::new(Prompt { controls: vec![vec![button]], ..*prompt(text) })
}

/// A form with one input; the words come back under this token.
#[must_use]
pub fn input(token: &str, title: &str, placeholder: &str) -> Acknowledgement {
    let field = Control::Input {
        label: title.to_owned(),
        token: token.to_owned(),
        placeholder: Some(placeholder.to_owned()),
        value: None,
        required: true,
    };
    Acknowledgement::Form { token: token.to_owned(), title: title.to_owned(), fields: vec![field] }
}

/// What such a form brings.
#[must_use]
pub fn words(token: &str, text: &str) -> Act {
    let field = Field { token: token.to_owned(), values: vec![text.to_owned()] };
    Act::Form { token: token.to_owned(), fields: vec![field] }
}

/// An Order to show a Prompt of one plain message.
#[must_use]
pub fn show(send: &str, place: Place, text: &str) -> Order {
    Order::Show { send: send.into(), place, prompt: prompt(text) }
}

/// Makes one test of every case. Needs tokio's `macros` and `rt` where it is used.
#[macro_export]
macro_rules! surface_contract {
    ($platform:ty) => {
        $crate::surface_contract! { @ $platform, pressing:
            controls_are_shown_until_the_prompt_is_retired,
            press_says_what_who_and_where,
            press_is_acknowledged_once,
            repeated_press_is_acknowledged_once,
            toast_is_seen,
            later_takes_the_toast_that_follows,
            later_alone_is_still_acknowledged,
            toast_that_comes_too_late_does_what_it_says,
            toast_of_the_unknown_does_what_it_says,
            press_after_retirement_is_reported,
            input_brings_its_token_and_exact_words,
        }
        $crate::surface_contract! { @ $platform, cases:
            comes_online_first,
            show_is_answered_once,
            repeated_show_is_seen_once,
            every_show_has_its_own_receipt,
            all_messages_of_a_prompt_are_seen,
            show_elsewhere_fails,
            edit_shows_the_new_text,
            shorter_edit_keeps_what_stands_before,
            retire_shows_the_outcome,
            repeated_retire_is_seen_once,
            edit_of_the_unknown_fails,
            retire_of_the_unknown_fails,
            acknowledging_the_unknown_is_harmless,
            say_is_seen_and_not_answered,
            saved_is_not_answered,
            asking_for_text_is_shown,
            text_says_who_and_where,
            text_keeps_its_exact_words,
            updates_have_their_own_ids,
            repeated_update_keeps_its_id,
            older_text_has_a_smaller_position,
            hostile_text_is_harmless,
            orders_before_the_end_are_carried_out,
            ends_when_nobody_takes_reports,
            full_queues_do_not_deadlock,
            cut_connection_is_told,
        }
    };
    (@ $platform:ty, $part:ident: $($case:ident,)+) => {$(
        #[tokio::test]
        async fn $case() {
            $crate::surface::$part::$case::<$platform>().await;
        }
    )+};
}
