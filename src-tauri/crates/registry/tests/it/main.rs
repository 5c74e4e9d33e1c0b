//! Publishing, syncing and faults, on real files and sockets.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod attacks;
mod download;
mod format;
mod killed;
mod publish;
mod server;
mod support;
mod sync;
mod transport;
