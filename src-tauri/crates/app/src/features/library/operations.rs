//! `library/*`: finding one's way among many skills, with what they cost and how they are used.

use std::collections::HashMap;
use std::sync::Arc;

use inklings_core::manifest::{badges, safe, summarize};
use inklings_core::trace::SkillSum;
use inklings_core::{Head, Lifecycle, Scope, SkillCatalog, SkillFacts, SkillId, SkillSummary, Time, TraceStore};
use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{
    LibraryCard, LibraryKey, LibraryKeys, LibraryPage, LibraryParams, LibraryRow, LibraryStats, SeekParams, SkillParent, Sought,
};
use crate::app::App;
use crate::library::{LibraryFacets, LibraryQuery, LibrarySort, Weights, arrange, choose, seek};
use crate::wire::SkillRef;

/// Days that use and cost are counted over.
const DAYS: i64 = 30;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Days after which an unused skill isn't fresh at all, and what is left of its freshness then.
const FRESH_DAYS: f64 = 30.0;

const LEAST_FRESH: f64 = 0.05;

fn list(app: &App, cx: &CallContext, params: LibraryParams) -> Result<LibraryPage, Failure> {
    let catalog = app.catalog(cx)?;
    let all = catalog.list_both()?;
    let sums = sums(app, cx)?;
    let (chosen, facets) = chosen(&catalog, &all, &params.query, &sums)?;
    let total = chosen.len();
    let first = params.offset.min(total);
    let last = params.limit.map_or(total, |limit| first.saturating_add(limit).min(total));
    let page: Vec<SkillSummary> = chosen[first..last].iter().map(|&at| all[at].clone()).collect();
    let facets = (params.offset == 0).then_some(facets);
    Ok(LibraryPage { skills: rows(&catalog, page, &sums)?, total, facets })
}

fn keys(app: &App, cx: &CallContext, params: LibraryParams) -> Result<LibraryKeys, Failure> {
    let catalog = app.catalog(cx)?;
    let all = catalog.list_both()?;
    let (chosen, _) = chosen(&catalog, &all, &params.query, &needed_sums(app, cx, &params.query)?)?;
    let part = chosen.iter().skip(params.offset).take(params.limit.unwrap_or(usize::MAX));
    Ok(LibraryKeys { keys: part.map(|&at| LibraryKey { id: all[at].id, scope: all[at].scope }).collect() })
}

fn seek_row(app: &App, cx: &CallContext, params: SeekParams) -> Result<Sought, Failure> {
    let catalog = app.catalog(cx)?;
    let all = catalog.list_both()?;
    let (chosen, _) = chosen(&catalog, &all, &params.query, &needed_sums(app, cx, &params.query)?)?;
    Ok(Sought { index: seek(&all, &chosen, &params.prefix, params.after) })
}

fn stats(app: &App, cx: &CallContext, _: NoParams) -> Result<LibraryStats, Failure> {
    let catalog = app.catalog(cx)?;
    let all = catalog.list_all()?;
    let used = last_used(&catalog)?;
    let retired = |skill: &&SkillSummary| matches!(skill.lifecycle, Lifecycle::Deprecated | Lifecycle::Archived);
    let active: Vec<&SkillSummary> = all.iter().filter(|skill| skill.enabled && !retired(skill)).collect();
    let total = sums(app, cx)?.into_values().fold(Total::default(), Total::with);
    Ok(LibraryStats {
        skills: all.len(),
        active: active.len(),
        deprecated: all.iter().filter(|skill| skill.lifecycle == Lifecycle::Deprecated).count(),
        runs: total.runs,
        estimated_cost: total.cost,
        unpriced: total.unpriced,
        freshness: freshness(&active, &used, app.clock.now()),
    })
}

/// The mean over skills of how lately they ran, or were made. None until one of them ran: then the numbers only say how old the
/// skills are.
#[expect(clippy::cast_precision_loss, reason = "milliseconds and counts far below 2^52")]
fn freshness(active: &[&SkillSummary], used: &HashMap<SkillId, Time>, now: Time) -> Option<f64> {
    if !active.iter().any(|skill| used.contains_key(&skill.id)) {
        return None;
    }
    let one = |skill: &&SkillSummary| {
        let last = used.get(&skill.id).copied().unwrap_or(skill.created_at);
        let days = (now.millis() - last.millis()).max(0) as f64 / DAY_MS as f64;
        (1.0 - days / FRESH_DAYS).max(LEAST_FRESH)
    };
    Some(active.iter().map(one).sum::<f64>() / active.len() as f64)
}

fn card(app: &App, cx: &CallContext, params: SkillRef) -> Result<LibraryCard, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let summary = crate::wire::summary(&skill, crate::wire::is_in_both_scopes(&catalog, &skill)?);
    let (manifest, _) = safe(&skill.package.metadata);
    let parent = skill.head.parent_skill_id.map(|id| catalog.find(&id.to_string(), None)).transpose()?.flatten();
    let parent = parent.filter(|parent| Some(parent.head.id) == skill.head.parent_skill_id);
    let row = rows(&catalog, vec![summary], &sums(app, cx)?)?.pop();
    let missing = || inklings_core::StorageError::NotFound { what: "skill", name: params.skill.clone() };
    let Head { created_by, deprecated_reason, source_session, .. } = skill.head;
    Ok(LibraryCard {
        row: row.ok_or_else(missing)?,
        manifest: summarize(&manifest),
        created_by,
        deprecated_reason,
        source_session,
        parent: parent.map(|one| SkillParent { id: one.head.id, scope: one.head.scope, slug: one.package.slug, name: one.package.name }),
    })
}

