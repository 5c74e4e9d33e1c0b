//! The embedding model and the labelled set.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod labelled;
mod retrieval;
