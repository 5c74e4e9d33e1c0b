//! A skill's folder as a `.skill` archive: `<slug>/…` in byte order, without times, so that equal skills give equal bytes. A skill that
//! would compress beyond the limits of `zip_read` is stored uncompressed.

use std::io::{Cursor, Write};

use inklings_core::check::Diagnostic;
use inklings_core::skill::Package;
use inklings_core::tree::Tree;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::zip_read;

pub(super) fn write(package: &Package) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let tree = package.tree();
    let bytes: u64 = tree.values().map(|entry| entry.bytes.len() as u64).sum();
    let written = archive(package.slug.as_str(), &tree, CompressionMethod::Deflated).and_then(|packed| {
        // An archive that compresses too well would be refused as a zip bomb.
        if bytes <= zip_read::allowance(packed.len()) {
            return Ok(packed);
        }
        archive(package.slug.as_str(), &tree, CompressionMethod::Stored)
    });
    written.map_err(|error| {
        vec![Diagnostic::error("package/zip", format!("the archive can't be written: {error}")).hint("export it as a folder")]
    })
}

fn archive(folder: &str, tree: &Tree, method: CompressionMethod) -> zip::result::ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, entry) in tree {
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::DEFAULT)
            .unix_permissions(if entry.executable { 0o755 } else { 0o644 });
        writer.start_file(format!("{folder}/{path}"), options)?;
        writer.write_all(&entry.bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}
