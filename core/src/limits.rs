//! What a Surface can show, in that platform's own units. Only numbers and yes/no; the numbers of each platform, with their
//! sources, are in its adapter's `limits.rs`.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The unit a platform counts text in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Unicode code points.
    CodePoints,
    /// UTF-16 code units.
    Utf16,
    /// UTF-8 bytes.
    Bytes,
    /// Grapheme clusters.
    Graphemes,
    /// Columns of a character terminal.
    Columns,
}

/// What one Surface can show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The unit of every text limit here, unless said otherwise.
    pub unit: Unit,
    /// Most units of one message.
    pub message: usize,
    /// Most messages one Prompt may consist of, the one with the controls included.
    pub messages: usize,
    /// Most units of one line, where the platform sends lines (IRC).
    pub line: Option<usize>,
    /// Native controls, where the platform has them.
    pub controls: Option<ControlLimits>,
    /// A shown Prompt can be edited later.
    pub edits: bool,
    /// A note that only one person in the Place sees is possible.
    pub private_notes: bool,
    /// How typed commands start there: `/` or `!`.
    pub command_prefix: char,
    /// Several people can read the Place.
    pub shared: bool,
    /// Everything written in a shared Place is heard, not only what addresses the bot.
    pub hears_all: bool,
}

/// What native controls a platform has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlLimits {
    /// Most buttons under one message.
    pub buttons: usize,
    /// Most buttons in one row.
    pub row: usize,
    /// Most rows; a menu fills one.
    pub rows: usize,
    /// Most units of a button's label.
    pub label: usize,
    /// Most choices that stand as buttons on one page; more go into a menu, where there is one that carries them.
    pub choices: usize,
    /// A select menu, where there is one.
    pub menu: Option<MenuLimits>,
    /// A Prompt can be a form: a field for every Question, whose contents come with the press of a button.
    pub form: Option<FormLimits>,
    /// How own words are asked for.
    pub input: InputLimits,
    /// Most units of an address that a button can open; none where buttons open no links.
    pub link: Option<usize>,
}

/// A select menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MenuLimits {
    /// Most entries.
    pub entries: usize,
    /// Most units of an entry's label.
    pub label: usize,
    /// Most units of an entry's description; zero where there is none.
    pub description: usize,
    /// Several entries can be taken at once.
    pub several: bool,
    /// What is taken of several stays with the platform until the press of a button brings it.
    pub held: bool,
}

/// Fields in one message or one modal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormLimits {
    /// Most fields.
    pub fields: usize,
    /// Most units of a field's label.
    pub label: usize,
    /// Menus can be fields, not only inputs.
    pub menus: bool,
}

/// How a platform asks for own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputLimits {
    /// A modal form.
    Modal {
        /// Most units of the title.
        title: usize,
        /// Most units of the placeholder.
        placeholder: usize,
        /// Most units a person can type.
        value: usize,
        /// What it can hold beside one input.
        form: FormLimits,
    },
    /// A message that asks for a reply to itself.
    ForcedReply {
        /// Most units of the placeholder.
        placeholder: usize,
    },
    /// An ordinary message; the next text of the person who pressed is taken.
    NextText,
}

impl Unit {
    /// How long `text` is.
    #[must_use]
    pub fn measure(self, text: &str) -> usize {
        match self {
            Self::CodePoints => text.chars().count(),
            Self::Utf16 => text.encode_utf16().count(),
            Self::Bytes => text.len(),
            Self::Graphemes => text.graphemes(true).count(),
            Self::Columns => text.width(),
        }
    }
}
