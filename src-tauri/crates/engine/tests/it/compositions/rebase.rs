//! Proposals that are merged with a skill that was changed meanwhile.

use inklings_app::features::proposal::{RebaseProposal, ReviewedFile};

use super::*;

const LONG: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

impl World {
    /// A skill with a long file, and a proposal that changes some of its files.
    pub(super) fn proposing(in_workspace: bool, files: &[(&str, Option<&str>)]) -> (Self, ProposalId) {
        let world = Self::new(in_workspace);
        let mut new = new_skill();
        for path in ["README.md", "notes/old.md", "notes/kept.md"] {
            new["files"].as_array_mut().unwrap().push(json!({"path": path, "content": LONG}));
        }
        let created = world.propose(answer(), new).unwrap();
        world.accept(created.proposal, None).unwrap();
        let proposed = world.propose(answer(), call("release-notes", files)).unwrap();
        (world, proposed.proposal)
    }

    fn change(&self, changes: Vec<Change>) {
        let skill = self.get("release-notes").unwrap();
        let (name, expected) = (skill.summary.slug.to_string(), skill.summary.revision);
        self.ask::<Edit>(EditParams { skill: name, scope: None, expected, changes, why: None }).unwrap();
    }

    fn rebase(&self, id: ProposalId) -> Result<ProposalReview, Failure> {
        self.ask::<RebaseProposal>(ProposalRef { id })
    }

    fn edit(&self, id: ProposalId, path: &str, text: &str) -> ProposalReview {
        let path = SkillPath::parse(path).unwrap();
        self.ask::<EditProposal>(EditProposalParams { id, path, content: text.to_owned() }).unwrap()
    }

    pub(super) fn text(&self, path: &str) -> Option<String> {
        let catalog = self.engine.app().catalog(&CallContext::local(self.workspace.clone(), "test")).unwrap();
        let tree = catalog.require("release-notes", None).unwrap().package.tree();
        tree.get(&SkillPath::parse(path).unwrap()).and_then(|file| file.text().map(str::to_owned))
    }
}

fn write(path: &str, text: &str) -> Change {
    Change::Write { path: SkillPath::parse(path).unwrap(), text: text.to_owned() }
}

pub(super) fn file<'a>(review: &'a ProposalReview, path: &str) -> &'a ReviewedFile {
    review.files.iter().find(|file| file.change.path == path).unwrap()
}

#[test]
fn what_only_one_side_changed_goes_together_and_the_rest_is_merged_by_hunk() {
    for in_workspace in [false, true] {
        let ours = LONG.replace("one", "ONE");
        let (world, id) = World::proposing(
            in_workspace,
            &[("README.md", Some(&ours)), ("notes/old.md", None), ("notes/new.md", Some("new\n")), ("notes/kept.md", None)],
        );
        let prompt = PROMPT.replace("Write", "Draft");
        world.change(vec![
            write("README.md", &LONG.replace("seven", "SEVEN")),
            write("prompts/notes.j2", &prompt),
            // A changed file wins over a deleted one.
            write("notes/kept.md", "changed\n"),
        ]);
        assert!(world.review(id).stale);
        assert_eq!(world.accept(id, None).unwrap_err().code, Code::RevisionConflict, "not before it is merged");
        let review = world.rebase(id).unwrap();
        assert_eq!((review.stale, review.files.iter().any(|file| file.conflict)), (false, false), "{review:?}");
        let paths: Vec<_> = review.files.iter().map(|file| file.change.path.as_str()).collect();
        assert_eq!(paths, ["README.md", "notes/new.md", "notes/old.md"]);
        let merged = ours.replace("seven", "SEVEN");
        let readme = &file(&review, "README.md").change;
        assert_eq!((readme.before.as_deref(), readme.after.as_deref()), (Some(&*LONG.replace("seven", "SEVEN")), Some(&*merged)));
        assert_eq!(world.get("release-notes").unwrap().summary.revision, 2, "nothing is written before it is accepted");
        assert_eq!(world.accept(id, None).unwrap().revision, 3);
        assert_eq!(world.text("README.md"), Some(merged));
        assert_eq!((world.text("prompts/notes.j2"), world.text("notes/old.md")), (Some(prompt), None));
        assert_eq!((world.text("notes/new.md").as_deref(), world.text("notes/kept.md").as_deref()), (Some("new\n"), Some("changed\n")));
    }
}

