//! Declaring proposed files as artifacts: a model writes the files, and their entries in `skill.json` follow from where they are.

use inklings_core::skill::skill_json;
use inklings_core::variant::is_valid_variant;
use inklings_core::{ArtifactKind, Package, SkillFormat as _, SkillPath, Slug, TreeFile};
use inklings_folder::{Declaration, DeclareError, Folder};
use serde_json::Value;

use super::api::ProposedFile;
use super::composition::Composition;
use super::error::ProposalError;

/// Key of a module's metadata.
pub(super) const FALLBACK: &str = "fallback_artifact";

/// Changes of files that `skill.json` has to follow.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) deleted: Vec<SkillPath>,
    /// Modules, with path or name of the prompt that is the fallback.
    pub(super) fallbacks: Vec<(SkillPath, String)>,
}

impl Declarations {
    /// `skill.json` with these changes and the proposed files. None if it stays as it is, or if the files can't be read, which the validator
    /// reports.
    pub(super) fn skill_json(&self, composition: &Composition, folder: &Folder) -> Result<Option<ProposedFile>, ProposalError> {
        let mut tree = composition.tree()?;
        for path in &self.deleted {
            // A declared file that is missing can't be read.
            tree.entry(path.clone()).or_insert_with(|| TreeFile::new(Vec::new()));
        }
        let Ok(reading) = folder.read(&tree, composition.subject_slug(), None) else { return Ok(None) };
        let mut package = reading.package;
        let before = package.sources.skill_json.clone();
        for path in &self.deleted {
            let _ = folder.undeclare(&mut package, path);
            package.files.retain(|file| file.path != *path);
        }
        for (path, text) in composition.texts() {
            if package.files.iter().any(|file| file.path == *path)
                && let Some(declaration) = declaration_of(path, text)
            {
                declare(&mut package, folder, declaration);
            }
        }
        for (path, wanted) in &self.fallbacks {
            set_fallback(&mut package, path, wanted);
        }
        folder.sync_sources(&mut package);
        let after = package.sources.skill_json;
        let changed = ProposedFile { path: skill_json(), content: after.as_ref().map(ToString::to_string), edited: false, conflict: false };
        Ok((after != before).then_some(changed))
    }
}

/// Declares a file by its name, or with its kind if the name is taken. A file that can't be an artifact stays a file.
fn declare(package: &mut Package, folder: &Folder, declaration: Declaration) {
    let longer = Declaration { name: format!("{} {}", declaration.name, noun(declaration.kind)), ..declaration.clone() };
    if let Err(DeclareError::NameTaken(_)) = folder.declare(package, declaration) {
        let _ = folder.declare(package, longer);
    }
}

const fn noun(kind: ArtifactKind) -> &'static str {
    match kind {
        ArtifactKind::Description => "Description",
        ArtifactKind::PromptTemplate => "Prompt",
        ArtifactKind::CodeTemplate => "Script",
        ArtifactKind::DspyModule => "Module",
        ArtifactKind::Approach => "Approach",
        ArtifactKind::Example => "Example",
    }
}

/// Sets the prompt with this path or name as the fallback of a module.
pub(super) fn set_fallback(package: &mut Package, module: &SkillPath, wanted: &str) {
    let is_wanted = |path: &SkillPath, name: &str| path.as_str() == wanted || name == wanted;
    let prompts = package.artifacts.iter().filter(|one| one.kind == ArtifactKind::PromptTemplate);
    let name = prompts.into_iter().find(|one| is_wanted(&one.path, &one.name)).map_or_else(|| wanted.to_owned(), |one| one.name.clone());
    for artifact in package.artifacts.iter_mut().filter(|one| one.path == *module && one.kind == ArtifactKind::DspyModule) {
        artifact.metadata.insert(FALLBACK.to_owned(), Value::from(name.as_str()));
    }
}

/// What a new file is, if it is where artifacts of a kind are by default.
fn declaration_of(path: &SkillPath, text: &str) -> Option<Declaration> {
    let (folder, file) = path.as_str().split_once('/')?;
    let (stem, extension) = file.rsplit_once('.').filter(|(stem, _)| !stem.contains('/'))?;
    let kind = ArtifactKind::ALL.into_iter().find(|kind| kind.default_location() == (folder, extension))?;
    let is_artifact = match kind {
        // Other scripts are files that the instructions name.
        ArtifactKind::CodeTemplate => text.lines().any(|line| line.starts_with("import inklings") || line.starts_with("from inklings")),
        ArtifactKind::DspyModule => stem.rsplit_once('.').is_none_or(|(_, last)| last != "state"),
        _ => true,
    };
    let (name, variant) = match stem.split_once('.') {
        Some((name, variant)) if kind == ArtifactKind::PromptTemplate && is_valid_variant(variant) => (name, Some(variant.to_owned())),
        _ => (stem, None),
    };
    let name = Slug::parse(name).map_or_else(|_| name.to_owned(), |slug| slug.humanised());
    is_artifact.then(|| Declaration { path: path.clone(), kind, name, variant })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_artifacts_where_those_of_their_kind_are() {
        let of =
            |path: &str, text: &str| declaration_of(&SkillPath::parse(path).unwrap(), text).map(|one| (one.kind, one.name, one.variant));
        assert_eq!(of("prompts/check-claims.j2", ""), Some((ArtifactKind::PromptTemplate, "Check Claims".to_owned(), None)));
        let variant = Some((ArtifactKind::PromptTemplate, "Check".to_owned(), Some("anthropic".to_owned())));
        assert_eq!(of("prompts/check.anthropic.j2", ""), variant);
        assert_eq!(of("scripts/count.py", "import inklings\n").map(|one| one.0), Some(ArtifactKind::CodeTemplate));
        assert_eq!(of("scripts/count.py", "import json\n"), None);
        assert_eq!(of("dspy/judge.json", "{}").map(|one| one.0), Some(ArtifactKind::DspyModule));
        for other in ["dspy/judge.state.json", "README.md", "prompts/deep/er.j2", "evals/evals.json", "prompts/notes.md"] {
            assert_eq!(of(other, ""), None, "{other}");
        }
    }
}
