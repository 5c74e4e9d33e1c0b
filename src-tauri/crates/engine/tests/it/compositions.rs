//! Proposals of whole skills: composed by a model, checked, edited and accepted by the user.

mod concurrent;
mod rebase;

use std::path::{Path, PathBuf};

use inklings_app::dispatch;
use inklings_app::features::proposal::{
    Accept, AcceptParams, AcceptedProposal, EditProposal, EditProposalParams, ListProposals, ProposalListParams, ProposalRef,
    ProposalReview, ReviewProposal, WrapPrompt, WrapPromptParams,
};
use inklings_app::features::skill::{Change, Edit, EditParams, Get, List, ListParams, ListView};
use inklings_app::wire::{SkillDetail, SkillRef};
use inklings_core::proposal::ProposalStatus;
use inklings_core::{ArtifactKind, Lifecycle, MessageId, Origin, ProposalId, Scope, SessionId, SkillPath};
use inklings_engine::Engine;
use inklings_rpc::{AnswerRef, CallContext, Code, Failure, Operation, Role};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{ask, beside_work};

const SHIPPED: &str = "consistency-checker";
const SKILL: &str = "---\nname: release-notes\ndescription: Writes release notes from a list of changes. Use before a release.\n---\n# Release notes\n\nList what users notice first.\n";
const PROMPT: &str = "Write release notes for {{ changes }}.\n";

#[derive(Debug, Deserialize)]
struct Proposed {
    proposal: ProposalId,
    files: Vec<String>,
    problems: Vec<String>,
    repair: bool,
}

struct World {
    engine: Engine,
    _folder: tempfile::TempDir,
    workspace: Option<PathBuf>,
}

impl World {
    fn new(in_workspace: bool) -> Self {
        let (engine, folder) = beside_work();
        let workspace = in_workspace.then(|| folder.path().join("work").canonicalize().unwrap());
        Self { engine, _folder: folder, workspace }
    }

    fn ask<T: Operation<App = inklings_app::App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        ask::<T>(&self.engine, self.workspace.as_deref(), params)
    }

    /// A call of the model in a chat.
    fn propose(&self, answer: AnswerRef, call: Value) -> Result<Proposed, Failure> {
        let cx = CallContext::local(self.workspace.clone(), "test");
        let cx = CallContext { answer: Some(answer), role: Role::Assistant, actor: "assistant".to_owned(), ..cx };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let reply = runtime.block_on(dispatch(self.engine.app().clone(), cx, "tool/propose_skill", call))?;
        Ok(serde_json::from_value(reply).unwrap())
    }

    fn review(&self, id: ProposalId) -> ProposalReview {
        self.ask::<ReviewProposal>(ProposalRef { id }).unwrap()
    }

    fn accept(&self, id: ProposalId, paths: Option<&[&str]>) -> Result<AcceptedProposal, Failure> {
        let paths = paths.map(|paths| paths.iter().map(|path| SkillPath::parse(path).unwrap()).collect());
        self.ask::<Accept>(AcceptParams { id, reason: None, paths, scope: None })
    }

    fn get(&self, skill: &str) -> Result<SkillDetail, Failure> {
        self.ask::<Get>(SkillRef { skill: skill.to_owned(), scope: None })
    }

    fn write(&self, skill: &SkillDetail, path: &str, text: &str) {
        let changes = vec![Change::Write { path: SkillPath::parse(path).unwrap(), text: text.to_owned() }];
        let (skill, expected) = (skill.summary.slug.to_string(), skill.summary.revision);
        self.ask::<Edit>(EditParams { skill, scope: None, expected, changes, why: None }).unwrap();
    }

    fn slugs(&self) -> Vec<String> {
        let skills = self.ask::<List>(ListParams { view: ListView::All }).unwrap().skills;
        skills.into_iter().map(|skill| skill.slug.to_string()).collect()
    }
}

