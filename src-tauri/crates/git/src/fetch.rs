//! Copies of repositories, for importing their skills.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, SystemTime};

use inklings_core::{CancellationToken, Digest, ProgressReporter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt as _};

use crate::address::RepositoryAddress;
use crate::command::git;

/// Of all files that are checked out.
const MAX_BYTES: u64 = 2 << 30;
const MAX_FILES: usize = 200_000;
/// Of the output that is kept: `ls-remote` prints a line for each branch and tag, `ls-tree` one for each file.
const MAX_OUTPUT_BYTES: u64 = 64 << 20;
const MAX_LINE_BYTES: usize = 1_000;
/// Copies that weren't used for this long are deleted.
const COPY_RETENTION: Duration = Duration::from_hours(14 * 24);

/// Where a skill was imported from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RepositorySource {
    pub url: String,
    /// The branch or tag that was asked for. Null for the default branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Full hash.
    pub commit: String,
    /// Folder in the repository. Empty for the whole repository.
    pub folder: String,
}

/// A copy of a repository's files at one commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FetchedRepository {
    pub source: RepositorySource,
    /// The folder that was asked for, in the copy.
    pub path: PathBuf,
}

impl FetchedRepository {
    /// The source of what is at a path. `None` if the path isn't in this copy.
    #[must_use]
    pub fn source_of(&self, path: &Path) -> Option<RepositorySource> {
        let below = path.strip_prefix(&self.path).ok()?.to_str()?;
        let folder = [self.source.folder.as_str(), below].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
        Some(RepositorySource { folder, ..self.source.clone() })
    }
}

#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error("git isn't installed")]
    NoGit,
    #[error("git: {0}")]
    Git(String),
    #[error("{url} has no branch or tag {branch:?}")]
    NoBranch { url: String, branch: String },
    #[error("{url} has no folder {folder:?}")]
    NoFolder { url: String, folder: String },
    #[error("{0} has no commits")]
    Empty(String),
    #[error("the repository is too large: {files} files with {} MiB", bytes >> 20)]
    TooLarge { files: usize, bytes: u64 },
    #[error("canceled")]
    Cancelled,
    #[error("can't write {path}: {error}", path = path.display())]
    Disk { path: PathBuf, error: io::Error },
}

