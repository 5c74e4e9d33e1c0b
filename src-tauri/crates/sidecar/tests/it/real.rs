//! The shipped process: frozen, with its launcher.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use inklings_core::program::{
    Execution, Metric, Optimization, ProcessState, ProgramError, ProgramExample, ProgramManifest, ProgramRunner as _,
};
use inklings_core::{CancellationToken, ModelError};
use inklings_sidecar::{DspyProcess, Launch, Timeouts, find_built};
use serde_json::{Map, Value, json};
use tokio::join;
use tokio::sync::Barrier;

use crate::chat;
use crate::support::{Host, Ticks, job, lives, peer, until};
use crate::weight;

/// The paths of the process and its launcher.
pub(crate) fn built() -> Launch {
    find_built().unwrap_or_else(|| panic!("`cargo xtask sidecar` and `cargo build` make what is missing"))
}

pub(crate) fn real() -> DspyProcess {
    real_with(Timeouts::default())
}

/// No pause after a failure.
fn real_with(settings: Timeouts) -> DspyProcess {
    DspyProcess::new(Some(built()), Arc::new(Ticks::default()), Timeouts { first_pause: Duration::from_millis(1), ..settings })
}

pub(crate) fn knowing() -> Host {
    Host::with_model(|request| Ok(chat::answer(&request)))
}

/// An execution of a template with a question, or with pages if it requires a list.
pub(crate) fn asking(template: &str) -> Execution {
    let mut job = job(template, json!({ "question": "What is the capital of France?" }));
    if template == "map_reduce" {
        "pages: list[str], question -> answer".clone_into(&mut job.program.signature);
        job.params.insert("pages".to_owned(), json!(["a", "b", "c"]));
    }
    job
}

pub(crate) async fn works(process: &DspyProcess) {
    let prediction = process.execute(&asking("predict"), &knowing(), &CancellationToken::new()).await.unwrap();
    assert_eq!((Value::Object(prediction.outputs), prediction.diagnostics), (json!({ "answer": "Paris" }), Vec::<String>::new()));
}

#[tokio::test]
async fn it_greets_and_says_what_it_can_do() {
    let process = real();
    let ProgramManifest { dspy, templates, optimizers } = process.manifest().await.unwrap();
    let status = process.status();
    assert_eq!((status.state, status.dspy, status.reason), (ProcessState::Ready, Some(dspy), None));
    let ids: BTreeSet<_> = templates.iter().map(|template| template.id.as_str()).collect();
    let shipped =
        ["predict", "chain_of_thought", "react", "best_of_n", "refine", "multi_chain_comparison", "extract_then_verify", "map_reduce"];
    assert_eq!(ids, BTreeSet::from(shipped));
    let known: BTreeSet<_> = optimizers.iter().map(|optimizer| &optimizer.id).collect();
    assert_eq!(known.len(), 6);
    for template in &templates {
        assert!(template.parameters.is_object() && !template.optimizers.is_empty(), "{}", template.id);
        assert!(template.optimizers.iter().all(|id| known.contains(id)), "{}", template.id);
    }
}

#[tokio::test]
async fn every_template_runs() {
    let process = real();
    for template in process.manifest().await.unwrap().templates {
        let host = knowing();
        let prediction = process.execute(&asking(&template.id), &host, &CancellationToken::new()).await;
        let prediction = prediction.unwrap_or_else(|error| panic!("{}: {error}", template.id));
        assert_eq!(prediction.outputs["answer"], "Paris", "{}", template.id);
        assert!(host.questions() > 0, "{}", template.id);
    }
    assert_eq!(process.status().failures, 0);
}

#[tokio::test]
async fn tools_and_judgements_are_the_apps() {
    let process = real();
    let first = std::sync::atomic::AtomicBool::new(true);
    let react = Host {
        model: Box::new(move |request| {
            let answer = chat::answer(&request);
            // The first step calls a tool.
            let text = if first.swap(false, std::sync::atomic::Ordering::Relaxed) {
                answer.text.replace("\nfinish", "\nget_page").replace("{}", "{\"slug\": \"france\"}")
            } else {
                answer.text.clone()
            };
            Ok(inklings_core::model::Completion { text, ..answer })
        }),
        tool: Box::new(|(name, arguments)| {
            assert_eq!((name.as_str(), arguments), ("get_page", json!({ "slug": "france" })));
            Ok(json!({ "slug": "france", "text": "A country whose capital is Paris." }))
        }),
        ..Host::default()
    };
    process.execute(&asking("react"), &react, &CancellationToken::new()).await.unwrap();
    let asked = react.asked.lock().unwrap().iter().map(|request| format!("{request:?}")).collect::<Vec<_>>();
    assert!(!asked[0].contains("whose capital is Paris") && asked[1].contains("whose capital is Paris"), "{}", asked[1]);

    let judged = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = Arc::clone(&judged);
    let best = Host {
        judge: Box::new(move |(example, outputs)| {
            seen.lock().unwrap().push((example.inputs["question"].clone(), outputs["answer"].clone()));
            Ok(inklings_core::program::Score { score: 0.5, feedback: "half".to_owned() })
        }),
        ..knowing()
    };
    process.execute(&asking("best_of_n"), &best, &CancellationToken::new()).await.unwrap();
    let judged = judged.lock().unwrap();
    assert_eq!(judged.len(), 3, "none was good enough");
    assert!(judged.iter().all(|one| *one == (json!("What is the capital of France?"), json!("Paris"))), "{judged:?}");
}

