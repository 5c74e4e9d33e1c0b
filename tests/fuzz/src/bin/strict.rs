//! Strict validation of `SKILL.md`.
#![no_main]

use inklings_core::path::SKILL_MD;
use inklings_folder::strict::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let framed = [b"---\n", bytes, b"\n---\n"].concat();
    for text in [bytes, &framed] {
        inklings_fuzz::explains(&check(&inklings_fuzz::path(SKILL_MD), text, "my-skill"));
    }
});
