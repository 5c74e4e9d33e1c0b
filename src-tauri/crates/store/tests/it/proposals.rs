//! Proposals and decisions.

use inklings_core::proposal::{Approval, Decision, ProposalFilter, ProposalKind, ProposalStatus};
use inklings_core::trace::TracedSkill;
use inklings_core::{
    ChangeSet, Clock as _, Expected, IdSource as _, Proposal, ProposalId, Proposals as _, Scope, Skill, SkillFile, SkillId,
    SkillStorageRepository as _, Slug, StorageError, TreeFile,
};
use serde_json::json;

use crate::support::{World, path, world};

fn proposal(world: &World, workspace: &str) -> Proposal {
    let skill =
        TracedSkill { scope: Scope::Account, id: SkillId::new(world.ids.uuid()), slug: Slug::parse("checker").unwrap(), revision: 3 };
    Proposal {
        id: ProposalId::new(world.ids.uuid()),
        kind: ProposalKind::Optimisation,
        workspace: workspace.to_owned(),
        skill,
        artifact_path: Some(path("dspy/answer.json")),
        title: "Better answers".to_owned(),
        status: ProposalStatus::Open,
        body: json!({ "score": 0.75, "text": "é\u{1F980}" }),
        revision: None,
        created_at: world.clock.now(),
        decided_at: None,
    }
}

#[test]
fn a_proposal_comes_back_as_it_was_put_newest_first() {
    let world = world();
    assert!(world.store.proposals(&ProposalFilter::default()).unwrap().is_empty());
    let all: Vec<_> = ["", "/w", "/other"].map(|workspace| proposal(&world, workspace)).into();
    for one in &all {
        world.store.put_proposal(one).unwrap();
    }
    assert_eq!(world.store.proposal(all[1].id).unwrap().as_ref(), Some(&all[1]));
    assert_eq!(world.store.proposal(ProposalId::new(world.ids.uuid())).unwrap(), None);
    let ids = |filter: ProposalFilter| world.store.proposals(&filter).unwrap().iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(ids(ProposalFilter::default()), [all[2].id, all[1].id, all[0].id]);
    let of = |workspace: &str| ProposalFilter { workspace: Some(workspace.to_owned()), ..ProposalFilter::default() };
    assert_eq!(ids(of("/w")), [all[1].id, all[0].id]);
    assert_eq!(ids(of("")), [all[0].id]);
    assert_eq!(ids(ProposalFilter { without_account: true, ..of("/w") }), [all[1].id]);
    assert_eq!(ids(ProposalFilter { without_account: true, ..of("") }), []);
    assert_eq!(ids(ProposalFilter { skill: Some(all[2].skill.id), ..ProposalFilter::default() }), [all[2].id]);
}

#[test]
fn it_is_decided_once_and_the_approval_is_recorded() {
    let world = world();
    let (one, other) = (proposal(&world, ""), proposal(&world, ""));
    world.store.put_proposal(&one).unwrap();
    world.store.put_proposal(&other).unwrap();
    let yes = Decision { status: ProposalStatus::Accepted, revision: Some(4), actor: "ann", reason: Some("better") };
    assert!(world.store.decide(&one, &yes).unwrap());
    let no = Decision { status: ProposalStatus::Rejected, revision: None, actor: "ben", reason: None };
    assert!(!world.store.decide(&one, &no).unwrap(), "it was decided already");
    assert!(world.store.decide(&other, &no).unwrap());
    let stored = world.store.proposal(one.id).unwrap().unwrap();
    assert_eq!((stored.status, stored.revision, stored.decided_at.is_some()), (ProposalStatus::Accepted, Some(4), true));
    let open = ProposalFilter { status: Some(ProposalStatus::Open), ..ProposalFilter::default() };
    assert!(world.store.proposals(&open).unwrap().is_empty());
    let raw = rusqlite::Connection::open(world.folder.path().join("agents.db")).unwrap();
    let mut statement = raw
        .prepare("SELECT subject || ' ' || decision || ' ' || actor || ' ' || coalesce(reason, '-') FROM approvals ORDER BY id")
        .unwrap();
    let approvals: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(approvals, [format!("{} approved ann better", one.id), format!("{} rejected ben -", other.id)]);
}

