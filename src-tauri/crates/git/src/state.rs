//! The state of the git repository that a folder is in. Nothing is written, and nothing that the repository configures is run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::git;

/// Of `.git/HEAD` and of `.git` in a worktree.
const MAX_FILE_BYTES: u64 = 4_096;
const BRANCH: &str = "ref: refs/heads/";

/// The branch that is checked out, or the first digits of the commit. `None` outside of a repository.
#[must_use]
pub fn branch(folder: &Path) -> Option<String> {
    let git = folder.ancestors().find_map(|at| git_dir(&at.join(".git")))?;
    let head = small_file(&git.join("HEAD"))?;
    let head = head.trim();
    Some(head.strip_prefix(BRANCH).map_or_else(|| head.chars().take(8).collect(), str::to_owned))
}

/// Whether files of the folder differ from the last commit. `None` if that isn't known. The repository's own settings apply, so ask
/// in trusted folders only.
#[must_use]
pub fn is_modified(folder: &Path) -> Option<bool> {
    let output = git(["status", "--porcelain", "--ignore-submodules", "--", "."]).current_dir(folder).output().ok()?;
    output.status.success().then_some(!output.stdout.is_empty())
}

/// The repository's folder: `.git` itself, or where the `.git` file of a worktree says.
fn git_dir(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_owned());
    }
    let text = small_file(git)?;
    let path = Path::new(text.trim().strip_prefix("gitdir: ")?);
    Some(git.parent()?.join(path))
}

fn small_file(path: &Path) -> Option<String> {
    let metadata = fs::symlink_metadata(path).ok()?;
    let is_small = metadata.is_file() && metadata.len() <= MAX_FILE_BYTES;
    is_small.then(|| fs::read_to_string(path).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_branch_of_a_repository_and_of_a_worktree_is_read() {
        let top = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = top.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(branch(top.path()), None);
        put("repository/.git/HEAD", "ref: refs/heads/topic/a\n");
        put("repository/.claude/skills/one/SKILL.md", "");
        assert_eq!(branch(&top.path().join("repository/.claude/skills/one")).as_deref(), Some("topic/a"));
        put("repository/.git/HEAD", "0123456789abcdef\n");
        assert_eq!(branch(&top.path().join("repository")).as_deref(), Some("01234567"));
        put("worktree/.git", "gitdir: ../repository/.git/worktrees/w\n");
        put("repository/.git/worktrees/w/HEAD", "ref: refs/heads/w\n");
        assert_eq!(branch(&top.path().join("worktree")).as_deref(), Some("w"));
    }
}
