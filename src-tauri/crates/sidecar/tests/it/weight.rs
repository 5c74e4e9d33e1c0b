//! The size of the process on disk and in memory, with limits for the tests and the benchmark.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Name, measured value and limit.
pub(crate) type Weight = (&'static str, u64, u64);

const MB: u64 = 1_000_000;

/// Size of a program's folder, uncompressed and compressed.
pub(crate) fn on_disk(program: &Path) -> [Weight; 2] {
    let folder = program.parent().unwrap();
    let packed = Command::new("tar").args(["--create", "--gzip", "--directory"]).arg(folder).arg(".").output().unwrap();
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    [("folder", bytes(folder), 45 * MB), ("folder, compressed", packed.stdout.len() as u64, 20 * MB)]
}

/// Current or peak memory of a process.
pub(crate) fn in_memory(pid: u32, ever: bool) -> Weight {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let (name, field) = if ever { ("memory at most", "VmHWM:") } else { ("memory at rest", "VmRSS:") };
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    (name, kibibytes * 1024, 90 * MB)
}

/// A line with value, limit and verdict.
pub(crate) fn in_words((name, is, most): Weight) -> String {
    let verdict = if is <= most { "met" } else { "MISSED" };
    format!("sidecar, {name}: {}.{} MB, allowed {} MB, {verdict}", is / MB, is % MB / (MB / 10), most / MB)
}

fn bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| if entry.file_type().unwrap().is_dir() { bytes(&entry.path()) } else { entry.metadata().unwrap().len() }).sum()
}
