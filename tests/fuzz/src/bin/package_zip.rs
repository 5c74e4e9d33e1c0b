//! Skills in a zip archive: one as it stands, or one that is described.
#![no_main]

use inklings_fuzz::{DESCRIBED, archive};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| match bytes {
    [DESCRIBED, description @ ..] => inklings_fuzz::unpacks("some.skill", &archive::of(description)),
    _ => inklings_fuzz::unpacks("some.skill", bytes),
});