/// Copies the newest commit of a branch to a folder in `copies`. A copy that is there already isn't fetched again.
///
/// `branch` and `folder` are used instead of those in the address. Progress is in percent.
pub async fn fetch(
    address: &RepositoryAddress,
    branch: Option<&str>,
    folder: Option<&str>,
    copies: &Path,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<FetchedRepository, FetchError> {
    let url = &address.url;
    let references = output_of(git(["ls-remote", "--", url]), cancel).await?;
    let (reference, folder) = locate(&references, address, branch, folder)?;
    let name = folder_name(address);
    let copy_at = |commit: &str| copies.join(copy_name(address, commit, &folder));
    let copy = |commit: String| {
        let path = copy_at(&commit).join(&name).join(&folder);
        let source = RepositorySource { url: url.clone(), branch: reference.name.clone(), commit, folder: folder.clone() };
        FetchedRepository { source, path }
    };
    fs::create_dir_all(copies).map_err(failed(copies))?;
    prune(copies);
    let known = copy_at(&reference.commit);
    if known.is_dir() {
        // As a sign of use.
        let _ = fs::File::open(&known).and_then(|folder| folder.set_modified(SystemTime::now()));
        return Ok(copy(reference.commit));
    }
    let unfinished = tempfile::Builder::new().prefix(UNFINISHED_PREFIX).tempdir_in(copies).map_err(failed(copies))?;
    let unfinished_copy = unfinished.path().join("copy");
    fs::create_dir(&unfinished_copy).map_err(failed(&unfinished_copy))?;
    let top = unfinished_copy.join(&name);
    let mut clone = git(["clone", "--depth=1", "--single-branch", "--no-tags", "--no-checkout", "--template=", "--progress"]);
    clone.args(reference.name.iter().map(|name| format!("--branch={name}"))).arg("--").arg(url).arg(&top);
    run(clone, cancel, Some(progress)).await?;
    let here = |args: &[&str]| {
        let mut command = git(args);
        command.current_dir(&top);
        command
    };
    // The branch may have moved since it was asked for.
    let commit = output_of(here(&["rev-parse", "HEAD"]), cancel).await?.trim().to_owned();
    let wanted = if folder.is_empty() { "." } else { folder.as_str() };
    let files = output_of(here(&["--literal-pathspecs", "ls-tree", "-r", "-l", "-z", "HEAD", "--", wanted]), cancel).await?;
    let (count, bytes) = size_of(&files);
    if count == 0 {
        return Err(if folder.is_empty() { FetchError::Empty(url.clone()) } else { FetchError::NoFolder { url: url.clone(), folder } });
    }
    if count > MAX_FILES || bytes > MAX_BYTES {
        return Err(FetchError::TooLarge { files: count, bytes });
    }
    run(here(&["--literal-pathspecs", "checkout", "--quiet", "HEAD", "--", wanted]), cancel, None).await?;
    fs::remove_dir_all(top.join(".git")).map_err(failed(&top))?;
    let target = copy_at(&commit);
    match fs::rename(&unfinished_copy, &target) {
        // Another process was faster.
        Err(_) if target.is_dir() => {}
        result => result.map_err(failed(&target))?,
    }
    Ok(copy(commit))
}

/// Copies that aren't complete yet.
const UNFINISHED_PREFIX: &str = ".fetching-";

fn failed(path: &Path) -> impl FnOnce(io::Error) -> FetchError {
    let path = path.to_owned();
    move |error| FetchError::Disk { path, error }
}

fn copy_name(address: &RepositoryAddress, commit: &str, folder: &str) -> String {
    let hash = Digest::of(format!("{}\0{commit}\0{folder}", address.url).as_bytes()).to_string();
    hash.get(..16).unwrap_or(&hash).to_owned()
}

/// The name of the repository's folder in each copy. A skill at its top is named after it, so it is the same for all commits.
fn folder_name(address: &RepositoryAddress) -> String {
    let name: String = address.name().chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(40).collect();
    if name.is_empty() { "repository".to_owned() } else { name }
}

/// Best effort: a copy that can't be deleted is tried again next time.
fn prune(copies: &Path) {
    let Ok(entries) = fs::read_dir(copies) else { return };
    for entry in entries.flatten() {
        let age = entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|modified| modified.elapsed().ok());
        if age.is_some_and(|age| age > COPY_RETENTION) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[derive(Debug, PartialEq)]
struct Reference {
    /// `None` for the default branch.
    name: Option<String>,
    commit: String,
}

/// The branch or tag, and the folder, by the output of `git ls-remote`.
fn locate(
    references: &str,
    address: &RepositoryAddress,
    branch: Option<&str>,
    folder: Option<&str>,
) -> Result<(Reference, String), FetchError> {
    let chosen_folder = folder.map(|folder| folder.trim_end_matches('/'));
    let listed: Vec<(&str, &str)> = references.lines().filter_map(|line| line.split_once('\t')).collect();
    let commit_of = |name: &str| {
        // An annotated tag has a second line with its commit.
        let names = [format!("refs/heads/{name}"), format!("refs/tags/{name}^{{}}"), format!("refs/tags/{name}")];
        names.iter().find_map(|name| listed.iter().find(|(_, listed)| listed == name)).map(|(commit, _)| (*commit).to_owned())
    };
    let found = |name: &str| commit_of(name).map(|commit| Reference { name: Some(name.to_owned()), commit });
    let missing = |branch: &str| FetchError::NoBranch { url: address.url.clone(), branch: branch.to_owned() };
    let asked = address.branch_and_path.as_str();
    // Every way to divide it, the shortest branch first.
    let divided = || {
        let slashes = asked.match_indices('/').map(|(at, _)| at).chain([asked.len()]);
        slashes.map(|at| (asked.get(..at).unwrap_or_default(), asked.get(at..).unwrap_or_default().trim_start_matches('/')))
    };
    let (reference, folder) = match branch {
        Some(branch) => {
            let folder = divided().find(|(name, _)| *name == branch || commit_of(name).is_some()).map_or("", |(_, folder)| folder);
            (found(branch).ok_or_else(|| missing(branch))?, folder)
        }
        None if asked.is_empty() => {
            let head = listed.iter().find(|(_, name)| *name == "HEAD").ok_or_else(|| FetchError::Empty(address.url.clone()))?;
            (Reference { name: None, commit: head.0.to_owned() }, "")
        }
        None => divided().find_map(|(name, folder)| Some((found(name)?, folder))).ok_or_else(|| missing(asked))?,
    };
    let folder = chosen_folder.unwrap_or(folder);
    if !folder.is_empty() && folder.split('/').any(|part| matches!(part, "" | "." | ".." | ".git")) {
        return Err(FetchError::NoFolder { url: address.url.clone(), folder: folder.to_owned() });
    }
    Ok((reference, folder.to_owned()))
}

/// Number and bytes of the files in the output of `git ls-tree -l -z`.
fn size_of(files: &str) -> (usize, u64) {
    let sizes = files.split('\0').filter_map(|line| line.split_once('\t')).map(|(entry, _)| {
        let size = entry.split_whitespace().nth(3);
        size.and_then(|size| size.parse::<u64>().ok()).unwrap_or(0)
    });
    sizes.fold((0, 0), |(count, bytes), size| (count + 1, bytes + size))
}

async fn output_of(command: std::process::Command, cancel: &CancellationToken) -> Result<String, FetchError> {
    run(command, cancel, None).await
}

/// Runs git and returns what it prints. A cancelled one is killed.
async fn run(
    command: std::process::Command,
    cancel: &CancellationToken,
    progress: Option<&ProgressReporter>,
) -> Result<String, FetchError> {
    let mut command = tokio::process::Command::from(command);
    let mut child = command.kill_on_drop(true).spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => FetchError::NoGit,
        _ => FetchError::Git(error.to_string()),
    })?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let ended = async {
        let (output, message) = tokio::join!(read(stdout), follow(stderr, progress));
        Ok::<(ExitStatus, String, String), io::Error>((child.wait().await?, output?, message))
    };
    let (status, output, message) = tokio::select! {
        ended = ended => ended.map_err(|error| FetchError::Git(error.to_string()))?,
        () = cancel.cancelled() => return Err(FetchError::Cancelled),
    };
    if status.success() { Ok(output) } else { Err(FetchError::Git(message)) }
}

