//! Increments the engine's epoch, at which running scripts yield to each other: one thread, which sleeps while none runs.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::Engine;

/// The time slice of a script.
const TICK: Duration = Duration::from_millis(5);

/// Dropping it ends the thread.
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
    closed: bool,
}

/// Counts a script as running until it is dropped.
#[derive(Debug)]
pub(crate) struct Running(Arc<Shared>);

impl Ticker {
    pub(crate) fn start(engine: &Engine) -> std::io::Result<Self> {
        let (shared, engine) = (Arc::<Shared>::default(), engine.weak());
        let theirs = Arc::clone(&shared);
        let tick = move || {
            while theirs.wait()
                && let Some(engine) = engine.upgrade()
            {
                engine.increment_epoch();
            }
        };
        thread::Builder::new().name("sandbox-ticker".into()).spawn(tick)?;
        Ok(Self(shared))
    }

    pub(crate) fn hold(&self) -> Hold {
        Hold { shared: Arc::clone(&self.0), running: None }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_one();
    }
}

/// One script's registration with the ticker.
#[derive(Debug)]
pub(crate) struct Hold {
    shared: Arc<Shared>,
    running: Option<Running>,
}

impl Hold {
    /// The script is running.
    pub(crate) fn take(&mut self) {
        if self.running.is_none() {
            self.shared.lock().running += 1;
            self.shared.changed.notify_one();
            self.running = Some(Running(Arc::clone(&self.shared)));
        }
    }

    /// The script is waiting.
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
    /// Waits for the next tick. False if the ticker was closed.
    fn wait(&self) -> bool {
        let idle = |count: &mut Count| count.running == 0 && !count.closed;
        let count = self.changed.wait_while(self.lock(), idle).unwrap_or_else(PoisonError::into_inner);
        if count.closed {
            return false;
        }
        drop(count);
        thread::sleep(TICK);
        true
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
