use std::cmp::Reverse;
use std::collections::HashMap;

use inklings_core::change::changed_paths;
use inklings_core::proposal::{ProposalFilter, ProposalKind, ProposalStatus};
use inklings_core::three_way::{ChangedBy, PathMerge, compare_trees, merge_trees};
use inklings_core::trace::TracedSkill;
use inklings_core::{
    Artifact, ArtifactId, ChangeSet, Expected, Package, Proposal, ProposalId, Proposals, Scope, Skill, SkillCatalog, SkillFormat as _,
    SkillPath, StorageError, Tree, TreeFile, tree_digest,
};
use inklings_folder::Folder;
use inklings_folder::disk::is_part_of_skill;
use inklings_links::{MergedFile, merge};
use serde_json::json;

use super::api::{ForkUpdate, OutdatedFork, UpdateForkParams};
use super::error::ForkError;
use crate::after_write::after_write;
use crate::editing::{SkillEditor, ensure_revision, ensure_unlocked};
use crate::features::proposal::{CompositionBody, OriginalRevision, ProposedFile};
use crate::provenance::{ForkOrigin, Provenance};

/// A copy and its original.
struct Fork {
    skill: Skill,
    parent: Skill,
    /// The revision of the original that the copy has the changes of.
    base: ForkOrigin,
    /// The proposal that waits for a decision about the present revision of the original.
    open: Option<Proposal>,
}

/// The three sides of a merge. The original has the copy's name and artifact IDs in all of them, so that these are no changes.
struct Sides {
    base: Option<Tree>,
    ours: Tree,
    theirs: Tree,
}

fn body_of(proposal: &Proposal) -> Option<CompositionBody> {
    serde_json::from_value(proposal.body.clone()).ok()
}

impl Fork {
    /// `None` if the skill isn't a copy, or its original doesn't exist any more.
    fn find(catalog: &SkillCatalog, proposals: &dyn Proposals, skill: Skill) -> Result<Option<Self>, StorageError> {
        let Some(mut base) = Provenance::fork_origin(&skill.head) else { return Ok(None) };
        let Some(repository) = catalog.repository(base.scope) else { return Ok(None) };
        let Some(parent) = repository.get_skill(base.id)? else { return Ok(None) };
        let mut open = None;
        if parent.head.revision > base.revision {
            let filter = ProposalFilter { skill: Some(skill.head.id), ..ProposalFilter::default() };
            for proposal in proposals.proposals(&filter)? {
                let Some(original) = body_of(&proposal).and_then(|body| body.original) else { continue };
                match proposal.status {
                    ProposalStatus::Accepted if original.revision > base.revision => {
                        base = ForkOrigin { revision: original.revision, version: original.version, files: original.files, ..base };
                    }
                    ProposalStatus::Open if original.revision == parent.head.revision && open.is_none() => open = Some(proposal),
                    _ => {}
                }
            }
        }
        Ok(Some(Self { skill, parent, base, open }))
    }

    /// `new_id` is the ID of an artifact that only the original has.
    fn sides(&self, catalog: &SkillCatalog, folder: &Folder, new_id: impl Fn(&Artifact) -> ArtifactId) -> Result<Sides, StorageError> {
        let copy = &self.skill.package;
        let theirs = self.parent.package.artifacts.iter().map(|artifact| (&artifact.path, new_id(artifact)));
        let ids: ArtifactIds<'_> = theirs.chain(copy.artifacts.iter().map(|artifact| (&artifact.path, artifact.id))).collect();
        let folder = |tree: &Tree| adapted(folder, tree, copy, &ids);
        let repository = catalog.holder(self.parent.head.id, self.parent.head.scope)?;
        // The revision may have been pruned.
        let base = repository.revision_tree(self.parent.head.id, self.base.revision).ok().filter(|tree| self.base.has_files(tree));
        Ok(Sides { base: base.as_ref().map(folder), ours: copy.tree(), theirs: folder(&self.parent.package.tree()) })
    }
}

impl Sides {
    fn changes(&self) -> Vec<PathMerge> {
        compare_trees(self.base.as_ref(), &self.ours, &self.theirs)
    }
}

fn has_new(changes: &[PathMerge]) -> bool {
    changes.iter().any(|one| matches!(one.by, ChangedBy::Theirs | ChangedBy::Conflict))
}

