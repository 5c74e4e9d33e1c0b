//! Changed files and the resulting index.

use std::fs;
use std::process::Command;

use inklings_core::pages::{Pages, PagesError};
use inklings_core::{CancellationToken, Clock};

use crate::{Still, Workspace, found, refresh, slugs};

#[test]
fn nothing_is_written_before_the_first_question() {
    let workspace = Workspace::new(&[("a.md", "x")]);
    let index = workspace.index();
    assert_eq!(index.status().pages, 0);
    assert!(!workspace.path(".inklings").exists());
    assert_eq!(slugs(&index), ["a"]);
    assert!(workspace.cache().is_file());
    assert_eq!(index.status().indexed_at, Some(Still.now()));
    assert_eq!(fs::read_dir(workspace.path("")).unwrap().count(), 2);
}

#[test]
fn the_status_is_that_of_the_index_that_another_process_made() {
    let workspace = Workspace::new(&[("a.md", "x"), ("b.md", "y")]);
    refresh(&workspace.index());
    let index = workspace.index();
    let status = index.status();
    assert_eq!((status.pages, status.indexed_at, status.temporary), (2, None, None));
    // It is compared with the folder nevertheless.
    workspace.remove("a.md");
    assert_eq!(slugs(&index), ["b"]);
}

#[test]
fn added_changed_and_removed_pages_are_noticed() {
    let workspace = Workspace::new(&[("a.md", "one [[b]]"), ("c.md", "three")]);
    let index = workspace.index();
    assert_eq!(refresh(&index).added, ["a", "c"]);
    assert!(refresh(&index).is_empty());
    assert_eq!(index.references("a").unwrap().broken.len(), 1);
    workspace.write("sub/b.md", "two");
    workspace.write("a.md", "ONE [[b]]");
    workspace.remove("c.md");
    let changes = refresh(&index);
    assert_eq!((changes.added, changes.changed, changes.removed), (vec!["sub/b".to_owned()], vec!["a".to_owned()], vec!["c".to_owned()]));
    assert_eq!(index.references("sub/b").unwrap().incoming[0].slug, "a");
    assert!(index.broken().unwrap().is_empty());
    assert_eq!(found(&index, "three"), Vec::<String>::new());
    fs::rename(workspace.path("sub"), workspace.path("other")).unwrap();
    let changes = refresh(&index);
    assert_eq!((changes.added, changes.removed), (vec!["other/b".to_owned()], vec!["sub/b".to_owned()]));
    assert_eq!(index.references("a").unwrap().out[0].slug, "other/b");
}

#[test]
fn a_change_that_keeps_size_and_time_is_noticed() {
    let workspace = Workspace::new(&[("a.md", "old words")]);
    let index = workspace.index();
    refresh(&index);
    let before = fs::metadata(workspace.path("a.md")).unwrap().modified().unwrap();
    workspace.write("a.md", "new words");
    fs::File::options().write(true).open(workspace.path("a.md")).unwrap().set_modified(before).unwrap();
    assert_eq!(refresh(&index).changed, ["a"]);
    assert_eq!(found(&index, "new"), ["a"]);
}

#[test]
fn a_touched_page_is_not_a_changed_one() {
    let workspace = Workspace::new(&[("a.md", "words")]);
    let index = workspace.index();
    refresh(&index);
    let later = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_hours(1);
    fs::File::options().write(true).open(workspace.path("a.md")).unwrap().set_modified(later).unwrap();
    assert!(refresh(&index).is_empty());
}

