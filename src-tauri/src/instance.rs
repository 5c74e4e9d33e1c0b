//! One app per account folder: a later start forwards its request to the running app and ends.
//!
//! A file lock decides which process is the app; it is released when the process ends in any way. The socket only carries
//! requests, so a socket that a killed process left is replaced. No session bus is needed.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

const LOCK_FILE: &str = "studio.lock";
const SOCKET_FILE: &str = "studio.sock";
/// A path has at most 4,096.
const MAX_MESSAGE_BYTES: u64 = 64 * 1024;
/// For the answer of the running app, which may be starting itself.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);
/// For the request of a caller.
const READ_TIMEOUT: Duration = Duration::from_secs(2);
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// The request of a later start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenRequest {
    /// None brings a window to the front.
    pub(crate) folder: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    error: Option<String>,
}

#[derive(Debug)]
pub(crate) enum Start {
    First(Instance),
    /// The running app handled the request.
    Forwarded,
    /// The running app refused the request, with the reason.
    Refused(String),
}

/// The claim to be the only app of an account folder, released on drop.
#[derive(Debug)]
pub(crate) struct Instance {
    listener: UnixListener,
    socket: PathBuf,
    // Held until the process ends, however it ends.
    _lock: File,
}

impl Instance {
    /// Claims the folder, or forwards the request to the running app.
    pub(crate) fn claim(home: &Path, request: &OpenRequest) -> io::Result<Start> {
        Self::claim_within(home, request, ANSWER_TIMEOUT)
    }

    fn claim_within(home: &Path, request: &OpenRequest, timeout: Duration) -> io::Result<Start> {
        fs::create_dir_all(home)?;
        let started = Instant::now();
        loop {
            let lock = OpenOptions::new().create(true).truncate(false).write(true).open(home.join(LOCK_FILE))?;
            match lock.try_lock() {
                Ok(()) => return Self::first(home, lock).map(Start::First),
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) => {}
            }
            match forward_request(home, request, timeout.saturating_sub(started.elapsed())) {
                Ok(Answer { error: None }) => return Ok(Start::Forwarded),
                Ok(Answer { error: Some(error) }) => return Ok(Start::Refused(error)),
                // The other process doesn't listen yet, or is ending and about to release the lock.
                Err(error) if started.elapsed() >= timeout => return Err(error),
                Err(_) => std::thread::sleep(RETRY_INTERVAL),
            }
        }
    }

    fn first(home: &Path, lock: File) -> io::Result<Self> {
        let socket = home.join(SOCKET_FILE);
        match fs::remove_file(&socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = with_socket_path(home, UnixListener::bind)?;
        fs::set_permissions(&socket, Permissions::from_mode(0o600))?;
        Ok(Self { listener, socket, _lock: lock })
    }

    /// Answers requests on a thread of its own. The error of `handle` is sent to the caller.
    pub(crate) fn serve(&self, handle: impl Fn(OpenRequest) -> Result<(), String> + Send + 'static) -> io::Result<()> {
        let listener = self.listener.try_clone()?;
        let listen = move || {
            for caller in listener.incoming() {
                if let Err(error) = caller.and_then(|caller| answer(&caller, &handle)) {
                    tracing::warn!(%error, "can't answer a request of another start");
                }
            }
        };
        std::thread::Builder::new().name("instance".to_owned()).spawn(listen).map(|_| ())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // A socket that can't be removed is replaced by the next start.
        let _ = fs::remove_file(&self.socket);
    }
}

/// Calls `reach` with a path via the open folder, since a socket address is limited to about a hundred bytes.
fn with_socket_path<T>(home: &Path, reach: impl FnOnce(PathBuf) -> io::Result<T>) -> io::Result<T> {
    let folder = File::open(home)?;
    reach(PathBuf::from(format!("/proc/self/fd/{}/{SOCKET_FILE}", folder.as_raw_fd())))
}

