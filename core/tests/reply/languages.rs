//! Rows for every word list of every language, and that no list goes without a row.

use super::rows::{check, rows};

macro_rules! languages {
    ($($name:ident)+) => {$(
        #[test]
        fn $name() {
            let table = include_str!(concat!("words/", stringify!($name), ".txt"));
            let words = include_str!(concat!("../../src/reply/words/", stringify!($name), ".txt"));
            every_list_has_a_row(words, table);
            check(table);
        }
    )+};
}

languages! { en es fr de pt it nl ru zh ja ko ar hi tr signs }

/// Each row is named after the list that it tries.
fn every_list_has_a_row(words: &str, table: &str) {
    let tried: Vec<&str> = rows(table).iter().map(|row| row.name).collect();
    let lists = words.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
    for (list, _) in lists {
        let list = list.split(' ').next().unwrap_or_default();
        assert!(tried.contains(&list), "no row for the list '{list}'");
    }
}
