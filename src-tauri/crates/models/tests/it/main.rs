//! The registry against a scripted server, through real HTTP and a real database.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod failures;
mod keys;
mod recorded;
mod registry;
mod support;
mod wires;
