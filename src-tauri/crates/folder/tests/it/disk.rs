//! Folders on a real disk.

use std::fs;
use std::path::Path;

use inklings_core::Slug;
use inklings_core::tree::{Tree, TreeFile};
use inklings_folder::disk::{DiskError, Existing, Output, discover, folder_name, read_dir};
use tempfile::TempDir;

use crate::support::{package, path, text, tree};

const MAIN: &str = "---\nname: my-skill\ndescription: Does it.\n---\nBody.\n";

fn slug() -> Slug {
    Slug::parse("my-skill").unwrap()
}

fn put(root: &Path, name: &str, text: &str) {
    let location = root.join(name);
    fs::create_dir_all(location.parent().unwrap()).unwrap();
    fs::write(location, text).unwrap();
}

fn names(root: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_is_written_is_read_back() {
    let out = TempDir::new().unwrap();
    let mut tree = tree(&[("SKILL.md", MAIN), ("refs/Ä/x.md", "ä"), ("empty", "")]);
    tree.insert(path("scripts/run.sh"), TreeFile { bytes: (*b"#!\x00\xff").into(), executable: true });
    let location = Output::Folder(&slug(), &tree).write(&out.path().join("new"), Existing::Refuse).unwrap();
    assert_eq!(location, out.path().join("new/my-skill"));
    assert_eq!(read_dir(&location).unwrap(), (tree.clone(), vec![]));
    assert_eq!(names(&out.path().join("new")), ["my-skill"]);
    // Writing the same content again isn't a conflict.
    let slug = slug();
    let output = Output::Folder(&slug, &tree);
    assert!(output.is_there(&out.path().join("new"), Existing::Refuse).unwrap());
    output.write(&out.path().join("new"), Existing::Refuse).unwrap();
    assert!(!output.is_there(&out.path().join("newer"), Existing::Refuse).unwrap());
}

#[test]
fn an_existing_file_is_replaced_only_on_request() {
    let out = TempDir::new().unwrap();
    let (one, other) = (Output::File("x.skill", b"one"), Output::File("x.skill", b"two"));
    let location = one.write(out.path(), Existing::Refuse).unwrap();
    assert!(one.is_there(out.path(), Existing::Refuse).unwrap());
    assert!(matches!(other.is_there(out.path(), Existing::Refuse), Err(DiskError::Exists(_))));
    assert!(matches!(other.write(out.path(), Existing::Refuse), Err(DiskError::Exists(_))));
    assert_eq!(fs::read_to_string(&location).unwrap(), "one");
    assert!(!other.is_there(out.path(), Existing::Replace).unwrap());
    other.write(out.path(), Existing::Replace).unwrap();
    assert_eq!(fs::read_to_string(&location).unwrap(), "two");
    assert_eq!(names(out.path()), ["x.skill"]);
    fs::create_dir(out.path().join("y.skill")).unwrap();
    std::os::unix::fs::symlink(&location, out.path().join("z.skill")).unwrap();
    for (name, found) in [("y.skill", "a folder"), ("z.skill", "a symbolic link")] {
        for existing in [Existing::Refuse, Existing::Replace] {
            let refused = Output::File(name, b"y").write(out.path(), existing).unwrap_err();
            assert_eq!(refused.to_string(), format!("{} already exists as {found}", out.path().join(name).display()));
        }
    }
}

#[test]
fn an_existing_folder_is_replaced_only_on_request() {
    let out = TempDir::new().unwrap();
    put(out.path(), "my-skill/skill.md", "an older one");
    put(out.path(), "my-skill/notes.txt", "mine");
    put(out.path(), "my-skill/.git/config", "repo");
    put(out.path(), "my-skill/sub/node_modules/m.js", "m");
    let tree = tree(&[("SKILL.md", MAIN)]);
    let refused = Output::Folder(&slug(), &tree).write(out.path(), Existing::Refuse).unwrap_err();
    assert_eq!(refused.to_string(), format!("{} already exists", out.path().join("my-skill").display()));
    assert_eq!(fs::read_to_string(out.path().join("my-skill/notes.txt")).unwrap(), "mine");
    let location = Output::Folder(&slug(), &tree).write(out.path(), Existing::Replace).unwrap();
    assert_eq!(names(&location), [".git", "SKILL.md", "sub"]);
    assert_eq!(fs::read_to_string(location.join(".git/config")).unwrap(), "repo");
    assert!(location.join("sub/node_modules/m.js").exists());
    assert_eq!(names(out.path()), ["my-skill"]);
    put(out.path(), "file", "x");
    assert!(matches!(
        Output::Folder(&Slug::parse("file").unwrap(), &tree).write(out.path(), Existing::Replace),
        Err(DiskError::Occupied { found: "a file", .. })
    ));
    fs::create_dir(out.path().join("empty")).unwrap();
    Output::Folder(&Slug::parse("empty").unwrap(), &tree).write(out.path(), Existing::Refuse).unwrap();
}

#[test]
fn a_folder_that_never_was_a_skill_is_not_replaced() {
    let out = TempDir::new().unwrap();
    put(out.path(), "my-skill/notes.txt", "mine");
    put(out.path(), "my-skill/sub/SKILL.md", MAIN);
    let tree = tree(&[("SKILL.md", MAIN)]);
    let slug = slug();
    let output = Output::Folder(&slug, &tree);
    for existing in [Existing::Refuse, Existing::Replace] {
        assert!(matches!(output.is_there(out.path(), existing), Err(DiskError::ForeignFolder(_))));
        assert!(matches!(output.write(out.path(), existing), Err(DiskError::ForeignFolder(_))));
    }
    assert_eq!(names(&out.path().join("my-skill")), ["notes.txt", "sub"]);
}

#[test]
fn while_a_folder_is_replaced_there_is_a_whole_one_at_every_moment() {
    let out = TempDir::new().unwrap();
    let slug = slug();
    let trees = [tree(&[("SKILL.md", MAIN), ("one.md", "1")]), tree(&[("SKILL.md", MAIN), ("two.md", "2")])];
    let main = Output::Folder(&slug, &trees[0]).write(out.path(), Existing::Refuse).unwrap().join("SKILL.md");
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            for round in 0..60 {
                Output::Folder(&slug, &trees[(round + 1) % 2]).write(out.path(), Existing::Replace).unwrap();
            }
        });
        while !writing.is_finished() {
            assert!(main.exists(), "there is no folder");
        }
        writing.join().unwrap();
    });
    assert_eq!(names(out.path()), ["my-skill"]);
}

