//! Accepting a proposal: its change and the decision are stored together where one database holds both.

use inklings_core::proposal::Approval;
use inklings_core::{ChangeSet, Expected, Failpoint, Head, Package, Proposal, Scope, Skill, SkillFormat as _, Slug, StorageError};

use super::api::AcceptedProposal;
use super::error::ProposalError;
use super::service::ProposalService;
use crate::after_write::log_failure;
use crate::editing::{SkillEditor, ensure_unlocked, forks_to_workspace};
use crate::provenance::Provenance;

/// What a proposal changes.
pub(super) trait Candidate {
    fn proposal(&self) -> &Proposal;

    /// Named if the proposal is stale.
    fn subject(&self) -> &str;

    /// Whether a skill already has the change.
    fn is_in(&self, package: &Package) -> bool;

    /// Whether a write is the proposed one. It isn't if it was rebased onto another revision.
    fn accepts(&self, change: &ChangeSet) -> bool;

    fn apply(&self, editor: &SkillEditor<'_>, package: &mut Package) -> Result<(), ProposalError>;

    /// The history's message.
    fn why(&self) -> String;
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
pub(super) struct Acceptance<'a> {
    pub(super) proposals: ProposalService<'a>,
    pub(super) editor: &'a SkillEditor<'a>,
    pub(super) candidate: &'a dyn Candidate,
    pub(super) reason: Option<&'a str>,
}

impl Acceptance<'_> {
    /// Changes a skill.
    pub(super) fn change(&self, skill: &Skill) -> Result<AcceptedProposal, ProposalError> {
        // An earlier attempt may have stored the revision but not the decision.
        let stored = match self.holder(skill)? {
            Some((holder, forked)) => Ok(Stored { skill: holder.package.slug, revision: holder.head.revision, forked, is_recorded: false }),
            None if ensure_unlocked(skill).is_err() => self.store_in_fork(skill),
            None => self.store_in_place(skill),
        };
        self.conclude(stored)
    }

    /// Creates a skill.
    pub(super) fn create(&self, head: Head, package: Package) -> Result<AcceptedProposal, ProposalError> {
        let repository = self.editor.catalog.holder(head.id, head.scope)?;
        let stored = match repository.get_skill(head.id)? {
            Some(skill) => Ok(Stored { skill: skill.package.slug, revision: skill.head.revision, forked: false, is_recorded: false }),
            None => self.store_new(head, package),
        };
        self.conclude(stored)
    }

    /// If nothing was stored since another call changed or decided the proposal meanwhile, reports that.
    fn conclude(&self, stored: Result<Stored, ProposalError>) -> Result<AcceptedProposal, ProposalError> {
        let proposal = self.candidate.proposal();
        self.record(stored.map_err(|error| self.proposals.ensure_unchanged(proposal).err().unwrap_or(error))?)
    }

    /// The skill that already has the change, and whether that is a fork made for this proposal.
    fn holder(&self, skill: &Skill) -> Result<Option<(Skill, bool)>, StorageError> {
        let Self { editor, candidate, .. } = *self;
        if candidate.is_in(&skill.package) {
            return Ok(Some((skill.clone(), false)));
        }
        if ensure_unlocked(skill).is_ok() || !forks_to_workspace(editor.caller, skill) {
            return Ok(None);
        }
        let fork = editor.catalog.find(skill.package.slug.as_str(), Some(Scope::Workspace))?;
        let is_of_this = |fork: &Skill| Provenance::proposal(&fork.head).as_deref() == Some(&*candidate.proposal().id.to_string());
        Ok(fork.filter(|fork| is_of_this(fork) && candidate.is_in(&fork.package)).map(|fork| (fork, true)))
    }

