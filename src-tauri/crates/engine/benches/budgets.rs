//! Budgets of the store and the catalog, on real files: 10,000 skills with four artifacts each.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion, criterion_group, criterion_main};
use inklings_app::features::check::{CheckAll, CheckAllParams, ValidateParams, validate};
use inklings_app::features::file::{Find, FindParams};
use inklings_app::features::library::{LibraryParams, ListLibrary, Stats};
use inklings_app::features::link::{SyncLinks, SyncLinksParams};
use inklings_app::features::search::{SearchSkills, SearchSkillsParams};
use inklings_app::features::skill::{Import, ImportParams, ImportStatus, Tree, TreeParams};
use inklings_app::library::{LibraryQuery, LibrarySort};
use inklings_core::edit::{self, TreeEdit};
use inklings_core::trace::{Session, SessionKind, TracedSkill, Usage};
use inklings_core::{
    ArtifactKind, Clock, RunId, Scope, SessionId, SkillCatalog, SkillPath, SkillStorageRepository, Time, Trace, TraceId, TraceStatus,
};
use inklings_engine::{Engine, Options, Resources, SystemClock, SystemIds, skill_format};
use inklings_folder::Folder;
use inklings_rpc::{BlockingOperation as _, CallContext, CancellationToken, NoParams, ProgressReporter};
use inklings_store::Store;
use inklings_targets::AgentDirs;

const SKILLS: usize = 10_000;

fn folder(root: &Path, n: usize) -> PathBuf {
    root.join(format!("skill-{n:05}"))
}

/// Folders as people have them: instructions, a prompt, a script, an example.
fn write_folders(root: &Path, artifacts: bool) -> u64 {
    let mut bytes = 0;
    let mut put = |path: PathBuf, text: &str| {
        bytes += u64::try_from(text.len()).unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for n in 0..SKILLS {
        let folder = folder(root, n);
        let mut body = String::new();
        for line in 0..24 {
            writeln!(body, "{line}. Look at part {} of the report and note what differs from quarter {}.", n * 7 + line, n % 4).unwrap();
        }
        put(
            folder.join("SKILL.md"),
            &format!(
                "---\nname: skill-{n:05}\ndescription: Checks report {n} for gaps. Use when report {n} is due.\n---\n\n# Skill {n}\n\n{body}"
            ),
        );
        if artifacts {
            put(folder.join("prompts/check.j2"), &format!("Check {{{{ report }}}} number {n}.\n{body}"));
            put(
                folder.join("scripts/collect.py"),
                &format!("import inklings\n# {n}\npages = inklings.search('report {n}')\ninklings.submit(pages)\n"),
            );
            put(folder.join("examples/one.json"), &format!("{{\"input\": {{\"report\": \"{n}\"}}, \"output\": \"fine\"}}\n"));
            put(
                folder.join("skill.json"),
                "{\n  \"artifacts\": [\n    { \"path\": \"prompts/check.j2\", \"kind\": \"prompt_template\", \"name\": \"Check\", \"ordinal\": 1 },\n    \
                 { \"path\": \"scripts/collect.py\", \"kind\": \"code_template\", \"name\": \"Collect\", \"ordinal\": 2 },\n    \
                 { \"path\": \"examples/one.json\", \"kind\": \"example\", \"name\": \"One\", \"ordinal\": 3 }\n  ]\n}\n",
            );
        }
    }
    bytes
}

fn engine(home: &Path) -> Engine {
    Engine::start(Options {
        home: home.to_owned(),
        resources: Resources::at("/nonexistent"),
        launcher: None,
        agents: None,
        clients: None,
        maintain: false,
    })
    .unwrap()
}

fn import(engine: &Engine, folders: &Path) {
    let params = ImportParams { paths: vec![folders.to_owned()], scope: Some(Scope::Account), ..ImportParams::default() };
    let report = Import::run(engine.app(), &CallContext::local(None, "bench"), params).unwrap();
    assert_eq!(report.items.len(), SKILLS);
    assert!(report.items.iter().all(|item| item.status == ImportStatus::New), "{:?}", report.items[0]);
}

fn open(home: &Path) -> Arc<Store> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let folder = Arc::new(Folder::new(Arc::new(SystemIds)));
    Arc::new(Store::open(Scope::Account, &home.join("agents.db"), "bench", clock, folder).unwrap())
}

