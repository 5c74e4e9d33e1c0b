//! Event publishing, and the secrets to redact in runs.

use std::sync::Arc;

use inklings_app::features::search::SearchEvents;
use inklings_app::wire::ChangeEvent;
use inklings_app::{ChatEvent, ChatEvents, RunEvent};
use inklings_models::Registry;
use inklings_runtime::{KnownSecrets, RunEvents};
use tokio::sync::broadcast;

use crate::change_feeds::search_status_changed;

pub(crate) struct EventPublisher<E>(pub(crate) broadcast::Sender<E>);

impl SearchEvents for EventPublisher<ChangeEvent> {
    fn on_status_change(&self) {
        // Fails without receivers.
        let _ = self.0.send(search_status_changed());
    }
}

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
