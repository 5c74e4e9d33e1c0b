//! Where a source tree keeps the machine code.

use std::path::PathBuf;

use inklings_core::built;

/// The file that `cargo xtask` left in the target folder this program was built into. An installed app has it among its resources.
#[must_use]
pub fn find_built() -> Option<PathBuf> {
    built::find("sandbox/python.cwasm")
}
