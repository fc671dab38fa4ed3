//! Plays a script and writes it down again with what the relay really did. Knows the format of the file, not the events.

use crate::world::World;

/// The script with the relay's own effects under each event.
pub(crate) fn play(written: &str) -> String {
    let mut played = String::new();
    let mut world = World::new();
    for line in written.lines() {
        if line.starts_with(' ') {
            continue;
        }
        played.push_str(line.trim_end());
        played.push('\n');
        if line.starts_with('#') {
            world = World::new();
        } else if !line.trim().is_empty() {
            for effect in world.run(line) {
                played.push_str("  ");
                played.push_str(&effect);
                played.push('\n');
            }
        }
    }
    played
}

/// The first line that differs: its number, as written and as played.
pub(crate) fn difference(written: &str, played: &str) -> Option<(usize, String, String)> {
    let count = written.lines().count().max(played.lines().count());
    let line =
        |text: &str, index: usize| text.lines().nth(index).unwrap_or("(nothing)").trim_end().to_owned();
    (0..count)
        .map(|index| (index + 1, line(written, index), line(played, index)))
        .find(|(_, expected, got)| expected != got)
}
