use inklings_rpc::{CallContext, Failure, operations};

use super::api::{RefusedReplacement, ReplaceParams, ReplaceReport, SearchParams, SearchResult};
use super::service::{self, ReplaceOutcome, Replacer};
use crate::app::App;
use crate::find::Finder;

fn search(app: &App, cx: &CallContext, params: SearchParams) -> Result<SearchResult, Failure> {
    let finder = Finder::of_call(&params.query, cx)?;
    Ok(service::search(&app.catalog(cx)?, &finder, &params)?)
}

fn replace(app: &App, cx: &CallContext, params: ReplaceParams) -> Result<ReplaceReport, Failure> {
    let finder = Finder::of_call(&params.query, cx)?;
    let replacer = Replacer { editor: app.editor(cx)?, finder, query: params.query.text, replacement: params.replacement };
    Ok(replacer.replace(params.files).into())
}

impl From<ReplaceOutcome> for ReplaceReport {
    fn from(outcome: ReplaceOutcome) -> Self {
        let refused = outcome.refused.into_iter().map(|(id, scope, error)| RefusedReplacement { id, scope, failure: error.into() });
        Self { changed: outcome.changed, refused: refused.collect() }
    }
}

operations! { App;
    /// Searches saved texts only.
    Search = "text/search", ReadSkills, blocking search(SearchParams) -> SearchResult;
    /// Saves one revision for each skill. Skips, and reports, a skill that is locked, was changed since the search or has unsaved
    /// changes in one of the files.
    Replace = "text/replace", UpdateSkills["skill"], blocking replace(ReplaceParams) -> ReplaceReport;
}
