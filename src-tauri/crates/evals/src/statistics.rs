//! Statistics of pass rates. The case is the unit: repeats of a case aren't independent, so they refine its share of passes but
//! don't count as further cases.
//!
//! - Intervals of a rate: Wilson's score interval (E. B. Wilson, JASA 22, 1927; method 3 of R. G. Newcombe, Stat Med 17, 1998, p. 857).
//! - Intervals of a paired difference: the square-and-add interval with continuity correction (method 10 of R. G. Newcombe, Stat Med 17,
//!   1998, p. 2635).
//! - Tests of a paired difference: the exact test of sign flips (R. A. Fisher, The Design of Experiments, 1935). With one repeat it is
//!   the exact `McNemar` test.

mod paired;
mod test;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use paired::{CasePair, Comparison, ComparisonVerdict, compare};
pub use test::sign_flip_p_value;

/// Level of all intervals.
pub const CONFIDENCE: f64 = 0.95;
/// Significance level of all tests.
pub const ALPHA: f64 = 0.05;
/// Quantile of the standard normal distribution at 1 - ALPHA / 2.
const Z: f64 = 1.959_963_984_540_054;

/// A confidence interval at [`CONFIDENCE`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// A rate with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassRate {
    /// Mean share of passed repeats, from 0 to 1.
    pub rate: f64,
    pub interval: Interval,
    /// Number of graded cases.
    pub cases: usize,
}

impl PassRate {
    /// From the share of passed repeats of each case; `None` without cases.
    #[must_use]
    pub fn of(shares: &[f64]) -> Option<Self> {
        if shares.is_empty() {
            return None;
        }
        let sum: f64 = shares.iter().sum();
        let interval = wilson(sum, count(shares.len()));
        Some(Self { rate: sum / count(shares.len()), interval, cases: shares.len() })
    }
}

/// Wilson's score interval of `passed` out of `cases`, which is above 0. Shares add up to a fractional number of passes; their variance is
/// at most that of a binomial variable, so the interval is then conservative.
#[must_use]
pub fn wilson(passed: f64, cases: f64) -> Interval {
    let rate = passed / cases;
    let z2 = Z * Z;
    let center = rate + z2 / (2.0 * cases);
    let margin = Z * (rate * (1.0 - rate) / cases + z2 / (4.0 * cases * cases)).max(0.0).sqrt();
    let scale = 1.0 + z2 / cases;
    Interval { low: ((center - margin) / scale).clamp(0.0, rate), high: ((center + margin) / scale).clamp(rate, 1.0) }
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases are far below 2^52")]
pub(crate) const fn count(cases: usize) -> f64 {
    cases as f64
}
