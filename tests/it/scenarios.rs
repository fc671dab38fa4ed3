//! Faults that people met elsewhere, each as a test named after its number, driven from the command line over the chat and back.
//! Those that are about reading alone are rows; the rest are stories. The last test checks that no number is forgotten.

mod discord;
mod people;
mod slack;
mod stories;
mod typed;

/// Every scenario there is. Numbers that are missing were never given.
const ALL: [&str; 54] = [
    "b01", "b02", "b04", "b05", "b07", "b08", "b10", "b11", "b13", "b14", "b16", "b17", "b19", "b20", "b22",
    "b23", "b25", "b26", "b28", "b29", "b31", "b32", "b34", "b35", "b37", "b38", "b40", "b41", "b43", "b44",
    "b46", "b47", "b49", "b50", "b52", "b53", "b55", "b56", "b58", "b59", "b61", "b62", "b64", "b65", "b67",
    "b68", "b70", "b71", "b73", "b74", "b76", "b77", "b79", "b80",
];

/// What comes with the platform or the asker it is about, and where it is kept until then.
const ELSEWHERE: [(&str, &str); 6] = [
    ("b25", "Mattermost's action ids"),
    ("b38", "Mattermost's unsigned callbacks"),
    ("b67", "MCP's time limits"),
    ("b68", "MCP's progress"),
    ("b70", "MCP's cancellation"),
    ("b71", "MCP's retries"),
];

#[test]
fn no_number_is_forgotten() {
    let source = concat!(
        include_str!("scenarios/discord.rs"),
        include_str!("scenarios/people.rs"),
        include_str!("scenarios/slack.rs"),
        include_str!("scenarios/stories.rs"),
        include_str!("scenarios/typed.rs")
    );
    let is_test =
        |id: &&str| ["fn ", "_", "    "].iter().any(|before| source.contains(&format!("{before}{id}_")));
    let (here, missing): (Vec<&str>, Vec<&str>) = ALL.iter().partition(|id| is_test(id));
    let elsewhere: Vec<&str> = ELSEWHERE.iter().map(|(id, _)| *id).collect();
    assert_eq!(missing, elsewhere, "neither tested nor named as another platform's");
    assert_eq!(here.len() + elsewhere.len(), ALL.len());
}
