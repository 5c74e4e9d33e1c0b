//! Eval cases, statistics of their results, and reports.
//!
//! [`cases`] reads and edits the cases of a skill, [`statistics`] says what results show, [`triggers`] which skills fire, and [`report`]
//! sums a run up and writes it for other programs. Everything here is a pure function of texts and values.

pub mod cases;
pub mod optimization;
pub mod optimization_loop;
pub mod report;
pub mod rewrite;
mod rules;
pub mod statistics;
pub mod triggers;

pub use rules::RULES;
