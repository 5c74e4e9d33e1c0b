//! The sandbox with the real machine code.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it did not expect")]

mod outside;
mod support;

mod calls;
mod errors;
mod files;
mod hostile;
mod leak;
mod limits;
mod many;
mod unavailable;
mod values;
mod versions;
