//! Threads that wait for each other.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::mpsc;
use std::thread::{self, Scope, ScopedJoinHandle};

/// Starts a thread and returns once it sleeps, as one does that waits for a lock. Linux only.
///
/// # Errors
/// If the thread can't be found in `/proc`, as when it has ended.
pub fn spawn_until_asleep<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    run: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let (named, name) = mpsc::channel();
    let spawned = scope.spawn(move || {
        // The receiver waits for it.
        let _ = named.send(fs::read_link("/proc/thread-self"));
        run()
    });
    let name = name.recv().map_err(io::Error::other)??;
    let stat = Path::new("/proc").join(name).join("stat");
    while !fs::read_to_string(&stat)?.contains(") S ") {
        thread::yield_now();
    }
    Ok(spawned)
}