fn answer() -> AnswerRef {
    AnswerRef { session: SessionId::new(Uuid::new_v4()), message: MessageId::new(Uuid::new_v4()) }
}

fn call(name: &str, files: &[(&str, Option<&str>)]) -> Value {
    let files: Vec<Value> = files.iter().map(|(path, content)| json!({"path": path, "content": content})).collect();
    json!({"name": name, "summary": "Release notes", "files": files})
}

fn revising(id: ProposalId, mut call: Value) -> Value {
    call["proposal"] = json!(id);
    call
}

fn new_skill() -> Value {
    call("release-notes", &[("SKILL.md", Some(SKILL)), ("prompts/notes.j2", Some(PROMPT))])
}

#[test]
fn an_accepted_skill_is_of_a_model_with_consent() {
    for in_workspace in [false, true] {
        let world = World::new(in_workspace);
        let before = world.slugs();
        let proposed = world.propose(answer(), new_skill()).unwrap();
        assert_eq!((proposed.repair, proposed.problems.len(), proposed.files.len()), (false, 0, 3), "{proposed:?}");
        assert_eq!(world.slugs(), before, "nothing is written before it is accepted");
        let review = world.review(proposed.proposal);
        assert_eq!((review.new_skill, review.stale, review.diagnostics.len()), (true, false, 0), "{review:?}");
        assert!(review.files.iter().all(|file| file.change.before.is_none() && !file.edited));
        let done = world.accept(proposed.proposal, None).unwrap();
        assert_eq!((done.skill.as_str(), done.revision, done.forked), ("release-notes", 1, false));
        let skill = world.get("release-notes").unwrap();
        let summary = &skill.summary;
        let scope = if in_workspace { Scope::Workspace } else { Scope::Account };
        assert_eq!((summary.scope, summary.origin, summary.lifecycle, summary.trust_tier), (scope, Origin::Llm, Lifecycle::Verified, 2));
        let again = world.accept(proposed.proposal, None).unwrap_err();
        assert_eq!((again.code, again.message.contains("accepted")), (Code::RevisionConflict, true), "{again:?}");
        assert_eq!(world.ask::<ListProposals>(ProposalListParams::default()).unwrap().open, 0);
    }
}

#[test]
fn an_invalid_proposal_comes_back_three_times_and_then_goes_to_the_user() {
    let world = World::new(false);
    let one = answer();
    let broken = |n: usize| call("release-notes", &[("SKILL.md", Some(SKILL)), ("prompts/notes.j2", Some(&"{% if %}".repeat(n)))]);
    let mut seen = Vec::new();
    for n in 1..=5 {
        let proposed = world.propose(one, broken(n)).unwrap();
        assert_eq!(proposed.repair, !proposed.problems.is_empty());
        seen.push((proposed.proposal, proposed.repair));
    }
    assert_eq!(seen.iter().map(|(_, repair)| *repair).collect::<Vec<_>>(), [true, true, true, false, false]);
    assert!(seen.iter().all(|(id, _)| *id == seen[0].0), "one proposal is revised");
    let id = seen[0].0;
    let review = world.review(id);
    assert!(review.diagnostics.iter().any(|one| one.is_error() && one.file.as_deref() == Some("prompts/notes.j2")), "{review:?}");
    let refused = world.accept(id, None).unwrap_err();
    assert_eq!((refused.code, world.get("release-notes").is_err()), (Code::Invalid, true), "{refused:?}");
    // The next message of the user is another chance.
    let next = AnswerRef { message: MessageId::new(Uuid::new_v4()), ..one };
    assert!(world.propose(next, broken(6)).unwrap().repair);
    let fixed = revising(id, call("release-notes", &[("prompts/notes.j2", Some(PROMPT))]));
    let fixed = world.propose(next, fixed).unwrap();
    assert_eq!((fixed.repair, fixed.files.len()), (false, 3), "files that aren't sent again stay proposed");
    world.accept(id, None).unwrap();
}

