//! Proposals of the Composer: files of a skill that are added, changed or deleted.

use std::collections::BTreeSet;

use inklings_core::chat::FileChange;
use inklings_core::edit::{self, TreeEdit};
use inklings_core::proposal::ProposalStatus;
use inklings_core::skill::skill_json;
use inklings_core::{
    ArtifactId, ArtifactKind, ChangeSet, Chats, Diagnostic, MessageId, Package, Proposal, ProposalId, Sandbox, Scope, SessionId, Severity,
    Skill, SkillCatalog, SkillFormat as _, SkillPath, StorageError, Tree, TreeFile, tree_digest,
};
use inklings_folder::Folder;
use inklings_prompt::PromptEngine;
use inklings_runtime::script::compile;

use super::acceptance::Candidate;
use super::api::{CompositionBody, ProposalReview, ProposedFile, ReviewedFile};
use super::declarations::Declarations;
use super::error::ProposalError;
use super::rebase::has_markers;
use crate::discovery::SkillFiles;
use crate::editing::SkillEditor;

/// What a composition makes of the files that it is based on.
pub(crate) struct Composition {
    /// As it was read; `None` for a new one.
    pub(crate) stored: Option<Proposal>,
    pub(crate) proposal: Proposal,
    pub(crate) body: CompositionBody,
    /// The files that it is based on; none for a new skill.
    pub(crate) base: Tree,
    /// False if the base was pruned. `base` are the present files of the skill then.
    pub(crate) is_base_known: bool,
}

/// What the validator says about proposed files.
pub(crate) struct CheckedFiles {
    /// None if the files can't be read as a skill.
    pub(crate) package: Option<Package>,
    /// Without those that the base has, too.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Proposed scripts without errors so far. Python's compiler has the last word.
    scripts: Vec<(SkillPath, String)>,
}

impl CheckedFiles {
    pub(crate) async fn compile(&mut self, sandbox: &dyn Sandbox, prompts: &PromptEngine) {
        for (path, text) in &self.scripts {
            self.diagnostics.extend(compile(sandbox, prompts, path, text).await);
        }
    }

    /// Warnings count, too: the files are new.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|one| one.severity <= Severity::Warning)
    }

    pub(crate) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|one| one.is_error())
    }
}

