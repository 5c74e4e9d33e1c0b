use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use inklings_core::{CancellationToken, ProgressReporter, SkillCatalog, SkillSummary};
use inklings_search::{Exclusion, Query, Ranked};

use super::api::{LeftOutReason, LeftOutSkill, SearchSkillsParams, SkillMatch, SkillSearchResult};
use super::catalog_index::{Key, SkillSearch, VectorBudget, locked};
use super::error::SearchError;

const DEFAULT_LIMIT: usize = 5;
const MAX_LIMIT: usize = 50;
/// Bytes of a message that are looked up, several times what the embedding model reads.
const MAX_MESSAGE_BYTES: usize = 8 * 1024;
/// Vectors that are computed before an answer begins, about half a second.
const SOON: usize = 50;

pub(crate) fn search(
    search: &SkillSearch,
    workspace: Option<&Path>,
    catalog: &SkillCatalog,
    params: &SearchSkillsParams,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<SkillSearchResult, SearchError> {
    let limit = params.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    search_within(search, workspace, catalog, (&params.message, limit), VectorBudget::All, cancel, progress).map(|(found, _)| found)
}

/// The skills that fit a message, for an answer that must not wait: of skills whose vectors are missing only words count, until they were
/// computed in the background.
pub(crate) fn recommend(
    search: &Arc<SkillSearch>,
    workspace: Option<&Path>,
    catalog: &SkillCatalog,
    message: &str,
    limit: usize,
) -> Result<Vec<SkillMatch>, SearchError> {
    let (cancel, progress) = (CancellationToken::new(), ProgressReporter::default());
    let (found, missing) = search_within(search, workspace, catalog, (message, limit), VectorBudget::AtMost(SOON), &cancel, &progress)?;
    if missing > 0 {
        let (search, workspace, catalog) = (search.clone(), workspace.map(Path::to_owned), catalog.clone());
        // A thread of its own: the end of a command doesn't wait for it.
        std::thread::spawn(move || search.complete(workspace.as_deref(), &catalog));
    }
    Ok(found.skills)
}

/// Also returns the number of skills that have no vectors yet.
fn search_within(
    search: &SkillSearch,
    workspace: Option<&Path>,
    catalog: &SkillCatalog,
    (message, limit): (&str, usize),
    budget: VectorBudget,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<(SkillSearchResult, usize), SearchError> {
    let message = message.trim();
    if message.is_empty() {
        return Err(SearchError::Empty);
    }
    let message = &message[..message.floor_char_boundary(MAX_MESSAGE_BYTES)];
    let (vector, words_only) = match search.model().map(|model| model.query(message)) {
        Ok(Ok(vector)) => (Some(vector), None),
        Ok(Err(error)) => (None, Some(error.to_string())),
        Err(why) => (None, Some(why.to_owned())),
    };
    let query = Query::new(message, vector);
    let (ranking, all, missing) = {
        let index = search.of(workspace);
        let mut index = locked(&index);
        let (all, missing) = index.refresh(search, catalog, budget, cancel, progress)?;
        (index.index.search(&query, limit), all, missing)
    };
    let by_key: HashMap<Key, &SkillSummary> = all.iter().map(|summary| ((summary.scope, summary.id), summary)).collect();
    let found = |one: Ranked<Key>| by_key.get(&one.key).map(|summary| matched(summary, one));
    let left_out = |one: inklings_search::RankedOut<Key>| Some(LeftOutSkill { reason: reason(one.why), found: found(one.skill)? });
    let result = SkillSearchResult {
        left_out: ranking.left_out.into_iter().filter_map(left_out).collect(),
        skills: ranking.recommended.into_iter().filter_map(found).collect(),
        words: query.topical_words().to_vec(),
        words_only,
    };
    Ok((result, missing))
}

fn matched(summary: &SkillSummary, one: Ranked<Key>) -> SkillMatch {
    SkillMatch {
        skill: summary.id,
        scope: summary.scope,
        slug: summary.slug.clone(),
        name: summary.name.clone(),
        description: summary.description.clone(),
        score: one.score,
        exact: one.exact,
        similarity: one.cosine,
        coverage: one.coverage,
        terms: one.terms,
        avoided: one.avoided,
        quality: one.quality,
    }
}

const fn reason(why: Exclusion) -> LeftOutReason {
    match why {
        Exclusion::Disabled => LeftOutReason::Disabled,
        Exclusion::Deprecated => LeftOutReason::Deprecated,
        Exclusion::Archived => LeftOutReason::Archived,
        Exclusion::Unproven => LeftOutReason::Unproven,
        Exclusion::Conflict => LeftOutReason::Conflict,
        Exclusion::Avoided => LeftOutReason::Avoided,
        Exclusion::Weak => LeftOutReason::Weak,
        Exclusion::Rank => LeftOutReason::Rank,
    }
}
