//! The app refuses machine code of another Wasmtime, so both are locked to one.

use std::fs;
use std::path::Path;

fn wasmtime(lock: &str) -> String {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(lock)).unwrap();
    let mut lines = text.lines().skip_while(|line| *line != "name = \"wasmtime\"");
    lines.nth(1).unwrap().to_owned()
}

#[test]
fn the_compiler_has_the_wasmtime_of_the_app() {
    assert_eq!(wasmtime("compiler/Cargo.lock"), wasmtime("../../../Cargo.lock"));
}
