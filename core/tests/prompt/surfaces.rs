//! Limits modelled on real platforms, for goldens and properties. The adapters own the real numbers; these only resemble them.

use askrelay_core::limits::{ControlLimits, FormLimits, InputLimits, Limits, MenuLimits, Unit};

/// Every surface of the goldens, by name.
pub(crate) fn all() -> Vec<(&'static str, Limits)> {
    vec![
        ("telegram-like", telegram()),
        ("discord-like", discord()),
        ("slack-like", slack()),
        ("mattermost-like", mattermost()),
        ("matrix-like", matrix()),
        ("irc-like", irc()),
        ("terminal-like", terminal()),
        ("sms-like", sms()),
    ]
}

/// Buttons only, code points, pages.
pub(crate) fn telegram() -> Limits {
    Limits {
        unit: Unit::CodePoints,
        message: 4096,
        messages: 4,
        line: None,
        controls: Some(ControlLimits {
            buttons: 40,
            row: 8,
            rows: 40,
            label: 40,
            choices: 10,
            form: None,
            menu: None,
            input: InputLimits::ForcedReply { placeholder: 64 },
            link: Some(2048),
        }),
        edits: true,
        private_notes: false,
        command_prefix: '/',
        shared: false,
        hears_all: true,
    }
}

/// Five rows of five buttons, menus of 25.
pub(crate) fn discord() -> Limits {
    let menu = MenuLimits { entries: 25, label: 100, description: 100, several: true, held: false };
    Limits {
        unit: Unit::CodePoints,
        message: 2000,
        messages: 4,
        line: None,
        controls: Some(ControlLimits {
            buttons: 25,
            row: 5,
            rows: 5,
            label: 80,
            choices: 25,
            form: None,
            menu: Some(menu),
            input: modal(45, 100, 4000),
            link: Some(512),
        }),
        edits: true,
        private_notes: true,
        command_prefix: '/',
        shared: true,
        hears_all: false,
    }
}

/// Many rows, menus of 100.
pub(crate) fn slack() -> Limits {
    let menu = MenuLimits { entries: 100, label: 75, description: 75, several: true, held: true };
    Limits {
        unit: Unit::CodePoints,
        message: 3000,
        messages: 4,
        line: None,
        controls: Some(ControlLimits {
            buttons: 25,
            row: 25,
            rows: 20,
            label: 75,
            choices: 4,
            form: Some(FormLimits { fields: 20, label: 75, menus: true }),
            menu: Some(menu),
            input: modal(24, 150, 3000),
            link: Some(3000),
        }),
        edits: true,
        private_notes: true,
        command_prefix: '!',
        shared: true,
        hears_all: true,
    }
}

/// Buttons and single menus, no link buttons.
pub(crate) fn mattermost() -> Limits {
    let menu = MenuLimits { entries: 100, label: 100, description: 0, several: false, held: false };
    Limits {
        unit: Unit::CodePoints,
        message: 16_383,
        messages: 1,
        line: None,
        controls: Some(ControlLimits {
            buttons: 30,
            row: 5,
            rows: 30,
            label: 60,
            choices: 10,
            form: None,
            menu: Some(menu),
            input: modal(24, 150, 3000),
            link: None,
        }),
        edits: true,
        private_notes: true,
        command_prefix: '!',
        shared: true,
        hears_all: true,
    }
}

/// Long text that can be edited, no controls.
pub(crate) fn matrix() -> Limits {
    Limits {
        message: 30_000,
        messages: 2,
        edits: true,
        command_prefix: '!',
        shared: true,
        hears_all: true,
        ..text(Unit::Bytes)
    }
}

/// Lines of 400 bytes.
pub(crate) fn irc() -> Limits {
    Limits {
        message: 4000,
        messages: 5,
        line: Some(400),
        command_prefix: '!',
        shared: true,
        hears_all: true,
        ..text(Unit::Bytes)
    }
}

/// Eighty columns.
pub(crate) fn terminal() -> Limits {
    Limits { message: 200_000, messages: 1, line: Some(80), ..text(Unit::Columns) }
}

/// A few short messages.
pub(crate) fn sms() -> Limits {
    Limits { message: 160, messages: 6, ..text(Unit::Utf16) }
}

fn text(unit: Unit) -> Limits {
    Limits {
        unit,
        message: 1000,
        messages: 1,
        line: None,
        controls: None,
        edits: false,
        private_notes: false,
        command_prefix: '/',
        shared: false,
        hears_all: true,
    }
}

fn modal(title: usize, placeholder: usize, value: usize) -> InputLimits {
    let form = FormLimits { fields: 5, label: 45, menus: false };
    InputLimits::Modal { title, placeholder, value, form }
}
