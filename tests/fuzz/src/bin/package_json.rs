//! Skills in one JSON file: a package, a list of them, the `amble` form.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| inklings_fuzz::unpacks("some.json", bytes));
