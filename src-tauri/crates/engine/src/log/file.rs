//! The log file in the account's folder, rotated at a fixed size.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use inklings_app::log::LogLine;

use super::line::parse;

const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// Rotated files.
const RETAINED_FILES: usize = 2;

pub(super) fn path(home: &Path) -> PathBuf {
    home.join("logs").join("studio.log")
}

fn rotated(path: &Path, age: usize) -> PathBuf {
    path.with_extension(format!("log.{age}"))
}

pub(super) struct LogFile {
    path: PathBuf,
    file: File,
    bytes: u64,
}

impl LogFile {
    pub(super) fn open(home: &Path) -> io::Result<Self> {
        let path = path(home);
        if let Some(folder) = path.parent() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&path)?;
        let bytes = file.metadata()?.len();
        Ok(Self { path, file, bytes })
    }

    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        if self.bytes >= MAX_FILE_BYTES {
            self.rotate()?;
        }
        self.file.write_all(text.as_bytes())?;
        self.bytes += text.len() as u64;
        Ok(())
    }

    fn rotate(&mut self) -> io::Result<()> {
        for age in (1..RETAINED_FILES).rev() {
            match fs::rename(rotated(&self.path, age), rotated(&self.path, age + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::rename(&self.path, rotated(&self.path, 1))?;
        self.file = OpenOptions::new().create(true).append(true).mode(0o600).open(&self.path)?;
        self.bytes = 0;
        Ok(())
    }
}

/// The newest `limit` lines, oldest first; empty if the file can't be read.
pub(crate) fn tail(home: &Path, limit: usize) -> Vec<LogLine> {
    let path = path(home);
    let read = |path: &Path| last_of(path).unwrap_or_default();
    let mut lines = parse(&read(&path));
    if lines.len() < limit {
        lines = parse(&(read(&rotated(&path, 1)) + &read(&path)));
    }
    lines.drain(..lines.len().saturating_sub(limit));
    lines
}

/// Reads at most the maximum size of a file from its end, since another program may have made it larger.
fn last_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    file.seek(SeekFrom::Start(bytes.saturating_sub(2 * MAX_FILE_BYTES)))?;
    let mut text = Vec::new();
    file.take(2 * MAX_FILE_BYTES).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use inklings_app::log::LogLevel;
    use inklings_core::Time;

    use super::super::line::print;
    use super::*;

    fn line(number: usize) -> LogLine {
        let message = format!("{number} {}", "x".repeat(1_000));
        LogLine { seq: 0, time: Time::from_millis(0), level: LogLevel::Info, target: "inklings".to_owned(), message }
    }

    #[test]
    fn it_stays_below_its_bound_and_keeps_the_newest() {
        let home = tempfile::tempdir().unwrap();
        let mut log = LogFile::open(home.path()).unwrap();
        for number in 0..5_000 {
            log.write(&print(&line(number))).unwrap();
        }
        let files: Vec<_> = fs::read_dir(home.path().join("logs")).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).collect();
        assert_eq!(files.len(), 1 + RETAINED_FILES);
        assert!(files.iter().all(|bytes| *bytes < MAX_FILE_BYTES + 2_000), "{files:?}");
        let newest: Vec<_> =
            tail(home.path(), 200).into_iter().map(|line| line.message.split(' ').next().unwrap().parse::<usize>().unwrap()).collect();
        assert_eq!(newest, (4_800..5_000).collect::<Vec<_>>());
    }

    #[test]
    fn a_later_start_goes_on_and_nobody_else_may_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = tempfile::tempdir().unwrap();
        for number in 0..2 {
            LogFile::open(home.path()).unwrap().write(&print(&line(number))).unwrap();
        }
        assert_eq!(tail(home.path(), 10).len(), 2);
        assert_eq!(fs::metadata(path(home.path())).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(tail(&home.path().join("nowhere"), 10).is_empty());
    }
}
