//! Where a source tree keeps the two programs.

use std::env;

use crate::process::Launch;

/// What `cargo` and `cargo xtask` left in the target folder this program was built into: `inklings-confine` and
/// `sidecar/inklings-dspy/inklings-dspy`, each in a folder above it. An installed app has them elsewhere.
#[must_use]
pub fn find_built() -> Option<Launch> {
    let own = env::current_exe().ok()?;
    let find = |name: &str| own.ancestors().skip(1).map(|folder| folder.join(name)).find(|file| file.is_file());
    Some(Launch { launcher: find("inklings-confine")?, program: find("sidecar/inklings-dspy/inklings-dspy")? })
}
