//! The memory limit of a script.

use wasmtime::ResourceLimiter;

/// Ten times the guest's function table, which never grows.
const MAX_TABLE_ENTRIES: usize = 1 << 20;

/// Refuses growth beyond the limit and records that it did.
pub(crate) struct Memory {
    limit: usize,
    refused: bool,
}

impl Memory {
    pub(crate) fn new(mib: u32) -> Self {
        Self { limit: usize::try_from(u64::from(mib) << 20).unwrap_or(usize::MAX), refused: false }
    }

    /// In bytes.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Whether growth was refused.
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
        Ok(desired <= MAX_TABLE_ENTRIES)
    }
}
