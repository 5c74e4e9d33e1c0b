//! What waits for a person's decision, and what was decided.

use inklings_core::proposal::{Decision, ProposalFilter, ProposalKind, ProposalStatus};
use inklings_core::trace::TracedSkill;
use inklings_core::{Clock as _, IdSource as _, Proposal, ProposalId, Proposals as _, Scope, SkillId, Slug};
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
    assert_eq!(ids(ProposalFilter { skill: Some(all[2].skill.id), ..ProposalFilter::default() }), [all[2].id]);
}

#[test]
fn it_is_decided_once_and_the_approval_is_recorded() {
    let world = world();
    let (one, other) = (proposal(&world, ""), proposal(&world, ""));
    world.store.put_proposal(&one).unwrap();
    world.store.put_proposal(&other).unwrap();
    let yes = Decision { status: ProposalStatus::Accepted, revision: Some(4), actor: "ann", reason: Some("better") };
    assert!(world.store.decide(one.id, &yes).unwrap());
    let no = Decision { status: ProposalStatus::Rejected, revision: None, actor: "ben", reason: None };
    assert!(!world.store.decide(one.id, &no).unwrap(), "it was decided already");
    assert!(world.store.decide(other.id, &no).unwrap());
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