#[test]
fn equal_slugs_are_numbered_by_path() {
    let workspace = Workspace::new(&[("A b.md", "2"), ("a-b.md", "3"), ("other.md", "[[a-b]] [x](A%20b.md) [y](a-b.md) [[a_b~2]]")]);
    let index = workspace.index();
    assert_eq!(slugs(&index), ["a-b", "a-b~2", "other"]);
    assert_eq!(index.page("a-b").unwrap().body, "2");
    let out =
        |index: &inklings_workspace::Index| index.references("other").unwrap().out.into_iter().map(|link| link.slug).collect::<Vec<_>>();
    assert_eq!(out(&index), ["a-b", "a-b", "a-b~2", "a-b~2"]);
    workspace.write("A B.md", "1");
    let changes = refresh(&index);
    assert_eq!((changes.added.as_slice(), changes.removed.as_slice()), (["a-b~3".to_owned()].as_slice(), [].as_slice()));
    assert_eq!(changes.changed, ["a-b", "a-b~2"]);
    assert_eq!(index.page("a-b").unwrap().body, "1");
    assert_eq!(out(&index)[1..3], ["a-b~2", "a-b~3"]);
    workspace.remove("A b.md");
    workspace.remove("A B.md");
    assert_eq!(refresh(&index).removed, ["a-b~2", "a-b~3"]);
    assert_eq!(index.page("a-b").unwrap().body, "3");
}

#[test]
fn links_find_pages_by_every_name() {
    let target = "---\ntitle: The Long Title\naliases: [Shorty]\n---\n";
    let workspace = Workspace::new(&[
        ("Deep/Folder/My Page.md", target),
        (
            "from/here.md",
            "[[my page]] [[MY-PAGE#part|x]] [[folder/my_page]] [[the long  title]] [[shorty]] [[deep/folder/my-page]] [[Deep/Folder/My Page.md]] \
             [a](../Deep/Folder/My%20Page.md) [b](/Deep/Folder/My%20Page) [[../Deep/Folder/My Page]] <a href=\"x.md\">no</a> [c](../Deep)",
        ),
    ]);
    let index = workspace.index();
    let references = index.references("from/here").unwrap();
    assert_eq!(references.broken, []);
    assert_eq!(references.out.len(), 10);
    assert!(references.out.iter().all(|link| link.slug == "deep/folder/my-page"));
    assert_eq!(index.references("Shorty").unwrap().incoming.len(), 10);
    assert_eq!(index.orphans().unwrap().iter().map(|page| page.slug.as_str()).collect::<Vec<_>>(), ["from/here"]);
}

#[test]
fn names_in_every_script_work() {
    let workspace = Workspace::new(&[
        ("ملاحظات/يوم جميل.md", "# يوم جميل\nשלום #תגית [[東京]]"),
        ("日本/東京.md", "東京は日本の首都です。 #都市"),
        ("emoji 🎉.md", "party"),
        ("cafe\u{301}.md", "Crème brûlée [[CAFÉ]]"),
    ]);
    let index = workspace.index();
    assert_eq!(slugs(&index), ["café", "emoji", "ملاحظات/يوم-جميل", "日本/東京"]);
    let page = index.page("ملاحظات/يوم-جميل").unwrap();
    assert_eq!((page.summary.title.as_str(), page.summary.tags.as_slice()), ("يوم جميل", ["תגית".to_owned()].as_slice()));
    assert!(index.broken().unwrap().is_empty());
    assert_eq!(found(&index, "首都"), ["日本/東京"]);
    assert_eq!(found(&index, "creme"), ["café"]);
    assert_eq!(found(&index, "שלו"), ["ملاحظات/يوم-جميل"]);
    assert_eq!(index.tags().unwrap()["都市"], 1);
}

#[test]
fn stopping_keeps_what_was_done_and_the_next_goes_on() {
    let workspace = Workspace::new(&[]);
    for n in 0..1_200 {
        workspace.write(&format!("{n}.md"), format!("page {n}"));
    }
    let (index, cancel) = (workspace.index(), CancellationToken::new());
    let progress = |now: inklings_core::pages::IndexProgress| {
        if now.done > 0 {
            assert_eq!(now.total, 1_200);
            cancel.cancel();
        }
    };
    assert!(matches!(index.refresh(&progress, &cancel), Err(PagesError::Cancelled)));
    let done = index.status().pages;
    assert!(done > 0 && done < 1_200, "{done}");
    assert_eq!(refresh(&index).added.len(), 1_200 - done);
    assert_eq!(index.status().pages, 1_200);
}

