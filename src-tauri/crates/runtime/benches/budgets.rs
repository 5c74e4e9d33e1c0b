//! Benchmarks of runs on a real database, with a model that answers immediately.

#![expect(clippy::unwrap_used, reason = "a benchmark")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use criterion::{Criterion, criterion_group, criterion_main};
use inklings_core::model::{Completion, Finish, OnText, Price, Request, TokenUsage};
use inklings_core::{
    CancellationToken, Clock, Head, IdSource, LanguageModel, ModelError, ModelRef, Models, Origin, RunId, SandboxLimits, Scope, Skill,
    SkillFormat as _, SkillPath, SkillStorageRepository as _, SkillSummary, Source, StorageError, Time, TreeFile,
};
use inklings_folder::Folder;
use inklings_prompt::PromptEngine;
use inklings_runtime::record::Recorder;
use inklings_runtime::{
    ArtifactDispatcher, Limits, NoSecrets, NoopListener, Redactor, RunEvent, RunEventKind, RunEvents, RunRequest, RunResources, Runner,
    SkillError, SkillSource, handlers,
};
use inklings_sandbox::PythonSandbox;
use inklings_sidecar::DspyProcess;
use inklings_store::Store;
use tokio::runtime::Runtime;

struct Now;

impl Clock for Now {
    fn now(&self) -> Time {
        Time::from_millis(jiff::Timestamp::now().as_millisecond())
    }
}

struct Random;

impl IdSource for Random {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::now_v7()
    }
}

/// Answers immediately in these chunks.
struct Instantly(ModelRef, Vec<String>);

#[async_trait]
impl LanguageModel for Instantly {
    fn id(&self) -> &ModelRef {
        &self.0
    }

    fn price(&self) -> Option<Price> {
        None
    }

    async fn complete(&self, _: &Request, on_text: OnText<'_>, _: &CancellationToken) -> Result<Completion, ModelError> {
        for piece in &self.1 {
            on_text(piece);
        }
        let usage = TokenUsage { input_tokens: Some(10), output_tokens: Some(10), cached_tokens: None };
        let model = "instant".to_owned();
        Ok(Completion { text: self.1.concat(), tool_calls: Vec::new(), finish: Finish::Stop, usage, model })
    }
}

struct Only(Arc<dyn LanguageModel>);

#[async_trait]
impl Models for Only {
    async fn model(&self, _: Option<&ModelRef>) -> Result<Arc<dyn LanguageModel>, ModelError> {
        Ok(self.0.clone())
    }
}

struct World {
    _folder: tempfile::TempDir,
    store: Arc<Store>,
    runner: Runner,
    recorder: Recorder,
    skill: Arc<Skill>,
    resources: RunResources,
}

/// No skills to call.
struct NoSkills;

impl SkillSource for NoSkills {
    fn list(&self) -> Result<Vec<SkillSummary>, StorageError> {
        Ok(Vec::new())
    }

    fn load(&self, name: &str) -> Result<Skill, StorageError> {
        Err(StorageError::NotFound { what: "skill", name: name.to_owned() })
    }

    fn may_run(&self, _: &Skill) -> Result<(), SkillError> {
        Ok(())
    }
}

fn world(pieces: usize) -> World {
    let folder = tempfile::tempdir().unwrap();
    let (clock, ids) = (Arc::new(Now), Arc::new(Random));
    let format = Arc::new(Folder::new(ids.clone()));
    let declared = r#"{"artifacts": [{"path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask", "ordinal": 1}]}"#;
    let files = [
        ("SKILL.md", "---\nname: ask\ndescription: Asks.\n---\n\nBe brief.\n"),
        ("prompts/ask.j2", "Ask about {{ topic }}."),
        ("skill.json", declared),
    ];
    let tree = files.iter().map(|(path, text)| (SkillPath::parse(path).unwrap(), TreeFile::new(text.as_bytes()))).collect();
    let package = format.read(&tree, "ask", None).unwrap().package;
    let head = Head::new(ids.skill(), Scope::Account, Source::User, Origin::Human, clock.now());
    let store = Store::open(Scope::Account, &folder.path().join("agents.db"), "bench", clock.clone(), format).unwrap();
    store.create_skill(&Skill { head: head.clone(), package }, "bench").unwrap();
    let skill = Arc::new(store.present(head.id).unwrap());
    let store = Arc::new(store);
    let id = ModelRef { provider: "bench".to_owned(), model: "instant".to_owned() };
    let model = Arc::new(Instantly(id, vec!["word ".to_owned(); pieces]));
    let programs = DspyProcess::new(None, clock.clone(), inklings_sidecar::Timeouts::default());
    World {
        runner: Runner {
            dispatcher: ArtifactDispatcher::new(handlers::all(Arc::new(PythonSandbox::new(None)), Arc::new(programs))),
            prompts: Arc::new(PromptEngine::new()),
            models: Arc::new(Only(model)),
        },
        recorder: Recorder { store: store.clone(), redactor: Redactor::new(Arc::new(NoSecrets)), clock, ids },
        resources: RunResources { pages: None, skills: Arc::new(NoSkills), checkpoints: store.clone(), limits: SandboxLimits::default() },
        _folder: folder,
        store,
        skill,
    }
}

