//! `tool/*`: the operations that models call, by the names and with the results that agents know.

mod api;
mod error;
mod known_skills;
mod loading;
pub(crate) mod operations;
pub(crate) mod service;
mod text_edit;
mod tool_set;
mod writing;

pub use api::*;
pub use loading::{
    CatalogEntry, InspectedSkill, LoadInstructionsCall, LoadSkillCall, LoadedInstructions, LoadedSkill, SkillReadCall, SkillReadResult,
};
pub use text_edit::EditOperation;
pub use tool_set::{ToolSet, descriptions, needs_workspace, operation, operation_name, result_schema};
pub(crate) use tool_set::{consent_name, is_write, names, native_name};
pub(crate) use writing::plan as plan_write;
pub use writing::{SkillWriteCall, SkillWriteOperation, SkillWriteResult, StepCall, WrittenState};
