//! Ctrl+C cancels the active call. Without one it ends the command.

use std::sync::LazyLock;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// Exit code of a command that Ctrl+C ended, as shells report it.
const EXIT_CODE: i32 = 130;

/// A handler replaces the default one until the process ends. So while no call is active, ours does what the default one would do.
static CALLS: LazyLock<watch::Sender<()>> = LazyLock::new(|| {
    let calls = watch::Sender::new(());
    // If it can't be handled, it still ends the process.
    if let Ok(interrupts) = signal(SignalKind::interrupt()) {
        tokio::spawn(dispatch(interrupts, calls.clone()));
    }
    calls
});

/// Changes at each Ctrl+C. For the time of a call, which is cancelled then: while a receiver exists, Ctrl+C doesn't end the process.
pub(crate) fn interrupts() -> watch::Receiver<()> {
    CALLS.subscribe()
}

/// The only listener of the process: if each call listened to the signal itself, one that ends quickly could be over before this
/// function looks for calls.
#[expect(clippy::exit, reason = "the main thread may wait for standard input, which can't be cancelled")]
async fn dispatch(mut interrupts: Signal, calls: watch::Sender<()>) {
    while interrupts.recv().await.is_some() {
        // Fails if nobody has a receiver.
        if calls.send(()).is_err() {
            std::process::exit(EXIT_CODE);
        }
    }
}
