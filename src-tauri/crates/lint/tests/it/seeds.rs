//! With the real skill format: shipped skills have no errors or warnings, and positions in `skill.json` are correct.

use std::path::PathBuf;
use std::sync::Arc;

use inklings_core::{IdSource, SkillFormat, SkillPath, Tree, TreeFile};
use inklings_folder::Folder;
use inklings_folder::disk::read_dir;
use inklings_lint::check_skill;

use crate::shown;

struct OneId;

impl IdSource for OneId {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::nil()
    }
}

fn findings(tree: &Tree, folder: &str) -> Vec<String> {
    let format = Folder::new(Arc::new(OneId));
    let reading = format.read(tree, folder, None).unwrap();
    check_skill(&reading.package, &format).iter().map(shown).collect()
}

#[test]
fn shipped_skills_give_hints_at_most() {
    let seeds = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../seed/skills");
    let mut checked = 0;
    for folder in std::fs::read_dir(seeds).unwrap() {
        let path = folder.unwrap().path();
        let (tree, diagnostics) = read_dir(&path).unwrap();
        assert_eq!(diagnostics, []);
        let worse = |finding: &String| !finding.contains(" hint ");
        let found: Vec<String> = findings(&tree, path.file_name().unwrap().to_str().unwrap()).into_iter().filter(worse).collect();
        assert_eq!(found, Vec::<String>::new(), "{}", path.display());
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn places_survive_the_real_projection() {
    let head = "---\nname: memo\ndescription: Writes a memo about a company. Use when a memo is asked for.\n---\nWrite it.\n";
    let json = "\u{feff}// ours\n{\n  \"artifacts\": [\n    { \"path\": \"p.j2\", \"kind\": \"prompt_template\", \"name\": \"P\",\n      \
                \"metadata\": { \"assertions\": [{ \"type\": \"contians\", \"value\": \"x\" }] } },\n  ],\n  \
                \"relations\": { \"depends_on\": [\"memo\"] },\n  \"run\": [\"Q\"],\n  \"metadata\": { \"manifest\": { \"version\": 2 } },\n}\n";
    let files = [("SKILL.md", head), ("skill.json", json), ("p.j2", "{{ x | uper }}")];
    let tree = files.into_iter().map(|(path, text)| (SkillPath::parse(path).unwrap(), TreeFile::new(text.as_bytes()))).collect();
    assert_eq!(
        findings(&tree, "memo"),
        [
            "p.j2 1:8-12 error template/unknown-filter: unknown filter \"uper\"",
            "skill.json 5:46-56 error assertion/type: unknown assertion type \"contians\"",
            "skill.json 7:33-39 error relation/self: the skill lists itself in depends_on",
            "skill.json 8:11-14 error run/unknown: the run plan contains \"Q\", which isn't an artifact of this skill",
            "skill.json 9:42-43 error manifest/version: manifest version 2 isn\'t supported",
        ]
    );
}
