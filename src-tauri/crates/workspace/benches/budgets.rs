//! Benchmarks of the index with 10,000 files of about 3 KB with links and tags.

#![expect(clippy::unwrap_used, reason = "a benchmark")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use inklings_core::pages::Pages;
use inklings_core::{CancellationToken, Clock, Time};
use inklings_workspace::Index;

const PAGES: usize = 10_000;
const WORDS: [&str; 24] = [
    "harbour", "lamp", "ledger", "keeper", "winter", "salt", "ship", "tide", "guild", "stone", "letter", "debt", "glass", "fog", "bell",
    "market", "river", "bridge", "clerk", "mast", "paper", "storm", "island", "tower",
];

struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Time {
        Time::from_millis(0)
    }
}

/// Deterministic text for a number.
fn text(n: usize) -> String {
    let mut body =
        format!("---\ntitle: Page {n}\ntype: {}\ntags: [t{}, shared]\n---\n# Page {n}\n", ["note", "place", "event"][n % 3], n % 200);
    let mut seed = n as u64 + 1;
    for line in 0..30 {
        for _ in 0..14 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let pick = usize::try_from(seed >> 33).unwrap();
            if pick.is_multiple_of(9) {
                write!(body, "rare{} ", pick % 20_000).unwrap();
            } else {
                write!(body, "{} ", WORDS[pick % WORDS.len()]).unwrap();
            }
        }
        match line % 10 {
            3 => write!(body, "[[Page {}]]", (n * 7 + line) % PAGES).unwrap(),
            6 => write!(body, "[next](../{}/page-{}.md)", (n + 1) % PAGES % 50, (n + 1) % PAGES).unwrap(),
            _ => {}
        }
        body.push('\n');
    }
    body
}

fn write(root: &Path, n: usize, text: &str) {
    let folder = root.join(format!("{}", n % 50));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("page-{n}.md")), text).unwrap();
}

fn refresh(index: &Index) -> usize {
    let changes = index.refresh(&|_| (), &CancellationToken::new()).unwrap();
    changes.added.len() + changes.changed.len()
}

fn budgets(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    (0..PAGES).for_each(|n| write(root, n, &text(n)));
    let index = || Index::new(root, Arc::new(FixedClock));
    let mut group = criterion.benchmark_group("workspace");
    group.sample_size(10).measurement_time(Duration::from_secs(20)).warm_up_time(Duration::from_millis(1));
    group.bench_function("index_10000_cold", |bench| {
        bench.iter_batched(
            || {
                let _ = std::fs::remove_dir_all(root.join(".inklings"));
                index()
            },
            |index| {
                assert_eq!(refresh(&index), PAGES);
                index
            },
            BatchSize::PerIteration,
        );
    });
    let index = index();
    refresh(&index);
    let mut round = 0;
    group.bench_function("one_change", |bench| {
        bench.iter_batched(
            || {
                round += 1;
                write(root, round * 7_919 % PAGES, &format!("{}\nround {round}", text(round)));
            },
            |()| assert_eq!(refresh(&index), 1),
            BatchSize::PerIteration,
        );
    });
    // Typical queries: a rare word, two words, a prefix, a title, and a word on every page.
    let queries = ["rare4711", "rare12 rare345", "rare77", "Page 4242", "harbour lamp"];
    group.sample_size(30).measurement_time(Duration::from_secs(5));
    let mut n = 0;
    group.bench_function("search_10000", |bench| {
        bench.iter(|| {
            n += 1;
            black_box(index.search(queries[n % queries.len()], 20).unwrap())
        });
    });
    for (name, query) in
        [("search_rare", "rare4711 "), ("search_every_page", "harbour lamp"), ("search_prefix", "rar"), ("search_short", "ra")]
    {
        group.bench_function(name, |bench| bench.iter(|| black_box(index.search(query, 20).unwrap())));
    }
    group.bench_function("references", |bench| bench.iter(|| black_box(index.references("Page 4242").unwrap())));
    group.bench_function("broken", |bench| bench.iter(|| black_box(index.broken().unwrap())));
    group.bench_function("orphans", |bench| bench.iter(|| black_box(index.orphans().unwrap())));
    group.finish();
}

criterion_group!(benches, budgets);
criterion_main!(benches);
