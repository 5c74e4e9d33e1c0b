use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use inklings_links::LinkError;

use crate::support::{Home, read, skill_md, write};

/// A skill outside of the folders of agents.
fn own_folder(home: &Home, folder: &str, skill: &str, body: &str) -> PathBuf {
    let folder = home.folder.path().canonicalize().unwrap().join("own").join(folder);
    write(&folder.join("SKILL.md"), &skill_md(skill, body));
    folder
}

#[test]
fn a_folder_whose_skill_was_deleted_while_it_was_not_linked_is_linked_again() {
    let home = Home::new();
    let folder = own_folder(&home, "checker", "checker", "Body\n");
    let link = home.links.add(&home.scope, &folder).unwrap();
    home.links.deactivate(&home.scope, link.skill).unwrap();
    home.delete(&home.skill("checker").unwrap());
    let again = home.links.add(&home.scope, &folder).unwrap();
    assert!(again.active && again.problem.is_none(), "{again:?}");
    let text = skill_md("checker", "Body\n");
    assert_eq!((home.text("checker", "SKILL.md"), read(&folder.join("SKILL.md"))), (Some(text.clone()), text));
}

#[test]
fn a_file_is_not_linked() {
    let home = Home::new();
    let folder = own_folder(&home, "checker", "checker", "Body\n");
    home.links.add(&home.scope, &folder).unwrap();
    let before = home.links.store().links("").unwrap();
    let other = own_folder(&home, "other", "other", "Body\n");
    for folder in [&folder, &other] {
        let error = home.links.add(&home.scope, &folder.join("SKILL.md")).unwrap_err();
        assert!(matches!(error, LinkError::NotAFolder(_)), "{error}");
    }
    assert_eq!(home.links.store().links("").unwrap(), before);
}

#[test]
fn a_folder_whose_path_is_not_utf8_is_not_linked() {
    let home = Home::new();
    let folder = home.folder.path().join(OsStr::from_bytes(b"x\xff")).join("checker");
    write(&folder.join("SKILL.md"), &skill_md("checker", "Body\n"));
    let error = home.links.add(&home.scope, &folder).unwrap_err();
    assert!(matches!(error, LinkError::NotUtf8(_)), "{error}");
    assert!(home.skill("checker").is_none() && home.links.store().links("").unwrap().is_empty());
}

#[test]
fn a_linked_skill_is_not_linked_to_another_folder() {
    let home = Home::new();
    let folder = own_folder(&home, "checker", "checker", "one\n");
    let link = home.links.add(&home.scope, &folder).unwrap();
    let other = own_folder(&home, "copy", "checker", "two\n");
    let error = home.links.add(&home.scope, &other).unwrap_err();
    assert!(matches!(&error, LinkError::LinkedElsewhere { folder: named, .. } if *named == folder), "{error}");
    assert_eq!(home.links.store().links("").unwrap(), std::slice::from_ref(&link));
    assert_eq!(home.text("checker", "SKILL.md"), Some(skill_md("checker", "one\n")));
    home.links.deactivate(&home.scope, link.skill).unwrap();
    let moved = home.links.add(&home.scope, &other).unwrap();
    assert_eq!((moved.skill, moved.folder), (link.skill, other));
}

#[test]
fn after_a_folder_could_not_be_linked_the_links_are_as_before() {
    let home = Home::new();
    let [folder, other] = ["checker", "other"].map(|name| {
        let folder = own_folder(&home, name, name, "Body\n");
        write(&folder.join("skill.json"), "{ \"title\": \"The same\" }\n");
        folder
    });
    home.links.add(&home.scope, &folder).unwrap();
    let before = home.links.store().links("").unwrap();
    let error = home.links.add(&home.scope, &other).unwrap_err();
    assert!(matches!(error, LinkError::NotASkill { .. }), "{error}");
    assert_eq!(home.links.store().links("").unwrap(), before);
    assert!(other.join("SKILL.md").exists());
}
