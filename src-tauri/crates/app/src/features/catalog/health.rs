//! How well a skill does, in one number.

use std::collections::HashMap;

use inklings_core::check::Severity;
use inklings_core::reliability::{self, UsageSignals, freshness};
use inklings_core::{Lifecycle, LifecycleAction, Origin, Skill, SkillSummary, Slug, StorageError, Time};

use super::api::{HealthAdvice, Maintenance, MaintenanceChange, SkillHealth};
use super::error::CatalogError;
use super::similarity::Similarity;
use crate::editing::SkillEditor;
use crate::features::skill::change_lifecycle;

/// Below it, a skill is degraded.
const DEGRADES: f32 = 0.45;
/// Below it, a skill is deprecated.
const DEPRECATES: f32 = 0.30;
/// Above it, a degraded skill is reinstated.
const REINSTATES: f32 = 0.50;
/// Uses that keep a skill whose freshness is at its minimum.
const ENOUGH_USES: u32 = 3;
#[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
const MIN_FRESHNESS: f32 = reliability::MIN_FRESHNESS as f32;

/// The numbers that the health of a skill is made of.
struct Signals {
    utility: f32,
    redundancy: f32,
    similar_to: Option<Slug>,
    freshness: f32,
    failure_risk: f32,
    uses: u32,
}

impl Signals {
    /// `last`: when it was used last, or created.
    #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
    fn new(usage: UsageSignals, now: Time, last: Time, (redundancy, similar_to): (f32, Option<Slug>)) -> Self {
        Self {
            utility: usage.utility,
            redundancy,
            similar_to,
            freshness: freshness(now, last) as f32,
            failure_risk: 1.0 - usage.success_rate(),
            uses: usage.invocations,
        }
    }

    fn overall(&self) -> f32 {
        self.utility * 0.35 + (1.0 - self.redundancy) * 0.25 + self.freshness * 0.2 + (1.0 - self.failure_risk) * 0.2
    }
}

pub(super) fn health(editor: &SkillEditor<'_>, skill: &Skill) -> Result<SkillHealth, StorageError> {
    let (catalog, head) = (&editor.catalog, &skill.head);
    let usage = catalog.usage_of(head)?;
    let repository = catalog.holder(head.id, head.scope)?;
    let last_used = repository.skill_facts(&[head.id])?.pop().and_then(|facts| facts.last_used_at);
    let similar = Similarity::of(&catalog.list_all()?).most_similar(&skill.package.slug, &skill.package.name, &skill.package.description);
    let signals = Signals::new(usage, editor.clock.now(), last_used.unwrap_or(head.created_at), similar);
    let diagnostics = editor.written_detail(skill).diagnostics;
    let count = |severity| diagnostics.iter().filter(|one| one.severity == severity).count();
    Ok(SkillHealth {
        name: skill.package.slug.clone(),
        lifecycle: head.lifecycle,
        origin: head.origin,
        overall: signals.overall(),
        advice: advice(head.lifecycle, signals.overall(), signals.freshness, signals.uses),
        utility: signals.utility,
        redundancy: signals.redundancy,
        similar_to: signals.similar_to,
        freshness: signals.freshness,
        failure_risk: signals.failure_risk,
        uses: signals.uses,
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
    })
}

/// Changes the state of visible skills that a model wrote, and proposes to change that of the others.
pub(super) fn maintain(editor: &SkillEditor<'_>, dry_run: bool) -> Result<Maintenance, CatalogError> {
    let (catalog, all) = (&editor.catalog, editor.catalog.list_all()?);
    let (usage, similarity, now) = (catalog.usage()?, Similarity::of(&all), editor.clock.now());
    let mut last_used = HashMap::new();
    for scope in [inklings_core::Scope::Account, inklings_core::Scope::Workspace] {
        if let Some(repository) = catalog.repository(scope) {
            last_used.extend(repository.last_used()?.into_iter().map(|(id, at)| ((scope, id), at)));
        }
    }
    let mut done = Maintenance { changed: Vec::new(), proposed: Vec::new(), dry_run };
    for skill in &all {
        let key = (skill.scope, skill.id);
        let similar = similarity.most_similar(&skill.slug, &skill.name, &skill.description);
        let last = last_used.get(&key).copied().unwrap_or(skill.created_at);
        let signals = Signals::new(usage.get(&key).copied().unwrap_or_default(), now, last, similar);
        let overall = signals.overall();
        let Some(action) = advice(skill.lifecycle, overall, signals.freshness, signals.uses).action() else { continue };
        if action == LifecycleAction::Reinstate && !was_degraded(editor, skill)? {
            continue;
        }
        let reason = format!(
            "health {overall:.2}: utility {:.2}, redundancy {:.2}, freshness {:.2}, failure risk {:.2}",
            signals.utility, signals.redundancy, signals.freshness, signals.failure_risk
        );
        let mut change = MaintenanceChange {
            name: skill.slug.clone(),
            scope: skill.scope,
            action,
            from: skill.lifecycle,
            to: None,
            overall,
            reason,
            failure: None,
        };
        if skill.origin == Origin::Human {
            done.proposed.push(change);
            continue;
        }
        if !dry_run {
            // One that was deleted or changed meanwhile doesn't keep the others from their turn.
            match changed(editor, skill, action, &change.reason) {
                Ok(to) => change.to = Some(to),
                Err(error) => change.failure = Some(error.into()),
            }
        }
        done.changed.push(change);
    }
    Ok(done)
}

fn changed(editor: &SkillEditor<'_>, skill: &SkillSummary, action: LifecycleAction, reason: &str) -> Result<Lifecycle, CatalogError> {
    let stored = editor.catalog.require(&skill.id.to_string(), Some(skill.scope))?;
    Ok(change_lifecycle(editor, stored, action, Some(reason))?.head.lifecycle)
}

/// Whether the last change of its state was that it was degraded.
fn was_degraded(editor: &SkillEditor<'_>, skill: &SkillSummary) -> Result<bool, StorageError> {
    let history = editor.catalog.holder(skill.id, skill.scope)?.lifecycle_history(skill.id)?;
    Ok(history.first().is_some_and(|entry| entry.action == LifecycleAction::Degrade))
}

impl HealthAdvice {
    const fn action(self) -> Option<LifecycleAction> {
        match self {
            Self::Keep => None,
            Self::Degrade => Some(LifecycleAction::Degrade),
            Self::Deprecate => Some(LifecycleAction::Deprecate),
            Self::Reinstate => Some(LifecycleAction::Reinstate),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_health_weighs_utility_uniqueness_freshness_and_success() {
        let overall = |utility, redundancy, freshness, failure_risk| {
            Signals { utility, redundancy, similar_to: None, freshness, failure_risk, uses: 0 }.overall()
        };
        let cases = [
            (overall(1.0, 1.0, 0.0, 1.0), 0.35),
            (overall(0.0, 0.0, 0.0, 1.0), 0.25),
            (overall(0.0, 1.0, 1.0, 1.0), 0.20),
            (overall(0.0, 1.0, 0.0, 0.0), 0.20),
            (overall(0.0, 1.0, 0.0, 1.0), 0.0),
            (overall(1.0, 0.0, 1.0, 0.0), 1.0),
            (overall(0.5, 0.2, 0.9, 0.3), 0.695),
        ];
        for (found, expected) in cases {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

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
}
