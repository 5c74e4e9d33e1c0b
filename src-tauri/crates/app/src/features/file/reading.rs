use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use inklings_core::limits::SKILL_BYTES;
use inklings_core::user::Draft;
use inklings_core::{Skill, SkillPath, StorageError};

use super::api::{FileBytes, FileContent};
use crate::features::draft::wire_draft;
use crate::wire::file_entry;

/// `drafts` are those of the skill.
pub(super) fn content(skill: &Skill, path: &SkillPath, drafts: Vec<Draft>) -> Result<FileContent, StorageError> {
    let tree = skill.package.tree();
    let draft = drafts.into_iter().find(|draft| draft.path == *path);
    let missing = || StorageError::NotFound { what: "file", name: path.to_string() };
    let entry = file_entry(skill, &tree, path, draft.is_some()).ok_or_else(missing)?;
    let text = tree.get(path).and_then(|file| file.text()).filter(|_| entry.text).map(str::to_owned);
    Ok(FileContent { entry, revision: skill.head.revision, text, draft: draft.map(wire_draft) })
}

pub(super) fn bytes(skill: &Skill, path: &SkillPath, limit: Option<u32>) -> Result<FileBytes, StorageError> {
    let tree = skill.package.tree();
    let missing = || StorageError::NotFound { what: "file", name: path.to_string() };
    let content = tree.get(path).ok_or_else(missing)?;
    let entry = file_entry(skill, &tree, path, false).ok_or_else(missing)?;
    let limit = limit.map_or(SKILL_BYTES, |limit| limit as usize).min(SKILL_BYTES);
    let shown = content.bytes.get(..limit).unwrap_or(&content.bytes);
    let media_type = media_type(&content.bytes, entry.text).to_owned();
    Ok(FileBytes { entry, revision: skill.head.revision, media_type, base64: STANDARD.encode(shown) })
}

fn media_type(bytes: &[u8], text: bool) -> &'static str {
    if text {
        return if is_svg(bytes) { "image/svg+xml" } else { "text/plain" };
    }
    infer::get(bytes).map_or("application/octet-stream", |found| found.mime_type())
}

/// Whether the first element is `svg`, after comments, declarations and white space.
fn is_svg(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(bytes.get(..4096).unwrap_or(bytes));
    let mut rest = head.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!") => ">",
            _ => break,
        };
        let Some((_, after)) = rest.split_once(end) else { return false };
        rest = after.trim_start();
    }
    rest.strip_prefix("<svg").is_some_and(|after| after.starts_with(|next: char| next.is_whitespace() || matches!(next, '>' | '/')))
}

#[cfg(test)]
mod tests {
    use super::media_type;

    #[test]
    fn the_media_type_depends_on_the_content() {
        assert_eq!(media_type(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", false), "image/png");
        assert_eq!(media_type(b"GIF89a\x01\0\x01\0", false), "image/gif");
        assert_eq!(media_type(b"RIFF\x24\0\0\0WEBPVP8 ", false), "image/webp");
        assert_eq!(media_type(b"\xff\xd8\xff\xe0\0\x10JFIF\0", false), "image/jpeg");
        assert_eq!(media_type(b"\0\x01\x02", false), "application/octet-stream");
        assert_eq!(media_type(b"", false), "application/octet-stream");
        assert_eq!(media_type(b"a,b\n1,2\n", true), "text/plain");
    }

    #[test]
    fn a_text_is_an_image_only_if_its_first_element_is_svg() {
        assert_eq!(media_type(b"<svg xmlns='http://www.w3.org/2000/svg'/>", true), "image/svg+xml");
        assert_eq!(media_type("\u{feff}<?xml version='1.0'?>\n<!-- by hand -->\n<!DOCTYPE svg>\n<svg>".as_bytes(), true), "image/svg+xml");
        assert_eq!(media_type(b"<p><svg></svg></p>", true), "text/plain");
        assert_eq!(media_type(b"<svgx>", true), "text/plain");
        assert_eq!(media_type(b"<!-- never closed <svg>", true), "text/plain");
    }
}
