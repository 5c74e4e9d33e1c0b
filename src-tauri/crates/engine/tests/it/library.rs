//! The library: pages with counts, what runs come to, one change to many skills, and values that are changed in place.

use inklings_app::features::file::Read;
use inklings_app::features::library::{
    Apply, ApplyParams, BulkAction, BulkReport, Card, LibraryPage, LibraryParams, LibraryStats, ListKeys, ListLibrary, Seek, SeekParams,
    SkillUndo, Stats, UndoMany, UndoParams, UndoStep,
};
use inklings_app::features::skill::{Create, CreateParams, Describe, DescribeParams, Edit, EditParams, Fork, Get, SkillValues};
use inklings_app::library::{LibraryCount, LibraryQuery, LibrarySort, Ownership};
use inklings_app::wire::{FileRef, SkillDetail, SkillRef};
use inklings_core::trace::{Session, SessionKind, Trace, TracedSkill, Usage};
use inklings_core::{ArtifactKind, RunId, Scope, SessionId, SkillPath, TraceId, TraceStatus};
use inklings_engine::{Engine, Resources};
use inklings_rpc::{Code, Failure, NoParams, Operation};

use crate::support::{ask, start};

struct World {
    engine: Engine,
    home: tempfile::TempDir,
    workspace: Option<std::path::PathBuf>,
}

impl World {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let engine = start(&home.path().join("home"), Resources::find());
        Self { engine, home, workspace: None }
    }

    fn with_workspace() -> Self {
        let mut world = Self::new();
        let folder = world.home.path().join("notes");
        std::fs::create_dir(&folder).unwrap();
        world.workspace = Some(folder);
        world
    }

    fn ask<T: Operation<App = inklings_app::App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        ask::<T>(&self.engine, self.workspace.as_deref(), params)
    }

    fn create(&self, name: &str, scope: Scope) -> SkillDetail {
        let description = Some(format!("What {name} does, and when to use it."));
        self.ask::<Create>(CreateParams { name: name.to_owned(), description, content: None, scope: Some(scope) }).unwrap()
    }

    fn list(&self, change: impl FnOnce(&mut LibraryParams)) -> LibraryPage {
        let mut params = LibraryParams::default();
        change(&mut params);
        self.ask::<ListLibrary>(params).unwrap()
    }

    fn stats(&self) -> LibraryStats {
        self.ask::<Stats>(NoParams {}).unwrap()
    }

    fn apply(&self, skills: &[&str], action: BulkAction) -> BulkReport {
        self.ask::<Apply>(ApplyParams { skills: skills.iter().map(|one| named(one)).collect(), action }).unwrap()
    }

    fn undo(&self, report: &BulkReport) -> BulkReport {
        let steps = report.done.iter().filter_map(|one| Some(UndoStep { id: one.id, scope: one.scope, undo: one.undo.clone()? }));
        self.ask::<UndoMany>(UndoParams { steps: steps.collect() }).unwrap()
    }

    fn describe(&self, skill: &str, expected: Option<i64>, values: SkillValues) -> Result<SkillDetail, Failure> {
        self.ask::<Describe>(DescribeParams { skill: skill.to_owned(), scope: None, expected, values }).map(|done| done.skill)
    }

    fn get(&self, skill: &str) -> SkillDetail {
        self.ask::<Get>(named(skill)).unwrap()
    }

    fn text(&self, skill: &str, path: &str) -> String {
        let file = FileRef { skill: skill.to_owned(), scope: None, path: SkillPath::parse(path).unwrap() };
        self.ask::<Read>(file).unwrap().text.unwrap()
    }

    fn write(&self, skill: &str, path: &str, text: &str) {
        let revision = self.get(skill).summary.revision;
        let changes = serde_json::from_value(serde_json::json!([{ "op": "write", "path": path, "text": text }])).unwrap();
        self.ask::<Edit>(EditParams { skill: skill.to_owned(), scope: None, expected: revision, changes, why: None }).unwrap();
    }

    /// A run of one execution that is over.
    fn ran(&self, skill: &SkillDetail, cost: Option<f64>, days_ago: i64) {
        let app = self.engine.app();
        let own = (skill.summary.scope == Scope::Workspace).then_some(self.workspace.as_deref()).flatten();
        let store = app.workspaces.traces(own).unwrap();
        let at = inklings_core::Time::from_millis(app.clock.now().millis() - days_ago * 24 * 60 * 60 * 1000);
        let session = SessionId::new(app.ids.uuid());
        store.open_session(&Session { id: session, kind: SessionKind::Run, title: "Test".to_owned(), created_at: at }).unwrap();
        let trace = Trace {
            id: TraceId::new(app.ids.uuid()),
            session_id: session,
            run_id: RunId::new(app.ids.uuid()),
            parent_run_id: None,
            skill: TracedSkill {
                scope: skill.summary.scope,
                id: skill.summary.id,
                slug: skill.summary.slug.clone(),
                revision: skill.summary.revision,
            },
            artifact_id: app.ids.artifact(),
            artifact_name: "Ask".to_owned(),
            artifact_path: SkillPath::parse("prompts/ask.j2").unwrap(),
            artifact_kind: ArtifactKind::PromptTemplate,
            variant: None,
            status: TraceStatus::Ok,
            params: None,
            asked_artifact: None,
            rendered_input: None,
            raw_output: None,
            error: None,
            detail: None,
            log: None,
            truncated: false,
            cut_off: false,
            started_at: at,
            completed_at: Some(at),
            duration_ms: Some(5),
            usage: Usage { input_tokens: Some(10), output_tokens: Some(1), cost },
            model_requested: None,
            model_id: Some("model-1".to_owned()),
            assertions_run: 0,
            assertions_passed: 0,
            score: None,
            verdicts: Vec::new(),
            fallback_of: None,
            replay_of: None,
        };
        store.open_trace(&trace).unwrap();
        store.close_trace(&trace).unwrap();
        let holder = match self.workspace.as_deref().filter(|_| own.is_some()) {
            Some(path) => app.workspaces.workspace(path).unwrap(),
            None => app.workspaces.account(),
        };
        holder.record_use(skill.summary.id, true, Usage::default()).unwrap();
    }
}

