//! How often the right skill is found, on a labelled set of requests: `cargo bench -p inklings-search --bench retrieval`.
//!
//! The set is divided by skill into a half that weights are tuned on and one that is reported. A third of the requests shares no word with
//! its skill, and some fit none.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[path = "../tests/it/labelled.rs"]
mod labelled;

use inklings_search::Weights;
use labelled::{GROUPS, Half, Method, Set};

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
}
