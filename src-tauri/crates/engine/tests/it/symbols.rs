//! What a place names, where else it is named, and giving it another name.

use std::path::{Path, PathBuf};

use inklings_app::features::action::{ListActions, SaveAction, SaveActionParams};
use inklings_app::features::draft::{SaveDraft, SaveDraftParams};
use inklings_app::features::file::Read;
use inklings_app::features::input::{ListInputs, SaveInput, SaveInputParams};
use inklings_app::features::skill::{Change, Create, CreateParams, Edit, EditParams, Fork};
use inklings_app::features::symbol::{
    At, AtParams, FileLocations, ListNames, ListUses, Names, NamesParams, Preview, ReadLanguage, Rename, RenameParams, RenameResult,
    Symbol, SymbolInformation, Target, Uses, UsesParams,
};
use inklings_app::features::workspace::{Open, OpenParams};
use inklings_app::wire::UnsavedText;
use inklings_app::wire::{FileRef, SkillRef};
use inklings_core::{Action, Scope, SkillPath};
use inklings_engine::{Engine, Resources};
use inklings_rpc::{Code, Failure, NoParams, Operation};

use crate::support::{ask, start};
use serde_json::{Map, json};

const PROMPT: &str = "prompts/check-prompt.j2";
const SKILL: &str = "consistency-checker-copy";

struct World {
    engine: Engine,
    home: tempfile::TempDir,
}

impl World {
    /// With a copy of a shipped skill that has a prompt in two variants, a script, a program and a fallback.
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let world = Self { engine: start(&home.path().join("home"), Resources::find()), home };
        world.ask::<Fork>(None, SkillRef { skill: "consistency-checker".to_owned(), scope: None }).unwrap();
        world
    }

    fn ask<T: Operation<App = inklings_app::App>>(&self, workspace: Option<&Path>, params: T::Params) -> Result<T::Output, Failure> {
        ask::<T>(&self.engine, workspace, params)
    }

    fn read(&self, path: &str) -> String {
        let file = FileRef { skill: SKILL.to_owned(), scope: None, path: at(path) };
        self.ask::<Read>(None, file).unwrap().text.unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let expected = self.revision();
        let changes = vec![Change::Write { path: at(path), text: text.to_owned() }];
        self.ask::<Edit>(None, EditParams { skill: SKILL.to_owned(), scope: None, expected, changes, why: None }).unwrap();
    }

    fn revision(&self) -> i64 {
        self.names().revision
    }

    fn names(&self) -> Names {
        self.ask::<ListNames>(None, NamesParams { skill: SKILL.to_owned(), scope: None, edits: Vec::new() }).unwrap()
    }

    /// What is named in a file at the first place of a text.
    fn named(&self, path: &str, word: &str, unsaved: Option<&str>) -> Option<SymbolInformation> {
        let text = unsaved.map_or_else(|| self.read(path), str::to_owned);
        let before = &text[..text.find(word).unwrap()];
        let (line, column) = (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap().chars().count() + 1);
        let edits = unsaved.map(|text| UnsavedText { path: at(path), text: text.to_owned() }).into_iter().collect();
        self.ask::<At>(None, AtParams { skill: SKILL.to_owned(), scope: None, path: at(path), line, column, edits }).unwrap().symbol
    }

    fn uses(&self, symbol: &Symbol) -> Uses {
        self.ask::<ListUses>(None, UsesParams { skill: SKILL.to_owned(), scope: None, symbol: symbol.clone(), edits: Vec::new() }).unwrap()
    }

    fn rename(&self, workspace: Option<&Path>, symbol: &Symbol, to: &str) -> Result<RenameResult, Failure> {
        self.ask::<Rename>(workspace, RenameParams { skill: SKILL.to_owned(), scope: None, symbol: symbol.clone(), to: to.to_owned() })
    }

    /// A folder that was opened, with an input saved for the prompt.
    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.home.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        let folder = folder.canonicalize().unwrap();
        self.ask::<Open>(None, OpenParams { path: folder.display().to_string() }).unwrap();
        self.save_input(Some(&folder));
        folder
    }

    fn save_input(&self, workspace: Option<&Path>) {
        let params = Map::from_iter([("entity_name".to_owned(), json!("Aria")), ("claims".to_owned(), json!([]))]);
        let input =
            SaveInputParams { skill: SKILL.to_owned(), scope: Some(Scope::Account), path: at(PROMPT), name: "Aria".to_owned(), params };
        self.ask::<SaveInput>(workspace, input).unwrap();
    }

    fn input(&self, workspace: Option<&Path>) -> Vec<String> {
        let file = FileRef { skill: SKILL.to_owned(), scope: Some(Scope::Account), path: at(PROMPT) };
        let mut all = self.ask::<ListInputs>(workspace, file).unwrap().inputs;
        all.pop().unwrap().params.into_iter().map(|(name, _)| name).collect()
    }
}

