use std::fs;
use std::os::unix::fs::symlink;

use inklings_core::{ChangeSet, Expected, SkillStorageRepository as _};

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
    let home = Home::new();
    home.write_skill(".claude", "checker", "of Claude Code");
    home.scan();
    let linked = home.skill("checker").unwrap();
    home.links.store().remove_link("", linked.head.id).unwrap();
    let folder = home.path(".claude", "checker");
    write(&folder.join("SKILL.md"), &skill_md("checker", "changed"));
    home.scan();
    assert_eq!(home.text("checker", "SKILL.md"), Some(skill_md("checker", "of Claude Code")));
    assert!(home.links.store().links("").unwrap().is_empty());
}
