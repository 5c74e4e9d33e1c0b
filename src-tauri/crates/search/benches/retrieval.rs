//! How often the right skill is found, on a labelled set of requests: `cargo bench -p inklings-search --bench retrieval`.
//!
//! The set is divided by skill into a half that weights are tuned on and one that is reported. A third of the requests shares no word with
//! its skill, and some fit none.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[path = "../tests/it/labelled.rs"]
mod labelled;

use std::hint::black_box;
use std::time::Instant;

use inklings_search::{IndexedSkill, Query, SkillIndex, SkillText, Weights};
use labelled::{GROUPS, Half, Method, Set, text};

/// Times of a search among so many skills, the same ones again and again, in milliseconds: the median, and the worst of a hundred.
fn times(set: &Set, count: usize) -> (f64, f64) {
    let mut index = SkillIndex::default();
    for key in 0..count {
        let at = key % set.skills.len();
        let text = SkillText { slug: format!("{}-{key}", set.skills[at].slug), ..text(&set.skills[at]) };
        index.insert(
            key,
            IndexedSkill { text, vectors: Some(set.vectors[at].clone()), quality: 1.0, excluded: None, conflicts: Vec::new() },
        );
    }
    let mut times: Vec<f64> = set
        .requests
        .iter()
        .map(|(request, vector)| {
            let started = Instant::now();
            black_box(index.search(&Query::new(&request.query, Some(vector.clone())), 5));
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

fn main() {
    let set = Set::load();
    println!("{} skills, {} requests", set.skills.len(), set.requests.len());
    for half in [Half::Tuning, Half::Test] {
        println!("\n{half:?} half          group         n  recall@1  recall@5  nDCG@10");
        for method in [Method::Words, Method::Meaning, Method::Both] {
            let rows = set.evaluate(method, half, Weights::default());
            for group in GROUPS {
                let row = &rows[group];
                println!(
                    "{:<22} {group:<11} {:>4}    {:.3}     {:.3}    {:.3}",
                    format!("{method:?}"),
                    row.count,
                    row.at_1,
                    row.at_5,
                    row.ndcg
                );
            }
        }
        for method in [Method::Words, Method::Both] {
            println!(
                "{:<22} answered with nothing when no skill fits: {:.3}; although one fits: {:.3}",
                format!("{method:?}"),
                set.silent(method, half, Weights::default()).0,
                set.silent(method, half, Weights::default()).1
            );
        }
    }
    for count in [10_000, 100_000] {
        let (median, p99) = times(&set, count);
        println!("{count} skills: median {median:.2} ms, p99 {p99:.2} ms, beyond the query's embedding");
    }
}
