//! Files and ports that a script could only access by escaping the sandbox.

use std::fs;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::Path;

use serde_json::{Map, Value, json};
use tempfile::TempDir;

const SECRET: &str = "not for scripts";

/// A folder with one file.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("secret"), SECRET).unwrap();
    folder
}

/// Two listening ports, and a folder with a file.
pub(crate) struct Outside {
    connections: TcpListener,
    datagrams: UdpSocket,
    folder: TempDir,
}

impl Outside {
    pub(crate) fn new() -> Self {
        let (connections, datagrams) = (TcpListener::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
        connections.set_nonblocking(true).unwrap();
        datagrams.set_nonblocking(true).unwrap();
        Self { connections, datagrams, folder: folder() }
    }

    /// The addresses: `tcp`, `udp`, `folder`.
    pub(crate) fn params(&self) -> Map<String, Value> {
        let (tcp, udp) = (self.connections.local_addr().unwrap().port(), self.datagrams.local_addr().unwrap().port());
        [("tcp", json!(tcp)), ("udp", json!(udp)), ("folder", json!(self.folder.path()))]
            .map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect()
    }

    /// Accesses since the last call.
    pub(crate) fn reached(&mut self) -> Vec<&'static str> {
        let names: Vec<_> = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        let found = [
            (self.connections.accept().is_ok(), "a connection"),
            (self.datagrams.recv_from(&mut [0; 16]).is_ok(), "a datagram"),
            (names != ["secret"], "a file that came or went"),
            (fs::read_to_string(self.folder.path().join("secret")).ok().as_deref() != Some(SECRET), "a changed file"),
        ];
        let found: Vec<_> = found.into_iter().filter_map(|(reached, what)| reached.then_some(what)).collect();
        if !found.is_empty() {
            self.folder = folder();
        }
        found
    }
}

#[test]
fn what_reaches_it_is_noticed_once() {
    let mut outside = Outside::new();
    let params = outside.params();
    let port = |name: &str| ("127.0.0.1", u16::try_from(params[name].as_u64().unwrap()).unwrap());
    assert!(outside.reached().is_empty());
    let _connection = TcpStream::connect(port("tcp")).unwrap();
    assert_eq!(outside.reached(), ["a connection"]);
    UdpSocket::bind("127.0.0.1:0").unwrap().send_to(b"x", port("udp")).unwrap();
    assert_eq!(outside.reached(), ["a datagram"]);
    for (file, what) in [("escape", "a file that came or went"), ("secret", "a changed file")] {
        fs::write(Path::new(outside.params()["folder"].as_str().unwrap()).join(file), "x").unwrap();
        assert_eq!(outside.reached(), [what]);
        assert!(outside.reached().is_empty());
    }
}
