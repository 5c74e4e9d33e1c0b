//! Files that older builds wrote, as they wrote them (`tests/fixtures/databases`).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_core::change::RevisionFilter;
use inklings_core::trace::SkillSum;
use inklings_core::user::InputKey;
use inklings_core::{Entry, Scope, SkillStorageRepository as _, TraceStore as _, UserData as _};
use inklings_folder::Folder;
use inklings_sqlite::{Create, Database, Schema, backup};
use inklings_store::{Feed, SCHEMA, Store};
use rusqlite::Connection;

use crate::support::{Ids, Ticks, path};

/// A fixture, unpacked into a folder of its own.
fn unpacked(version: u32) -> (tempfile::TempDir, PathBuf) {
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

/// Ids of a table, as the older schema wrote them.
fn texts(file: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(file).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn version_1_keeps_everything() {
    let (_folder, file) = unpacked(1);
    let ids = texts(&file, "SELECT id FROM skill_artifacts ORDER BY id");
    let last: i64 = texts(&file, "SELECT CAST(max(seq) AS TEXT) FROM changes")[0].parse().unwrap();
    let store = open(&file);
    assert_eq!(backup::backups(&file).len(), 1);
    assert!(backup::check(&file).unwrap().is_empty());
    assert!(texts(&file, "SELECT \"table\" FROM pragma_foreign_key_check").is_empty());

    let listed = store.list_skills().unwrap();
    assert_eq!(listed.len(), 7);
    assert!(!listed.iter().find(|skill| skill.slug.as_str() == "timeline-consistency").unwrap().enabled);
    let mut found: Vec<_> = listed
        .iter()
        .flat_map(|skill| store.get_artifacts(skill.id, &[]).unwrap())
        .inspect(|artifact| assert_eq!(store.get_artifact(artifact.id).unwrap().as_ref(), Some(artifact)))
        .map(|artifact| artifact.id.to_string())
        .collect();
    found.sort();
    assert_eq!(found, ids);
    // A folder's hash says that no byte of it changed.
    for skill in &listed {
        let now = store.present(skill.id).unwrap();
        assert_eq!(now.package.tree(), store.revision_tree(skill.id, skill.revision).unwrap(), "{}", skill.slug);
    }

    let notes = store.get_skill_by_name("team-notes").unwrap().unwrap();
    let tree = notes.package.tree();
    assert_eq!(tree[&path("Prompts/Write.j2")].text(), Some("Write {{ notes }} up for {{ week }}, briefly.\n"));
    assert_eq!(tree[&path("assets/logo.png")], Entry::new(*b"\x89PNG\r\n\x1a\n\0\x01"));
    assert_eq!(notes.package.relations[0].target, "consistency-checker");
    assert_eq!(store.dependents(&"consistency-checker".parse().unwrap()).unwrap(), ["team-notes"]);
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
    let gone = texts(&file, "SELECT skill_id FROM skill_revisions WHERE slug = 'gone' LIMIT 1")[0].parse().unwrap();
    assert_eq!(store.deleted(gone).unwrap().unwrap().slug.as_str(), "gone");

    assert_eq!(store.drafts("", notes.head.id).unwrap()[0].content, "typed but not saved");
    let key = InputKey { workspace: "", slug: &notes.package.slug, path: &path("Prompts/Write.j2") };
    assert_eq!(store.inputs(key).unwrap().len(), 1);
    assert_eq!(store.settings().unwrap()["theme"], "dark");
    assert_eq!(store.recent_workspaces().unwrap().len(), 1);

    // The feed goes on counting, and writes work.
    let mut feed = Feed::new(&store).unwrap();
    store.set_enabled(notes.head.id, false, "local").unwrap();
    assert_eq!(feed.poll(&store).unwrap().iter().map(|change| change.seq).collect::<Vec<_>>(), [last + 1]);
    store.delete_skill(notes.head.id, "local").unwrap();
    let parts = "SELECT CAST(count(*) AS TEXT) FROM skill_artifacts JOIN skills ON key = skill WHERE slug = 'team-notes'";
    assert_eq!(texts(&file, parts), ["0"]);
}

#[test]
fn version_4_keeps_its_traces() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("agents.db");
    let older = Schema { migrations: &SCHEMA.migrations[..4], ..SCHEMA };
    let id = uuid::Uuid::from_u64_pair(7, 7).to_string();
    Database::open(&file, &older, Create::IfMissing)
        .unwrap()
        .write(|transaction| {
            transaction.execute(
                "INSERT INTO skill_execution_traces (id, session_id, run_id, skill_id, skill_scope, skill_slug, skill_revision, artifact_id,
                    artifact_kind, artifact_name, artifact_path, status, started_at, model_id, estimated_cost)
                 VALUES (?1, ?1, ?1, ?1, 'account', 'notes', 1, ?1, 'prompt_template', 'Ask', 'ask.j2', 'ok', '2026-03-01T08:00:00.000Z',
                    'model-1', 0.5)",
                [&id],
            )?;
            Ok(())
        })
        .unwrap();
    let store = open(&file);
    let sums = store.skill_sums("2026-03-01T00:00:00Z".parse().unwrap()).unwrap();
    assert_eq!(sums, [SkillSum { id: id.parse().unwrap(), runs: 1, cost: Some(0.5), unpriced: 0 }]);
    assert_eq!(store.trace(id.parse().unwrap()).unwrap().unwrap().artifact_name, "Ask");
    assert!(backup::check(&file).unwrap().is_empty());
}
