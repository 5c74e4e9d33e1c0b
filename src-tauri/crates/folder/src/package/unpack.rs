//! Any file to skills, by what is in it.

use inklings_core::check::Diagnostic;
use inklings_core::skill::skill_md;
use inklings_core::tree::{Tree, TreeFile};

use super::{FILE_BYTES, PackedSkill, Unpacked, decode, zip_read};

/// The skills of a file. `file` is its name: findings name it, and its stem is the last resort for a skill's folder. An error
/// means that nothing of the file can be used.
pub fn unpack(file: &str, bytes: &[u8]) -> Result<Unpacked, Vec<Diagnostic>> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let extension = extension.to_ascii_lowercase();
    let refuse =
        |rule: &str, message: String, hint: &str| Err(vec![Diagnostic::error(format!("package/{rule}"), message).hint(hint).in_file(file)]);
    if bytes.len() > FILE_BYTES {
        return refuse("size", format!("{} bytes, a file of skills has at most {FILE_BYTES}", bytes.len()), "split it");
    }
    if bytes.starts_with(b"PK") {
        return zip_read::read(file, stem, bytes);
    }
    if matches!(extension.as_str(), "zip" | "skill") {
        return refuse("zip", format!("{name} is no zip archive"), "pack the skill's folder again");
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return refuse("unknown", format!("{name} is neither a zip archive nor UTF-8 text"), "give a .skill, .zip, .json or .md file");
    };
    let first = text.trim_start_matches('\u{feff}').trim_start();
    if first.starts_with(['{', '[']) || extension == "json" {
        return decode::read(file, stem, text);
    }
    if matches!(extension.as_str(), "md" | "markdown") || first.starts_with("---") {
        let tree = Tree::from([(skill_md(), TreeFile::new(bytes))]);
        let skill = PackedSkill::new(String::new(), stem.to_owned(), Ok((tree, Vec::new())));
        return Ok(Unpacked { skills: vec![skill], findings: Vec::new() });
    }
    refuse("unknown", format!("{name} holds no skill"), "give a .skill, .zip, .json or .md file")
}
