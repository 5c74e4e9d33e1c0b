//! What a manifest's evaluation contract means for candidates: the dimensions of its criteria, a structural score without a model, the
//! comparison of candidates, and when one may be promoted without a person.

use inklings_core::manifest::{Evals, PromotionMode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lowest and highest score.
pub const SCALE: (f64, f64) = (1.0, 5.0);
/// Scores below this leave a gap.
const GOOD: f64 = 4.0;
/// Share of a text's content words that a candidate must have to cover it.
const COVERED: f64 = 0.5;

/// What is rated, from 1 to 5.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CriteriaDimension {
    /// In `snake_case`, unique.
    pub key: String,
    pub label: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionScore {
    pub key: String,
    /// From 1 to 5.
    pub score: f64,
    pub reason: String,
}

/// The scores of a candidate, by a judge or by structure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RubricScore {
    /// Mean of the dimensions, from 1 to 5.
    pub overall: f64,
    pub dimensions: Vec<DimensionScore>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<'a> {
    pub name: &'a str,
    pub instructions: &'a str,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankedCandidate {
    pub name: String,
    pub score: RubricScore,
    /// Overall score above the baseline's.
    pub gain: f64,
    /// Whether its instructions differ from the baseline's.
    pub changed: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateEvaluation {
    pub baseline: RubricScore,
    /// Best first.
    pub candidates: Vec<RankedCandidate>,
    /// Name of the best changed candidate that improves on the baseline.
    pub best: Option<String>,
    /// Labels of the dimensions that the best candidate, or else the baseline, doesn't do well.
    pub gaps: Vec<String>,
}

/// One dimension for each criterion, and for the cases and the form that every skill needs.
#[must_use]
pub fn criteria_dimensions(evals: &Evals) -> Vec<CriteriaDimension> {
    let mut dimensions: Vec<CriteriaDimension> = Vec::new();
    let named = evals.success_criteria.iter().chain(&evals.criteria_set_refs).map(String::as_str);
    for label in named.chain(["Covers its cases", "Is specific"]) {
        let base = snake_case(label);
        let mut key = base.clone();
        let mut number = 2;
        while dimensions.iter().any(|one| one.key == key) {
            key = format!("{base}_{number}");
            number += 1;
        }
        dimensions.push(CriteriaDimension { key, label: label.to_owned() });
    }
    dimensions
}

/// Scores instructions by what they mention and how specific they are. The same text has the same score.
#[must_use]
pub fn score_candidate(instructions: &str, evals: &Evals) -> RubricScore {
    let words = content_words(instructions);
    let dimensions = criteria_dimensions(evals);
    let (criteria, general) = dimensions.split_at(dimensions.len() - 2);
    let mut scores: Vec<DimensionScore> = criteria
        .iter()
        .map(|dimension| {
            let share = coverage(&words, &dimension.label);
            DimensionScore { key: dimension.key.clone(), score: rated(share), reason: format!("mentions {}", percent(share)) }
        })
        .collect();
    let cases: Vec<&String> = evals.trigger_cases.iter().chain(&evals.functional_scenarios).collect();
    let covered = cases.iter().filter(|case| coverage(&words, case) >= COVERED).count();
    let share = if cases.is_empty() { 0.0 } else { ratio(covered, cases.len()) };
    let reason = if cases.is_empty() { "no cases are declared".to_owned() } else { format!("covers {covered} of {} cases", cases.len()) };
    scores.push(DimensionScore { key: general[0].key.clone(), score: rated(share), reason });
    let (share, reason) = specificity(instructions);
    scores.push(DimensionScore { key: general[1].key.clone(), score: rated(share), reason });
    RubricScore::of(scores)
}

impl RubricScore {
    #[must_use]
    pub fn of(dimensions: Vec<DimensionScore>) -> Self {
        let sum: f64 = dimensions.iter().map(|one| one.score).sum();
        let overall = if dimensions.is_empty() { SCALE.0 } else { sum / count(dimensions.len()) };
        Self { overall, dimensions }
    }
}

/// Scores the baseline and the candidates with `score`, and ranks them: by score, ties by name.
pub fn evaluate_candidates(
    baseline: &str,
    candidates: &[Candidate<'_>],
    evals: &Evals,
    mut score: impl FnMut(&str, &Evals) -> RubricScore,
) -> CandidateEvaluation {
    let own = score(baseline, evals);
    let mut ranked: Vec<RankedCandidate> = candidates
        .iter()
        .map(|one| {
            let score = score(one.instructions, evals);
            let gain = score.overall - own.overall;
            RankedCandidate { name: one.name.to_owned(), gain, changed: one.instructions != baseline, score }
        })
        .collect();
    ranked.sort_by(|one, other| other.score.overall.total_cmp(&one.score.overall).then_with(|| one.name.cmp(&other.name)));
    let best = ranked.iter().find(|one| one.changed && one.gain > 0.0);
    let weak: Vec<&str> =
        best.map_or(&own, |one| &one.score).dimensions.iter().filter(|one| one.score < GOOD).map(|one| one.key.as_str()).collect();
    let gaps = criteria_dimensions(evals).into_iter().filter(|one| weak.contains(&one.key.as_str())).map(|one| one.label).collect();
    CandidateEvaluation { best: best.map(|one| one.name.clone()), baseline: own, candidates: ranked, gaps }
}

/// Whether a score on held-out cases is enough to promote a candidate without a person: only if the manifest says so with a threshold, and
/// the score reaches it. Anything else, such as a score that isn't a number, is no.
#[must_use]
pub fn is_promotion_allowed(evals: &Evals, overall: f64) -> bool {
    let promotion = evals.optimization.as_ref().and_then(|policy| policy.promotion.as_ref());
    let Some(promotion) = promotion.filter(|promotion| promotion.mode == PromotionMode::AutonomousThreshold) else { return false };
    let (_, highest) = SCALE;
    promotion.min_overall_score.is_some_and(|least| least > 0.0 && least <= highest && overall <= highest && overall >= least)
}

/// A share from 0 to 1 on the scale of the rubric.
#[must_use]
pub fn rated(share: f64) -> f64 {
    SCALE.0 + (SCALE.1 - SCALE.0) * share
}

fn count(number: usize) -> f64 {
    // Far below 2^52.
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

fn ratio(part: usize, all: usize) -> f64 {
    count(part) / count(all.max(1))
}

fn percent(share: f64) -> String {
    format!("{:.0}% of its words", share * 100.0)
}

fn snake_case(label: &str) -> String {
    let plain: String = label.chars().map(|ch| if ch.is_alphanumeric() { ch } else { ' ' }).collect();
    let words: Vec<String> = plain.split_whitespace().take(6).map(str::to_lowercase).collect();
    if words.is_empty() { "criterion".to_owned() } else { words.join("_") }
}

/// The words of at least four letters, without their endings.
fn content_words(text: &str) -> std::collections::HashSet<String> {
    let words = text.split(|ch: char| !ch.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.chars().count() >= 4).map(|word| stem(&word)).collect()
}

fn stem(word: &str) -> String {
    let ends = ["ing", "ed", "es", "s"];
    let cut = ends.iter().find_map(|end| word.strip_suffix(end).filter(|rest| rest.chars().count() >= 4));
    cut.unwrap_or(word).to_owned()
}

fn coverage(words: &std::collections::HashSet<String>, text: &str) -> f64 {
    let wanted = content_words(text);
    ratio(wanted.iter().filter(|word| words.contains(*word)).count(), wanted.len())
}

/// Steps, examples and numbers make instructions specific; very short or very long ones aren't.
fn specificity(instructions: &str) -> (f64, String) {
    let lines: Vec<&str> = instructions.lines().map(str::trim_start).collect();
    let is_step = |line: &&&str| {
        line.starts_with("- ") || line.starts_with("* ") || line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok())
    };
    let signs = [
        ("steps", lines.iter().filter(is_step).count() >= 3),
        ("headings", lines.iter().any(|line| line.starts_with('#'))),
        ("an example", instructions.to_lowercase().contains("example") || instructions.contains("```")),
        ("a fitting length", (40..=1_500).contains(&instructions.split_whitespace().count())),
    ];
    let found: Vec<&str> = signs.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name).collect();
    let reason = if found.is_empty() { "has no steps, headings or examples".to_owned() } else { format!("has {}", found.join(", ")) };
    (ratio(found.len(), signs.len()), reason)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn evals(value: serde_json::Value) -> Evals {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn dimensions_have_unique_keys_in_snake_case() {
        let contract = evals(json!({ "successCriteria": ["Is polite", "Is polite!", "…"], "criteriaSetRefs": ["tone"] }));
        let keys: Vec<_> = criteria_dimensions(&contract).into_iter().map(|one| one.key).collect();
        assert_eq!(keys, ["is_polite", "is_polite_2", "criterion", "tone", "covers_its_cases", "is_specific"]);
    }

    #[test]
    fn the_best_changed_candidate_is_found_and_the_gaps_named() {
        let contract =
            evals(json!({ "triggerCases": ["Write the minutes of a meeting"], "successCriteria": ["Lists decisions with owners"] }));
        let baseline = "Write something.";
        let better =
            "# Minutes\n\nWrite the minutes of the meeting:\n- list decisions with owners\n- list questions\n- list dates\n\n## Example\n\n"
                .to_owned() + &"word ".repeat(40);
        let candidates = [Candidate { name: "same", instructions: baseline }, Candidate { name: "better", instructions: &better }];
        let found = evaluate_candidates(baseline, &candidates, &contract, score_candidate);
        assert_eq!((found.best.as_deref(), found.candidates[0].name.as_str()), (Some("better"), "better"));
        assert!(found.gaps.is_empty() && (found.candidates[0].score.overall - 5.0).abs() < 1e-9, "{found:?}");
        let worse = evaluate_candidates(&better, &[Candidate { name: "short", instructions: baseline }], &contract, score_candidate);
        assert_eq!((worse.best, worse.gaps.len()), (None, 0));
        assert!(worse.candidates[0].gain < 0.0);
        let alone = evaluate_candidates(baseline, &[], &contract, score_candidate);
        assert_eq!(alone.gaps, ["Lists decisions with owners", "Covers its cases", "Is specific"]);
    }

    #[test]
    fn promotion_without_a_person_needs_a_declared_threshold_that_is_reached() {
        let policy = |promotion| evals(json!({ "optimization": { "promotion": promotion } }));
        let threshold = policy(json!({ "mode": "autonomous_threshold", "minOverallScore": 4.0 }));
        assert!(is_promotion_allowed(&threshold, 4.0) && is_promotion_allowed(&threshold, 5.0));
        for refused in [3.99, f64::NAN, f64::INFINITY, 6.0] {
            assert!(!is_promotion_allowed(&threshold, refused), "{refused}");
        }
        assert!(!is_promotion_allowed(&Evals::default(), 5.0));
        assert!(!is_promotion_allowed(&policy(json!({ "mode": "human_gate", "minOverallScore": 1.0 })), 5.0));
        assert!(!is_promotion_allowed(&policy(json!({ "mode": "autonomous_threshold" })), 5.0));
        assert!(!is_promotion_allowed(&policy(json!({ "mode": "autonomous_threshold", "minOverallScore": 0.0 })), 5.0));
    }
}
