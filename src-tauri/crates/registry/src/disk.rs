//! Reading files that may be longer than they should.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// At most `max` bytes and one more, so that a longer file is seen as too long. `None` if there is none.
pub(crate) fn read(path: &Path, max: u64) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
