//! A proposal for the program of a shipped skill, as stored by an optimization.

use inklings_app::App;
use inklings_app::wire::SkillDetail;
use inklings_core::proposal::{ProposalKind, ProposalStatus};
use inklings_core::trace::{TracedSkill, Usage};
use inklings_core::{Proposal, ProposalId, SkillPath};
use serde_json::json;

/// The shipped skill with a program.
pub(crate) const SHIPPED: &str = "consistency-checker";
/// The program.
pub(crate) const PROGRAM: &str = "dspy/dspy-checker.json";

/// Its state.
pub(crate) const STATE: &str = "dspy/dspy-checker.state.json";

/// Proposes a better state of the program in the shipped skill, or in a fork of it.
pub(crate) fn proposed(app: &App, skill: &SkillDetail) -> ProposalId {
    let sha256 = |path: &str| skill.entries.iter().find(|entry| entry.path.as_str() == path).unwrap().sha256;
    let mut body = json!({
        "run": app.ids.uuid(), "artifact": "DSPy Checker", "content_sha256": sha256(PROGRAM), "state_sha256": sha256(STATE),
        "optimizer": "labeled_few_shot", "options": {}, "metric": { "type": "assertions" }, "seed": 1, "dspy": null, "model": null,
        "train": { "before": 0.5, "after": 1.0 }, "validation": null, "stopped": null, "before": [], "after": [],
        "state_blob": { "predict": { "demos": [] } }, "trainset": [], "valset": [],
    });
    let usage = serde_json::to_value(Usage::default()).unwrap();
    body.as_object_mut().unwrap().extend(usage.as_object().unwrap().clone());
    let summary = &skill.summary;
    let proposal = Proposal {
        id: ProposalId::new(app.ids.uuid()),
        kind: ProposalKind::Optimisation,
        workspace: String::new(),
        skill: TracedSkill { scope: summary.scope, id: summary.id, slug: summary.slug.clone(), revision: summary.revision },
        artifact_path: Some(SkillPath::parse(PROGRAM).unwrap()),
        title: "Better".to_owned(),
        status: ProposalStatus::Open,
        body,
        revision: None,
        created_at: app.clock.now(),
        decided_at: None,
    };
    app.proposals.put_proposal(&proposal).unwrap();
    proposal.id
}
