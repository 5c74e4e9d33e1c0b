//! Proposals that are edited, or whose base is pruned, between the steps of another call.

use std::sync::Arc;

use inklings_app::App;
use inklings_app::features::proposal::RebaseProposal;
use inklings_core::StorageError;

use super::rebase::file;
use super::*;
use crate::hooks::{Hooks, hooked};

const EDITED: &str = "Compose release notes for {{ changes }}.\n";
const CHANGES: [(&str, Option<&str>); 2] =
    [("prompts/notes.j2", Some("Draft release notes for {{ changes }}.\n")), ("notes.md", Some("new\n"))];

/// Calls an operation of an app that isn't the engine's.
fn run<T: Operation<App = App>>(app: &Arc<App>, workspace: Option<&Path>, params: T::Params) -> Result<T::Output, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(inklings_rpc::call::<T>(app, CallContext::local(workspace.map(Path::to_path_buf), "test"), params))
}

fn params(id: ProposalId, path: &str, content: &str) -> EditProposalParams {
    EditProposalParams { id, path: SkillPath::parse(path).unwrap(), content: content.to_owned() }
}

/// A hook that edits a file of a proposal, as another window does.
fn edit(world: &World, params: EditProposalParams) -> impl FnOnce() -> Result<(), StorageError> + Send + 'static + use<> {
    let (app, workspace) = (world.engine.app().clone(), world.workspace.clone());
    move || {
        // On another thread, since this one belongs to a runtime.
        std::thread::spawn(move || run::<EditProposal>(&app, workspace.as_deref(), params).unwrap()).join().unwrap();
        Ok(())
    }
}

#[test]
fn edits_of_two_files_at_once_are_both_kept() {
    let world = World::new(false);
    let id = world.propose(answer(), new_skill()).unwrap().proposal;
    let hooks = Hooks::default();
    let app = hooked(&world.engine, &hooks);
    hooks.before("update_proposal", edit(&world, params(id, "prompts/notes.j2", EDITED)));
    let main = SKILL.replace("first", "most");
    let review = run::<EditProposal>(&app, None, params(id, "SKILL.md", &main)).unwrap();
    assert!(hooks.are_done());
    for review in [review, world.review(id)] {
        let of = |path: &str| (file(&review, path).edited, file(&review, path).change.after.clone());
        assert_eq!(of("prompts/notes.j2"), (true, Some(EDITED.to_owned())));
        assert_eq!(of("SKILL.md"), (true, Some(main.clone())));
    }
}

#[test]
fn a_proposal_that_is_edited_while_it_is_accepted_has_to_be_reviewed_again() {
    // Skills of the account are stored together with the decision. For those of a workspace the proposal is read again before.
    for (in_workspace, method, calls_before) in [(false, "accept", 0), (true, "proposal", 1)] {
        let world = World::new(in_workspace);
        let id = world.propose(answer(), new_skill()).unwrap().proposal;
        let hooks = Hooks::default();
        let app = hooked(&world.engine, &hooks);
        hooks.before_call(method, calls_before, edit(&world, params(id, "prompts/notes.j2", EDITED)));
        let accept = AcceptParams { id, reason: None, paths: None, scope: None };
        let refused = run::<Accept>(&app, world.workspace.as_deref(), accept).unwrap_err();
        assert!(hooks.are_done());
        assert_eq!((refused.code, refused.message.contains("changed")), (Code::RevisionConflict, true), "{refused:?}");
        assert!(world.get("release-notes").is_err(), "nothing is stored");
        let review = world.review(id);
        assert_eq!((review.proposal.status, file(&review, "prompts/notes.j2").edited), (ProposalStatus::Open, true));
        world.accept(id, None).unwrap();
        assert_eq!(world.text("prompts/notes.j2").as_deref(), Some(EDITED));
    }
}

#[test]
fn an_edit_between_the_revision_and_the_decision_stays_proposed() {
    let (world, id) = World::proposing(true, &CHANGES);
    let hooks = Hooks::default();
    let app = hooked(&world.engine, &hooks);
    hooks.before("decide", edit(&world, params(id, "notes.md", "edited\n")));
    let accept = AcceptParams { id, reason: None, paths: None, scope: None };
    let accepted = run::<Accept>(&app, world.workspace.as_deref(), accept).unwrap();
    assert!(hooks.are_done());
    assert_eq!((accepted.skill.as_str(), accepted.revision), ("release-notes", 2), "what is stored is reported");
    let review = world.review(id);
    assert_eq!((review.proposal.status, review.stale, world.text("notes.md").as_deref()), (ProposalStatus::Open, true, Some("new\n")));
    let merged = world.ask::<RebaseProposal>(ProposalRef { id }).unwrap();
    assert_eq!(merged.files.iter().map(|file| file.change.path.as_str()).collect::<Vec<_>>(), ["notes.md"]);
}

#[test]
fn a_proposal_whose_base_was_pruned_is_stale_and_can_be_merged() {
    let (world, id) = World::proposing(false, &CHANGES);
    let hooks = Hooks::default();
    let app = hooked(&world.engine, &hooks);
    let prune = || hooks.before("revision_tree", || Err(StorageError::NotFound { what: "revision", name: "1".to_owned() }));
    prune();
    let review = run::<ReviewProposal>(&app, None, ProposalRef { id }).unwrap();
    assert!(hooks.are_done() && !review.stale, "the skill still has these files: {review:?}");
    let present = PROMPT.replace("notes for", "news about");
    world.write(&world.get("release-notes").unwrap(), "prompts/notes.j2", &present);
    prune();
    let review = run::<ReviewProposal>(&app, None, ProposalRef { id }).unwrap();
    let prompt = file(&review, "prompts/notes.j2");
    assert_eq!((review.stale, prompt.change.before.as_deref()), (true, Some(present.as_str())));
    prune();
    let merged = run::<RebaseProposal>(&app, None, ProposalRef { id }).unwrap();
    assert!(hooks.are_done() && !merged.stale, "{merged:?}");
    // Without the base, both versions are there to choose from.
    assert!(file(&merged, "prompts/notes.j2").conflict && !file(&merged, "notes.md").conflict, "{merged:?}");
    assert_eq!(world.text("prompts/notes.j2"), Some(present));
}
