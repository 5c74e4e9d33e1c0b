//! `optimize/*`: looking for a better state of a DSPy program. A search only proposes; see `proposal/accept`.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use inklings_core::program::{Metric, Optimized, ProgramExample};
use inklings_core::proposal::{ProposalFilter, ProposalKind, ProposalStatus};
use inklings_core::trace::{TraceFilter, TracedSkill};
use inklings_core::{
    Artifact, ArtifactKind, CancellationToken, Digest, ModelRef, Proposal, ProposalId, RunId, Skill, SkillPath, TraceStatus,
};
use inklings_rpc::{CallContext, Code, Failure, NoParams, operations};
use inklings_runtime::assertions::Assertion;
use inklings_runtime::optimize::Search;
use inklings_runtime::program::{Content, state_of};
use inklings_runtime::record::Recorder;
use inklings_runtime::run::{RunReport, RunRequest};
use inklings_runtime::{Limits, SkillError};
use serde_json::{Map, Value};

use super::api::{AgainParams, ExampleSource, ExamplesFound, ExamplesParams, OptimizeOutcome, OptimizeParams, Outdated, OutdatedList};
use crate::app::App;
use crate::features::proposal::OptimisationBody;
use crate::features::run::{RunOutcome, blocking, find};
use crate::features::trace::{Example, examples, stores};
use crate::ops::draft_key;
use crate::training::Found;
use crate::{reach, training};

/// Runs that are looked through for examples.
const TRACES: usize = 5_000;

/// Share of the examples that is only judged by, unless said otherwise.
const HELD_OUT: f64 = 0.3;

/// Seconds that an optimisation may take, unless said otherwise.
const SECONDS: u32 = 2 * 60 * 60;

/// Seed, unless said otherwise.
const SEED: u64 = 1;

fn list_examples(app: &App, cx: &CallContext, params: ExamplesParams) -> Result<ExamplesFound, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let artifact = program(&skill, &params.artifact)?;
    let found = gather(app, cx, &skill, artifact, &params.source)?;
    Ok(ExamplesFound {
        count: found.examples.len(),
        with_outputs: found.examples.iter().filter(|one| !one.outputs.is_empty()).count(),
        first: found.examples.into_iter().take(5).collect(),
        diagnostics: found.diagnostics,
    })
}

async fn start(app: Arc<App>, cx: CallContext, params: OptimizeParams) -> Result<OptimizeOutcome, Failure> {
    let skill = find(&app, &cx, params.skill.clone(), params.scope).await?;
    let (cx_there, of, source, wanted) = (cx.clone(), skill.clone(), params.source.clone(), params.artifact.clone());
    let gathered = blocking(&app, move |app| {
        let artifact = program(&of, &wanted)?;
        Ok((artifact.clone(), gather(app, &cx_there, &of, artifact, &source)?))
    });
    let (artifact, found) = gathered.await?;
    let metric = params.metric.map_or_else(|| usual_metric(&artifact), Ok)?;
    let seed = params.seed.unwrap_or(SEED);
    let usable = usable(found.examples, &metric);
    let (training, held_out) = training::split(usable, params.held_out.unwrap_or(HELD_OUT), seed);
    if training.is_empty() {
        let hint = "run the skill a few times, or give a file with a line of JSON for each example";
        return Err(Failure::invalid("there are no examples to learn from")
            .hint(hint)
            .fields(serde_json::json!({ "diagnostics": found.diagnostics })));
    }
    let search = Search { training, held_out, metric, optimizer: params.optimizer, options: params.options, seed, calls: params.calls };
    let job = Job { run: params.run, artifact, search, model: params.model, limits: params.limits };
    let (run, proposal) = optimize(&app, cx, skill, job).await?;
    Ok(OptimizeOutcome { run, proposal, diagnostics: found.diagnostics })
}

async fn outdated(app: Arc<App>, cx: CallContext, _: NoParams) -> Result<OutdatedList, Failure> {
    let dspy = match app.programs.status().dspy {
        Some(dspy) => dspy,
        None => app.programs.manifest().await.map_err(|error| Failure::new(Code::NotInstalled, error.to_string()))?.dspy,
    };
    blocking(&app, move |app| {
        let mut artifacts = Vec::new();
        for summary in app.catalog(&cx)?.list_all()? {
            if !summary.kinds.contains(&ArtifactKind::DspyModule) {
                continue;
            }
            let skill = app.catalog(&cx)?.require(&summary.id.to_string(), Some(summary.scope))?;
            artifacts.extend(find_outdated(app, &cx, &skill, &dspy)?);
        }
        Ok(OutdatedList { dspy, artifacts })
    })
    .await
}

