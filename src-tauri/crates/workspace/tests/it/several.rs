//! Several threads, indexes and processes on one file.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use inklings_core::CancellationToken;
use inklings_core::pages::Pages;

use crate::{Workspace, found, index, refresh, slugs};

fn filled(pages: usize) -> Workspace {
    let workspace = Workspace::new(&[]);
    for n in 0..pages {
        workspace.write(&format!("{}/{n}.md", n % 7), format!("# Page {n}\nwords [[{}]] #t{}", (n + 1) % pages, n % 3));
    }
    workspace
}

#[test]
fn readers_are_served_while_pages_are_indexed() {
    let workspace = filled(1_500);
    let (index, done) = (workspace.index(), AtomicBool::new(false));
    refresh(&index);
    for n in 0..1_500 {
        workspace.write(&format!("{}/{n}.md", n % 7), format!("# Page {n}\nother words [[{}]] #t{}", (n + 1) % 1_500, n % 3));
    }
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut rounds = 0;
                    while !done.load(Ordering::Acquire) || rounds == 0 {
                        assert_eq!(slugs(&index).len(), 1_500);
                        assert_eq!(found(&index, "words").len(), 50);
                        assert_eq!(index.references("0/0").unwrap().out.len(), 1);
                        assert_eq!(index.tags().unwrap()["t0"], 500);
                        rounds += 1;
                    }
                })
            })
            .collect();
        let changed = refresh(&index).changed.len();
        done.store(true, Ordering::Release);
        assert_eq!(changed, 1_500);
        for reader in readers {
            reader.join().unwrap();
        }
    });
    assert_eq!(index.search("other words", 1_000).unwrap().len(), 1_000);
}

#[test]
fn two_indexes_of_one_folder_agree() {
    let workspace = filled(1_200);
    let (one, two) = (workspace.index(), workspace.index());
    std::thread::scope(|scope| {
        let first = scope.spawn(|| refresh(&one));
        let second = scope.spawn(|| refresh(&two));
        first.join().unwrap();
        second.join().unwrap();
    });
    assert_eq!(slugs(&one).len(), 1_200);
    assert_eq!(slugs(&one), slugs(&two));
    assert!(one.broken().unwrap().is_empty() && two.orphans().unwrap().is_empty());
    assert_eq!([one.status().temporary, two.status().temporary], [None, None]);
    workspace.write("new.md", "fresh");
    refresh(&two);
    assert_eq!(found(&one, "fresh"), ["new"]);
    assert!(refresh(&one).is_empty());
}

/// Started by [`two_processes_share_the_file`] in another process.
#[test]
fn as_another_process() {
    let Some(root) = std::env::var_os("INKLINGS_TEST_WORKSPACE") else { return };
    let index = index(std::path::Path::new(&root));
    for _ in 0..10 {
        index.refresh(&|_| (), &CancellationToken::new()).unwrap();
    }
    assert_eq!(slugs(&index).len(), 800);
}

#[test]
fn two_processes_share_the_file() {
    let workspace = filled(800);
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "several::as_another_process", "--test-threads=1"])
        .env("INKLINGS_TEST_WORKSPACE", workspace.path(""))
        .spawn();
    let index = workspace.index();
    for round in 0..10 {
        workspace.write("0/0.md", format!("round {round}"));
        refresh(&index);
    }
    assert!(child.unwrap().wait().unwrap().success());
    refresh(&index);
    assert_eq!(slugs(&index).len(), 800);
    assert_eq!(found(&index, "round 9"), ["0/0"]);
    assert_eq!(index.status().temporary, None);
}
