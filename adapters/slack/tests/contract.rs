//! Slack keeps the contract of every Surface. What only Slack does is in `platform`.

mod room;

use room::Room;

askrelay_kit::surface_contract!(Room);
