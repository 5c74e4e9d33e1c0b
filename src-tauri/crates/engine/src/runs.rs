//! Adapters for runs: event publishing, and the secrets to redact.

use std::sync::Arc;

use inklings_app::{ChatEvent, ChatEvents, RunEvent};
use inklings_models::Registry;
use inklings_runtime::{KnownSecrets, RunEvents};
use tokio::sync::broadcast;

pub(crate) struct EventPublisher<E>(pub(crate) broadcast::Sender<E>);

impl ChatEvents for EventPublisher<ChatEvent> {
    fn on_event(&self, event: ChatEvent) {
        // Fails without receivers.
        let _ = self.0.send(event);
    }
}

impl RunEvents for EventPublisher<RunEvent> {
    fn on_event(&self, event: RunEvent) {
        // Fails without receivers.
        let _ = self.0.send(event);
    }
}

pub(crate) struct ProviderKeys(pub(crate) Arc<Registry>);

impl KnownSecrets for ProviderKeys {
    fn secrets(&self) -> Vec<String> {
        self.0.secrets()
    }
}