/// By path.
type ArtifactIds<'a> = HashMap<&'a SkillPath, ArtifactId>;

/// The files of an original with the name and the artifact IDs of its copy.
fn adapted(folder: &Folder, tree: &Tree, copy: &Package, ids: &ArtifactIds<'_>) -> Tree {
    let mut tree = tree.clone();
    // Older versions stored others.
    tree.retain(|path, _| is_part_of_skill(path));
    let adapted = || {
        let mut package = folder.read(&tree, copy.slug.as_str(), Some(copy)).ok()?.package;
        package.slug = copy.slug.clone();
        package.name.clone_from(&copy.name);
        for artifact in &mut package.artifacts {
            artifact.id = ids.get(&artifact.path).copied().unwrap_or(artifact.id);
        }
        folder.forget_id(&mut package);
        folder.sync_sources_strictly(&mut package).ok()?;
        Some(package.tree())
    };
    adapted().unwrap_or(tree)
}

/// Copies whose original has changes that they don't have, by scope and name.
pub(super) fn outdated(catalog: &SkillCatalog, folder: &Folder, proposals: &dyn Proposals) -> Result<Vec<OutdatedFork>, StorageError> {
    let mut outdated = Vec::new();
    for scope in [Scope::Workspace, Scope::Account] {
        let Some(repository) = catalog.repository(scope) else { continue };
        for id in repository.forks()? {
            let Some(skill) = repository.get_skill(id)? else { continue };
            let Some(fork) = Fork::find(catalog, proposals, skill)? else { continue };
            if fork.parent.head.revision <= fork.base.revision {
                continue;
            }
            let sides = fork.sides(catalog, folder, |artifact| artifact.id)?;
            let changes = sides.changes();
            if !has_new(&changes) {
                continue;
            }
            let Fork { skill, parent, base, open } = fork;
            outdated.push(OutdatedFork {
                skill: skill.head.id,
                scope,
                slug: skill.package.slug,
                title: skill.package.name,
                revision: skill.head.revision,
                parent: parent.head.id,
                parent_slug: parent.package.slug,
                base_version: base.version,
                version: parent.package.version,
                changes,
                proposal: open.map(|proposal| proposal.id),
            });
        }
    }
    outdated.sort_by(|a, b| (Reverse(a.scope), &a.slug).cmp(&(Reverse(b.scope), &b.slug)));
    Ok(outdated)
}

/// What a merge makes of the files that both changed.
#[derive(Default)]
struct Merge {
    /// The files with everything that could be merged.
    tree: Tree,
    /// Texts in which both changed the same lines, with both versions between markers.
    conflicts: Vec<(SkillPath, String)>,
    /// Texts of other files that can't be stored before the conflicts are resolved. `None` if the file was removed.
    unstored: Vec<(SkillPath, Option<String>)>,
    /// Files without lines that both changed: the copy's stay.
    kept: Vec<SkillPath>,
}

impl Merge {
    /// For a merge whose files aren't a skill, such as without one that `skill.json` declares until its conflict is resolved: nothing is
    /// stored, and everything is proposed.
    fn without_storing(mut self, ours: &Tree) -> Self {
        for (path, file) in changed_paths(ours, &self.tree) {
            match file.as_ref().map(TreeFile::editable_text) {
                Some(None) => self.kept.push(path),
                text => self.unstored.push((path, text.flatten().map(str::to_owned))),
            }
        }
        self.tree.clone_from(ours);
        self
    }

    fn proposed(&self) -> Vec<ProposedFile> {
        let file = |path: &SkillPath, content, conflict| ProposedFile { path: path.clone(), content, edited: false, conflict };
        let conflicts = self.conflicts.iter().map(|(path, text)| file(path, Some(text.clone()), true));
        conflicts.chain(self.unstored.iter().map(|(path, text)| file(path, text.clone(), false))).collect()
    }
}

