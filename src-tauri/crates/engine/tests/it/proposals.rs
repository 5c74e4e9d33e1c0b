//! Accepting a proposal: the revision, the decision and its approval come together, or the next attempt heals what is missing.

use std::path::PathBuf;
use std::sync::Arc;

use inklings_app::App;
use inklings_app::features::proposal::{Accept, AcceptParams, AcceptedProposal, DecideParams, ListProposals, ProposalListParams, Reject};
use inklings_app::features::skill::{Change, Edit, EditParams, Fork, Get, List, ListParams, ListView};
use inklings_app::wire::{SkillDetail, SkillRef};
use inklings_core::proposal::ProposalStatus;
use inklings_core::{ProposalId, Scope, SkillPath};
use inklings_engine::Engine;
use inklings_rpc::{BlockingOperation, CallContext, Code, Failure, Operation as _};

use crate::hooks::{Hooks, hooked};
use crate::proposed::{PROGRAM, SHIPPED, STATE, proposed};
use crate::support::beside_work;

struct World {
    engine: Engine,
    _folder: tempfile::TempDir,
    workspace: Option<PathBuf>,
    hooks: Hooks,
    app: Arc<App>,
}

impl World {
    fn new(in_workspace: bool) -> Self {
        let (engine, folder) = beside_work();
        let hooks = Hooks::default();
        let app = hooked(&engine, &hooks);
        let workspace = in_workspace.then(|| folder.path().join("work").canonicalize().unwrap());
        Self { engine, _folder: folder, workspace, hooks, app }
    }

    fn ask<T: BlockingOperation<App = App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        let result = T::run(&self.app, &CallContext::local(self.workspace.clone(), "test"), params);
        assert!(self.hooks.are_done(), "{} didn't come where the test waited for it", T::NAME);
        result
    }

    fn get(&self, skill: &str) -> SkillDetail {
        self.ask::<Get>(SkillRef { skill: skill.to_owned(), scope: None }).unwrap()
    }

    /// A better state of a skill's program, which waits for a decision.
    fn proposed(&self, skill: &SkillDetail) -> ProposalId {
        proposed(self.engine.app(), skill)
    }

    fn accept(&self, id: ProposalId) -> Result<AcceptedProposal, Failure> {
        let params = AcceptParams { id, reason: None, paths: None, scope: None };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let result = runtime.block_on(Accept::call(self.app.clone(), CallContext::local(self.workspace.clone(), "test"), params));
        assert!(self.hooks.are_done(), "accepting didn't come where the test waited for it");
        result
    }

    fn stands(&self, id: ProposalId) -> (ProposalStatus, Option<i64>) {
        let proposal = self.engine.app().proposals.proposal(id).unwrap().unwrap();
        (proposal.status, proposal.revision)
    }

    /// Whether the skill's state isn't the shipped one.
    fn has_new_state(&self, skill: &SkillDetail) -> bool {
        let shipped = self.ask::<Get>(SkillRef { skill: SHIPPED.to_owned(), scope: Some(Scope::Account) }).unwrap();
        sha256(skill, STATE) != sha256(&shipped, STATE)
    }

    /// The skills of the shipped one's name and of its copies: scope, slug and revision.
    fn checkers(&self) -> Vec<(Scope, String, i64)> {
        let skills = self.ask::<List>(ListParams { view: ListView::All }).unwrap().skills;
        let all = skills.into_iter().filter(|one| one.slug.as_str().starts_with(SHIPPED));
        all.map(|one| (one.scope, one.slug.to_string(), one.revision)).collect()
    }
}

fn sha256(skill: &SkillDetail, path: &str) -> String {
    skill.entries.iter().find(|entry| entry.path.as_str() == path).unwrap().sha256.to_string()
}

#[test]
fn in_the_account_nothing_is_stored_when_the_decision_can_not_be() {
    let world = World::new(false);
    let own = world.ask::<Fork>(SkillRef { skill: SHIPPED.to_owned(), scope: None }).unwrap();
    let slug = own.summary.slug.as_str();
    let id = world.proposed(&own);
    world.hooks.fail("accept");
    assert_eq!(world.accept(id).unwrap_err().code, Code::Io);
    assert_eq!((world.get(slug).summary.revision, world.stands(id)), (1, (ProposalStatus::Open, None)));
    let done = world.accept(id).unwrap();
    assert_eq!((done.skill.as_str(), done.revision, done.forked), (slug, 2, false));
    assert_eq!(world.stands(id), (ProposalStatus::Accepted, Some(2)));
    assert!(world.has_new_state(&world.get(slug)));
    assert_eq!(world.accept(id).unwrap_err().code, Code::RevisionConflict);
}

