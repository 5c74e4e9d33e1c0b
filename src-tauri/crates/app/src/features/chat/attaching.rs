//! Files of the disk as attachments.

use std::path::Path;

use inklings_core::chat::Attachment;
use inklings_folder::{DiskError, disk};

use super::api::{AttachedFiles, AttachmentRefusal, RefusedAttachment};
use super::service::MAX_TEXT_BYTES;

pub(super) fn attach(paths: &[impl AsRef<Path>]) -> AttachedFiles {
    let mut files = AttachedFiles { attachments: Vec::new(), refused: Vec::new() };
    for path in paths.iter().map(AsRef::as_ref) {
        let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        match read(path) {
            Ok(text) => files.attachments.push(Attachment { name, text }),
            Err(reason) => files.refused.push(RefusedAttachment { name, reason }),
        }
    }
    files
}

fn read(path: &Path) -> Result<String, AttachmentRefusal> {
    if path.is_dir() {
        return Err(AttachmentRefusal::Folder);
    }
    let bytes = disk::read_file(path, MAX_TEXT_BYTES).map_err(|error| match error {
        DiskError::TooLarge { .. } => AttachmentRefusal::Size,
        _ => AttachmentRefusal::Unreadable,
    })?;
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')).ok_or(AttachmentRefusal::Binary)
}

#[cfg(test)]
mod tests {
    use super::AttachmentRefusal::{Binary, Folder, Size, Unreadable};
    use super::*;

    #[test]
    fn text_files_are_attached_and_others_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            path
        };
        let longest = vec![b'x'; MAX_TEXT_BYTES];
        let paths = [
            file("tea.md", "Größe".as_bytes()),
            folder.path().to_owned(),
            file("tea.png", &[0xff, 0xd8]),
            file("nul.txt", b"a\0b"),
            file("long.txt", &longest),
            file("longer.txt", &[longest.as_slice(), b"x"].concat()),
            folder.path().join("missing.md"),
        ];
        let files = attach(&paths);
        let attached: Vec<_> = files.attachments.iter().map(|one| (one.name.as_str(), one.text.len())).collect();
        assert_eq!(attached, [("tea.md", "Größe".len()), ("long.txt", MAX_TEXT_BYTES)]);
        let reasons: Vec<_> = files.refused.iter().map(|one| one.reason).collect();
        assert_eq!(reasons, [Folder, Binary, Binary, Size, Unreadable]);
        assert_eq!(files.refused[1].name, "tea.png");
    }
}
