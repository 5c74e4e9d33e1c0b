//! Databases written by older builds (`tests/fixtures/databases`).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_core::access::{AccessStore as _, RemoteRole};
use inklings_core::binding::{Bindings as _, TargetKind};
use inklings_core::change::RevisionFilter;
use inklings_core::chat::{Consent, MessageStatus};
use inklings_core::eval::{EvalFilter, EvalOutcome, EvalStatus};
use inklings_core::manifest::ActionMode;
use inklings_core::proposal::{ProposalFilter, ProposalStatus};
use inklings_core::reliability::Judgement;
use inklings_core::trace::{SkillSum, TraceFilter};
use inklings_core::user::{CheckpointKey, Checkpoints as _, InputKey};
use inklings_core::{
    Actions as _, Agents as _, CancellationToken, Chats as _, Digest, EvalStore as _, MarketplaceStore as _, Proposals as _,
    ResponseCache as _, Scope, SkillLinks as _, SkillStorageRepository as _, Slug, StorageError, TraceStatus, TraceStore as _, TreeFile,
    UserData as _,
};
use inklings_folder::Folder;
use inklings_sqlite::backup;
use inklings_store::{ChangeFeed, SCHEMA, Store};
use rusqlite::Connection;

use crate::support::{Ids, Ticks, changes, path};

/// A fixture, unpacked into a temporary folder.
fn unpacked(version: &str) -> (tempfile::TempDir, PathBuf) {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../../tests/fixtures/databases/agents-v{version}.db.zst"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("agents.db");
    std::fs::write(&file, zstd::decode_all(std::fs::File::open(packed).unwrap()).unwrap()).unwrap();
    (folder, file)
}

fn open(file: &Path) -> Store {
    let folder = Arc::new(Folder::new(Arc::new(Ids::default())));
    Store::open(Scope::Account, file, "test", Arc::new(Ticks::default()), folder).unwrap()
}

