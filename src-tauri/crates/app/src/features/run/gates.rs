//! Gates of manifests that a person must open before a skill runs.

use inklings_core::Package;
use inklings_core::manifest::{GateMoment, HumanGate, required_gates};
use inklings_runtime::SkillError;

/// The gates that the user opens for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ApprovedGates {
    /// Their keys.
    Keys(Vec<String>),
    /// All: the user was shown them, and permitted the call.
    All,
}

impl Default for ApprovedGates {
    fn default() -> Self {
        Self::Keys(Vec::new())
    }
}

/// The gates of a skill that were opened. Fails if one is still closed.
pub(crate) fn ensure_open(package: &Package, approved: &ApprovedGates) -> Result<Vec<HumanGate>, SkillError> {
    let gates = required_gates(&package.metadata, GateMoment::BeforeRun);
    let is_open = |gate: &HumanGate| match approved {
        ApprovedGates::All => true,
        ApprovedGates::Keys(keys) => keys.contains(&gate.key),
    };
    let (open, closed): (Vec<_>, Vec<_>) = gates.into_iter().partition(is_open);
    if closed.is_empty() { Ok(open) } else { Err(SkillError::NeedsApproval { skill: package.slug.to_string(), gates: closed }) }
}
