//! Making and revising compositions.

use std::fmt::Write as _;

use inklings_core::change::changed_paths;
use inklings_core::proposal::{ProposalFilter, ProposalKind, ProposalStatus};
use inklings_core::trace::TracedSkill;
use inklings_core::{Proposal, ProposalId, Proposals, Scope, SessionId, Skill, SkillFormat as _, SkillPath, Slug, TreeFile, tree_digest};
use inklings_prompt::PromptEngine;
use inklings_rpc::AnswerRef;
use inklings_runtime::Redactor;
use serde_json::Value;

use super::api::{CompositionBody, InvalidVersions, ProposedFile};
use super::composition::{CheckedFiles, Composition};
use super::declarations::Declarations;
use super::error::ProposalError;
use super::service::ProposalService;
use super::wrap;
use crate::editing::SkillEditor;

/// How often a model gets an invalid proposal back in one answer.
pub(crate) const MAX_REPAIRS: u32 = 3;
/// Of edited files in the outline.
const OUTLINE_BYTES: usize = 16 * 1024;
const MAX_FILES: usize = 100;
const MAX_BYTES: usize = 1024 * 1024;

/// Files that are proposed for a skill.
#[derive(Clone)]
pub(crate) struct Draft {
    /// Slug of the skill to change, or of a new one.
    pub(crate) name: String,
    /// In a sentence.
    pub(crate) summary: String,
    pub(crate) files: Vec<DraftFile>,
    /// The proposal to revise. Files that aren't mentioned stay as they are there.
    pub(crate) revises: Option<ProposalId>,
    /// None for the scope of the skill, or the default scope of a new one.
    pub(crate) scope: Option<Scope>,
}

#[derive(Clone)]
pub(crate) struct DraftFile {
    pub(crate) path: String,
    /// The whole text. None deletes the file.
    pub(crate) content: Option<String>,
    /// Path or name of the prompt that is the fallback of this DSPy module.
    pub(crate) fallback: Option<String>,
}

/// What to do about a stored composition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It waits for the user.
    Valid,
    /// The model should correct it.
    Repair,
    /// It stays invalid, and the user decides.
    GivenUp,
}

pub(crate) struct Composer<'a> {
    pub(crate) proposals: &'a dyn Proposals,
    pub(crate) editor: &'a SkillEditor<'a>,
    pub(crate) redactor: &'a Redactor,
    pub(crate) answer: Option<AnswerRef>,
}

