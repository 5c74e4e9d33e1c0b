//! The repository on real files.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod access;
mod actions;
mod bindings;
mod chats;
mod evals;
mod marketplace;
mod names;
mod older;
mod person;
mod proposals;
mod revisions;
mod skills;
mod support;
mod traces;
mod uses;
