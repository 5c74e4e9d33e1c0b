//! The problems of all skills, and what can be done about them.

use inklings_app::features::check::{CheckAll, CheckAllParams, CheckFile, CheckFileParams, CheckedSkills, FindFixes, Fixes, FixesParams};
use inklings_app::features::file::{FileMove, Move, MoveParams};
use inklings_app::features::skill::{Change, Create, CreateParams, Edit, EditParams, Import, ImportParams, List, ListParams, TreeRows};
use inklings_core::{Scope, Severity, SkillPath, SkillSummary};
use inklings_engine::Engine;
use inklings_rpc::{Code, Failure, Operation};

use crate::support::{ask, beside_work};

struct World {
    engine: Engine,
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let (engine, folder) = beside_work();
        Self { engine, folder }
    }

    fn ask<T: Operation<App = inklings_app::App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        ask::<T>(&self.engine, Some(&self.folder.path().join("work")), params)
    }

    fn import(&self, name: &str, file: &str, text: &str) {
        let folder = self.folder.path().join("from").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(file), text).unwrap();
        let params = ImportParams { paths: vec![folder], scope: Some(Scope::Workspace), ..ImportParams::default() };
        let report = self.ask::<Import>(params).unwrap();
        assert!(report.items.iter().all(|item| item.revision.is_some()), "{report:?}");
    }

    fn skill(&self, slug: &str) -> SkillSummary {
        let all = self.ask::<List>(ListParams::default()).unwrap().skills;
        all.into_iter().find(|one| one.slug.as_str() == slug).unwrap()
    }

    fn all(&self, least: Severity) -> CheckedSkills {
        self.ask::<CheckAll>(CheckAllParams { least: Some(least), limit: Some(1_000), ..CheckAllParams::default() }).unwrap()
    }

    fn fixes(&self, slug: &str, path: &str, text: Option<&str>) -> Fixes {
        let path = SkillPath::parse(path).unwrap();
        let text = text.map(str::to_owned);
        self.ask::<FindFixes>(FixesParams { skill: slug.to_owned(), scope: None, path, text, rule: None, line: None }).unwrap()
    }

    fn write(&self, slug: &str, text: &str) {
        let skill = self.skill(slug);
        let change = Change::Write { path: SkillPath::parse("SKILL.md").unwrap(), text: text.to_owned() };
        let params = EditParams { skill: skill.id.to_string(), scope: None, expected: skill.revision, changes: vec![change], why: None };
        self.ask::<Edit>(params).unwrap();
    }
}

const UNQUOTED_COLON: &str = "---\nname: odd\ndescription: Use when: asked for something that is odd indeed\nmodel: x\n---\nDo it.\n";

#[test]
fn problems_of_all_skills_are_counted_and_listed_by_severity() {
    let world = World::new();
    let before = world.all(Severity::Warning);
    assert!(before.skills.is_empty() && before.next.is_none(), "shipped skills have no warnings: {:?}", before.skills);
    world.import("odd", "SKILL.md", UNQUOTED_COLON);
    let found = world.all(Severity::Warning);
    assert_eq!((found.checked, found.total), (before.checked + 1, before.total + 1));
    let [checked] = &found.skills[..] else { unreachable!("{:?}", found.skills) };
    assert_eq!((checked.scope, checked.counts.errors, checked.counts.warnings, checked.counts.infos), (Scope::Workspace, 0, 1, 1));
    assert_eq!(checked.diagnostics.iter().map(|one| one.rule.as_str()).collect::<Vec<_>>(), ["frontmatter/unquoted-colon"]);
    let hints = world.all(Severity::Hint);
    assert!(hints.skills.iter().any(|one| one.id == checked.id && one.diagnostics.len() == 2), "{:?}", hints.skills);
    // What changed is checked again, and is all that is asked for.
    world.write("odd", &UNQUOTED_COLON.replace("Use when: asked", "Use when asked"));
    let only = Some(TreeRows { scope: Scope::Workspace, ids: vec![checked.id] });
    let again = world.ask::<CheckAll>(CheckAllParams { only, ..CheckAllParams::default() }).unwrap();
    assert_eq!((again.skills.len(), again.checked, again.total), (0, 1, found.total));
}

#[test]
fn pages_lead_through_all_skills() {
    let world = World::new();
    for name in ["a", "b", "c"] {
        world.import(name, "SKILL.md", &UNQUOTED_COLON.replace("name: odd", &format!("name: {name}")));
    }
    let (mut from, mut checked, mut found) = (None, 0, 0);
    loop {
        let page = world.ask::<CheckAll>(CheckAllParams { from, limit: Some(2), ..CheckAllParams::default() }).unwrap();
        checked += page.checked;
        found += page.skills.len();
        from = page.next;
        if from.is_none() {
            assert_eq!((checked, found), (page.total, 3));
            break;
        }
    }
}

#[test]
fn fixes_are_for_the_text_as_it_is_typed_and_for_what_is_stored() {
    let world = World::new();
    world.import("odd", "SKILL.md", UNQUOTED_COLON);
    let stored = world.fixes("odd", "SKILL.md", None);
    assert_eq!(stored.text, UNQUOTED_COLON);
    let titles: Vec<&str> = stored.fixes.iter().map(|fix| fix.title.as_str()).collect();
    assert_eq!(titles, ["Quote the value"], "keys are moved once YAML reads the text");
    let text = stored.fixes[0].apply(UNQUOTED_COLON).unwrap();
    let typed = world.fixes("odd", "SKILL.md", Some(&text));
    assert_eq!(typed.fixes.iter().map(|fix| fix.title.as_str()).collect::<Vec<_>>(), ["Move “model” to metadata"]);
    let params = CheckFileParams { skill: "odd".to_owned(), scope: None, path: SkillPath::parse("SKILL.md").unwrap(), text };
    let checked = world.ask::<CheckFile>(params).unwrap();
    assert_eq!(checked.diagnostics[checked.fixes[0].finding].rule, "frontmatter/unknown-key");
}

#[test]
fn a_locked_skill_has_no_fixes() {
    let world = World::new();
    let all = world.ask::<List>(ListParams::default()).unwrap().skills;
    let locked = all.iter().find(|one| one.locked).unwrap();
    let fixes = world.fixes(locked.slug.as_str(), "SKILL.md", Some(UNQUOTED_COLON));
    assert!(fixes.locked && fixes.fixes.is_empty());
}

#[test]
fn a_lower_case_file_is_moved_to_its_standard_spelling_and_nowhere_else() {
    let world = World::new();
    world.import("odd", "skill.md", UNQUOTED_COLON);
    let fixes = world.fixes("odd", "skill.md", None);
    let to = fixes.fixes.iter().find_map(|fix| fix.rename.clone()).unwrap();
    let from = SkillPath::parse("skill.md").unwrap();
    let moved = |to: SkillPath| {
        world.ask::<Move>(MoveParams { skill: "odd".to_owned(), scope: None, moves: vec![FileMove { from: from.clone(), to }] })
    };
    assert_eq!(moved(SkillPath::parse("notes.md").unwrap()).unwrap_err().code, Code::Invalid);
    let done = moved(to).unwrap();
    assert!(done.skill.entries.iter().any(|entry| entry.path.as_str() == "SKILL.md"), "{:?}", done.skill.entries);
    assert!(done.skill.diagnostics.iter().all(|one| one.rule != "folder/spelling"));
    // A skill of one's own is made without oddities.
    let params = CreateParams { name: "New one".to_owned(), description: None, content: None, scope: None };
    assert!(world.ask::<Create>(params).unwrap().diagnostics.iter().all(|one| one.severity > Severity::Warning));
}
