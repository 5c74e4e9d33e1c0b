use std::fs;
use std::os::unix::fs::symlink;

use inklings_core::{ChangeSet, Expected, SkillStorageRepository as _};
use inklings_links::LinkedScope;

use crate::support::{Home, read, skill_md, write};

#[test]
fn the_skills_of_agents_are_linked_once_each() {
    let home = Home::new();
    let claude = home.write_skill(".claude", "checker", "of Claude Code");
    home.write_skill(".codex", "checker", "of Codex");
    home.write_skill(".codex", "other", "of Codex");
    symlink(&claude, home.path(".codex", "the-same")).unwrap();
    home.scan();
    home.scan();
    let names: Vec<_> = home.repository.list_skills().unwrap().into_iter().map(|skill| skill.slug.to_string()).collect();
    assert_eq!(names, ["checker", "other"]);
    assert_eq!(home.text("checker", "SKILL.md"), Some(skill_md("checker", "of Claude Code")));
    let agents: Vec<_> = home.links.store().links("").unwrap().into_iter().map(|link| link.agent.unwrap()).collect();
    assert_eq!(agents, ["claude-code", "codex"]);
}

#[test]
fn a_folder_that_isnt_a_skill_is_left_until_it_is() {
    let home = Home::new();
    let folder = home.path(".claude", "broken");
    write(&folder.join("skill.json"), r#"{"artifacts": [{"path": "missing.j2", "kind": "prompt_template", "name": "Missing"}]}"#);
    home.write_skill(".claude", "fine", "Works.");
    home.scan();
    assert!(home.skill("fine").is_some());
    assert!(home.skill("broken").is_none());
    std::fs::remove_file(folder.join("skill.json")).unwrap();
    home.write_skill(".claude", "broken", "Works now.");
    home.scan();
    assert!(home.skill("broken").is_some());
}

#[test]
fn a_folder_that_becomes_a_link_is_not_followed() {
    let home = Home::new();
    let folder = home.write_skill(".claude", "checker", "of Claude Code");
    home.scan();
    let elsewhere = home.folder.path().join("elsewhere");
    write(&elsewhere.join("SKILL.md"), &skill_md("checker", "private"));
    std::fs::remove_dir_all(&folder).unwrap();
    symlink(&elsewhere, &folder).unwrap();
    let skill = home.skill("checker").unwrap();
    home.links.sync(&home.scope, skill.head.id).unwrap();
    assert!(home.skill("checker").is_none(), "as if the folder had been removed");
    assert!(home.save(&skill, "SKILL.md", "changed").is_err());
    assert_eq!(crate::support::read(&elsewhere.join("SKILL.md")), skill_md("checker", "private"));
}

#[test]
fn a_restored_skill_is_not_written_where_a_link_leads() {
    let (home, folder, skill) = Home::linked("of Claude Code");
    let elsewhere = home.folder.path().join("elsewhere");
    write(&elsewhere.join("SKILL.md"), &skill_md("checker", "private"));
    fs::remove_dir_all(&folder).unwrap();
    symlink(&elsewhere, &folder).unwrap();
    home.links.sync(&home.scope, skill.head.id).unwrap();
    let restore = ChangeSet::between(None, Some(skill.clone()), skill.head.id, "test", "restored");
    home.repository.commit(&restore, Expected::Absent).unwrap();
    assert_eq!(read(&elsewhere.join("SKILL.md")), skill_md("checker", "private"));
    assert_eq!(home.text("checker", "SKILL.md"), Some(skill_md("checker", "of Claude Code")));
    assert!(home.problem(&skill).unwrap().contains("symbolic link"), "{:?}", home.problem(&skill));

    // Nor where the folder above it leads.
    let skills = folder.parent().unwrap();
    fs::remove_file(&folder).unwrap();
    fs::remove_dir(skills).unwrap();
    symlink(&elsewhere, skills).unwrap();
    home.links.sync(&home.scope, skill.head.id).unwrap_err();
    assert!(!elsewhere.join("checker").exists());
    fs::remove_file(skills).unwrap();
    home.links.sync(&home.scope, skill.head.id).unwrap();
    assert_eq!((read(&folder.join("SKILL.md")), home.problem(&skill)), (skill_md("checker", "of Claude Code"), None));
}

#[test]
fn a_folder_that_cant_be_opened_is_a_problem_of_its_link_until_it_can() {
    let (home, folder, skill) = Home::linked("of Claude Code");
    let aside = home.folder.path().join("aside");
    fs::rename(&folder, &aside).unwrap();
    // Root may open any folder, so the link leads to itself.
    symlink(&folder, &folder).unwrap();
    home.scan();
    assert!(home.problem(&skill).unwrap().starts_with("opening "), "{:?}", home.problem(&skill));
    assert!(home.skill("checker").is_some());
    fs::remove_file(&folder).unwrap();
    fs::rename(&aside, &folder).unwrap();
    home.scan();
    assert_eq!(home.problem(&skill), None);
}

#[test]
fn a_stored_skill_is_not_taken_over() {
    let (home, folder, skill) = Home::linked("of Claude Code");
    home.links.store().remove_link("", skill.head.id).unwrap();
    fs::remove_dir_all(folder).unwrap();
    home.write_skill(".codex", "checker", "of Claude Code");
    home.scan();
    assert!(home.links.store().links("").unwrap().is_empty(), "it is a copy");
    let other = home.write_skill(".codex", "checker", "of Codex");
    home.scan();
    home.scan();
    assert_eq!(home.text("checker", "SKILL.md"), Some(skill_md("checker", "of Claude Code")));
    assert_eq!(read(&other.join("SKILL.md")), skill_md("checker", "of Codex"));
    let links = home.links.store().links("").unwrap();
    let [link] = links.as_slice() else { panic!("{links:?}") };
    assert_ne!(link.skill, skill.head.id);
    assert!(link.problem.as_ref().unwrap().starts_with("another skill is named checker"), "{link:?}");
    fs::remove_dir_all(other).unwrap();
    home.scan();
    assert!(home.links.store().links("").unwrap().is_empty());
}

#[test]
fn a_folder_whose_link_was_lost_is_linked_to_its_skill_again() {
    let (home, folder, skill) = Home::linked("one\n");
    home.links.store().remove_link("", skill.head.id).unwrap();
    write(&folder.join("SKILL.md"), &skill_md("checker", "two\n"));
    home.scan();
    assert_eq!(home.text("checker", "SKILL.md"), Some(skill_md("checker", "two\n")));
    assert_eq!((home.drafts(&skill), home.problem(&skill)), (vec![("SKILL.md".to_owned(), skill_md("checker", "one\n"))], None));
    home.save(&home.skill("checker").unwrap(), "notes.md", "here\n").unwrap();
    assert_eq!(read(&folder.join("notes.md")), "here\n");
    home.links.deactivate(&home.scope, skill.head.id).unwrap();
    write(&folder.join("notes.md"), "there\n");
    home.scan();
    assert_eq!(home.text("checker", "notes.md").as_deref(), Some("here\n"), "the user ended the link");
}

#[test]
fn the_skills_of_a_workspace_that_was_moved_are_linked_again() {
    let home = Home::new();
    let top = home.folder.path().canonicalize().unwrap();
    let [before, after] = ["before", "after"].map(|name| LinkedScope { workspace: Some(top.join(name)), repository: home.user.clone() });
    write(&top.join("before/.claude/skills/checker/SKILL.md"), &skill_md("checker", "one\n"));
    home.links.scan(&before).unwrap();
    let skill = home.skill("checker").unwrap();
    fs::rename(top.join("before"), top.join("after")).unwrap();
    let folder = top.join("after/.claude/skills/checker");
    write(&folder.join("SKILL.md"), &skill_md("checker", "two\n"));
    home.links.scan(&after).unwrap();
    assert_eq!(home.text("checker", "SKILL.md"), Some(skill_md("checker", "two\n")));
    let link = home.links.store().active_link(&after.key(), skill.head.id).unwrap().unwrap();
    assert_eq!((link.folder, link.problem), (folder, None));
}

#[test]
fn a_copied_folder_becomes_a_skill_with_artifact_ids_of_its_own() {
    let declared = "550e8400-e29b-41d4-a716-446655440000";
    let skill_json = format!(r#"{{"artifacts": [{{"path": "a.j2", "kind": "prompt_template", "name": "A", "id": "{declared}"}}]}}"#);
    for is_linked_before in [true, false] {
        let home = Home::new();
        let put = |skill: &str| {
            let folder = home.write_skill(".claude", skill, "Asks.");
            write(&folder.join("a.j2"), "Hi");
            write(&folder.join("skill.json"), &skill_json);
            folder
        };
        let original = put("one");
        if is_linked_before {
            home.scan();
        }
        let copy = put("two");
        home.scan();
        let mut ids = Vec::new();
        for (name, folder) in [("one", original), ("two", copy)] {
            let skill = home.skill(name).unwrap();
            let id = skill.package.artifacts.iter().find(|artifact| artifact.name == "A").unwrap().id.to_string();
            assert!(read(&folder.join("skill.json")).contains(&id), "{name}");
            home.save(&skill, "a.j2", "Hello").unwrap();
            assert_eq!((read(&folder.join("a.j2")), home.problem(&skill)), ("Hello".to_owned(), None));
            ids.push(id);
        }
        assert!(ids[0] != ids[1] && ids.contains(&declared.to_owned()), "{ids:?}");
    }
}
