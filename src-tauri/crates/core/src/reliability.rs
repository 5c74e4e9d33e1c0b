//! Whether a skill may be offered to agents, and how well it did.

use serde::{Deserialize, Serialize};

use crate::chat::Feedback;
use crate::id::SkillId;
use crate::skill::{Lifecycle, Origin};
use crate::time::Time;

/// Success rate from which a skill that a model wrote is offered.
const RELIABLE: f32 = 0.5;
/// The same for one of a higher trust tier.
const RELIABLE_IF_TRUSTED: f32 = 0.3;
/// Trust tier from which it is trusted.
const TRUSTED_TIER: u8 = 2;
/// Outcomes that an untrusted one needs.
const MIN_OUTCOMES: u32 = 3;

/// Days without a use after which the freshness of a skill is [`MIN_FRESHNESS`].
const STALE_AFTER_DAYS: f64 = 30.0;
pub const MIN_FRESHNESS: f64 = 0.05;
const DAY_MS: f64 = 24.0 * 60.0 * 60.0 * 1000.0;

/// 1 for a skill that was used just now, falling linearly.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "milliseconds far below 2^52")]
pub fn freshness(now: Time, last_used: Time) -> f64 {
    let days = (now.millis() - last_used.millis()).max(0) as f64 / DAY_MS;
    (1.0 - days / STALE_AFTER_DAYS).max(MIN_FRESHNESS)
}

/// The uses of a skill: runs, and answers in chats that loaded it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct UsageSignals {
    pub invocations: u32,
    /// Those that are known to have succeeded or failed: all runs, and the answers that the user judged.
    pub outcomes: u32,
    pub successes: u32,
    /// Answers that the user judged.
    pub judged: u32,
    /// Those that were good.
    pub accepted: u32,
    /// From 0 to 1: rises with each success, falls with each failure.
    pub utility: f32,
}

impl Default for UsageSignals {
    fn default() -> Self {
        Self { invocations: 0, outcomes: 0, successes: 0, judged: 0, accepted: 0, utility: 0.5 }
    }
}

/// The user's judgement of an answer in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// `None` removes the mark.
    Marked(Option<Feedback>),
    /// A proposal of the answer was accepted. Counts unless the answer is marked.
    Accepted,
}

/// Whether an answer that loaded a skill was good. `None` if the user didn't judge it.
#[must_use]
pub fn outcome(feedback: Option<Feedback>, accepted: bool) -> Option<bool> {
    feedback.map(|feedback| feedback == Feedback::Up).or_else(|| accepted.then_some(true))
}

/// The signals of one skill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkillUsage {
    pub id: SkillId,
    pub signals: UsageSignals,
}

impl UsageSignals {
    /// A Bayesian estimate: low for a skill without outcomes.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "numbers of uses")]
    pub fn success_rate(&self) -> f32 {
        (self.successes as f32 + 1.0) / (self.outcomes as f32 + 3.0)
    }

    /// The share of successes, without an estimate. `None` without outcomes.
    #[must_use]
    pub fn task_success_rate(&self) -> Option<f32> {
        share(self.successes, self.outcomes)
    }

    /// The share of good answers. `None` if the user judged none.
    #[must_use]
    pub fn human_acceptance_rate(&self) -> Option<f32> {
        share(self.accepted, self.judged)
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
            _ => self.outcomes >= MIN_OUTCOMES && self.success_rate() >= RELIABLE,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of uses")]
fn share(part: u32, whole: u32) -> Option<f32> {
    (whole > 0).then(|| part as f32 / whole as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(successes: u32, outcomes: u32) -> UsageSignals {
        UsageSignals { invocations: outcomes, outcomes, successes, ..UsageSignals::default() }
    }

    #[test]
    fn a_use_without_an_outcome_counts_neither_way() {
        let loaded = UsageSignals { invocations: 9, ..UsageSignals::default() };
        assert!((loaded.success_rate() - UsageSignals::default().success_rate()).abs() < f32::EPSILON);
        assert_eq!((loaded.task_success_rate(), loaded.human_acceptance_rate()), (None, None));
        assert!(!loaded.is_reliable(Origin::Llm, Lifecycle::Candidate, 1));
        let judged = UsageSignals { outcomes: 4, successes: 1, judged: 2, accepted: 1, ..loaded };
        assert_eq!((judged.task_success_rate(), judged.human_acceptance_rate()), (Some(0.25), Some(0.5)));
    }

    #[test]
    fn freshness_falls_in_thirty_days() {
        let day = |days: i64| Time::from_millis(days * 24 * 60 * 60 * 1000);
        assert!((freshness(day(100), day(100)) - 1.0).abs() < f64::EPSILON);
        assert!((freshness(day(115), day(100)) - 0.5).abs() < 1e-9);
        assert!((freshness(day(400), day(100)) - MIN_FRESHNESS).abs() < f64::EPSILON);
        assert!((freshness(day(99), day(100)) - 1.0).abs() < f64::EPSILON, "a clock that was set back");
    }

    #[test]
    fn a_mark_outweighs_an_accepted_proposal() {
        assert_eq!(outcome(None, false), None);
        assert_eq!(outcome(None, true), Some(true));
        assert_eq!(outcome(Some(Feedback::Up), false), Some(true));
        assert_eq!(outcome(Some(Feedback::Down), true), Some(false));
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
        let (best, unused) = (UsageSignals { utility: 1.0, ..signals(97, 97) }, UsageSignals::default());
        assert!((best.quality(Lifecycle::Released) - 0.997).abs() < 1e-3, "{}", best.quality(Lifecycle::Released));
        assert!((unused.quality(Lifecycle::Released) - 0.855).abs() < 1e-3);
        assert!(unused.quality(Lifecycle::Verified) > unused.quality(Lifecycle::Candidate));
    }

    #[test]
    fn quality_is_the_product_of_lifecycle_success_and_utility() {
        // A rate of one half, and a utility of one half.
        let signals = signals(4, 7);
        let parts = [(Lifecycle::Released, 1.0), (Lifecycle::Verified, 0.95), (Lifecycle::Candidate, 0.8), (Lifecycle::Degraded, 0.7)];
        for (lifecycle, of_lifecycle) in parts {
            let quality = signals.quality(lifecycle);
            assert!((quality - of_lifecycle * 0.925 * 0.95).abs() < 1e-6, "{lifecycle:?}: {quality}");
        }
    }
}