async fn again(app: Arc<App>, cx: CallContext, params: AgainParams) -> Result<OptimizeOutcome, Failure> {
    let skill = find(&app, &cx, params.skill.clone(), params.scope).await?;
    let (of, wanted) = (skill.clone(), params.artifact.clone());
    let looked = blocking(&app, move |app| {
        let artifact = program(&of, &wanted)?;
        Ok((artifact.clone(), last_accepted(app, &of, &artifact.path)?))
    });
    let (artifact, body) = looked.await?;
    let missing =
        || Failure::new(Code::NotFound, format!("{} was never optimised here", artifact.name)).hint("start an optimisation with examples");
    let body = body.ok_or_else(missing)?;
    let search = Search {
        training: body.training_data,
        held_out: body.held_out_data,
        metric: body.metric,
        optimizer: body.optimizer,
        options: body.options,
        seed: body.seed,
        calls: body.calls,
    };
    // The person's limits of then hold again where none are given now.
    let limits = Limits {
        tokens: params.limits.tokens.or(body.limits.tokens),
        cost: params.limits.cost.or(body.limits.cost),
        seconds: params.limits.seconds.or(body.limits.seconds),
    };
    let job = Job { run: params.run, artifact, search, model: params.model, limits };
    let (run, proposal) = optimize(&app, cx, skill, job).await?;
    Ok(OptimizeOutcome { run, proposal, diagnostics: Vec::new() })
}

/// The program of a skill, by path or name.
fn program<'a>(skill: &'a Skill, wanted: &str) -> Result<&'a Artifact, Failure> {
    let all = &skill.package.artifacts;
    let found = all.iter().find(|one| one.path.as_str() == wanted).or_else(|| all.iter().find(|one| one.name == wanted));
    let artifact = found.ok_or_else(|| Failure::from(SkillError::NoArtifact(wanted.to_owned())))?;
    if artifact.kind == ArtifactKind::DspyModule {
        return Ok(artifact);
    }
    let what = format!("{} is a {}: only DSPy programs can be optimised", artifact.name, artifact.kind);
    Err(Failure::invalid(what).hint("choose a dspy_module"))
}

fn gather(app: &App, cx: &CallContext, skill: &Skill, artifact: &Artifact, source: &ExampleSource) -> Result<Found, Failure> {
    let failed = |error| Failure::from(SkillError::Program { artifact: artifact.name.clone(), error });
    let signature = Content::of(artifact).map_err(failed)?.signature;
    match source {
        ExampleSource::Lines { text } => Ok(training::from_lines(text, "lines", &signature)),
        ExampleSource::File { path } => Ok(training::from_lines(&text_of(path)?, &path.display().to_string(), &signature)),
        ExampleSource::Traces => {
            let mut found = Found::default();
            for one in of_traces(app, cx, skill, artifact)? {
                let mut value = serde_json::json!({ "inputs": one.inputs });
                if one.ok != Some(false) {
                    value["output"] = one.output;
                }
                // A run before the signature was changed is no example any more.
                if let Ok(example) = training::example(&value, &signature) {
                    found.examples.push(example);
                }
            }
            found.examples.truncate(training::MOST);
            Ok(found)
        }
    }
}

fn text_of(path: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(Code::Io, format!("{} can't be read: {error}", path.display()))
            .hint("choose a file with a line of JSON for each example")
    };
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(training::MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > training::MOST_BYTES {
        let mib = training::MOST_BYTES / 1024 / 1024;
        return Err(Failure::new(Code::Limit, format!("{} has more than {mib} MiB", path.display())).hint("give fewer examples"));
    }
    String::from_utf8(bytes).map_err(|_| Failure::invalid(format!("{} is no UTF-8 text", path.display())).hint("save it as UTF-8"))
}

/// Examples among the runs of the artifact and of the prompt that stands in for it.
fn of_traces(app: &App, cx: &CallContext, skill: &Skill, artifact: &Artifact) -> Result<Vec<Example>, Failure> {
    let stand_in = artifact.metadata.get("fallback_artifact").and_then(Value::as_str);
    let paths: Vec<_> = skill
        .package
        .artifacts
        .iter()
        .filter(|one| one.path == artifact.path || stand_in == Some(&one.name))
        .map(|one| &one.path)
        .collect();
    let filter = TraceFilter {
        skill: Some(skill.package.slug.to_string()),
        status: vec![TraceStatus::Ok, TraceStatus::Error],
        ..TraceFilter::default()
    };
    let mut all = Vec::new();
    for store in stores(app, cx)? {
        let mut traces = store.traces(&filter, None, TRACES)?.items;
        traces.reverse();
        all.extend(examples(store.as_ref(), &traces)?);
    }
    all.retain(|one| paths.contains(&&one.artifact));
    Ok(all)
}