#[test]
fn python_and_fallbacks_are_checked_too() {
    let world = World::new(false);
    let problems = |path: &str, text: &str| {
        let proposed = world.propose(answer(), call("release-notes", &[("SKILL.md", Some(SKILL)), (path, Some(text))])).unwrap();
        assert!(proposed.repair, "{path}: {proposed:?}");
        proposed.problems.join("\n")
    };
    let python = problems("scripts/count.py", "import inklings\ndef f(:\n    pass\ninklings.submit(1)\n");
    assert!(python.contains("scripts/count.py:2"), "{python}");
    let module = problems("dspy/notes.json", r#"{"template_id": "predict", "signature": "changes: str -> notes: str"}"#);
    assert!(module.contains("fallback"), "{module}");
    assert!(problems("dspy/notes.json", r#"{"template_id": "predict", "signature": "changes ->"}"#).contains("signature"));
}

#[test]
fn variables_that_nothing_declares_go_back_to_the_model() {
    let world = World::new(false);
    let declared = r#"{"artifacts": [{"path": "prompts/notes.j2", "kind": "prompt_template", "name": "Notes",
        "metadata": {"params": {"type": "object", "properties": {"changes": {"type": "string"}}}}}]}"#;
    let files =
        |prompt| call("release-notes", &[("SKILL.md", Some(SKILL)), ("skill.json", Some(declared)), ("prompts/notes.j2", Some(prompt))]);
    let one = answer();
    let proposed = world.propose(one, files("Write notes for\n{{ changes }} in a {{ tone }} tone.\n")).unwrap();
    assert!(proposed.repair, "{proposed:?}");
    assert!(proposed.problems[0].starts_with("prompts/notes.j2:2: the parameters don't declare \"tone\""), "{proposed:?}");
    let corrected = world.propose(one, files(PROMPT)).unwrap();
    assert_eq!((corrected.repair, corrected.problems.len()), (false, 0), "{corrected:?}");
}

#[test]
fn a_part_is_checked_by_itself() {
    let world = World::new(false);
    let id = world.propose(answer(), new_skill()).unwrap().proposal;
    let without = world.accept(id, Some(&["prompts/notes.j2"])).unwrap_err();
    assert_eq!(without.code, Code::Invalid, "{without:?}");
    assert_eq!(world.accept(id, Some(&[])).unwrap_err().code, Code::Invalid);
    assert!(world.accept(id, Some(&["other.md"])).unwrap_err().message.contains("other.md"));
    assert_eq!(world.review(id).proposal.status, ProposalStatus::Open);
    // Without the prompt there is nothing to declare.
    world.accept(id, Some(&["SKILL.md", "skill.json"])).unwrap();
    let paths: Vec<_> = world.get("release-notes").unwrap().entries.iter().map(|entry| entry.path.to_string()).collect();
    assert!(!paths.contains(&"prompts/notes.j2".to_owned()), "{paths:?}");
}