fn at(path: &str) -> SkillPath {
    SkillPath::parse(path).unwrap()
}

fn variable(name: &str) -> Symbol {
    Symbol::Variable { name: name.to_owned() }
}

fn artifact(name: &str) -> Symbol {
    Symbol::Artifact { name: name.to_owned() }
}

fn counts(files: &[FileLocations]) -> Vec<(&str, usize)> {
    files.iter().map(|file| (file.path.as_str(), file.locations.len())).collect()
}

fn leads_to(named: &SymbolInformation) -> Vec<String> {
    let location = |target: &Target| match target {
        Target::Skill { path, line, .. } => format!("{path}:{line}"),
        Target::Page { slug } => format!("page {slug}"),
    };
    named.targets.iter().map(location).collect()
}

#[test]
fn a_place_leads_to_where_it_is_said_what_it_is() {
    let world = World::new();
    let claims = world.named(PROMPT, "claims %}", None).unwrap();
    assert_eq!((claims.title.as_str(), claims.renames), ("claims", true));
    assert!(leads_to(&claims).iter().all(|place| place.starts_with("skill.json:")), "{:?}", claims.targets);
    assert!(claims.facts.iter().any(|fact| fact.contains("page_name, text")), "{:?}", claims.facts);

    let fallback = world.named("skill.json", "Check Prompt\",\n        \"outputs\"", None).unwrap();
    assert_eq!(leads_to(&fallback), ["prompts/check-prompt.j2:1", "prompts/check-prompt.anthropic.j2:1"]);
    let file = world.named("skill.json", "scripts/cross-reference.py", None).unwrap();
    assert_eq!(leads_to(&file), ["scripts/cross-reference.py:1"]);

    // What is typed counts, and what leads nowhere says so.
    let unsaved = "# Top\n\n[down](#below), [gone](none.md), `dspy/dspy-checker.json`, [[Nobody]]\n\n## Below\n";
    let of = |word: &str| world.named("approach/verification.md", word, Some(unsaved));
    assert_eq!(leads_to(&of("#below").unwrap()), ["approach/verification.md:5"]);
    assert_eq!(leads_to(&of("dspy/").unwrap()), ["dspy/dspy-checker.json:1"]);
    let missing = of("none.md").unwrap();
    assert!(missing.targets.is_empty() && missing.about.contains("not found"), "{missing:?}");
    assert!(of("Nobody").unwrap().about.contains("Open a folder"));
    assert_eq!(of("down"), None);
}

#[test]
fn another_skill_is_found_wherever_skills_name_it() {
    let world = World::new();
    world.ask::<Create>(None, CreateParams { name: "Second".to_owned(), description: None, content: None, scope: None }).unwrap();
    let json = world.read("skill.json").replacen("\"run\"", "\"relations\": { \"depends_on\": [\"second\"] },\n  \"run\"", 1);
    let json = if json.contains("relations") { json } else { json.replacen('{', "{ \"relations\": { \"depends_on\": [\"second\"] },", 1) };
    world.write("skill.json", &json);
    let named = world.named("skill.json", "second", None).unwrap();
    assert_eq!((named.title.as_str(), leads_to(&named)), ("Second", vec!["SKILL.md:1".to_owned()]));
    let found = world.uses(&Symbol::Skill { name: "Second".to_owned() });
    assert_eq!(found.uses.iter().map(|file| file.slug.as_str()).collect::<Vec<_>>(), [SKILL]);
}

