//! Deciding on proposals.

use std::sync::Arc;

use inklings_core::proposal::{Approval, Decision, ProposalStatus};
use inklings_core::{
    ChangeSet, Digest, Expected, Failpoint, Head, Package, Proposal, ProposalId, Proposals, Scope, Skill, SkillFormat as _, Slug, State,
    StorageError,
};
use inklings_folder::default_state_path;

use super::api::{AcceptedProposal, OptimizationBody};
use super::error::ProposalError;
use crate::editing::{SkillEditor, ensure_unlocked, forks_to_workspace};
use crate::provenance::Provenance;

#[derive(Clone, Copy)]
pub(crate) struct ProposalService<'a> {
    pub(crate) proposals: &'a dyn Proposals,
    pub(crate) actor: &'a str,
}

impl ProposalService<'_> {
    pub(crate) fn get(&self, id: ProposalId) -> Result<Proposal, ProposalError> {
        self.proposals.proposal(id)?.ok_or(ProposalError::NotFound(id))
    }

    fn open(&self, id: ProposalId) -> Result<Proposal, ProposalError> {
        let proposal = self.get(id)?;
        if proposal.status == ProposalStatus::Open { Ok(proposal) } else { Err(ProposalError::Decided(proposal.status)) }
    }

    fn decide(&self, id: ProposalId, status: ProposalStatus, revision: Option<i64>, reason: Option<&str>) -> Result<(), ProposalError> {
        let decision = Decision { status, revision, actor: self.actor, reason };
        if self.proposals.decide(id, &decision)? { Ok(()) } else { Err(ProposalError::Decided(self.get(id)?.status)) }
    }

    pub(crate) fn reject(&self, id: ProposalId, reason: Option<&str>) -> Result<Proposal, ProposalError> {
        self.open(id)?;
        self.decide(id, ProposalStatus::Rejected, None, reason)?;
        self.get(id)
    }

    pub(crate) fn accept(&self, editor: &SkillEditor<'_>, id: ProposalId, reason: Option<&str>) -> Result<AcceptedProposal, ProposalError> {
        let proposal = self.open(id)?;
        let body: OptimizationBody = serde_json::from_value(proposal.body.clone()).map_err(ProposalError::Unreadable)?;
        let state = serde_json::to_vec_pretty(&body.state_blob).map_err(ProposalError::Unserializable)?;
        let skill = editor.catalog.require(&proposal.skill.id.to_string(), Some(proposal.skill.scope))?;
        let candidate = Candidate { proposal, body, state: state.into() };
        let acceptance = Acceptance { proposals: *self, editor, candidate: &candidate, reason };
        // An earlier attempt may have stored the revision but not the decision.
        let stored = match candidate.holder(editor, skill.clone())? {
            Some((holder, forked)) => Ok(Stored { skill: holder.package.slug, revision: holder.head.revision, forked, is_recorded: false }),
            None if ensure_unlocked(&skill).is_err() => acceptance.store_in_fork(&skill),
            None => acceptance.store_in_place(&skill),
        };
        // If another call decided meanwhile, report its decision.
        stored.and_then(|stored| acceptance.record(stored)).map_err(|error| self.open(id).err().unwrap_or(error))
    }
}

/// A proposed state.
struct Candidate {
    proposal: Proposal,
    body: OptimizationBody,
    state: Arc<[u8]>,
}

impl Candidate {
    /// The skill that already has the state, and whether that is a fork made for this proposal.
    fn holder(&self, editor: &SkillEditor<'_>, skill: Skill) -> Result<Option<(Skill, bool)>, StorageError> {
        if self.is_in(&skill.package) {
            return Ok(Some((skill, false)));
        }
        if ensure_unlocked(&skill).is_ok() || !forks_to_workspace(editor.caller, &skill) {
            return Ok(None);
        }
        let fork = editor.catalog.find(skill.package.slug.as_str(), Some(Scope::Workspace))?;
        let is_of_this = |fork: &Skill| Provenance::proposal(&fork.head).as_deref() == Some(&*self.proposal.id.to_string());
        Ok(fork.filter(|fork| is_of_this(fork) && self.is_in(&fork.package)).map(|fork| (fork, true)))
    }

    fn is_in(&self, package: &Package) -> bool {
        let artifact = package.artifacts.iter().find(|one| Some(&one.path) == self.proposal.artifact_path.as_ref());
        artifact.is_some_and(|one| {
            Digest::of(one.content.as_bytes()).to_string() == self.body.content_sha256
                && one.state.as_ref().is_some_and(|state| state.bytes == self.state)
        })
    }

