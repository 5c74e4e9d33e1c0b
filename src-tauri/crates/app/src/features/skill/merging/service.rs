use inklings_core::chat::FileChange;
use inklings_core::edit::{TreeEdit, edits_between};
use inklings_core::{
    Artifact, Lifecycle, LifecycleAction, Package, Relation, Scope, Skill, SkillCatalog, SkillFormat as _, SkillPath, SkillStep,
    SkillSummary, Tree, TreeFile, limits,
};

use super::api::{MergePreview, MergedSkill};
use super::error::MergeError;
use crate::editing::{SkillEditor, body_of, ensure_unlocked};
use crate::features::skill::lifecycle::service::{change_revision, changed_summary, plan as plan_lifecycle};
use crate::features::skill::relations::service::dependents_of;
use crate::wire::PartialFailure;

/// A merge that wasn't made yet.
pub(crate) struct PlannedMerge {
    pub(crate) target: Skill,
    pub(crate) source: Skill,
    edits: Vec<TreeEdit>,
    after: Tree,
    omitted: Vec<SkillPath>,
}

pub(crate) struct MergedSkills {
    pub(crate) target: Skill,
    /// The revision of the target that the source was merged into.
    pub(crate) applied_to: i64,
    source: SkillSummary,
    omitted: Vec<SkillPath>,
    failure: Option<PartialFailure>,
}

/// The names of both skills, each with its scope.
pub(crate) type Names<'a> = [(&'a str, Option<Scope>); 2];

/// Combines the texts of a source with those of a target. Fails as the merge would, as far as that is known.
pub(crate) fn plan(editor: &SkillEditor<'_>, names: Names<'_>) -> Result<PlannedMerge, MergeError> {
    let [target, source] = find(&editor.catalog, names)?;
    editor.ensure_trusted(source.head.scope, target.head.scope)?;
    ensure_unlocked(&target)?;
    plan_lifecycle(editor, &source, LifecycleAction::Archive, None)?;
    let before = target.package.tree();
    let mut package = target.package.clone();
    let omitted = combine(editor, &mut package, &source.package);
    editor.folder.sync_sources_strictly(&mut package)?;
    let mut after = package.tree();
    let (front, body) = body_of(editor.folder, &package, &after)?;
    let (_, source_body) = body_of(editor.folder, &source.package, &source.package.tree())?;
    let combined = combined_body(&body, &source_body, &source.package.name);
    let executable = after.get(&package.main_path).is_some_and(|file| file.executable);
    after.insert(package.main_path, TreeFile { bytes: format!("{front}{combined}").into_bytes().into(), executable });
    Ok(PlannedMerge { edits: edits_between(&before, &after), target, source, after, omitted })
}

fn find(catalog: &SkillCatalog, names: Names<'_>) -> Result<[Skill; 2], MergeError> {
    let [target, source] = names.map(|(name, scope)| catalog.require(name, scope));
    let (target, source) = (target?, source?);
    if target.head.id == source.head.id && target.head.scope == source.head.scope {
        return Err(MergeError::SameSkill(target.package.slug));
    }
    if target.head.lifecycle == Lifecycle::Archived {
        return Err(MergeError::ArchivedTarget(target.package.slug));
    }
    Ok([target, source])
}

/// Saves the target, then archives the source.
pub(crate) fn merge(editor: &SkillEditor<'_>, planned: PlannedMerge) -> Result<MergedSkills, MergeError> {
    let PlannedMerge { target, source, edits, omitted, .. } = planned;
    editor.caller.ensure_may_change(&source)?;
    let why = format!("merged {} into it (revision {})", source.package.slug, source.head.revision);
    let saved = editor.save(&target, &edits, target.head.revision, &why)?;
    let reason = format!("merged into {}", saved.skill.package.slug);
    // What was written to the source since isn't in the target.
    let planned = Some(source.head.revision);
    let (source, failure) = match change_revision(editor, source.clone(), planned, LifecycleAction::Archive, Some(&reason)) {
        Ok(archived) => (archived, None),
        Err(error) => (source, Some(error.into())),
    };
    let source = changed_summary(editor, &source);
    Ok(MergedSkills { target: saved.skill, applied_to: saved.applied_to, source, omitted, failure })
}

