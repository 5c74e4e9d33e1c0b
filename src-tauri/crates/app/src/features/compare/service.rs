use std::collections::BTreeSet;
use std::time::Duration;

use inklings_core::change::PathChange;
use inklings_core::{SkillCatalog, SkillPath, Tree, TreeFile};
use similar::{DiffOp, TextDiff};

use super::api::{CompareFileParams, CompareParams, ComparedFile, Comparison, FileTexts, Side, Version};
use super::error::CompareError;
use crate::agent_copies::{AgentCopyCache, AgentFolders};
use crate::wire::RevisionFile;

/// After this, what still differs in a file is counted as replaced.
const DIFF_TIMEOUT: Duration = Duration::from_millis(200);

/// Compares skills, revisions and the copies in other agents' folders.
pub(super) struct CompareService<'a> {
    pub(super) catalog: SkillCatalog,
    pub(super) copies: &'a AgentCopyCache,
    pub(super) folders: AgentFolders<'a>,
}

impl CompareService<'_> {
    pub(super) fn files(&self, params: &CompareParams) -> Result<Comparison, CompareError> {
        let (left, before) = self.open(&params.left)?;
        let (right, after) = self.open(&params.right)?;
        Ok(Comparison { left, right, files: differences(&before, &after) })
    }

    pub(super) fn texts(&self, params: &CompareFileParams) -> Result<FileTexts, CompareError> {
        let (_, before) = self.open(&params.left.of)?;
        let (_, after) = self.open(&params.right.of)?;
        Ok(FileTexts { left: RevisionFile::of(before.get(&params.left.path)), right: RevisionFile::of(after.get(&params.right.path)) })
    }

    fn open(&self, version: &Version) -> Result<(Side, Tree), CompareError> {
        let skill = self.catalog.require(&version.skill, version.scope)?;
        let current = skill.head.revision;
        let mut side = Side {
            id: skill.head.id,
            slug: skill.package.slug.clone(),
            name: skill.package.name.clone(),
            scope: skill.head.scope,
            revision: Some(version.revision.unwrap_or(current)),
            now: version.copy.is_none() && version.revision.is_none_or(|number| number == current),
            copy: None,
        };
        let tree = match (&version.copy, version.revision) {
            (Some(_), Some(_)) => return Err(CompareError::RevisionOfCopy),
            (Some(folder), None) => {
                side.revision = None;
                side.copy = Some(folder.display().to_string());
                self.copies.read(self.folders, &skill.package.slug, folder)?
            }
            (None, Some(0)) => Tree::new(),
            (None, Some(number)) if number != current => {
                self.catalog.holder(skill.head.id, skill.head.scope)?.revision_tree(skill.head.id, number)?
            }
            (None, _) => skill.package.tree(),
        };
        Ok((side, tree))
    }
}

/// The files that differ, by path.
pub(crate) fn differences(before: &Tree, after: &Tree) -> Vec<ComparedFile> {
    let paths: BTreeSet<&SkillPath> = before.keys().chain(after.keys()).collect();
    paths.into_iter().filter_map(|path| compare_file(path, before.get(path), after.get(path))).collect()
}

fn compare_file(path: &SkillPath, before: Option<&TreeFile>, after: Option<&TreeFile>) -> Option<ComparedFile> {
    if before == after {
        return None;
    }
    let change = match (before, after) {
        (None, _) => PathChange::Added,
        (_, None) => PathChange::Removed,
        _ => PathChange::Modified,
    };
    let texts = text_of(before).zip(text_of(after));
    let lines = texts.map(|(before, after)| count_lines(before, after));
    Some(ComparedFile {
        path: path.clone(),
        change,
        text: texts.is_some(),
        mode: before.zip(after).is_some_and(|(before, after)| before.executable != after.executable),
        executable: after.is_some_and(|after| after.executable),
        added: lines.map(|(added, _)| added),
        removed: lines.map(|(_, removed)| removed),
    })
}

/// The text of a file; empty for one that doesn't exist.
fn text_of(entry: Option<&TreeFile>) -> Option<&str> {
    entry.map_or(Some(""), TreeFile::editable_text)
}

/// Numbers of lines added and removed.
fn count_lines(before: &str, after: &str) -> (usize, usize) {
    let diff = TextDiff::configure().timeout(DIFF_TIMEOUT).diff_lines(before, after);
    diff.ops().iter().fold((0, 0), |(added, removed), op| match *op {
        DiffOp::Equal { .. } => (added, removed),
        DiffOp::Delete { old_len, .. } => (added, removed + old_len),
        DiffOp::Insert { new_len, .. } => (added + new_len, removed),
        DiffOp::Replace { old_len, new_len, .. } => (added + new_len, removed + old_len),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &[u8])]) -> Tree {
        files.iter().map(|(path, bytes)| (SkillPath::parse(path).unwrap(), TreeFile::new(*bytes))).collect()
    }

    #[test]
    fn each_file_that_differs_is_named_with_its_lines() {
        let before = tree(&[("SKILL.md", b"one\ntwo\nthree\n"), ("gone.md", b"a\nb\n"), ("same.md", b"x"), ("pic.png", b"\x89P\0")]);
        let mut after = tree(&[("SKILL.md", b"one\n2\nthree\nfour\n"), ("new.md", b"n"), ("same.md", b"x"), ("pic.png", b"\x89Q\0")]);
        let found = differences(&before, &after);
        let short = |one: &ComparedFile| (one.path.to_string(), one.change, one.added, one.removed);
        assert_eq!(
            found.iter().map(short).collect::<Vec<_>>(),
            [
                ("SKILL.md".to_owned(), PathChange::Modified, Some(2), Some(1)),
                ("gone.md".to_owned(), PathChange::Removed, Some(0), Some(2)),
                ("new.md".to_owned(), PathChange::Added, Some(1), Some(0)),
                ("pic.png".to_owned(), PathChange::Modified, None, None),
            ]
        );
        after.clone_from(&before);
        after.get_mut(&SkillPath::parse("same.md").unwrap()).unwrap().executable = true;
        let found = differences(&before, &after);
        assert_eq!((found.len(), found[0].mode, found[0].executable, found[0].added), (1, true, true, Some(0)));
    }
}