#[test]
fn a_locked_skill_is_forked_and_changed_at_once() {
    let world = World::new(false);
    let id = world.proposed(&world.get(SHIPPED));
    world.hooks.fail("accept");
    assert_eq!(world.accept(id).unwrap_err().code, Code::Io);
    assert_eq!(world.checkers(), [(Scope::Account, SHIPPED.to_owned(), 1)]);
    let done = world.accept(id).unwrap();
    let copy = format!("{SHIPPED}-copy");
    assert_eq!((done.skill.as_str(), done.revision, done.forked), (copy.as_str(), 2, true));
    assert_eq!(world.stands(id), (ProposalStatus::Accepted, Some(2)));
    assert!(world.has_new_state(&world.get(&copy)));
}

#[test]
fn in_a_workspace_the_next_attempt_only_records_what_is_stored() {
    // A locked skill is forked into the workspace, another one is changed there.
    for forked in [true, false] {
        let world = World::new(true);
        if !forked {
            world.ask::<Fork>(SkillRef { skill: SHIPPED.to_owned(), scope: None }).unwrap();
        }
        let id = world.proposed(&world.get(SHIPPED));
        world.hooks.fail("decide");
        let refused = world.accept(id).unwrap_err();
        assert!(refused.hint.as_ref().unwrap().contains("accept"), "{refused:?}");
        assert_eq!(world.stands(id), (ProposalStatus::Open, None));
        let stored = world.checkers();
        assert_eq!(stored.len(), 2, "{stored:?}");
        let done = world.accept(id).unwrap();
        assert_eq!((done.skill.as_str(), done.revision, done.forked), (SHIPPED, 2, forked));
        assert_eq!(world.stands(id), (ProposalStatus::Accepted, Some(2)));
        assert_eq!(world.checkers(), stored, "nothing is made twice");
        assert!(world.has_new_state(&world.get(SHIPPED)));
    }
}

#[test]
fn an_override_that_someone_made_is_not_taken_for_the_fork_of_a_proposal() {
    let world = World::new(true);
    let id = world.proposed(&world.ask::<Get>(SkillRef { skill: SHIPPED.to_owned(), scope: Some(Scope::Account) }).unwrap());
    world.ask::<Fork>(SkillRef { skill: SHIPPED.to_owned(), scope: None }).unwrap();
    assert_eq!(world.accept(id).unwrap_err().code, Code::Exists);
    assert_eq!(world.stands(id), (ProposalStatus::Open, None));
}

#[test]
fn of_two_who_decide_at_once_the_later_one_learns_of_the_other() {
    let world = World::new(false);
    let own = world.ask::<Fork>(SkillRef { skill: SHIPPED.to_owned(), scope: None }).unwrap();
    let id = world.proposed(&own);
    let other = world.engine.app().clone();
    world.hooks.before("accept", move || {
        Reject::run(&other, &CallContext::local(None, "other"), DecideParams { id, reason: None }).unwrap();
        Ok(())
    });
    let refused = world.accept(id).unwrap_err();
    assert_eq!((refused.code, refused.message.contains("rejected")), (Code::RevisionConflict, true), "{refused:?}");
    assert_eq!(world.get(own.summary.slug.as_str()).summary.revision, 1);
}

#[test]
fn a_state_is_not_put_beside_a_program_that_changed_in_between() {
    let world = World::new(false);
    let own = world.ask::<Fork>(SkillRef { skill: SHIPPED.to_owned(), scope: None }).unwrap();
    let id = world.proposed(&own);
    let (other, slug) = (world.engine.app().clone(), own.summary.slug.to_string());
    let skill = slug.clone();
    world.hooks.before("accept", move || {
        let text = r#"{"template_id": "predict", "signature": "claims -> contradictions"}"#.to_owned();
        let changes = vec![Change::Write { path: SkillPath::parse(PROGRAM).unwrap(), text }];
        let params = EditParams { skill, scope: None, expected: 1, changes, why: None };
        Edit::run(&other, &CallContext::local(None, "other"), params).unwrap();
        Ok(())
    });
    // The program's text and its state are two files, so an edit of the one could be carried onto that of the other.
    assert_eq!(world.accept(id).unwrap_err().code, Code::RevisionConflict);
    assert_eq!(world.ask::<ListProposals>(ProposalListParams::default()).unwrap().open, 1);
    assert!(!world.has_new_state(&world.get(&slug)) && world.get(&slug).summary.revision == 2);
}