fn example(question: &str, answer: &str) -> ProgramExample {
    let map = |name: &str, text: &str| Map::from_iter([(name.to_owned(), Value::from(text))]);
    ProgramExample { inputs: map("question", question), outputs: map("answer", answer) }
}

fn improving(optimizer: &str) -> Optimization {
    Optimization {
        program: asking("chain_of_thought").program,
        state_blob: None,
        trainset: (0..10).map(|n| example(&format!("Question {n}?"), if n % 2 == 0 { "Paris" } else { "Rome" })).collect(),
        valset: vec![example("And this?", "Paris"), example("Or that?", "Rome")],
        metric: Metric::Exact { field: "answer".to_owned() },
        optimizer: optimizer.to_owned(),
        options: Map::new(),
        seed: 7,
        budget: Some(120),
    }
}

#[tokio::test]
async fn every_optimizer_gives_a_state_that_runs() {
    let process = real();
    for optimizer in process.manifest().await.unwrap().optimizers {
        let (job, host) = (improving(&optimizer.id), knowing());
        let optimized = process.optimize(&job, &host, &CancellationToken::new()).await;
        let optimized = optimized.unwrap_or_else(|error| panic!("{}: {error}", optimizer.id));
        assert!((optimized.train.before - 0.5).abs() < 1e-9, "{}: {optimized:?}", optimizer.id);
        assert!(!optimized.predictors.is_empty(), "{}", optimizer.id);
        let fractions: Vec<_> = host.progress.lock().unwrap().iter().map(|one| one.fraction).collect();
        assert!(!fractions.is_empty() && fractions.is_sorted(), "{}: {fractions:?}", optimizer.id);
        // Starting from the returned state.
        let improved = Execution { state_blob: Some(optimized.state_blob), ..asking("chain_of_thought") };
        let prediction = process.execute(&improved, &knowing(), &CancellationToken::new()).await.unwrap();
        assert_eq!((&prediction.outputs["answer"], prediction.diagnostics.len()), (&json!("Paris"), 0), "{}", optimizer.id);
    }
    assert_eq!(process.status().failures, 0);
}

#[tokio::test]
async fn jobs_of_32_callers_ask_at_the_same_time() {
    let process = real();
    process.manifest().await.unwrap();
    let pid = process.status().pid.unwrap();
    light(weight::in_memory(pid, false));
    // Requests are answered only after all have arrived.
    let host = Host { together: Barrier::new(32), ..knowing() };
    let (job, cancel) = (asking("predict"), CancellationToken::new());
    for outcome in join_all((0..32).map(|_| process.execute(&job, &host, &cancel))).await {
        assert_eq!(outcome.unwrap().outputs["answer"], "Paris");
    }
    light(weight::in_memory(pid, true));
}

fn light(weight: weight::Weight) {
    assert!(weight.1 > 0 && weight.1 <= weight.2, "{}", weight::in_words(weight));
}

#[test]
fn it_takes_little_room() {
    weight::on_disk(&built().program).into_iter().for_each(light);
}

#[tokio::test]
async fn stopping_takes_less_than_a_second() {
    let process = real();
    works(&process).await;
    let pid = process.status().pid;
    let (host, cancel, job) = (Host::that_waits(), CancellationToken::new(), asking("chain_of_thought"));
    let stop = async {
        until("it asks", || host.questions() == 1).await;
        cancel.cancel();
        Instant::now()
    };
    let run = async { (process.execute(&job, &host, &cancel).await, Instant::now()) };
    let ((ended, at), stopped) = join!(run, stop);
    assert_eq!(ended, Err(ProgramError::Cancelled));
    assert!(at.duration_since(stopped) < Duration::from_secs(1));
    works(&process).await;
    assert_eq!((process.status().pid, process.status().failures), (pid, 0));
}

#[tokio::test]
async fn an_optimization_is_stopped_in_less_than_a_second() {
    let process = real();
    works(&process).await;
    let pid = process.status().pid;
    for optimizer in process.manifest().await.unwrap().optimizers {
        // It has scored the initial program on 12 examples and continues.
        let (host, cancel) = (Host { most: 14, ..knowing() }, CancellationToken::new());
        let job = improving(&optimizer.id);
        let stop = async {
            until("it waits for an answer", || host.questions() > 14).await;
            cancel.cancel();
            Instant::now()
        };
        let run = async { (process.optimize(&job, &host, &cancel).await, Instant::now()) };
        let ((ended, at), stopped) = join!(run, stop);
        assert_eq!(ended, Err(ProgramError::Cancelled), "{}", optimizer.id);
        assert!(at.duration_since(stopped) < Duration::from_secs(1), "{}", optimizer.id);
        until("the job is over for it", || process.status().jobs == 0).await;
        let asked = host.questions();
        // After another complete job it has sent no further requests.
        works(&process).await;
        assert_eq!(host.questions(), asked, "{}", optimizer.id);
    }
    assert_eq!((process.status().pid, process.status().failures), (pid, 0));
}

