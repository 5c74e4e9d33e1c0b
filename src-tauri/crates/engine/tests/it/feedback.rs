//! What answers in chats mean for the skills that they loaded.

use std::path::{Path, PathBuf};

use inklings_app::dispatch;
use inklings_app::features::chat::{CreateChat, CreateChatParams, MarkAnswer, MarkParams, SendMessage, SendParams};
use inklings_app::features::library::{Card, SkillQuality};
use inklings_app::features::proposal::{Accept, AcceptParams};
use inklings_app::features::search::{SearchSkills, SearchSkillsParams, SkillMatch};
use inklings_app::features::skill::{Create, CreateParams};
use inklings_app::wire::SkillRef;
use inklings_core::chat::Feedback;
use inklings_core::{ProposalId, Scope};
use inklings_engine::Engine;
use inklings_rpc::{AnswerRef, CallContext, Role};
use serde_json::{Value, json};

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

    fn work(&self) -> PathBuf {
        self.folder.path().join("work").canonicalize().unwrap()
    }

    fn create(&self, workspace: Option<&Path>, name: &str) {
        let scope = Some(if workspace.is_some() { Scope::Workspace } else { Scope::Account });
        let description = Some("Brews tea for guests.".to_owned());
        ask::<Create>(&self.engine, workspace, CreateParams { name: name.to_owned(), description, content: None, scope }).unwrap();
    }

    /// An answer in a new chat. Without a model it has no text.
    fn answer(&self, workspace: Option<&Path>) -> AnswerRef {
        let session = ask::<CreateChat>(&self.engine, workspace, CreateChatParams::default()).unwrap().id;
        let params = SendParams { session, text: "hello".to_owned(), attachments: Vec::new(), skill: None, edits: None };
        let detail = ask::<SendMessage>(&self.engine, workspace, params).unwrap();
        AnswerRef { session, message: detail.messages.last().unwrap().message.id }
    }

    /// A call of the model.
    fn call(&self, workspace: Option<&Path>, answer: AnswerRef, tool: &str, arguments: Value) -> Value {
        let cx = CallContext::local(workspace.map(Path::to_owned), "test");
        let cx = CallContext { answer: Some(answer), role: Role::Assistant, actor: "assistant".to_owned(), ..cx };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(dispatch(self.engine.app().clone(), cx, tool, arguments)).unwrap()
    }

    fn load(&self, answer: AnswerRef, skill: &str) {
        self.call(None, answer, "tool/read_skill", json!({"name": skill}));
    }

    fn mark(&self, workspace: Option<&Path>, answer: AnswerRef, feedback: Option<Feedback>) {
        let AnswerRef { session, message } = answer;
        ask::<MarkAnswer>(&self.engine, workspace, MarkParams { session, message, feedback }).unwrap();
    }

    fn quality(&self, workspace: Option<&Path>, skill: &str) -> SkillQuality {
        ask::<Card>(&self.engine, workspace, SkillRef { skill: skill.to_owned(), scope: None }).unwrap().quality
    }

    fn found(&self) -> Vec<SkillMatch> {
        let params = SearchSkillsParams { message: "brews tea for guests".to_owned(), limit: None };
        ask::<SearchSkills>(&self.engine, None, params).unwrap().skills
    }

    fn first(&self) -> String {
        self.found()[0].slug.to_string()
    }
}

fn counts(quality: SkillQuality) -> (u32, u32, u32, u32, u32) {
    (quality.uses, quality.outcomes, quality.successes, quality.judged, quality.accepted)
}

