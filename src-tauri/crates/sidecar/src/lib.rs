//! The DSPy process: the adapter of [`inklings_core::program`].

pub mod protocol;
