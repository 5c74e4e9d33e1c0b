//! Cooperative cancellation: work checks the token between steps. No thread is killed. What was stored before stays, and the result says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use event_listener::Event;

/// Clones share one state. Cancelling is final.
#[derive(Debug, Clone, Default)]
pub struct CancellationToken(Arc<State>);

#[derive(Debug, Default)]
struct State {
    set: AtomicBool,
    event: Event,
}

impl CancellationToken {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::Release);
        self.0.event.notify(usize::MAX);
    }

    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::Acquire)
    }

    /// Waits until the token is cancelled.
    pub async fn cancelled(&self) {
        while !self.is_cancelled() {
            let notified = self.0.event.listen();
            // It may have been cancelled before the listener was registered.
            if self.is_cancelled() {
                return;
            }
            notified.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelling_wakes_every_clone() {
        let token = CancellationToken::new();
        let other = token.clone();
        let waiting = std::thread::spawn(move || event_listener_wait(&other));
        assert!(!token.is_cancelled());
        token.cancel();
        waiting.join().unwrap();
        assert!(token.is_cancelled());
    }

    /// Polls the future on this thread until it is ready, sleeping until it is woken.
    fn event_listener_wait(token: &CancellationToken) {
        struct Unpark(std::thread::Thread);
        impl std::task::Wake for Unpark {
            fn wake(self: Arc<Self>) {
                self.0.unpark();
            }
        }
        let waker = Arc::new(Unpark(std::thread::current())).into();
        let mut context = std::task::Context::from_waker(&waker);
        let mut wait = std::pin::pin!(token.cancelled());
        while wait.as_mut().poll(&mut context).is_pending() {
            std::thread::park();
        }
    }
}
