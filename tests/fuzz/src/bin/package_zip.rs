//! Skills in a zip archive, given directly or by a description.
#![no_main]

use inklings_fuzz::{DESCRIPTION_PREFIX, archive};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| match bytes {
    [DESCRIPTION_PREFIX, description @ ..] => inklings_fuzz::unpacks("some.skill", &archive::of(description)),
    _ => inklings_fuzz::unpacks("some.skill", bytes),
});
