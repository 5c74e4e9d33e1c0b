//! Runs on a real database with scripted models.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod exec;
mod instructions;
mod plans;
mod programs;
mod runs;
mod scripts;
mod support;
