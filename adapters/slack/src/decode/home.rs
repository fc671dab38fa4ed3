//! Where the one belongs who wrote or pressed. A conversation can be shared with other organisations, so what a payload says of
//! itself is no proof: whoever is not shown to be one of ours is one of theirs, or of nobody we know. Says nothing of rights.

use serde_json::Value;

use super::{Me, text};

/// In place of a team where nobody says where somebody belongs. No configured person belongs there.
const NOWHERE: &str = "?";

/// Where the author of an event says to belong, the most exact first: in a mention `team` is ours whoever wrote it, and the source
/// may be that of the channel.
const AUTHOR: [&str; 4] = ["/user_team", "/user_profile/team", "/source_team", "/team"];

/// Where a payload names a workspace together with the organisation to which it belongs. Not `enterprise` beside `team`: that is
/// the app's, or the person's.
const BELONGS: [(&str, &str); 3] = [
    ("/team_id", "/enterprise_id"),
    ("/context_team_id", "/context_enterprise_id"),
    ("/team/id", "/team/enterprise_id"),
];

/// The team or the organisation of the author of an event.
pub(super) fn of_author<'a>(payload: &'a Value, event: &'a Value, me: &'a Me) -> &'a str {
    let said = AUTHOR.into_iter().find_map(|path| text(event, path));
    match said {
        Some(said) => known_as(said, payload, me),
        // Only ours are where nobody else is.
        None if payload.get("is_ext_shared_channel") == Some(&Value::Bool(false)) => ours(me),
        None => NOWHERE,
    }
}

/// The team or the organisation of the one who pressed or sent a modal. `team` beside them may be ours though they are a guest.
pub(super) fn of_presser<'a>(payload: &'a Value, me: &'a Me) -> &'a str {
    text(payload, "/user/team_id").map_or(NOWHERE, |said| known_as(said, payload, me))
}

/// As what a workspace or an organisation stands in identities: every one of ours as the same.
fn known_as<'a>(said: &'a str, payload: &Value, me: &'a Me) -> &'a str {
    let Some(enterprise) = me.enterprise.as_deref() else { return said };
    let belongs = || {
        let named = |(team, of): (&str, &str)| {
            text(payload, team) == Some(said) && text(payload, of) == Some(enterprise)
        };
        me.teams.contains(said) || BELONGS.into_iter().any(named)
    };
    if said == enterprise || me.everywhere && belongs() { ours(me) } else { said }
}

/// The workspace in which we are installed, or the organisation.
fn ours(me: &Me) -> &str {
    me.enterprise.as_deref().filter(|_| me.everywhere).unwrap_or(&me.team)
}