#[tokio::test]
async fn it_is_ended_when_nobody_needs_it() {
    let process = real_with(Timeouts { idle: Duration::from_millis(100), ..Timeouts::default() });
    works(&process).await;
    let first = process.status().pid;
    until("it rests", || process.status().state == ProcessState::Idle).await;
    assert_eq!((process.status().pid, process.status().failures), (None, 0));
    until("its process is gone", || !first.is_some_and(lives)).await;
    works(&process).await;
    assert_eq!(process.status().failures, 0);
}

#[tokio::test]
async fn killed_in_the_middle_it_breaks_the_job_and_the_next_one_runs() {
    let process = real();
    let (host, never, job) = (Host::that_waits(), CancellationToken::new(), asking("predict"));
    let kill = async {
        until("it asks", || host.questions() == 1).await;
        let pid = rustix::process::Pid::from_raw(process.status().pid.unwrap().cast_signed()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    };
    let (ended, ()) = join!(process.execute(&job, &host, &never), kill);
    assert!(matches!(&ended, Err(ProgramError::Broken(why)) if why.contains("killed by signal 9")), "{ended:?}");
    works(&process).await;
    assert_eq!(process.status().failures, 1);
}

#[tokio::test]
async fn what_is_wrong_is_said() {
    let process = real();
    let run = async |job: Execution, host: Host| process.execute(&job, &host, &CancellationToken::new()).await;
    assert!(matches!(run(asking("no_such_template"), knowing()).await, Err(ProgramError::Invalid(_))));
    let mut unreadable = asking("predict");
    unreadable.program.signature = "question ->".to_owned();
    assert!(matches!(run(unreadable, knowing()).await, Err(ProgramError::Invalid(_))));
    let missing = Execution { params: Map::new(), ..asking("predict") };
    assert!(matches!(run(missing, knowing()).await, Err(ProgramError::Invalid(_))));
    let mute = Host::with_model(|_| Ok(crate::support::completion("I would rather not.")));
    assert!(matches!(run(asking("predict"), mute).await, Err(ProgramError::Failed(_))));
    let error = ModelError::NoKey { provider: "p".to_owned(), detail: "set one".to_owned() };
    let said = error.clone();
    assert_eq!(run(asking("predict"), Host::with_model(move |_| Err(said.clone()))).await, Err(ProgramError::Model(error)));
    works(&process).await;
}

#[tokio::test]
async fn it_is_confined() {
    let process = real();
    works(&process).await;
    let pid = process.status().pid.unwrap();
    let read = |name: &str| fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap();
    let status = read("status");
    assert!(status.contains("NoNewPrivs:\t1\n") && status.contains("Seccomp:\t2\n"), "{status}");
    let environment = read("environ");
    let names: BTreeSet<_> = environment.split('\0').filter_map(|one| one.split('=').next()).filter(|name| !name.is_empty()).collect();
    // The launcher's variable, and those of the frozen program itself.
    let strange: Vec<_> = names.iter().filter(|name| !matches!(**name, "LANG" | "LD_LIBRARY_PATH") && !name.starts_with("_PYI_")).collect();
    assert!(strange.is_empty(), "{strange:?}");
    let limits = read("limits");
    for limit in ["Max core file size", "Max file size"] {
        let line = limits.lines().find(|line| line.starts_with(limit)).unwrap();
        assert!(line[limit.len()..].trim().starts_with("0 "), "{line}");
    }
    // Only its pipes and anonymous files of its runtime are open.
    for open in fs::read_dir(format!("/proc/{pid}/fd")).unwrap() {
        let target = fs::read_link(open.unwrap().path()).unwrap();
        let target = target.to_str().unwrap();
        assert!(target.starts_with("pipe:") || target.starts_with("anon_inode:") || target.contains("inklings-dspy"), "{target}");
    }
    let children = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    for task in children {
        assert_eq!(fs::read_to_string(task.unwrap().path().join("children")).unwrap_or_default(), "");
    }
}

#[tokio::test]
async fn an_app_that_is_killed_leaves_no_process() {
    let launch = built();
    let mut app = Command::new(peer());
    let mut app = app.arg("host").arg(launch.launcher).arg(launch.program).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(app.stdout.take().unwrap()), &mut line).unwrap();
    let pid = line.trim().parse().unwrap();
    assert!(lives(pid));
    app.kill().unwrap();
    app.wait().unwrap();
    until("its process is gone", || !lives(pid)).await;
}