#[test]
fn what_a_killed_export_left_is_in_no_other_ones_way() {
    let out = TempDir::new().unwrap();
    for number in 0..100 {
        fs::create_dir(out.path().join(format!(".inklings-{}-{number}", std::process::id()))).unwrap();
    }
    let tree = tree(&[("SKILL.md", MAIN)]);
    Output::Folder(&slug(), &tree).write(out.path(), Existing::Refuse).unwrap();
}

#[test]
fn a_normalized_name_is_the_slug() {
    let package = package(&[("SKILL.md", "---\nname: My Own Skill\ndescription: a # b\n---\n")]);
    let tree = inklings_folder::Folder::normalized(&crate::support::folder(), &package);
    assert_eq!(text(&tree, "SKILL.md"), "---\nname: my-own-skill\ndescription: a # b\n---\n");
    let diagnostics = crate::support::package(&[("SKILL.md", "---\nname: NASA_tool\ndescription: a\n---\n")]);
    let tree = inklings_folder::Folder::normalized(&crate::support::folder(), &diagnostics);
    assert_eq!(text(&tree, "skill.json"), "{\n  \"title\": \"NASA_tool\"\n}\n");
}

#[test]
fn discovery_finds_skills_in_byte_order() {
    let root = TempDir::new().unwrap();
    for name in [
        "b/SKILL.md",
        "b/inner/SKILL.md",
        "a-b/skill.md",
        "a/x/skill.json",
        ".cortex/skills/c/SKILL.md",
        "node_modules/n/SKILL.md",
        ".inklings-1-0/SKILL.md",
        "docs/README.md",
    ] {
        put(root.path(), name, MAIN);
    }
    let (found, findings) = discover(root.path()).unwrap();
    let found: Vec<_> = found.iter().map(|location| location.strip_prefix(root.path()).unwrap().to_str().unwrap()).collect();
    assert_eq!(found, [".cortex/skills/c", "a-b", "a/x", "b"]);
    assert_eq!(findings, []);
    assert_eq!(discover(&root.path().join("b")).unwrap().0, [root.path().join("b")]);
    assert_eq!(discover(&root.path().join("a/x/skill.json")).unwrap().0, [root.path().join("a/x")]);
    assert!(matches!(discover(&root.path().join("gone")), Err(DiskError::NotFound(_))));
    put(root.path(), "x.txt", "");
    assert!(matches!(discover(&root.path().join("x.txt")), Err(DiskError::NotASkill(_))));
    assert!(matches!(read_dir(&root.path().join("gone")), Err(DiskError::NotFound(_))));
}

