//! `cargo xtask` as a program.
//!
//! Its name differs from those of the other crates' tests: `cargo xtask run` selects it alone, so that cargo resolves the same
//! features as for the tests (see `build::programs`).

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod run;
mod selection;
mod sources;
