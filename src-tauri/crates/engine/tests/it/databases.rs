//! Databases that are checked, backed up and restored while the app uses them.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use inklings_app::features::check::{CheckAll, CheckAllParams};
use inklings_app::features::db::{Backup, BackupParams, Check, DatabaseRef, RestoreDatabase, RestoreDatabaseParams};
use inklings_app::features::skill::{Change, Create, CreateParams, Edit, EditParams, List, ListParams};
use inklings_core::{Scope, Severity, SkillPath};
use inklings_engine::Resources;
use inklings_rpc::{BlockingOperation, CallContext, CancellationToken, Code, ProgressReporter};

use crate::support::{ask, beside_work, start};

#[test]
fn a_backup_takes_the_place_of_the_database_in_use_and_everyone_is_notified() {
    let (engine, folder) = beside_work();
    let create = |name: &str| {
        let params = CreateParams { name: name.to_owned(), description: None, content: None, scope: Some(Scope::Account) };
        ask::<Create>(&engine, None, params).unwrap();
    };
    let has = |slug: &str| ask::<List>(&engine, None, ListParams::default()).unwrap().skills.iter().any(|one| one.slug.as_str() == slug);
    create("Kept");
    let to = folder.path().display().to_string();
    let made = ask::<Backup>(&engine, None, BackupParams { scope: None, to }).unwrap();
    let copy = Path::new(&made.copy);
    assert!(copy.file_stem().unwrap().to_str().unwrap().starts_with("inklings-account-"), "{copy:?}");
    assert_eq!(copy.extension().unwrap(), "db");
    create("Later");
    assert!(has("kept") && has("later"));

    let mut changes = engine.changes();
    let done = ask::<RestoreDatabase>(&engine, None, RestoreDatabaseParams { scope: None, from: made.copy.clone() }).unwrap();
    assert!(has("kept") && !has("later"));
    // The one before is a whole database, too.
    let previous = done.previous.unwrap();
    ask::<RestoreDatabase>(&engine, None, RestoreDatabaseParams { scope: None, from: previous }).unwrap();
    assert!(has("kept") && has("later"));
    let begun = Instant::now();
    loop {
        match changes.try_recv() {
            Ok(event) if event.kind == "database" => {
                assert_eq!((event.scope, event.workspace), (Scope::Account, None));
                break;
            }
            _ => assert!(begun.elapsed() < Duration::from_secs(20), "nobody was told"),
        }
        std::thread::yield_now();
    }
    create("After all");
    assert!(ask::<Check>(&engine, None, DatabaseRef::default()).unwrap().ok);
}

#[test]
fn what_is_no_backup_of_ours_changes_nothing() {
    let (engine, folder) = beside_work();
    let wrong = folder.path().join("wrong.db");
    std::fs::write(&wrong, "not a database").unwrap();
    let restore =
        |from: &Path| ask::<RestoreDatabase>(&engine, None, RestoreDatabaseParams { scope: None, from: from.display().to_string() });
    assert!(restore(&wrong).is_err());
    fs::write(&wrong, "").unwrap();
    let empty = restore(&wrong).unwrap_err();
    assert!(empty.code == Code::Invalid && empty.message.contains("it is empty"), "{empty:?}");
    assert_eq!(restore(&folder.path().join("missing.db")).unwrap_err().code, Code::NotFound);
    assert!(ask::<Check>(&engine, None, DatabaseRef::default()).unwrap().ok);
    let workspace = DatabaseRef { scope: Some(Scope::Workspace) };
    assert!(ask::<Check>(&engine, None, workspace).unwrap_err().message.contains("no workspace is open"));
    let there = BackupParams { scope: None, to: wrong.display().to_string() };
    assert_eq!(ask::<Backup>(&engine, None, there).unwrap_err().code, Code::Exists);
}

