//! The limit of a script's memory.

use wasmtime::ResourceLimiter;

/// Entries of a table of functions: ten times what the guest has, which never lets it grow.
const TABLE: usize = 1 << 20;

/// Refuses what is above the limit and remembers that it did.
pub(crate) struct Memory {
    limit: usize,
    refused: bool,
}

impl Memory {
    pub(crate) fn new(mib: u32) -> Self {
        Self { limit: usize::try_from(u64::from(mib) << 20).unwrap_or(usize::MAX), refused: false }
    }

    /// Bytes.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Whether the script wanted more.
    pub(crate) fn refused(&self) -> bool {
        self.refused
    }
}

impl ResourceLimiter for Memory {
    fn memory_growing(&mut self, _current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let allowed = desired <= self.limit;
        self.refused |= !allowed;
        Ok(allowed)
    }

    fn table_growing(&mut self, _current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE)
    }
}
