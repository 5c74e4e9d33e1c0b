//! Output of `cargo xtask run` before it builds anything.

use std::process::Command;

#[test]
fn without_a_display_it_stops_before_it_sets_anything_up() {
    let cache = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("run")
        // Without any tools, the first required one is missing.
        .env("PATH", cache.path())
        .env("INKLINGS_CACHE", cache.path())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.starts_with("xtask: no display; ") && said.contains("xvfb-run"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), 0, "something was set up");
}
