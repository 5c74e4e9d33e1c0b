//! Whether a skill may be offered to agents, and how well it did.

use serde::{Deserialize, Serialize};

use crate::id::SkillId;
use crate::skill::{Lifecycle, Origin};

/// Success rate from which a skill that a model wrote is offered.
const RELIABLE: f32 = 0.5;
/// The same for one of a higher trust tier.
const RELIABLE_IF_TRUSTED: f32 = 0.3;
/// Trust tier from which it is trusted.
const TRUSTED_TIER: u8 = 2;
/// Runs that an untrusted one needs.
const MIN_INVOCATIONS: u32 = 3;

/// The runs of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct UsageSignals {
    pub invocations: u32,
    pub successes: u32,
    /// From 0 to 1: rises with each success, falls with each failure.
    pub utility: f32,
}

impl Default for UsageSignals {
    fn default() -> Self {
        Self { invocations: 0, successes: 0, utility: 0.5 }
    }
}

/// The signals of one skill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkillUsage {
    pub id: SkillId,
    pub signals: UsageSignals,
}

impl UsageSignals {
    /// A Bayesian estimate: low for a skill that wasn't run yet.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "numbers of runs")]
    pub fn success_rate(&self) -> f32 {
        (self.successes as f32 + 1.0) / (self.invocations as f32 + 3.0)
    }

    /// What the score of a skill is multiplied by, up to 1.
    #[must_use]
    pub fn quality(&self, lifecycle: Lifecycle) -> f32 {
        let of_lifecycle = match lifecycle {
            Lifecycle::Released => 1.0,
            Lifecycle::Verified => 0.95,
            Lifecycle::Candidate => 0.8,
            Lifecycle::Degraded | Lifecycle::Deprecated | Lifecycle::Archived => 0.7,
        };
        of_lifecycle * 0.15_f32.mul_add(self.success_rate(), 0.85) * 0.1_f32.mul_add(self.utility, 0.9)
    }

    /// Whether agents may be offered the skill: what people wrote always, what a model wrote once it was verified or proved itself.
    #[must_use]
    pub fn is_reliable(&self, origin: Origin, lifecycle: Lifecycle, trust_tier: u8) -> bool {
        match (origin, lifecycle) {
            (Origin::Human, _) | (_, Lifecycle::Released | Lifecycle::Verified) => true,
            _ if trust_tier >= TRUSTED_TIER => self.success_rate() >= RELIABLE_IF_TRUSTED,
            _ => self.invocations >= MIN_INVOCATIONS && self.success_rate() >= RELIABLE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(successes: u32, invocations: u32) -> UsageSignals {
        UsageSignals { invocations, successes, ..UsageSignals::default() }
    }

    #[test]
    fn a_model_s_skill_has_to_prove_itself() {
        let passes = |tier, successes, invocations| signals(successes, invocations).is_reliable(Origin::Llm, Lifecycle::Candidate, tier);
        assert!(!passes(1, 0, 0) && !passes(1, 2, 2), "not before three runs");
        assert!(passes(1, 2, 3) && !passes(1, 1, 3));
        assert!(passes(2, 0, 0) && !passes(2, 0, 1), "a third is the estimate without runs");
        assert!(signals(0, 9).is_reliable(Origin::Human, Lifecycle::Candidate, 1));
        assert!(signals(0, 9).is_reliable(Origin::Llm, Lifecycle::Verified, 1));
    }

    #[test]
    fn quality_rises_with_success_and_utility() {
        let (best, unused) = (UsageSignals { invocations: 97, successes: 97, utility: 1.0 }, UsageSignals::default());
        assert!((best.quality(Lifecycle::Released) - 0.997).abs() < 1e-3, "{}", best.quality(Lifecycle::Released));
        assert!((unused.quality(Lifecycle::Released) - 0.855).abs() < 1e-3);
        assert!(unused.quality(Lifecycle::Verified) > unused.quality(Lifecycle::Candidate));
    }
}