/// Ids of a table in the older schema.
fn texts(file: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(file).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// Contents of all versions: skills with their parts, and drafts.
fn assert_keeps_everything(version: &str) {
    let (_folder, file) = unpacked(version);
    let id = if version == "1" { "id" } else { "lower(hex(id))" };
    let mut ids = texts(&file, &format!("SELECT replace({id}, '-', '') FROM skill_artifacts"));
    ids.sort();
    let last: i64 = texts(&file, "SELECT CAST(max(seq) AS TEXT) FROM changes")[0].parse().unwrap();
    let store = open(&file);
    assert_eq!(backup::backups(&file).len(), usize::from(version != NEWEST));
    assert!(backup::check(&file, &CancellationToken::new()).unwrap().is_empty());
    assert!(texts(&file, "SELECT \"table\" FROM pragma_foreign_key_check").is_empty());

    let listed = store.list_skills().unwrap();
    assert_eq!(listed.len(), 7);
    assert!(!listed.iter().find(|skill| skill.slug.as_str() == "timeline-consistency").unwrap().enabled);
    let mut found: Vec<_> = listed
        .iter()
        .flat_map(|skill| store.get_artifacts(skill.id, &[]).unwrap())
        .inspect(|artifact| assert_eq!(store.get_artifact(artifact.id).unwrap().as_ref(), Some(artifact)))
        .map(|artifact| artifact.id.to_string().replace('-', ""))
        .collect();
    found.sort();
    assert_eq!(found, ids);
    // The folder's hash shows that it is unchanged.
    for skill in &listed {
        let now = store.present(skill.id).unwrap();
        assert_eq!(now.package.tree(), store.revision_tree(skill.id, skill.revision).unwrap(), "{}", skill.slug);
    }

    let notes = store.get_skill_by_name("team-notes").unwrap().unwrap();
    let tree = notes.package.tree();
    assert_eq!(tree[&path("Prompts/Write.j2")].text(), Some("Write {{ notes }} up for {{ week }}, briefly.\n"));
    assert_eq!(tree[&path("assets/logo.png")], TreeFile::new(*b"\x89PNG\r\n\x1a\n\0\x01"));
    assert_eq!(notes.package.relations[0].target, "consistency-checker");
    assert_eq!(store.dependents(&[("consistency-checker".parse().unwrap(), String::new())]).unwrap(), [["team-notes"]]);
    assert_eq!(
        store
            .revisions(notes.head.id, &RevisionFilter::default(), 10)
            .unwrap()
            .revisions
            .iter()
            .map(|one| one.why.as_str())
            .collect::<Vec<_>>(),
        ["deleted run.sh", "shorter", "imported from /home/ann/skills/Team-Notes"]
    );
    let before = store.revision_tree(notes.head.id, 2).unwrap();
    assert!(before[&path("run.sh")].executable);
    let deleted = texts(&file, "SELECT skill_id FROM skill_revisions WHERE slug = 'gone' LIMIT 1")[0].parse().unwrap();
    assert_eq!(store.deleted(deleted).unwrap().unwrap().slug.as_str(), "gone");

    assert_eq!(store.drafts("", notes.head.id).unwrap()[0].content, "typed but not saved");
    let key = InputKey { workspace: "", slug: &notes.package.slug, path: &path("Prompts/Write.j2") };
    assert_eq!(store.inputs(key).unwrap().len(), 1);
    assert_eq!(store.settings().unwrap()["theme"], "dark");
    assert_eq!(store.recent_workspaces().unwrap().len(), 1);

    // The feed continues, and writes work.
    let mut feed = ChangeFeed::new(&store).unwrap();
    store.set_enabled(notes.head.id, false, "local").unwrap();
    assert_eq!(changes(&mut feed, &store).iter().map(|change| change.seq).collect::<Vec<_>>(), [last + 1]);
    store.delete_skill(notes.head.id, "local").unwrap();
    let parts = "SELECT CAST(count(*) AS TEXT) FROM skill_artifacts JOIN skills ON key = skill WHERE slug = 'team-notes'";
    assert_eq!(texts(&file, parts), ["0"]);
}

/// The version that this build writes.
const NEWEST: &str = "13";

#[test]
fn every_version_that_landed_has_a_database_and_keeps_everything() {
    assert_eq!(NEWEST.parse(), Ok(SCHEMA.version()), "a new version needs a database in tests/fixtures/databases");
    for version in ["1", "2", "3", "3a", "3b", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"] {
        println!("version {version}");
        assert_keeps_everything(version);
        assert_keeps_its_runs(version);
    }
}

#[test]
fn links_came_with_version_7() {
    for (version, folders) in [("6", Vec::new()), ("7", vec!["/home/ann/.claude/skills/team-notes"])] {
        let (_folder, file) = unpacked(version);
        let links = open(&file).links("").unwrap();
        assert_eq!(links.iter().map(|link| link.folder.to_str().unwrap()).collect::<Vec<_>>(), folders);
        assert!(links.iter().all(|link| link.base.files.len() == 1));
    }
}

#[test]
fn chats_came_with_version_8() {
    assert!(open(&unpacked("7").1).chats("", "", 9).unwrap().is_empty());
    let (_folder, file) = unpacked("8");
    let store = open(&file);
    let found = store.chats("", "MINUTES", 9).unwrap();
    assert_eq!(
        found.iter().map(|chat| (chat.session.title.as_str(), chat.messages, chat.usage.cost)).collect::<Vec<_>>(),
        [("How long does tea take?", 2, Some(0.25))]
    );
    assert!(store.chats("", "coffee", 9).unwrap().is_empty() && store.chats("/elsewhere", "", 9).unwrap().is_empty());
    let messages = store.chat_messages(found[0].session.id).unwrap();
    assert_eq!((messages[0].content.attachments[0].name.as_str(), messages[0].status), ("größe.md", MessageStatus::Done));
    assert_eq!((messages[1].steps.len(), messages[1].status), (4, MessageStatus::Interrupted), "its process ended");
    let skill = store.get_skill_by_name("team-notes").unwrap().unwrap().head.id.to_string();
    assert!(store.is_granted(Consent { tool: "update_skill", skill: Some(&skill), session: None }).unwrap());
    assert!(!store.is_granted(Consent { tool: "run_skill", skill: Some(&skill), session: None }).unwrap());
    let agent = store.agent("brewer").unwrap().unwrap();
    assert_eq!((agent.skills[0].slug.as_str(), agent.profile.only), ("team-notes", true));
    assert_eq!(store.notes("").unwrap(), "I write ISO dates.");
    assert!(store.delete_chat(found[0].session.id).unwrap() && store.delete_agent("brewer").unwrap());
    assert!(store.chat_messages(found[0].session.id).unwrap().is_empty());
}

#[test]
fn judgements_of_answers_came_with_version_9() {
    let signals = |version: &str| {
        let (folder, file) = unpacked(version);
        let store = open(&file);
        (store.usage().unwrap().first().map(|one| one.signals), store, folder)
    };
    assert_eq!(signals("8").0, None);
    let (Some(before), store, _folder) = signals("9") else { panic!("one skill was used") };
    assert_eq!((before.invocations, before.outcomes, before.successes, before.judged, before.accepted), (3, 2, 2, 1, 1));
    let answer = "0192f0c0-0000-7000-8000-000000000003".parse().unwrap();
    store.judge_loads(answer, Judgement::Marked(None)).unwrap();
    let after = store.usage().unwrap()[0].signals;
    assert_eq!((after.invocations, after.outcomes, after.successes, after.judged, after.accepted), (3, 1, 1, 0, 0));
    assert!((after.utility - 0.6).abs() < 1e-6, "{after:?}");
}

#[test]
fn evals_came_with_version_10() {
    assert!(open(&unpacked("9").1).eval_runs(&EvalFilter::default(), 9).unwrap().is_empty());
    let (_folder, file) = unpacked("10");
    let store = open(&file);
    let runs = store.eval_runs(&EvalFilter::default(), 9).unwrap();
    assert_eq!(runs.iter().map(|run| run.status).collect::<Vec<_>>(), [EvalStatus::Interrupted], "its process ended");
    assert_eq!(runs[0].plan["cases"][0], "größer");
    let results = store.eval_results(runs[0].id).unwrap();
    assert_eq!(results.iter().map(|one| (one.outcome, one.judge_usage.cost)).collect::<Vec<_>>(), [(EvalOutcome::Passed, Some(0.25))]);
    assert_eq!(store.response(Digest::of(b"kept")).unwrap().unwrap().completion.text, "größer");
}

#[test]
fn actions_came_with_version_11() {
    assert!(open(&unpacked("10").1).actions().unwrap().is_empty());
    let (_folder, file) = unpacked("11");
    let actions = open(&file).actions().unwrap();
    let found = actions.iter().map(|one| (one.slug.as_str(), one.skill.as_ref().map(Slug::as_str), one.mode, one.enabled));
    let expected = [("optimize-skill", None, ActionMode::Manual, false), ("weekly-report", Some("team-notes"), ActionMode::Trigger, true)];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    assert_eq!((actions[1].scope, actions[1].artifact.as_deref()), (Some(Scope::Account), Some("Prompts/Write.j2")));
    assert_eq!(actions[1].params["notes"], "größer");
    assert_eq!(actions[1].model.as_ref().unwrap().to_string(), "local/tiny");
}

#[test]
fn tokens_and_the_audit_log_came_with_version_12() {
    let before = open(&unpacked("11").1);
    assert_eq!((before.tokens().unwrap(), before.audit(9).unwrap()), (Vec::new(), Vec::new()));
    let (_folder, file) = unpacked("12");
    let store = open(&file);
    let tokens = store.tokens().unwrap();
    let found = tokens.iter().map(|one| (one.name.as_str(), one.role, one.external, one.revoked_at.is_some(), one.last_used_at.is_some()));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [("laptop", RemoteRole::Editor, false, false, true), ("partner", RemoteRole::Viewer, true, true, false)]
    );
    let (_, hash) = store.token("aaaaaaaa").unwrap().unwrap();
    assert_eq!(hash, Digest::of(b"inklings_aaaaaaaa_secret"));
    let audit = store.audit(9).unwrap();
    let found = audit.iter().map(|one| (one.operation.as_str(), one.code.as_deref()));
    assert_eq!(found.collect::<Vec<_>>(), [("skill/delete", Some("forbidden")), ("skill/edit", None)]);
}

