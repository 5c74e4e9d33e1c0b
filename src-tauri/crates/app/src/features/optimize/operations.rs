use std::sync::Arc;

use inklings_rpc::{CallContext, Failure, NoParams, Permission, operations};

use super::api::{ExampleSource, ExampleSummary, ExamplesParams, OptimizeOutcome, OptimizeParams, OutdatedList, ReoptimizeParams};
use super::error::OptimizeError;
use super::examples::gather_examples;
use super::service::{NewOptimization, OptimizeService, SearchRequest, list_outdated, program_of, repeated_search};
use crate::app::App;
use crate::features::run::service::runnable_skill;

impl App {
    fn optimize_service(&self) -> OptimizeService<'_> {
        OptimizeService { runs: self.run_service(), programs: self.programs.as_ref(), proposals: &self.proposals }
    }
}

fn authorize(cx: &CallContext, source: &ExampleSource) -> Result<(), Failure> {
    if matches!(source, ExampleSource::File { .. }) {
        cx.require(Permission::Local, "read examples from a file")?;
    }
    Ok(())
}

fn list_examples(app: &App, cx: &CallContext, params: ExamplesParams) -> Result<ExampleSummary, Failure> {
    authorize(cx, &params.source)?;
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let artifact = program_of(&skill, &params.artifact)?;
    let found = gather_examples(&app.current_trace_stores(cx)?, &skill, artifact, &params.source)?;
    Ok(ExampleSummary {
        count: found.examples.len(),
        with_outputs: found.examples.iter().filter(|one| !one.outputs.is_empty()).count(),
        first: found.examples.into_iter().take(5).collect(),
        diagnostics: found.diagnostics,
    })
}

async fn start(app: Arc<App>, cx: CallContext, params: OptimizeParams) -> Result<OptimizeOutcome, Failure> {
    authorize(&cx, &params.source)?;
    let prepare = move |app: &App| {
        let skill = runnable_skill(&app.catalog(&cx)?, app.user.as_ref(), &cx.workspace_key(), &params.skill, params.scope)?;
        let artifact = program_of(&skill, &params.artifact)?.clone();
        let found = gather_examples(&app.current_trace_stores(&cx)?, &skill, &artifact, &params.source)?;
        let request = SearchRequest {
            metric: params.metric,
            optimizer: params.optimizer,
            options: params.options,
            valset_fraction: params.valset_fraction,
            seed: params.seed,
            calls: params.calls,
        };
        let (search, diagnostics) = request.search(&artifact, found)?;
        let new = NewOptimization {
            run: params.run,
            workspace: App::caller(&cx).draft_key(skill.head.scope),
            artifact,
            search,
            model: params.model,
            limits: params.limits,
        };
        Ok((skill, new, diagnostics, app.run_environment(&cx, params.run)?))
    };
    let (skill, new, diagnostics, environment) = app.blocking(prepare).await?;
    let (report, proposal) = app.optimize_service().optimize(skill, new, environment).await?;
    Ok(OptimizeOutcome { run: report.into(), proposal, diagnostics })
}

async fn outdated(app: Arc<App>, cx: CallContext, _: NoParams) -> Result<OutdatedList, Failure> {
    let dspy = match app.programs.status().dspy {
        Some(dspy) => dspy,
        None => app.programs.manifest().await.map_err(OptimizeError::Program)?.dspy,
    };
    app.blocking(move |app| {
        let catalog = app.catalog(&cx)?;
        let artifacts = list_outdated(&catalog, app.user.as_ref(), app.proposals.as_ref(), &cx.workspace_key(), &dspy)?;
        Ok(OutdatedList { dspy, artifacts })
    })
    .await
}

async fn repeat(app: Arc<App>, cx: CallContext, params: ReoptimizeParams) -> Result<OptimizeOutcome, Failure> {
    let prepare = move |app: &App| {
        let skill = runnable_skill(&app.catalog(&cx)?, app.user.as_ref(), &cx.workspace_key(), &params.skill, params.scope)?;
        let artifact = program_of(&skill, &params.artifact)?.clone();
        let (search, limits) = repeated_search(app.proposals.as_ref(), &skill, &artifact, params.limits)?;
        let workspace = App::caller(&cx).draft_key(skill.head.scope);
        let new = NewOptimization { run: params.run, workspace, artifact, search, model: params.model, limits };
        Ok((skill, new, app.run_environment(&cx, params.run)?))
    };
    let (skill, new, environment) = app.blocking(prepare).await?;
    let (report, proposal) = app.optimize_service().optimize(skill, new, environment).await?;
    Ok(OptimizeOutcome { run: report.into(), proposal, diagnostics: Vec::new() })
}

operations! { App;
    /// The examples that an optimization would use.
    Examples = "optimize/examples", Read, blocking list_examples(ExamplesParams) -> ExampleSummary;
    /// Returns when the optimization has ended; events report its progress. It can be cancelled like a run. Errors before the first model
    /// call are failures, later ones are in the outcome.
    Start = "optimize/start", Run["run", "proposal"], async start(OptimizeParams) -> OptimizeOutcome;
    /// Artifacts compiled by another version of DSPy. Starts the process only if the version isn't known yet.
    ListOutdated = "optimize/outdated", Read, async outdated(NoParams) -> OutdatedList;
    /// Optimizes again with the settings and examples of the last accepted proposal.
    Repeat = "optimize/repeat", Run["run", "proposal"], async repeat(ReoptimizeParams) -> OptimizeOutcome;
}
