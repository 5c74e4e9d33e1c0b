//! Quick fixes of what reading a folder remarks.
//!
//! A fix is worked out from the text that the finding is about, which need not be saved, and changes what the finding names
//! and nothing else. Where it isn't certain what was meant there is none. To add one: a line in [`fixes`] or below
//! `front`/`declared`, and the rule's row says that it has one.

mod declared;
mod front;
pub mod json;

use inklings_core::check::Diagnostic;
use inklings_core::path::{SKILL_JSON, SKILL_MD_LOWER, SkillPath};
use inklings_core::skill::skill_md;
use inklings_core::tree::Tree;
use inklings_core::{Fix, fix};

/// What a finding is about.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The skill's folder; the file may be older in it, or missing.
    pub tree: &'a Tree,
    /// The folder's name.
    pub folder: &'a str,
    pub path: &'a SkillPath,
    pub text: &'a str,
}

impl Subject<'_> {
    /// The bytes that a finding begins at.
    fn start(&self, finding: &Diagnostic) -> Option<usize> {
        fix::offset(self.text, finding.line?, finding.column.unwrap_or(1))
    }
}

/// What can be done about a finding of this crate's rules; best first.
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
