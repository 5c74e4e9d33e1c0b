use inklings_core::trace::Trace;
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{Stats, StatsParams, TraceExport, TraceExportParams, TraceList, TraceListParams, TraceRef};
use super::service::{export_text, export_to_file, page_size};
use crate::app::App;

fn list(app: &App, cx: &CallContext, params: TraceListParams) -> Result<TraceList, Failure> {
    let page = app.trace_store(cx, params.account)?.traces(&params.filter, params.before, page_size(params.limit))?;
    Ok(TraceList { traces: page.items, next: page.next })
}

fn get(app: &App, cx: &CallContext, params: TraceRef) -> Result<Trace, Failure> {
    Ok(app.current_trace_stores(cx)?.find(params.trace)?.trace)
}

fn stats(app: &App, cx: &CallContext, params: StatsParams) -> Result<Stats, Failure> {
    Ok(Stats { rows: app.trace_store(cx, params.account)?.trace_stats(&params.filter, params.by)? })
}

fn export(app: &App, cx: &CallContext, params: TraceExportParams) -> Result<TraceExport, Failure> {
    let store = app.trace_store(cx, params.account)?;
    let (lines, text) = export_text(store.as_ref(), params.format, &params.filter)?;
    let Some(out) = params.out else {
        return Ok(TraceExport { lines, out: None, text: Some(text) });
    };
    export_to_file(&out, &text, params.replace)?;
    Ok(TraceExport { lines, out: Some(out), text: None })
}

operations! { App;
    ListTraces = "trace/list", Read, blocking list(TraceListParams) -> TraceList;
    GetTrace = "trace/get", Read, blocking get(TraceRef) -> Trace;
    TraceStats = "trace/stats", Read, blocking stats(StatsParams) -> Stats;
    /// Oldest first.
    ExportTraces = "trace/export", Local["file"], blocking export(TraceExportParams) -> TraceExport;
}