impl PlannedMerge {
    pub(crate) fn files(&self) -> Vec<FileChange> {
        FileChange::between_trees(&self.target.package.tree(), &self.after)
    }

    pub(crate) fn preview(self, catalog: &SkillCatalog) -> Result<MergePreview, MergeError> {
        let files = self.files();
        let dependents = dependents_of(catalog, self.source)?.skills.into_iter();
        let dependents = dependents.filter(|one| one.depth == 1).map(|one| one.name).collect();
        Ok(MergePreview { files, omitted: self.omitted, dependents })
    }
}

impl MergedSkills {
    /// What wasn't done, for a model.
    pub(crate) fn warning(&self) -> Option<String> {
        let omitted = self.omitted.iter().map(SkillPath::as_str).collect::<Vec<_>>().join(", ");
        let omitted = (!omitted.is_empty()).then(|| format!("not added, since the skill has others at these paths: {omitted}"));
        let failure = self.failure.as_ref().map(|failure| format!("{} isn't archived: {}", self.source.slug, failure.message));
        omitted.into_iter().chain(failure).reduce(|all, one| format!("{all}; {one}"))
    }

    pub(crate) fn result(self, editor: &SkillEditor<'_>) -> MergedSkill {
        let Self { target, source, omitted, failure, .. } = self;
        MergedSkill { skill: editor.written_detail(&target), source, omitted, failure }
    }
}

/// Adds the values and files of the source that the target has none for. Returns the files that it has others for.
fn combine(editor: &SkillEditor<'_>, target: &mut Package, source: &Package) -> Vec<SkillPath> {
    if let Some(description) = combined_description(&target.description, &source.description) {
        target.description = description;
    }
    add_missing(&mut target.tags, &source.tags);
    add_missing(&mut target.triggers, &source.triggers);
    add_missing(&mut target.intent_patterns, &source.intent_patterns);
    if target.when_not_to_use.is_none() {
        target.when_not_to_use.clone_from(&source.when_not_to_use);
    }
    add_steps(&mut target.steps, &source.steps);
    let (own, others) = (target.slug.as_str().to_owned(), source.slug.as_str());
    let is_own = |relation: &Relation| {
        let key = inklings_core::name::lookup_key(&relation.target);
        key == own || key == others
    };
    let relations: Vec<Relation> = source.relations.iter().filter(|relation| !is_own(relation)).cloned().collect();
    add_missing(&mut target.relations, &relations);
    target.relations.retain(|relation| !is_own(relation));
    add_files(editor, target, source)
}