#[test]
fn a_removed_workspace_is_reported() {
    let workspace = Workspace::new(&[("a.md", "x")]);
    let index = workspace.index();
    refresh(&index);
    fs::rename(workspace.path(""), workspace.path("").with_extension("moved")).unwrap();
    let error = index.refresh(&|_| (), &CancellationToken::new()).unwrap_err();
    assert!(matches!(error, PagesError::Removed { .. }), "{error}");
    fs::rename(workspace.path("").with_extension("moved"), workspace.path("")).unwrap();
    assert_eq!(slugs(&index), ["a"]);
}

fn git(workspace: &Workspace, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=Mara", "-c", "user.email=mara@example.org", "-c", "init.defaultBranch=main", "-C"])
        .arg(workspace.path(""))
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
}

#[test]
fn history_comes_from_git_through_renames_else_from_the_file() {
    let workspace = Workspace::new(&[("a.md", "a page with some words in it\n"), (":(glob)*.md", "odd")]);
    let index = workspace.index();
    let plain = index.history("a", 5).unwrap();
    assert_eq!((plain.len(), plain[0].id.as_str()), (1, ""));
    git(&workspace, &["init", "-q"]);
    git(&workspace, &["add", "a.md"]);
    git(&workspace, &["commit", "-q", "-m", "First\n\nmore"]);
    git(&workspace, &["mv", "a.md", "b.md"]);
    git(&workspace, &["commit", "-q", "-m", "Second"]);
    refresh(&index);
    let history = index.history("b", 5).unwrap();
    let of = |entry: &inklings_core::pages::HistoryEntry| (entry.summary.clone(), entry.author.clone(), entry.id.len());
    assert_eq!(history.iter().map(of).collect::<Vec<_>>(), [("Second".into(), "Mara".into(), 40), ("First".into(), "Mara".into(), 40)]);
    assert_eq!(index.history("b", 1).unwrap().len(), 1);
    // A file name with a special meaning for git. The file isn't committed.
    assert_eq!(index.history(":(glob)*", 5).unwrap()[0].id, "");
}

#[test]
fn a_repository_starts_no_programs() {
    let workspace = Workspace::new(&[("a.md", "words\n")]);
    let script = workspace.path("evil.sh");
    let mark = workspace.path("ran");
    // Also a signing program, so that there is a signature to verify.
    let sign = "echo '[GNUPG:] SIG_CREATED D' >&2\nprintf '%s\\n' '-----BEGIN PGP SIGNATURE-----' 'x' '-----END PGP SIGNATURE-----'";
    fs::write(&script, format!("#!/bin/sh\ntouch '{}'\n{sign}\n", mark.display())).unwrap();
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    git(&workspace, &["init", "-q"]);
    git(&workspace, &["config", "gpg.program", script.to_str().unwrap()]);
    git(&workspace, &["add", "a.md"]);
    git(&workspace, &["commit", "-q", "-S", "-m", "First"]);
    fs::remove_file(&mark).unwrap();
    let evil = script.to_str().unwrap();
    for (name, value) in [
        ("core.fsmonitor", evil),
        ("core.pager", evil),
        ("pager.log", evil),
        ("core.sshCommand", evil),
        ("diff.external", evil),
        ("diff.x.textconv", evil),
        ("diff.x.command", evil),
        ("filter.x.clean", evil),
        ("log.showSignature", "true"),
        ("alias.log", &format!("!{evil}")),
    ] {
        git(&workspace, &["config", name, value]);
    }
    workspace.write(".gitattributes", "*.md diff=x filter=x\n");
    workspace.write("a.md", "changed\n");
    let index = workspace.index();
    assert_eq!(index.history("a", 5).unwrap()[0].summary, "First");
    assert!(!mark.exists());
    // It would have started a program.
    git(&workspace, &["log", "-1"]);
    assert!(mark.exists());
}
