//! The supervisor with a fake process and with the real one.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it did not expect")]

mod chat;
mod support;

mod faults;
mod golden;
mod inside;
mod lifecycle;
mod real;
mod states;
mod talk;
mod weight;
mod wire;
