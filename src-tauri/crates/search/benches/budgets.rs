//! Budgets of a search beyond the embedding of its message.

#![expect(clippy::unwrap_used, reason = "a benchmark")]

#[path = "../tests/it/labelled.rs"]
#[expect(dead_code, reason = "the benchmark of the retrieval uses the rest")]
mod labelled;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use inklings_search::{IndexedSkill, Query, SkillIndex, SkillText};
use labelled::{Set, text};

/// The 99th percentile of all requests, among the labelled skills again and again.
fn rank(c: &mut Criterion) {
    let set = Set::load();
    let mut group = c.benchmark_group("search");
    group.sample_size(10).measurement_time(Duration::from_secs(8));
    for count in [10_000, 100_000] {
        let mut index = SkillIndex::default();
        for key in 0..count {
            let at = key % set.skills.len();
            let text = SkillText { slug: format!("{}-{key}", set.skills[at].slug), ..text(&set.skills[at]) };
            index.insert(
                key,
                IndexedSkill { text, vectors: Some(set.vectors[at].clone()), quality: 1.0, excluded: None, conflicts: Vec::new() },
            );
        }
        group.bench_function(format!("rank_{count}_p99"), |bencher| {
            bencher.iter_custom(|rounds| {
                let once = |(request, vector): &(labelled::Request, _)| {
                    let begun = Instant::now();
                    black_box(index.search(&Query::new(&request.query, Some(Clone::clone(vector))), 5));
                    begun.elapsed()
                };
                let mut times: Vec<_> = set.requests.iter().map(once).collect();
                times.sort_unstable();
                times[(times.len() * 99).div_ceil(100) - 1] * u32::try_from(rounds).unwrap()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, rank);
criterion_main!(benches);
