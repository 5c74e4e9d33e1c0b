//! The validator of skills: one set of rules for the editor, imports and `inklings validate`.
//!
//! It only reports: callers that must not continue with
//! errors check [`Diagnostic::is_error`]. Frontmatter and `skill.json` are read by the skill format, whose diagnostics are
//! passed on; there is no second parser here. Deliberately absent: checks that need the environment (whether a tool exists), models, and a
//! Python parser: scripts are read by `inklings-prompt`, as in a run.
//!
//! To add a rule, add a row to the table of its crate ([`rules`](rules()) joins them) and report it from the module of its subject; a test over
//! the sources fails on an id without a row. The guide's page `18-rules.md` is generated from the table (`inklings dev rules`). A quick fix is
//! offered only after it was applied to a copy: the diagnostic is gone and no new error appeared.
//!
//! [`Diagnostic::is_error`]: inklings_core::Diagnostic::is_error

pub mod assertion;
mod dspy;
mod fix;
mod json;
pub mod json_schema;
mod package;
mod rules;
pub mod schema;
mod script;
pub mod signature;
mod skill;
mod template;
mod undeclared;

pub use dspy::TEMPLATES;
pub use fix::{Offer, offers};
pub use rules::{page, rule, rules};
pub use skill::{Context, check_file, check_package, check_skill, outputs};