fn merged(sides: &Sides, changes: &[PathMerge]) -> Merge {
    let mut result = Merge { tree: merge_trees(changes, &sides.ours, &sides.theirs, |_| false), ..Merge::default() };
    for PathMerge { path, .. } in changes.iter().filter(|one| one.by == ChangedBy::Conflict) {
        let base = sides.base.as_ref().and_then(|base| base.get(path));
        match merge(base, sides.ours.get(path), sides.theirs.get(path)) {
            MergedFile { is_conflict: false, file: Some(file), .. } => drop(result.tree.insert(path.clone(), file)),
            MergedFile { is_conflict: false, file: None, .. } => drop(result.tree.remove(path)),
            MergedFile { marked: Some(marked), .. } => result.conflicts.push((path.clone(), labeled(&marked))),
            MergedFile { marked: None, .. } => result.kept.push(path.clone()),
        }
    }
    result
}

fn labeled(marked: &str) -> String {
    let label = |line: &str| match line.trim_end() {
        "<<<<<<< ours" => "<<<<<<< this copy\n".to_owned(),
        "||||||| original" => "||||||| before\n".to_owned(),
        ">>>>>>> theirs" => ">>>>>>> updated original\n".to_owned(),
        _ => line.to_owned(),
    };
    marked.split_inclusive('\n').map(label).collect()
}

/// Stores what could be merged, and proposes the rest.
pub(super) fn update(editor: &SkillEditor<'_>, proposals: &dyn Proposals, params: &UpdateForkParams) -> Result<ForkUpdate, ForkError> {
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    ensure_unlocked(&skill)?;
    editor.caller.ensure_may_change(&skill)?;
    ensure_revision(&skill, params.revision)?;
    let slug = skill.package.slug.clone();
    let fork = Fork::find(&editor.catalog, proposals, skill)?.ok_or_else(|| ForkError::NotAFork(slug.clone()))?;
    let sides = fork.sides(&editor.catalog, editor.folder, |_| editor.ids.artifact())?;
    let changes = sides.changes();
    if fork.parent.head.revision <= fork.base.revision || !has_new(&changes) {
        return Err(ForkError::UpToDate(slug));
    }
    let mut merge = merged(&sides, &changes);
    if editor.folder.read(&merge.tree, slug.as_str(), Some(&fork.skill.package)).is_err() {
        merge = merge.without_storing(&sides.ours);
    }
    let proposed = merge.proposed();
    let Merge { tree, kept, .. } = merge;
    let updated: Vec<SkillPath> = compare_trees(Some(&sides.ours), &sides.ours, &tree).into_iter().map(|one| one.path).collect();
    let version = &fork.parent.package.version;
    let mut stored = fork.skill.clone();
    let mut revision = None;
    if !updated.is_empty() || proposed.is_empty() {
        let why = format!("merged with {} {version}", fork.parent.package.slug);
        stored = store(editor, &fork, &tree, proposed.is_empty(), &why)?;
        revision = Some(stored.head.revision);
    }
    let conflicts = proposed.iter().map(|file| file.path.clone()).collect();
    let proposal = match (&fork.open, proposed.is_empty()) {
        (_, true) => None,
        (Some(open), false) if revision.is_none() => Some(open.id),
        (_, false) if revision.is_none() => Some(propose(editor, proposals, (&fork, &stored), proposed)?),
        // The next update proposes them.
        (_, false) => after_write("proposing its conflicts", propose(editor, proposals, (&fork, &stored), proposed).map(Some)),
    };
    Ok(ForkUpdate { skill: stored.head.id, scope: stored.head.scope, slug, revision, updated, proposal, conflicts, kept })
}

/// A revision with the merged files. `is_whole` if nothing is left to decide, so that it counts as the new base.
fn store(editor: &SkillEditor<'_>, fork: &Fork, tree: &Tree, is_whole: bool, why: &str) -> Result<Skill, ForkError> {
    let before = &fork.skill;
    let reading = editor.folder.read(tree, before.package.slug.as_str(), Some(&before.package)).map_err(StorageError::Invalid)?;
    let mut head = before.head.clone();
    if is_whole {
        Provenance::set_fork_origin(&mut head, &ForkOrigin::of(&fork.parent));
    }
    let mut after = Skill { head, package: reading.package };
    let change = ChangeSet::between(Some(before), Some(after.clone()), before.head.id, editor.caller.actor, why);
    after.head.revision = editor.repository_of(before)?.commit(&change, Expected::Revision(before.head.revision))?;
    Ok(after)
}