impl Composer<'_> {
    /// The composition with the files of `draft`, not stored yet.
    pub(crate) fn compose(&self, draft: Draft) -> Result<Composition, ProposalError> {
        self.fill(self.begin(&draft)?, draft)
    }

    /// A new composition with the files of `draft`, based on a skill as it was read. It is stale if the skill has been changed since.
    pub(crate) fn compose_on(&self, skill: &Skill, draft: Draft) -> Result<Composition, ProposalError> {
        let slug = skill.package.slug.clone();
        let composition = self.empty(ProposalId::new(self.editor.ids.uuid()), Some(skill), slug, None)?;
        self.fill(composition, draft)
    }

    fn fill(&self, mut composition: Composition, draft: Draft) -> Result<Composition, ProposalError> {
        let secrets = self.redactor.now();
        let mut changes = Declarations::default();
        for DraftFile { path, content, fallback } in draft.files {
            let path = SkillPath::parse(&path).map_err(|error| ProposalError::Path { path, why: error.to_string() })?;
            let content = content.map(|content| secrets.redact(&content));
            if content.is_none() {
                changes.deleted.push(path.clone());
            }
            changes.fallbacks.extend(fallback.map(|fallback| (path.clone(), fallback)));
            composition.put(ProposedFile { path, content, edited: false, conflict: false });
        }
        if let Some(file) = changes.skill_json(&composition, self.editor.folder)? {
            composition.put(file);
        }
        if let Some(answer) = self.answer.filter(|answer| !composition.body.answers.contains(&answer.message)) {
            composition.body.answers.push(answer.message);
        }
        let summary = draft.summary.trim();
        if !summary.is_empty() {
            composition.proposal.title = secrets.redact(summary);
        }
        composition.ensure_small()?;
        Ok(composition)
    }

    /// The composition with one file as the user edited it.
    pub(crate) fn edit(&self, id: ProposalId, path: SkillPath, content: String) -> Result<Composition, ProposalError> {
        let proposal = self.open(id)?;
        if proposal.kind != ProposalKind::Composer {
            return Err(ProposalError::Unsupported("edited"));
        }
        let mut composition = Composition::load(proposal, &self.editor.catalog)?;
        composition.put(ProposedFile { path, content: Some(content), edited: true, conflict: false });
        composition.ensure_small()?;
        Ok(composition)
    }

    /// The composition merged with its skill as that is now.
    pub(crate) fn rebase(&self, id: ProposalId) -> Result<Composition, ProposalError> {
        let proposal = self.open(id)?;
        if proposal.kind != ProposalKind::Composer {
            return Err(ProposalError::Unsupported("merged with the skill"));
        }
        let mut composition = Composition::load(proposal, &self.editor.catalog)?;
        if !composition.is_new_skill() {
            let subject = &composition.proposal.skill;
            let skill = self.editor.catalog.require(&subject.id.to_string(), Some(subject.scope))?;
            if composition.is_stale(&skill) {
                composition.rebase(&skill)?;
                composition.ensure_small()?;
            }
        }
        Ok(composition)
    }

    /// A prompt of a skill as a DSPy module, whose fallback it becomes.
    pub(crate) fn wrap(&self, skill: &Skill, wanted: Option<&str>, engine: &PromptEngine) -> Result<Composition, ProposalError> {
        let prompt = wrap::prompt(skill, wanted)?;
        let mut package = skill.package.clone();
        wrap::wrap(&mut package, self.editor.folder, engine, prompt)?;
        self.editor.folder.sync_sources_strictly(&mut package)?;
        let slug = skill.package.slug.clone();
        let mut composition = self.empty(ProposalId::new(self.editor.ids.uuid()), Some(skill), slug, None)?;
        composition.proposal.title = format!("Wrap {} as a DSPy module", prompt.name);
        composition.proposal.artifact_path = Some(prompt.path.clone());
        for (path, file) in changed_paths(&composition.base, &package.tree()) {
            let content = file.as_ref().and_then(TreeFile::text).map(str::to_owned);
            composition.put(ProposedFile { path, content, edited: false, conflict: false });
        }
        composition.ensure_small()?;
        Ok(composition)
    }

    /// Open compositions of a chat, oldest first.
    pub(crate) fn of_session(&self, session: SessionId) -> Result<Vec<Composition>, ProposalError> {
        let filter = ProposalFilter {
            workspace: Some(self.editor.caller.workspace_key()),
            status: Some(ProposalStatus::Open),
            ..ProposalFilter::default()
        };
        let session = session.to_string();
        // Loading one reads the files of its skill, so only those of the chat are.
        let is_of_session =
            |one: &Proposal| one.kind == ProposalKind::Composer && one.body.get("session").and_then(Value::as_str) == Some(&session);
        let mut all = Vec::new();
        for proposal in self.proposals.proposals(&filter)?.into_iter().rev().filter(is_of_session) {
            match Composition::load(proposal, &self.editor.catalog) {
                Ok(composition) => all.push(composition),
                // Its skill may be deleted; the list of proposals shows it.
                Err(error) => tracing::debug!(%error, "a proposal can't be read"),
            }
        }
        Ok(all)
    }

    /// The open compositions of a chat, for its model: with the texts that the user edited, which it can't know.
    pub(crate) fn outline(&self, session: SessionId) -> Result<String, ProposalError> {
        let mut text = String::new();
        let mut left = OUTLINE_BYTES;
        for composition in self.of_session(session)? {
            let Proposal { id, skill, title, .. } = &composition.proposal;
            let change = if composition.is_new_skill() { "new skill" } else { "change of the skill" };
            let _ = writeln!(text, "- {id}: {change} {}: {title}", skill.slug);
            let name = |file: &ProposedFile| format!("{}{}", file.path, if file.content.is_none() { " (deleted)" } else { "" });
            let _ = writeln!(text, "  Files: {}", composition.body.files.iter().map(name).collect::<Vec<_>>().join(", "));
            for path in composition.conflicts() {
                let _ = writeln!(
                    text,
                    "  {path} has both versions of lines that the skill and the proposal changed differently, between markers."
                );
            }
            for file in composition.body.files.iter().filter(|file| file.edited) {
                let content = file.content.as_deref().unwrap_or_default();
                if content.len() <= left {
                    left -= content.len();
                    let _ = writeln!(text, "  The user edited {}. Its text is now:\n~~~~\n{content}\n~~~~", file.path);
                } else {
                    let _ = writeln!(text, "  The user edited {}. Read it with view_skill_artifact before you revise it.", file.path);
                }
            }
        }
        Ok(text)
    }

    /// Stores a composition as checked. Fails with [`ProposalError::Changed`] if another edit was stored after it was read.
    pub(crate) fn store(&self, composition: &mut Composition, checked: &CheckedFiles) -> Result<Verdict, ProposalError> {
        let verdict = composition.judge(self.answer, checked);
        if let Some(package) = &checked.package
            && composition.is_new_skill()
        {
            composition.proposal.skill.slug = package.slug.clone();
        }
        composition.proposal.body = serde_json::to_value(&composition.body).map_err(ProposalError::Unserializable)?;
        let Some(stored) = &composition.stored else {
            self.proposals.put_proposal(&composition.proposal)?;
            return Ok(verdict);
        };
        if self.proposals.update_proposal(stored, &composition.proposal)? {
            Ok(verdict)
        } else {
            Err(self.open(stored.id).err().unwrap_or(ProposalError::Changed))
        }
    }

    fn open(&self, id: ProposalId) -> Result<Proposal, ProposalError> {
        let caller = self.editor.caller;
        let (workspace, without_account) = (caller.workspace_key(), caller.is_limited_to_workspace);
        ProposalService { proposals: self.proposals, workspace: &workspace, without_account, actor: caller.actor }.open(id)
    }

    /// What the files are added to: an earlier proposal of the chat, or an empty one.
    fn begin(&self, draft: &Draft) -> Result<Composition, ProposalError> {
        let session = self.answer.map(|answer| answer.session);
        let slug = Slug::parse(&draft.name).map_err(|error| ProposalError::Name { name: draft.name.clone(), why: error.to_string() })?;
        let earlier = session.map(|session| self.of_session(session)).transpose()?.unwrap_or_default();
        let is_same_skill =
            |one: &Composition| one.proposal.skill.slug == slug && draft.scope.is_none_or(|scope| one.proposal.skill.scope == scope);
        let earlier = match draft.revises {
            Some(id) => Some(earlier.into_iter().find(|one| one.proposal.id == id).ok_or(ProposalError::NotFound(id))?),
            None => earlier.into_iter().find(is_same_skill),
        };
        let skill = match &earlier {
            Some(earlier) if earlier.is_new_skill() => None,
            Some(earlier) => self.editor.catalog.find(&earlier.proposal.skill.id.to_string(), Some(earlier.proposal.skill.scope))?,
            None => self.editor.catalog.find(slug.as_str(), draft.scope)?,
        };
        match (earlier, skill) {
            (Some(earlier), Some(skill)) if earlier.is_stale(&skill) => {
                if draft.revises.is_some() {
                    return Err(ProposalError::SkillChanged(skill.package.slug));
                }
                // The same change again, for the skill as it is now.
                Ok(Composition { stored: earlier.stored, ..self.empty(earlier.proposal.id, Some(&skill), slug, draft.scope)? })
            }
            (Some(earlier), _) => Ok(earlier),
            (None, skill) => self.empty(ProposalId::new(self.editor.ids.uuid()), skill.as_ref(), slug, draft.scope),
        }
    }

    fn empty(&self, id: ProposalId, skill: Option<&Skill>, slug: Slug, scope: Option<Scope>) -> Result<Composition, ProposalError> {
        let base = skill.map(|skill| skill.package.tree());
        let new_skill = |scope| TracedSkill { id: self.editor.ids.skill(), scope, slug: slug.clone(), revision: 0 };
        let traced = match skill {
            Some(skill) => TracedSkill::of(skill),
            None => new_skill(self.editor.caller.target_scope(scope)?),
        };
        let title = if skill.is_some() { format!("Change {slug}") } else { format!("Create {slug}") };
        Ok(Composition {
            stored: None,
            body: CompositionBody {
                session: self.answer.map(|answer| answer.session),
                answers: Vec::new(),
                files: Vec::new(),
                base_sha256: base.as_ref().map(tree_digest),
                invalid: None,
                original: None,
            },
            base: base.unwrap_or_default(),
            is_base_known: true,
            proposal: Proposal {
                id,
                kind: ProposalKind::Composer,
                workspace: self.editor.caller.workspace_key(),
                skill: traced,
                artifact_path: None,
                title,
                status: ProposalStatus::Open,
                body: Value::Null,
                revision: None,
                created_at: self.editor.clock.now(),
                decided_at: None,
            },
        })
    }
}

impl Composition {
    fn ensure_small(&self) -> Result<(), ProposalError> {
        let bytes: usize = self.body.files.iter().filter_map(|file| file.content.as_ref()).map(String::len).sum();
        if self.body.files.is_empty() {
            Err(ProposalError::NothingProposed)
        } else if self.body.files.len() > MAX_FILES {
            Err(ProposalError::TooLarge(format!("{MAX_FILES} files")))
        } else if bytes > MAX_BYTES {
            Err(ProposalError::TooLarge(format!("{} KiB", MAX_BYTES / 1024)))
        } else {
            Ok(())
        }
    }

    fn judge(&mut self, answer: Option<AnswerRef>, checked: &CheckedFiles) -> Verdict {
        if checked.problems().next().is_none() {
            self.body.invalid = None;
            return Verdict::Valid;
        }
        let Some(answer) = answer else { return Verdict::Repair };
        let before = self.body.invalid.filter(|invalid| invalid.answer == answer.message).map_or(0, |invalid| invalid.count);
        self.body.invalid = Some(InvalidVersions { answer: answer.message, count: before + 1 });
        if before < MAX_REPAIRS { Verdict::Repair } else { Verdict::GivenUp }
    }
}
