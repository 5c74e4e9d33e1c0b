use std::os::unix::fs::symlink;

use inklings_core::SkillStorageRepository as _;

use crate::support::{Home, skill_md, write};

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
