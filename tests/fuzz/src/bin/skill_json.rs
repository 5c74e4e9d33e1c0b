//! `skill.json`, beside files that it may declare.
#![no_main]

use inklings_core::path::{SKILL_JSON, SKILL_MD};
use libfuzzer_sys::fuzz_target;

const MAIN: &[u8] = b"---\nname: my-skill\ndescription: Does it.\n---\nWords.\n";

fuzz_target!(|bytes: &[u8]| {
    let beside: [(&str, &[u8]); 5] = [
        ("prompts/a.j2", b"{{ a }}"),
        ("prompts/a.x.j2", b"x"),
        ("scripts/a.py", b"1\n"),
        ("dspy/a.json", b"{}"),
        ("dspy/a.state.json", b"{}"),
    ];
    let files = [&[(SKILL_MD, MAIN), (SKILL_JSON, bytes)][..], &beside].concat();
    inklings_fuzz::reads(&inklings_fuzz::tree(&files), "my-skill");
    inklings_fuzz::reads(&inklings_fuzz::tree(&[(SKILL_JSON, bytes)]), "my-skill");
});
