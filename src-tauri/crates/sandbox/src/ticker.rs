//! The beat at which running scripts give way to each other: one thread, which sleeps while none runs.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::Engine;

/// How long a script computes before another has its turn.
const TICK: Duration = Duration::from_millis(5);

/// The thread ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Ticker(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    count: Mutex<Count>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Count {
    running: usize,
    over: bool,
}

/// A script computes for as long as this lives.
#[derive(Debug)]
pub(crate) struct Running(Arc<Shared>);

impl Ticker {
    /// Starts the thread, which raises the epoch of `engine`.
    pub(crate) fn start(engine: &Engine) -> std::io::Result<Self> {
        let (shared, engine) = (Arc::<Shared>::default(), engine.weak());
        let theirs = Arc::clone(&shared);
        let beat = move || {
            while theirs.wait()
                && let Some(engine) = engine.upgrade()
            {
                engine.increment_epoch();
            }
        };
        thread::Builder::new().name("sandbox-beat".into()).spawn(beat)?;
        Ok(Self(shared))
    }

    /// What a script holds while it computes.
    pub(crate) fn hold(&self) -> Hold {
        Hold { shared: Arc::clone(&self.0), running: None }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.0.lock().over = true;
        self.0.changed.notify_one();
    }
}

/// One script's share in the beat.
#[derive(Debug)]
pub(crate) struct Hold {
    shared: Arc<Shared>,
    running: Option<Running>,
}

impl Hold {
    /// The script computes.
    pub(crate) fn take(&mut self) {
        if self.running.is_none() {
            self.shared.lock().running += 1;
            self.shared.changed.notify_one();
            self.running = Some(Running(Arc::clone(&self.shared)));
        }
    }

    /// The script waits.
    pub(crate) fn release(&mut self) {
        self.running = None;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
    }
}

impl Shared {
    /// Waits for the next beat; false when there are no more.
    fn wait(&self) -> bool {
        let idle = |count: &mut Count| count.running == 0 && !count.over;
        let count = self.changed.wait_while(self.lock(), idle).unwrap_or_else(PoisonError::into_inner);
        if count.over {
            return false;
        }
        drop(count);
        thread::sleep(TICK);
        true
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        // Nothing panics while it holds the lock.
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