#[test]
fn a_change_is_edited_by_the_user_and_refused_once_the_skill_moved() {
    for in_workspace in [false, true] {
        let world = World::new(in_workspace);
        let (one, created) = (answer(), world.propose(answer(), new_skill()).unwrap());
        world.accept(created.proposal, None).unwrap();
        let changed = PROMPT.replace("Write", "Draft");
        let change = call(
            "release-notes",
            &[("prompts/notes.j2", Some(&changed)), ("approach/tone.md", Some("Be brief.\n")), ("SKILL.md", Some(SKILL))],
        );
        let proposed = world.propose(one, change.clone()).unwrap();
        assert_eq!(proposed.files, ["approach/tone.md", "prompts/notes.j2", "skill.json"], "an unchanged file isn't proposed");
        let id = proposed.proposal;
        let path = SkillPath::parse("prompts/notes.j2").unwrap();
        let edited = PROMPT.replace("Write", "Compose");
        let review = world.ask::<EditProposal>(EditProposalParams { id, path, content: edited.clone() }).unwrap();
        let file = review.files.iter().find(|file| file.change.path == "prompts/notes.j2").unwrap();
        assert_eq!((file.edited, file.change.after.as_deref(), file.change.before.as_deref()), (true, Some(edited.as_str()), Some(PROMPT)));
        let mut skill = world.get("release-notes").unwrap();
        world.write(&skill, "README.md", "Other work.\n");
        assert!(world.review(id).stale);
        let refused = world.accept(id, None).unwrap_err();
        assert_eq!(refused.code, Code::RevisionConflict, "{refused:?}");
        let revised = revising(id, call("release-notes", &[("approach/tone.md", Some("Be short.\n"))]));
        assert_eq!(world.propose(one, revised).unwrap_err().code, Code::RevisionConflict);
        skill = world.get("release-notes").unwrap();
        assert_eq!(skill.summary.revision, 2);
        // Proposed again, it is for the skill as it is now.
        assert_eq!(world.propose(one, change).unwrap().proposal, id);
        let done = world.accept(id, Some(&["prompts/notes.j2"])).unwrap();
        assert_eq!(done.revision, 3);
        let paths: Vec<_> = world.get("release-notes").unwrap().entries.iter().map(|entry| entry.path.to_string()).collect();
        assert!(paths.contains(&"README.md".to_owned()) && !paths.contains(&"approach/tone.md".to_owned()), "{paths:?}");
    }
}

#[test]
fn a_locked_skill_is_copied_and_changed() {
    for in_workspace in [false, true] {
        let world = World::new(in_workspace);
        let main = world.engine.app().catalog(&CallContext::local(world.workspace.clone(), "test")).unwrap();
        let shipped = main.require(SHIPPED, None).unwrap();
        let text = shipped.package.tree().get(&shipped.package.main_path).unwrap().text().unwrap().replace("## Inputs", "## Values");
        let json = shipped.package.sources.skill_json.clone().unwrap().replace("\"quality\"", "\"prose\"");
        let id = world.propose(answer(), call(SHIPPED, &[("SKILL.md", Some(&text)), ("skill.json", Some(&json))])).unwrap().proposal;
        let done = world.accept(id, None).unwrap();
        let name = if in_workspace { SHIPPED.to_owned() } else { format!("{SHIPPED}-copy") };
        assert_eq!((done.skill.as_str(), done.revision, done.forked), (name.as_str(), 2, true));
        let skill = world.get(&name).unwrap();
        assert!(skill.summary.tags.contains(&"prose".to_owned()), "{:?}", skill.summary.tags);
        assert!(
            !world
                .ask::<Get>(SkillRef { skill: SHIPPED.to_owned(), scope: Some(Scope::Account) })
                .unwrap()
                .summary
                .tags
                .contains(&"prose".to_owned())
        );
    }
}

