use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use inklings_core::change::RevisionFilter;
use inklings_core::edit::SaveError;
use inklings_core::{ChangeSet, Expected, SkillFile, SkillPath, SkillStorageRepository as _, TreeFile, UserData as _};

use crate::support::{Home, read, skill_md, write};

#[test]
fn an_edit_here_is_in_the_file_and_nothing_else_is_touched() {
    let home = Home::new();
    let folder = home.write_skill(".claude", "checker", "Checks.\r\n");
    write(&folder.join("scripts/run.sh"), "#!/bin/sh\n");
    fs::set_permissions(folder.join("scripts/run.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    write(&folder.join(".git/config"), "of git");
    home.scan();
    let skill = home.skill("checker").unwrap();
    let before = fs::metadata(folder.join("SKILL.md")).unwrap().modified().unwrap();
    home.save(&skill, "scripts/run.sh", "#!/bin/sh\necho done\n").unwrap();
    assert_eq!(read(&folder.join("scripts/run.sh")), "#!/bin/sh\necho done\n");
    assert_eq!(fs::metadata(folder.join("scripts/run.sh")).unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(read(&folder.join("SKILL.md")), skill_md("checker", "Checks.\r\n"));
    assert_eq!(fs::metadata(folder.join("SKILL.md")).unwrap().modified().unwrap(), before);
    assert_eq!(read(&folder.join(".git/config")), "of git");
    assert_eq!(home.problem(&skill), None);
}

#[test]
fn a_change_on_disk_is_a_revision() {
    let (home, folder, skill) = Home::linked("one\n");
    write(&folder.join("SKILL.md"), &skill_md("checker", "two\n"));
    write(&folder.join("notes/new.md"), "new");
    home.links.sync(&home.scope, skill.head.id).unwrap();
    assert_eq!(home.text("checker", "SKILL.md"), Some(skill_md("checker", "two\n")));
    assert_eq!(home.text("checker", "notes/new.md").as_deref(), Some("new"));
    let page = home.repository.revisions(skill.head.id, &RevisionFilter::default(), 10).unwrap();
    assert_eq!((page.revisions.len(), page.revisions[0].actor.as_str()), (2, "disk"));
    home.links.sync(&home.scope, skill.head.id).unwrap();
    assert_eq!(home.skill("checker").unwrap().head.revision, 2, "nothing changed since");
}

#[test]
fn a_save_based_on_what_was_before_a_change_on_disk_is_rebased_or_refused() {
    let home = Home::new();
    let folder = home.write_skill(".claude", "checker", "one\n");
    write(&folder.join("a.md"), "a");
    home.scan();
    let opened = home.skill("checker").unwrap();
    write(&folder.join("a.md"), "a on disk");
    let saved = home.save(&opened, "b.md", "b").unwrap();
    assert!(saved.rebased);
    assert_eq!((read(&folder.join("a.md")), read(&folder.join("b.md"))), ("a on disk".to_owned(), "b".to_owned()));
    let error = home.save(&opened, "a.md", "a here").unwrap_err();
    assert!(matches!(error, SaveError::Conflict(conflict) if conflict.theirs.clone().unwrap().text() == Some("a on disk")));
    assert_eq!(read(&folder.join("a.md")), "a on disk");
}

#[test]
fn both_sides_are_merged_by_hunk_and_of_the_same_lines_ours_becomes_a_draft() {
    let home = Home::new();
    let folder = home.write_skill(".claude", "checker", "1\n2\n3\n4\n5\n");
    write(&folder.join("same.md"), "line\n");
    home.scan();
    let skill = home.skill("checker").unwrap();
    // Stored while the folder couldn't be written to: nothing was synchronized.
    home.save_in_store(&skill, "SKILL.md", &skill_md("checker", "ONE\n2\n3\n4\n5\n"));
    home.save_in_store(&skill, "same.md", "ours\n");
    write(&folder.join("SKILL.md"), &skill_md("checker", "1\n2\n3\n4\nFIVE\n"));
    write(&folder.join("same.md"), "theirs\n");
    home.links.sync(&home.scope, skill.head.id).unwrap();
    let merged = skill_md("checker", "ONE\n2\n3\n4\nFIVE\n");
    assert_eq!((home.text("checker", "SKILL.md"), read(&folder.join("SKILL.md"))), (Some(merged.clone()), merged));
    assert_eq!((home.text("checker", "same.md").as_deref(), read(&folder.join("same.md")).as_str()), (Some("theirs\n"), "theirs\n"));
    let drafts = home.user.drafts("", skill.head.id).unwrap();
    assert_eq!(drafts.iter().map(|draft| (draft.path.as_str(), draft.content.as_str())).collect::<Vec<_>>(), [("same.md", "ours\n")]);
}

#[test]
fn while_ours_cant_become_a_draft_the_text_on_disk_isnt_stored() {
    let home = Home::new();
    let folder = home.write_skill(".claude", "checker", "one\n");
    write(&folder.join("same.md"), "line\n");
    home.scan();
    let skill = home.skill("checker").unwrap();
    home.save_in_store(&skill, "same.md", "ours\n");
    write(&folder.join("same.md"), "theirs\n");
    home.without_drafts().sync(&home.scope, skill.head.id).unwrap_err();
    assert_eq!(home.text("checker", "same.md").as_deref(), Some("ours\n"));
    home.links.sync(&home.scope, skill.head.id).unwrap();
    assert_eq!(home.text("checker", "same.md").as_deref(), Some("theirs\n"));
    let drafts = home.user.drafts("", skill.head.id).unwrap();
    assert_eq!(drafts.iter().map(|draft| (draft.path.as_str(), draft.content.as_str())).collect::<Vec<_>>(), [("same.md", "ours\n")]);
}

#[test]
fn a_text_on_disk_that_cant_be_stored_makes_no_draft() {
    let home = Home::new();
    let folder = home.write_skill(".claude", "checker", "one\n");
    write(&folder.join("skill.json"), "{ \"title\": \"Checker\" }\n");
    home.scan();
    let skill = home.skill("checker").unwrap();
    home.save_in_store(&skill, "skill.json", "{ \"title\": \"Ours\" }\n");
    write(&folder.join("skill.json"), "{ no json");
    home.links.sync(&home.scope, skill.head.id).unwrap();
    assert!(home.problem(&skill).is_some());
    assert!(home.user.drafts("", skill.head.id).unwrap().is_empty());
}

#[test]
fn a_skill_and_its_folder_are_removed_and_restored_together() {
    let home = Home::new();
    let folder = home.write_skill(".claude", "checker", "one\n");
    write(&folder.join(".git/config"), "of git");
    home.scan();
    let skill = home.skill("checker").unwrap();
    let delete = ChangeSet::between(Some(&skill), None, skill.head.id, "test", "deleted");
    home.repository.commit(&delete, Expected::Revision(1)).unwrap();
    assert!(!folder.join("SKILL.md").exists());
    assert_eq!(read(&folder.join(".git/config")), "of git", "what isn't the skill's stays");
    fs::remove_dir_all(&folder).unwrap();
    let restore = ChangeSet::between(None, Some(skill.clone()), skill.head.id, "test", "restored");
    home.repository.commit(&restore, Expected::Absent).unwrap();
    assert_eq!(read(&folder.join("SKILL.md")), skill_md("checker", "one\n"));

    fs::rename(&folder, home.folder.path().join("away")).unwrap();
    home.scan();
    assert!(home.skill("checker").is_none(), "the tree follows the disk");
    fs::rename(home.folder.path().join("away"), &folder).unwrap();
    home.scan();
    let back = home.skill("checker").unwrap();
    assert_eq!(back.head.id, skill.head.id, "with its history");
    assert!(home.repository.revisions(back.head.id, &RevisionFilter::default(), 20).unwrap().revisions.len() >= 4);
}

#[test]
fn a_file_that_cant_be_stored_stays_as_it_is_on_disk_until_it_can() {
    let home = Home::new();
    let folder = home.write_skill(".claude", "checker", "one\n");
    write(&folder.join("skill.json"), r#"{"artifacts": [{"path": "SKILL.md", "kind": "description", "name": "Main"}]}"#);
    home.scan();
    let skill = home.skill("checker").unwrap();
    let broken = r#"{"artifacts": [{"path": "missing.j2", "kind": "prompt_template", "name": "Missing"}]}"#;
    write(&folder.join("skill.json"), broken);
    let saved = home.save(&skill, "notes.md", "here").unwrap();
    assert_eq!((read(&folder.join("skill.json")).as_str(), read(&folder.join("notes.md")).as_str()), (broken, "here"));
    assert!(home.problem(&skill).unwrap().contains("missing.j2"), "{:?}", home.problem(&skill));
    fs::remove_file(folder.join("skill.json")).unwrap();
    home.links.sync(&home.scope, skill.head.id).unwrap();
    assert_eq!(home.problem(&skill), None);
    assert!(home.skill("checker").unwrap().head.revision > saved.skill.head.revision);
}

#[test]
fn edits_of_both_sides_are_merged_once_the_files_on_disk_can_be_stored_again() {
    let [checker, other] = ["checker", "other"].map(|name| skill_md(name, "Body\n"));
    // The name of another skill, and the path of another file in another case.
    for (path, text, former) in [("SKILL.md", other.as_str(), Some(checker.as_str())), ("NOTES.md", "clash", None)] {
        let home = Home::new();
        home.write_skill(".claude", "other", "Body\n");
        let folder = home.write_skill(".claude", "checker", "Body\n");
        write(&folder.join("notes.md"), "1\n2\n3\n4\n5\n");
        home.scan();
        let skill = home.skill("checker").unwrap();
        write(&folder.join(path), text);
        write(&folder.join("notes.md"), "1\n2\n3\n4\nFIVE\n");
        home.save(&skill, "notes.md", "ONE\n2\n3\n4\n5\n").unwrap();
        assert!(home.problem(&skill).is_some());
        assert_eq!(read(&folder.join("notes.md")), "1\n2\n3\n4\nFIVE\n");
        match former {
            Some(former) => write(&folder.join(path), former),
            None => fs::remove_file(folder.join(path)).unwrap(),
        }
        home.links.sync(&home.scope, skill.head.id).unwrap();
        let merged = "ONE\n2\n3\n4\nFIVE\n";
        assert_eq!((home.text("checker", "notes.md").as_deref(), read(&folder.join("notes.md")).as_str()), (Some(merged), merged));
        assert_eq!((home.drafts(&skill), home.problem(&skill)), (vec![], None));
    }
}

#[test]
fn a_folder_that_cant_be_written_keeps_the_skill_and_catches_up() {
    // Root may write anywhere, so a folder is where the file should be.
    let (home, folder, skill) = Home::linked("one\n");
    fs::create_dir(folder.join("notes.md")).unwrap();
    home.save(&skill, "notes.md", "here").unwrap();
    assert!(home.problem(&skill).is_some());
    assert_eq!(home.text("checker", "notes.md").as_deref(), Some("here"));
    fs::remove_dir(folder.join("notes.md")).unwrap();
    home.links.sync(&home.scope, skill.head.id).unwrap();
    assert_eq!((home.problem(&skill), read(&folder.join("notes.md")).as_str()), (None, "here"));
}

#[test]
fn replaced_files_are_removed_after_a_moment() {
    let (home, folder, skill) = Home::linked("one\n");
    home.save(&skill, "SKILL.md", &skill_md("checker", "two\n")).unwrap();
    while home.links.clear(&home.scope) {
        std::thread::yield_now();
    }
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["SKILL.md"]);
}

#[test]
fn a_text_that_was_written_to_a_replaced_file_is_merged() {
    let (home, folder, skill) = Home::linked("1\n2\n3\n4\n5\n");
    home.save(&skill, "SKILL.md", &skill_md("checker", "ONE\n2\n3\n4\n5\n")).unwrap();
    // An editor that had opened the file before it was replaced.
    let kept = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let kept = kept.into_iter().find(|path| path.file_name().unwrap().to_str().unwrap().starts_with(".inklings-old-")).unwrap();
    fs::write(&kept, skill_md("checker", "1\n2\n3\n4\nFIVE\n")).unwrap();
    let home = home.restart();
    home.scan();
    let merged = skill_md("checker", "ONE\n2\n3\n4\nFIVE\n");
    assert_eq!((home.text("checker", "SKILL.md"), read(&folder.join("SKILL.md"))), (Some(merged.clone()), merged));
    assert!(!kept.exists());
}

#[test]
fn a_file_that_is_never_read_from_folders_stays_in_the_store() {
    let home = Home::new();
    let folder = home.write_skill(".claude", "checker", "one\n");
    home.scan();
    let path = "node_modules/notes.md";
    let skill = home.skill("checker").unwrap();
    // As older versions stored it: an edit can't add it.
    let mut saved = skill.clone();
    saved.package.files.push(SkillFile { path: SkillPath::parse(path).unwrap(), entry: TreeFile::new(*b"kept") });
    let change = ChangeSet::between(Some(&skill), Some(saved.clone()), skill.head.id, "test", "edited");
    home.repository.commit(&change, Expected::Revision(skill.head.revision)).unwrap();
    write(&folder.join("SKILL.md"), &skill_md("checker", "two\n"));
    home.scan();
    assert_eq!((home.text("checker", path).as_deref(), home.problem(&saved)), (Some("kept"), None));
    assert_eq!(home.text("checker", "SKILL.md"), Some(skill_md("checker", "two\n")));
}