#[test]
fn a_renamed_artifact_is_followed_and_the_way_back_gives_the_same_bytes() {
    let world = World::new();
    world.write("approach/verification.md", "Run Check Prompt, then look again.\n");
    world.write(
        "scripts/cross-reference.py",
        "import inklings\ninklings.submit({{ outputs.check_prompt }} or {{ outputs['check-prompt'] }})\n",
    );
    let paths = ["skill.json", "scripts/cross-reference.py", PROMPT];
    let before = paths.map(|path| world.read(path));
    let plan = RenameParams { skill: SKILL.to_owned(), scope: None, symbol: artifact("Check Prompt"), to: "Judge".to_owned() };
    let plan = world.ask::<Preview>(None, plan).unwrap();
    assert_eq!(counts(&plan.uses), [("scripts/cross-reference.py", 2), ("skill.json", 3)]);
    assert!(counts(&plan.mentions).contains(&("approach/verification.md", 1)), "{:?}", counts(&plan.mentions));
    assert_eq!(paths.map(|path| world.read(path)), before, "looking changes nothing");

    let done = world.rename(None, &artifact("Check Prompt"), "Judge").unwrap();
    assert_eq!(done.uses, 5);
    assert!(world.read("scripts/cross-reference.py").contains("{{ outputs.judge }} or {{ outputs['judge'] }}"));
    let json = world.read("skill.json");
    assert_eq!((json.matches("\"Judge\"").count(), json.matches("Check Prompt").count()), (3, 0));
    assert!(world.read("approach/verification.md").contains("Check Prompt"), "prose is a person's to change");
    world.rename(None, &artifact("Judge"), "Check Prompt").unwrap();
    let mut expected = before;
    // The quoted spelling is the plain one where the name has no hyphen any more.
    expected[1] = expected[1].replace("'check-prompt'", "'check_prompt'");
    assert_eq!(paths.map(|path| world.read(path)), expected);

    let refused = |to: &str| world.rename(None, &artifact("Check Prompt"), to).unwrap_err().code;
    assert_eq!(
        [refused(" "), refused("DSPy Checker"), refused("dspy checker"), refused("Check Prompt")],
        [Code::Invalid, Code::Exists, Code::Exists, Code::Exists]
    );
    let nothing = world.rename(None, &artifact("1st check"), "x").unwrap_err();
    assert_eq!(nothing.code, Code::NotFound);
    let unspeakable = world.rename(None, &artifact("Check Prompt"), "1st check").unwrap_err();
    assert!(unspeakable.message.contains("outputs.1st_check"), "{}", unspeakable.message);
}

#[test]
fn saved_inputs_follow_a_renamed_variable_where_only_this_skill_can_be_meant() {
    let world = World::new();
    world.save_input(None);
    let before = [PROMPT, "skill.json"].map(|path| world.read(path));
    let (open, closed, own) = (world.folder("open"), world.folder("closed"), world.folder("own"));
    // A folder that has skills of its own may mean one of those by the name.
    world
        .ask::<Create>(
            Some(&own),
            CreateParams { name: "Mine".to_owned(), description: None, content: None, scope: Some(Scope::Workspace) },
        )
        .unwrap();
    let plan = RenameParams { skill: SKILL.to_owned(), scope: None, symbol: variable("entity_name"), to: "subject".to_owned() };
    let plan = world.ask::<Preview>(Some(&open), plan).unwrap();
    assert_eq!((plan.inputs, plan.inputs_elsewhere), (3, 1));
    let done = world.rename(Some(&open), &variable("entity_name"), "subject").unwrap();
    assert_eq!((done.inputs, done.inputs_elsewhere), (3, 1));
    for folder in [None, Some(open.as_path()), Some(closed.as_path())] {
        assert_eq!(world.input(folder), ["subject", "claims"], "{folder:?}");
    }
    assert_eq!(world.input(Some(&own)), ["entity_name", "claims"]);
    // From there it is sure which skill is meant.
    let back = world.rename(Some(&own), &variable("subject"), "entity_name").unwrap();
    assert_eq!(back.inputs, 3);
    assert_eq!(world.input(Some(&open)), ["entity_name", "claims"]);
    assert_eq!([PROMPT, "skill.json"].map(|path| world.read(path)), before, "the way back gives the same bytes");
}

