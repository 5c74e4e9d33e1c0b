//! Prompt templates: one engine for every door, so that what is previewed is what is sent.
//!
//! A template sees its values and nothing else. Deliberately absent: a loader (no file, include or import), values that are
//! read as templates again, escaping, and models; who sends a rendered prompt is the runtime's business. Scripts are templates
//! as well: how a value gets into Python is told in [`script`], the only place that knows Python's grammar. Which variant of
//! a template is rendered is decided by `inklings_core::variant`. To add a filter, register it in [`engine`] and name it in
//! [`names`]; the validator and completion know it from there.

pub mod engine;
pub mod error;
mod expansion;
pub mod help;
mod metered;
pub mod names;
mod nesting;
mod output_limit;
mod rules;
pub mod script;
pub mod tokens;
pub mod variables;
mod visitor;

pub use engine::PromptEngine;
pub use error::{Problem, PromptEngineError, SourceSpan};
pub use rules::RULES;
pub use script::{LineMap, Misplaced, RenderedScript};
pub use variables::{Shape, Variable};
