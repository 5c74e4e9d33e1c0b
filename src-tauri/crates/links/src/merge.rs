//! Three-way merge of a file, by hunks.

use inklings_core::TreeFile;

#[derive(Debug, PartialEq, Eq)]
pub struct MergedFile {
    /// `None`: the file was deleted.
    pub file: Option<TreeFile>,
    /// Whether both sides changed the same lines. `file` is that of `theirs` then.
    pub is_conflict: bool,
    /// The text with both versions of these lines between the markers `<<<<<<< ours`, `||||||| original`, `=======` and `>>>>>>> theirs`.
    /// `None` without a conflict, or if a side isn't text.
    pub marked: Option<String>,
}

/// Merges a file that both sides changed. A changed file wins over a deleted one.
#[must_use]
pub fn merge(base: Option<&TreeFile>, ours: Option<&TreeFile>, theirs: Option<&TreeFile>) -> MergedFile {
    let clean = |file| MergedFile { file, is_conflict: false, marked: None };
    let (Some(ours), Some(theirs)) = (ours, theirs) else { return clean(theirs.or(ours).cloned()) };
    let executable = if base.is_some_and(|base| base.executable != theirs.executable) { theirs.executable } else { ours.executable };
    if ours.bytes == theirs.bytes {
        return clean(Some(TreeFile { bytes: ours.bytes.clone(), executable }));
    }
    let before = base.map_or(Some(""), TreeFile::editable_text);
    let texts = before.zip(ours.editable_text()).zip(theirs.editable_text());
    match texts.map(|((base, ours), theirs)| diffy::merge(base, ours, theirs)) {
        Some(Ok(text)) if base.is_some() => clean(Some(TreeFile { bytes: text.into_bytes().into(), executable })),
        merged => {
            let marked = merged.and_then(Result::err);
            MergedFile { file: Some(TreeFile { bytes: theirs.bytes.clone(), executable }), is_conflict: true, marked }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> TreeFile {
        TreeFile::new(text.as_bytes())
    }

    fn merged(base: &str, ours: &str, theirs: &str) -> (String, bool) {
        let MergedFile { file: result, is_conflict, .. } = merge(Some(&file(base)), Some(&file(ours)), Some(&file(theirs)));
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
        let MergedFile { file: added, is_conflict, .. } = merge(None, Some(&file("ours")), Some(&file("theirs")));
        assert_eq!((added, is_conflict), (Some(file("theirs")), true));
    }

    #[test]
    fn both_versions_of_the_same_line_are_between_markers() {
        let marked = |base: Option<&str>, ours: &[u8], theirs: &[u8]| {
            let [ours, theirs] = [ours, theirs].map(TreeFile::new);
            merge(base.map(file).as_ref(), Some(&ours), Some(&theirs)).marked
        };
        let expected = "a\n<<<<<<< ours\nours\n||||||| original\none\n=======\ntheirs\n>>>>>>> theirs\nz\n";
        assert_eq!(marked(Some("a\none\nz\n"), b"a\nours\nz\n", b"a\ntheirs\nz\n").as_deref(), Some(expected));
        let added = marked(None, b"ours\n", b"theirs\n").unwrap();
        assert!(added.contains("<<<<<<< ours\nours\n") && added.contains("=======\ntheirs\n>>>>>>> theirs\n"), "{added}");
        assert_eq!(marked(Some("a"), b"\x89P\0", b"b"), None);
        assert_eq!(marked(Some("a\nb\nc\n"), b"A\nb\nc\n", b"a\nb\nC\n"), None);
    }

    #[test]
    fn a_changed_file_wins_over_a_deleted_one() {
        for (ours, theirs) in [(Some(file("new")), None), (None, Some(file("new")))] {
            let found = merge(Some(&file("old")), ours.as_ref(), theirs.as_ref());
            assert_eq!(found, MergedFile { file: Some(file("new")), is_conflict: false, marked: None });
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