#[test]
fn overlapping_hunks_are_a_conflict_until_an_edit_resolves_them() {
    let ours = LONG.replace("two", "2");
    let (world, id) = World::proposing(false, &[("README.md", Some(&ours)), ("notes/new.md", Some("new\n"))]);
    world.edit(id, "README.md", &ours.replace("seven", "7"));
    world.change(vec![write("README.md", &LONG.replace("two", "TWO"))]);
    let review = world.rebase(id).unwrap();
    let readme = file(&review, "README.md");
    let marked = "one\n<<<<<<< proposal\n2\n||||||| before\ntwo\n=======\nTWO\n>>>>>>> present skill\nthree\nfour\nfive\nsix\n7\n";
    assert_eq!((readme.conflict, readme.edited, readme.change.after.as_deref()), (true, true, Some(marked)));
    let refused = world.accept(id, None).unwrap_err();
    assert_eq!((refused.code, refused.message.contains("README.md")), (Code::Invalid, true), "{refused:?}");
    let half = marked.replace("<<<<<<< proposal\n", "");
    assert!(file(&world.edit(id, "README.md", &half), "README.md").conflict, "a marker is left");
    // Merged again, what isn't resolved stays a conflict.
    world.change(vec![write("notes/kept.md", "changed\n")]);
    assert!(file(&world.rebase(id).unwrap(), "README.md").conflict);
    let resolved = LONG.replace("two", "2 TWO");
    assert!(!file(&world.edit(id, "README.md", &resolved), "README.md").conflict);
    world.accept(id, None).unwrap();
    assert_eq!((world.text("README.md"), world.text("notes/new.md").as_deref()), (Some(resolved), Some("new\n")));
}

#[test]
fn the_other_files_of_a_conflict_can_be_accepted_alone() {
    let (world, id) = World::proposing(false, &[("README.md", Some(&LONG.replace("two", "2"))), ("notes/new.md", Some("new\n"))]);
    world.change(vec![write("README.md", &LONG.replace("two", "TWO"))]);
    world.rebase(id).unwrap();
    world.accept(id, Some(&["notes/new.md"])).unwrap();
    assert_eq!(world.text("README.md"), Some(LONG.replace("two", "TWO")));
}

#[test]
fn a_proposal_that_is_up_to_date_stays_as_it_is() {
    let (world, id) = World::proposing(false, &[("README.md", Some("short\n"))]);
    let before = format!("{:?}", world.review(id));
    assert_eq!(format!("{:?}", world.rebase(id).unwrap()), before);
    let new = world.propose(answer(), call("other-notes", &[("SKILL.md", Some(&SKILL.replace("release-notes", "other-notes")))])).unwrap();
    assert!(world.rebase(new.proposal).unwrap().new_skill);
    world.accept(id, None).unwrap();
    assert_eq!(world.rebase(id).unwrap_err().code, Code::RevisionConflict, "it was decided");
}

#[test]
fn a_skill_that_has_the_changes_already_leaves_nothing_to_merge() {
    let (world, id) = World::proposing(false, &[("README.md", Some("short\n"))]);
    world.change(vec![write("README.md", "short\n"), write("notes/kept.md", "changed\n")]);
    let refused = world.rebase(id).unwrap_err();
    assert_eq!((refused.code, refused.message.contains("already has")), (Code::Invalid, true), "{refused:?}");
    assert_eq!(world.review(id).proposal.status, ProposalStatus::Open);
}

#[test]
fn a_merged_skill_is_validated_again() {
    let (world, id) = World::proposing(false, &[("approach/tone.md", Some("Be brief.\n"))]);
    let declared = world.text("skill.json").unwrap();
    // The proposal declares its file in a skill.json that is changed as a whole meanwhile.
    world.change(vec![write("skill.json", &declared.replace('\n', " "))]);
    let review = world.rebase(id).unwrap();
    let json = file(&review, "skill.json");
    assert!(
        json.conflict && review.diagnostics.iter().any(|one| one.is_error() && one.file.as_deref() == Some("skill.json")),
        "{review:?}"
    );
    assert!(world.accept(id, None).is_err());
}
