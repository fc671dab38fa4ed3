//! Why a text sent by HTTP did not become an answer, in words for whoever sent it. The reading itself is the core's.

use askrelay_core::reply::Reason;

/// Why a text did not decide, for whoever sent it.
pub(super) const fn why(reason: Reason) -> &'static str {
    match reason {
        Reason::Empty => "there is nothing in the text",
        Reason::Conflict => "the text says two different things",
        Reason::OutOfRange => "the text names a number that is not in the list",
        Reason::TooMany => "the text names several options where one is allowed",
        Reason::MissingQuestion => "the text leaves questions open",
        Reason::Ambiguous => "the text does not decide between the options",
        Reason::UnknownOption => "the text names none of the options",
        Reason::Constraint => "the text breaks the question's constraint",
    }
}
