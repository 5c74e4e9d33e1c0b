//! Lenient reading of `SKILL.md`.
#![no_main]

use inklings_core::path::SKILL_MD;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    inklings_fuzz::reads(&inklings_fuzz::tree(&[(SKILL_MD, bytes)]), "my-skill");
    if let Ok(text) = std::str::from_utf8(bytes) {
        // Also with added delimiters, which mutations often destroy.
        let _ = inklings_folder::yaml::parse(text);
        let framed = format!("---\n{text}\n---\nWords.\n");
        inklings_fuzz::reads(&inklings_fuzz::tree(&[(SKILL_MD, framed.as_bytes())]), "my-skill");
    }
});
