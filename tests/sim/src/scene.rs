//! The fixed parts of the world: surfaces with their Limits, people with their rights, the conversations they share, and the
//! Asks that chance makes. Decides nothing about what happens.

use std::sync::Arc;

use askrelay_core::ask::{Ask, Binding, Choice, Creator, Origin, Question, WhenUnanswered};
use askrelay_core::id::{Account, ConversationId, GatewayId, Identity, Place, RecordId};
use askrelay_core::limits::{ControlLimits, FormLimits, InputLimits, Limits, MenuLimits, Unit};
use askrelay_core::person::{People, Person, Scope, Scopes};
use askrelay_core::relay::Config;
use askrelay_core::route::{Routes, Rule};
use askrelay_core::time::Span;

use crate::chance::Chance;

/// The surfaces: `buttons` edits, asks for replies and repeats what was not confirmed; `modals` has menus and forms, drops
/// repeated sends and wants acknowledgements; `lines` has text only and cannot edit; `forms` does as `modals`, and brings what its
/// menus and inputs hold with the press of a button.
pub const SURFACES: [&str; 4] = ["buttons", "modals", "lines", "forms"];

/// The gateways: `local` keeps everything, `theirs` forgets on a restart.
pub const GATEWAYS: [&str; 2] = ["local", "theirs"];

/// Who there is. The last one is known to nobody.
pub const PEOPLE: [&str; 6] = ["ana", "bob", "cyd", "adm", "wes", "eve"];

/// What `eve` and everybody else types where a secret is asked for.
pub const SECRET: &str = "hunter2-secret";

/// The one Account of a surface.
#[must_use]
pub fn account(surface: &str) -> Account {
    Account { surface: surface.into(), name: "main".into() }
}

/// The person's identity there.
#[must_use]
pub fn identity(surface: &str, person: &str) -> Identity {
    Identity { surface: surface.into(), user: person.into() }
}

/// A conversation there.
#[must_use]
pub fn place(surface: &str, conversation: &str) -> Place {
    Place { account: account(surface), conversation: conversation.into() }
}

/// Everybody's conversation on a surface, and who is in it.
#[must_use]
pub fn members(conversation: &ConversationId) -> Vec<&'static str> {
    let name = conversation.as_str();
    match PEOPLE.iter().find(|person| name.strip_prefix("dm-") == Some(**person)) {
        Some(person) => vec![person],
        None => PEOPLE.to_vec(),
    }
}

/// Whether only one person and the bot share it.
#[must_use]
pub fn is_private(conversation: &ConversationId) -> bool {
    conversation.as_str().starts_with("dm-")
}

/// What a surface can show.
#[must_use]
pub fn limits(surface: &str) -> Limits {
    let (modals, forms) = (surface == "modals", surface == "forms");
    let form = FormLimits { fields: 4, label: 45, menus: true };
    let input = if modals || forms {
        InputLimits::Modal {
            title: 45,
            placeholder: 100,
            value: 4000,
            form: FormLimits { fields: 8, ..form.clone() },
        }
    } else {
        InputLimits::ForcedReply { placeholder: 64 }
    };
    let menu = MenuLimits { entries: 5, label: 60, description: 60, several: true, held: forms };
    let controls = ControlLimits {
        buttons: 20,
        row: 5,
        rows: 8,
        label: 40,
        choices: 10,
        menu: (modals || forms).then_some(menu),
        form: forms.then_some(form),
        input,
        link: None,
    };
    let text_only = surface == "lines";
    Limits {
        unit: Unit::CodePoints,
        message: 4000,
        messages: 3,
        line: None,
        controls: (!text_only).then_some(controls),
        edits: !text_only,
        private_notes: modals || forms,
        command_prefix: '/',
        shared: true,
        hears_all: true,
    }
}

/// Everybody with their present rights, without those in `without`.
#[must_use]
pub fn people(without: &[&str]) -> Arc<People> {
    let known = PEOPLE.iter().filter(|name| **name != "eve");
    let person = |name: &&str| {
        let scope = match *name {
            "adm" => Scope::QuestionsAdmin,
            "wes" => Scope::SessionsWrite,
            _ => Scope::QuestionsAnswer,
        };
        Person {
            id: (*name).into(),
            display_name: (*name).to_owned(),
            scopes: if without.contains(name) { Default::default() } else { [scope].into() },
            identities: SURFACES.map(|surface| identity(surface, name)).into(),
        }
    };
    Arc::new(known.map(person).collect())
}

