//! Gates of manifests: points of a run where a person decides.

use std::collections::HashMap;

use inklings_core::manifest::{GateMoment, HumanGate, required_gates};
use inklings_core::proposal::{Approval, Approvals, RecordedDecision};
use inklings_core::trace::{Outcome, Strictness, Trace};
use inklings_core::{Package, RunId, StorageError, TraceStatus};
use inklings_runtime::SkillError;

use super::api::RunGate;
use crate::after_write::after_write;

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

/// Whether the output of a skill may wait for a decision.
pub(crate) fn may_hold_output(package: &Package) -> bool {
    [GateMoment::AfterDraft, GateMoment::LowConfidence].into_iter().any(|when| !required_gates(&package.metadata, when).is_empty())
}

/// Removes what a step put out, and what it was sent: that may be the output of an earlier one.
pub(crate) fn clear_output(trace: &mut Trace) {
    (trace.rendered_input, trace.raw_output, trace.log, trace.detail) = (None, None, None, None);
    trace.verdicts.clear();
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
        Ok(with_decisions(gates, self.decided(run)?))
    }

    /// Records the approval of gates that a run reached with its output, and returns them with what was decided. The run has ended, so this
    /// can't fail: a gate whose approval isn't stored or can't be read waits for a decision.
    pub(crate) fn after_run(&self, run: RunId, gates: Vec<HumanGate>, approved: &ApprovedGates, actor: &str) -> Vec<RunGate> {
        if gates.is_empty() {
            return Vec::new();
        }
        after_write("recording the approval of its output", self.approve(run, &gates, approved, actor));
        with_decisions(gates, after_write("reading the decisions on its output", self.decided(run)))
    }

    /// Decisions by the key of their gate.
    fn decided(&self, run: RunId) -> Result<HashMap<String, RecordedDecision>, StorageError> {
        let prefix = format!("{run} ");
        let mut decided = HashMap::new();
        for decision in self.approvals.decisions(&prefix)? {
            decided.insert(decision.subject[prefix.len()..].to_owned(), decision);
        }
        Ok(decided)
    }
}

fn with_decisions(gates: Vec<HumanGate>, mut decided: HashMap<String, RecordedDecision>) -> Vec<RunGate> {
    gates.into_iter().map(|HumanGate { key, label, when, .. }| RunGate { decision: decided.remove(&key), key, label, when }).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A database on a full disk.
    struct Full;

    fn full() -> StorageError {
        StorageError::DiskFull { path: PathBuf::from("agents.db") }
    }

    impl Approvals for Full {
        fn put_decision(&self, _: &str, _: bool, _: Approval<'_>) -> Result<(), StorageError> {
            Err(full())
        }

        fn decisions(&self, _: &str) -> Result<Vec<RecordedDecision>, StorageError> {
            Err(full())
        }
    }

    #[test]
    fn an_ended_run_is_reported_and_its_gate_stays_closed_when_the_approval_is_not_stored() {
        let gate = HumanGate { key: "send".to_owned(), label: "Send it".to_owned(), when: GateMoment::AfterDraft, required: true };
        let approved = ApprovedGates::Keys(vec!["send".to_owned()]);
        let decisions = GateDecisions { approvals: &Full };
        let gates = decisions.after_run(RunId::new(uuid::Uuid::nil()), vec![gate], &approved, "local");
        assert_eq!(gates.len(), 1);
        assert!(gates[0].key == "send" && gates[0].decision.is_none(), "{gates:?}");
    }
}
