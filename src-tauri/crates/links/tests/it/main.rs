//! Links over real databases and real folders.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod databases;
mod interleavings;
mod linking;
mod scans;
mod support;
mod syncs;
