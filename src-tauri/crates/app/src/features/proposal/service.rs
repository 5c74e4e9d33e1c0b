//! Deciding on proposals.

use inklings_core::proposal::{Decision, ProposalKind, ProposalStatus};
use inklings_core::{Lifecycle, Origin, Proposal, ProposalId, Proposals, Scope, Skill, Source};

use super::acceptance::{Acceptance, Candidate as _};
use super::api::AcceptedProposal;
use super::composition::{CheckedFiles, Composition};
use super::error::ProposalError;
use super::optimized_state::OptimizedState;
use crate::editing::SkillEditor;
use crate::provenance::Provenance;

/// The trust of a skill that a model wrote with the user's consent.
pub(crate) const CONSENTED_TRUST: u8 = 2;

#[derive(Clone, Copy)]
pub(crate) struct ProposalService<'a> {
    pub(crate) proposals: &'a dyn Proposals,
    /// See [`workspace_key`](inklings_core::user::workspace_key).
    pub(crate) workspace: &'a str,
    /// Whether those of the account aren't the caller's to see.
    pub(crate) without_account: bool,
    pub(crate) actor: &'a str,
}

impl ProposalService<'_> {
    /// Of the open workspace, or of the account.
    pub(crate) fn get(&self, id: ProposalId) -> Result<Proposal, ProposalError> {
        let is_of_this = |proposal: &Proposal| match proposal.workspace.as_str() {
            "" => !self.without_account,
            workspace => workspace == self.workspace,
        };
        self.proposals.proposal(id)?.filter(is_of_this).ok_or(ProposalError::NotFound(id))
    }

    pub(crate) fn open(&self, id: ProposalId) -> Result<Proposal, ProposalError> {
        let proposal = self.get(id)?;
        if proposal.status == ProposalStatus::Open { Ok(proposal) } else { Err(ProposalError::Decided(proposal.status)) }
    }

    /// Fails if a proposal was changed or decided after it was read.
    pub(crate) fn ensure_unchanged(&self, known: &Proposal) -> Result<(), ProposalError> {
        if self.open(known.id)? == *known { Ok(()) } else { Err(ProposalError::Changed) }
    }

    fn decide(&self, known: &Proposal, status: ProposalStatus, revision: Option<i64>, reason: Option<&str>) -> Result<(), ProposalError> {
        let decision = Decision { status, revision, actor: self.actor, reason };
        if self.proposals.decide(known, &decision)? { Ok(()) } else { Err(self.open(known.id).err().unwrap_or(ProposalError::Changed)) }
    }

    pub(crate) fn reject(&self, id: ProposalId, reason: Option<&str>) -> Result<Proposal, ProposalError> {
        let proposal = self.open(id)?;
        self.decide(&proposal, ProposalStatus::Rejected, None, reason)?;
        self.get(id)
    }

    pub(crate) fn record_acceptance(&self, known: &Proposal, revision: i64, reason: Option<&str>) -> Result<(), ProposalError> {
        self.decide(known, ProposalStatus::Accepted, Some(revision), reason)
    }

    /// The skill with the change of a proposal for it, unsaved.
    pub(crate) fn applied(&self, editor: &SkillEditor<'_>, id: ProposalId, mut skill: Skill) -> Result<Skill, ProposalError> {
        let proposal = self.open(id)?;
        if proposal.skill.id != skill.head.id {
            return Err(ProposalError::OfAnother { wanted: skill.package.slug, found: proposal.skill.slug });
        }
        match proposal.kind {
            ProposalKind::Composer => {
                let composition = Composition::load(proposal, &editor.catalog)?;
                if composition.is_stale(&skill) {
                    return Err(ProposalError::SkillChanged(skill.package.slug));
                }
                composition.apply(editor, &mut skill.package)?;
            }
            ProposalKind::Optimisation => OptimizedState::new(proposal)?.apply(editor, &mut skill.package)?,
            ProposalKind::Learned | ProposalKind::Merge => return Err(ProposalError::Unsupported("run")),
        }
        Ok(skill)
    }

    pub(crate) fn accept_optimization(
        &self,
        editor: &SkillEditor<'_>,
        proposal: Proposal,
        reason: Option<&str>,
    ) -> Result<AcceptedProposal, ProposalError> {
        let skill = editor.catalog.require(&proposal.skill.id.to_string(), Some(proposal.skill.scope))?;
        let candidate = OptimizedState::new(proposal)?;
        Acceptance { proposals: *self, editor, candidate: &candidate, reason }.change(&skill)
    }

    /// Accepts a composition as checked.
    pub(crate) fn accept_composition(
        &self,
        editor: &SkillEditor<'_>,
        composition: &Composition,
        checked: &CheckedFiles,
        scope: Option<Scope>,
        reason: Option<&str>,
    ) -> Result<AcceptedProposal, ProposalError> {
        let proposal = &composition.proposal;
        self.ensure_unchanged(proposal)?;
        let errors: Vec<_> = checked.errors().cloned().collect();
        if !errors.is_empty() {
            return Err(ProposalError::Invalid(errors));
        }
        let conflicts = composition.conflicts();
        if !conflicts.is_empty() {
            return Err(ProposalError::Conflicts(conflicts));
        }
        let acceptance = Acceptance { proposals: *self, editor, candidate: composition, reason };
        if composition.is_new_skill() {
            let scope = editor.caller.target_scope(Some(scope.unwrap_or(proposal.skill.scope)))?;
            let mut head = editor.new_head(scope, Source::User);
            // So that another attempt finds what this one stored.
            head.id = proposal.skill.id;
            (head.origin, head.lifecycle, head.trust_tier) = (Origin::Llm, Lifecycle::Verified, CONSENTED_TRUST);
            Provenance::set_proposal(&mut head, proposal.id);
            let package = composition.new_package(editor)?;
            return acceptance.create(head, package);
        }
        let skill = editor.catalog.require(&proposal.skill.id.to_string(), Some(proposal.skill.scope))?;
        if composition.is_stale(&skill) && !composition.is_in(&skill.package) {
            return Err(ProposalError::SkillChanged(skill.package.slug));
        }
        acceptance.change(&skill)
    }
}