/// The artifact's assertions, else the first output.
fn usual_metric(artifact: &Artifact) -> Result<Metric, Failure> {
    let assertions = Assertion::parse_all(&artifact.metadata).map_err(SkillError::Assertions)?;
    if !assertions.is_empty() {
        return Ok(Metric::Assertions);
    }
    let content = Content::of(artifact).map_err(|error| SkillError::Program { artifact: artifact.name.clone(), error })?;
    let field = content.signature.outputs.first().map(|field| field.name.clone()).unwrap_or_default();
    Ok(Metric::Exact { field })
}

/// Examples without outputs say nothing to a metric that compares.
fn usable(examples: Vec<ProgramExample>, metric: &Metric) -> Vec<ProgramExample> {
    match metric {
        Metric::Assertions => examples,
        Metric::Exact { field } | Metric::Contains { field } => {
            examples.into_iter().filter(|one| one.outputs.contains_key(field)).collect()
        }
    }
}

/// An optimisation in the making.
struct Job {
    run: Option<RunId>,
    artifact: Artifact,
    search: Search,
    model: Option<ModelRef>,
    limits: Limits,
}

async fn optimize(app: &Arc<App>, cx: CallContext, skill: Skill, job: Job) -> Result<(RunOutcome, Option<Proposal>), Failure> {
    can_judge(&job)?;
    can_keep_to(app, &job).await?;
    let cx_there = cx.clone();
    let prepare = move |app: &App| Ok((app.scopes.traces(cx_there.workspace.as_deref())?, reach::reach(app, &cx_there)?));
    let (store, resources) = blocking(app, prepare).await?;
    let recorder = Recorder { store, redactor: app.redactor.clone(), clock: app.clock.clone(), ids: app.ids.clone() };
    let run = job.run.unwrap_or_else(|| RunId::new(app.ids.uuid()));
    let cancel = CancellationToken::new();
    let _entered = app.runs.enter(run, cancel.clone())?;
    let request = RunRequest {
        run,
        session: None,
        parent: None,
        depth: 0,
        skill: Arc::new(skill.clone()),
        workspace: cx.workspace.clone(),
        artifact: Some(job.artifact.path.to_string()),
        params: Map::new(),
        model: job.model.clone(),
        limits: Limits { seconds: job.limits.seconds.or(Some(SECONDS)), ..job.limits },
        cancel,
        replay_of: None,
        resources,
    };
    let search = job.search.clone();
    let (report, optimized) = app.runner.optimize(request, search, app.programs.as_ref(), &recorder, app.events.as_ref()).await?;
    // The same instructions and demonstrations are worth a proposal only where they make a state current.
    let outdated = state_of(&job.artifact).is_some_and(|state| version_of(&state) != app.programs.status().dspy);
    let Some(optimized) = optimized.filter(|found| outdated || found.predictors != found.predictors_before) else {
        return Ok((report.into(), None));
    };
    let made = proposal(app, &cx, &skill, &job, optimized, &report)?;
    let keep = made.clone();
    blocking(app, move |app| Ok(app.proposals.put_proposal(&keep)?)).await?;
    Ok((report.into(), Some(made)))
}

/// Refuses to search for what nothing here can judge: it would find noise.
fn can_judge(job: &Job) -> Result<(), Failure> {
    if job.search.metric != Metric::Assertions {
        return Ok(());
    }
    let assertions = Assertion::parse_all(&job.artifact.metadata).map_err(SkillError::Assertions)?;
    if assertions.iter().any(Assertion::can_run) {
        return Ok(());
    }
    let what = format!("none of the assertions of {} can be checked here", job.artifact.name);
    Err(Failure::invalid(what).hint("add one that can, or judge by an output: exact or contains"))
}

/// Refuses a limit of cost that no cost would ever reach.
async fn can_keep_to(app: &App, job: &Job) -> Result<(), Failure> {
    if job.limits.cost.is_none() {
        return Ok(());
    }
    let model = app.runner.models.model(job.model.as_ref()).await?;
    if model.price().is_some() {
        return Ok(());
    }
    let what = format!("a limit of cost can't be kept: the price of {} isn't known", model.id());
    Err(Failure::invalid(what).hint("set its price in the provider's settings, or limit the questions, tokens or time"))
}

