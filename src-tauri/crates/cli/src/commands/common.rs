//! What several commands share: parsing names and paths, and describing skills.

use inklings_app::wire::{EditResult, SkillRef};
use inklings_core::{SkillPath, SkillSummary};
use inklings_rpc::Failure;

use crate::args::SkillArg;
use crate::error::CliError;
use crate::out::Out;

pub(crate) fn skill_ref(skill: SkillArg) -> SkillRef {
    SkillRef { skill: skill.skill, scope: skill.scope.map(Into::into) }
}

pub(crate) fn parse_path(path: &str) -> Result<SkillPath, Failure> {
    SkillPath::parse(path).map_err(|error| Failure::invalid(error.to_string()))
}

pub(crate) fn label(skill: &SkillSummary) -> String {
    format!("{} ({}, revision {})", skill.slug, skill.scope, skill.revision)
}

pub(crate) fn saved(result: &EditResult, out: &Out) -> Result<(), CliError> {
    out.diagnostics(&result.diagnostics);
    out.result(result, |result| {
        let rebased = if result.rebased { " (rebased onto a newer revision)" } else { "" };
        format!("saved {}{rebased}", label(&result.skill.summary))
    })
}

/// `1 skill`, `2 skills`.
pub(crate) fn skill_count(count: usize) -> String {
    if count == 1 { "1 skill".to_owned() } else { format!("{count} skills") }
}

/// One side of a unified diff.
#[derive(Clone, Copy)]
pub(crate) struct NamedText<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

pub(crate) fn unified(before: NamedText<'_>, after: NamedText<'_>) -> String {
    similar::TextDiff::from_lines(before.text, after.text).unified_diff().header(before.name, after.name).to_string()
}
