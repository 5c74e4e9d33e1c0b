use std::path::Path;

use inklings_core::{Artifact, Skill, SkillCatalog, SkillPath};
use inklings_prompt::PromptEngine;
use inklings_runtime::{ArtifactDispatcher, OutputSpec};
use inklings_symbols::lines::Lines;
use inklings_symbols::{Mention, Texts};

use super::api::{FileLocations, Location};
use crate::find::Match;
use crate::wire::UnsavedText;
use crate::workspace_manager::WorkspaceManager;

/// Finds what texts of the visible skills name.
pub(super) struct SymbolService<'a> {
    pub(super) catalog: &'a SkillCatalog,
    pub(super) prompts: &'a PromptEngine,
    pub(super) handlers: &'a ArtifactDispatcher,
    pub(super) workspaces: &'a dyn WorkspaceManager,
    pub(super) workspace: Option<&'a Path>,
}

impl SymbolService<'_> {
    /// The output names of an artifact that are known before it runs.
    pub(super) fn output_names(&self, artifact: &Artifact) -> Vec<String> {
        match self.handlers.handler(artifact.kind).map(|handler| handler.outputs(artifact)) {
            Ok(OutputSpec::Names(names)) => names,
            _ => Vec::new(),
        }
    }
}

/// The texts of a skill, with some unsaved ones instead of the stored.
pub(super) fn texts<'a>(prompts: &'a PromptEngine, skill: &'a Skill, edits: Vec<UnsavedText>) -> Texts<'a> {
    Texts::new(&skill.package, prompts, edits.into_iter().map(|edit| (edit.path, edit.text)))
}

impl Location {
    pub(super) fn new(lines: &Lines<'_>, text: &str, range: &std::ops::Range<usize>) -> Self {
        let ((line, column), (end_line, end_column)) = (lines.position(range.start), lines.position(range.end));
        let (before, after) = lines.around(range);
        Self { line, column, end_line, end_column, before, text: text.get(range.clone()).unwrap_or_default().to_owned(), after }
    }
}

impl From<Match> for Location {
    fn from(found: Match) -> Self {
        let Match { line, column, end_line, end_column, before, text, after, .. } = found;
        Self { line, column, end_line, end_column, before, text, after }
    }
}

impl FileLocations {
    pub(super) fn new(skill: &Skill, path: &SkillPath, locations: Vec<Location>) -> Self {
        let (head, package) = (&skill.head, &skill.package);
        Self { skill: head.id, scope: head.scope, slug: package.slug.clone(), name: package.name.clone(), path: path.clone(), locations }
    }
}

/// Listed locations of one file.
pub(super) const MAX_LOCATIONS: usize = 2_000;

pub(super) fn locations_of(texts: &Texts<'_>, path: &SkillPath, mentions: &[Mention]) -> Vec<Location> {
    let text = texts.text(path).unwrap_or_default();
    let lines = Lines::new(text);
    mentions.iter().take(MAX_LOCATIONS).map(|one| Location::new(&lines, text, &one.range)).collect()
}
