//! Malicious folders, special files, and an index that can't be written.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Command;

use inklings_core::pages::Pages;

use crate::{Workspace, found, index, refresh, slugs};

#[test]
fn links_are_never_followed() {
    let outside = Workspace::new(&[("secret.md", "secret words"), ("deep/more.md", "secret words")]);
    let workspace = Workspace::new(&[("a.md", "x"), ("real/b.md", "y")]);
    symlink(outside.path("secret.md"), workspace.path("stolen.md")).unwrap();
    symlink(outside.path("deep"), workspace.path("folder")).unwrap();
    symlink(workspace.path("real"), workspace.path("again")).unwrap();
    symlink(workspace.path(""), workspace.path("real/up")).unwrap();
    let index = workspace.index();
    assert_eq!(slugs(&index), ["a", "real/b"]);
    assert!(found(&index, "secret").is_empty());
    assert_eq!(index.status().skipped[0].path, "stolen.md");
    // A page that is replaced by a link isn't a page anymore.
    workspace.remove("a.md");
    symlink(outside.path("secret.md"), workspace.path("a.md")).unwrap();
    assert_eq!(refresh(&index).removed, ["a"]);
    assert!(found(&index, "secret").is_empty());
}

#[test]
fn what_is_no_page_is_left_out_and_said() {
    let workspace = Workspace::new(&[
        (".hidden/a.md", "x"),
        ("node_modules/m/README.md", "x"),
        ("program/Cargo.toml", "x"),
        ("program/target/doc.md", "x"),
        ("sub/node_modules/m.md", "x"),
        // Ordinary words.
        ("target/audience.md", "x"),
        ("build/house.md", "x"),
        ("dist/places.md", "x"),
        (".a.md", "x"),
        ("agents.db", "x"),
        ("notes.txt", "x"),
        ("real.md", "x"),
    ]);
    fs::File::create(workspace.path("huge.md")).unwrap().set_len(100 * 1024 * 1024).unwrap();
    workspace.write("binary.md", b"PK\x03\x04\0\0");
    workspace.write("latin.md", b"caf\xe9 words");
    fs::write(workspace.folder.path().join(std::ffi::OsStr::from_bytes(b"bad\xff.md")), "x").unwrap();
    assert!(Command::new("mkfifo").arg(workspace.path("pipe.md")).status().unwrap().success());
    fs::create_dir(workspace.path("folder.md")).unwrap();
    let index = workspace.index();
    assert_eq!(slugs(&index), ["build/house", "dist/places", "latin", "real", "target/audience"]);
    let page = index.page("latin").unwrap();
    assert_eq!((page.body.as_str(), page.summary.remark.as_deref()), ("caf\u{fffd} words", Some("some bytes aren't UTF-8")));
    let skipped: Vec<_> = index.status().skipped.into_iter().map(|one| (one.path, one.reason)).collect();
    let expected = [
        ("bad\u{fffd}.md", "the file name isn't UTF-8"),
        ("binary.md", "not a text file"),
        ("huge.md", "too large: 104857600 bytes (maximum 4194304)"),
        ("pipe.md", "not a regular file"),
    ];
    assert_eq!(skipped, expected.map(|(path, reason)| (path.to_owned(), reason.to_owned())));
    // It grows beyond the maximum size.
    fs::File::options().write(true).open(workspace.path("real.md")).unwrap().set_len(5 * 1024 * 1024).unwrap();
    assert_eq!(refresh(&index).removed, ["real"]);
    workspace.remove("huge.md");
    refresh(&index);
    assert!(index.status().skipped.iter().all(|one| one.path != "huge.md"));
}

#[test]
fn malformed_frontmatter_is_a_remark() {
    let workspace = Workspace::new(&[("a.md", "---\ntitle: \"Open\ntags: [one, two]\nx: [\n---\nbody words #three")]);
    let index = workspace.index();
    let page = index.page("a").unwrap();
    assert!(page.summary.remark.unwrap().starts_with("invalid YAML in the frontmatter"));
    assert_eq!(page.summary.tags, ["one", "three", "two"]);
    assert_eq!(page.body, "body words #three");
}

#[test]
fn pages_with_thousands_of_ambiguous_links_are_no_product_of_both() {
    let workspace = Workspace::new(&[("big.md", &"[[index]] ".repeat(30_000))]);
    for n in 0..2_000 {
        workspace.write(&format!("{n}/index.md"), "[[index]]");
    }
    let index = workspace.index();
    assert_eq!(index.references("big").unwrap().out.len(), 20_000);
    assert_eq!(index.page("big").unwrap().summary.remark.as_deref(), Some("too many links: some are ignored"));
    assert_eq!(index.references("0/index").unwrap().incoming.len(), 22_000 - 1 + 1);
    assert_eq!(index.orphans().unwrap().len(), 1);
    assert!(index.broken().unwrap().is_empty());
}

