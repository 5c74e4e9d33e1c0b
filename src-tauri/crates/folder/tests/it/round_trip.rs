//! Round trips between store and folder, and arbitrary input.

use inklings_core::ports::SkillFormat;
use inklings_core::skill::Package;
use inklings_core::tree::TreeFile;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::arbitrary::{bare_package, change, frontmatter, written_tree};
use crate::support::{folder, path, tree};

/// Syncs the sources of `package`. Its folder must read back as the same package, and syncing again must change nothing.
fn assert_synced(package: &mut Package, may_rewrite: bool) -> Result<(), TestCaseError> {
    let folder = folder();
    let before = package.sources.clone();
    let findings = folder.sync_sources(package);
    prop_assert!(!findings.iter().any(inklings_core::Diagnostic::is_error), "{findings:?}\n{}\n{package:#?}", shown(package));
    prop_assert!(may_rewrite || !findings.iter().any(|finding| finding.rule == "sources/rewritten"), "{before:#?}\n{}", shown(package));
    let reading = folder.read(&package.tree(), package.slug.as_str(), Some(package));
    prop_assert!(reading.is_ok(), "{reading:?}\n{}", shown(package));
    prop_assert_eq!(&reading.unwrap().package, &*package, "{}", shown(package));
    let before = package.clone();
    folder.sync_sources(package);
    prop_assert_eq!(package, &before);
    Ok(())
}

fn shown(package: &Package) -> String {
    let texts = package.tree().into_iter().map(|(path, entry)| format!("== {path}\n{}", String::from_utf8_lossy(&entry.bytes)));
    texts.collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn store_to_folder_to_store(mut package in bare_package()) {
        assert_synced(&mut package, false)?;
    }

    #[test]
    fn folder_to_store_to_folder(tree in written_tree()) {
        let folder = folder();
        let reading = folder.read(&tree, "my-skill", None);
        prop_assert!(reading.is_ok(), "{reading:?}");
        let mut package = reading.unwrap().package;
        prop_assert_eq!(&package.tree(), &tree);
        let before = package.clone();
        let findings = folder.sync_sources(&mut package);
        prop_assert_eq!(&package, &before, "{:?}", findings);
        prop_assert!(findings.is_empty(), "{findings:?}");
    }

    #[test]
    fn changed_values_are_read_back(tree in written_tree(), changes in vec(change(), 1..4)) {
        let mut package = folder().read(&tree, "my-skill", None).unwrap().package;
        for change in changes {
            change.apply(&mut package);
        }
        assert_synced(&mut package, false)?;
    }

    #[test]
    fn damaged_text_is_read_or_refused(
        front in frontmatter(),
        cuts in vec((any::<proptest::sample::Index>(), "[-:\n\t #'\"|>\\[\\]{},&*!a]{0,3}"), 1..4),
        change in change(),
    ) {
        let mut text: Vec<char> = format!("{front}Words.\n").chars().collect();
        for (at, insert) in cuts {
            let at = at.index(text.len());
            text.splice(at..=at, insert.chars());
        }
        let tree = tree(&[("SKILL.md", &text.into_iter().collect::<String>())]);
        if let Ok(reading) = folder().read(&tree, "my-skill", None) {
            let mut package = reading.package;
            prop_assert_eq!(&package.tree(), &tree);
            prop_assert_eq!(folder().sync_sources(&mut package), vec![]);
            prop_assert_eq!(&package.tree(), &tree);
            change.apply(&mut package);
            assert_synced(&mut package, true)?;
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        main in vec(prop_oneof![any::<u8>(), select(b"-:\n #{[\"'|>&*!ab".to_vec())], 0..60),
        json in vec(any::<u8>(), 0..40),
        framed in any::<bool>(),
    ) {
        let main = if framed { [b"---\nname: x\n", &main[..], b"\n---\nText.\n"].concat() } else { main };
        let mut tree = tree(&[]);
        tree.insert(path("SKILL.md"), TreeFile::new(main));
        let plain = folder().read(&tree, "my-skill", None);
        tree.insert(path("skill.json"), TreeFile::new(json));
        let _ = folder().read(&tree, "my-skill", None);
        if let Ok(reading) = plain {
            tree.remove(&path("skill.json"));
            prop_assert_eq!(&reading.package.tree(), &tree);
            let mut package = reading.package;
            package.description.push_str(" more");
            assert_synced(&mut package, true)?;
        }
    }
}
