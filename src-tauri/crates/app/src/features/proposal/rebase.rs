//! Merging a composition with a skill that was changed after it was made.

use inklings_core::three_way::{ChangedBy, PathMerge, compare_trees};
use inklings_core::trace::TracedSkill;
use inklings_core::{Skill, SkillPath, TreeFile, tree_digest};
use inklings_links::{MergedFile, merge};

use super::api::ProposedFile;
use super::composition::Composition;
use super::error::ProposalError;

/// How the lines begin that enclose two versions of the same lines.
const MARKERS: [&str; 2] = ["<<<<<<< ", ">>>>>>> "];
/// The markers of the merge, and ours.
const LABELS: [(&str, &str); 3] =
    [("<<<<<<< ours", "<<<<<<< proposal"), ("||||||| original", "||||||| before"), (">>>>>>> theirs", ">>>>>>> present skill")];

pub(super) fn has_markers(text: &str) -> bool {
    text.lines().any(|line| MARKERS.iter().any(|marker| line.starts_with(marker)))
}

impl Composition {
    /// Bases it on the present files of its skill. What only one side changed goes together; a file that both changed is merged by hunk.
    /// Overlapping hunks are both in the proposed text, between markers, and have to be resolved before it can be accepted. If its base was
    /// pruned, files that differ overlap as a whole, and no file is deleted.
    pub(super) fn rebase(&mut self, skill: &Skill) -> Result<(), ProposalError> {
        let (proposed, present) = (self.tree()?, skill.package.tree());
        let base = self.is_base_known.then_some(&self.base);
        let mut files = Vec::new();
        for PathMerge { path, by } in compare_trees(base, &proposed, &present) {
            let known = self.body.files.iter().find(|file| file.path == path);
            let (edited, was_conflict) = known.map_or((false, false), |file| (file.edited, file.conflict));
            let text = |file: Option<&TreeFile>| file.and_then(TreeFile::text).map(str::to_owned);
            let (content, is_conflict) = match by {
                ChangedBy::Ours => (text(proposed.get(&path)), false),
                ChangedBy::Conflict => {
                    let merged = merge(base.and_then(|base| base.get(&path)), proposed.get(&path), present.get(&path));
                    match merged {
                        MergedFile { is_conflict: false, file, .. } => (text(file.as_ref()), false),
                        MergedFile { marked: Some(marked), .. } => (Some(labeled(&marked)), true),
                        // A file that isn't text has no lines to merge; the review shows what replaces it.
                        MergedFile { marked: None, .. } => (text(proposed.get(&path)), false),
                    }
                }
                ChangedBy::Theirs | ChangedBy::Both => continue,
            };
            let conflict = is_conflict || was_conflict && content.as_deref().is_some_and(has_markers);
            files.push(ProposedFile { path, content, edited, conflict });
        }
        self.body.base_sha256 = Some(tree_digest(&present));
        self.body.files.clear();
        self.base = present;
        self.is_base_known = true;
        self.proposal.skill = TracedSkill::of(skill);
        for file in files {
            self.put(file);
        }
        if self.body.files.is_empty() { Err(ProposalError::AlreadyInSkill(skill.package.slug.clone())) } else { Ok(()) }
    }

    /// Files with lines that the proposal and the skill changed differently.
    pub(super) fn conflicts(&self) -> Vec<SkillPath> {
        self.body.files.iter().filter(|file| file.conflict).map(|file| file.path.clone()).collect()
    }
}

/// The text with markers that name the two sides.
fn labeled(marked: &str) -> String {
    let line = |line: &str| {
        let text = line.trim_end_matches(['\r', '\n']);
        match LABELS.iter().find(|(known, _)| *known == text) {
            Some((_, label)) => format!("{label}{}", &line[text.len()..]),
            None => line.to_owned(),
        }
    };
    marked.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_name_the_sides_and_only_markers_are_changed() {
        let marked = "a <<<<<<< ours\n<<<<<<< ours\nb\n||||||| original\nc\r\n=======\nd\n>>>>>>> theirs\r\n";
        let expected = "a <<<<<<< ours\n<<<<<<< proposal\nb\n||||||| before\nc\r\n=======\nd\n>>>>>>> present skill\r\n";
        assert_eq!(labeled(marked), expected);
        assert!(has_markers(expected) && has_markers("a\n>>>>>>> present skill") && !has_markers("Title\n=======\n<<<<<<<\n"));
    }
}
