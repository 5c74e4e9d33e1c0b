use std::collections::HashMap;
use std::sync::Arc;

use inklings_core::manifest::{badges, safe, summarize};
use inklings_core::reliability::{UsageSignals, freshness};
use inklings_core::trace::SkillSum;
use inklings_core::{Clock, Head, Lifecycle, Scope, SkillCatalog, SkillId, SkillSummary, StorageError, Time, TraceStore};

use super::api::{
    LibraryCard, LibraryKey, LibraryKeys, LibraryPage, LibraryParams, LibraryRow, LibraryStats, SeekParams, SeekResult, SkillParent,
    SkillQuality,
};
use crate::library::{LibraryFacets, LibraryQuery, LibrarySort, Weights, filter, seek, sort};
use crate::wire::{SkillRef, is_in_both_scopes, summary};

/// Days over which runs and cost are counted.
const USAGE_DAYS: i64 = 30;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Lists the skills that a caller sees, with their usage and cost.
pub(super) struct LibraryService<'a> {
    pub(super) catalog: SkillCatalog,
    /// Each store once.
    pub(super) traces: Vec<Arc<dyn TraceStore>>,
    pub(super) clock: &'a dyn Clock,
}

impl LibraryService<'_> {
    pub(super) fn list(&self, params: &LibraryParams) -> Result<LibraryPage, StorageError> {
        let all = self.catalog.list_both()?;
        let usage = self.usage()?;
        let (matching, facets) = self.matching(&all, &params.query, &usage)?;
        let total = matching.len();
        let first = params.offset.min(total);
        let last = params.limit.map_or(total, |limit| first.saturating_add(limit).min(total));
        let page: Vec<SkillSummary> = matching[first..last].iter().map(|&index| all[index].clone()).collect();
        let facets = (params.offset == 0).then_some(facets);
        Ok(LibraryPage { skills: self.rows(page, &usage)?, total, facets })
    }

    pub(super) fn keys(&self, params: &LibraryParams) -> Result<LibraryKeys, StorageError> {
        let all = self.catalog.list_both()?;
        let (matching, _) = self.matching(&all, &params.query, &self.usage_for_sort(&params.query)?)?;
        let part = matching.iter().skip(params.offset).take(params.limit.unwrap_or(usize::MAX));
        Ok(LibraryKeys { keys: part.map(|&index| LibraryKey { id: all[index].id, scope: all[index].scope }).collect() })
    }

    pub(super) fn seek(&self, params: &SeekParams) -> Result<SeekResult, StorageError> {
        let all = self.catalog.list_both()?;
        let (matching, _) = self.matching(&all, &params.query, &self.usage_for_sort(&params.query)?)?;
        Ok(SeekResult { index: seek(&all, &matching, &params.prefix, params.after) })
    }

    pub(super) fn stats(&self) -> Result<LibraryStats, StorageError> {
        let all = self.catalog.list_all()?;
        let last_used = self.last_used()?;
        let retired = |skill: &&SkillSummary| matches!(skill.lifecycle, Lifecycle::Deprecated | Lifecycle::Archived);
        let active: Vec<&SkillSummary> = all.iter().filter(|skill| skill.enabled && !retired(skill)).collect();
        let total = self.usage()?.into_values().fold(SkillUsage::default(), SkillUsage::plus);
        Ok(LibraryStats {
            skills: all.len(),
            active: active.len(),
            deprecated: all.iter().filter(|skill| skill.lifecycle == Lifecycle::Deprecated).count(),
            runs: total.runs,
            estimated_cost: total.cost,
            unpriced: total.unpriced,
            freshness: mean_freshness(&active, &last_used, self.clock.now()),
        })
    }

    pub(super) fn card(&self, named: &SkillRef) -> Result<LibraryCard, StorageError> {
        let skill = self.catalog.require(&named.skill, named.scope)?;
        let summary = summary(&skill, is_in_both_scopes(&self.catalog, &skill)?);
        let (manifest, _) = safe(&skill.package.metadata);
        let parent = skill.head.parent_skill_id.map(|id| self.catalog.find_by_id(id)).transpose()?.flatten();
        let row = self.rows(vec![summary], &self.usage()?)?.pop();
        let missing = || StorageError::NotFound { what: "skill", name: named.skill.clone() };
        let signals = self.catalog.usage_of(&skill.head)?;
        let repository = self.catalog.holder(skill.head.id, skill.head.scope)?;
        let facts = repository.skill_facts(&[skill.head.id])?.pop();
        let Head { created_by, deprecated_reason, source_session, .. } = skill.head;
        Ok(LibraryCard {
            row: row.ok_or_else(missing)?,
            quality: signals.into(),
            manifest: summarize(&manifest),
            created_by,
            deprecated_reason,
            last_validated_at: facts.and_then(|facts| facts.last_validated_at),
            source_session,
            parent: parent.map(|one| SkillParent {
                id: one.head.id,
                scope: one.head.scope,
                slug: one.package.slug,
                name: one.package.name,
            }),
        })
    }

    /// By skill: one of the account may have run in the workspace and without one.
    fn usage(&self) -> Result<HashMap<SkillId, SkillUsage>, StorageError> {
        let since = Time::from_millis(self.clock.now().millis() - USAGE_DAYS * DAY_MS);
        let mut all: HashMap<SkillId, SkillUsage> = HashMap::new();
        for store in &self.traces {
            for sum in store.skill_sums(since)? {
                let usage = all.entry(sum.id).or_default();
                *usage = usage.plus(sum.into());
            }
        }
        Ok(all)
    }

    /// The usage if the order depends on it, else nothing.
    fn usage_for_sort(&self, query: &LibraryQuery) -> Result<HashMap<SkillId, SkillUsage>, StorageError> {
        if query.sort == LibrarySort::Cost { self.usage() } else { Ok(HashMap::new()) }
    }

    fn last_used(&self) -> Result<HashMap<SkillId, Time>, StorageError> {
        let mut all = HashMap::new();
        for scope in [Scope::Account, Scope::Workspace] {
            if let Some(repository) = self.catalog.repository(scope) {
                all.extend(repository.last_used()?);
            }
        }
        Ok(all)
    }

    /// Indices of the matching skills in `all`, in the order asked for.
    fn matching(
        &self,
        all: &[SkillSummary],
        query: &LibraryQuery,
        usage: &HashMap<SkillId, SkillUsage>,
    ) -> Result<(Vec<usize>, LibraryFacets), StorageError> {
        let weights = Weights {
            last_used: if query.sort == LibrarySort::Used { self.last_used()? } else { HashMap::new() },
            cost: if query.sort == LibrarySort::Cost {
                usage.iter().filter_map(|(id, usage)| Some((*id, usage.cost?))).collect()
            } else {
                HashMap::new()
            },
        };
        let (mut matching, facets) = filter(all, query);
        sort(all, &mut matching, query, &weights);
        Ok((matching, facets))
    }

    /// Adds what is read for a page only.
    fn rows(&self, page: Vec<SkillSummary>, usage: &HashMap<SkillId, SkillUsage>) -> Result<Vec<LibraryRow>, StorageError> {
        let facts = self.catalog.facts(&page)?;
        let row = |summary: SkillSummary| {
            let facts = facts.get(&(summary.scope, summary.id));
            let usage = usage.get(&summary.id).copied().unwrap_or_default();
            LibraryRow {
                last_used_at: facts.and_then(|one| one.last_used_at),
                runs: usage.runs,
                estimated_cost: usage.cost,
                unpriced: usage.unpriced,
                badges: facts.map(|one| badges(&summarize(&safe(&one.metadata).0))).unwrap_or_default(),
                summary,
            }
        };
        Ok(page.into_iter().map(row).collect())
    }
}