/// `3` of `3a`.
fn number(version: &str) -> u32 {
    version.trim_end_matches(char::is_alphabetic).parse().unwrap()
}

#[test]
fn optimizations_have_the_names_of_dspy_since_version_10() {
    let (_folder, file) = unpacked("9");
    let before = r#"{"held_out":{"before":0,"after":1},"training_data":[{"inputs":{}}],"held_out_data":[],"seed":7}"#;
    Connection::open(&file).unwrap().execute("UPDATE proposals SET body = ?1 WHERE status = 'open'", [before]).unwrap();
    let store = open(&file);
    let expected =
        serde_json::json!({ "validation": { "before": 0, "after": 1 }, "trainset": [{ "inputs": {} }], "valset": [], "seed": 7 });
    assert_eq!(store.proposals(&ProposalFilter::default()).unwrap()[1].body, expected);
}

/// Traces came with version 3, without what scripts leave at first; proposals with version 4.
fn assert_keeps_its_runs(version: &str) {
    let (_folder, file) = unpacked(version);
    let store = open(&file);
    let traces = store.traces(&TraceFilter::default(), None, 9).unwrap().items;
    if number(version) < 3 {
        assert_eq!(traces, []);
        return;
    }
    assert_eq!(traces.iter().map(|trace| trace.status).collect::<Vec<_>>(), [TraceStatus::Ok, TraceStatus::Error, TraceStatus::Ok]);
    let (last, failed, first) = (&traces[0], &traces[1], &traces[2]);
    assert_eq!(first.params.as_ref().unwrap()["notes"], "größer");
    assert_eq!(first.raw_output.as_deref(), Some("Done: größer. ".repeat(40).as_str()));
    assert_eq!((first.usage.cost, first.assertions_run, first.assertions_passed), (Some(0.25), 2, 1));
    assert_eq!(last.parent_run_id, Some(first.run_id));
    assert_eq!(failed.error.as_deref(), Some("the script stopped"));
    let (scored, logged) = (version != "3a", version != "3a" && version != "3b");
    assert_eq!((failed.cut_off, first.score), (scored, scored.then_some(0.5)));
    assert_eq!(failed.log.as_deref(), logged.then_some("looked at two pages\n"));
    assert_eq!(store.runs(&TraceFilter::default(), None, 9).unwrap().items.len(), 2);
    let skill = first.skill.id;
    let sums = store.skill_sums("2026-03-01T00:00:00Z".parse().unwrap()).unwrap();
    assert_eq!(sums, [SkillSum { id: skill, runs: 2, cost: Some(0.5), unpriced: 0 }]);
    let workspace = &store.recent_workspaces().unwrap()[0];
    assert!(store.is_trusted(&workspace.path).unwrap());
    let script = Digest::from_bytes(&(0..32).collect::<Vec<u8>>()).unwrap();
    let kept = store.checkpoint(CheckpointKey { workspace: "", skill, script, key: "seen" }).unwrap();
    assert_eq!(kept.is_some(), logged);

    let proposals = store.proposals(&ProposalFilter::default()).unwrap();
    if number(version) < 4 {
        assert_eq!(proposals, []);
        return;
    }
    assert_eq!(proposals.iter().map(|one| one.status).collect::<Vec<_>>(), [ProposalStatus::Accepted, ProposalStatus::Open]);
    assert_eq!(proposals[1].body["text"], "größer");
    assert_eq!(texts(&file, "SELECT subject FROM approvals WHERE actor = 'local'"), [proposals[0].id.to_string()]);

    // References came with version 6.
    let references = store.references(skill).unwrap();
    let named: Vec<_> = references.iter().map(|one| (one.target_kind, one.target_ref.as_str())).collect();
    let kept = [
        (TargetKind::Entity, "people/größer"),
        (TargetKind::Document, "https://example.org/style"),
        (TargetKind::Document, "data/costs.csv"),
    ];
    assert_eq!(named, if number(version) < 6 { &[] } else { &kept[..] });
}

