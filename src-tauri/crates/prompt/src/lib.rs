//! Prompt templates: one engine for all front ends, so that a preview equals what is sent.
//!
//! A template sees only its values. Deliberately absent: a loader (no file, include or import), values that are
//! rendered as templates again, escaping, and models. Scripts are templates
//! as well: [`script`] inserts values into Python and is the only module that knows Python's grammar. Which variant of
//! a template is rendered is decided by `inklings_core::variant`. To add a filter, register it in [`engine`] and list it in
//! [`names`]; the validator and completion use that list.

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
