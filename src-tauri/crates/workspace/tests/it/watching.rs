//! Changes by other programs.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use inklings_core::pages::{PageChanges, Pages};
use inklings_workspace::{Change, PageWatcher};

use crate::{Workspace, found, slugs};

/// Waits until the accumulated changes match.
fn hear(changes: &Receiver<Change>, wanted: impl Fn(&PageChanges) -> bool) -> PageChanges {
    let (mut all, end) = (PageChanges::default(), Instant::now() + Duration::from_secs(20));
    while !wanted(&all) {
        let change = changes.recv_timeout(end.saturating_duration_since(Instant::now()));
        assert!(matches!(change, Ok(Change::Pages(_))), "{change:?} after {all:?}");
        if let Ok(Change::Pages(more)) = change {
            all.added.extend(more.added);
            all.changed.extend(more.changed);
            all.removed.extend(more.removed);
        }
    }
    all
}

/// Ignores additional changes: a file that is being written may be reported twice.
fn has(slugs: &[String], slug: &str) -> bool {
    slugs.iter().any(|known| known == slug)
}

fn edits(polling: bool) {
    let workspace = Workspace::new(&[("a.md", "one"), ("sub/b.md", "two")]);
    let (index, (send, received)) = (workspace.index(), channel());
    let changed = move |change| drop(send.send(change));
    let watching = if polling {
        PageWatcher::polling(index.clone(), changed, Duration::from_millis(20)).unwrap()
    } else {
        PageWatcher::start(index.clone(), changed).unwrap()
    };
    assert_eq!(hear(&received, |all| all.added.len() == 2).added, ["a", "sub/b"]);
    workspace.write("sub/b.md", "two more");
    // The file may be read, and reported, between its truncation and the write.
    hear(&received, |all| has(&all.changed, "sub/b") && found(&index, "more") == ["sub/b"]);
    workspace.write("new/deep/c.md", "three");
    hear(&received, |all| has(&all.added, "new/deep/c"));
    workspace.write("new/deep/c.md", "three and a bit");
    hear(&received, |all| has(&all.changed, "new/deep/c"));
    std::fs::rename(workspace.path("new"), workspace.path("moved")).unwrap();
    hear(&received, |all| has(&all.added, "moved/deep/c") && has(&all.removed, "new/deep/c"));
    workspace.write("moved/deep/c.md", "here");
    hear(&received, |all| has(&all.changed, "moved/deep/c"));
    // As editors save: a new file replaces the old one.
    workspace.write(".a.md.tmp", "replaced");
    std::fs::rename(workspace.path(".a.md.tmp"), workspace.path("a.md")).unwrap();
    hear(&received, |all| has(&all.changed, "a"));
    std::fs::remove_dir_all(workspace.path("moved")).unwrap();
    hear(&received, |all| has(&all.removed, "moved/deep/c"));
    drop(watching);
    // The thread has ended and dropped its sender.
    assert!(received.recv().is_err());
    assert_eq!(slugs(&index), ["a", "sub/b"]);
}

#[test]
fn edits_are_reported() {
    edits(false);
}

#[test]
fn edits_are_found_without_events() {
    edits(true);
}

#[test]
fn our_own_files_are_no_news() {
    let workspace = Workspace::new(&[("a.md", "one")]);
    let (index, (send, received)) = (workspace.index(), channel());
    let watching = PageWatcher::start(index.clone(), move |change| drop(send.send(change))).unwrap();
    hear(&received, |all| has(&all.added, "a"));
    let before = index.status();
    workspace.write("agents.db", "x");
    workspace.write(".git/HEAD", "x");
    workspace.write("node_modules/x/readme.md", "x");
    workspace.write("z.md", "last");
    hear(&received, |all| has(&all.added, "z"));
    assert_eq!(before.pages + 1, index.status().pages);
    drop(watching);
    assert!(received.recv().is_err());
}
