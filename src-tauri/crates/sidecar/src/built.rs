//! Finds the two programs in a source tree.

use inklings_core::built;

use crate::process::Launch;

/// The programs that `cargo` and `cargo xtask` built, in the target folder of this program. None in an installed app.
#[must_use]
pub fn find_built() -> Option<Launch> {
    let program = built::find("sidecar/inklings-dspy/inklings-dspy")?;
    Some(Launch { launcher: built::find("inklings-confine")?, program })
}
