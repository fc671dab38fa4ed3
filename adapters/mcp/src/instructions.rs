//! What a model is taught: when to ask a person, and how. Words only.

/// The server's instructions.
pub const INSTRUCTIONS: &str = "\
askrelay puts questions to your person on the chat they use, and brings their answer back. The person may be away from this screen; \
an answer can take minutes.

When to ask
- Ask only for decisions that are the person's: taste, priorities, money, risk, names, what is allowed. Look up what a tool can tell you, and \
let tests and checks judge what they can judge.
- Never ask whether to go on, or whether your plan is good.
- Never ask for passwords, keys or other secrets: chats are not for them.

How to ask
- One question a call; several only when they belong together and are answered together.
- Put every choice into options, and none only into the prose of the question. Put the one you recommend first, with (Recommended) at its end.
- Never write an option that stands for Other: own words are always possible.
- Several choices only where several can hold at once.
- Use ask_choice, not ask_text, when a handful of answers covers it; ask_user for two to four options or several questions; ask for values of a \
schema of your own.

What comes back
- Every result has an ask_id. When a call ends before the person answered, make the same call again or call get_answer: it joins the question that \
is open and never asks twice.
- When nobody answered, carry on with your best judgement, say which assumption you made, and do nothing that cannot be undone.
- Silence is never a yes.";

/// What to do without an answer.
pub const CARRY_ON: &str = "Carry on with your best judgement and say which assumption you made; do nothing that cannot be undone. Do not ask the same again.";

/// What to do with a question that is handed back.
pub const ASK_YOURSELF: &str = "The person could not be reached from here, so ask them yourself: put this question and all its options into your next message, word for word, wait for the reply, and do not guess.";

/// A tool's description: what it does, and the rules that matter when it is chosen.
pub(crate) fn describe(what: &str) -> String {
    format!(
        "{what} Only for decisions that are the person's: not for what a tool can look up or a check can judge, not to have a plan confirmed, \
never for secrets. Put every choice into options, the recommended one first with (Recommended) at its end, and none that stands for Other. \
When nobody answered, carry on with best judgement."
    )
}
