//! Publishing, syncing and faults, on real files and sockets.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod format;
mod publish;
mod support;
