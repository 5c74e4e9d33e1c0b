//! Proposals of optimizations: a compiled state of a DSPy module.

use std::sync::Arc;

use inklings_core::{ChangeSet, Digest, Package, Proposal, State};
use inklings_folder::default_state_path;

use super::acceptance::Candidate;
use super::api::OptimizationBody;
use super::error::ProposalError;
use crate::editing::SkillEditor;

pub(super) struct OptimizedState {
    proposal: Proposal,
    body: OptimizationBody,
    state: Arc<[u8]>,
}

impl OptimizedState {
    pub(super) fn new(proposal: Proposal) -> Result<Self, ProposalError> {
        let body: OptimizationBody = serde_json::from_value(proposal.body.clone()).map_err(ProposalError::Unreadable)?;
        let state = serde_json::to_vec_pretty(&body.state_blob).map_err(ProposalError::Unserializable)?;
        Ok(Self { proposal, body, state: state.into() })
    }
}

impl Candidate for OptimizedState {
    fn proposal(&self) -> &Proposal {
        &self.proposal
    }

    fn subject(&self) -> &str {
        &self.body.artifact
    }

    fn is_in(&self, package: &Package) -> bool {
        let artifact = package.artifacts.iter().find(|one| Some(&one.path) == self.proposal.artifact_path.as_ref());
        artifact.is_some_and(|one| {
            Digest::of(one.content.as_bytes()).to_string() == self.body.content_sha256
                && one.state.as_ref().is_some_and(|state| state.bytes == self.state)
        })
    }

    /// Text and state are two files: a save rebased onto a newer text would combine it with a state of the old one.
    fn accepts(&self, change: &ChangeSet) -> bool {
        change.after.as_ref().is_some_and(|after| self.is_in(&after.package))
    }

    /// Sets the state, unless its artifact has changed since the optimization.
    fn apply(&self, _editor: &SkillEditor<'_>, package: &mut Package) -> Result<(), ProposalError> {
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

    fn why(&self) -> String {
        let body = &self.body;
        let (over, scores) = body.validation.map_or(("training", body.train), |scores| ("validation", scores));
        format!("optimized {} by {}: {over} score {:.2} -> {:.2}", body.artifact, body.optimizer, scores.before, scores.after)
    }
}
