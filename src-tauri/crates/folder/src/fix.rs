//! Quick fixes of diagnostics about reading a folder.
//!
//! A fix is computed from the text of the diagnostic, which may be unsaved, and changes only what the diagnostic is about. If the intended
//! text isn't certain, there is no fix. To add one: a line in [`fixes`] or in `front`/`declared`, and `.fixed()` in the rule's row.

mod declared;
mod front;
pub mod json;

use inklings_core::check::Diagnostic;
use inklings_core::path::{SKILL_JSON, SKILL_MD_LOWER, SkillPath};
use inklings_core::skill::skill_md;
use inklings_core::tree::Tree;
use inklings_core::{Fix, fix};

#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The stored folder; the file may be older in it, or missing.
    pub tree: &'a Tree,
    pub folder: &'a str,
    pub path: &'a SkillPath,
    pub text: &'a str,
}

impl Subject<'_> {
    /// The byte offset at which a diagnostic starts.
    fn start(&self, finding: &Diagnostic) -> Option<usize> {
        fix::offset(self.text, finding.line?, finding.column.unwrap_or(1))
    }
}

/// Fixes for a diagnostic of this crate's rules, best first.
#[must_use]
pub fn fixes(subject: &Subject<'_>, finding: &Diagnostic) -> Vec<Fix> {
    if finding.rule == "folder/spelling" && subject.path.as_str() == SKILL_MD_LOWER {
        return vec![Fix::rename("Rename it to SKILL.md", subject.path, skill_md())];
    }
    if subject.path.is_skill_md() {
        front::fix(subject, finding).into_iter().collect()
    } else if subject.path.as_str() == SKILL_JSON {
        declared::fix(subject, finding).into_iter().collect()
    } else {
        Vec::new()
    }
}
