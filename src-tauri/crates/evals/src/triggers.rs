//! Whether requests make a skill fire, and which other skill fires instead.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cases::{Case, CaseKind};
use crate::statistics::PassRate;

/// The result of a trigger case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TriggerResult {
    /// Key of the case.
    pub case: String,
    pub query: String,
    pub should_trigger: bool,
    /// Slugs of the skills that fit, best first. The first one fires.
    pub ranking: Vec<String>,
    pub passed: bool,
}

/// A skill that fires instead of the tested one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Confusion {
    /// Its slug. Null if none fires.
    pub skill: Option<String>,
    /// Requests that should make the tested skill fire.
    pub queries: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TriggerReport {
    /// Null without trigger cases.
    pub rate: Option<PassRate>,
    pub results: Vec<TriggerResult>,
    /// What fires where the skill should, most frequent first.
    pub confusions: Vec<Confusion>,
    /// Requests that make the skill fire although they shouldn't.
    pub false_alarms: Vec<String>,
}

/// Evaluates the trigger cases of the skill `slug`. `rank` returns the slugs of the skills that fit a request, best first.
pub fn evaluate<E>(slug: &str, cases: &[Case], mut rank: impl FnMut(&str) -> Result<Vec<String>, E>) -> Result<TriggerReport, E> {
    let mut results = Vec::new();
    for case in cases {
        let CaseKind::Trigger { query, should_trigger } = &case.kind else { continue };
        let ranking = rank(query)?;
        let fires = ranking.first().is_some_and(|first| first == slug);
        results.push(TriggerResult {
            case: case.key.clone(),
            query: query.clone(),
            should_trigger: *should_trigger,
            passed: fires == *should_trigger,
            ranking,
        });
    }
    let shares: Vec<f64> = results.iter().map(|result| f64::from(u8::from(result.passed))).collect();
    let failed = |should_trigger: bool| results.iter().filter(move |one| !one.passed && one.should_trigger == should_trigger);
    let mut instead: BTreeMap<Option<&String>, Vec<String>> = BTreeMap::new();
    for result in failed(true) {
        instead.entry(result.ranking.first()).or_default().push(result.query.clone());
    }
    let mut confusions: Vec<Confusion> = instead.into_iter().map(|(skill, queries)| Confusion { skill: skill.cloned(), queries }).collect();
    confusions.sort_by_key(|one| std::cmp::Reverse(one.queries.len()));
    let false_alarms = failed(false).map(|result| result.query.clone()).collect();
    Ok(TriggerReport { rate: PassRate::of(&shares), confusions, false_alarms, results })
}
