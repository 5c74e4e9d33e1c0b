//! `program/*`: the process that runs DSPy programs.

pub(crate) mod operations;

pub use operations::*;
