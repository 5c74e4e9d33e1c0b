//! The product as the engine puts it together, and the house rules that keep it apart.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod agents;
mod artifacts;
mod boundaries;
mod chats;
mod checks;
mod compositions;
mod databases;
mod deleted;
mod deploys;
mod evals;
mod exports;
mod feedback;
mod find;
mod hooks;
mod imports;
mod inputs;
mod interference;
mod library;
mod marketplace;
mod proposals;
#[path = "../../../../../tests/system/proposed.rs"]
mod proposed;
mod publishing;
mod references;
mod reviews;
mod roles;
mod search;
mod seeding;
mod support;
mod symbols;
mod tenants;
mod tools;
mod tree;
mod updates;
mod workspaces;
