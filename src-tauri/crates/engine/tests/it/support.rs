//! What every test of this kind begins with: an engine with a home of its own, and a call as any front end makes it.

use std::path::Path;
use std::time::{Duration, Instant};

use inklings_app::wire::ChangeEvent;
use inklings_engine::{Engine, Options, Resources};
use inklings_rpc::{CallContext, Failure, Operation, call};
use tempfile::TempDir;
use tokio::sync::broadcast::Receiver;

/// An engine at home in a folder, with what ships beside it.
pub(crate) fn start(home: &Path, resources: Resources) -> Engine {
    Engine::start(Options { home: home.to_owned(), resources, launcher: None, agents: None, clients: None, maintain: false }).unwrap()
}

/// The same with a folder around its home, and a workspace `work` in it.
pub(crate) fn beside_work() -> (Engine, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("work")).unwrap();
    (start(&folder.path().join("home"), Resources::find()), folder)
}

/// Calls an operation, with or without an open workspace.
pub(crate) fn ask<T: Operation<App = inklings_app::App>>(
    engine: &Engine,
    workspace: Option<&Path>,
    params: T::Params,
) -> Result<T::Output, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(call::<T>(engine.app(), CallContext::local(workspace.map(Path::to_path_buf), "test"), params))
}

/// Long enough for a busy machine; what is waited for takes seconds at most.
pub(crate) const DEADLINE: Duration = Duration::from_mins(1);

pub(crate) fn wait_for(changes: &mut Receiver<ChangeEvent>, wanted: impl Fn(&ChangeEvent) -> bool) {
    let begun = Instant::now();
    while !changes.try_recv().is_ok_and(|event| wanted(&event)) {
        assert!(begun.elapsed() < DEADLINE, "the event didn't come");
        std::thread::yield_now();
    }
}