fn named(skill: &str) -> SkillRef {
    SkillRef { skill: skill.to_owned(), scope: None }
}

fn slugs(page: &LibraryPage) -> Vec<&str> {
    page.skills.iter().map(|row| row.summary.slug.as_str()).collect()
}

fn count(all: &[LibraryCount], value: &str) -> usize {
    all.iter().find(|one| one.value == value).map_or(0, |one| one.count)
}

#[test]
fn a_page_is_a_part_of_the_list_and_the_first_one_has_the_counts() {
    let world = World::new();
    for number in 1..=7 {
        world.create(&format!("Part {number}"), Scope::Account);
    }
    let own = |params: &mut LibraryParams| params.query.ownership = Some(Ownership::Yours);
    let whole = world.list(own);
    assert_eq!((whole.total, whole.skills.len()), (7, 7));
    let first = world.list(|params| {
        own(params);
        params.limit = Some(3);
    });
    assert_eq!(slugs(&first), ["part-1", "part-2", "part-3"]);
    let facets = first.facets.unwrap();
    assert_eq!((count(&facets.ownerships, "yours"), count(&facets.ownerships, "built_in")), (7, 5));
    let next = world.list(|params| {
        own(params);
        (params.offset, params.limit) = (6, Some(3));
    });
    assert_eq!((slugs(&next), next.total, next.facets.is_none()), (vec!["part-7"], 7, true));
    assert!(world.list(|params| params.offset = 99).skills.is_empty());
    let query = LibraryQuery { ownership: Some(Ownership::Yours), ..LibraryQuery::default() };
    let keys = world.ask::<ListKeys>(LibraryParams { query: query.clone(), offset: 5, limit: None }).unwrap().keys;
    assert_eq!(keys.iter().map(|key| key.id).collect::<Vec<_>>(), whole.skills[5..].iter().map(|row| row.summary.id).collect::<Vec<_>>());
    let found = world.ask::<Seek>(SeekParams { query, prefix: "part 4".to_owned(), after: None }).unwrap();
    assert_eq!(found.index, Some(3));
}