    /// Makes a revision of the skill itself.
    fn store_in_place(&self, skill: &Skill) -> Result<Stored, ProposalError> {
        let Self { editor, candidate, .. } = *self;
        let (mut is_recorded, mut is_stale) = (false, false);
        let apply = |package: &mut Package| candidate.apply(editor, package);
        let saved = editor.change_values_through(skill, &candidate.why(), apply, &mut |writes| {
            is_stale = !writes.iter().any(|(change, _)| candidate.accepts(change));
            if is_stale {
                return Err(StorageError::NotFound { what: "proposed change", name: candidate.subject().to_owned() });
            }
            let revisions;
            (revisions, is_recorded) = self.commit(&skill.head, writes)?;
            Ok(revisions)
        });
        if is_stale {
            return Err(ProposalError::Stale(candidate.subject().to_owned()));
        }
        let skill = saved?.skill;
        Ok(Stored { skill: skill.package.slug, revision: skill.head.revision, forked: false, is_recorded })
    }

    /// Forks a locked skill, as it is and then with the change.
    fn store_in_fork(&self, skill: &Skill) -> Result<Stored, ProposalError> {
        let Self { editor, candidate, .. } = *self;
        let actor = editor.caller.actor;
        let (mut fork, why) = editor.unsaved_copy(skill, forks_to_workspace(editor.caller, skill))?;
        Provenance::set_proposal(&mut fork.head, candidate.proposal().id);
        let id = fork.head.id;
        let create = ChangeSet::between(None, Some(fork.clone()), id, actor, why);
        fork.head.revision = 1;
        let mut after = fork.clone();
        candidate.apply(editor, &mut after.package)?;
        editor.folder.sync_sources_strictly(&mut after.package)?;
        let change = ChangeSet::between(Some(&fork), Some(after), id, actor, candidate.why());
        let writes = [(create, Expected::Absent), (change, Expected::Revision(1))];
        let (revisions, is_recorded) = self.commit(&fork.head, &writes)?;
        Ok(Stored { skill: fork.package.slug, revision: revisions.last().copied().unwrap_or_default(), forked: true, is_recorded })
    }

    fn store_new(&self, head: Head, package: Package) -> Result<Stored, ProposalError> {
        let (id, slug) = (head.id, package.slug.clone());
        let skill = Skill { head: head.clone(), package };
        let create = ChangeSet::between(None, Some(skill), id, self.editor.caller.actor, self.candidate.why());
        let (revisions, is_recorded) = self.commit(&head, &[(create, Expected::Absent)])?;
        Ok(Stored { skill: slug, revision: revisions.last().copied().unwrap_or_default(), forked: false, is_recorded })
    }

    /// Stores the revisions, and the decision too if both are in one database. The second result says whether it did.
    fn commit(&self, head: &Head, writes: &[(ChangeSet, Expected)]) -> Result<(Vec<i64>, bool), StorageError> {
        match head.scope {
            Scope::Account => {
                let approval = Approval { actor: self.editor.caller.actor, reason: self.reason };
                Ok((self.proposals.proposals.accept(self.candidate.proposal(), approval, writes)?, true))
            }
            Scope::Workspace => Ok((self.editor.catalog.holder(head.id, head.scope)?.commit_together(writes)?, false)),
        }
    }

    /// Records the decision on a revision of a workspace, since no transaction spans both databases. If this fails, the next attempt finds
    /// the change in the skill and only records the decision.
    fn record(&self, stored: Stored) -> Result<AcceptedProposal, ProposalError> {
        let Stored { skill, revision, forked, is_recorded } = stored;
        if !is_recorded {
            Failpoint::AcceptStored.reach();
            match self.proposals.record_acceptance(self.candidate.proposal(), revision, self.reason) {
                Ok(()) => {}
                // It was edited since it was read: what was edited isn't in the skill, so it stays open.
                Err(ProposalError::Changed) => log_failure("an accepted proposal stays open", ProposalError::Changed),
                Err(error) => return Err(ProposalError::NotRecorded(Box::new(error))),
            }
        }
        Ok(AcceptedProposal { skill: skill.to_string(), revision, forked })
    }
}
