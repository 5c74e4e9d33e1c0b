//! `program/*`: the process that runs DSPy programs.

pub(crate) mod operations;
mod service;

pub use operations::*;
