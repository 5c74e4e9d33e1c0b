//! Stopping what takes long. A mark that everyone who works for a run shares; nothing is ever killed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use event_listener::Event;

/// Clones share one mark. Cancelling is final.
#[derive(Debug, Clone, Default)]
pub struct CancellationToken(Arc<State>);

#[derive(Debug, Default)]
struct State {
    set: AtomicBool,
    event: Event,
}

impl CancellationToken {
    /// Not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everyone who shares this mark to stop.
    pub fn cancel(&self) {
        self.0.set.store(true, Ordering::Release);
        self.0.event.notify(usize::MAX);
    }

    /// Whether someone asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::Acquire)
    }

    /// Waits until someone asks to stop.
    pub async fn cancelled(&self) {
        while !self.is_cancelled() {
            let heard = self.0.event.listen();
            // Between the question and the ear the mark may have been set.
            if self.is_cancelled() {
                return;
            }
            heard.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_who_shares_the_mark_hears_it() {
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
