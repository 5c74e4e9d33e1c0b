//! `load_skill`, `loadSkill` and `skill_read`.

mod api;
pub(super) mod service;

pub use api::*;
