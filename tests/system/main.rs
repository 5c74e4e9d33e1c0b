//! The `inklings` command as real processes on real files: used by people and scripts, killed, run concurrently, and
//! with invalid input.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it did not expect")]

mod actions;
#[path = "../fuzz/src/archive.rs"]
#[expect(unreachable_pub, reason = "it is public where it is at home")]
mod archive;
mod bad_input;
mod changes;
mod chats;
mod clients;
mod commands;
mod concurrency;
mod evals;
mod executed;
#[cfg(debug_assertions)]
mod failpoints;
mod folders;
mod governed;
mod history;
mod hostile;
mod kill;
mod library;
mod lifecycle;
mod links;
mod output;
mod pages;
mod planted;
mod programs;
mod proposed;
mod registry;
mod runs;
mod scripts;
mod serve;
mod support;
mod texts;
mod untrusted;
mod writer;