#[test]
fn an_override_hides_the_accounts_skill_until_it_is_asked_for() {
    let world = World::with_workspace();
    let copy = world.ask::<Fork>(named("consistency-checker")).unwrap();
    assert_eq!(copy.summary.scope, Scope::Workspace);
    let page = world.list(|_| ());
    let shown: Vec<_> = page.skills.iter().filter(|row| row.summary.slug.as_str() == "consistency-checker").collect();
    assert_eq!((shown.len(), shown[0].summary.scope, shown[0].summary.shadows), (1, Scope::Workspace, true));
    assert_eq!(page.facets.unwrap().hidden, 1);
    let all = world.list(|params| params.query.hidden = true);
    assert_eq!(all.total, page.total + 1);
    let card = world.ask::<Card>(SkillRef { skill: copy.summary.id.to_string(), scope: Some(Scope::Workspace) }).unwrap();
    let parent = card.parent.unwrap();
    assert_eq!((parent.slug.as_str(), parent.scope, card.created_by.as_deref()), ("consistency-checker", Scope::Account, Some("local")));
}

#[test]
fn runs_of_thirty_days_are_summed_from_both_databases() {
    let world = World::with_workspace();
    let (dear, fair, old) =
        (world.create("Dear", Scope::Workspace), world.create("Fair", Scope::Account), world.create("Old", Scope::Account));
    assert_eq!((world.stats().runs, world.stats().freshness), (0, None));
    world.ran(&dear, Some(0.5), 1);
    world.ran(&dear, None, 2);
    world.ran(&fair, Some(0.25), 29);
    world.ran(&old, Some(9.0), 31);
    let stats = world.stats();
    assert_eq!((stats.runs, stats.estimated_cost, stats.unpriced), (3, Some(0.75), 1));
    assert_eq!((stats.skills, stats.active, stats.deprecated), (8, 8, 0));
    assert!(stats.freshness.unwrap() > 0.99);
    let page = world.list(|params| params.query.sort = LibrarySort::Cost);
    assert_eq!(slugs(&page)[..2], ["dear", "fair"]);
    assert_eq!((page.skills[0].runs, page.skills[0].estimated_cost, page.skills[0].unpriced), (2, Some(0.5), 1));
    assert!(page.skills[0].last_used_at.is_some());
    assert_eq!(page.skills.iter().find(|row| row.summary.slug.as_str() == "old").unwrap().runs, 0);
    // The time of the last use doesn't end with the thirty days.
    let used = world.list(|params| params.query.sort = LibrarySort::Used);
    let (used, never) = used.skills.split_at(3);
    assert!(used.iter().all(|row| row.last_used_at.is_some()) && never.iter().all(|row| row.last_used_at.is_none()));
}

#[test]
fn one_change_goes_to_each_skill_or_says_why_not_and_is_taken_back_at_once() {
    let world = World::new();
    for name in ["One", "Two"] {
        world.create(name, Scope::Account);
    }
    let report = world.apply(&["one", "consistency-checker", "two", "nowhere"], BulkAction::AddTag { tag: " law ".to_owned() });
    assert_eq!(report.done.iter().map(|one| one.slug.as_str()).collect::<Vec<_>>(), ["one", "two"]);
    let failed: Vec<_> = report.failed.iter().map(|one| (one.failure.code, one.name.as_deref())).collect();
    assert_eq!(failed, [(Code::Locked, Some("Consistency Checker")), (Code::NotFound, None)]);
    assert_eq!(world.get("one").summary.tags, ["law"]);
    assert_eq!(world.list(|params| params.query.tags = vec!["law".to_owned()]).total, 2);
    // What is so already is done and has nothing to take back.
    let again = world.apply(&["one"], BulkAction::AddTag { tag: "LAW".to_owned() });
    assert_eq!((again.done.len(), again.done[0].undo.clone()), (1, None));

    assert!(world.undo(&report).failed.is_empty());
    assert!(world.get("one").summary.tags.is_empty() && world.get("two").summary.tags.is_empty());
    assert_eq!(world.get("one").summary.revision, 3);

    let off = world.apply(&["one", "consistency-checker"], BulkAction::Enable { on: false });
    assert_eq!((off.done.len(), off.failed.len()), (2, 0));
    assert!(!world.get("consistency-checker").summary.enabled);
    world.undo(&off);
    assert!(world.get("consistency-checker").summary.enabled);

    let moved = world.apply(&["one", "two"], BulkAction::SetCategory { category: "research".to_owned() });
    assert!(matches!(moved.done[0].undo, Some(SkillUndo::Revision { .. })));
    world.write("one", "notes.md", "later\n");
    // What was changed since to another file stays when the change is taken back.
    assert!(world.undo(&moved).failed.is_empty());
    assert_eq!((world.get("one").summary.category.as_str(), world.text("one", "notes.md").as_str()), ("general", "later\n"));
}