#[cfg(unix)]
#[test]
fn links_and_rubbish_are_skipped_and_said() {
    let root = TempDir::new().unwrap();
    put(root.path(), "s/SKILL.md", MAIN);
    put(root.path(), "s/.DS_Store", "");
    put(root.path(), "s/a/__pycache__/x.pyc", "");
    put(root.path(), "outside.txt", "secret");
    std::os::unix::fs::symlink("../outside.txt", root.path().join("s/link")).unwrap();
    std::os::unix::fs::symlink("/nowhere", root.path().join("dangling")).unwrap();
    let (tree, findings) = read_dir(&root.path().join("s")).unwrap();
    assert_eq!(tree, crate::support::tree(&[("SKILL.md", MAIN)]));
    let rules: Vec<_> =
        findings.iter().map(|finding| (finding.rule.as_str(), finding.file.as_deref().unwrap(), finding.is_error())).collect();
    assert_eq!(
        rules,
        [("folder/skipped", ".DS_Store", false), ("folder/skipped", "a/__pycache__", false), ("folder/symlink", "link", false)]
    );
    let (found, findings) = discover(root.path()).unwrap();
    assert_eq!((found.len(), findings.len(), findings[0].rule.as_str()), (1, 1, "folder/symlink"));
}

#[test]
fn what_the_app_keeps_in_a_workspace_is_no_part_of_a_skill() {
    let out = TempDir::new().unwrap();
    let kept = [
        "agents.db",
        "agents.db-lock",
        "agents.db-wal",
        "agents.db.backup-v3-1",
        ".agents.db.restoring.x.part",
        ".inklings/cache.db",
        ".inklings/skills/other/SKILL.md",
        "refs/agents.db",
    ];
    put(out.path(), "my-skill/SKILL.md", "an older one");
    put(out.path(), "my-skill/agents.db-schema.md", "x");
    put(out.path(), "my-skill/agents.dbx", "x");
    put(out.path(), "my-skill/my-agents.db", "x");
    for name in kept {
        put(&out.path().join("my-skill"), name, "kept");
    }
    let location = out.path().join("my-skill");
    let (read, findings) = read_dir(&location).unwrap();
    assert_eq!(
        read.keys().map(inklings_core::SkillPath::as_str).collect::<Vec<_>>(),
        ["SKILL.md", "agents.db-schema.md", "agents.dbx", "my-agents.db"]
    );
    assert!(findings.iter().all(|finding| finding.rule == "folder/skipped"), "{findings:?}");
    // Replacing the skill keeps them.
    Output::Folder(&slug(), &tree(&[("SKILL.md", MAIN)])).write(out.path(), Existing::Replace).unwrap();
    for name in kept {
        assert_eq!(fs::read_to_string(location.join(name)).unwrap(), "kept", "{name}");
    }
    // Skills that were deployed by link are in such a folder.
    assert_eq!(discover(&location.join(".inklings")).unwrap().0, [location.join(".inklings/skills/other")]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_no_skill_can_hold_refuses_it() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::UnixListener;
    let refused = |make: &dyn Fn(&Path)| -> Vec<String> {
        let root = TempDir::new().unwrap();
        put(root.path(), "SKILL.md", MAIN);
        make(root.path());
        let (_, findings) = read_dir(root.path()).unwrap();
        findings.into_iter().filter(inklings_core::Diagnostic::is_error).map(|finding| finding.rule).collect()
    };
    assert_eq!(refused(&|root| fs::write(root.join(std::ffi::OsStr::from_bytes(b"\xff")), "").unwrap()), ["folder/name"]);
    assert_eq!(refused(&|root| fs::write(root.join("a:b"), "").unwrap()), ["folder/path"]);
    assert_eq!(refused(&|root| fs::write(root.join("con.txt"), "").unwrap()), ["folder/path"]);
    assert_eq!(refused(&|root| drop(UnixListener::bind(root.join("socket")).unwrap())), ["folder/device"]);
    assert_eq!(
        refused(&|root| {
            put(root, "e\u{301}", "");
            put(root, "é", "");
        }),
        ["folder/path-clash"]
    );
    assert_eq!(
        refused(&|root| {
            fs::create_dir_all(root.join("d".repeat(200)).join("e".repeat(60))).unwrap();
        }),
        ["folder/path"]
    );
    assert_eq!(refused(&|root| fs::File::create(root.join("big")).unwrap().set_len(17 << 20).unwrap()), ["limit/bytes"]);
    assert_eq!(refused(&|root| (0..600).for_each(|index| put(root, &format!("f{index}"), ""))), ["limit/files"]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_file_is_said_where_a_skill_would_be() {
    use std::os::unix::net::UnixListener;
    let root = TempDir::new().unwrap();
    fs::create_dir_all(root.path().join("a/SKILL.md")).unwrap();
    fs::create_dir_all(root.path().join("b")).unwrap();
    let _socket = UnixListener::bind(root.path().join("b/skill.json")).unwrap();
    let (found, findings) = discover(root.path()).unwrap();
    let said: Vec<_> = findings.iter().map(|finding| (finding.rule.as_str(), finding.file.clone().unwrap())).collect();
    let at = |name: &str| root.path().join(name).display().to_string();
    assert_eq!((found.len(), said), (0, vec![("folder/device", at("a/SKILL.md")), ("folder/device", at("b/skill.json"))]));
    for path in ["b/skill.json", "b/x.md"].map(|name| root.path().join(name)) {
        if !path.exists() {
            fs::rename(root.path().join("b/skill.json"), &path).unwrap();
        }
        assert!(matches!(discover(&path), Err(DiskError::NotASkill(_))), "{}", path.display());
        assert!(matches!(read_dir(&path), Err(DiskError::NotASkill(_))), "{}", path.display());
    }
}

#[test]
fn a_markdown_file_reads_as_the_main_file() {
    let root = TempDir::new().unwrap();
    put(root.path(), "data-analysis.md", MAIN);
    let location = root.path().join("data-analysis.md");
    let (read, findings) = read_dir(&location).unwrap();
    assert_eq!((read, findings), (tree(&[("SKILL.md", MAIN)]), vec![]));
    assert_eq!(folder_name(&location), "data-analysis");
    assert_eq!(
        read_dir(&{
            put(root.path(), "s/SKILL.md", MAIN);
            root.path().join("s/SKILL.md")
        })
        .unwrap()
        .0,
        tree(&[("SKILL.md", MAIN)])
    );
    let empty: Tree = Tree::new();
    fs::create_dir(root.path().join("e")).unwrap();
    assert_eq!(read_dir(&root.path().join("e")).unwrap().0, empty);
}

#[test]
fn files_that_are_never_part_of_a_skill_are_not_written() {
    let out = TempDir::new().unwrap();
    let tree = tree(&[("SKILL.md", MAIN), (".git/config", "x"), ("a/node_modules/b.js", "x"), ("a/c.md", "c")]);
    let location = Output::Folder(&slug(), &tree).write(out.path(), Existing::Refuse).unwrap();
    assert_eq!(names(&location), ["SKILL.md", "a"]);
    assert_eq!(names(&location.join("a")), ["c.md"]);
    assert!(Output::Folder(&slug(), &tree).is_there(out.path(), Existing::Refuse).unwrap(), "nothing else is missing");
}

#[test]
fn of_a_folder_with_too_many_files_some_are_to_be_removed() {
    let root = TempDir::new().unwrap();
    put(root.path(), "SKILL.md", MAIN);
    (0..600).for_each(|index| put(root.path(), &format!("f{index}"), ""));
    let (_, findings) = read_dir(root.path()).unwrap();
    assert_eq!(findings[0].hint.as_deref(), Some("remove files that the skill doesn't need"));
}
