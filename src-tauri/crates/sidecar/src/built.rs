//! Where a source tree keeps the two programs.

use inklings_core::built;

use crate::process::Launch;

/// What `cargo` and `cargo xtask` left in the target folder this program was built into. An installed app has them elsewhere.
#[must_use]
pub fn find_built() -> Option<Launch> {
    let program = built::find("sidecar/inklings-dspy/inklings-dspy")?;
    Some(Launch { launcher: built::find("inklings-confine")?, program })
}
