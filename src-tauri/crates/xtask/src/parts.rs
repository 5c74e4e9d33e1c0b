//! What programs load from the target folder and cargo doesn't build: the Python sandbox, the embedding model and the DSPy process.

use std::thread;

use anyhow::Result;

use crate::paths::Paths;
use crate::{embedding, process, sandbox, sidecar};

/// Builds what is missing. Compiling the sandbox and freezing the process leave cores and the network idle for each other.
pub(crate) fn ensure(paths: &Paths) -> Result<()> {
    thread::scope(|scope| {
        let frozen = scope.spawn(|| embedding::ensure(paths).and_then(|()| sidecar::ensure(paths)));
        let compiled = sandbox::ensure(paths);
        compiled.and(process::join(frozen))
    })
}
