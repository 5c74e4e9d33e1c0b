//! The validator of skills: one set of rules for the editor, imports and `inklings validate`.
//!
//! It says what is wrong and what to do; it changes nothing and stops nothing itself: a caller that must not go on with
//! errors looks at [`Diagnostic::is_error`]. Frontmatter and `skill.json` are read by the projection, whose findings are
//! passed on; there is no second parser here. Deliberately absent: checks that need the world (whether a tool exists is
//! readiness), models, and a Python parser: what a script says is read by `inklings-prompt`, as in a run. To add a rule, add a row to the table of its crate and report it from the module of the
//! thing it is about; a test fails on a finding without a row.
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

pub use dspy::TEMPLATES;
pub use fix::{Offer, offers};
pub use rules::{page, rule, rules};
pub use skill::{Context, check_file, check_package, check_skill};