/// The rights that roles give somebody at their update of that number: they come and go.
#[must_use]
pub fn roles(person: &str, update: u64) -> Scopes {
    match (person, update % 3) {
        ("eve", 0) => [Scope::QuestionsAnswer].into(),
        ("wes", 1) => [Scope::QuestionsAdmin].into(),
        _ => Scopes::new(),
    }
}

/// The relay's configuration.
#[must_use]
pub fn config() -> Config {
    let mut routes = Routes::default();
    for surface in SURFACES {
        for conversation in conversations() {
            routes.named.insert(format!("{surface}:{conversation}"), place(surface, &conversation));
        }
    }
    let everybody = Rule {
        label: Some("routed*".to_owned()),
        places: vec!["buttons:group".to_owned()],
        ..Rule::default()
    };
    routes.rules.push(everybody);
    Config {
        accounts: SURFACES.map(|surface| (account(surface), limits(surface))).into(),
        routes,
        delivers_for: Some(GATEWAYS[0].into()),
        ..Config::default()
    }
}

/// The conversations of every surface.
#[must_use]
pub fn conversations() -> Vec<String> {
    let private = PEOPLE.iter().map(|person| format!("dm-{person}"));
    private.chain(["group".to_owned(), "blocked".to_owned()]).collect()
}

/// An Ask of chance. `number` makes its words its own, so that whatever shows it can be recognised.
pub fn ask(chance: &mut Chance, gateway: &GatewayId, number: u64) -> (RecordId, Ask) {
    let count = if chance.percent(75) { 1 } else { chance.from_to(2, 3) };
    let secret = chance.percent(4);
    let questions = (0..count).map(|index| question(chance, gateway, number, index, secret)).collect();
    let binding = if chance.percent(85) { Binding::Run } else { Binding::Attached };
    let creator = Creator {
        person: (binding == Binding::Run).then(|| (*chance.pick(&["ana", "wes"]).unwrap_or(&"ana")).into()),
        token: None,
        binding,
        scopes: [if chance.percent(10) { Scope::QuestionsAdmin } else { Scope::QuestionsAnswer }].into(),
    };
    let answerers = if chance.percent(15) { vec!["bob".into()] } else { Vec::new() };
    let mut places = Vec::new();
    for _ in 0..chance.from_to(1, 3) {
        let surface = chance.pick(&SURFACES).copied().unwrap_or_default();
        let conversation =
            chance.pick(&["group", "group", "dm-ana", "dm-bob", "dm-adm", "blocked", "nowhere"]);
        places.push(format!("{surface}:{}", conversation.unwrap_or(&"group")));
    }
    let routed = chance.percent(10);
    if routed || chance.percent(5) {
        places.clear();
    }
    let ask = Ask {
        questions,
        wait: Span::seconds(chance.from_to(40, 1200)),
        origin: Origin { label: routed.then(|| "routed-by-rule".to_owned()), ..Origin::default() },
        creator,
        answerers,
        places,
        needs_surface: chance.percent(20),
        when_unanswered: WhenUnanswered::Fail,
        terminal_proof: None,
    };
    // Both gateways count from one, so that their ids meet.
    ((&*format!("ask-{number}")).into(), ask)
}

fn question(chance: &mut Chance, gateway: &GatewayId, number: u64, index: u64, secret: bool) -> Question {
    let choices = match chance.below(10) {
        0 => 0,
        1 => chance.from_to(6, 12),
        _ => chance.from_to(2, 4),
    };
    let words =
        ["Red", "Blue", "Green", "Black", "White", "Grey", "Pink", "Gold", "Teal", "Lime", "Plum", "Rust"];
    let choices: Vec<Choice> = words
        .iter()
        .take(usize::try_from(choices).unwrap_or_default())
        .map(|word| Choice { label: (*word).to_owned(), description: None })
        .collect();
    let has_choices = !choices.is_empty();
    Question {
        id: (&*format!("part{index}")).into(),
        text: format!("{}?", mark(gateway, number, index)),
        default: if has_choices && chance.percent(15) { vec!["Blue".to_owned()] } else { Vec::new() },
        multi_select: has_choices && chance.percent(25),
        other: chance.percent(40),
        choices,
        secret: secret && index == 0,
        ..Question::default()
    }
}

/// The one word by which a question is recognised wherever it is shown.
#[must_use]
pub fn mark(gateway: &GatewayId, number: u64, index: u64) -> String {
    format!("Colour-{gateway}-{number}-{index}")
}
