//! Reads a file or standard input up to a limit, since either may be endless.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Context as _;
use inklings_rpc::{Code, Failure};

use crate::error::CliError;

/// Reads at most `limit` bytes of a file, or of standard input for `-`.
pub(crate) fn read_text(path: &Path, limit: usize) -> Result<String, CliError> {
    let name = if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = if path.as_os_str() == "-" {
        read_bounded(std::io::stdin().lock(), limit)
    } else {
        File::open(path).and_then(|file| read_bounded(file, limit))
    };
    let bytes = bytes.with_context(|| format!("can't read {name}"))?;
    let Some(bytes) = bytes else {
        return Err(Failure::new(Code::Limit, format!("{name} is larger than {limit} bytes")).into());
    };
    String::from_utf8(bytes).map_err(|_| Failure::invalid(format!("{name} isn't UTF-8 text")).hint("convert it to UTF-8").into())
}

/// None if there are more than `limit` bytes.
fn read_bounded(source: impl Read, limit: usize) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= limit).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_read_to_the_limit() {
        assert_eq!(read_bounded(std::io::repeat(b'x'), 1_000).unwrap(), None);
        assert_eq!(read_bounded(&b"1234"[..], 4).unwrap().as_deref(), Some(&b"1234"[..]));
        assert!(matches!(read_text("/dev/zero".as_ref(), 1_000), Err(CliError::Operation(failure)) if failure.code == Code::Limit));
    }
}
