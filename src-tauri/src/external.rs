//! Web addresses and folders that other programs open. The addresses come from skills and models, so they are untrusted: the window asks
//! before it opens one, and nothing but web and mail addresses reaches the system's opener.

use std::path::Path;

use tauri::Url;

/// Opens an address in the browser or the mail program.
pub(crate) fn open_address(address: &str) -> Result<(), String> {
    let url = Url::parse(address).map_err(|error| format!("{address:?} isn't an address: {error}"))?;
    if !matches!(url.scheme(), "http" | "https" | "mailto") {
        return Err(format!("{}: addresses aren't opened", url.scheme()));
    }
    open::that_detached(url.as_str()).map_err(|error| format!("can't start the browser: {error}"))
}

/// Shows a folder in the file manager.
pub(crate) fn open_folder(folder: &Path) -> Result<(), String> {
    // A file would be opened by its own program, or run.
    if !folder.is_absolute() || !folder.is_dir() {
        return Err(format!("folder {} not found", folder.display()));
    }
    open::that_detached(folder).map_err(|error| format!("can't start the file manager: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_and_mail_addresses_and_folders_are_opened() {
        for address in ["file:///etc/passwd", "javascript:alert(1)", "ssh://host", "not an address", "--help", "/bin/sh", "vscode://x"] {
            assert!(open_address(address).is_err(), "{address}");
        }
        for path in ["/bin/sh", "relative", "/missing/folder", "--help"] {
            assert!(open_folder(Path::new(path)).is_err(), "{path}");
        }
    }
}
