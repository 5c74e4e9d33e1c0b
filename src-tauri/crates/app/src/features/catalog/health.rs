//! How well a skill does, in one number.

use std::collections::HashSet;

use inklings_core::check::Severity;
use inklings_core::{Lifecycle, Skill, SkillSummary, Slug, StorageError, Time};

use super::api::{HealthAdvice, SkillHealth};
use crate::editing::SkillEditor;

/// Below it, a skill is degraded.
const DEGRADES: f32 = 0.45;
/// Below it, a skill is deprecated.
const DEPRECATES: f32 = 0.30;
/// Above it, a degraded skill is reinstated.
const REINSTATES: f32 = 0.50;
/// Uses that keep a skill whose freshness is at its minimum.
const ENOUGH_USES: u32 = 3;
const STALE_AFTER_DAYS: f32 = 30.0;
const MIN_FRESHNESS: f32 = 0.05;
const DAY_MS: f32 = 24.0 * 60.0 * 60.0 * 1000.0;

pub(super) fn health(editor: &SkillEditor<'_>, skill: &Skill) -> Result<SkillHealth, StorageError> {
    let (catalog, head) = (&editor.catalog, &skill.head);
    let signals = catalog.usage()?.remove(&(head.scope, head.id)).unwrap_or_default();
    let repository = catalog.holder(head.id, head.scope)?;
    let last_used = repository.skill_facts(&[head.id])?.pop().and_then(|facts| facts.last_used_at);
    let freshness = freshness(editor.clock.now(), last_used.unwrap_or(head.created_at));
    let (redundancy, similar_to) = most_similar(skill, &catalog.list_all()?);
    let failure_risk = 1.0 - signals.success_rate();
    let overall = signals.utility * 0.35 + (1.0 - redundancy) * 0.25 + freshness * 0.2 + (1.0 - failure_risk) * 0.2;
    let diagnostics = editor.written_detail(skill).diagnostics;
    let count = |severity| diagnostics.iter().filter(|one| one.severity == severity).count();
    Ok(SkillHealth {
        name: skill.package.slug.clone(),
        lifecycle: head.lifecycle,
        origin: head.origin,
        overall,
        utility: signals.utility,
        redundancy,
        similar_to,
        freshness,
        failure_risk,
        uses: signals.invocations,
        advice: advice(head.lifecycle, overall, freshness, signals.invocations),
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
    })
}

fn advice(lifecycle: Lifecycle, overall: f32, freshness: f32, uses: u32) -> HealthAdvice {
    let is_abandoned = freshness <= MIN_FRESHNESS && uses < ENOUGH_USES;
    match lifecycle {
        Lifecycle::Deprecated | Lifecycle::Archived => HealthAdvice::Keep,
        _ if overall < DEPRECATES || is_abandoned => HealthAdvice::Deprecate,
        Lifecycle::Degraded if overall > REINSTATES => HealthAdvice::Reinstate,
        Lifecycle::Degraded => HealthAdvice::Keep,
        _ if overall < DEGRADES => HealthAdvice::Degrade,
        _ => HealthAdvice::Keep,
    }
}

#[expect(clippy::cast_precision_loss, reason = "days far below 2^24")]
fn freshness(now: Time, since: Time) -> f32 {
    let days = (now.millis() - since.millis()).max(0) as f32 / DAY_MS;
    (1.0 - days / STALE_AFTER_DAYS).max(MIN_FRESHNESS)
}

/// The share of common words, and the skill that has most of them.
fn most_similar(skill: &Skill, all: &[SkillSummary]) -> (f32, Option<Slug>) {
    let own = words(&skill.package.name, &skill.package.description);
    let others = all.iter().filter(|other| other.slug != skill.package.slug);
    let similar = others.map(|other| (jaccard(&own, &words(&other.name, &other.description)), &other.slug));
    let best = similar.max_by(|(one, _), (other, _)| one.total_cmp(other)).filter(|(similarity, _)| *similarity > 0.0);
    best.map_or((0.0, None), |(similarity, slug)| (similarity, Some(slug.clone())))
}

fn words(title: &str, description: &str) -> HashSet<String> {
    let all = title.split(|letter: char| !letter.is_alphanumeric()).chain(description.split(|letter: char| !letter.is_alphanumeric()));
    all.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of words")]
fn jaccard(one: &HashSet<String>, other: &HashSet<String>) -> f32 {
    let common = one.intersection(other).count();
    let whole = one.len() + other.len() - common;
    if whole == 0 { 0.0 } else { common as f32 / whole as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_follows_the_thresholds() {
        use HealthAdvice::{Degrade, Deprecate, Keep, Reinstate};
        use Lifecycle::{Archived, Degraded, Deprecated, Released};
        let cases = [
            (Released, 0.46, 1.0, 0, Keep),
            (Released, 0.44, 1.0, 0, Degrade),
            (Released, 0.29, 1.0, 9, Deprecate),
            (Released, 0.60, MIN_FRESHNESS, 2, Deprecate),
            (Released, 0.60, MIN_FRESHNESS, 3, Keep),
            (Degraded, 0.51, 1.0, 0, Reinstate),
            (Degraded, 0.49, 1.0, 0, Keep),
            (Degraded, 0.40, 1.0, 0, Keep),
            (Deprecated, 0.9, 1.0, 9, Keep),
            (Archived, 0.1, 1.0, 0, Keep),
        ];
        for (lifecycle, overall, freshness, uses, expected) in cases {
            assert_eq!(advice(lifecycle, overall, freshness, uses), expected, "{lifecycle:?} {overall} {freshness} {uses}");
        }
    }

    #[test]
    fn similarity_counts_common_words() {
        let of = |text: &str| words(text, "");
        assert!((jaccard(&of("write release notes"), &of("Write Release-Notes!")) - 1.0).abs() < f32::EPSILON);
        assert!((jaccard(&of("a b"), &of("b c")) - 1.0 / 3.0).abs() < f32::EPSILON);
        assert!(jaccard(&of(""), &of("")).abs() < f32::EPSILON);
    }

    #[test]
    fn freshness_falls_in_thirty_days() {
        let day = |days: i64| Time::from_millis(days * 24 * 60 * 60 * 1000);
        assert!((freshness(day(100), day(100)) - 1.0).abs() < f32::EPSILON);
        assert!((freshness(day(115), day(100)) - 0.5).abs() < 1e-5);
        assert!((freshness(day(400), day(100)) - MIN_FRESHNESS).abs() < f32::EPSILON);
        assert!((freshness(day(99), day(100)) - 1.0).abs() < f32::EPSILON, "a clock that was set back");
    }
}