#[test]
fn files_are_declared_by_their_paths_and_with_them_forgotten() {
    let world = World::new(false);
    let one = answer();
    let mut with_module = new_skill();
    let module = json!({"template_id": "predict", "signature": "changes: str -> notes: str"}).to_string();
    with_module["files"]
        .as_array_mut()
        .unwrap()
        .push(json!({"path": "dspy/notes.json", "content": module, "fallback": "prompts/notes.j2"}));
    let proposed = world.propose(one, with_module).unwrap();
    assert_eq!(proposed.files, ["SKILL.md", "dspy/notes.json", "prompts/notes.j2", "skill.json"], "{proposed:?}");
    assert!(!proposed.repair, "{proposed:?}");
    world.accept(proposed.proposal, None).unwrap();
    let kinds = || {
        let catalog = world.engine.app().catalog(&CallContext::local(None, "test")).unwrap();
        catalog.require("release-notes", None).unwrap().package.artifacts.iter().map(|artifact| artifact.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(), [ArtifactKind::Description, ArtifactKind::DspyModule, ArtifactKind::PromptTemplate]);
    let removed = call("release-notes", &[("dspy/notes.json", None)]);
    let proposed = world.propose(one, removed).unwrap();
    assert_eq!((proposed.repair, proposed.files), (false, vec!["dspy/notes.json".to_owned(), "skill.json".to_owned()]));
    world.accept(proposed.proposal, None).unwrap();
    assert_eq!(kinds(), [ArtifactKind::Description, ArtifactKind::PromptTemplate]);
}

#[test]
fn a_chat_revises_its_own_proposals_only() {
    let world = World::new(false);
    let id = world.propose(answer(), new_skill()).unwrap().proposal;
    let revised = revising(id, call("release-notes", &[("README.md", Some("x"))]));
    assert_eq!(world.propose(answer(), revised).unwrap_err().code, Code::NotFound);
    let other = world.propose(answer(), new_skill()).unwrap().proposal;
    assert_ne!(id, other);
    world.accept(id, None).unwrap();
    assert_eq!(world.accept(other, None).unwrap_err().code, Code::Exists);
    assert_eq!(world.review(other).proposal.status, ProposalStatus::Open);
}

#[test]
fn a_workspace_doesn_t_see_the_proposals_of_another() {
    let world = World::new(true);
    let id = world.propose(answer(), new_skill()).unwrap().proposal;
    let elsewhere = ask::<Accept>(&world.engine, None, AcceptParams { id, reason: None, paths: None, scope: None }).unwrap_err();
    assert_eq!(elsewhere.code, Code::NotFound, "{elsewhere:?}");
    assert_eq!(ask::<ReviewProposal>(&world.engine, None, ProposalRef { id }).unwrap_err().code, Code::NotFound);
    world.accept(id, None).unwrap();
}

#[test]
fn bad_proposals_are_refused_and_nothing_is_stored() {
    let world = World::new(false);
    let refused = |files: &[(&str, Option<&str>)]| world.propose(answer(), call("release-notes", files)).unwrap_err();
    assert_eq!(refused(&[]).code, Code::Invalid);
    for path in ["../up.md", "/etc/passwd", "a/../../b", "con"] {
        let error = refused(&[(path, Some("x"))]);
        assert_eq!((error.code, error.message.contains(path)), (Code::Invalid, true), "{error:?}");
    }
    assert_eq!(refused(&[("SKILL.md", None)]).code, Code::Invalid, "nothing to delete");
    assert_eq!(refused(&[("SKILL.md", Some(&"x".repeat(2 << 20)))]).code, Code::Limit);
    assert_eq!(world.propose(answer(), call("Not A Name!", &[("SKILL.md", Some(SKILL))])).unwrap_err().code, Code::Invalid);
    assert_eq!(world.ask::<ListProposals>(ProposalListParams::default()).unwrap().open, 0);
}

#[test]
fn a_prompt_becomes_a_module_with_itself_as_the_fallback() {
    let world = World::new(true);
    let created = world.propose(answer(), new_skill()).unwrap();
    world.accept(created.proposal, None).unwrap();
    let wrap = |prompt: Option<&str>| {
        world.ask::<WrapPrompt>(WrapPromptParams { skill: "release-notes".to_owned(), scope: None, prompt: prompt.map(str::to_owned) })
    };
    assert_eq!(wrap(Some("none")).unwrap_err().code, Code::NotFound);
    let review = wrap(None).unwrap();
    assert_eq!((review.diagnostics.len(), review.stale), (0, false), "{review:?}");
    let module = review.files.iter().find(|file| Path::new(&file.change.path).starts_with("dspy")).unwrap();
    let text = module.change.after.as_deref().unwrap();
    assert!(text.contains("changes: str -> answer: str") && text.contains("Write release notes for `changes`."), "{text}");
    world.accept(review.proposal.id, None).unwrap();
    assert_eq!(wrap(None).unwrap_err().code, Code::Exists);
}