impl World {
    async fn run(&self, events: &dyn RunEvents) {
        let request = RunRequest {
            run: RunId::new(uuid::Uuid::now_v7()),
            session: None,
            parent: None,
            depth: 0,
            skill: self.skill.clone(),
            workspace: None,
            artifact: None,
            params: serde_json::json!({ "topic": "bees" }).as_object().unwrap().clone(),
            model: None,
            limits: Limits::default(),
            cancel: CancellationToken::new(),
            replay_of: None,
            resources: self.resources.clone(),
        };
        assert!(self.runner.run(request, &self.recorder, events).await.unwrap().error.is_none());
    }
}

/// The 99th percentile of 100 runs.
fn p99(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[(times.len() * 99).div_ceil(100) - 1]
}

/// A run of two artifacts: session, plan, two trace rows, usage. The budget is per step.
fn dispatch(c: &mut Criterion, runtime: &Runtime) {
    let world = world(1);
    runtime.block_on(world.run(&NoopListener));
    let mut group = c.benchmark_group("run");
    group.sample_size(10).measurement_time(Duration::from_secs(8));
    group.bench_function("two_artifacts_p99", |bencher| {
        bencher.iter_custom(|rounds| {
            let once = || {
                let begun = Instant::now();
                runtime.block_on(world.run(&NoopListener));
                begun.elapsed()
            };
            let times: Vec<_> = (0..rounds.max(200)).map(|_| once()).collect();
            p99(times) * u32::try_from(rounds).unwrap()
        });
    });
    group.finish();
}

/// The slowest list of skills during 64 concurrent runs.
fn crowd(c: &mut Criterion, runtime: &Runtime) {
    let world = Arc::new(world(200));
    runtime.block_on(world.run(&NoopListener));
    let mut group = c.benchmark_group("run");
    group.sample_size(10).measurement_time(Duration::from_secs(8));
    group.bench_function("list_beside_64_worst", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut worst = Duration::ZERO;
            for _ in 0..rounds {
                worst += runtime.block_on(async {
                    let mut runs = tokio::task::JoinSet::new();
                    for _ in 0..64 {
                        let world = world.clone();
                        runs.spawn(async move { world.run(&NoopListener).await });
                    }
                    let mut slowest = Duration::ZERO;
                    while !runs.is_empty() {
                        let (begun, store) = (Instant::now(), world.store.clone());
                        assert_eq!(tokio::task::spawn_blocking(move || store.list_skills().unwrap().len()).await.unwrap(), 1);
                        slowest = slowest.max(begun.elapsed());
                        while runs.try_join_next().is_some() {}
                    }
                    slowest
                });
            }
            worst
        });
    });
    group.finish();
}

/// Records when a chunk arrived.
struct TimedEvents(tokio::sync::broadcast::Sender<(RunEvent, Instant)>);

impl RunEvents for TimedEvents {
    fn on_event(&self, event: RunEvent) {
        let _ = self.0.send((event, Instant::now()));
    }
}

/// The maximum latency from the model to the event listener, in a run with 1,000 chunks.
fn streamed(c: &mut Criterion, runtime: &Runtime) {
    let world = Arc::new(world(1_000));
    let mut group = c.benchmark_group("run");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    group.bench_function("text_to_listener_worst", |bencher| {
        bencher.iter_custom(|rounds| {
            let mut worst = Duration::ZERO;
            for _ in 0..rounds {
                worst += runtime.block_on(async {
                    let (sender, mut receiver) = tokio::sync::broadcast::channel::<(RunEvent, Instant)>(16 * 1_024);
                    let listener = tokio::spawn(async move {
                        let mut slowest = Duration::ZERO;
                        while let Ok((event, sent)) = receiver.recv().await {
                            if matches!(event.what, RunEventKind::Text { .. }) {
                                slowest = slowest.max(sent.elapsed());
                            }
                        }
                        slowest
                    });
                    let events = TimedEvents(sender);
                    world.run(&events).await;
                    drop(events);
                    listener.await.unwrap()
                });
            }
            worst
        });
    });
    group.finish();
}

fn budgets(c: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    dispatch(c, &runtime);
    crowd(c, &runtime);
    streamed(c, &runtime);
}

criterion_group!(all, budgets);
criterion_main!(all);
