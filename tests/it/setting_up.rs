//! What the README tells people to put into their agents: every line of it must be one that this program understands. That the agents
//! understand them too is seen where the agents run, in `tests/slow/38-mcp`.

use askrelay::args::{Cli, Command};
use clap::Parser as _;
use serde_json::Value;

const README: &str = include_str!("../../README.md");

/// What stands below a heading.
fn section(heading: &str) -> &'static str {
    let (_, after) = README.split_once(&format!("\n## {heading}\n")).unwrap();
    after.split("\n## ").next().unwrap()
}

/// What stands in backticks and begins so.
fn told(section: &'static str, beginning: &str) -> Vec<&'static str> {
    section.split('`').skip(1).step_by(2).filter(|code| code.starts_with(beginning)).collect()
}

fn understood(words: &[&str]) -> Command {
    Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{words:?}: {error}")).command
}

/// The server's command line in a line that adds it.
fn added(line: &str) -> Vec<&str> {
    if let Some((_, server)) = line.split_once(" -- ") {
        return server.split(' ').collect();
    }
    let words: Vec<&str> = line.split(' ').collect();
    let given = words.windows(2).filter(|pair| ["--command", "--arg"].contains(&pair[0]));
    given.map(|pair| pair[1]).collect()
}

#[test]
fn what_adds_the_server_to_an_agent_starts_it() {
    let section = section("Ask from an MCP client");
    for agent in ["claude", "codex", "openclaw"] {
        let lines = told(section, &format!("{agent} mcp add askrelay "));
        assert_eq!(lines.len(), 1, "{agent}");
        let server = added(lines[0]);
        assert_eq!(server.first(), Some(&"askrelay"), "{agent}");
        assert!(matches!(understood(&server), Command::Mcp(_)), "{agent}");
    }
    let serve = told(section, "askrelay serve");
    assert!(!serve.is_empty());
    for line in serve {
        assert!(matches!(understood(&line.split(' ').collect::<Vec<_>>()), Command::Serve(_)), "{line}");
    }
}

#[test]
fn the_block_for_files_starts_it_too() {
    let section = section("Ask from an MCP client");
    let block = section.split("```json").nth(1).and_then(|after| after.split("```").next()).unwrap();
    let file: Value = serde_json::from_str(block).unwrap();
    let servers = file["mcpServers"].as_object().unwrap();
    assert_eq!(servers.keys().collect::<Vec<_>>(), ["askrelay"]);
    let server = &servers["askrelay"];
    let arguments = server["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap());
    let words: Vec<&str> = server["command"].as_str().into_iter().chain(arguments).collect();
    assert!(matches!(understood(&words), Command::Mcp(_)));
}

#[test]
fn what_sets_up_the_hook_prints_its_settings() {
    let section = section("Claude Code's own questions");
    let (_, line) = section.split_once("&& askrelay hook ").unwrap();
    let line = format!("askrelay hook {}", line.split(" > ").next().unwrap());
    assert!(matches!(understood(&line.split(' ').collect::<Vec<_>>()), Command::Hook(_)), "{line}");
}
