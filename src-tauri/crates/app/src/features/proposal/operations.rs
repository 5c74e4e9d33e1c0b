//! `proposal/*`: what waits for a person's decision. Accepting is the only way in which a candidate becomes part of a skill.

use std::sync::Arc;

use inklings_core::proposal::{Approval, Decision, ProposalFilter, ProposalStatus};
use inklings_core::{
    ChangeSet, Digest, Expected, Failpoint, Head, Package, Proposal, ProposalId, Scope, Skill, SkillCatalog, SkillFormat as _, Slug, State,
    StorageError,
};
use inklings_folder::default_state_path;
use inklings_rpc::{CallContext, Code, Failure, operations};

use super::api::{Accepted, DecideParams, OptimisationBody, ProposalList, ProposalListParams, ProposalRef};
use crate::app::App;
use crate::ops::skill::{copy_of, forks_to_workspace};
use crate::ops::{change_values_through, unlocked};
use crate::provenance::Provenance;

fn list(app: &App, cx: &CallContext, params: ProposalListParams) -> Result<ProposalList, Failure> {
    let named = |name: String| Ok::<_, Failure>(app.catalog(cx)?.require(&name, None)?.head.id);
    let skill = params.skill.map(named).transpose()?;
    let here = ProposalFilter { workspace: Some(cx.workspace_key()), skill: None, status: Some(ProposalStatus::Open) };
    let open = app.proposals.count_proposals(&here)?;
    let proposals = app.proposals.proposals(&ProposalFilter { skill, status: params.status, ..here })?;
    Ok(ProposalList { proposals, open })
}

fn get(app: &App, _: &CallContext, params: ProposalRef) -> Result<Proposal, Failure> {
    find(app, params.id)
}

fn accept(app: &App, cx: &CallContext, params: DecideParams) -> Result<Accepted, Failure> {
    let proposal = open(app, params.id)?;
    let body: OptimisationBody = serde_json::from_value(proposal.body.clone())
        .map_err(|error| Failure::new(Code::Invalid, format!("the proposal can't be read: {error}")).hint("optimise again"))?;
    let state = serde_json::to_vec_pretty(&body.state_blob).map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&proposal.skill.id.to_string(), Some(proposal.skill.scope))?;
    let candidate = Candidate { proposal, body, state: state.into() };
    let acceptance = Acceptance { app, cx, catalog: &catalog, candidate: &candidate, params: &params };
    // Its revision may have been made, before something came between that and writing down the decision.
    let stored = match candidate.holder(cx, &catalog, skill.clone())? {
        Some((holder, forked)) => Ok(Stored { skill: holder.package.slug, revision: holder.head.revision, forked, is_recorded: false }),
        None if unlocked(&skill).is_err() => acceptance.store_in_fork(&skill),
        None => acceptance.store_in_place(&skill),
    };
    // Of two who decide at once, the later one is told what the other did.
    stored.and_then(|stored| acceptance.record(stored)).map_err(|failure| open(app, params.id).err().unwrap_or(failure))
}

/// A proposed state.
struct Candidate {
    proposal: Proposal,
    body: OptimisationBody,
    state: Arc<[u8]>,
}

impl Candidate {
    /// The skill that has the state already, and whether that is a fork which accepting this proposal made.
    fn holder(&self, cx: &CallContext, catalog: &SkillCatalog, skill: Skill) -> Result<Option<(Skill, bool)>, Failure> {
        if self.is_in(&skill.package) {
            return Ok(Some((skill, false)));
        }
        if unlocked(&skill).is_ok() || !forks_to_workspace(cx, &skill) {
            return Ok(None);
        }
        let fork = catalog.find(skill.package.slug.as_str(), Some(Scope::Workspace))?;
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

    /// Puts the state into a package, if its artifact still is what was optimised.
    fn put(&self, package: &mut Package) -> Result<(), Failure> {
        let path = self.proposal.artifact_path.as_ref().ok_or_else(|| Failure::invalid("the proposal names no artifact"))?;
        let taken: Vec<_> = package.tree().into_keys().collect();
        let artifact = package.artifacts.iter_mut().find(|one| one.path == *path);
        let artifact = artifact.ok_or_else(|| {
            Failure::new(Code::NotFound, format!("the skill has no artifact {path} any more")).hint("reject the proposal")
        })?;
        if Digest::of(artifact.content.as_bytes()).to_string() != self.body.content_sha256 {
            return Err(stale(path.as_str()));
        }
        let present = artifact.state.as_ref().map(|state| Digest::of(&state.bytes).to_string());
        let default = || default_state_path(&self.body.artifact, &taken.iter().collect::<Vec<_>>());
        let at = artifact.state.take().map_or_else(default, |state| state.path);
        if present != self.body.state_sha256 {
            return Err(stale(at.as_str()));
        }
        artifact.state = Some(State { path: at, bytes: self.state.clone() });
        Ok(())
    }

    /// What the history says of it.
    fn why(&self) -> String {
        let body = &self.body;
        let (over, scores) = body.held_out.map_or(("training", body.train), |scores| ("held-out", scores));
        format!("optimised {} by {}: {over} score {:.2} -> {:.2}", body.artifact, body.optimizer, scores.before, scores.after)
    }
}

/// What an accepted proposal made of a skill.
struct Stored {
    skill: Slug,
    revision: i64,
    forked: bool,
    /// Whether the decision was written down together with the revision.
    is_recorded: bool,
}

/// A proposal that is being accepted.
struct Acceptance<'a> {
    app: &'a App,
    cx: &'a CallContext,
    catalog: &'a SkillCatalog,
    candidate: &'a Candidate,
    params: &'a DecideParams,
}

