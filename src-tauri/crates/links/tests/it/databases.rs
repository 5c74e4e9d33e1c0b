//! Links whose skills are in another database than before: the former one was lost, or replaced by a backup.

use crate::support::{Home, read, skill_md, write};

#[test]
fn the_folder_of_a_skill_that_the_database_does_not_know_is_stored_again() {
    let home = Home::new();
    let empty = home.backup();
    let folder = home.write_skill(".claude", "checker", "one\n");
    home.scan();
    let before = home.skill("checker").unwrap();
    let home = home.restored(empty);
    home.scan();
    assert_eq!(read(&folder.join("SKILL.md")), skill_md("checker", "one\n"));
    let stored = home.skill("checker").unwrap();
    assert_eq!((stored.head.id, home.problem(&stored)), (before.head.id, None));
    home.delete(&stored);
    assert!(!folder.join("SKILL.md").exists(), "now its deletion is known");
}

#[test]
fn a_deletion_before_the_folder_came_back_removes_nothing() {
    let home = Home::new();
    let folder = home.write_skill(".claude", "checker", "one\n");
    home.scan();
    home.delete(&home.skill("checker").unwrap());
    let deleted = home.backup();
    home.write_skill(".claude", "checker", "two\n");
    home.scan();
    assert!(home.skill("checker").is_some());
    let home = home.restored(deleted);
    home.scan();
    assert_eq!(read(&folder.join("SKILL.md")), skill_md("checker", "two\n"));
    assert_eq!(home.text("checker", "SKILL.md"), Some(skill_md("checker", "two\n")));
}

#[test]
fn of_texts_without_a_common_revision_that_on_disk_is_stored_and_ours_becomes_a_draft() {
    // What is stored under the number of the revision that was lost, and what is on disk.
    for (stored, on_disk) in [(None, None), (None, Some("three\n")), (Some("ours\n"), None), (Some("ours\n"), Some("three\n"))] {
        let home = Home::new();
        let folder = home.write_skill(".claude", "checker", "Body\n");
        write(&folder.join("notes.md"), "one\n");
        home.scan();
        let skill = home.skill("checker").unwrap();
        let backup = home.backup();
        write(&folder.join("notes.md"), "two\n");
        home.scan();
        assert_eq!(home.skill("checker").unwrap().head.revision, 2);
        let home = home.restored(backup);
        if let Some(text) = stored {
            home.save_in_store(&skill, "notes.md", text);
            home.save_in_store(&home.skill("checker").unwrap(), "other.md", "other\n");
        }
        if let Some(text) = on_disk {
            write(&folder.join("notes.md"), text);
        }
        home.links.sync(&home.scope, skill.head.id).unwrap();
        let kept = on_disk.unwrap_or("two\n");
        assert_eq!((home.text("checker", "notes.md").as_deref(), read(&folder.join("notes.md")).as_str()), (Some(kept), kept));
        let draft = ("notes.md".to_owned(), stored.unwrap_or("one\n").to_owned());
        assert_eq!((home.drafts(&skill), home.problem(&skill)), (vec![draft], None));
    }
}