#[test]
fn what_merely_looks_like_a_former_migration_is_refused() {
    let (_folder, file) = unpacked("3a");
    Connection::open(&file).unwrap().execute_batch("ALTER TABLE skill_execution_traces ADD COLUMN evil TEXT").unwrap();
    let folder = Arc::new(Folder::new(Arc::new(Ids::default())));
    let opened = Store::open(Scope::Account, &file, "test", Arc::new(Ticks::default()), folder);
    assert!(matches!(opened, Err(StorageError::Foreign { .. })));
}

#[test]
fn landed_migrations_are_as_they_landed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../migrations");
    let list = std::fs::read_to_string(folder.join("checksums.txt")).unwrap();
    let mut found: Vec<_> = ["", "superseded"]
        .iter()
        .flat_map(|sub| std::fs::read_dir(folder.join(sub)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .map(|path| {
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
            format!("{}  {name}", Digest::of(&std::fs::read(&path).unwrap()))
        })
        .collect();
    found.sort_by(|one, other| one[66..].cmp(&other[66..]));
    assert_eq!(found, list.lines().collect::<Vec<_>>(), "a landed migration is never edited: append a new one and its checksum");
    let landed = found.iter().filter(|line| !line.contains('/')).count();
    assert_eq!(landed, SCHEMA.migrations.len());
}

#[test]
fn registries_came_with_version_13() {
    assert!(open(&unpacked("12").1).registries().unwrap().is_empty());
    let (_folder, file) = unpacked("13");
    let store = open(&file);
    let registry = store.registries().unwrap().remove(0);
    assert_eq!((registry.id.as_str(), registry.priority, registry.mirrors.len()), ("skills.example.org", 5, 1));
    assert!(registry.last_sync.unwrap().failure.unwrap().is_offline);
    let installed = store.installed_skills().unwrap().remove(0);
    assert_eq!((installed.slug.as_str(), installed.is_pinned), ("team-notes", true));
    let head = store.get_skill(installed.skill).unwrap().unwrap().head;
    assert_eq!(head.package, Some(installed.package));
}
