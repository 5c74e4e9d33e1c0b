//! What a run may use, and what it has used; shared by everything that works for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use inklings_core::trace::Usage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::SkillError;

/// How long a run may take when nothing else is said.
pub(crate) const DEFAULT_TIME_LIMIT: Duration = Duration::from_mins(10);

/// Limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Tokens read and written by models together.
    pub tokens: Option<u64>,
    /// Estimated cost in USD. Calls whose price is unknown don't count.
    pub cost: Option<f64>,
    /// Wall time in seconds; ten minutes if nothing is said.
    pub seconds: Option<u32>,
}

/// The account of a run.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    deadline: Instant,
    grace: Duration,
    usage: Mutex<Usage>,
    /// Tokens that no server reported, as we count them.
    unreported: AtomicU64,
}

impl Limits {
    /// Refuses limits that would limit nothing.
    pub(crate) fn check(&self) -> Result<(), SkillError> {
        match self.cost {
            Some(cost) if !cost.is_finite() || cost <= 0.0 => {
                Err(SkillError::BadParameter { name: "cost".to_owned(), detail: "a limit must be above 0".to_owned() })
            }
            _ => Ok(()),
        }
    }
}

impl Budget {
    /// A fresh account.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let wall = limits.seconds.map_or(DEFAULT_TIME_LIMIT, |seconds| Duration::from_secs(u64::from(seconds)));
        Self { limits, deadline: Instant::now() + wall, grace: Duration::ZERO, usage: Mutex::default(), unreported: AtomicU64::new(0) }
    }

    /// The same with time to come to an end after the deadline: models answer no more, and what was found until then is kept.
    #[must_use]
    pub(crate) fn with_grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }

    /// What was used so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When models answer no more.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// When the run must have ended.
    #[must_use]
    pub fn end(&self) -> Instant {
        self.deadline + self.grace
    }

    /// The error of a run that took too long.
    #[must_use]
    pub fn out_of_time(&self) -> SkillError {
        let seconds = self.limits.seconds.map_or(DEFAULT_TIME_LIMIT.as_secs(), u64::from);
        SkillError::Budget { what: format!("{seconds} s") }
    }

    /// Books what was used.
    pub fn record(&self, used: Usage) {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner).add(used);
    }

    /// Books tokens that the server did not report.
    pub(crate) fn record_unreported(&self, tokens: u64) {
        self.unreported.fetch_add(tokens, Ordering::Relaxed);
    }

    /// Refuses to go on when a limit is reached. Asked before each call to a model and before each execution; an answer that was
    /// paid for is kept.
    pub fn check(&self) -> Result<(), SkillError> {
        let usage = self.usage();
        let reported = usage.input_tokens.unwrap_or(0).saturating_add(usage.output_tokens.unwrap_or(0));
        let tokens = reported.saturating_add(self.unreported.load(Ordering::Relaxed));
        if let Some(limit) = self.limits.tokens
            && tokens >= limit
        {
            return Err(SkillError::Budget { what: format!("{limit} tokens") });
        }
        if let Some(limit) = self.limits.cost
            && usage.cost.unwrap_or(0.0) >= limit
        {
            return Err(SkillError::Budget { what: format!("${limit:.2}") });
        }
        if Instant::now() >= self.deadline {
            return Err(self.out_of_time());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reached_limit_refuses_and_names_itself() {
        let usage = |tokens, cost| Usage { input_tokens: Some(tokens), output_tokens: None, cost };
        let budget = Budget::new(Limits { tokens: Some(100), ..Limits::default() });
        budget.record(usage(99, None));
        assert!(budget.check().is_ok());
        budget.record(usage(1, None));
        assert!(budget.check().unwrap_err().to_string().contains("100 tokens"));
        let budget = Budget::new(Limits { cost: Some(0.5), ..Limits::default() });
        budget.record(usage(1_000_000, Some(0.6)));
        assert!(budget.check().unwrap_err().to_string().contains("$0.50"));
        let budget = Budget::new(Limits { seconds: Some(0), ..Limits::default() });
        assert!(budget.check().unwrap_err().to_string().contains("0 s"));
    }
}