/// What runs come to, added up.
#[derive(Debug, Clone, Copy, Default)]
struct Total {
    runs: u32,
    cost: Option<f64>,
    unpriced: u32,
}

impl Total {
    fn with(self, other: Self) -> Self {
        let cost = match (self.cost, other.cost) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        Self { runs: self.runs + other.runs, cost, unpriced: self.unpriced + other.unpriced }
    }
}

impl From<SkillSum> for Total {
    fn from(sum: SkillSum) -> Self {
        Self { runs: sum.runs, cost: sum.cost, unpriced: sum.unpriced }
    }
}

/// What the runs of the last 30 days come to, by skill: an account's skill may have run in the workspace and without one.
fn sums(app: &App, cx: &CallContext) -> Result<HashMap<SkillId, Total>, Failure> {
    let since = Time::from_millis(app.clock.now().millis() - DAYS * DAY_MS);
    let account = app.scopes.traces(None)?;
    let mut stores: Vec<Arc<dyn TraceStore>> = vec![account.clone()];
    if cx.workspace.is_some() {
        let own = app.scopes.traces(cx.workspace.as_deref())?;
        if !Arc::ptr_eq(&own, &account) {
            stores.push(own);
        }
    }
    let mut all: HashMap<SkillId, Total> = HashMap::new();
    for store in stores {
        for sum in store.skill_sums(since)? {
            let total = all.entry(sum.id).or_default();
            *total = total.with(sum.into());
        }
    }
    Ok(all)
}

/// The sums, where the order asks for them.
fn needed_sums(app: &App, cx: &CallContext, query: &LibraryQuery) -> Result<HashMap<SkillId, Total>, Failure> {
    if query.sort == LibrarySort::Cost { sums(app, cx) } else { Ok(HashMap::new()) }
}

fn last_used(catalog: &SkillCatalog) -> Result<HashMap<SkillId, Time>, Failure> {
    let mut all = HashMap::new();
    for scope in [Scope::Account, Scope::Workspace] {
        if let Some(repository) = catalog.repository(scope) {
            all.extend(repository.last_used()?);
        }
    }
    Ok(all)
}

/// What fits, in order.
fn chosen(
    catalog: &SkillCatalog,
    all: &[SkillSummary],
    query: &LibraryQuery,
    sums: &HashMap<SkillId, Total>,
) -> Result<(Vec<usize>, LibraryFacets), Failure> {
    let weights = Weights {
        used: if query.sort == LibrarySort::Used { last_used(catalog)? } else { HashMap::new() },
        cost: if query.sort == LibrarySort::Cost {
            sums.iter().filter_map(|(id, total)| Some((*id, total.cost?))).collect()
        } else {
            HashMap::new()
        },
    };
    let (mut chosen, facets) = choose(all, query);
    arrange(all, &mut chosen, query, &weights);
    Ok((chosen, facets))
}

/// Summaries with what is read for a page only.
fn rows(catalog: &SkillCatalog, page: Vec<SkillSummary>, sums: &HashMap<SkillId, Total>) -> Result<Vec<LibraryRow>, Failure> {
    let mut facts: HashMap<(Scope, SkillId), SkillFacts> = HashMap::with_capacity(page.len());
    for scope in [Scope::Account, Scope::Workspace] {
        let ids: Vec<SkillId> = page.iter().filter(|skill| skill.scope == scope).map(|skill| skill.id).collect();
        if let Some(repository) = catalog.repository(scope).filter(|_| !ids.is_empty()) {
            facts.extend(repository.skill_facts(&ids)?.into_iter().map(|one| ((scope, one.id), one)));
        }
    }
    let row = |summary: SkillSummary| {
        let known = facts.get(&(summary.scope, summary.id));
        let total = sums.get(&summary.id).copied().unwrap_or_default();
        LibraryRow {
            last_used_at: known.and_then(|one| one.last_used_at),
            runs: total.runs,
            estimated_cost: total.cost,
            unpriced: total.unpriced,
            badges: known.map(|one| badges(&summarize(&safe(&one.metadata).0))).unwrap_or_default(),
            summary,
        }
    };
    Ok(page.into_iter().map(row).collect())
}

operations! { App;
    ListLibrary = "library/list", Read, blocking list(LibraryParams) -> LibraryPage;
    /// What a selection over many pages names.
    ListKeys = "library/keys", Read, blocking keys(LibraryParams) -> LibraryKeys;
    Seek = "library/seek", Read, blocking seek_row(SeekParams) -> Sought;
    Stats = "library/stats", Read, blocking stats(NoParams) -> LibraryStats;
    Card = "library/card", Read, blocking card(SkillRef) -> LibraryCard;
}