impl Acceptance<'_> {
    /// Makes a revision of the skill itself.
    fn store_in_place(&self, skill: &Skill) -> Result<Stored, Failure> {
        let candidate = self.candidate;
        let (mut is_recorded, mut is_stale) = (false, false);
        let put = |package: &mut Package| candidate.put(package);
        let saved = change_values_through(self.app, self.cx, self.catalog, skill, &candidate.why(), put, &mut |writes| {
            // The program's text and its state are two files: a newer text would be carried along with a state that isn't its own.
            is_stale = !writes.iter().any(|(change, _)| change.after.as_ref().is_some_and(|after| candidate.is_in(&after.package)));
            if is_stale {
                return Err(StorageError::NotFound { what: "artifact", name: candidate.body.artifact.clone() });
            }
            let revisions;
            (revisions, is_recorded) = self.commit(&skill.head, writes)?;
            Ok(revisions)
        });
        if is_stale {
            return Err(stale(&candidate.body.artifact));
        }
        let skill = saved?.skill;
        Ok(Stored { skill: skill.package.slug, revision: skill.head.revision, forked: false, is_recorded })
    }

    /// Forks a locked skill, as it is and then with the state.
    fn store_in_fork(&self, skill: &Skill) -> Result<Stored, Failure> {
        let (app, cx, candidate) = (self.app, self.cx, self.candidate);
        let (mut fork, why) = copy_of(app, cx, self.catalog, skill, forks_to_workspace(cx, skill))?;
        Provenance::set_proposal(&mut fork.head, candidate.proposal.id);
        let id = fork.head.id;
        let create = ChangeSet::between(None, Some(fork.clone()), id, cx.actor.as_str(), why);
        fork.head.revision = 1;
        let mut after = fork.clone();
        candidate.put(&mut after.package)?;
        app.folder.sync_sources_strictly(&mut after.package)?;
        let change = ChangeSet::between(Some(&fork), Some(after), id, cx.actor.as_str(), candidate.why());
        let writes = [(create, Expected::Absent), (change, Expected::Revision(1))];
        let (revisions, is_recorded) = self.commit(&fork.head, &writes)?;
        Ok(Stored { skill: fork.package.slug, revision: revisions.last().copied().unwrap_or_default(), forked: true, is_recorded })
    }

    /// Stores the revisions, and the decision with them where both are in one database, which is the second result.
    fn commit(&self, head: &Head, writes: &[(ChangeSet, Expected)]) -> Result<(Vec<i64>, bool), StorageError> {
        let Self { app, cx, params, .. } = self;
        match head.scope {
            Scope::Account => {
                let approval = Approval { actor: cx.actor.as_str(), reason: params.reason.as_deref() };
                Ok((app.proposals.accept(params.id, approval, writes)?, true))
            }
            Scope::Workspace => Ok((self.catalog.holder(head.id, head.scope)?.commit_together(writes)?, false)),
        }
    }

    /// Records the acceptance of what is stored in a workspace: no transaction spans its database and the account's. When this fails,
    /// the next attempt finds the state in the skill and only records it.
    fn record(&self, stored: Stored) -> Result<Accepted, Failure> {
        let Stored { skill, revision, forked, is_recorded } = stored;
        if !is_recorded {
            Failpoint::AcceptStored.reach();
            decide(self.app, self.cx, self.params, ProposalStatus::Accepted, Some(revision))
                .map_err(|failure| failure.hint("the skill has the new state: accept the proposal once more to record that"))?;
        }
        Ok(Accepted { skill: skill.to_string(), revision, forked })
    }
}

fn stale(what: &str) -> Failure {
    Failure::new(Code::RevisionConflict, format!("{what} was changed since this was proposed")).hint("reject it and optimise again")
}

fn reject(app: &App, cx: &CallContext, params: DecideParams) -> Result<Proposal, Failure> {
    open(app, params.id)?;
    decide(app, cx, &params, ProposalStatus::Rejected, None)?;
    find(app, params.id)
}

fn find(app: &App, id: ProposalId) -> Result<Proposal, Failure> {
    let missing = || Failure::new(Code::NotFound, format!("there is no proposal {id}")).hint("`proposal list` shows them");
    app.proposals.proposal(id)?.ok_or_else(missing)
}

fn open(app: &App, id: ProposalId) -> Result<Proposal, Failure> {
    let found = find(app, id)?;
    if found.status == ProposalStatus::Open { Ok(found) } else { Err(decided(found.status)) }
}

fn decided(status: ProposalStatus) -> Failure {
    Failure::new(Code::RevisionConflict, format!("the proposal was {} already", status.as_str())).hint("reload the list")
}

fn decide(app: &App, cx: &CallContext, params: &DecideParams, status: ProposalStatus, revision: Option<i64>) -> Result<(), Failure> {
    let decision = Decision { status, revision, actor: &cx.actor, reason: params.reason.as_deref() };
    if app.proposals.decide(params.id, &decision)? { Ok(()) } else { Err(decided(find(app, params.id)?.status)) }
}

operations! { App;
    ListProposals = "proposal/list", Read, blocking list(ProposalListParams) -> ProposalList;
    GetProposal = "proposal/get", Read, blocking get(ProposalRef) -> Proposal;
    /// Makes a revision of it and records the approval. A locked skill is forked first.
    Accept = "proposal/accept", Write["proposal", "skill"], blocking accept(DecideParams) -> Accepted;
    Reject = "proposal/reject", Write["proposal"], blocking reject(DecideParams) -> Proposal;
}
