//! The comparison of two variants on the same cases.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::test::sign_flip_p_value;
use super::{ALPHA, Interval, count, wilson};

/// The results of two variants on a case, with the same number of repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CasePair {
    /// Passed repeats of the baseline.
    pub baseline: u32,
    /// Passed repeats of the candidate.
    pub candidate: u32,
    /// Graded repeats of each, above 0.
    pub repeats: u32,
}

impl CasePair {
    fn shares(self) -> (f64, f64) {
        (f64::from(self.baseline) / f64::from(self.repeats), f64::from(self.candidate) / f64::from(self.repeats))
    }
}

/// What a comparison shows at the significance level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ComparisonVerdict {
    Better,
    Worse,
    NoDifferenceShown,
    /// With so few cases not even a difference in all of them would be significant.
    TooFew,
}

/// A candidate beside a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// Cases that both have graded results of.
    pub cases: usize,
    /// Pass rate of the candidate minus that of the baseline.
    pub difference: f64,
    pub interval: Interval,
    /// Two-sided p-value of the exact test.
    pub p_value: f64,
    pub verdict: ComparisonVerdict,
    /// Cases that the candidate passes more often.
    pub improved: usize,
    /// Cases that the candidate passes less often.
    pub regressed: usize,
}

/// `None` without cases.
#[must_use]
pub fn compare(pairs: &[CasePair]) -> Option<Comparison> {
    if pairs.is_empty() {
        return None;
    }
    let differences: Vec<i64> = pairs.iter().map(|pair| i64::from(pair.candidate) - i64::from(pair.baseline)).collect();
    let p_value = sign_flip_p_value(&differences);
    let (difference, interval) = difference(pairs);
    let sum: i64 = differences.iter().sum();
    // The p-value if all cases differed in the same direction.
    let least = 2.0 * 0.5_f64.powi(i32::try_from(pairs.len()).unwrap_or(i32::MAX));
    let verdict = if least > ALPHA {
        ComparisonVerdict::TooFew
    } else if p_value > ALPHA || sum == 0 {
        ComparisonVerdict::NoDifferenceShown
    } else if sum > 0 {
        ComparisonVerdict::Better
    } else {
        ComparisonVerdict::Worse
    };
    Some(Comparison {
        cases: pairs.len(),
        difference,
        interval,
        p_value,
        verdict,
        improved: differences.iter().filter(|one| **one > 0).count(),
        regressed: differences.iter().filter(|one| **one < 0).count(),
    })
}

/// The difference of the rates and its square-and-add interval. The correlation is that of the cases' shares, with the variances of
/// binomial variables; with one repeat it is phi.
fn difference(pairs: &[CasePair]) -> (f64, Interval) {
    let cases = count(pairs.len());
    let (mut baseline, mut candidate, mut products) = (0.0, 0.0, 0.0);
    for (one, other) in pairs.iter().map(|pair| pair.shares()) {
        baseline += one;
        candidate += other;
        products += one * other;
    }
    let (wilson_of_candidate, wilson_of_baseline) = (wilson(candidate, cases), wilson(baseline, cases));
    let (baseline, candidate) = (baseline / cases, candidate / cases);
    let mut covariance = products / cases - baseline * candidate;
    if covariance > 0.0 {
        covariance = (covariance - 1.0 / (2.0 * cases)).max(0.0);
    }
    let deviations = (baseline * (1.0 - baseline) * candidate * (1.0 - candidate)).sqrt();
    let correlation = if deviations > 0.0 { (covariance / deviations).clamp(-1.0, 1.0) } else { 0.0 };
    let margin = |one: f64, other: f64| (one * one - 2.0 * correlation * one * other + other * other).max(0.0).sqrt();
    let below = margin(candidate - wilson_of_candidate.low, wilson_of_baseline.high - baseline);
    let above = margin(wilson_of_candidate.high - candidate, baseline - wilson_of_baseline.low);
    let difference = candidate - baseline;
    (difference, Interval { low: (difference - below).max(-1.0), high: (difference + above).min(1.0) })
}
