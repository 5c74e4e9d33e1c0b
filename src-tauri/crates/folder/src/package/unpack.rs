//! Any file to skills, by what is in it.

use inklings_core::check::Diagnostic;
use inklings_core::skill::skill_md;
use inklings_core::tree::{Tree, TreeFile};

use super::{MAX_FILE_BYTES, PackedSkill, UnpackedFile, decode, zip_read};

/// The skills of a file. `file` is its name: used in diagnostics, and its stem as the fallback for a skill's folder name. An error
/// refuses the whole file.
pub fn unpack(file: &str, bytes: &[u8]) -> Result<UnpackedFile, Vec<Diagnostic>> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let extension = extension.to_ascii_lowercase();
    let refuse =
        |rule: &str, message: String, hint: &str| Err(vec![Diagnostic::error(format!("package/{rule}"), message).hint(hint).in_file(file)]);
    if bytes.len() > MAX_FILE_BYTES {
        return refuse("size", format!("the file is too large: {} bytes (maximum {MAX_FILE_BYTES})", bytes.len()), "split the file");
    }
    if bytes.starts_with(b"PK") {
        return zip_read::read(file, stem, bytes);
    }
    if matches!(extension.as_str(), "zip" | "skill") {
        return refuse("zip", format!("{name} isn't a zip archive"), "create the archive again");
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return refuse("unknown", format!("{name} is neither a zip archive nor UTF-8 text"), "use a .skill, .zip, .json or .md file");
    };
    let first = text.trim_start_matches('\u{feff}').trim_start();
    if first.starts_with(['{', '[']) || extension == "json" {
        return decode::read(file, stem, text);
    }
    if matches!(extension.as_str(), "md" | "markdown") || first.starts_with("---") {
        let tree = Tree::from([(skill_md(), TreeFile::new(bytes))]);
        let skill = PackedSkill::new(String::new(), stem.to_owned(), Ok((tree, Vec::new())));
        return Ok(UnpackedFile { skills: vec![skill], findings: Vec::new() });
    }
    refuse("unknown", format!("{name} doesn't contain a skill"), "use a .skill, .zip, .json or .md file")
}
