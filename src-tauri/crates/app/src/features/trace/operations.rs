//! `trace/*`: what was recorded of each execution.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use inklings_core::trace::Trace;
use inklings_core::{SkillPath, Slug, TraceId, TraceStatus, TraceStore};
use inklings_rpc::{CallContext, Code, Failure, operations};
use serde::Serialize;
use serde_json::{Map, Value};

use super::api::{Stats, StatsParams, TraceExport, TraceExportParams, TraceFormat, TraceList, TraceListParams, TraceRef};
use crate::app::App;
use crate::features::run::{page, run_of};

/// Traces that an export takes at a time.
const BATCH: usize = 500;

/// The store that a call's runs are traced in; of the account if asked for. Runs whose process is gone are marked first.
pub(crate) fn store(app: &App, cx: &CallContext, account: bool) -> Result<Arc<dyn TraceStore>, Failure> {
    let store = app.scopes.traces(cx.workspace.as_deref().filter(|_| !account))?;
    store.mark_interrupted()?;
    Ok(store)
}

/// The stores that a call can see, the workspace's first.
pub(crate) fn stores(app: &App, cx: &CallContext) -> Result<Vec<Arc<dyn TraceStore>>, Failure> {
    let mut all = vec![store(app, cx, false)?];
    if cx.workspace.is_some() {
        all.push(store(app, cx, true)?);
    }
    Ok(all)
}

/// A trace with the store that it is in, and whether that is the account's.
pub(crate) fn find(app: &App, cx: &CallContext, id: TraceId) -> Result<(Arc<dyn TraceStore>, Trace, bool), Failure> {
    for store in stores(app, cx)? {
        if let Some(trace) = store.trace(id)? {
            let own = Arc::ptr_eq(&store, &app.scopes.traces(None)?);
            return Ok((store, trace, own));
        }
    }
    Err(Failure::new(Code::NotFound, "there is no such trace").hint("old traces are removed; `trace list` shows those that are kept"))
}

fn list(app: &App, cx: &CallContext, params: TraceListParams) -> Result<TraceList, Failure> {
    let found = store(app, cx, params.account)?.traces(&params.filter, params.before, page(params.limit))?;
    Ok(TraceList { traces: found.items, next: found.next })
}

fn get(app: &App, cx: &CallContext, params: TraceRef) -> Result<Trace, Failure> {
    Ok(find(app, cx, params.trace)?.1)
}

fn stats(app: &App, cx: &CallContext, params: StatsParams) -> Result<Stats, Failure> {
    Ok(Stats { rows: store(app, cx, params.account)?.trace_stats(&params.filter, params.by)? })
}

fn export(app: &App, cx: &CallContext, params: TraceExportParams) -> Result<TraceExport, Failure> {
    let store = store(app, cx, params.account)?;
    let mut all: Vec<Trace> = Vec::new();
    let mut from = None;
    loop {
        let page = store.traces(&params.filter, from, BATCH)?;
        all.extend(page.items);
        from = page.next;
        if from.is_none() {
            break;
        }
    }
    all.reverse();
    let lines: Vec<String> = match params.format {
        TraceFormat::Jsonl => all.iter().filter_map(|trace| serde_json::to_string(trace).ok()).collect(),
        TraceFormat::Dspy => examples(store.as_ref(), &all)?.iter().filter_map(|one| serde_json::to_string(one).ok()).collect(),
    };
    let mut text = lines.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    let Some(out) = params.out else {
        return Ok(TraceExport { lines: lines.len(), out: None, text: Some(text) });
    };
    write(&out, &text, params.replace)?;
    Ok(TraceExport { lines: lines.len(), out: Some(out), text: None })
}

/// Writes beside the file first, so that what is replaced is lost only to something whole.
fn write(out: &Path, text: &str, replace: bool) -> Result<(), Failure> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Failure::new(Code::Exists, format!("there is already a file {}", out.display())).hint("choose another file, or replace it")
        }
        _ => Failure::new(Code::Io, format!("{} can't be written: {error}", out.display())).hint("choose another file"),
    };
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As any new file of the person, not a private one.
    let permissions = std::fs::Permissions::from_mode(0o666);
    let mut part = tempfile::Builder::new().permissions(permissions).tempfile_in(folder).map_err(failed)?;
    part.write_all(text.as_bytes()).map_err(failed)?;
    let written = if replace { part.persist(out) } else { part.persist_noclobber(out) };
    written.map(drop).map_err(|error| failed(error.error))
}

/// What a run gave for the values that it was given. Only the first execution of a run saw exactly those values, and only what is
/// kept whole is an example.
#[derive(Debug, Serialize)]
pub(crate) struct Example {
    skill: Slug,
    pub(crate) artifact: SkillPath,
    pub(crate) inputs: Map<String, Value>,
    pub(crate) output: Value,
    /// Whether every assertion held; none where none was checked.
    pub(crate) ok: Option<bool>,
    score: Option<f64>,
}

/// The examples among traces, in their order.
pub(crate) fn examples(store: &dyn TraceStore, all: &[Trace]) -> Result<Vec<Example>, Failure> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for trace in all.iter().filter(|trace| !trace.artifact_kind.is_context() && trace.status != TraceStatus::Fallback) {
        if !seen.insert(trace.run_id) || trace.truncated || trace.cut_off {
            continue;
        }
        let Some(output) = trace.raw_output.as_deref().filter(|_| matches!(trace.status, TraceStatus::Ok | TraceStatus::Error)) else {
            continue;
        };
        let checked = trace.assertions_run > 0;
        // An error without a verdict is no answer but the beginning of one.
        if trace.status == TraceStatus::Error && !checked {
            continue;
        }
        let Some(inputs) = run_of(store, trace.run_id)?.into_iter().next().and_then(|first| first.params) else { continue };
        found.push(Example {
            skill: trace.skill.slug.clone(),
            artifact: trace.artifact_path.clone(),
            inputs,
            output: serde_json::from_str(output).unwrap_or_else(|_| Value::from(output)),
            ok: checked.then_some(trace.assertions_passed == trace.assertions_run),
            score: trace.score,
        });
    }
    Ok(found)
}

operations! { App;

    ListTraces = "trace/list", Read, blocking list(TraceListParams) -> TraceList;

    GetTrace = "trace/get", Read, blocking get(TraceRef) -> Trace;

    TraceStats = "trace/stats", Read, blocking stats(StatsParams) -> Stats;

    /// Oldest first.
    ExportTraces = "trace/export", Write["file"], blocking export(TraceExportParams) -> TraceExport;
}
