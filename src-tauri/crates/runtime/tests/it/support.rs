//! A skill, a store and scripted models.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use inklings_core::model::{Completion, Finish, OnText, Price, Request, TokenUsage, ToolCall};
use inklings_core::trace::{Trace, TraceFilter};
use inklings_core::{
    CancellationToken, Clock, Head, IdSource, LanguageModel, ModelError, ModelRef, Models, Origin, RunId, SandboxLimits, Scope, Skill,
    SkillCatalog, SkillFormat as _, SkillPath, SkillSummary, Source, StorageError, Time, TraceStore as _, Tree, TreeFile,
};
use inklings_folder::{Folder, disk};
use inklings_prompt::PromptEngine;
use inklings_runtime::record::Recorder;
use inklings_runtime::{
    ArtifactDispatcher, KnownSecrets, Limits, Redactor, RunEvent, RunEvents, RunReport, RunRequest, RunResources, Runner, SkillError,
    SkillSource, handlers,
};
use inklings_sandbox::PythonSandbox;
use inklings_sidecar::{DspyProcess, Launch};
use inklings_store::Store;
use serde_json::{Map, Value};

#[derive(Default)]
pub(crate) struct Ids(AtomicU64);

impl IdSource for Ids {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::from_u64_pair(1, self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Advances by a millisecond with each call.
pub(crate) struct Ticks(AtomicI64);

impl Ticks {
    /// Shifts the clock by some hours.
    pub(crate) fn jump(&self, hours: i64) {
        self.0.fetch_add(hours * 3_600_000, Ordering::Relaxed);
    }
}

impl Clock for Ticks {
    fn now(&self) -> Time {
        Time::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// The behavior of a model for one request.
pub(crate) enum Answer {
    Says(&'static str),
    /// Ends with this text for the reason.
    Ends(&'static str, Finish),
    /// Answers with this text and calls `read_file` with these paths.
    Reads(&'static str, &'static [&'static str]),
    /// Fails as a server does whose model has no tools.
    NoTools,
    /// Streams this text, then hangs.
    Hangs(&'static str),
    /// Cancels the run without an answer.
    Stops(CancellationToken),
}

/// Answers from a list and records the requests.
pub(crate) struct ScriptedModel {
    id: ModelRef,
    answers: Mutex<VecDeque<Answer>>,
    pub(crate) asked: Mutex<Vec<Request>>,
}

#[async_trait]
impl LanguageModel for ScriptedModel {
    fn id(&self) -> &ModelRef {
        &self.id
    }

    fn price(&self) -> Option<Price> {
        Some(Price { input: 1.0, output: 10.0, cached: None })
    }

    async fn complete(&self, request: &Request, on_text: OnText<'_>, _: &CancellationToken) -> Result<Completion, ModelError> {
        self.asked.lock().unwrap().push(request.clone());
        let answer = self.answers.lock().unwrap().pop_front();
        match answer {
            Some(Answer::Says(text)) => {
                text.split_inclusive(' ').for_each(on_text);
                Ok(Completion {
                    text: text.to_owned(),
                    tool_calls: Vec::new(),
                    finish: Finish::Stop,
                    usage: TokenUsage { input_tokens: Some(100), output_tokens: Some(10), cached_tokens: None },
                    model: "listed-1".to_owned(),
                })
            }
            Some(Answer::Ends(text, finish)) => {
                on_text(text);
                let (usage, model) = (TokenUsage::default(), "listed-1".to_owned());
                Ok(Completion { text: text.to_owned(), tool_calls: Vec::new(), finish, usage, model })
            }
            Some(Answer::Reads(text, paths)) => {
                on_text(text);
                let call = |(index, path): (usize, &&str)| ToolCall {
                    id: format!("call-{index}"),
                    name: "read_file".to_owned(),
                    arguments: serde_json::json!({"path": path}),
                    invalid_arguments: None,
                };
                Ok(Completion {
                    text: text.to_owned(),
                    tool_calls: paths.iter().enumerate().map(call).collect(),
                    finish: Finish::ToolCalls,
                    usage: TokenUsage { input_tokens: Some(100), output_tokens: Some(10), cached_tokens: None },
                    model: "listed-1".to_owned(),
                })
            }
            Some(Answer::NoTools) => {
                let detail = "registry.example/gemma does not support tools".to_owned();
                Err(ModelError::Refused { provider: "listed".to_owned(), status: 400, detail })
            }
            Some(Answer::Hangs(text)) => {
                on_text(text);
                std::future::pending().await
            }
            Some(Answer::Stops(run)) => {
                run.cancel();
                std::future::pending().await
            }
            None => Err(ModelError::Refused { provider: "listed".to_owned(), status: 400, detail: "not in the list".to_owned() }),
        }
    }
}

/// One model or none, with the number of lookups.
struct Only(Option<Arc<ScriptedModel>>, Arc<AtomicU64>);

#[async_trait]
impl Models for Only {
    async fn model(&self, _: Option<&ModelRef>) -> Result<Arc<dyn LanguageModel>, ModelError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        let model = self.0.clone().ok_or(ModelError::NotConfigured)?;
        Ok(model)
    }
}

pub(crate) struct Secrets(pub(crate) &'static str);

impl KnownSecrets for Secrets {
    fn secrets(&self) -> Vec<String> {
        vec![self.0.to_owned()]
    }
}

/// Records events and calls a function for each.
pub(crate) struct EventRecorder<F: Fn(&RunEvent) + Send + Sync>(pub(crate) Mutex<Vec<RunEvent>>, pub(crate) F);

impl<F: Fn(&RunEvent) + Send + Sync> RunEvents for EventRecorder<F> {
    fn on_event(&self, event: RunEvent) {
        (self.1)(&event);
        self.0.lock().unwrap().push(event);
    }
}

pub(crate) struct World {
    _folder: tempfile::TempDir,
    pub(crate) store: Arc<Store>,
    pub(crate) model: Option<Arc<ScriptedModel>>,
    /// Number of model lookups.
    pub(crate) lookups: Arc<AtomicU64>,
    pub(crate) runner: Runner,
    pub(crate) recorder: Recorder,
    pub(crate) clock: Arc<Ticks>,
    pub(crate) ids: Arc<Ids>,
    pub(crate) resources: RunResources,
}

/// The stored skills. Those whose slug begins with `locked` aren't allowed to run.
struct CatalogSkills(SkillCatalog);

impl SkillSource for CatalogSkills {
    fn list(&self) -> Result<Vec<SkillSummary>, StorageError> {
        self.0.list_all()
    }

    fn load(&self, name: &str) -> Result<Skill, StorageError> {
        self.0.require(name, None)
    }

    fn may_run(&self, skill: &Skill) -> Result<(), SkillError> {
        if skill.package.slug.as_str().starts_with("locked") { Err(SkillError::NotTrusted) } else { Ok(()) }
    }
}

/// The real process; it starts when a program first runs.
pub(crate) fn programs() -> Arc<DspyProcess> {
    process(inklings_sidecar::find_built())
}

pub(crate) fn process(launch: Option<Launch>) -> Arc<DspyProcess> {
    let clock = Arc::new(Ticks(AtomicI64::new(1_770_000_000_000)));
    Arc::new(DspyProcess::new(launch, clock, inklings_sidecar::Timeouts::default()))
}

/// All handlers with the real sandbox, without the DSPy process.
pub(crate) fn dispatcher() -> ArtifactDispatcher {
    dispatcher_with(process(None))
}

pub(crate) fn dispatcher_with(programs: Arc<DspyProcess>) -> ArtifactDispatcher {
    ArtifactDispatcher::new(handlers::all(Arc::new(PythonSandbox::new(inklings_sandbox::find_built())), programs))
}

/// A world with a model that gives these answers, or without a model if there are none.
pub(crate) fn world(answers: Vec<Answer>) -> World {
    let folder = tempfile::tempdir().unwrap();
    let ids = Arc::new(Ids::default());
    let clock = Arc::new(Ticks(AtomicI64::new(1_770_000_000_000)));
    let format = Arc::new(Folder::new(ids.clone()));
    let store = Store::open(Scope::Account, &folder.path().join("agents.db"), "test", clock.clone(), format).unwrap();
    let store = Arc::new(store);
    let id = ModelRef { provider: "listed".to_owned(), model: "claude-listed".to_owned() };
    let model = (!answers.is_empty()).then(|| Arc::new(ScriptedModel { id, answers: Mutex::new(answers.into()), asked: Mutex::default() }));
    let lookups = Arc::new(AtomicU64::new(0));
    let runner =
        Runner { dispatcher: dispatcher(), prompts: Arc::new(PromptEngine::new()), models: Arc::new(Only(model.clone(), lookups.clone())) };
    let recorder = Recorder {
        store: store.clone(),
        redactor: Redactor::new(Arc::new(Secrets("my-very-own-key"))),
        clock: clock.clone(),
        ids: ids.clone(),
    };
    let skills = Arc::new(CatalogSkills(SkillCatalog::new(store.clone(), None)));
    let resources = RunResources { pages: None, skills, checkpoints: store.clone(), limits: SandboxLimits::default() };
    World { _folder: folder, store, model, lookups, runner, recorder, clock, ids, resources }
}

pub(crate) fn tree(files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(path, text)| (SkillPath::parse(path).unwrap(), TreeFile::new(text.as_bytes()))).collect()
}

/// A skill from its files, as it is read from a folder.
pub(crate) fn skill(files: &[(&str, &str)]) -> Skill {
    read(&tree(files))
}

/// A shipped skill.
pub(crate) fn seed(slug: &str) -> Skill {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../seed/skills").join(slug);
    read(&disk::read_dir(&path).unwrap().0)
}

fn read(tree: &Tree) -> Skill {
    let ids = Arc::new(Ids(AtomicU64::new(1_000_000)));
    let reading = Folder::new(ids.clone()).read(tree, "tested", None).unwrap();
    let head = Head::new(ids.skill(), Scope::Account, Source::User, Origin::Human, Time::from_millis(0));
    Skill { head: Head { revision: 3, ..head }, package: reading.package }
}

pub(crate) fn params(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

impl World {
    /// A second store on the same file, as in another process.
    pub(crate) fn store(&self, origin: &str) -> Store {
        let format = Arc::new(Folder::new(self.ids.clone()));
        Store::open(Scope::Account, self.store.path(), origin, self.recorder.clock.clone(), format).unwrap()
    }

    pub(crate) fn request(&self, skill: &Skill, params: Value) -> RunRequest {
        RunRequest {
            run: RunId::new(self.ids.uuid()),
            session: None,
            parent: None,
            depth: 0,
            skill: Arc::new(skill.clone()),
            workspace: None,
            artifact: None,
            params: self::params(params),
            model: None,
            limits: Limits::default(),
            cancel: CancellationToken::new(),
            replay_of: None,
            resources: self.resources.clone(),
        }
    }

    pub(crate) async fn run(&self, request: RunRequest) -> Result<RunReport, SkillError> {
        self.runner.run(request, &self.recorder, &inklings_runtime::NoopListener).await
    }

    pub(crate) fn rows(&self, run: RunId) -> Vec<Trace> {
        let filter = TraceFilter { run: Some(run), ..TraceFilter::default() };
        let mut rows = self.store.traces(&filter, None, 100).unwrap().items;
        rows.reverse();
        rows
    }

    /// The first request to the model.
    pub(crate) fn asked(&self) -> Request {
        self.model.as_ref().unwrap().asked.lock().unwrap()[0].clone()
    }
}