fn import_10k(c: &mut Criterion, folders: &Path) {
    let mut group = c.benchmark_group("import");
    group.sample_size(10).measurement_time(Duration::from_secs(20)).warm_up_time(Duration::from_millis(1));
    // Time for 10,000 plain SKILL.md folders; the budget is 2,000 a second.
    group.bench_function("skill_md_10000", |bencher| {
        bencher.iter_batched(
            || tempfile::tempdir().unwrap(),
            |home| {
                import(&engine(home.path()), folders);
                home
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn validate_10k(c: &mut Criterion, folders: &Path) {
    let mut group = c.benchmark_group("check");
    group.sample_size(10);
    // Time for 10,000 plain SKILL.md folders; the budget is 20,000 a second.
    let some: Vec<PathBuf> = (0..SOME).map(|n| folder(folders, n)).collect();
    let all = vec![folders.to_owned()];
    for (name, strict, paths, count) in
        [("folders_10000", false, &all, SKILLS), ("folders_strict_10000", true, &all, SKILLS), ("folders_strict_1000", true, &some, SOME)]
    {
        let params = ValidateParams { paths: paths.clone(), strict };
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let found = validate(&params, &skill_format(), &CancellationToken::default(), &ProgressReporter::default()).unwrap();
                assert!(found.skills.len() == count && found.skills.iter().all(|verdict| verdict.ok));
            });
        });
    }
    match std::env::var_os("INKLINGS_REFERENCE_PYTHON") {
        Some(python) => {
            group.bench_function("folders_reference_1000", |bencher| bencher.iter_custom(|rounds| reference(&python, &some, rounds)));
        }
        None => println!("check/folders_reference_1000: measured by `cargo xtask bench`, which has the reference"),
    }
    group.finish();
}

/// As many folders as the reference does in a second.
const SOME: usize = 1_000;

/// What the standard's reference validator takes for the same folders, without the start of Python and its imports.
fn reference(python: &OsStr, folders: &[PathBuf], rounds: u64) -> Duration {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/reference/speed.py");
    let output = Command::new(python).arg(script).arg(rounds.to_string()).args(folders).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Duration::from_nanos(String::from_utf8(output.stdout).unwrap().trim().parse().unwrap())
}

/// Returns how often the skill was saved.
fn open_and_save(group: &mut BenchmarkGroup<'_, WallTime>, store: &dyn SkillStorageRepository, catalog: &SkillCatalog) -> usize {
    let mut n = 0;
    group.bench_function("get_by_name", |bencher| {
        bencher.iter(|| {
            n = (n + 7_919) % SKILLS;
            black_box(catalog.require(&format!("skill-{n:05}"), None).unwrap())
        });
    });
    let skill = catalog.require("skill-00042", None).unwrap();
    let path = SkillPath::parse("prompts/check.j2").unwrap();
    let (mut revision, mut round) = (skill.head.revision, 0);
    group.bench_function("update_one_artifact", |bencher| {
        bencher.iter(|| {
            round += 1;
            let edits = [TreeEdit::Write(path.clone(), format!("Check {{{{ report }}}}, round {round}.\n").into_bytes().into())];
            revision = edit::save(store, skill.head.id, &edits, revision, "bench", "bench").unwrap().skill.head.revision;
        });
    });
    round
}

fn repository(c: &mut Criterion, home: &Path) {
    let store = open(home);
    let catalog = SkillCatalog::new(store.clone(), None);
    let mut group = c.benchmark_group("store");
    group.sample_size(30);
    group.bench_function("list_all_10000", |bencher| bencher.iter(|| black_box(catalog.list_all().unwrap().len())));
    open_and_save(&mut group, store.as_ref(), &catalog);
    drop(catalog);
    drop(store);
    group.bench_function("open_up_to_date", |bencher| bencher.iter(|| black_box(open(home))));
    group.finish();
}

fn budgets(c: &mut Criterion) {
    let place = tempfile::tempdir().unwrap();
    let (plain, rich, home) = (place.path().join("plain"), place.path().join("rich"), place.path().join("home"));
    write_folders(&plain, false);
    let content = write_folders(&rich, true);
    import(&engine(&home), &rich);
    sizes(std::fs::metadata(home.join("agents.db")).unwrap().len(), content);
    repository(c, &home);
    names(c, &home);
    checks(c, &home);
    search(c, &home);
    library(c, &home);
    changes(c, &home);
    import_10k(c, &plain);
    validate_10k(c, &plain);
    links(c, place.path());
}

/// The problems of all skills: looked at once, then asked for again.
fn checks(c: &mut Criterion, home: &Path) {
    let cx = CallContext::local(None, "bench");
    let all = |engine: &Engine| {
        let (mut from, mut checked) = (None, 0);
        loop {
            let params = CheckAllParams { from, limit: Some(200), ..CheckAllParams::default() };
            let page = CheckAll::run(engine.app(), &cx, params).unwrap();
            checked += page.checked;
            from = page.next;
            if from.is_none() {
                return checked;
            }
        }
    };
    let mut group = c.benchmark_group("check");
    group.sample_size(10).warm_up_time(Duration::from_millis(1));
    group.bench_function("all_10000_first", |bencher| {
        bencher.iter_batched(|| engine(home), |engine| assert_eq!(usize::try_from(all(&engine)).unwrap(), SKILLS), BatchSize::PerIteration);
    });
    let warm = engine(home);
    all(&warm);
    group.bench_function("all_10000_again", |bencher| bencher.iter(|| black_box(all(&warm))));
    group.finish();
}

/// What the tree and quick open ask about the same skills and their 50,000 files.
fn names(c: &mut Criterion, home: &Path) {
    let engine = engine(home);
    let cx = CallContext::local(None, "bench");
    let mut group = c.benchmark_group("names");
    group.sample_size(30);
    let page = || Tree::run(engine.app(), &cx, TreeParams { from: None, limit: None, only: None }).unwrap();
    assert_eq!(page().skills.len(), 500);
    group.bench_function("tree_page_10000", |bencher| bencher.iter(|| black_box(page())));
    let find = |query: &str| Find::run(engine.app(), &cx, FindParams { query: query.to_owned(), limit: None, recent: Vec::new() }).unwrap();
    assert!(find("s42 check").found.iter().all(|one| one.path.is_some()));
    // A single letter fits the most names; several words are looked for in each of them.
    for (id, query) in [("find_letter_10000", "s"), ("find_words_10000", "s42 check")] {
        group.bench_function(id, |bencher| bencher.iter(|| black_box(find(query))));
    }
    group.finish();
}

/// The first search by words after a start: nothing is in memory, and the index was kept by an earlier start.
fn search(c: &mut Criterion, home: &Path) {
    let first = |engine: &Engine| {
        let params = SearchSkillsParams { message: "is report 4711 due".to_owned(), limit: None };
        SearchSkills::run(engine.app(), &CallContext::local(None, "bench"), params).unwrap()
    };
    assert!(!first(&engine(home)).skills.is_empty());
    let mut group = c.benchmark_group("search");
    group.sample_size(10).measurement_time(Duration::from_secs(8));
    group.bench_function("cold_start_10000", |bencher| {
        bencher.iter_batched(|| engine(home), |engine| (first(&engine), engine), BatchSize::PerIteration);
    });
    group.finish();
}

/// Runs whose traces are summed for the shelf.
const RUNS: usize = 10_000;

/// The library's first page over the same skills, with a month of runs.
fn library(c: &mut Criterion, home: &Path) {
    let engine = engine(home);
    let cx = CallContext::local(None, "bench");
    traced(&engine);
    let mut group = c.benchmark_group("library");
    group.sample_size(30);
    let page = |change: fn(&mut LibraryQuery)| {
        let mut query = LibraryQuery::default();
        change(&mut query);
        ListLibrary::run(engine.app(), &cx, LibraryParams { query, offset: 0, limit: Some(200) }).unwrap()
    };
    assert_eq!(page(|_| ()).total, SKILLS);
    group.bench_function("first_page_10000", |bencher| bencher.iter(|| black_box(page(|_| ()))));
    group.bench_function("searched_10000", |bencher| bencher.iter(|| black_box(page(|query| "report 42".clone_into(&mut query.text)))));
    group.bench_function("by_cost_10000", |bencher| bencher.iter(|| black_box(page(|query| query.sort = LibrarySort::Cost))));
    group.bench_function("stats_10000", |bencher| bencher.iter(|| black_box(Stats::run(engine.app(), &cx, NoParams {}).unwrap())));
    group.finish();
}

/// Traces as runs leave them: the texts stand before the numbers in a row.
fn traced(engine: &Engine) {
    let app = engine.app();
    let skills = app.workspaces.account().list_skills().unwrap();
    let store = app.workspaces.traces(None).unwrap();
    let session = SessionId::new(app.ids.uuid());
    store.open_session(&Session { id: session, kind: SessionKind::Run, title: "Bench".to_owned(), created_at: app.clock.now() }).unwrap();
    for n in 0..RUNS {
        let skill = &skills[(n * 31) % skills.len()];
        let at = Time::from_millis(app.clock.now().millis() - i64::try_from(n % 30).unwrap() * 86_000_000);
        let trace = Trace {
            id: TraceId::new(app.ids.uuid()),
            session_id: session,
            run_id: RunId::new(app.ids.uuid()),
            parent_run_id: None,
            skill: TracedSkill { scope: skill.scope, id: skill.id, slug: skill.slug.clone(), revision: 1 },
            artifact_id: app.ids.artifact(),
            artifact_name: "Check".to_owned(),
            artifact_path: SkillPath::parse("prompts/check.j2").unwrap(),
            artifact_kind: ArtifactKind::PromptTemplate,
            variant: None,
            status: TraceStatus::Ok,
            params: None,
            asked_artifact: None,
            rendered_input: Some("What is in the report? ".repeat(200)),
            raw_output: Some("It says little. ".repeat(100)),
            error: None,
            detail: None,
            log: None,
            truncated: false,
            cut_off: false,
            started_at: at,
            completed_at: Some(at),
            duration_ms: Some(900),
            usage: Usage { input_tokens: Some(1_000), output_tokens: Some(100), cost: Some(0.01) },
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
    }
}

/// Hands what the database weighs right after the import to `cargo xtask bench`, in bytes by benchmark id.
fn sizes(stored: u64, content: u64) {
    let sizes = format!("{{\"size/database_{SKILLS}\": {stored}, \"size/database_content_{SKILLS}\": {content}}}\n");
    match std::env::var_os("INKLINGS_SIZES") {
        Some(folder) => std::fs::write(Path::new(&folder).join("database.json"), sizes).unwrap(),
        None => println!("{sizes}"),
    }
}

/// From an edit by another program to the event that windows hear, at worst.
fn changes(c: &mut Criterion, home: &Path) {
    let (ours, others) = (engine(home), open(home));
    let mut received = ours.changes();
    let skill = others.get_skill_by_name("skill-00007").unwrap().unwrap();
    let path = SkillPath::parse("prompts/check.j2").unwrap();
    let (mut revision, mut round) = (skill.head.revision, 0);
    let mut once = || {
        round += 1;
        let edits = [TreeEdit::Write(path.clone(), format!("Check {{{{ report }}}}, edit {round}.\n").into_bytes().into())];
        revision = edit::save(others.as_ref(), skill.head.id, &edits, revision, "other", "edit").unwrap().skill.head.revision;
        let edited = Instant::now();
        // An event before this edit's has another skill, or none.
        while !received.blocking_recv().unwrap().ids.contains(&skill.head.id.to_string()) {}
        edited.elapsed()
    };
    let mut group = c.benchmark_group("changes");
    group.sample_size(10).warm_up_time(Duration::from_millis(1));
    group.bench_function("edit_by_another_worst", |bencher| {
        bencher.iter_custom(|rounds| (0..rounds).map(|_| once()).max().unwrap_or_default() * u32::try_from(rounds).unwrap());
    });
    group.finish();
}

/// The same skills where they are linked to folders of an agent: what a stored skill costs must be enough.
fn links(c: &mut Criterion, place: &Path) {
    let (person, home) = (place.join("person"), place.join("linked"));
    let skills = person.join(".claude/skills");
    write_folders(&skills, true);
    let agents = Some(AgentDirs { config: person.join(".config"), home: person });
    let resources = Resources::at("/nonexistent");
    let engine = Engine::start(Options { home, resources, launcher: None, agents, clients: None, maintain: true }).unwrap();
    let cx = CallContext::local(None, "bench");
    SyncLinks::run(engine.app(), &cx, SyncLinksParams::default()).unwrap();
    let account = engine.app().workspaces.account();
    assert_eq!(account.list_skills().unwrap().len(), SKILLS);
    let catalog = SkillCatalog::new(account.clone(), None);
    let mut group = c.benchmark_group("links");
    group.sample_size(30);
    // Saving includes the file in the folder.
    let mut round = open_and_save(&mut group, account.as_ref(), &catalog);
    let written = std::fs::read_to_string(folder(&skills, 42).join("prompts/check.j2")).unwrap();
    assert!(round == 0 || written == format!("Check {{{{ report }}}}, round {round}.\n"), "{written}");
    // From a write by another program to the event that windows hear, at worst.
    let mut received = engine.changes();
    let changed = catalog.require("skill-00007", None).unwrap().head.id.to_string();
    let file = folder(&skills, 7).join("prompts/check.j2");
    let mut once = || {
        round += 1;
        std::fs::write(&file, format!("Check {{{{ report }}}}, edit {round}.\n")).unwrap();
        let edited = Instant::now();
        while !received.blocking_recv().unwrap().ids.contains(&changed) {}
        edited.elapsed()
    };
    group.sample_size(10).warm_up_time(Duration::from_millis(1));
    group.bench_function("outside_change_worst", |bencher| {
        bencher.iter_custom(|rounds| (0..rounds).map(|_| once()).max().unwrap_or_default() * u32::try_from(rounds).unwrap());
    });
    group.finish();
}

criterion_group!(all, budgets);
criterion_main!(all);
