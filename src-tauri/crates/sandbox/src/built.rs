//! Finds the machine code in a source tree.

use std::path::PathBuf;

use inklings_core::built;

/// The file that `cargo xtask` built, in the target folder of this program. None in an installed app.
#[must_use]
pub fn find_built() -> Option<PathBuf> {
    built::find("sandbox/python.cwasm")
}
