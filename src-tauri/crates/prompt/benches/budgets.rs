//! Benchmarks: rendering 4 KiB within 200 microseconds, and counting its tokens.

use std::collections::HashMap;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use inklings_prompt::{PromptEngine, tokens};
use serde_json::{Value, json};

/// A template of 4 KiB with a loop, a condition and filters.
fn template() -> String {
    let mut text = String::from(
        "Compare the claims about \"{{ entity }}\".\n\n{% for claim in claims %}\
         {{ loop.index }}. [[{{ claim.page_name }}]]: {{ claim.text | trim }}{% if claim.year is defined %} ({{ claim.year }}){% endif %}\n\
         {% endfor %}\n",
    );
    while text.len() < 4096 {
        text.push_str("Cite every contradiction by number, and say for {{ entity | upper }} what would settle it.\n");
    }
    text
}

fn values() -> HashMap<String, Value> {
    let claims: Vec<Value> = (0..20)
        .map(|n| json!({ "page_name": format!("page-{n}"), "text": "The harbour was built before the war.", "year": 1200 + n }))
        .collect();
    HashMap::from([("entity".to_owned(), json!("harbour")), ("claims".to_owned(), json!(claims))])
}

fn budgets(criterion: &mut Criterion) {
    let (engine, template, values) = (PromptEngine::new(), template(), values());
    criterion.bench_function("render_4kib", |bench| bench.iter(|| engine.render_str(black_box(&template), &values)));
    tokens::warm_up();
    criterion.bench_function("tokens_4kib", |bench| bench.iter(|| tokens::count(black_box(&template))));
}

criterion_group!(benches, budgets);
criterion_main!(benches);
