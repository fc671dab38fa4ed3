//! Discord keeps the contract of every Surface. What only Discord does is in `platform.rs`.

mod room;

use room::Room;

askrelay_kit::surface_contract!(Room);