impl Composition {
    /// If its base was pruned and the skill has other files now, it is stale.
    pub(crate) fn load(proposal: Proposal, catalog: &SkillCatalog) -> Result<Self, ProposalError> {
        let mut body: CompositionBody = serde_json::from_value(proposal.body.clone()).map_err(ProposalError::Unreadable)?;
        let (mut base, mut is_base_known) = (Tree::new(), true);
        if let Some(sha256) = body.base_sha256 {
            let skill = &proposal.skill;
            let holder = catalog.holder(skill.id, skill.scope)?;
            match holder.revision_tree(skill.id, skill.revision) {
                Ok(tree) => base = tree,
                Err(StorageError::NotFound { .. }) => {
                    base = holder.get_skill(skill.id)?.map(|skill| skill.package.tree()).unwrap_or_default();
                    is_base_known = tree_digest(&base) == sha256;
                    // Deleting a missing file is an error.
                    body.files.retain(|file| file.content.is_some() || base.contains_key(&file.path));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Self { stored: Some(proposal.clone()), proposal, body, base, is_base_known })
    }

    pub(crate) const fn id(&self) -> ProposalId {
        self.proposal.id
    }

    pub(crate) fn subject_slug(&self) -> &str {
        self.proposal.skill.slug.as_str()
    }

    /// The proposed texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&SkillPath, &str)> {
        self.body.files.iter().filter_map(|file| Some((&file.path, file.content.as_deref()?)))
    }

    /// The answers that made it.
    pub(crate) fn answers(&self) -> &[MessageId] {
        &self.body.answers
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.body.files.iter().map(|file| file.path.to_string()).collect()
    }

    pub(crate) const fn is_new_skill(&self) -> bool {
        self.body.base_sha256.is_none()
    }

    /// Whether the skill's files have changed since it was made.
    pub(crate) fn is_stale(&self, skill: &Skill) -> bool {
        self.body.base_sha256.is_some_and(|base| base != tree_digest(&skill.package.tree()))
    }

    /// The files after it.
    pub(crate) fn tree(&self) -> Result<Tree, ProposalError> {
        let mut tree = self.base.clone();
        edit::apply(&mut tree, &self.edits())?;
        Ok(tree)
    }

    /// Without the files that aren't in `only`. `skill.json` no longer declares those that are missing then.
    pub(crate) fn narrowed(&self, only: Option<&[SkillPath]>, folder: &Folder) -> Result<Self, ProposalError> {
        let (mut body, proposal) = (self.body.clone(), self.proposal.clone());
        let mut deleted = Vec::new();
        if let Some(only) = only {
            if only.is_empty() {
                return Err(ProposalError::NothingSelected);
            }
            if let Some(path) = only.iter().find(|path| !body.files.iter().any(|file| file.path == **path)) {
                return Err(ProposalError::NotProposed(path.clone()));
            }
            let is_missing = |file: &&ProposedFile| !only.contains(&file.path) && !self.base.contains_key(&file.path);
            deleted.extend(body.files.iter().filter(is_missing).map(|file| file.path.clone()));
            body.files.retain(|file| only.contains(&file.path));
        }
        let mut narrowed = Self { stored: self.stored.clone(), proposal, body, base: self.base.clone(), is_base_known: self.is_base_known };
        if !deleted.is_empty()
            && narrowed.body.files.iter().any(|file| file.path == skill_json())
            && let Some(file) = (Declarations { deleted, fallbacks: Vec::new() }).skill_json(&narrowed, folder)?
        {
            narrowed.put(file);
        }
        Ok(narrowed)
    }

    /// Adds a file, or replaces what is proposed for it. Without a difference to the base nothing is proposed for it. A conflict is resolved
    /// once its text has no markers.
    pub(crate) fn put(&mut self, mut file: ProposedFile) {
        let was_conflict = self.body.files.iter().any(|one| one.path == file.path && one.conflict);
        file.conflict = (file.conflict || was_conflict) && file.content.as_deref().is_some_and(has_markers);
        self.body.files.retain(|one| one.path != file.path);
        let present = self.base.get(&file.path).and_then(TreeFile::text);
        if present != file.content.as_deref() {
            self.body.files.push(file);
            self.body.files.sort_by(|a, b| a.path.cmp(&b.path));
        }
    }

    fn edits(&self) -> Vec<TreeEdit> {
        // Deletions come first, since a path may be written again in another case.
        let (deleted, written): (Vec<_>, Vec<_>) = self.body.files.iter().partition(|file| file.content.is_none());
        let edit = |file: &ProposedFile| match &file.content {
            Some(content) => TreeEdit::Write(file.path.clone(), content.as_bytes().into()),
            None => TreeEdit::Delete(file.path.clone()),
        };
        deleted.into_iter().chain(written).map(edit).collect()
    }

    pub(crate) fn files(&self) -> Vec<ReviewedFile> {
        let reviewed = |file: &ProposedFile| ReviewedFile {
            change: FileChange { after: file.content.clone(), ..FileChange::between(file.path.as_str(), self.base.get(&file.path), None) },
            edited: file.edited,
            conflict: file.conflict,
        };
        self.body.files.iter().map(reviewed).collect()
    }

    /// Validates the files as an import does.
    pub(crate) fn check(&self, folder: &Folder) -> Result<CheckedFiles, ProposalError> {
        let slug = self.subject_slug();
        let diagnose = |tree: Tree| SkillFiles { tree, diagnostics: Vec::new() }.validate(slug, folder);
        let after = diagnose(self.tree()?);
        let known: BTreeSet<(String, Option<String>, String)> =
            if self.base.is_empty() { BTreeSet::new() } else { diagnose(self.base.clone()).diagnostics.into_iter().map(key).collect() };
        let diagnostics: Vec<_> = after.diagnostics.into_iter().filter(|one| !known.contains(&key(one.clone()))).collect();
        let package = after.reading.map(|reading| reading.package);
        let is_proposed = |path: &SkillPath| self.body.files.iter().any(|file| file.path == *path);
        let is_sound = |path: &SkillPath| !diagnostics.iter().any(|one| one.is_error() && one.file.as_deref() == Some(path.as_str()));
        let scripts = package
            .iter()
            .flat_map(|package| &package.artifacts)
            .filter(|artifact| artifact.kind == ArtifactKind::CodeTemplate && is_proposed(&artifact.path) && is_sound(&artifact.path));
        let scripts = scripts.map(|artifact| (artifact.path.clone(), artifact.content.to_string())).collect();
        Ok(CheckedFiles { package, diagnostics, scripts })
    }

    /// The chat it was made in, if that still exists.
    pub(crate) fn session_in(&self, chats: &dyn Chats) -> Result<Option<SessionId>, StorageError> {
        let Some(session) = self.body.session else { return Ok(None) };
        Ok(chats.chat(session)?.filter(|chat| chat.workspace == self.proposal.workspace).map(|chat| chat.id))
    }

    pub(crate) fn review(
        self,
        catalog: &SkillCatalog,
        checked: CheckedFiles,
        session: Option<SessionId>,
    ) -> Result<ProposalReview, ProposalError> {
        let skill = catalog.find(&self.proposal.skill.id.to_string(), Some(self.proposal.skill.scope))?;
        let is_open = self.proposal.status == ProposalStatus::Open;
        Ok(ProposalReview {
            session,
            new_skill: self.is_new_skill(),
            files: self.files(),
            diagnostics: checked.diagnostics,
            stale: is_open && !self.is_new_skill() && skill.is_none_or(|skill| self.is_stale(&skill)),
            proposal: self.proposal,
        })
    }

    /// The package of a new skill.
    pub(crate) fn new_package(&self, editor: &SkillEditor<'_>) -> Result<Package, ProposalError> {
        read(editor, &self.tree()?, self.subject_slug(), None)
    }
}

/// What makes two diagnostics the same one. Lines move.
fn key(diagnostic: Diagnostic) -> (String, Option<String>, String) {
    (diagnostic.rule, diagnostic.file, diagnostic.message)
}

/// Reads proposed files. Artifacts keep their IDs; one that another skill has can't be claimed.
fn read(editor: &SkillEditor<'_>, tree: &Tree, slug: &str, known: Option<&Package>) -> Result<Package, ProposalError> {
    let reading = editor.folder.read(tree, slug, known).map_err(StorageError::Invalid)?;
    let mut package = reading.package;
    let own = |path: &SkillPath| known?.artifacts.iter().find(|one| one.path == *path).map(|one| one.id);
    let mut replaced = false;
    for artifact in &mut package.artifacts {
        let id = match own(&artifact.path) {
            Some(id) => id,
            None if is_taken(&editor.catalog, artifact.id)? => editor.ids.artifact(),
            None => artifact.id,
        };
        replaced |= id != artifact.id;
        artifact.id = id;
    }
    let is_known = |id: String| known.is_some_and(|known| known.sources.skill_json.as_deref().is_some_and(|json| json.contains(&id)));
    if reading.id.is_some_and(|id| !is_known(id.to_string())) {
        editor.folder.forget_id(&mut package);
        replaced = true;
    }
    if replaced {
        editor.folder.sync_sources_strictly(&mut package)?;
    }
    Ok(package)
}

fn is_taken(catalog: &SkillCatalog, id: ArtifactId) -> Result<bool, StorageError> {
    for repository in [Scope::Account, Scope::Workspace].into_iter().filter_map(|scope| catalog.repository(scope)) {
        if repository.get_artifact(id)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Candidate for Composition {
    fn proposal(&self) -> &Proposal {
        &self.proposal
    }

    fn subject(&self) -> &str {
        self.subject_slug()
    }

    fn is_in(&self, package: &Package) -> bool {
        let tree = package.tree();
        let text = |path: &SkillPath| tree.get(path).and_then(TreeFile::text);
        self.body.files.iter().all(|file| text(&file.path) == file.content.as_deref())
    }

    fn accepts(&self, change: &ChangeSet) -> bool {
        let Some(after) = &change.after else { return false };
        let mut before = after.package.tree();
        before.retain(|path, _| !change.paths.contains_key(path));
        before.extend(change.superseded.clone());
        self.body.base_sha256 == Some(tree_digest(&before))
    }

    fn apply(&self, editor: &SkillEditor<'_>, package: &mut Package) -> Result<(), ProposalError> {
        let (slug, name) = (package.slug.clone(), package.name.clone());
        let mut tree = package.tree();
        edit::apply(&mut tree, &self.edits())?;
        let mut after = read(editor, &tree, slug.as_str(), Some(package))?;
        // A copy of the skill, made to be changed, keeps the name that it was given.
        if after.slug == self.proposal.skill.slug && slug != after.slug {
            (after.slug, after.name) = (slug, name);
            editor.folder.sync_sources_strictly(&mut after)?;
        }
        *package = after;
        Ok(())
    }

    fn why(&self) -> String {
        self.proposal.title.clone()
    }
}