#[test]
fn a_useless_index_is_made_anew() {
    let workspace = Workspace::new(&[("a.md", "words")]);
    let fill = |content: &[u8]| {
        fs::create_dir_all(workspace.path(".inklings")).unwrap();
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(workspace.path(&format!(".inklings/cache.db{suffix}")));
        }
        fs::write(workspace.cache(), content).unwrap();
    };
    // A handmade database of another program.
    let other = workspace.path("other.db");
    let made = rusqlite_database(&other);
    for content in [b"no database at all, but long enough to be one".as_slice(), b"", &made] {
        fill(content);
        let index = workspace.index();
        assert_eq!(slugs(&index), ["a"]);
        assert_eq!(index.status().temporary, None);
        let left: Vec<_> = fs::read_dir(workspace.path(".inklings")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(
            left.iter().all(|name| name.to_string_lossy().starts_with("cache.db") && !name.to_string_lossy().contains("damaged")),
            "{left:?}"
        );
    }
    fs::remove_file(other).unwrap();
}

fn rusqlite_database(path: &std::path::Path) -> Vec<u8> {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch("CREATE TABLE pages (slug TEXT); INSERT INTO pages VALUES ('forged')").unwrap();
    drop(connection);
    fs::read(path).unwrap()
}

#[test]
fn damage_inside_the_file_is_survived() {
    let workspace = Workspace::new(&[]);
    for n in 0..300 {
        workspace.write(&format!("{n}.md"), format!("words {n} {}", "filling ".repeat(200)));
    }
    let first = workspace.index();
    refresh(&first);
    drop(first);
    let mut bytes = fs::read(workspace.cache()).unwrap();
    let (from, to) = (64 * 1024, bytes.len() - 32 * 1024);
    bytes[from..to].fill(0x5a);
    fs::write(workspace.cache(), bytes).unwrap();
    let index = workspace.index();
    assert_eq!(slugs(&index).len(), 300);
    assert_eq!(found(&index, "words").len(), 50);
    assert_eq!(index.page("7").unwrap().summary.title, "7");
}

#[test]
fn an_index_that_came_with_the_folder_is_not_believed() {
    let workspace = Workspace::new(&[("a.md", "true words")]);
    let first = workspace.index();
    refresh(&first);
    drop(first);
    let forged = rusqlite::Connection::open(workspace.cache()).unwrap();
    forged.execute("UPDATE texts SET body = 'forged'", []).unwrap();
    drop(forged);
    // A copy has another inode.
    let copy = workspace.path(".inklings/copy");
    fs::copy(workspace.cache(), &copy).unwrap();
    fs::rename(&copy, workspace.cache()).unwrap();
    assert_eq!(workspace.index().page("a").unwrap().body, "true words");
}

#[test]
fn deleting_the_file_loses_nothing() {
    let workspace = Workspace::new(&[("a.md", "words")]);
    let index = workspace.index();
    assert_eq!(slugs(&index), ["a"]);
    fs::remove_dir_all(workspace.path(".inklings")).unwrap();
    workspace.write("b.md", "more");
    assert_eq!(slugs(&index), ["a", "b"]);
    assert!(workspace.cache().is_file());
}

#[test]
fn where_nothing_can_be_written_the_index_is_temporary() {
    let elsewhere = tempfile::tempdir().unwrap();
    let workspace = Workspace::new(&[("a.md", "words")]);
    symlink(elsewhere.path(), workspace.path(".inklings")).unwrap();
    let linked = workspace.index();
    assert_eq!(slugs(&linked), ["a"]);
    assert!(linked.status().temporary.unwrap().ends_with("isn't a folder"));
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);

    fs::remove_file(workspace.path(".inklings")).unwrap();
    fs::create_dir(workspace.path(".inklings")).unwrap();
    symlink(elsewhere.path().join("made"), workspace.path(".inklings/cache.db-lock")).unwrap();
    let linked = workspace.index();
    assert_eq!(slugs(&linked), ["a"]);
    assert!(linked.status().temporary.unwrap().ends_with("isn't a regular file"));
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);

    // Even root can't write here.
    let proc = index(std::path::Path::new("/proc/self/fdinfo"));
    assert_eq!(slugs(&proc), Vec::<String>::new());
    assert!(proc.status().temporary.is_some());
}
