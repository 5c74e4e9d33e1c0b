//! Which skill a model chooses for each trigger case, with all enabled skills in its index.

use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use inklings_agent::history::Calling;
use inklings_agent::skill_index::{IndexFormat, SkillIndex};
use inklings_agent::system_prompt::{Facts, system_prompt};
use inklings_agent::{Conversation, choose_skill};
use inklings_core::trace::Usage;
use inklings_core::{CancellationToken, LanguageModel, ProgressReporter, SkillCatalog, StorageError};
use inklings_evals::cases::{Case, CaseKind};
use inklings_evals::triggers;

use super::api::ModelTriggerReport;
use super::error::EvalError;
use crate::features::chat;
use crate::features::tool::{self, ToolSet};

/// Requests at the same time.
const CONCURRENCY: usize = 4;

/// All enabled skills, however many tokens they take.
pub(super) fn index(catalog: &SkillCatalog) -> Result<SkillIndex, StorageError> {
    chat::index(catalog, None, &[], IndexFormat::List, usize::MAX)
}

pub(super) async fn test_triggers(
    model: Arc<dyn LanguageModel>,
    calling: Calling,
    slug: &str,
    cases: &[Case],
    index: &SkillIndex,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<(ModelTriggerReport, Calling), EvalError> {
    let queries: Vec<&str> = cases
        .iter()
        .filter_map(|case| match &case.kind {
            CaseKind::Trigger { query, .. } => Some(query.as_str()),
            CaseKind::Task(_) => None,
        })
        .collect();
    let system = system_prompt(&Facts { skill_index: &index.text, ..Facts::default() });
    let tools: Vec<_> = tool::descriptions(ToolSet::Default).collect();
    let (model, tools, total) = (model.as_ref(), tools.as_slice(), queries.len());
    progress.report(0, Some(total));
    let ask = |query: &str| {
        let conversation = Conversation { system: system.clone(), past: Vec::new(), message: query.to_owned() };
        async move { choose_skill(model, &conversation, tools, calling, cancel).await }
    };
    let requests: Vec<_> = queries.iter().map(|query| ask(query)).collect();
    let mut answers = stream::iter(requests).buffered(CONCURRENCY);
    let (mut choices, mut usage, mut found) = (Vec::with_capacity(total), Usage::default(), calling);
    while let Some(choice) = answers.try_next().await? {
        usage.add(Usage::of(choice.completion.usage, model.price()));
        found = choice.calling;
        choices.push(choice.skill);
        progress.report(choices.len(), Some(total));
    }
    let mut choices = choices.into_iter();
    let report = triggers::evaluate(slug, cases, |_| Ok::<_, EvalError>(choices.next().flatten().into_iter().collect()))?;
    Ok((ModelTriggerReport { model: model.id().clone(), usage, report }, found))
}
