//! Sums up verdicts.

use inklings_core::trace::{Outcome, Strictness, Verdict};

/// The sum of verdicts, without those that were not run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    pub run: u32,
    pub passed: u32,
    /// Weighted mean of the scores, from 0 to 1; None if nothing with a weight was run.
    pub weighted: Option<f64>,
    /// Whether a hard assertion failed.
    pub hard_failed: bool,
}

impl Score {
    /// A verdict without a score counts as 1 or 0.
    #[must_use]
    pub fn of(verdicts: &[Verdict]) -> Self {
        let mut score = Self { run: 0, passed: 0, weighted: None, hard_failed: false };
        let (mut weights, mut sum) = (0.0, 0.0);
        for verdict in verdicts.iter().filter(|verdict| verdict.outcome != Outcome::NotRun) {
            let passed = verdict.outcome == Outcome::Passed;
            score.run += 1;
            score.passed += u32::from(passed);
            score.hard_failed |= !passed && verdict.severity == Strictness::Hard;
            weights += verdict.weight;
            sum += verdict.weight * verdict.score.unwrap_or(f64::from(u8::from(passed)));
        }
        score.weighted = (weights > 0.0).then(|| sum / weights);
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(outcome: Outcome, severity: Strictness, weight: f64, score: Option<f64>) -> Verdict {
        let text = String::new;
        Verdict { description: text(), assertion: text(), severity, weight, outcome, score, explanation: text() }
    }

    #[test]
    fn what_was_not_run_counts_nowhere() {
        use Outcome::{Failed, NotRun, Passed};
        use Strictness::{Hard, Soft};
        let none = Score { run: 0, passed: 0, weighted: None, hard_failed: false };
        assert_eq!(Score::of(&[]), none);
        assert_eq!(Score::of(&[verdict(NotRun, Hard, 1.0, None)]), none);
        let verdicts = [
            verdict(Passed, Soft, 1.0, None),
            verdict(Passed, Soft, 2.0, Some(0.75)),
            verdict(Failed, Soft, 1.0, None),
            verdict(NotRun, Hard, 9.0, None),
        ];
        assert_eq!(Score::of(&verdicts), Score { run: 3, passed: 2, weighted: Some(0.625), hard_failed: false });
        assert!(Score::of(&[verdict(Failed, Hard, 0.0, None)]).hard_failed);
        assert_eq!(Score::of(&[verdict(Failed, Hard, 0.0, None)]).weighted, None);
    }
}
