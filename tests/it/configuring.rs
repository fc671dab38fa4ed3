//! The configuration as the commands see it: the data directory's own file counts, also for `config check`.

use crate::program::Program;

#[test]
fn the_data_directorys_file_is_checked_without_being_named() {
    let program = Program::new();
    let data = program.home().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::write(data.join("config.toml"), "default_wait = \"2h\"\nretention_weeks = 3\n").unwrap();
    let output = program.run(&["config", "check"]);
    let why = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{why}");
    assert!(why.contains("config.toml") && why.contains("retention_weeks") && why.contains(":2"), "{why}");
}

#[test]
fn commands_that_only_look_make_no_data_directory() {
    let program = Program::new();
    for arguments in [&["status"][..], &["status", "--json"], &["config", "check"]] {
        let output = program.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        assert!(!program.home().join("data").exists(), "{arguments:?}");
    }
}
