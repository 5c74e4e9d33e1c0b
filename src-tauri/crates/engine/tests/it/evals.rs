//! Eval runs that several processes work on.

use std::sync::Arc;

use inklings_app::App;
use inklings_app::features::eval::{EvalParams, Report, ResumeEval, ResumeEvalParams, StartEval};
use inklings_app::features::skill::{Import, ImportParams};
use inklings_core::eval::{EvalCell, EvalOutcome, EvalResult, EvalStatus};
use inklings_core::provider::{ProviderConfig, ProviderKind};
use inklings_core::trace::Usage;
use inklings_rpc::{CallContext, Operation, call};
use serde_json::json;

use crate::hooks::{Hooks, hooked};
use crate::support::{ask, beside_work};

fn run<T: Operation<App = App, Output = Report>>(app: &Arc<App>, cx: CallContext, params: T::Params) -> Report {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(call::<T>(app, cx, params)).unwrap()
}

#[test]
fn a_cell_that_another_process_finished_is_not_run_again() {
    let (engine, folder) = beside_work();
    let skill = folder.path().join("in/terse");
    std::fs::create_dir_all(skill.join("evals")).unwrap();
    let text = "---\nname: terse\ndescription: Answers briefly. Use when a short answer is asked for.\n---\n\nAnswer tersely.\n";
    std::fs::write(skill.join("SKILL.md"), text).unwrap();
    let case = json!({ "id": 1, "prompt": "Why?", "assertions": [{ "type": "equals", "value": "good" }] });
    std::fs::write(skill.join("evals/evals.json"), json!({ "skill_name": "terse", "evals": [case] }).to_string()).unwrap();
    assert!(ask::<Import>(&engine, None, ImportParams { paths: vec![skill], ..ImportParams::default() }).unwrap().items[0].stored);
    // Nothing answers at this address.
    let provider = ProviderConfig {
        base_url: Some("http://127.0.0.1:9/v1".to_owned()),
        models: vec!["tiny".to_owned()],
        ..ProviderConfig::new("local", ProviderKind::OpenAiCompatible)
    };
    engine.app().models.put(provider).unwrap();

    let cancelled = CallContext::local(None, "test");
    cancelled.cancel.cancel();
    let params = json!({ "skill": "terse", "models": ["local/tiny"], "without_baseline": true });
    let params: EvalParams = serde_json::from_value(params).unwrap();
    let report = run::<StartEval>(engine.app(), cancelled, params);
    assert_eq!((report.run.status, report.cells, report.done), (EvalStatus::Cancelled, 1, 0));

    let id = report.run.id;
    let result = EvalResult {
        cell: EvalCell { case: "evals/evals.json#1".to_owned(), variant: 0, repeat: 0 },
        outcome: EvalOutcome::Passed,
        output: Some("good".to_owned()),
        error: None,
        verdicts: Vec::new(),
        usage: Usage::default(),
        judge_usage: Usage::default(),
        paid: Usage::default(),
        duration_ms: 1,
        model_id: None,
        run: None,
        created_at: engine.app().clock.now(),
    };
    let (hooks, other) = (Hooks::default(), engine.app().evals.clone());
    hooks.before("reopen_eval", move || other.put_eval_result(id, &result));
    let app = hooked(&engine, &hooks);
    let report = run::<ResumeEval>(&app, CallContext::local(None, "test"), ResumeEvalParams { run: id, limits: None });
    assert_eq!((report.run.status, report.done), (EvalStatus::Complete, 1));
    assert_eq!(report.cases[0].results[0][0].output.as_deref(), Some("good"));
}