#[test]
fn the_next_search_knows_what_the_user_thinks_of_an_answer() {
    let world = World::new();
    world.create(None, "Aa Tea");
    world.create(None, "Bb Tea");
    let first = world.first();
    let (before, answer) = (world.found(), world.answer(None));
    world.load(answer, &first);
    world.call(None, answer, "tool/view_skill_artifact", json!({"skill": first, "path": "SKILL.md"}));
    let loaded = world.quality(None, &first);
    assert_eq!(counts(loaded), (1, 0, 0, 0, 0));
    assert_eq!((loaded.task_success_rate, loaded.human_acceptance_rate), (None, None));
    assert_eq!(format!("{before:?}"), format!("{:?}", world.found()), "a mere load counts neither way");
    world.mark(None, answer, Some(Feedback::Down));
    assert_ne!(world.first(), first);
    let marked = world.quality(None, &first);
    assert_eq!((counts(marked), marked.task_success_rate, marked.human_acceptance_rate), ((1, 1, 0, 1, 0), Some(0.0), Some(0.0)));
    world.mark(None, answer, Some(Feedback::Up));
    assert_eq!((world.first(), counts(world.quality(None, &first))), (first.clone(), (1, 1, 1, 1, 1)));
    assert!(world.found()[0].quality > before[0].quality);
    world.mark(None, answer, None);
    assert_eq!(format!("{before:?}"), format!("{:?}", world.found()));
    let others = before.iter().filter(|one| one.slug.as_str() != first);
    assert!(others.clone().count() > 0 && others.into_iter().all(|one| world.quality(None, one.slug.as_str()).uses == 0));
}

#[test]
fn a_skill_of_the_workspace_is_judged_in_its_own_database() {
    let world = World::new();
    let work = world.work();
    world.create(None, "Aa Tea");
    world.create(Some(&work), "Cc Tea");
    let answer = world.answer(Some(&work));
    for skill in ["aa-tea", "cc-tea"] {
        world.call(Some(&work), answer, "tool/view_skill_artifact", json!({"skill": skill}));
    }
    world.mark(Some(&work), answer, Some(Feedback::Up));
    for skill in ["aa-tea", "cc-tea"] {
        assert_eq!(counts(world.quality(Some(&work), skill)), (1, 1, 1, 1, 1), "{skill}");
    }
}

#[test]
fn an_accepted_proposal_counts_for_the_skills_of_its_answers() {
    let world = World::new();
    world.create(None, "Aa Tea");
    world.create(None, "Bb Tea");
    let (first, second, other) = (world.answer(None), world.answer(None), world.answer(None));
    let second = AnswerRef { session: first.session, ..second };
    world.load(first, "aa-tea");
    world.load(second, "bb-tea");
    world.load(other, "bb-tea");
    let text =
        "---\nname: release-notes\ndescription: Writes release notes from a list of changes. Use before a release.\n---\nList them.\n";
    let propose = |answer, text: &str| {
        let files = json!([{"path": "SKILL.md", "content": text}]);
        let made = world.call(None, answer, "tool/propose_skill", json!({"name": "release-notes", "summary": "x", "files": files}));
        serde_json::from_value::<ProposalId>(made["proposal"].clone()).unwrap()
    };
    let id = propose(first, text);
    assert_eq!(propose(second, &text.replace("List", "Sort")), id, "the same proposal is revised");
    assert_eq!(counts(world.quality(None, "aa-tea")), (1, 0, 0, 0, 0), "it isn't accepted yet");
    ask::<Accept>(&world.engine, None, AcceptParams { id, reason: None, paths: None, scope: None }).unwrap();
    assert_eq!(counts(world.quality(None, "aa-tea")), (1, 1, 1, 1, 1));
    assert_eq!(counts(world.quality(None, "bb-tea")), (2, 1, 1, 1, 1), "the third answer has nothing to do with it");
    world.mark(None, first, Some(Feedback::Down));
    assert_eq!(counts(world.quality(None, "aa-tea")), (1, 1, 0, 1, 0), "a mark outweighs it");
    world.mark(None, first, None);
    assert_eq!(counts(world.quality(None, "aa-tea")), (1, 1, 1, 1, 1));
}

#[test]
fn reading_a_skill_outside_a_chat_is_no_use() {
    let world = World::new();
    world.create(None, "Aa Tea");
    let cx = CallContext { role: Role::Assistant, ..CallContext::local(None, "test") };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(dispatch(world.engine.app().clone(), cx, "tool/read_skill", json!({"name": "aa-tea"}))).unwrap();
    assert_eq!(world.quality(None, "aa-tea").uses, 0);
}