fn propose(
    editor: &SkillEditor<'_>,
    proposals: &dyn Proposals,
    (fork, skill): (&Fork, &Skill),
    files: Vec<ProposedFile>,
) -> Result<ProposalId, ForkError> {
    let ForkOrigin { revision, version, files: hash, .. } = ForkOrigin::of(&fork.parent);
    let original = OriginalRevision { revision, version, files: hash };
    let body = CompositionBody {
        files,
        base_sha256: Some(tree_digest(&skill.package.tree())),
        original: Some(original),
        ..CompositionBody::default()
    };
    let id = ProposalId::new(editor.ids.uuid());
    proposals.put_proposal(&Proposal {
        id,
        kind: ProposalKind::Composer,
        workspace: editor.caller.workspace_key(),
        skill: TracedSkill::of(skill),
        artifact_path: None,
        title: format!("Merge {} {}", fork.parent.package.slug, fork.parent.package.version),
        status: ProposalStatus::Open,
        body: json!(body),
        revision: None,
        created_at: editor.clock.now(),
        decided_at: None,
    })?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        files.iter().map(|(path, text)| (SkillPath::parse(path).unwrap(), TreeFile::new(text.as_bytes()))).collect()
    }

    #[test]
    fn lines_that_one_side_changed_go_together_and_the_same_lines_are_in_conflict() {
        let sides = Sides {
            base: Some(tree(&[("SKILL.md", "one\ntwo\nthree\nfour\n"), ("notes.md", "a\n"), ("gone.md", "x\n")])),
            ours: tree(&[("SKILL.md", "ONE\ntwo\nthree\nfour\n"), ("notes.md", "ours\n"), ("gone.md", "x\n")]),
            theirs: tree(&[("SKILL.md", "one\ntwo\nthree\nFOUR\n"), ("notes.md", "theirs\n"), ("new.md", "n\n")]),
        };
        let changes = compare_trees(sides.base.as_ref(), &sides.ours, &sides.theirs);
        let Merge { tree, conflicts, kept, .. } = merged(&sides, &changes);
        let text = |path: &str| tree.get(&SkillPath::parse(path).unwrap()).and_then(|file| file.text());
        assert_eq!(text("SKILL.md"), Some("ONE\ntwo\nthree\nFOUR\n"));
        assert_eq!((text("notes.md"), text("new.md"), text("gone.md")), (Some("ours\n"), Some("n\n"), None));
        let [(path, marked)] = conflicts.as_slice() else { panic!("{conflicts:?}") };
        assert_eq!(path.as_str(), "notes.md");
        assert_eq!(marked, "<<<<<<< this copy\nours\n||||||| before\na\n=======\ntheirs\n>>>>>>> updated original\n");
        assert!(kept.is_empty());
    }

    #[test]
    fn of_files_without_lines_that_both_changed_the_copys_stay() {
        let binary = |byte: u8| [(SkillPath::parse("logo.png").unwrap(), TreeFile::new(vec![0, byte]))].into_iter().collect::<Tree>();
        let sides = Sides { base: Some(binary(1)), ours: binary(2), theirs: binary(3) };
        let changes = compare_trees(sides.base.as_ref(), &sides.ours, &sides.theirs);
        let merge = merged(&sides, &changes);
        assert_eq!(merge.tree, sides.ours);
        assert_eq!(merge.kept.len(), 1);
    }

    #[test]
    fn a_merge_that_isnt_a_skill_is_proposed_as_a_whole() {
        let sides = Sides {
            base: Some(tree(&[("skill.json", "1\n"), ("gone.md", "x\n")])),
            ours: tree(&[("skill.json", "2\n"), ("gone.md", "x\n")]),
            theirs: tree(&[("skill.json", "3\n"), ("new.md", "n\n")]),
        };
        let merge = merged(&sides, &sides.changes()).without_storing(&sides.ours);
        assert_eq!(merge.tree, sides.ours);
        let proposed = merge.proposed();
        let shown: Vec<_> = proposed.iter().map(|file| (file.path.as_str(), file.content.as_deref(), file.conflict)).collect();
        assert_eq!(shown[1..], [("gone.md", None, false), ("new.md", Some("n\n"), false)]);
        assert_eq!((shown[0].0, shown[0].2), ("skill.json", true));
    }
}
