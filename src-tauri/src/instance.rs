//! One Studio for each account's folder: a later start hands its wish over and ends.
//!
//! A lock says who is the one. It goes with its process, however that ends. The socket beside it is only the way to talk, so
//! what a killed process left of it is simply replaced. It needs no session bus, and each folder has its own.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

const LOCK: &str = "studio.lock";
const SOCKET: &str = "studio.sock";
/// Bytes of a message; a path has at most 4,096.
const MESSAGE_BYTES: u64 = 64 * 1024;
/// How long the running Studio has to answer: it may be starting itself.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a caller may take to say what it wants.
const READ_TIMEOUT: Duration = Duration::from_secs(2);
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// What a later start wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenRequest {
    /// The folder to open; without one, a window is brought to the front.
    pub(crate) folder: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    /// Why it can't be done.
    error: Option<String>,
}

/// What a start turned out to be.
#[derive(Debug)]
pub(crate) enum Start {
    First(Instance),
    /// Another does what was wished.
    Forwarded,
    /// Another can't do it, and says why.
    Refused(String),
}

/// The claim to be the only Studio of a folder; over when dropped.
#[derive(Debug)]
pub(crate) struct Instance {
    listener: UnixListener,
    socket: PathBuf,
    // Held until the process ends, however it ends.
    _lock: File,
}

impl Instance {
    /// Claims the folder, or hands the wish to the Studio that has it.
    pub(crate) fn claim(home: &Path, request: &OpenRequest) -> io::Result<Start> {
        Self::claim_within(home, request, ANSWER_TIMEOUT)
    }

    fn claim_within(home: &Path, request: &OpenRequest, patience: Duration) -> io::Result<Start> {
        fs::create_dir_all(home)?;
        let started = Instant::now();
        loop {
            let lock = OpenOptions::new().create(true).truncate(false).write(true).open(home.join(LOCK))?;
            match lock.try_lock() {
                Ok(()) => return Self::first(home, lock).map(Start::First),
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) => {}
            }
            match forward_request(home, request, patience.saturating_sub(started.elapsed())) {
                Ok(Answer { error: None }) => return Ok(Start::Forwarded),
                Ok(Answer { error: Some(error) }) => return Ok(Start::Refused(error)),
                // It doesn't listen yet, or is about to end: then the lock is free with the next look.
                Err(error) if started.elapsed() >= patience => return Err(error),
                Err(_) => std::thread::sleep(RETRY_INTERVAL),
            }
        }
    }

    fn first(home: &Path, lock: File) -> io::Result<Self> {
        let socket = home.join(SOCKET);
        match fs::remove_file(&socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = at(home, UnixListener::bind)?;
        fs::set_permissions(&socket, Permissions::from_mode(0o600))?;
        Ok(Self { listener, socket, _lock: lock })
    }

    /// Does what later starts wish, on a thread of its own. `handle` says why it can't.
    pub(crate) fn serve(&self, handle: impl Fn(OpenRequest) -> Result<(), String> + Send + 'static) -> io::Result<()> {
        let listener = self.listener.try_clone()?;
        let listen = move || {
            for caller in listener.incoming() {
                if let Err(error) = caller.and_then(|caller| answer(&caller, &handle)) {
                    tracing::warn!(%error, "another start of the Studio could not be answered");
                }
            }
        };
        std::thread::Builder::new().name("instance".to_owned()).spawn(listen).map(|_| ())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // One that stays is replaced by the next start.
        let _ = fs::remove_file(&self.socket);
    }
}

/// The socket by way of its open folder: the address of a socket has a hundred bytes, a path may be longer.
fn at<T>(home: &Path, reach: impl FnOnce(PathBuf) -> io::Result<T>) -> io::Result<T> {
    let folder = File::open(home)?;
    reach(PathBuf::from(format!("/proc/self/fd/{}/{SOCKET}", folder.as_raw_fd())))
}

fn forward_request(home: &Path, request: &OpenRequest, patience: Duration) -> io::Result<Answer> {
    let running = at(home, UnixStream::connect)?;
    running.set_read_timeout(Some(patience.max(RETRY_INTERVAL)))?;
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
    BufReader::new(from.take(MESSAGE_BYTES)).read_until(b'\n', &mut line)?;
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
        let (tell, told) = mpsc::channel();
        running.serve(move |request| tell.send(request).map_err(|error| error.to_string())).unwrap();
        for wanted in [request(Some("/home/ada/notes")), request(None)] {
            assert!(matches!(Instance::claim(&home, &wanted).unwrap(), Start::Forwarded));
            assert_eq!(told.recv_timeout(READ_TIMEOUT).unwrap(), wanted);
        }
    }

    #[test]
    fn what_the_first_refuses_is_told() {
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
        drop(at(home.path(), UnixListener::bind).unwrap());
        fs::write(home.path().join(LOCK), "").unwrap();
        assert!(home.path().join(SOCKET).exists());
        let running = first(home.path());
        let mode = fs::metadata(&running.socket).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        drop(running);
        assert!(!home.path().join(SOCKET).exists());
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
            let caller = at(home.path(), UnixStream::connect).unwrap();
            // It may have hung up already.
            let _ = (&caller).write_all(nonsense);
        }
        assert!(matches!(Instance::claim(home.path(), &request(None)).unwrap(), Start::Forwarded));
    }
}
