//! Reading and exporting traces.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use inklings_core::trace::{SessionKind, Trace, TraceFilter};
use inklings_core::{RunId, SessionId, SkillPath, Slug, StorageError, TraceId, TraceStatus, TraceStore};
use serde::Serialize;
use serde_json::{Map, Value};

use super::api::TraceFormat;
use super::error::TraceError;

/// Runs or traces of a page.
const DEFAULT_PAGE_SIZE: usize = 100;
pub(crate) const MAX_PAGE_SIZE: usize = 1_000;
/// Traces that an export reads at a time.
const EXPORT_BATCH: usize = 500;

pub(crate) fn page_size(limit: Option<usize>) -> usize {
    limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE)
}

/// The stores that a caller sees, each once, the workspace's first. `account` is one of them.
pub(crate) struct TraceStores {
    pub(crate) all: Vec<Arc<dyn TraceStore>>,
    pub(crate) account: Arc<dyn TraceStore>,
}

pub(crate) struct StoredTrace {
    pub(crate) trace: Trace,
    pub(crate) store: Arc<dyn TraceStore>,
    pub(crate) is_of_account: bool,
}

impl TraceStores {
    pub(crate) fn find(&self, id: TraceId) -> Result<StoredTrace, TraceError> {
        for store in &self.all {
            if let Some(trace) = store.trace(id)? {
                return Ok(StoredTrace { trace, store: store.clone(), is_of_account: Arc::ptr_eq(store, &self.account) });
            }
        }
        Err(TraceError::NotFound)
    }

    pub(crate) fn session_kind(&self, id: SessionId) -> Result<Option<SessionKind>, StorageError> {
        for store in &self.all {
            if let Some(kind) = store.session_kind(id)? {
                return Ok(Some(kind));
            }
        }
        Ok(None)
    }
}

/// The steps of a run, in order.
pub(crate) fn executions_of(store: &dyn TraceStore, run: RunId) -> Result<Vec<Trace>, StorageError> {
    let mut traces = store.traces(&TraceFilter { run: Some(run), ..TraceFilter::default() }, None, MAX_PAGE_SIZE)?.items;
    traces.reverse();
    Ok(traces)
}

/// Oldest first. The first result is the number of lines.
pub(crate) fn export_text(store: &dyn TraceStore, format: TraceFormat, filter: &TraceFilter) -> Result<(usize, String), TraceError> {
    let mut traces: Vec<Trace> = Vec::new();
    let mut before = None;
    loop {
        let page = store.traces(filter, before, EXPORT_BATCH)?;
        traces.extend(page.items);
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    traces.reverse();
    let lines: Vec<String> = match format {
        TraceFormat::Jsonl => traces.iter().filter_map(|trace| serde_json::to_string(trace).ok()).collect(),
        TraceFormat::Dspy => examples(store, &traces)?.iter().filter_map(|example| serde_json::to_string(example).ok()).collect(),
    };
    let mut text = lines.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    Ok((lines.len(), text))
}

/// Writes a temporary file and renames it, so that an existing file is replaced only by a complete one.
pub(crate) fn export_to_file(out: &Path, text: &str, replace: bool) -> Result<(), TraceError> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::AlreadyExists => TraceError::FileExists(out.to_owned()),
        _ => TraceError::Write { path: out.to_owned(), source },
    };
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Temporary files are private by default.
    let permissions = std::fs::Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().permissions(permissions).tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    let written = if replace { file.persist(out) } else { file.persist_noclobber(out) };
    written.map(drop).map_err(|error| failed(error.error))
}

/// The output of a run for its inputs. Only the first step of a run has exactly these inputs. Truncated traces aren't examples.
#[derive(Debug, Serialize)]
pub(crate) struct Example {
    skill: Slug,
    pub(crate) artifact: SkillPath,
    pub(crate) inputs: Map<String, Value>,
    pub(crate) output: Value,
    /// Whether all assertions passed; none if none was checked.
    pub(crate) ok: Option<bool>,
    score: Option<f64>,
}

/// Whether a trace is a step of its run, not a text that accompanied one or a program whose fallback ran.
pub(crate) fn is_step(trace: &Trace) -> bool {
    !trace.is_context() && trace.status != TraceStatus::Fallback
}

/// `traces` are some of the store's, oldest first.
pub(crate) fn examples(store: &dyn TraceStore, traces: &[Trace]) -> Result<Vec<Example>, StorageError> {
    let mut examples = Vec::new();
    let mut seen = BTreeSet::new();
    for trace in traces.iter().filter(|trace| is_step(trace)) {
        if !seen.insert(trace.run_id) || trace.truncated || trace.cut_off {
            continue;
        }
        let Some(output) = trace.raw_output.as_deref().filter(|_| matches!(trace.status, TraceStatus::Ok | TraceStatus::Error)) else {
            continue;
        };
        let checked = trace.assertions_run > 0;
        // Without assertions, the output of a failed step is incomplete.
        if trace.status == TraceStatus::Error && !checked {
            continue;
        }
        let executions = executions_of(store, trace.run_id)?;
        if executions.iter().find(|one| is_step(one)).is_none_or(|first| first.id != trace.id) {
            continue;
        }
        let Some(inputs) = executions.into_iter().next().and_then(|first| first.params) else { continue };
        examples.push(Example {
            skill: trace.skill.slug.clone(),
            artifact: trace.artifact_path.clone(),
            inputs,
            output: serde_json::from_str(output).unwrap_or_else(|_| Value::from(output)),
            ok: checked.then_some(trace.assertions_passed == trace.assertions_run),
            score: trace.score,
        });
    }
    Ok(examples)
}
