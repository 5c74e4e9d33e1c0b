//! `agent/*`: named profiles that answer in chats.

mod api;
mod error;
pub(crate) mod operations;
mod service;

pub use api::*;
pub use operations::{AssignSkill, CreateAgent, DeleteAgent, ListAgents, ListAssignedSkills, UnassignSkill, UpdateAgent};
pub(crate) use service::require;