    /// Sets the state, unless its artifact has changed since the optimization.
    fn apply(&self, package: &mut Package) -> Result<(), ProposalError> {
        let path = self.proposal.artifact_path.as_ref().ok_or(ProposalError::NoArtifact)?;
        let taken: Vec<_> = package.tree().into_keys().collect();
        let artifact = package.artifacts.iter_mut().find(|one| one.path == *path);
        let artifact = artifact.ok_or_else(|| ProposalError::ArtifactRemoved(path.clone()))?;
        if Digest::of(artifact.content.as_bytes()).to_string() != self.body.content_sha256 {
            return Err(ProposalError::Stale(path.to_string()));
        }
        let present = artifact.state.as_ref().map(|state| Digest::of(&state.bytes).to_string());
        let default = || default_state_path(&self.body.artifact, &taken.iter().collect::<Vec<_>>());
        let at = artifact.state.take().map_or_else(default, |state| state.path);
        if present != self.body.state_sha256 {
            return Err(ProposalError::Stale(at.to_string()));
        }
        artifact.state = Some(State { path: at, bytes: self.state.clone() });
        Ok(())
    }

    /// The history's message.
    fn why(&self) -> String {
        let body = &self.body;
        let (over, scores) = body.held_out.map_or(("training", body.train), |scores| ("validation", scores));
        format!("optimized {} by {}: {over} score {:.2} -> {:.2}", body.artifact, body.optimizer, scores.before, scores.after)
    }
}

/// What an accepted proposal made of a skill.
struct Stored {
    skill: Slug,
    revision: i64,
    forked: bool,
    /// Whether the decision was stored together with the revision.
    is_recorded: bool,
}

/// A proposal that is being accepted.
struct Acceptance<'a> {
    proposals: ProposalService<'a>,
    editor: &'a SkillEditor<'a>,
    candidate: &'a Candidate,
    reason: Option<&'a str>,
}

impl Acceptance<'_> {
    /// Makes a revision of the skill itself.
    fn store_in_place(&self, skill: &Skill) -> Result<Stored, ProposalError> {
        let candidate = self.candidate;
        let (mut is_recorded, mut is_stale) = (false, false);
        let apply = |package: &mut Package| candidate.apply(package);
        let saved = self.editor.change_values_through(skill, &candidate.why(), apply, &mut |writes| {
            // Text and state are two files: a save rebased onto a newer text would combine it with a state of the old one.
            is_stale = !writes.iter().any(|(change, _)| change.after.as_ref().is_some_and(|after| candidate.is_in(&after.package)));
            if is_stale {
                return Err(StorageError::NotFound { what: "artifact", name: candidate.body.artifact.clone() });
            }
            let revisions;
            (revisions, is_recorded) = self.commit(&skill.head, writes)?;
            Ok(revisions)
        });
        if is_stale {
            return Err(ProposalError::Stale(candidate.body.artifact.clone()));
        }
        let skill = saved?.skill;
        Ok(Stored { skill: skill.package.slug, revision: skill.head.revision, forked: false, is_recorded })
    }

    /// Forks a locked skill, as it is and then with the state.
    fn store_in_fork(&self, skill: &Skill) -> Result<Stored, ProposalError> {
        let Self { editor, candidate, .. } = *self;
        let actor = editor.caller.actor;
        let (mut fork, why) = editor.unsaved_copy(skill, forks_to_workspace(editor.caller, skill))?;
        Provenance::set_proposal(&mut fork.head, candidate.proposal.id);
        let id = fork.head.id;
        let create = ChangeSet::between(None, Some(fork.clone()), id, actor, why);
        fork.head.revision = 1;
        let mut after = fork.clone();
        candidate.apply(&mut after.package)?;
        editor.folder.sync_sources_strictly(&mut after.package)?;
        let change = ChangeSet::between(Some(&fork), Some(after), id, actor, candidate.why());
        let writes = [(create, Expected::Absent), (change, Expected::Revision(1))];
        let (revisions, is_recorded) = self.commit(&fork.head, &writes)?;
        Ok(Stored { skill: fork.package.slug, revision: revisions.last().copied().unwrap_or_default(), forked: true, is_recorded })
    }

    /// Stores the revisions, and the decision too if both are in one database. The second result says whether it did.
    fn commit(&self, head: &Head, writes: &[(ChangeSet, Expected)]) -> Result<(Vec<i64>, bool), StorageError> {
        match head.scope {
            Scope::Account => {
                let approval = Approval { actor: self.editor.caller.actor, reason: self.reason };
                Ok((self.proposals.proposals.accept(self.candidate.proposal.id, approval, writes)?, true))
            }
            Scope::Workspace => Ok((self.editor.catalog.holder(head.id, head.scope)?.commit_together(writes)?, false)),
        }
    }

    /// Records the decision on a revision of a workspace, since no transaction spans both databases. If this fails, the next attempt finds
    /// the state in the skill and only records the decision.
    fn record(&self, stored: Stored) -> Result<AcceptedProposal, ProposalError> {
        let Stored { skill, revision, forked, is_recorded } = stored;
        if !is_recorded {
            Failpoint::AcceptStored.reach();
            self.proposals
                .decide(self.candidate.proposal.id, ProposalStatus::Accepted, Some(revision), self.reason)
                .map_err(|error| ProposalError::NotRecorded(Box::new(error)))?;
        }
        Ok(AcceptedProposal { skill: skill.to_string(), revision, forked })
    }
}
