//! Benchmarks of the sandbox: a complete run, the first run of a process, and computations compared to native Python.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::env;
use std::process::Command;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use criterion::{Criterion, criterion_group};
use inklings_core::CancellationToken;
use inklings_core::sandbox::{HostError, HostFunctions, Sandbox, SandboxLimits, Script};
use inklings_sandbox::{PythonSandbox, find_built};
use serde_json::{Map, Value};
use tokio::runtime::Runtime;

const TRIVIAL: &str = "import inklings\ninklings.submit({'pages': len(params['pages'])})\n";

/// Typical computations, by name.
const LOOPS: [(&str, &str); 4] = [
    (
        "integers",
        r"
def work(n):
    total, a, b = 0, 1, 2
    for i in range(n):
        a = (a * 31 + i) % 1000003
        b ^= a & 255
        if a > b:
            total += a - b
        else:
            total -= 1
    return total
result = work(600_000)
",
    ),
    (
        "strings",
        r#"
def work(n):
    words = []
    for i in range(n):
        word = "item-" + str(i)
        words.append(word.upper().replace("-", "_") if i % 3 else f"{word}:{i:>6}")
    text = " ".join(words)
    counts = {}
    for part in text.split():
        counts[part[:4]] = counts.get(part[:4], 0) + 1
    return len(text) + len(counts) + text.count("ITEM")
result = work(150_000)
"#,
    ),
    (
        "dicts",
        r"
def work(n):
    counts = {}
    for i in range(n):
        key = i * 7919 % 1009
        counts[key] = counts.get(key, 0) + len(str(i))
    return sum(value * key for key, value in counts.items())
result = work(500_000)
",
    ),
    (
        "objects",
        r"
class Node:
    def __init__(self, value, parent):
        self.value = value
        self.parent = parent

    def depth(self):
        return 0 if self.parent is None else 1 + self.parent.value % 3

def work(n):
    node, total, nodes = None, 0, []
    for i in range(n):
        node = Node(i, node if i % 50 else None)
        nodes.append(node)
        total += node.depth()
    nodes.sort(key=lambda node: -node.value)
    return total + sum(node.value for node in nodes if node.parent is not None)
result = work(150_000)
",
    ),
];

/// Set in the process that measures its first run.
const FIRST: &str = "INKLINGS_BENCH_FIRST_RUN";

struct Nobody;

#[async_trait]
impl HostFunctions for Nobody {
    async fn call(&self, name: &str, _: Value) -> Result<Value, HostError> {
        Err(HostError::NotFound(name.to_owned()))
    }

    fn log(&self, _: &str) {}

    fn progress(&self, _: f64, _: &str) {}
}

fn script(source: &str) -> Script {
    let params = Map::from_iter([("pages".to_owned(), Value::from(vec!["a", "b"]))]);
    Script { name: "scripts/bench.py".to_owned(), source: source.to_owned(), params, limits: SandboxLimits::default() }
}

fn once(runtime: &Runtime, python: &PythonSandbox, script: &Script) -> Value {
    runtime.block_on(python.run(script, &Nobody, &CancellationToken::new())).unwrap().value
}

/// The nanoseconds that a program prints.
fn printed(command: &mut Command) -> Duration {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Duration::from_nanos(String::from_utf8(output.stdout).unwrap().trim().parse().unwrap())
}

fn budgets(criterion: &mut Criterion) {
    let (runtime, python) = (Runtime::new().unwrap(), PythonSandbox::new(find_built()));
    let mut group = criterion.benchmark_group("sandbox");

    let trivial = script(TRIVIAL);
    group.bench_function("trivial", |bencher| bencher.iter(|| once(&runtime, &python, &trivial)));

    group.sample_size(20);
    group.bench_function("first_run", |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| printed(Command::new(env::current_exe().unwrap()).env(FIRST, "1"))).sum());
    });

    group.sample_size(10);
    for (name, source) in LOOPS {
        let work = script(&format!("{source}\nimport inklings\ninklings.submit(result)"));
        group.bench_function(name, |bencher| bencher.iter(|| once(&runtime, &python, &work)));
        let native = format!("import time\nstarted = time.perf_counter_ns()\n{source}\nprint(time.perf_counter_ns() - started)");
        group.bench_function(format!("{name}_native"), |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| printed(Command::new("python3").args(["-c", &native]))).sum());
        });
    }
    group.finish();
}

criterion_group!(benches, budgets);

fn main() {
    if env::var_os(FIRST).is_some() {
        let started = Instant::now();
        once(&Runtime::new().unwrap(), &PythonSandbox::new(find_built()), &script(TRIVIAL));
        println!("{}", started.elapsed().as_nanos());
        return;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
