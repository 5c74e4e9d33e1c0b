//! Components without a lock file: C sources in crates, interpreters, and libraries of the frozen process.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::{Component, Origin};
use crate::paths::Paths;

/// Name, license, and name prefixes of the shared libraries in the frozen process.
const PARTS: &[(&str, &str, &[&str])] = &[
    ("CPython", "PSF-2.0", &["libpython3."]),
    ("SQLite", "blessing", &["libsqlite3."]),
    ("Zstandard", "BSD-3-Clause", &["libzstd."]),
    ("wasi-libc", "MIT AND BSD-2-Clause", &[]),
    ("OpenSSL", "Apache-2.0", &["libssl.", "libcrypto."]),
    ("libffi", "MIT", &["libffi."]),
    ("zlib", "Zlib", &["libz."]),
    ("bzip2", "bzip2-1.0.6", &["libbz2."]),
    ("XZ Utils", "0BSD", &["liblzma."]),
    ("libuuid", "BSD-3-Clause", &["libuuid."]),
    ("GCC runtime library", "GPL-3.0-or-later WITH GCC-exception-3.1", &["libgcc_s.", "libstdc++."]),
    ("mpdecimal", "BSD-2-Clause", &["libmpdec."]),
    ("Expat", "MIT", &["libexpat."]),
];

/// Licenses whose texts may be missing on the machine.
const TEXTS: &str = "src-tauri/crates/xtask/licenses";

pub(super) fn components(paths: &Paths) -> Vec<Component> {
    let component = |(name, license, _): &(&str, &str, &[&str])| {
        let folder = paths.root.join(TEXTS).join(name.to_lowercase().replace(' ', "-"));
        Component {
            origin: Origin::Native,
            name: (*name).to_owned(),
            version: String::new(),
            license: (*license).to_owned(),
            checksum: None,
            folder: folder.is_dir().then_some(folder),
        }
    };
    PARTS.iter().map(component).collect()
}

/// Fails if the frozen process contains a shared library that isn't listed or isn't allowed.
pub(crate) fn check_libraries(frozen: &Path) -> Result<()> {
    let folder = frozen.join("_internal");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let unknown = unknown_libraries(names);
    if !unknown.is_empty() {
        bail!("libraries without a license in notices/native.rs: {}", unknown.into_iter().collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

fn unknown_libraries(names: impl Iterator<Item = String>) -> BTreeSet<String> {
    let known = |name: &str| PARTS.iter().any(|(_, _, libraries)| libraries.iter().any(|library| name.starts_with(library)));
    names.filter(|name| name.starts_with("lib") && name.contains(".so") && !known(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_library_that_nobody_named_is_found() {
        let names = ["libssl.so.3", "libpython3.13.so.1.0", "libreadline.so.8", "librarian.txt", "dspy", "libz.so.1"].map(str::to_owned);
        assert_eq!(unknown_libraries(names.into_iter()), BTreeSet::from(["libreadline.so.8".to_owned()]));
    }
}
