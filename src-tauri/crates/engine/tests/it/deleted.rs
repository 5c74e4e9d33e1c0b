//! Deleted skills: listed with their titles, looked into, and restored.

use inklings_app::features::skill::{
    Create, CreateParams, Delete, DeleteParams, DeletedFileParams, Import, ImportParams, ListDeleted, ReadDeleted, ReadDeletedFile,
    Restore, RestoreParams,
};
use inklings_core::{Scope, SkillPath};
use inklings_rpc::{Code, NoParams};

use crate::support::{ask, beside_work};

#[test]
fn a_deleted_skill_of_either_scope_can_be_read_before_it_is_restored() {
    let (engine, folder) = beside_work();
    let work = folder.path().join("work");
    let work = Some(work.as_path());
    for (name, scope) in [("Desk notes", Scope::Account), ("Press review", Scope::Workspace)] {
        let description = Some(format!("What {name} does."));
        ask::<Create>(&engine, work, CreateParams { name: name.to_owned(), description, content: None, scope: Some(scope) }).unwrap();
        ask::<Delete>(&engine, work, DeleteParams { skill: name.to_owned(), scope: Some(scope), expected: None }).unwrap();
    }
    let list = ask::<ListDeleted>(&engine, work, NoParams {}).unwrap().skills;
    let named: Vec<_> = list.iter().map(|one| (one.scope, one.name.as_str(), one.slug.as_str(), one.actor.as_str())).collect();
    assert_eq!(named, [(Scope::Workspace, "Press review", "press-review", "local"), (Scope::Account, "Desk notes", "desk-notes", "local")]);

    for one in &list {
        let params = RestoreParams { id: one.id, scope: one.scope };
        let content = ask::<ReadDeleted>(&engine, work, params).unwrap();
        assert_eq!((content.name.as_str(), content.slug.as_str()), (one.name.as_str(), one.slug.as_str()));
        assert_eq!(content.description, format!("What {} does.", one.name));
        assert!(content.entries.iter().any(|entry| entry.path.as_str() == "SKILL.md" && entry.text));
        let file = |path: &str| {
            let path = SkillPath::parse(path).unwrap();
            ask::<ReadDeletedFile>(&engine, work, DeletedFileParams { id: one.id, scope: one.scope, path })
        };
        assert!(file("SKILL.md").unwrap().text.unwrap().contains(&content.description));
        assert_eq!(file("nothing.md").unwrap_err().code, Code::NotFound);
    }

    let desk = RestoreParams { id: list[1].id, scope: Scope::Account };
    ask::<Restore>(&engine, work, desk.clone()).unwrap();
    assert_eq!(ask::<ReadDeleted>(&engine, work, desk).unwrap_err().code, Code::NotFound);
    assert_eq!(ask::<ListDeleted>(&engine, work, NoParams {}).unwrap().skills.len(), 1);
}

#[test]
fn a_restored_skill_gets_new_artifact_ids_if_a_copy_of_its_folder_has_its_own() {
    let (engine, folder) = beside_work();
    let import = |name: &str| {
        let skill = folder.path().join(name);
        std::fs::create_dir(&skill).unwrap();
        let write = |file: &str, text: &str| std::fs::write(skill.join(file), text).unwrap();
        write("SKILL.md", &format!("---\nname: {name}\ndescription: Asks.\n---\n"));
        write("a.j2", "Hi");
        let id = "550e8400-e29b-41d4-a716-446655440000";
        write("skill.json", &format!(r#"{{"artifacts": [{{"path": "a.j2", "kind": "prompt_template", "name": "A", "id": "{id}"}}]}}"#));
        let params = ImportParams { paths: vec![skill], ..ImportParams::default() };
        ask::<Import>(&engine, None, params).unwrap().items.remove(0).skill.unwrap()
    };
    let id = import("one");
    ask::<Delete>(&engine, None, DeleteParams { skill: "one".to_owned(), scope: None, expected: None }).unwrap();
    import("uno");
    ask::<Restore>(&engine, None, RestoreParams { id, scope: Scope::Account }).unwrap();
    let account = engine.app().workspaces.account();
    let package = |name: &str| account.get_skill_by_name(name).unwrap().unwrap().package;
    let (restored, copy) = (package("one"), package("uno"));
    assert_ne!(restored.artifacts[0].id, copy.artifacts[0].id);
    assert!(restored.sources.skill_json.unwrap().contains(&restored.artifacts[0].id.to_string()));
}