fn add_missing<T: PartialEq + Clone>(all: &mut Vec<T>, more: &[T]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

/// `None` if both together are too long, or say no more than the target's.
fn combined_description(target: &str, source: &str) -> Option<String> {
    let (target, source) = (target.trim(), source.trim());
    if source.is_empty() || target.contains(source) {
        return None;
    }
    let stop = if target.is_empty() || target.ends_with(['.', '!', '?', '。']) { "" } else { "." };
    let combined = format!("{target}{stop} {source}").trim_start().to_owned();
    (combined.chars().count() <= limits::DESCRIPTION_CHARS).then_some(combined)
}

/// Steps that differ in their number only are one step.
fn add_steps(target: &mut Vec<SkillStep>, source: &[SkillStep]) {
    let numbered = |step: &SkillStep, number| SkillStep { step: number, ..step.clone() };
    for step in source {
        if !target.iter().any(|known| numbered(known, step.step) == *step) {
            target.push(step.clone());
        }
    }
    for (number, step) in (1..).zip(target) {
        step.step = number;
    }
}

/// The source's text becomes a section of the target's. A text that the target has already isn't added.
fn combined_body(target: &str, source: &str, title: &str) -> String {
    let added = source.trim();
    if added.is_empty() || target.contains(added) {
        return target.to_owned();
    }
    // Its first heading is its title; the section has one.
    let (first, rest) = added.split_once('\n').unwrap_or((added, ""));
    let (title, added) = match first.strip_prefix("# ") {
        Some(heading) => (heading.trim(), rest.trim()),
        None => (title, added),
    };
    let end = if added.is_empty() { "" } else { "\n" };
    let separator = if target.trim().is_empty() { "\n" } else { "\n\n" };
    format!("{}{separator}## {title}\n\n{added}{end}", target.trim_end())
}

fn add_files(editor: &SkillEditor<'_>, target: &mut Package, source: &Package) -> Vec<SkillPath> {
    let present = target.tree();
    let is_free = |path: &SkillPath| {
        let wanted = path.folded();
        let is_in = |folder: &str, path: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        present.keys().map(SkillPath::folded).all(|known| known != wanted && !is_in(&known, &wanted) && !is_in(&wanted, &known))
    };
    let is_same = |path: &SkillPath, bytes: &[u8]| present.get(path).is_some_and(|file| *file.bytes == *bytes);
    let mut omitted = Vec::new();
    let mut ordinal = target.artifacts.iter().map(|artifact| artifact.ordinal).max().unwrap_or_default();
    for artifact in source.artifacts.iter().filter(|artifact| artifact.path != source.main_path) {
        let is_named = |known: &Artifact| known.name == artifact.name && known.variant == artifact.variant;
        let is_addable = is_free(&artifact.path)
            && artifact.state.as_ref().is_none_or(|state| is_free(&state.path))
            && !target.artifacts.iter().any(is_named);
        if is_addable {
            ordinal += 1;
            target.artifacts.push(Artifact { id: editor.ids.artifact(), ordinal, ..artifact.clone() });
        } else if !is_same(&artifact.path, artifact.content.as_bytes()) {
            omitted.push(artifact.path.clone());
        }
    }
    for file in &source.files {
        if is_free(&file.path) {
            target.files.push(file.clone());
        } else if !is_same(&file.path, &file.entry.bytes) {
            omitted.push(file.path.clone());
        }
    }
    target.files.sort_by(|one, other| one.path.cmp(&other.path));
    omitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_section_of_the_other() {
        assert_eq!(combined_body("\n# Tea\n\nBoil.\n", "\n# Coffee\n\nGrind.\n", "Café"), "\n# Tea\n\nBoil.\n\n## Coffee\n\nGrind.\n");
        assert_eq!(combined_body("\nBoil.\n", "Grind.", "Café"), "\nBoil.\n\n## Café\n\nGrind.\n");
        assert_eq!(combined_body("\nBoil.\n", "\nBoil.\n\n", "Tea"), "\nBoil.\n", "nothing new");
        assert_eq!(combined_body("", "Grind.", "Café"), "\n## Café\n\nGrind.\n");
        assert_eq!(combined_body("Boil.", "# Coffee", "Café"), "Boil.\n\n## Coffee\n\n");
    }

    #[test]
    fn descriptions_are_joined_as_sentences() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(combined_description("Makes tea", "Makes coffee."), some("Makes tea. Makes coffee."));
        assert_eq!(combined_description("Makes tea.", "Makes coffee."), some("Makes tea. Makes coffee."));
        assert_eq!(combined_description("", "Makes coffee."), some("Makes coffee."));
        assert_eq!(combined_description("Makes tea. Makes coffee.", "Makes coffee."), None);
        assert_eq!(combined_description(&"a".repeat(limits::DESCRIPTION_CHARS), "b"), None);
    }

    #[test]
    fn steps_are_added_once_and_numbered_anew() {
        let step = |step, action: &str| SkillStep { step, action: action.to_owned(), description: String::new(), tool: None, params: None };
        let mut steps = vec![step(1, "boil"), step(5, "pour")];
        add_steps(&mut steps, &[step(1, "grind"), step(2, "boil")]);
        assert_eq!(steps, [step(1, "boil"), step(2, "pour"), step(3, "grind")]);
    }
}