impl From<UsageSignals> for SkillQuality {
    fn from(signals: UsageSignals) -> Self {
        Self {
            uses: signals.invocations,
            outcomes: signals.outcomes,
            successes: signals.successes,
            task_success_rate: signals.task_success_rate(),
            judged: signals.judged,
            accepted: signals.accepted,
            human_acceptance_rate: signals.human_acceptance_rate(),
            utility: signals.utility,
        }
    }
}

/// Runs of a skill, or of several, in the last `USAGE_DAYS`.
#[derive(Debug, Clone, Copy, Default)]
struct SkillUsage {
    runs: u32,
    cost: Option<f64>,
    unpriced: u32,
}

impl SkillUsage {
    fn plus(self, other: Self) -> Self {
        let cost = match (self.cost, other.cost) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        Self { runs: self.runs + other.runs, cost, unpriced: self.unpriced + other.unpriced }
    }
}

impl From<SkillSum> for SkillUsage {
    fn from(sum: SkillSum) -> Self {
        Self { runs: sum.runs, cost: sum.cost, unpriced: sum.unpriced }
    }
}

/// The mean freshness; a skill that never ran counts from its creation. None if no skill ran yet, since the mean would only tell the age of
/// the skills.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn mean_freshness(active: &[&SkillSummary], last_used: &HashMap<SkillId, Time>, now: Time) -> Option<f64> {
    if !active.iter().any(|skill| last_used.contains_key(&skill.id)) {
        return None;
    }
    let one = |skill: &&SkillSummary| freshness(now, last_used.get(&skill.id).copied().unwrap_or(skill.created_at));
    Some(active.iter().map(one).sum::<f64>() / active.len() as f64)
}
