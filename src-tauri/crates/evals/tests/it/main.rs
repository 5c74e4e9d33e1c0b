//! Statistics against published values and by simulation, and cases as they are read and edited.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod cases;
mod editing;
mod pasting;
mod published;
mod reports;
mod simulation;
mod triggers;
