//! `cargo xtask` as a program.
//!
//! Its name differs from those of the other crates' tests: `cargo xtask run` selects it alone, so that cargo resolves the same
//! features as for the tests (see `build::programs`).

mod run;
mod selection;