async fn read(stream: Option<impl AsyncRead + Unpin>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes).await?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reports the progress that git writes, and returns why it failed: its first line that says so, or else its last one.
async fn follow(stream: Option<impl AsyncRead + Unpin>, progress: Option<&ProgressReporter>) -> String {
    let (mut fatal, mut last) = (None, String::new());
    let Some(mut stream) = stream else { return last };
    let mut on_line = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        match (percent(&line), progress) {
            (Some(percent), Some(progress)) => progress.report(percent, Some(100)),
            _ if line.trim().is_empty() => {}
            _ => line.trim().clone_into(&mut last),
        }
        if let Some(reason) = line.strip_prefix("fatal: ").or_else(|| line.strip_prefix("ERROR: ")) {
            fatal.get_or_insert_with(|| reason.trim().to_owned());
        }
    };
    let (mut chunk, mut line) = ([0; 4_096], Vec::new());
    while let Ok(read @ 1..) = stream.read(&mut chunk).await {
        for byte in chunk.iter().take(read) {
            match byte {
                // A line of progress ends with a carriage return.
                b'\r' | b'\n' => on_line(&std::mem::take(&mut line)),
                byte if line.len() < MAX_LINE_BYTES => line.push(*byte),
                _ => {}
            }
        }
    }
    on_line(&line);
    fatal.unwrap_or(last)
}

/// Of `Receiving objects:  45% (45/100), 1.20 MiB`
fn percent(line: &str) -> Option<usize> {
    line.strip_prefix("Receiving objects:")?.split_once('%')?.0.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFERENCES: &str = "aaa\tHEAD\naaa\trefs/heads/main\nbbb\trefs/heads/topic/a\nccc\trefs/tags/v1\nddd\trefs/tags/v1^{}\n";

    fn located(address: &str, branch: Option<&str>) -> Result<(Option<String>, String, String), String> {
        let (reference, folder) =
            locate(REFERENCES, &RepositoryAddress::parse(address).unwrap(), branch, None).map_err(|error| error.to_string())?;
        Ok((reference.name, reference.commit, folder))
    }

    #[test]
    fn the_branch_ends_where_the_repository_says() {
        let found = |name: Option<&str>, commit: &str, folder: &str| Ok((name.map(str::to_owned), commit.to_owned(), folder.to_owned()));
        let top = "https://example.org/team/skills";
        assert_eq!(located(top, None), found(None, "aaa", ""));
        assert_eq!(located(top, Some("topic/a")), found(Some("topic/a"), "bbb", ""));
        assert_eq!(located(&format!("{top}/tree/main"), None), found(Some("main"), "aaa", ""));
        assert_eq!(located(&format!("{top}/tree/topic/a/skills/pdf"), None), found(Some("topic/a"), "bbb", "skills/pdf"));
        assert_eq!(located(&format!("{top}/tree/v1/pdf"), None), found(Some("v1"), "ddd", "pdf"));
        assert_eq!(located(&format!("{top}/tree/main/pdf"), Some("v1")), found(Some("v1"), "ddd", "pdf"));
        assert!(located(top, Some("other")).unwrap_err().contains("no branch or tag \"other\""));
        assert!(located(&format!("{top}/tree/other/pdf"), None).unwrap_err().contains("no branch or tag"));
        for folder in ["..", "a/../..", ".git", "a//b"] {
            assert!(located(&format!("{top}/tree/main/{folder}"), None).unwrap_err().contains("no folder"), "{folder}");
        }
    }

    #[tokio::test]
    async fn the_reason_of_a_failure_is_found_between_progress() {
        let text =
            "Cloning into 'x'...\nReceiving objects:   1% (1/100)\rReceiving objects: 100% (100/100), done.\nfatal: not found\nhint\n";
        let (sender, received) = std::sync::mpsc::channel();
        let progress = ProgressReporter::new(move |progress| sender.send(progress.done).unwrap());
        assert_eq!(follow(Some(text.as_bytes()), Some(&progress)).await, "not found");
        drop(progress);
        assert_eq!(received.iter().collect::<Vec<_>>(), [1, 100]);
        assert_eq!(follow(Some("one\ntwo\n".as_bytes()), None).await, "two");
    }

    #[test]
    fn the_sizes_of_files_are_added() {
        assert_eq!(size_of("100644 blob aaa      12\ta b\u{0}160000 commit bbb       -\tmodule\u{0}100755 blob ccc 8\td\u{0}"), (3, 20));
        assert_eq!(size_of(""), (0, 0));
    }
}
