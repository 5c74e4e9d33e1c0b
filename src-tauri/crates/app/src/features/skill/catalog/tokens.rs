use std::collections::BTreeMap;

use inklings_core::path::SKILL_JSON;
use inklings_core::{ArtifactKind, Package, Skill, SkillFormat as _, TreeFile};
use inklings_folder::Folder;
use inklings_prompt::tokens;

use super::api::TokenCost;
use crate::wire::UnsavedText;

/// Counts the tokens of a skill with unsaved texts.
pub(crate) fn token_cost(skill: &Skill, edits: Vec<UnsavedText>, folder: &Folder) -> TokenCost {
    if edits.is_empty() {
        return package_cost(&skill.package);
    }
    let mut tree = skill.package.tree();
    for edit in edits {
        tree.insert(edit.path, TreeFile::new(edit.text.into_bytes()));
    }
    // If the unsaved texts aren't a valid skill, the saved ones are counted.
    let reading = folder.read(&tree, skill.package.slug.as_str(), Some(&skill.package));
    package_cost(reading.as_ref().map_or(&skill.package, |reading| &reading.package))
}

fn package_cost(package: &Package) -> TokenCost {
    let tree = package.tree();
    let line = format!("- {}: {} [{}]\n", package.slug, package.description, package.tags.join(", "));
    let front = package.sources.frontmatter.as_deref().map_or(0, str::len);
    let mut cost = TokenCost {
        per_turn: tokens::count(&line),
        on_load: 0,
        on_demand: 0,
        files: BTreeMap::new(),
        encoding: tokens::ENCODING.to_owned(),
    };
    for (path, entry) in &tree {
        let Some(text) = entry.text() else { continue };
        let is_main = *path == package.main_path;
        // The model is given the instructions without the frontmatter, whose description is in the index already.
        let body = if is_main { text.get(front..).unwrap_or(text) } else { text };
        let count = tokens::count(body);
        let kind = package.artifacts.iter().find(|artifact| artifact.path == *path).map(|artifact| artifact.kind);
        if is_main || matches!(kind, Some(ArtifactKind::Description | ArtifactKind::Approach)) {
            cost.on_load += count;
        } else if path.as_str() != SKILL_JSON {
            cost.on_demand += count;
        }
        cost.files.insert(path.clone(), count);
    }
    cost
}
