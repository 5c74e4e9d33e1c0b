//! Standard input and output without threads between: a thread that waits for each line and for each answer would take longer than most
//! answers.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

/// To be called in the runtime that reads it.
pub(super) fn input() -> Box<dyn AsyncRead + Send + Unpin> {
    // Opened again: other programs may have the same end, and must not find it non-blocking. Fails for anything but a pipe.
    if let Ok(pipe) = pipe::OpenOptions::new().open_receiver("/proc/self/fd/0") {
        return Box::new(pipe);
    }
    match socket(io::stdin()) {
        Ok(socket) => Box::new(socket),
        Err(_) => Box::new(tokio::io::stdin()),
    }
}

/// To be called in the runtime that writes to it.
pub(super) fn output() -> Box<dyn AsyncWrite + Send + Unpin> {
    if let Ok(pipe) = pipe::OpenOptions::new().open_sender("/proc/self/fd/1") {
        return Box::new(pipe);
    }
    match socket(io::stdout()) {
        Ok(socket) => Box::new(socket),
        Err(_) => Box::new(tokio::io::stdout()),
    }
}

/// Node.js, in which most clients are written, gives its child processes one end of a pair of sockets each. A socket can't be opened again,
/// but nobody else uses this end.
fn socket(stream: impl AsFd) -> io::Result<UnixStream> {
    from_descriptor(stream.as_fd().try_clone_to_owned()?)
}

/// Fails for anything but a Unix socket.
fn from_descriptor(descriptor: OwnedFd) -> io::Result<UnixStream> {
    let stream = StdUnixStream::from(descriptor);
    stream.local_addr()?;
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn only_a_unix_socket_is_one() {
        let (one, other) = StdUnixStream::pair().unwrap();
        let mut one = from_descriptor(one.into()).unwrap();
        let mut other = from_descriptor(other.into()).unwrap();
        one.write_all(b"hello").await.unwrap();
        let mut read = [0; 5];
        other.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"hello");
        assert!(from_descriptor(tempfile::tempfile().unwrap().into()).is_err());
        assert!(from_descriptor(io::pipe().unwrap().0.into()).is_err());
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(from_descriptor(listener.into()).is_err());
    }
}
