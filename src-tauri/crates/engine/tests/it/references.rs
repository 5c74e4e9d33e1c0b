//! References of skills: attached, listed with what became of their targets, removed, and what they survive.

use std::fs;
use std::path::{Path, PathBuf};

use inklings_app::features::reference::{
    AttachParams, AttachReference, ListReferences, ReadReference, ReferenceForm, ReferenceParams, ReferenceSearchParams, RemoveReference,
    SearchTargets, SkillReference,
};
use inklings_app::features::skill::{
    Create, CreateParams, Delete, DeleteParams, Export, ExportParams, MoveSkill, MoveSkillParams, Restore, RestoreParams,
};
use inklings_app::features::workspace::{Trust, TrustParams};
use inklings_app::wire::SkillRef;
use inklings_core::binding::{NewReference, ReferenceTarget, TargetKind};
use inklings_core::trace::TracedSkill;
use inklings_core::{BindingId, Scope, SkillId, Slug};
use inklings_engine::Engine;
use inklings_rpc::{Code, Failure};
use tempfile::TempDir;

use crate::support::{ask, beside_work};

struct World {
    engine: Engine,
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let (engine, folder) = beside_work();
        let world = Self { engine, folder };
        // Its skills go to the account.
        ask::<Trust>(&world.engine, Some(&world.work()), TrustParams { trusted: true, path: None }).unwrap();
        world.file("pages/Mara Venn.md", "---\ntitle: Mara Venn\n---\nA poet.\n");
        world.file("data/costs.csv", "a,b\n1,2\n");
        world
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn file(&self, path: &str, text: &str) {
        let file = self.work().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn create(&self, name: &str, scope: Scope) -> SkillId {
        let params = CreateParams { name: name.to_owned(), description: None, content: None, scope: Some(scope) };
        ask::<Create>(&self.engine, Some(&self.work()), params).unwrap().summary.id
    }

    fn attach(&self, skill: &str, target_kind: TargetKind, target_ref: &str) -> Result<SkillReference, Failure> {
        ask::<AttachReference>(&self.engine, Some(&self.work()), attach(skill, target_kind, target_ref))
    }

    fn list(&self, skill: &str) -> Vec<SkillReference> {
        let params = SkillRef { skill: skill.to_owned(), scope: None };
        ask::<ListReferences>(&self.engine, Some(&self.work()), params).unwrap().references
    }

    fn targets(&self, skill: &str) -> Vec<String> {
        self.list(skill).into_iter().map(|one| one.binding.target_ref).collect()
    }
}

fn attach(skill: &str, target_kind: TargetKind, target_ref: &str) -> AttachParams {
    AttachParams {
        skill: skill.to_owned(),
        scope: None,
        target_kind,
        target_ref: target_ref.to_owned(),
        position: None,
        allow_missing: false,
    }
}

#[test]
fn pages_files_and_addresses_are_attached_to_any_skill_and_read() {
    let world = World::new();
    // A skill that ships is locked; attaching changes nothing in it.
    let page = world.attach("consistency-checker", TargetKind::Entity, "mara venn").unwrap();
    assert_eq!((page.form, page.title.as_str(), page.problem.as_deref()), (ReferenceForm::Page, "Mara Venn", None));
    let file = world.attach("consistency-checker", TargetKind::Document, "data/costs.csv").unwrap();
    world.attach("consistency-checker", TargetKind::Document, "https://example.org/style").unwrap();
    let listed: Vec<_> =
        world.list("consistency-checker").into_iter().map(|one| (one.form, one.binding.target_ref, one.title, one.problem)).collect();
    let row = |form, target: &str, title: &str| (form, target.to_owned(), title.to_owned(), None);
    assert_eq!(
        listed,
        [
            row(ReferenceForm::Page, &page.binding.target_ref, "Mara Venn"),
            row(ReferenceForm::File, "data/costs.csv", "costs.csv"),
            row(ReferenceForm::Address, "https://example.org/style", "example.org"),
        ]
    );
    let read = |one: &SkillReference| {
        let params = ReferenceParams { skill: "consistency-checker".to_owned(), scope: None, id: one.binding.id };
        ask::<ReadReference>(&world.engine, Some(&world.work()), params)
    };
    assert_eq!(read(&file).unwrap().text.as_deref(), Some("a,b\n1,2\n"));
    assert_eq!(read(&page).unwrap_err().code, Code::Invalid);
}

#[test]
fn what_isnt_there_or_leads_out_of_the_workspace_is_refused() {
    let world = World::new();
    world.create("One", Scope::Workspace);
    world.file("../secret.txt", "secret");
    std::os::unix::fs::symlink(world.folder.path().join("secret.txt"), world.work().join("link.txt")).unwrap();
    let code = |kind, target: &str| world.attach("one", kind, target).unwrap_err().code;
    for absent in ["gone.csv", "link.txt", "data"] {
        assert_eq!(code(TargetKind::Document, absent), Code::NotFound, "{absent}");
    }
    for invalid in ["../secret.txt", "/etc/passwd", "file:///etc/passwd", "https://ann:word@a.org/", ""] {
        assert_eq!(code(TargetKind::Document, invalid), Code::Invalid, "{invalid}");
    }
    assert_eq!(code(TargetKind::Entity, "nobody"), Code::NotFound);
    world.attach("one", TargetKind::Document, "data/costs.csv").unwrap();
    assert_eq!(code(TargetKind::Document, "data/costs.csv"), Code::Exists);
    let without = ask::<AttachReference>(&world.engine, None, attach("consistency-checker", TargetKind::Document, "data/costs.csv"));
    assert_eq!(without.unwrap_err().hint.as_deref(), Some("open a folder first"));
    assert_eq!(world.targets("one"), ["data/costs.csv"]);
}

#[test]
fn a_missing_target_is_said_and_its_removal_can_be_undone() {
    let world = World::new();
    world.create("One", Scope::Workspace);
    world.attach("one", TargetKind::Document, "data/costs.csv").unwrap();
    let page = world.attach("one", TargetKind::Entity, "mara venn").unwrap();
    fs::remove_dir_all(world.work().join("pages")).unwrap();
    fs::remove_dir_all(world.work().join("data")).unwrap();
    world.engine.app().workspaces.pages(&world.work()).unwrap().refresh(&|_| (), &inklings_core::CancellationToken::new()).unwrap();
    let problems = || world.list("one").into_iter().map(|one| one.problem.unwrap()).collect::<Vec<_>>();
    assert_eq!(problems(), ["file not found in this workspace", "page not found in this workspace"]);
    let first = world.list("one").remove(0).binding;
    let params = ReferenceParams { skill: "one".to_owned(), scope: None, id: first.id };
    let read = ask::<ReadReference>(&world.engine, Some(&world.work()), params.clone());
    assert_eq!(read.unwrap_err().code, Code::NotFound);
    let removed = ask::<RemoveReference>(&world.engine, Some(&world.work()), params.clone()).unwrap();
    assert_eq!(world.targets("one"), [page.binding.target_ref.as_str()]);
    let again = ask::<RemoveReference>(&world.engine, Some(&world.work()), params).unwrap_err();
    assert_eq!(again.code, Code::NotFound);
    let back =
        AttachParams { position: Some(removed.position), allow_missing: true, ..attach("one", removed.target_kind, &removed.target_ref) };
    ask::<AttachReference>(&world.engine, Some(&world.work()), back).unwrap();
    assert_eq!(world.targets("one"), ["data/costs.csv", page.binding.target_ref.as_str()]);
}

#[test]
fn a_search_offers_pages_files_and_a_typed_address() {
    let world = World::new();
    let search = |query: &str| {
        let params = ReferenceSearchParams { query: query.to_owned(), limit: None };
        let found = ask::<SearchTargets>(&world.engine, Some(&world.work()), params).unwrap();
        found.offers.into_iter().map(|one| (one.form, one.title)).collect::<Vec<_>>()
    };
    let (page, file) = ((ReferenceForm::Page, "Mara Venn".to_owned()), (ReferenceForm::File, "costs.csv".to_owned()));
    assert_eq!(search(""), [page.clone(), file.clone()]);
    assert_eq!(search("poet"), [page]);
    assert_eq!(search("data/co"), [file]);
    assert_eq!(search("https://example.org/x"), [(ReferenceForm::Address, "example.org".to_owned())]);
    assert_eq!(search("file:///etc/passwd"), []);
}

#[test]
fn references_stay_with_a_skill_that_is_moved_or_restored_and_out_of_its_export() {
    let world = World::new();
    let work = world.work();
    let id = world.create("One", Scope::Workspace);
    world.attach("one", TargetKind::Document, "data/costs.csv").unwrap();
    ask::<Delete>(&world.engine, Some(&work), DeleteParams { skill: "one".to_owned(), scope: None, expected: None }).unwrap();
    ask::<Restore>(&world.engine, Some(&work), RestoreParams { id, scope: Scope::Workspace }).unwrap();
    assert_eq!(world.targets("one"), ["data/costs.csv"]);
    let go = |to, keep| {
        let params = MoveSkillParams { skill: "one".to_owned(), scope: None, to, keep };
        ask::<MoveSkill>(&world.engine, Some(&work), params).unwrap();
    };
    go(Scope::Account, false);
    assert_eq!(world.targets("one"), ["data/costs.csv"]);
    go(Scope::Workspace, true);
    assert_eq!(world.targets("one"), [""; 0], "a copy begins without");

    let out = world.folder.path().join("out");
    let skills = vec![SkillRef { skill: "one".to_owned(), scope: Some(Scope::Account) }];
    let exported = ask::<Export>(&world.engine, Some(&work), ExportParams { skills, out: Some(out.clone()), ..ExportParams::default() });
    let said: Vec<_> = exported.unwrap().items.remove(0).diagnostics.into_iter().map(|one| (one.rule, one.message)).collect();
    assert_eq!(said, [("package/references".to_owned(), "1 reference isn't exported".to_owned())]);
    let text = |file: &Path| fs::read_to_string(file).unwrap_or_default();
    let exported: Vec<_> = fs::read_dir(out.join("one")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!exported.is_empty() && exported.iter().all(|file| !text(file).contains("costs.csv")), "{exported:?}");
}

#[test]
fn hostile_rows_of_a_workspaces_file_are_listed_but_lead_nowhere() {
    let world = World::new();
    let id = world.create("One", Scope::Workspace);
    let traced = TracedSkill { scope: Scope::Workspace, id, slug: Slug::parse("one").unwrap(), revision: 1 };
    world.file("../secret.txt", "secret");
    let id = BindingId::new(world.engine.app().ids.uuid());
    let new = NewReference { id, target: &ReferenceTarget::File("../secret.txt".to_owned()), position: None, actor: "local" };
    world.engine.app().workspaces.bindings(&world.work()).unwrap().add_reference(&traced, &new).unwrap();
    assert_eq!(world.list("one")[0].problem.as_deref(), Some("\"../secret.txt\" isn't a path in the workspace"));
    let params = ReferenceParams { skill: "one".to_owned(), scope: None, id };
    assert_eq!(ask::<ReadReference>(&world.engine, Some(&world.work()), params).unwrap_err().code, Code::Invalid);
}