#[test]
fn what_others_need_goes_only_together_with_them() {
    let world = World::new();
    for name in ["Base", "User"] {
        world.create(name, Scope::Account);
    }
    world.write("user", "skill.json", "{ \"relations\": { \"depends_on\": [\"base\"] } }\n");
    assert_eq!(world.get("user").depends_on, ["base"]);
    let alone = world.apply(&["base"], BulkAction::Delete {});
    assert_eq!(alone.failed[0].failure.code, Code::HasDependents);
    let both = world.apply(&["base", "user"], BulkAction::Delete {});
    assert_eq!((both.done.len(), both.failed.len()), (2, 0));
    assert_eq!(world.list(|params| params.query.ownership = Some(Ownership::Yours)).total, 0);
    assert_eq!(world.undo(&both).done.len(), 2);
    assert_eq!(world.get("user").depends_on, ["base"]);
}

#[test]
fn what_another_workspace_needs_stays_though_a_skill_of_the_same_name_goes() {
    let mut world = World::with_workspace();
    world.create("Base", Scope::Account);
    let needs = "{ \"relations\": { \"depends_on\": [\"base\"] } }\n";
    world.create("User", Scope::Workspace);
    world.write("user", "skill.json", needs);
    let other = world.home.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let here = world.workspace.replace(other);
    world.create("User", Scope::Workspace);
    world.write("user", "skill.json", needs);
    world.workspace = here;
    let both = world.apply(&["base", "user"], BulkAction::Delete {});
    assert_eq!(both.failed.iter().map(|one| one.failure.code).collect::<Vec<_>>(), [Code::HasDependents]);
    assert_eq!(both.done.iter().map(|one| one.slug.as_str()).collect::<Vec<_>>(), ["user"]);
}

const FRONT: &str = "---\n# Kept for the desk.\nversion: 2.1.0   # of the desk\nname: notes\ndescription: >\n  Keeps notes of the desk,\n  and finds them again.\nlicense: MIT\nmetadata:\n  author: Ada # the desk's\n---\n\n# Notes\n";

