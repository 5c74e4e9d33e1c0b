//! Names of files and folders that are never part of a skill: those of other tools, and those of this application.
//!
//! Reading skips them, an edit can't add them, and they are never written: `.git/config` would make git run commands.

use std::ffi::OsStr;

use inklings_core::check::Diagnostic;
use inklings_core::path::{SkillPath, WORKSPACE_DATA_FOLDER};
use inklings_core::tree::{Tree, TreeFile};

const SKIPPED: [&str; 6] = [".git", "node_modules", "__pycache__", "__MACOSX", ".DS_Store", "Thumbs.db"];
/// The database of a workspace, which a skill's folder may be as well.
const WORKSPACE_DATABASE: &str = "agents.db";
const UNFINISHED_COPY: &str = ".part";
/// What the names of its locks, logs, backups and damaged versions go on with.
const BESIDE_DATABASE: [&str; 9] = ["-lock", "-setup", "-wal", "-shm", "-journal", ".backup-v", ".damaged-", ".replaced-", ".restoring"];
/// Prefix of folders that an export is writing.
pub(crate) const TEMPORARY_PREFIX: &str = ".inklings-";

/// Whether a file or folder of this name is never part of a skill.
#[must_use]
pub fn is_skipped(name: &OsStr) -> bool {
    is_unsearched(name) || is_workspace_data(name)
}

/// Whether no name in the path is skipped.
#[must_use]
pub fn is_part_of_skill(path: &SkillPath) -> bool {
    !path.as_str().split('/').any(|name| is_skipped(OsStr::new(name)))
}

/// The files that may be written. Skills that older versions stored may have others.
pub(crate) fn skill_files(tree: &Tree) -> impl Iterator<Item = (&SkillPath, &TreeFile)> {
    tree.iter().filter(|(path, _)| is_part_of_skill(path))
}

/// Reports a file or folder that [`is_skipped`].
pub(crate) fn skipped(name: &str) -> Diagnostic {
    Diagnostic::info("folder/skipped", format!("{name} isn't part of a skill")).hint("it was skipped")
}

/// What this application keeps in a workspace. The folder may have skills in it, though: those that are deployed by link.
fn is_workspace_data(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    // An unfinished copy of the database begins with a dot.
    let unfinished = name.strip_prefix('.').and_then(|name| name.strip_prefix(WORKSPACE_DATABASE));
    let beside = name.strip_prefix(WORKSPACE_DATABASE);
    name == WORKSPACE_DATA_FOLDER
        || unfinished.is_some_and(|rest| rest.starts_with('.') && rest.ends_with(UNFINISHED_COPY))
        || beside.is_some_and(|rest| rest.is_empty() || BESIDE_DATABASE.iter().any(|known| rest.starts_with(known)))
}

/// Whether a folder of this name is never part of a skill and has no skills in it.
pub(crate) fn is_unsearched(name: &OsStr) -> bool {
    SKIPPED.iter().any(|skipped| name.eq_ignore_ascii_case(skipped))
        || name.as_encoded_bytes().starts_with(TEMPORARY_PREFIX.as_bytes())
        || name.to_str().is_some_and(is_alias_of_git)
}

/// Whether some file system opens `.git` by this name: NTFS by its short name, HFS+ without the characters that it ignores.
fn is_alias_of_git(name: &str) -> bool {
    let is_ignored = |ch: char| matches!(ch, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    name.eq_ignore_ascii_case("git~1") || (!name.is_ascii() && name.replace(is_ignored, "").eq_ignore_ascii_case(".git"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_skipped_name_is_skipped_at_any_depth() {
        let path = |text: &str| SkillPath::parse(text).unwrap();
        for other in [".git/config", "a/.GIT/config", "GIT~1/config", ".g\u{200c}it/config", ".git", "Node_Modules/a.js", "a/agents.db"] {
            assert!(!is_part_of_skill(&path(other)), "{other}");
        }
        for part in [".gitignore", ".github/x.yml", "git/config", "git~2", "a.git/config", "my-agents.db"] {
            assert!(is_part_of_skill(&path(part)), "{part}");
        }
        // The other names that Windows takes for `.git` are no paths of a skill.
        for refused in [".git./config", ".git /config", ".git::$INDEX_ALLOCATION/config"] {
            assert!(SkillPath::parse(refused).is_err(), "{refused}");
        }
    }
}
