//! Gates of manifests: points of a run where a person decides.

use std::collections::HashMap;

use inklings_core::manifest::{GateMoment, HumanGate, required_gates};
use inklings_core::proposal::{Approval, Approvals, RecordedDecision};
use inklings_core::trace::{Outcome, Strictness, Trace};
use inklings_core::{Package, RunId, StorageError, TraceStatus};
use inklings_runtime::SkillError;

use super::api::RunGate;

/// The gates that the user opens for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ApprovedGates {
    /// Their keys.
    Keys(Vec<String>),
    /// All before the run: the user was shown them, and permitted the call.
    BeforeRun,
}

impl Default for ApprovedGates {
    fn default() -> Self {
        Self::Keys(Vec::new())
    }
}

impl ApprovedGates {
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Keys(keys) if keys.is_empty())
    }

    fn contains(&self, gate: &HumanGate) -> bool {
        match self {
            Self::BeforeRun => gate.when == GateMoment::BeforeRun,
            Self::Keys(keys) => keys.contains(&gate.key),
        }
    }
}

/// The gates of a skill that were opened before its run. Fails if one is still closed.
pub(crate) fn ensure_open(package: &Package, approved: &ApprovedGates) -> Result<Vec<HumanGate>, SkillError> {
    let gates = required_gates(&package.metadata, GateMoment::BeforeRun);
    let (open, closed): (Vec<_>, Vec<_>) = gates.into_iter().partition(|gate| approved.contains(gate));
    if closed.is_empty() { Ok(open) } else { Err(SkillError::NeedsApproval { skill: package.slug.to_string(), gates: closed }) }
}

/// The gates that a run reached with its output.
pub(crate) fn reached(package: &Package, status: TraceStatus, traces: &[Trace]) -> Vec<HumanGate> {
    if status != TraceStatus::Ok {
        return Vec::new();
    }
    let mut gates = required_gates(&package.metadata, GateMoment::AfterDraft);
    let is_warning = |trace: &Trace| trace.verdicts.iter().any(|one| one.severity == Strictness::Soft && one.outcome == Outcome::Failed);
    if traces.iter().any(is_warning) {
        gates.extend(required_gates(&package.metadata, GateMoment::LowConfidence));
    }
    gates
}

/// Decisions on the gates of runs, in the account's database.
pub(crate) struct GateDecisions<'a> {
    pub(crate) approvals: &'a dyn Approvals,
}

impl GateDecisions<'_> {
    pub(crate) fn put(&self, run: RunId, key: &str, approved: bool, by: Approval<'_>) -> Result<(), StorageError> {
        self.approvals.put_decision(&format!("{run} {key}"), approved, by)
    }

    /// Records the approval of gates that the caller approved beforehand.
    pub(crate) fn approve(&self, run: RunId, gates: &[HumanGate], approved: &ApprovedGates, actor: &str) -> Result<(), StorageError> {
        gates
            .iter()
            .filter(|gate| approved.contains(gate))
            .try_for_each(|gate| self.put(run, &gate.key, true, Approval { actor, reason: Some(&gate.label) }))
    }

    /// Gates with what was decided on them.
    pub(crate) fn of(&self, run: RunId, gates: Vec<HumanGate>) -> Result<Vec<RunGate>, StorageError> {
        if gates.is_empty() {
            return Ok(Vec::new());
        }
        let prefix = format!("{run} ");
        let mut decided: HashMap<String, RecordedDecision> = HashMap::new();
        for decision in self.approvals.decisions(&prefix)? {
            decided.insert(decision.subject[prefix.len()..].to_owned(), decision);
        }
        let with_decision = |HumanGate { key, label, when, .. }| RunGate { decision: decided.remove(&key), key, label, when };
        Ok(gates.into_iter().map(with_decision).collect())
    }
}