#[test]
fn a_value_is_changed_in_place_and_the_text_around_it_stays() {
    let world = World::new();
    world.create("Notes", Scope::Account);
    world.write("notes", "SKILL.md", FRONT);
    let before = world.get("notes").summary.revision;
    let values = SkillValues { description: Some("Keeps the notes.".to_owned()), ..SkillValues::default() };
    let saved = world.describe("notes", None, values).unwrap();
    assert_eq!((saved.summary.description.as_str(), saved.summary.revision), ("Keeps the notes.", before + 1));
    let text = world.text("notes", "SKILL.md");
    for kept in ["# Kept for the desk.\n", "# of the desk\n", "license: MIT\n", "Ada # the desk's\n", "\n# Notes\n"] {
        assert!(text.contains(kept), "{kept:?} is gone from {text}");
    }
    let place = |what: &str| text.find(what).unwrap();
    assert!(place("version:") < place("name:") && place("name:") < place("description:") && place("description:") < place("license:"));

    let values = SkillValues {
        name: Some("Notes of the desk".to_owned()),
        category: Some("desk".to_owned()),
        tags: Some(vec!["a".to_owned(), " a ".to_owned(), String::new(), "b".to_owned()]),
        triggers: Some(vec!["find my notes".to_owned()]),
        when_not_to_use: Some(Some("For pictures.".to_owned())),
        version: Some("3.0.0".to_owned()),
        author: Some(Some("Grace".to_owned())),
        ..SkillValues::default()
    };
    let saved = world.describe("notes", None, values).unwrap();
    assert_eq!((saved.summary.slug.as_str(), saved.summary.name.as_str()), ("notes", "Notes of the desk"));
    assert_eq!((saved.summary.tags.join(), saved.summary.category.as_str()), ("a|b".to_owned(), "desk"));
    assert_eq!((saved.summary.version.as_str(), saved.summary.author.as_deref()), ("3.0.0", Some("Grace")));
    assert_eq!((saved.triggers.join(), saved.when_not_to_use.as_deref()), ("find my notes".to_owned(), Some("For pictures.")));
    assert!(world.text("notes", "SKILL.md").contains("# Kept for the desk.\n"));
    let hidden = SkillValues { user_invocable: Some(false), ..SkillValues::default() };
    let saved = world.describe("notes", None, hidden).unwrap();
    assert!(!saved.summary.user_invocable);
    let shown = SkillValues { user_invocable: Some(true), ..SkillValues::default() };
    assert!(world.describe("notes", None, shown).unwrap().summary.user_invocable);
    let removed = SkillValues { when_not_to_use: Some(None), author: Some(Some("  ".to_owned())), ..SkillValues::default() };
    let saved = world.describe("notes", None, removed).unwrap();
    assert_eq!((saved.when_not_to_use, saved.summary.author), (None, None));
}

trait Join {
    fn join(&self) -> String;
}

impl Join for Vec<String> {
    fn join(&self) -> String {
        self.as_slice().join("|")
    }
}

#[test]
fn a_value_that_someone_else_changed_is_not_overwritten() {
    let world = World::new();
    let seen = world.create("Notes", Scope::Account).summary.revision;
    let description = |text: &str| SkillValues { description: Some(text.to_owned()), ..SkillValues::default() };
    world.describe("notes", Some(seen), description("What someone else says of it.")).unwrap();
    let refused = world.describe("notes", Some(seen), description("What I say of it.")).unwrap_err();
    assert_eq!(refused.code, Code::RevisionConflict);
    assert!(refused.message.contains("description"), "{}", refused.message);
    // The same text, and another value, are no conflict.
    world.describe("notes", Some(seen), description("What someone else says of it.")).unwrap();
    world.describe("notes", Some(seen), SkillValues { category: Some("desk".to_owned()), ..SkillValues::default() }).unwrap();
    assert_eq!(world.get("notes").summary.description, "What someone else says of it.");
}

#[test]
fn values_that_no_skill_may_have_are_refused_as_a_whole() {
    let world = World::new();
    let revision = world.create("Notes", Scope::Account).summary.revision;
    let refused = |values: SkillValues| world.describe("notes", None, values).unwrap_err();
    assert!(refused(SkillValues::default()).message.contains("no values were given"));
    assert!(refused(SkillValues { name: Some(" ".to_owned()), ..SkillValues::default() }).message.contains("title is empty"));
    assert_eq!(refused(SkillValues { description: Some("x".repeat(1_025)), ..SkillValues::default() }).code, Code::Limit);
    let lines = SkillValues { category: Some("a\nb".to_owned()), version: Some("2".to_owned()), ..SkillValues::default() };
    assert!(refused(lines).message.contains("more than one line"));
    assert_eq!(refused(SkillValues { tags: Some((0..101).map(|n| n.to_string()).collect()), ..SkillValues::default() }).code, Code::Limit);
    assert_eq!(world.get("notes").summary.revision, revision);
    let locked = SkillValues { category: Some("x".to_owned()), ..SkillValues::default() };
    assert_eq!(world.describe("consistency-checker", None, locked).unwrap_err().code, Code::Locked);
    let many = (0..1_001).map(|_| named("notes")).collect();
    assert_eq!(world.ask::<Apply>(ApplyParams { skills: many, action: BulkAction::Delete {} }).unwrap_err().code, Code::Limit);
}
