//! The loop of improving a skill as six stages with their honest status.

use inklings_core::manifest::{PromotionMode, SkillManifestV1, summarize};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StageId {
    Target,
    Criteria,
    Cases,
    Candidates,
    Scores,
    Promotion,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StageStatus {
    Ready,
    /// Declared but not complete.
    Partial,
    Empty,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stage {
    pub id: StageId,
    pub status: StageStatus,
    /// What there is.
    pub detail: String,
    /// What to do next. Null if it is ready.
    pub next: Option<String>,
}

/// The stages in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OptimizationLoop {
    pub stages: Vec<Stage>,
    /// Number of stages that are ready, of six.
    pub ready: usize,
}

/// What is known beside the manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evidence {
    /// Cases whose output is checked, of the manifest and of `evals/`.
    pub tasks: usize,
    pub triggers: usize,
    /// Whether a case has checks of its own.
    pub checked: bool,
    /// Whether there is a complete eval run, and whether it is of the current revision.
    pub scored: Option<bool>,
    /// Proposals that wait for a decision.
    pub proposals: usize,
}

impl OptimizationLoop {
    #[must_use]
    pub fn of(name: &str, manifest: &SkillManifestV1, evidence: Evidence) -> Self {
        let stages = vec![
            stage(StageId::Target, StageStatus::Ready, name.to_owned(), ""),
            criteria(manifest, evidence),
            cases(evidence),
            candidates(manifest, evidence),
            scores(manifest, evidence),
            promotion(manifest),
        ];
        let ready = stages.iter().filter(|one| one.status == StageStatus::Ready).count();
        Self { stages, ready }
    }
}

fn stage(id: StageId, status: StageStatus, detail: String, next: &str) -> Stage {
    Stage { id, status, detail, next: (status != StageStatus::Ready).then(|| next.to_owned()) }
}

fn plural(count: usize, one: &str) -> String {
    match (count, one) {
        (1, one) => format!("1 {one}"),
        (_, "criterion") => format!("{count} criteria"),
        (_, one) => format!("{count} {one}s"),
    }
}

fn criteria(manifest: &SkillManifestV1, evidence: Evidence) -> Stage {
    let declared = manifest.evals.success_criteria.len() + manifest.evals.criteria_set_refs.len();
    let (status, detail) = match (declared, evidence.checked) {
        (0, false) => (StageStatus::Empty, "no criteria".to_owned()),
        (0, true) => (StageStatus::Partial, "checks of cases only".to_owned()),
        (count, _) => (StageStatus::Ready, plural(count, "criterion")),
    };
    stage(StageId::Criteria, status, detail, "Say what a good result is: add success criteria to the manifest.")
}

fn cases(evidence: Evidence) -> Stage {
    let detail = format!("{}, {}", plural(evidence.tasks, "task"), plural(evidence.triggers, "trigger case"));
    let status = match (evidence.tasks, evidence.triggers) {
        (0, 0) => StageStatus::Empty,
        (0, _) | (_, 0) => StageStatus::Partial,
        _ => StageStatus::Ready,
    };
    let next =
        if evidence.tasks == 0 { "Add cases, or save a run as one." } else { "Add requests that should and shouldn't fire the skill." };
    stage(StageId::Cases, status, detail, next)
}

fn candidates(manifest: &SkillManifestV1, evidence: Evidence) -> Stage {
    let (status, detail) = match (manifest.evals.baseline(), evidence.proposals) {
        (None, 0) => (StageStatus::Empty, "no baseline and no proposal".to_owned()),
        (_, count) if count > 0 => (StageStatus::Ready, plural(count, "open proposal")),
        (Some(name), _) if evidence.scored.is_some() => (StageStatus::Ready, format!("compared with {name}")),
        (Some(name), _) => (StageStatus::Partial, format!("baseline {name}, not scored yet")),
        (None, _) => (StageStatus::Empty, String::new()),
    };
    stage(StageId::Candidates, status, detail, "Optimize the skill, or name a baseline in the manifest.")
}

fn scores(manifest: &SkillManifestV1, evidence: Evidence) -> Stage {
    let metrics = manifest.evals.tracked_metrics.len();
    let (status, detail) = match (evidence.scored, metrics) {
        (Some(true), _) => (StageStatus::Ready, "the current revision is scored".to_owned()),
        (Some(false), _) => (StageStatus::Partial, "an earlier revision is scored".to_owned()),
        (None, 0) => (StageStatus::Empty, "never scored".to_owned()),
        (None, count) => (StageStatus::Partial, format!("{} declared, none measured", plural(count, "metric"))),
    };
    stage(StageId::Scores, status, detail, "Run the cases.")
}

fn promotion(manifest: &SkillManifestV1) -> Stage {
    let declared = manifest.evals.optimization.as_ref().and_then(|policy| policy.promotion.as_ref());
    let review = summarize(manifest).review_mode;
    let (status, detail) = match (declared, review, manifest.human_gates.len()) {
        (Some(promotion), ..) => {
            let threshold = promotion.min_overall_score.map(|score| format!(", at least {score} of 5")).unwrap_or_default();
            let by = match promotion.mode {
                PromotionMode::HumanGate => "by a person",
                PromotionMode::AutonomousThreshold => "by a score",
            };
            (StageStatus::Ready, format!("{by}{threshold}"))
        }
        (None, Some(_), gates) if gates > 0 => (StageStatus::Ready, plural(gates, "gate")),
        (None, Some(_), _) => (StageStatus::Partial, "a review mode without gates".to_owned()),
        (None, None, gates) if gates > 0 => (StageStatus::Partial, format!("{} without a review mode", plural(gates, "gate"))),
        (None, None, _) => (StageStatus::Empty, "a person decides, nothing is declared".to_owned()),
    };
    stage(StageId::Promotion, status, detail, "Declare how a version is promoted: by a person, or by a score.")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn statuses(manifest: serde_json::Value, evidence: Evidence) -> (Vec<StageStatus>, usize) {
        let found = OptimizationLoop::of("Minutes", &serde_json::from_value(manifest).unwrap(), evidence);
        assert!(found.stages.iter().all(|one| one.next.is_some() == (one.status != StageStatus::Ready)), "{found:?}");
        (found.stages.iter().map(|one| one.status).collect(), found.ready)
    }

    #[test]
    fn stages_are_ready_partial_or_empty_by_what_there_is() {
        use StageStatus::{Empty, Partial, Ready};
        assert_eq!(statuses(json!({ "version": 1 }), Evidence::default()), (vec![Ready, Empty, Empty, Empty, Empty, Empty], 1));
        let manifest = json!({ "version": 1, "evals": { "trackedMetrics": ["cost"], "baselineSkillSlug": "old" }, "humanGates": [
            { "key": "a", "label": "A", "when": "before_run", "required": true }] });
        let evidence = Evidence { tasks: 2, checked: true, ..Evidence::default() };
        assert_eq!(statuses(manifest.clone(), evidence), (vec![Ready, Partial, Partial, Partial, Partial, Partial], 1));
        let evidence = Evidence { triggers: 1, scored: Some(true), ..evidence };
        assert_eq!(statuses(manifest, evidence), (vec![Ready, Partial, Ready, Ready, Ready, Partial], 4));
        let manifest =
            json!({ "version": 1, "evals": { "successCriteria": ["x"], "optimization": { "promotion": { "mode": "human_gate" } } } });
        let evidence = Evidence { scored: Some(false), proposals: 1, ..evidence };
        assert_eq!(statuses(manifest, evidence), (vec![Ready, Ready, Ready, Ready, Partial, Ready], 5));
    }
}
