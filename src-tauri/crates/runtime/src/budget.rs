//! Limits and usage of a run, shared by all of its steps.

use std::cmp;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use inklings_core::model::{LanguageModel, Price, Request};
use inklings_core::trace::Usage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::SkillError;
use crate::request_text::request_tokens;

pub(crate) const DEFAULT_TIME_LIMIT: Duration = Duration::from_mins(10);
/// Of an answer, where neither the request nor the model's catalog has a limit. A larger one could be more than the server accepts.
const DEFAULT_MAX_ANSWER_TOKENS: u64 = 8192;
/// OpenAI's Responses API refuses a smaller limit of an answer.
const MIN_ANSWER_TOKENS: u64 = 16;

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
    /// The limit that was too small for a request or its answer.
    reached: OnceLock<String>,
    /// The budget that this one is a part of.
    parent: Option<Arc<Budget>>,
}

/// What the limits leave for an answer.
#[derive(Debug)]
pub(crate) struct Cap {
    tokens: u64,
    /// The limit, as in [`SkillError::Budget`].
    what: String,
    /// Number of budgets between this one and the one with the limit.
    levels: usize,
}

impl Limits {
    /// Refuses a cost limit that isn't above 0.
    pub fn check(&self) -> Result<(), SkillError> {
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
            reached: OnceLock::new(),
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
        self.compare_usage(cmp::Ordering::is_ge)?;
        if Instant::now() >= self.deadline {
            return Err(self.out_of_time());
        }
        Ok(())
    }

    /// An error if the usage is above a limit of this budget itself, or if a limit cut an answer off. Called after the last model call.
    pub fn exceeded(&self) -> Result<(), SkillError> {
        self.compare_usage(cmp::Ordering::is_gt)
    }

    fn compare_usage(&self, is_reached: fn(cmp::Ordering) -> bool) -> Result<(), SkillError> {
        if let Some(what) = self.reached.get() {
            return Err(SkillError::Budget { what: what.clone() });
        }
        if let Some(limit) = self.limits.tokens
            && is_reached(self.tokens().cmp(&limit))
        {
            return Err(SkillError::Budget { what: tokens_text(limit) });
        }
        if let Some(limit) = self.limits.cost
            && self.cost().partial_cmp(&limit).is_some_and(is_reached)
        {
            return Err(SkillError::Budget { what: cost_text(limit) });
        }
        Ok(())
    }

    fn tokens(&self) -> u64 {
        let usage = self.usage();
        let reported = usage.input_tokens.unwrap_or(0).saturating_add(usage.output_tokens.unwrap_or(0));
        reported.saturating_add(self.unreported.load(Ordering::Relaxed))
    }

    fn cost(&self) -> f64 {
        self.usage().cost.unwrap_or(0.0)
    }

    /// The request with its answer limited to what is left, and the cap if there is one. An error if too little is left for the request.
    pub(crate) fn fit(&self, request: &Request, model: &dyn LanguageModel) -> Result<(Request, Option<Cap>), SkillError> {
        let request = request.clone();
        if !self.is_limited() {
            return Ok((request, None));
        }
        let input = u64::try_from(request_tokens(&request)).unwrap_or(u64::MAX);
        let Some(mut cap) = self.cap(input, model.price()) else { return Ok((request, None)) };
        if cap.tokens < MIN_ANSWER_TOKENS {
            cap.what = format!("{}: too little is left for a request of about {input} tokens", cap.what);
            self.reach(&cap);
            return Err(SkillError::Budget { what: cap.what });
        }
        let most = request.max_tokens.or_else(|| model.output_tokens()).unwrap_or(DEFAULT_MAX_ANSWER_TOKENS);
        if cap.tokens >= most {
            return Ok((request, None));
        }
        Ok((Request { max_tokens: Some(cap.tokens), ..request }, Some(cap)))
    }

    /// From then on models aren't called: the limit left too little.
    pub(crate) fn reach(&self, cap: &Cap) {
        let mut budget = Some(self);
        for _ in 0..=cap.levels {
            let Some(Self { reached, parent, .. }) = budget else { return };
            // The first one is kept.
            let _ = reached.set(cap.what.clone());
            budget = parent.as_deref();
        }
    }

    pub(crate) const fn is_part(&self) -> bool {
        self.parent.is_some()
    }

    /// Whether tokens or cost are limited.
    fn is_limited(&self) -> bool {
        self.limits.tokens.is_some() || self.limits.cost.is_some() || self.parent.as_ref().is_some_and(|parent| parent.is_limited())
    }

    /// What is left for an answer after `input` tokens, by the narrowest limit.
    fn cap(&self, input: u64, price: Option<Price>) -> Option<Cap> {
        let outer = self.parent.as_ref().and_then(|parent| parent.cap(input, price));
        let outer = outer.map(|cap| Cap { levels: cap.levels + 1, ..cap });
        let by_tokens = self.limits.tokens.map(|limit| {
            let tokens = limit.saturating_sub(self.tokens()).saturating_sub(input);
            Cap { tokens, what: tokens_text(limit), levels: 0 }
        });
        let by_cost = self.limits.cost.zip(price).and_then(|(limit, price)| {
            let tokens = output_for(limit - self.cost(), input, price)?;
            Some(Cap { tokens, what: cost_text(limit), levels: 0 })
        });
        [by_tokens, by_cost, outer].into_iter().flatten().min_by_key(|cap| cap.tokens)
    }
}

fn tokens_text(limit: u64) -> String {
    format!("{limit} tokens")
}

fn cost_text(limit: f64) -> String {
    format!("${limit:.2}")
}

/// Output tokens that `money` in USD buys after `input` tokens. None if output costs nothing.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "token counts are far below 2^52, and the cast saturates"
)]
fn output_for(money: f64, input: u64, price: Price) -> Option<u64> {
    let left = money * 1_000_000.0 - input as f64 * price.input;
    if left <= 0.0 {
        return Some(0);
    }
    (price.output > 0.0).then(|| (left / price.output) as u64)
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
    fn money_buys_what_the_input_leaves() {
        let price = Price { input: 1.0, output: 10.0, cached: None };
        assert_eq!(output_for(1.0, 500_000, price), Some(50_000));
        assert_eq!(output_for(1.0, 1_000_000, price), Some(0));
        assert_eq!(output_for(1.0, 500_000, Price { output: 0.0, ..price }), None);
    }

    #[test]
    fn a_limit_that_leaves_too_little_ends_the_budgets_up_to_its_own() {
        let [whole, middle] = [None, Some(100)].map(|tokens| Limits { tokens, ..Limits::default() });
        let whole = Arc::new(Budget::new(whole));
        let middle = Arc::new(Budget::within(whole.clone(), middle));
        let inner = Budget::within(middle.clone(), Limits::default());
        let cap = inner.cap(70, None).unwrap();
        assert_eq!((cap.tokens, cap.levels), (30, 1));
        inner.reach(&cap);
        assert!([&inner, &middle].iter().all(|budget| budget.exceeded().unwrap_err().to_string().contains("100 tokens")));
        assert!(whole.check().is_ok() && whole.cap(70, None).is_none());
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