fn proposal(
    app: &App,
    cx: &CallContext,
    skill: &Skill,
    Job { artifact, search, limits, .. }: &Job,
    found: Optimized,
    report: &RunReport,
) -> Result<Proposal, Failure> {
    let scores = found.held_out.unwrap_or(found.train);
    let body = OptimisationBody {
        run: report.run,
        artifact: artifact.name.clone(),
        content_sha256: Digest::of(artifact.content.as_bytes()).to_string(),
        state_sha256: artifact.state.as_ref().map(|state| Digest::of(&state.bytes).to_string()),
        optimizer: search.optimizer.clone(),
        options: search.options.clone(),
        metric: search.metric.clone(),
        seed: search.seed,
        dspy: app.programs.status().dspy,
        model: report.traces.first().and_then(|trace| trace.model_id.clone()),
        train: found.train,
        held_out: found.held_out,
        stopped: found.stopped,
        before: found.predictors_before,
        after: found.predictors,
        state_blob: found.state_blob,
        training_data: search.training.clone(),
        held_out_data: search.held_out.clone(),
        calls: search.calls,
        limits: *limits,
        usage: report.usage,
    };
    Ok(Proposal {
        id: ProposalId::new(app.ids.uuid()),
        kind: ProposalKind::Optimisation,
        workspace: draft_key(cx, skill.head.scope),
        skill: TracedSkill { scope: skill.head.scope, id: skill.head.id, slug: skill.package.slug.clone(), revision: skill.head.revision },
        artifact_path: Some(artifact.path.clone()),
        title: format!("{} by {}: {:.2} to {:.2}", artifact.name, search.optimizer, scores.before, scores.after),
        status: ProposalStatus::Open,
        body: clean(app, &body)?,
        revision: None,
        created_at: app.clock.now(),
        decided_at: None,
    })
}

/// The body without secrets: it has what models said and what someone gave as examples.
fn clean(app: &App, body: &OptimisationBody) -> Result<Value, Failure> {
    let broken = |error: serde_json::Error| Failure::new(Code::Internal, format!("the proposal can't be kept: {error}"));
    serde_json::from_str(&app.redactor.redact(&serde_json::to_string(body).map_err(broken)?)).map_err(broken)
}

/// The artifacts of a skill with a state of another version.
fn find_outdated(app: &App, cx: &CallContext, skill: &Skill, dspy: &str) -> Result<Vec<Outdated>, Failure> {
    let mut all = Vec::new();
    if reach::needs_trust(app.user.as_ref(), &cx.workspace_key(), skill.head.scope)? {
        return Ok(all);
    }
    for artifact in skill.package.artifacts.iter().filter(|one| one.kind == ArtifactKind::DspyModule) {
        let Some(state) = state_of(artifact) else { continue };
        let made_by = version_of(&state);
        if made_by.as_deref() == Some(dspy) {
            continue;
        }
        all.push(Outdated {
            skill: skill.package.slug.clone(),
            title: skill.package.name.clone(),
            scope: skill.head.scope,
            artifact: artifact.name.clone(),
            path: artifact.path.clone(),
            dspy: made_by,
            again: last_accepted(app, skill, &artifact.path)?.is_some(),
        });
    }
    Ok(all)
}

/// The version of DSPy that a state says it was made by: in our shape, or in that of DSPy's own files.
fn version_of(state: &Value) -> Option<String> {
    let ours = state.get("dspy");
    let theirs = || state.get("metadata")?.get("dependency_versions")?.get("dspy");
    ours.or_else(theirs)?.as_str().map(str::to_owned)
}

fn last_accepted(app: &App, skill: &Skill, path: &SkillPath) -> Result<Option<OptimisationBody>, Failure> {
    let filter = ProposalFilter { skill: Some(skill.head.id), status: Some(ProposalStatus::Accepted), workspace: None };
    let accepted = app.proposals.proposals(&filter)?.into_iter();
    let mut of_it = accepted.filter(|one| one.kind == ProposalKind::Optimisation && one.artifact_path.as_ref() == Some(path));
    Ok(of_it.find_map(|one| serde_json::from_value(one.body).ok()))
}

operations! { App;

    /// What an optimisation would learn from.
    Examples = "optimize/examples", Read, blocking list_examples(ExamplesParams) -> ExamplesFound;
    /// Optimises to the end; events tell how far it is. `run/cancel` stops it. A refusal before anything is asked is a
    /// failure, what fails later is in the outcome.
    Start = "optimize/start", Run["run", "proposal"], async start(OptimizeParams) -> OptimizeOutcome;
    /// What an update of DSPy gives reason to optimize again. Starts the process only where the version of DSPy
    /// isn't known without it.
    ListOutdated = "optimize/outdated", Read, async outdated(NoParams) -> OutdatedList;
    /// As the last accepted proposal of the artifact was made, with its examples.
    Again = "optimize/again", Run["run", "proposal"], async again(AgainParams) -> OptimizeOutcome;
}
