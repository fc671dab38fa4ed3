//! What a model is taught: when to ask a person, and how. Words only.

use askrelay_core::id::RecordId;

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
- Use ask_choice, not ask_text, when a handful of answers covers it; ask_multi_select where several can hold; ask_confirm for yes or no; ask_user \
for two to four options or several questions; ask for values of a schema of your own.
- notify tells and waits for nothing; cancel_ask takes back what is no longer needed.

What comes back
- Every result has an ask_id. When a call ends before the person answered, make the same call again or call get_answer: it joins the question that \
is open and never asks twice.
- When nobody answered, carry on with your best judgement, say which assumption you made, and do nothing that cannot be undone.
- Silence is never a yes.";

/// What to do without an answer.
pub const CARRY_ON: &str = "Carry on with your best judgement and say which assumption you made; do nothing that cannot be undone. Do not ask the same again.";

/// What to do with a question that is handed back.
pub const ASK_YOURSELF: &str = "The person could not be reached from here, so ask them yourself: put this question and all its options into your next message, word for word, wait for the reply, and do not guess.";

/// What to do with an answer.
pub const USE_IT: &str = "Go on with this answer. Do not ask this again.";

/// What to do with an answer beside which the person wrote something.
pub const READ_IT: &str = "Read the person's own words together with what was chosen. Where they ask something back or limit what may be done, see to that first; a choice is then no permission. Where they decide clearly, go by them and do not ask again.";

/// What to do with a default that stands in for an answer.
pub(crate) const STAND_IN: &str =
    "Nobody answered. Go on with the default, and say that it was nobody's decision.";

/// How a call that failed for want of an answer is made not to fail.
pub(crate) const NOT_FAIL: &str = "This call fails without an answer, as whenUnanswered fail says. To go on without one, call it with \"whenUnanswered\": \"default\" and a \"default\" that keeps the schema.";

/// What to do with a call that cannot be understood.
pub const MEND: &str = "Mend the arguments and call again.";

/// What to do while a question is open.
pub(crate) fn join(id: &RecordId) -> String {
    format!(
        "Make the same call again to go on waiting, or call get_answer with ask_id {id} later. Do not ask anew: that would ask the person twice."
    )
}

/// The rules that matter when any of the asking tools is chosen.
const WHEN: &str = "Only for a decision that is the person's: not for what a tool can look up or a check can judge, not whether to go on or whether your plan is good, and never for passwords, keys or other credentials. When nobody answered, carry on with your best judgement and say so.";

/// The rules of options.
const OPTIONS: &str = "Put every choice into options and none only into the words of the question; the one you recommend comes first, with (Recommended) at its end. Never write an option that stands for Other.";

/// The description of a tool that asks.
pub(crate) fn describe(what: &str) -> String {
    format!("{what} {WHEN}")
}

/// The description of a tool that asks with options.
pub(crate) fn describe_options(what: &str) -> String {
    format!("{what} {OPTIONS} {WHEN}")
}

/// The server's instructions to a helper of another agent, which is offered nothing that reaches a person.
pub const FOR_HELPERS: &str = "\
askrelay puts questions to a person. You are a helper of another agent, so that you ask nobody here: hand what must be decided to the agent \
that called you, which asks. You can look at what was asked (list_asks, get_answer) and at how the person can be reached (human_input_status).";

/// The server's instructions, for whom it speaks to.
#[must_use]
pub const fn instructions(subagent: bool) -> &'static str {
    if subagent { FOR_HELPERS } else { INSTRUCTIONS }
}

#[cfg(test)]
mod tests {
    //! What a model is taught, rule by rule.

    use super::*;
    use crate::tool::{Settings, tools};

    /// The rules that hold whenever a person is asked, each with the words that teach it.
    const RULES: [(&str, &str); 12] = [
        ("only what is the person's to decide", "Ask only for decisions that are the person's"),
        ("one question a call", "One question a call; several only when they belong together"),
        ("the recommended option first", "Put the one you recommend first, with (Recommended) at its end"),
        ("every choice in options", "Put every choice into options, and none only into the prose"),
        (
            "several choices only when several may apply",
            "Several choices only where several can hold at once",
        ),
        ("no authored Other", "Never write an option that stands for Other"),
        ("never whether to proceed", "Never ask whether to go on, or whether your plan is good"),
        ("a choice rather than text", "Use ask_choice, not ask_text, when a handful of answers covers it"),
        ("not what a tool can look up", "Look up what a tool can tell you"),
        ("not what a gate can judge", "let tests and checks judge what they can judge"),
        ("no credentials", "Never ask for passwords, keys or other secrets"),
        ("carry on", "When nobody answered, carry on with your best judgement"),
    ];

    #[test]
    fn the_instructions_teach_every_rule() {
        for (rule, words) in RULES {
            assert!(INSTRUCTIONS.contains(words), "{rule}");
        }
        for tool in tools(&Settings::default()) {
            let looks_only = tool.hints.read_only && !tool.hints.open_world;
            assert!(looks_only || INSTRUCTIONS.contains(tool.name), "{} is nowhere", tool.name);
        }
    }

    #[test]
    fn every_asking_tool_teaches_when_to_ask() {
        let asking = ["ask_user", "ask_choice", "ask_multi_select", "ask_confirm", "ask_text", "ask"];
        for tool in tools(&Settings::default()).into_iter().filter(|tool| asking.contains(&tool.name)) {
            assert!(tool.description.ends_with(WHEN), "{}", tool.name);
            let has_options = tool.input["properties"].to_string().contains("\"options\"");
            assert_eq!(tool.description.contains(OPTIONS), has_options, "{}", tool.name);
        }
    }

    #[test]
    fn helpers_are_told_to_hand_on() {
        assert_eq!(instructions(false), INSTRUCTIONS);
        assert!(instructions(true).contains("you ask nobody here"));
        for tool in tools(&Settings { subagent: true, ..Settings::default() }) {
            assert!(FOR_HELPERS.contains(tool.name), "{}", tool.name);
        }
    }
}
