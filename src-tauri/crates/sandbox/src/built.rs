//! Where a source tree keeps the machine code.

use std::env;
use std::path::PathBuf;

/// The file that `cargo xtask` left in the target folder this program was built into: `sandbox/python.cwasm` in a folder above it.
/// An installed app has it among its resources instead.
#[must_use]
pub fn find_built() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    program.ancestors().skip(1).map(|folder| folder.join("sandbox/python.cwasm")).find(|file| file.is_file())
}
