use std::path::{Path, PathBuf};

use inklings_folder::disk::{self, DiskKind};

use super::api::{Completion, Completions, PathKind, PathStatus};
use super::error::PathError;
use crate::discovery::may_contain_skills;

const MAX_COMPLETIONS: usize = 200;

pub(super) fn status(path: &Path) -> PathStatus {
    let kind = match disk::kind_of(path) {
        Ok(DiskKind::Skill) => PathKind::Skill,
        Ok(DiskKind::Skills) => PathKind::Skills,
        Ok(DiskKind::Folder) => PathKind::Folder,
        Ok(DiskKind::File) => PathKind::File,
        Err(_) => PathKind::Missing,
    };
    PathStatus { path: path.display().to_string(), kind }
}

/// Completes a typed path with folders and, if `packages` is set, with files that skills may be imported from.
pub(super) fn complete(typed: &str, packages: bool) -> Result<Completions, PathError> {
    let typed = if typed.trim().is_empty() { "~/" } else { typed };
    let path = expand(typed)?;
    let (folder, prefix) = if typed.ends_with('/') {
        (path.clone(), String::new())
    } else {
        let prefix = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        (path.parent().unwrap_or(Path::new("/")).to_owned(), prefix)
    };
    let complete = path.is_dir() || packages && path.is_file();
    Ok(Completions { entries: completions(&folder, &prefix, packages), path: path.display().to_string(), complete })
}

/// The entries of a folder that begin with `prefix`, hidden ones only if it begins with a dot. Empty for an unreadable folder.
fn completions(folder: &Path, prefix: &str, packages: bool) -> Vec<Completion> {
    let mut found: Vec<(bool, String, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .filter(|(name, _)| name.to_lowercase().starts_with(prefix) && (prefix.starts_with('.') || !name.starts_with('.')))
        .map(|(name, path)| (!path.is_dir(), name, path))
        .filter(|(is_file, _, path)| !is_file || packages && may_contain_skills(path) && path.is_file())
        .collect();
    found.sort_by_key(|(is_file, name, _)| (*is_file, name.to_lowercase()));
    found.truncate(MAX_COMPLETIONS);
    let contains_skills =
        |path: &Path| ["agents.db", "SKILL.md", ".claude/skills", ".agents/skills"].iter().any(|name| path.join(name).exists());
    let completion = |(file, name, path): (bool, String, PathBuf)| Completion {
        skills: !file && contains_skills(&path),
        path: path.display().to_string(),
        name,
        file,
    };
    found.into_iter().map(completion).collect()
}

/// Makes a typed path absolute. A leading `~` is the home folder.
pub(crate) fn expand(typed: &str) -> Result<PathBuf, PathError> {
    let typed = typed.trim();
    if typed.contains('\0') || typed.is_empty() {
        return Err(PathError::Malformed);
    }
    let home = || std::env::var_os("HOME").map(PathBuf::from).ok_or(PathError::NoHome);
    match typed.strip_prefix('~') {
        Some("") => home(),
        Some(rest) if rest.starts_with('/') => Ok(home()?.join(rest.trim_start_matches('/'))),
        _ => std::path::absolute(typed).map_err(|source| PathError::NotAbsolute { path: typed.to_owned(), source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_before_files_that_skills_come_from_and_nothing_else_comes() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["desk", "desk-two", ".desk"] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
        }
        for file in ["Desk.skill", "desk.txt", "desk.zip.part", "other.skill"] {
            std::fs::write(root.path().join(file), "").unwrap();
        }
        let named =
            |packages: bool| completions(root.path(), "de", packages).into_iter().map(|one| (one.name, one.file)).collect::<Vec<_>>();
        let folders = [("desk".to_owned(), false), ("desk-two".to_owned(), false)];
        assert_eq!(named(false), folders);
        assert_eq!(named(true), [&folders[..], &[("Desk.skill".to_owned(), true)]].concat());
        assert_eq!(completions(&root.path().join("nowhere"), "", true), []);
    }

    #[test]
    fn a_typed_path_is_made_whole() {
        let home = PathBuf::from(std::env::var_os("HOME").unwrap());
        assert_eq!(expand("~").unwrap(), home);
        assert_eq!(expand(" ~/one.skill ").unwrap(), home.join("one.skill"));
        assert_eq!(expand("/tmp/~x").unwrap(), Path::new("/tmp/~x"));
        assert!(matches!(expand(" "), Err(PathError::Malformed)));
    }
}
