//! A thousand runs in a row, in a process of their own: other tests' memory would be counted too.

use std::env;
use std::fs;
use std::process::Command;

use crate::support::run;

const ALONE: &str = "INKLINGS_TEST_ALONE";
/// Mebibytes.
const GROWTH: f64 = 5.0;

/// Memory of this process in mebibytes.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}

#[test]
fn a_thousand_runs_leave_nothing_behind() {
    if env::var_os(ALONE).is_none() {
        let arguments = ["--exact", "leak::a_thousand_runs_leave_nothing_behind", "--nocapture"];
        let output = Command::new(env::current_exe().unwrap()).args(arguments).env(ALONE, "1").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let once = |n: usize| {
        // Every other one fails, in its own way.
        let source = ["inklings.submit([0] * 1000)", "1 / 0", "x = 'x' * (1 << 30)", "import os; os.abort()"][n % 4];
        let _ = runtime.block_on(run(source));
    };
    (0..50).for_each(once);
    let before = resident();
    (0..1000).for_each(once);
    let growth = resident() - before;
    assert!(growth <= GROWTH, "{growth} MiB more than {before} MiB");
}