/// A proposal for a stored skill, and the write that accepts it.
fn with_write(world: &World) -> (Proposal, Skill, Vec<(ChangeSet, Expected)>) {
    let skill = world.stored("Checker");
    let mut after = skill.clone();
    after.package.files.push(SkillFile { path: path("new.md"), entry: TreeFile::new(*b"New") });
    let change = ChangeSet::between(Some(&skill), Some(after), skill.head.id, "ann", "accepted");
    let one = proposal(world, "");
    world.store.put_proposal(&one).unwrap();
    (one, skill, vec![(change, Expected::Revision(1))])
}

const APPROVAL: Approval<'_> = Approval { actor: "ann", reason: Some("better") };

#[test]
fn accepting_stores_revision_decision_and_approval_together() {
    let world = world();
    let (one, skill, writes) = with_write(&world);
    let raw = rusqlite::Connection::open(world.folder.path().join("agents.db")).unwrap();
    // A late failure rolls back everything.
    raw.execute_batch("CREATE TRIGGER refuse BEFORE INSERT ON approvals BEGIN SELECT raise(ABORT, 'no room'); END").unwrap();
    assert!(world.store.accept(&one, APPROVAL, &writes).is_err());
    let stands = || world.store.proposal(one.id).unwrap().map(|one| (one.status, one.revision)).unwrap();
    let revision = || world.store.present(skill.head.id).unwrap().head.revision;
    assert_eq!((revision(), stands()), (1, (ProposalStatus::Open, None)));
    raw.execute_batch("DROP TRIGGER refuse").unwrap();
    assert_eq!(world.store.accept(&one, APPROVAL, &writes).unwrap(), [2]);
    assert_eq!((revision(), stands()), (2, (ProposalStatus::Accepted, Some(2))));
    let approvals: i64 = raw.query_row("SELECT count(*) FROM approvals WHERE decision = 'approved'", [], |row| row.get(0)).unwrap();
    assert_eq!(approvals, 1);
}

#[test]
fn what_is_decided_already_stores_nothing() {
    let world = world();
    let (one, skill, writes) = with_write(&world);
    let no = Decision { status: ProposalStatus::Rejected, revision: None, actor: "ben", reason: None };
    assert!(world.store.decide(&one, &no).unwrap());
    assert!(matches!(world.store.accept(&one, APPROVAL, &writes), Err(StorageError::NotFound { .. })));
    assert_eq!(world.store.present(skill.head.id).unwrap().head.revision, 1);
    let count = |status| world.store.count_proposals(&ProposalFilter { status, ..ProposalFilter::default() }).unwrap();
    assert_eq!((count(None), count(Some(ProposalStatus::Open)), count(Some(ProposalStatus::Rejected))), (1, 0, 1));
}

#[test]
fn what_was_changed_since_it_was_read_is_neither_replaced_nor_decided() {
    let world = world();
    let (one, skill, writes) = with_write(&world);
    let edited = Proposal { title: "Edited".to_owned(), body: json!({ "text": "edited" }), ..one.clone() };
    assert!(world.store.update_proposal(&one, &edited).unwrap());
    let late = Proposal { body: json!({ "text": "late" }), ..one.clone() };
    assert!(!world.store.update_proposal(&one, &late).unwrap());
    let no = Decision { status: ProposalStatus::Rejected, revision: None, actor: "ben", reason: None };
    assert!(!world.store.decide(&one, &no).unwrap());
    assert!(matches!(world.store.accept(&one, APPROVAL, &writes), Err(StorageError::NotFound { .. })));
    assert_eq!(world.store.present(skill.head.id).unwrap().head.revision, 1);
    assert_eq!(world.store.proposal(one.id).unwrap().as_ref(), Some(&edited));
    assert_eq!(world.store.accept(&edited, APPROVAL, &writes).unwrap(), [2]);
    assert!(!world.store.update_proposal(&edited, &late).unwrap(), "it was decided");
}