#[test]
fn a_backup_of_the_account_is_not_restored_for_a_workspace() {
    let (engine, folder) = beside_work();
    let work = folder.path().join("work");
    let params = CreateParams { name: "Shared".to_owned(), description: None, content: None, scope: Some(Scope::Workspace) };
    ask::<Create>(&engine, Some(&work), params).unwrap();
    let back_up = |scope: Scope| {
        let to = folder.path().join(format!("{scope}.db")).display().to_string();
        ask::<Backup>(&engine, Some(&work), BackupParams { scope: Some(scope), to }).unwrap().copy
    };
    let restore = |from: String| {
        let params = RestoreDatabaseParams { scope: Some(Scope::Workspace), from };
        ask::<RestoreDatabase>(&engine, Some(&work), params)
    };
    let refused = restore(back_up(Scope::Account)).unwrap_err();
    assert!(refused.code == Code::Invalid && refused.message.contains("backup of the account"), "{refused:?}");
    restore(back_up(Scope::Workspace)).unwrap();
}

#[test]
fn only_the_owner_can_open_the_folder_of_the_account_and_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    drop(start(&home, Resources::at("/nonexistent")));
    assert_eq!(mode(&home), 0o700);
    // As an earlier version created it.
    fs::set_permissions(&home, Permissions::from_mode(0o755)).unwrap();
    let engine = start(&home, Resources::at("/nonexistent"));
    assert_eq!(mode(&home), 0o700);
    let params = CreateParams { name: "Kept".to_owned(), description: None, content: None, scope: Some(Scope::Account) };
    ask::<Create>(&engine, None, params).unwrap();
    let to = folder.path().join("copy.db").display().to_string();
    let backup = ask::<Backup>(&engine, None, BackupParams { scope: None, to }).unwrap();
    assert_eq!(mode(Path::new(&backup.copy)), 0o600);
}

#[test]
fn a_restore_that_is_stopped_on_the_way_leaves_the_database_in_use_as_it_is() {
    let (engine, folder) = beside_work();
    let to = folder.path().join("copy.db").display().to_string();
    ask::<Backup>(&engine, None, BackupParams { scope: None, to: to.clone() }).unwrap();
    let mut changes = engine.changes();
    let files = || {
        let mut names: Vec<_> =
            std::fs::read_dir(engine.app().workspaces.account_dir()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = files();
    let cancel = CancellationToken::new();
    let on_first_report = cancel.clone();
    let progress = ProgressReporter::new(move |_| on_first_report.cancel());
    let cx = CallContext::local(None, "test").with_control(cancel, progress);
    let refused = RestoreDatabase::run(engine.app(), &cx, RestoreDatabaseParams { scope: None, from: to }).unwrap_err();
    assert_eq!(refused.code, Code::Cancelled, "{refused:?}");
    assert_eq!(files(), before);
    // The database stays the one that is followed.
    ask::<Create>(&engine, None, CreateParams { name: "After".to_owned(), description: None, content: None, scope: None }).unwrap();
    let begun = Instant::now();
    loop {
        if let Ok(event) = changes.try_recv() {
            assert_ne!(event.kind, "database");
            if event.kind == "skill" {
                break;
            }
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "its changes aren't told any more");
        std::thread::yield_now();
    }
}

#[test]
fn findings_are_those_of_the_restored_skills() {
    let (engine, folder) = beside_work();
    let to = folder.path().join("copy.db").display().to_string();
    let made =
        ask::<Create>(&engine, None, CreateParams { name: "Checked".to_owned(), description: None, content: None, scope: None }).unwrap();
    ask::<Backup>(&engine, None, BackupParams { scope: None, to: to.clone() }).unwrap();
    let write = |text: &str| {
        let path = SkillPath::parse("SKILL.md").unwrap();
        let changes = vec![Change::Write { path, text: text.to_owned() }];
        ask::<Edit>(&engine, None, EditParams { skill: "checked".to_owned(), scope: None, expected: 1, changes, why: None }).unwrap();
    };
    let problems = || {
        let all = ask::<CheckAll>(&engine, None, CheckAllParams { least: Some(Severity::Hint), ..CheckAllParams::default() }).unwrap();
        all.skills.iter().filter(|one| one.id == made.summary.id).map(|one| one.diagnostics.len()).sum::<usize>()
    };
    write("---\nname: checked\ndescription: Checks a text for repeated words. Use when a draft is done.\n---\n\nRead it twice.\n");
    let sound = problems();
    ask::<RestoreDatabase>(&engine, None, RestoreDatabaseParams { scope: None, from: to }).unwrap();
    // The same number of revision, and another text.
    write("---\nname: checked\n---\n\n[Missing](missing.md)\n");
    assert!(problems() > sound);
}