fn forward_request(home: &Path, request: &OpenRequest, timeout: Duration) -> io::Result<Answer> {
    let running = with_socket_path(home, UnixStream::connect)?;
    running.set_read_timeout(Some(timeout.max(RETRY_INTERVAL)))?;
    send(&running, request)?;
    receive(&running)
}

fn answer(caller: &UnixStream, handle: &impl Fn(OpenRequest) -> Result<(), String>) -> io::Result<()> {
    caller.set_read_timeout(Some(READ_TIMEOUT))?;
    caller.set_write_timeout(Some(READ_TIMEOUT))?;
    let error = handle(receive(caller)?).err();
    send(caller, &Answer { error })
}

fn send<T: Serialize>(mut to: &UnixStream, message: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)
}

fn receive<T: DeserializeOwned>(from: &UnixStream) -> io::Result<T> {
    let mut line = Vec::new();
    BufReader::new(from.take(MAX_MESSAGE_BYTES)).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_slice(&line)?)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn request(folder: Option<&str>) -> OpenRequest {
        OpenRequest { folder: folder.map(str::to_owned) }
    }

    fn first(home: &Path) -> Instance {
        match Instance::claim(home, &request(None)).unwrap() {
            Start::First(instance) => instance,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_second_start_is_done_by_the_first() {
        // Deeper than the address of a socket is long.
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("a-name-of-thirty-two-characters-".repeat(3)).join("b".repeat(90));
        let running = first(&home);
        let (sender, receiver) = mpsc::channel();
        running.serve(move |request| sender.send(request).map_err(|error| error.to_string())).unwrap();
        for wanted in [request(Some("/home/ada/notes")), request(None)] {
            assert!(matches!(Instance::claim(&home, &wanted).unwrap(), Start::Forwarded));
            assert_eq!(receiver.recv_timeout(READ_TIMEOUT).unwrap(), wanted);
        }
    }

    #[test]
    fn a_refusal_of_the_running_app_is_reported() {
        let home = tempfile::tempdir().unwrap();
        let running = first(home.path());
        running.serve(|_| Err("no right to open it".to_owned())).unwrap();
        assert!(
            matches!(Instance::claim(home.path(), &request(Some("/root"))).unwrap(), Start::Refused(why) if why == "no right to open it")
        );
    }

    #[test]
    fn each_folder_has_its_own() {
        let homes = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let _all: Vec<_> = homes.iter().map(|home| first(home.path())).collect();
    }

    #[test]
    fn what_a_killed_one_left_is_nobodys() {
        let home = tempfile::tempdir().unwrap();
        drop(with_socket_path(home.path(), UnixListener::bind).unwrap());
        fs::write(home.path().join(LOCK_FILE), "").unwrap();
        assert!(home.path().join(SOCKET_FILE).exists());
        let running = first(home.path());
        let mode = fs::metadata(&running.socket).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        drop(running);
        assert!(!home.path().join(SOCKET_FILE).exists());
        drop(first(home.path()));
    }

    #[test]
    fn one_that_does_not_answer_is_an_error_in_time_and_one_that_ends_is_followed() {
        let home = tempfile::tempdir().unwrap();
        let silent = first(home.path());
        let short = Duration::from_millis(200);
        assert!(Instance::claim_within(home.path(), &request(None), short).is_err());
        let place = home.path().to_owned();
        let waiting = std::thread::spawn(move || matches!(Instance::claim(&place, &request(None)), Ok(Start::First(_))));
        drop(silent);
        assert!(waiting.join().unwrap());
    }

    #[test]
    fn nonsense_on_the_socket_ends_nothing() {
        let home = tempfile::tempdir().unwrap();
        let running = first(home.path());
        running.serve(|_| Ok(())).unwrap();
        for nonsense in [&b"GET / HTTP/1.1\n"[..], b"\xff\n", b"", "[".repeat(100_000).as_bytes()] {
            let caller = with_socket_path(home.path(), UnixStream::connect).unwrap();
            // It may have hung up already.
            let _ = (&caller).write_all(nonsense);
        }
        assert!(matches!(Instance::claim(home.path(), &request(None)).unwrap(), Start::Forwarded));
    }
}
