//! Finding and reading files other than pages, and nothing outside the folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use inklings_core::files::{MAX_TEXT_BYTES, WorkspaceFiles as _};
use inklings_core::pages::PagesError;
use inklings_workspace::Files;

use crate::Workspace;

fn find(files: &Files, query: &str) -> Vec<String> {
    files.find(query, 50).unwrap().files.into_iter().map(|file| file.path).collect()
}

#[test]
fn files_are_found_by_parts_of_their_path() {
    let workspace = Workspace::new(&[
        ("data/costs.csv", "a,b"),
        ("data/deep/Kosten.xlsx", ""),
        ("costs.md", "a page"),
        ("agents.db", ""),
        ("agents.db-wal", ""),
        (".env", "SECRET"),
        (".git/config", ""),
        ("node_modules/a/costs.js", ""),
    ]);
    let files = Files::new(workspace.folder.path());
    assert_eq!(find(&files, ""), ["data/costs.csv", "data/deep/Kosten.xlsx"]);
    assert_eq!(find(&files, "deep kost"), ["data/deep/Kosten.xlsx"]);
    let found = files.find("costs", 50).unwrap();
    assert_eq!((found.files[0].path.as_str(), found.files[0].size, found.is_partial), ("data/costs.csv", 3, false));
    assert_eq!(files.find("", 1).unwrap().files.len(), 1);
    fs::remove_dir_all(workspace.folder.path()).unwrap();
    assert!(matches!(files.find("", 1), Err(PagesError::Removed { .. })));
    assert!(matches!(files.file("costs.md"), Err(PagesError::Removed { .. })));
}

#[test]
fn only_plain_files_of_the_folder_are_read() {
    let outside = Workspace::new(&[("secret.txt", "secret")]);
    let workspace = Workspace::new(&[("a.txt", "text\n"), ("sub/b.txt", "b")]);
    workspace.write("binary.bin", b"PK\x03\x04\0\0");
    workspace.write("latin.txt", b"caf\xe9");
    workspace.write("large.txt", vec![b'x'; usize::try_from(MAX_TEXT_BYTES).unwrap() + 1]);
    symlink(outside.path("secret.txt"), workspace.path("stolen.txt")).unwrap();
    symlink(outside.folder.path(), workspace.path("out")).unwrap();
    assert!(Command::new("mkfifo").arg(workspace.path("pipe")).status().unwrap().success());
    let files = Files::new(workspace.folder.path());
    let text = files.read("a.txt").unwrap().unwrap();
    assert_eq!((text.file.path.as_str(), text.file.size, text.text.as_deref()), ("a.txt", 5, Some("text\n")));
    for no_text in ["binary.bin", "latin.txt", "large.txt"] {
        assert_eq!(files.read(no_text).unwrap().unwrap().text, None, "{no_text}");
    }
    let secret = outside.path("secret.txt").to_str().unwrap().to_owned();
    let up = format!("../{}/secret.txt", outside.folder.path().file_name().unwrap().to_str().unwrap());
    for absent in ["stolen.txt", "out/secret.txt", &secret, &up, "pipe", "sub", "gone.txt", "a.txt/b", &"n".repeat(300)] {
        assert_eq!(files.file(absent).unwrap(), None, "{absent}");
        assert_eq!(files.read(absent).unwrap(), None, "{absent}");
    }
}
