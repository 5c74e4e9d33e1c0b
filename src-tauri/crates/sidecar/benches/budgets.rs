//! Benchmarks of the frozen and confined DSPy process: its start, the time it adds to that of the model,
//! 32 concurrent jobs with two slow model requests each, and its size.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[path = "../tests/it/weight.rs"]
#[expect(dead_code, reason = "tests put weights in words")]
mod weight;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use futures_util::future::join_all;
use inklings_core::model::{Completion, Finish, Request, TokenUsage};
use inklings_core::program::{Adapter, Execution, Program, ProgramExample, ProgramHost, ProgramProgress, ProgramRunner as _, Score};
use inklings_core::{CancellationToken, Clock, HostError, ModelError, Time};
use inklings_sidecar::{DspyProcess, Timeouts, find_built};
use serde_json::{Map, Value};
use tokio::runtime::Runtime;

struct Still;

impl Clock for Still {
    fn now(&self) -> Time {
        Time::from_millis(0)
    }
}

/// A slow model whose answer fits both steps of `extract_then_verify`.
struct Slow(Duration);

const ANSWER: &str = "[[ ## answer ## ]]\nParis\n\n[[ ## problems ## ]]\n[]\n\n[[ ## completed ## ]]";

#[async_trait]
impl ProgramHost for Slow {
    async fn complete(&self, _: &Request) -> Result<Completion, ModelError> {
        if self.0 > Duration::ZERO {
            tokio::time::sleep(self.0).await;
        }
        let (tool_calls, usage, model) = (Vec::new(), TokenUsage::default(), "bench".to_owned());
        Ok(Completion { text: ANSWER.to_owned(), tool_calls, finish: Finish::Stop, usage, model })
    }

    async fn call_tool(&self, name: &str, _: Value) -> Result<Value, HostError> {
        Err(HostError::NotFound(name.to_owned()))
    }

    async fn score(&self, _: &ProgramExample, _: &Map<String, Value>) -> Result<Score, HostError> {
        Err(HostError::Failed("nothing is scored here".to_owned()))
    }

    fn progress(&self, _: ProgramProgress) {}

    fn log(&self, _: &str) {}
}

fn job(template: &str) -> Execution {
    let program = Program {
        template_id: template.to_owned(),
        signature: "question -> answer".to_owned(),
        instructions: String::new(),
        parameters: Map::new(),
        adapter: Adapter::Chat,
    };
    let params = Map::from_iter([("question".to_owned(), "What is the capital of France?".into())]);
    Execution { program, state_blob: None, params }
}

fn process() -> DspyProcess {
    DspyProcess::new(find_built(), Arc::new(Still), Timeouts::default())
}

async fn run(process: &DspyProcess, job: &Execution, model: &Slow) {
    let prediction = process.execute(job, model, &CancellationToken::new()).await.unwrap();
    assert_eq!(prediction.outputs["answer"], "Paris");
}

/// Passes the sizes of the process to `cargo xtask bench`, in bytes by benchmark id.
fn weigh(runtime: &Runtime) {
    let heavy = process();
    runtime.block_on(heavy.manifest()).unwrap();
    let pid = heavy.status().pid.unwrap();
    let mut weights = weight::on_disk(&find_built().unwrap().program).to_vec();
    weights.push(weight::in_memory(pid, false));
    let (job, second) = (job("extract_then_verify"), Slow(Duration::from_secs(1)));
    runtime.block_on(join_all((0..32).map(|_| run(&heavy, &job, &second))));
    weights.push(weight::in_memory(pid, true));
    let names = ["folder", "compressed", "memory_at_rest", "memory_at_most"];
    let sizes: Map<String, Value> =
        names.into_iter().zip(weights).map(|(name, (_, bytes, _))| (format!("size/sidecar_{name}"), bytes.into())).collect();
    let sizes = Value::Object(sizes).to_string();
    match std::env::var_os("INKLINGS_SIZES") {
        Some(folder) => std::fs::write(Path::new(&folder).join("sidecar.json"), sizes).unwrap(),
        None => println!("{sizes}"),
    }
}

fn budgets(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    weigh(&runtime);
    let mut group = criterion.benchmark_group("sidecar");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.bench_function("manifest", |bencher| bencher.iter(|| runtime.block_on(process().manifest()).unwrap()));

    let warm = process();
    let (predict, two_questions) = (job("predict"), job("extract_then_verify"));
    runtime.block_on(run(&warm, &two_questions, &Slow(Duration::ZERO)));
    let second = Slow(Duration::from_secs(1));
    group.bench_function("jobs_32", |bencher| {
        bencher.iter(|| runtime.block_on(join_all((0..32).map(|_| run(&warm, &two_questions, &second)))));
    });

    group.sample_size(100).sampling_mode(SamplingMode::Auto);
    group.bench_function("execute_overhead", |bencher| bencher.iter(|| runtime.block_on(run(&warm, &predict, &Slow(Duration::ZERO)))));

    // The same with plain DSPy in one Python process, whose path `cargo xtask bench` provides.
    if let Some(python) = std::env::var_os("INKLINGS_DSPY_PYTHON") {
        let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../sidecar/tools/in_process.py");
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        group.bench_function("execute_in_process", |bencher| {
            bencher.iter_custom(|count| {
                let done = Command::new(&python).arg(&tool).arg(count.to_string()).output().unwrap();
                Duration::from_nanos(String::from_utf8(done.stdout).unwrap().trim().parse().unwrap())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, budgets);
criterion_main!(benches);
