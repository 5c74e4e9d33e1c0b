//! Three-way merge of a file, by hunks.

use inklings_core::TreeFile;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MergedFile {
    /// `None`: the file was deleted.
    pub(crate) file: Option<TreeFile>,
    /// Whether both sides changed the same lines. `file` has those of the folder then.
    pub(crate) is_conflict: bool,
}

/// Merges a file that both sides changed. A changed file wins over a deleted one.
pub(crate) fn merge(base: Option<&TreeFile>, ours: Option<&TreeFile>, theirs: Option<&TreeFile>) -> MergedFile {
    let (Some(stored), Some(disk)) = (ours, theirs) else {
        return MergedFile { file: theirs.or(ours).cloned(), is_conflict: false };
    };
    let executable = if base.is_some_and(|base| base.executable != disk.executable) { disk.executable } else { stored.executable };
    if stored.bytes == disk.bytes {
        return MergedFile { file: Some(TreeFile { bytes: stored.bytes.clone(), executable }), is_conflict: false };
    }
    let texts = base.and_then(|base| Some((base.editable_text()?, stored.editable_text()?, disk.editable_text()?)));
    let merged = texts.and_then(|(base, stored, disk)| diffy::merge(base, stored, disk).ok());
    let is_conflict = merged.is_none();
    let bytes = merged.map_or_else(|| disk.bytes.clone(), |text| text.into_bytes().into());
    MergedFile { file: Some(TreeFile { bytes, executable }), is_conflict }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> TreeFile {
        TreeFile::new(text.as_bytes())
    }

    fn merged(base: &str, ours: &str, theirs: &str) -> (String, bool) {
        let MergedFile { file: result, is_conflict } = merge(Some(&file(base)), Some(&file(ours)), Some(&file(theirs)));
        (result.unwrap().text().unwrap().to_owned(), is_conflict)
    }

    #[test]
    fn changes_of_different_lines_are_both_kept() {
        let base = "one\ntwo\nthree\nfour\nfive\n";
        let (ours, theirs) = (base.replace("one", "ONE"), base.replace("five", "FIVE"));
        assert_eq!(merged(base, &ours, &theirs), ("ONE\ntwo\nthree\nfour\nFIVE\n".to_owned(), false));
        assert_eq!(merged(base, &ours, &ours), (ours.clone(), false));
    }

    #[test]
    fn of_the_same_line_the_text_on_disk_is_used() {
        assert_eq!(merged("one\n", "ours\n", "theirs\n"), ("theirs\n".to_owned(), true));
        assert_eq!(merge(None, Some(&file("ours")), Some(&file("theirs"))), MergedFile { file: Some(file("theirs")), is_conflict: true });
    }

    #[test]
    fn a_changed_file_wins_over_a_deleted_one() {
        for (ours, theirs) in [(Some(file("new")), None), (None, Some(file("new")))] {
            let found = merge(Some(&file("old")), ours.as_ref(), theirs.as_ref());
            assert_eq!(found, MergedFile { file: Some(file("new")), is_conflict: false });
        }
    }

    #[test]
    fn the_execute_bit_of_the_side_that_changed_it_is_kept() {
        let [plain, on] = [false, true].map(|executable| TreeFile { executable, ..TreeFile::new(*b"text") });
        for (ours, theirs) in [(&plain, &on), (&on, &plain)] {
            assert!(merge(Some(&plain), Some(ours), Some(theirs)).file.unwrap().executable);
        }
    }
}