#[test]
fn saved_actions_follow_a_renamed_variable_and_a_renamed_artifact() {
    let world = World::new();
    let other = world.ask::<Fork>(None, SkillRef { skill: "consistency-checker".to_owned(), scope: None }).unwrap().summary.slug;
    for (slug, skill, artifact) in [
        ("plan", SKILL, None),
        ("prompt", SKILL, Some("Check Prompt")),
        ("program", SKILL, Some("DSPy Checker")),
        ("other", other.as_str(), Some("Check Prompt")),
    ] {
        let params = Map::from_iter([("entity_name".to_owned(), json!("Aria")), ("claims".to_owned(), json!([]))]);
        let (slug, skill, artifact) = (slug.to_owned(), Some(skill.to_owned()), artifact.map(str::to_owned));
        let params = SaveActionParams { slug, skill, scope: None, artifact, params, model: None, mode: None, enabled: None };
        world.ask::<SaveAction>(None, params).unwrap();
    }
    let actions = || -> Vec<Action> {
        let list = world.ask::<ListActions>(None, NoParams {}).unwrap();
        list.actions.into_iter().map(|one| one.action).collect()
    };
    let action = |slug: &str| actions().into_iter().find(|one| one.slug.as_str() == slug).unwrap();
    let first = |slug: &str| action(slug).params.keys().next().unwrap().clone();
    let preview = |symbol, to: &str| {
        let params = RenameParams { skill: SKILL.to_owned(), scope: None, symbol, to: to.to_owned() };
        world.ask::<Preview>(None, params).unwrap().actions
    };
    let before = actions();

    assert_eq!((preview(variable("entity_name"), "subject"), actions()), (2, before.clone()));
    assert_eq!(world.rename(None, &variable("entity_name"), "subject").unwrap().actions, 2);
    assert_eq!(["plan", "prompt", "program", "other"].map(first), ["subject", "subject", "entity_name", "entity_name"]);

    assert_eq!(preview(artifact("Check Prompt"), "Judge"), 1);
    assert_eq!(world.rename(None, &artifact("Check Prompt"), "Judge").unwrap().actions, 1);
    assert_eq!(["prompt", "other"].map(|slug| action(slug).artifact.unwrap()), ["Judge", "Check Prompt"]);

    world.rename(None, &artifact("Judge"), "Check Prompt").unwrap();
    world.rename(None, &variable("subject"), "entity_name").unwrap();
    assert_eq!(actions(), before, "the way back gives the same actions");
}

#[test]
fn a_look_at_a_new_name_opens_no_other_folder() {
    let mut world = World::new();
    let closed = world.folder("closed");
    // Opening it would set a damaged file aside.
    let database = closed.join("agents.db");
    std::fs::write(&database, "no database".repeat(100)).unwrap();
    world.engine = start(&world.home.path().join("home"), Resources::find());
    let plan = RenameParams { skill: SKILL.to_owned(), scope: None, symbol: variable("entity_name"), to: "subject".to_owned() };
    assert_eq!(world.ask::<Preview>(None, plan).unwrap().inputs_elsewhere, 1);
    let names: Vec<_> = std::fs::read_dir(&closed).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["agents.db"]);
}

#[test]
fn a_file_with_unsaved_typing_is_named_and_nothing_is_renamed() {
    let world = World::new();
    let base_revision = world.revision();
    let draft = SaveDraftParams { skill: SKILL.to_owned(), scope: None, path: at(PROMPT), base_revision, text: "{{ claims }}".to_owned() };
    world.ask::<SaveDraft>(None, draft).unwrap();
    let refused = world.rename(None, &variable("claims"), "facts").unwrap_err();
    assert_eq!(refused.code, Code::UnsavedDraft);
    assert!(refused.message.contains(PROMPT), "{}", refused.message);
    assert_eq!(world.revision(), base_revision);
}

#[test]
fn what_can_be_named_is_listed_while_a_text_is_broken() {
    let world = World::new();
    let names = world.names();
    let claims = names.variables.iter().find(|one| one.variable.name == "claims").unwrap();
    assert!(claims.declared && claims.asked_by.contains(&"Check Prompt".to_owned()), "{claims:?}");
    assert!(names.outputs.iter().any(|one| one.key == "check_prompt" && one.artifact == "Check Prompt"));
    assert!(names.files.contains(&at(PROMPT)) && names.anchors[&at("SKILL.md")].contains(&"what-counts".to_owned()));

    let edits = |text: &str| NamesParams {
        skill: SKILL.to_owned(),
        scope: None,
        edits: vec![UnsavedText { path: at(PROMPT), text: text.to_owned() }],
    };
    let known = |text: &str| {
        let names = world.ask::<ListNames>(None, edits(text)).unwrap();
        names.variables.into_iter().map(|one| one.variable.name).collect::<Vec<_>>()
    };
    assert!(known("{{ fresh }}").contains(&"fresh".to_owned()));
    assert!(known("{{ fresh").contains(&"entity_name".to_owned()));
    let words = world.ask::<ReadLanguage>(None, NoParams {}).unwrap();
    assert!(words.filters.iter().chain(&words.tests).chain(&words.functions).chain(&words.frontmatter).all(|word| !word.about.is_empty()));
}
