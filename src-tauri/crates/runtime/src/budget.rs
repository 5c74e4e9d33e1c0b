//! Limits and usage of a run, shared by all of its steps.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use inklings_core::trace::Usage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::SkillError;

pub(crate) const DEFAULT_TIME_LIMIT: Duration = Duration::from_mins(10);

/// Limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Input and output tokens together.
    pub tokens: Option<u64>,
    /// Estimated cost in USD. Calls with an unknown price don't count.
    pub cost: Option<f64>,
    /// Wall time in seconds [default: 600].
    pub seconds: Option<u32>,
}

#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    deadline: Instant,
    grace: Duration,
    usage: Mutex<Usage>,
    /// Estimated tokens of answers for which the server reported none.
    unreported: AtomicU64,
    /// The budget that this one is a part of.
    parent: Option<Arc<Budget>>,
}

impl Limits {
    /// Refuses a cost limit that isn't above 0.
    pub(crate) fn check(&self) -> Result<(), SkillError> {
        match self.cost {
            Some(cost) if !cost.is_finite() || cost <= 0.0 => {
                Err(SkillError::BadParameter { name: "cost".to_owned(), detail: "must be above 0".to_owned() })
            }
            _ => Ok(()),
        }
    }
}

impl Budget {
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let wall = limits.seconds.map_or(DEFAULT_TIME_LIMIT, |seconds| Duration::from_secs(u64::from(seconds)));
        Self {
            limits,
            deadline: Instant::now() + wall,
            grace: Duration::ZERO,
            usage: Mutex::default(),
            unreported: AtomicU64::new(0),
            parent: None,
        }
    }

    /// A budget whose usage also counts for `parent`, and which is exhausted when that is.
    #[must_use]
    pub fn within(parent: Arc<Self>, limits: Limits) -> Self {
        let own = Self::new(limits);
        Self { deadline: own.deadline.min(parent.deadline), parent: Some(parent), ..own }
    }

    /// Adds time after the deadline in which models are no longer called but results are still accepted.
    #[must_use]
    pub(crate) fn with_grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }

    #[must_use]
    pub fn usage(&self) -> Usage {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From then on models aren't called.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The deadline plus the grace time.
    #[must_use]
    pub fn end(&self) -> Instant {
        self.deadline + self.grace
    }

    #[must_use]
    pub fn out_of_time(&self) -> SkillError {
        if let Some(parent) = self.parent.as_ref().filter(|parent| parent.deadline <= self.deadline) {
            return parent.out_of_time();
        }
        let seconds = self.limits.seconds.map_or(DEFAULT_TIME_LIMIT.as_secs(), u64::from);
        SkillError::Budget { what: format!("{seconds} s") }
    }

    pub fn record(&self, used: Usage) {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner).add(used);
        if let Some(parent) = &self.parent {
            parent.record(used);
        }
    }

    pub(crate) fn record_unreported(&self, tokens: u64) {
        self.unreported.fetch_add(tokens, Ordering::Relaxed);
        if let Some(parent) = &self.parent {
            parent.record_unreported(tokens);
        }
    }

    /// An error if a limit is reached. Called before each model call and each step; an answer that was
    /// paid for is kept even if it exceeds the limit.
    pub fn check(&self) -> Result<(), SkillError> {
        self.parent.as_ref().map_or(Ok(()), |parent| parent.check())?;
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

    #[test]
    fn the_parts_of_a_budget_exhaust_it_together() {
        let whole = Arc::new(Budget::new(Limits { tokens: Some(100), ..Limits::default() }));
        let parts = [(); 2].map(|()| Budget::within(whole.clone(), Limits { tokens: Some(60), ..Limits::default() }));
        let fifty = Usage { input_tokens: Some(50), output_tokens: None, cost: None };
        parts[0].record(fifty);
        assert!(parts.iter().all(|part| part.check().is_ok()));
        parts[1].record_unreported(50);
        assert!(parts.iter().all(|part| part.check().unwrap_err().to_string().contains("100 tokens")));
        assert_eq!((parts[1].usage(), whole.usage()), (Usage::default(), fifty));
        let whole = Arc::new(Budget::new(Limits { seconds: Some(5), ..Limits::default() }));
        let part = |seconds| Budget::within(whole.clone(), Limits { seconds: Some(seconds), ..Limits::default() });
        assert_eq!((part(60).deadline(), part(60).out_of_time().to_string()), (whole.deadline(), whole.out_of_time().to_string()));
        assert!(part(1).deadline() < whole.deadline() && part(1).out_of_time().to_string().contains("1 s"));
    }
}
