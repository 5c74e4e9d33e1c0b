//! A web server for a folder, which misbehaves on request.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use inklings_core::Digest;
use url::Url;

#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// Closes the connection instead of answering.
    Drop,
    /// Announces the whole file, and closes the connection after this many bytes of it.
    Cut(usize),
    /// The same, without announcing a length.
    CutSilently(usize),
    /// Another file, with a valid header.
    Replace(Vec<u8>),
    Status(u16),
    /// Never ends.
    Endless,
    /// Sends one byte after each pause.
    Trickle(Duration),
    /// Accepts the request and sends nothing.
    Silent,
}

#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) etag: Option<String>,
    pub(crate) range: Option<String>,
}

#[derive(Debug, Default)]
struct State {
    /// By the beginning of the path; the number of requests that it applies to.
    faults: HashMap<String, (Fault, usize)>,
    received: Vec<Received>,
    ignores_ranges: bool,
    has_no_etags: bool,
}

#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: Url,
    state: Arc<Mutex<State>>,
}

impl Server {
    pub(crate) fn new(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
        let state = Arc::<Mutex<State>>::default();
        let (shared, folder) = (state.clone(), folder.to_owned());
        // Ends with the process.
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (state, folder) = (shared.clone(), folder.clone());
                thread::spawn(move || drop(answer(connection, &state, &folder)));
            }
        });
        Self { address, state }
    }

    /// Until [`Server::heal`].
    pub(crate) fn fail(&self, path: &str, fault: Fault) {
        self.fail_times(path, fault, usize::MAX);
    }

    pub(crate) fn fail_times(&self, path: &str, fault: Fault, times: usize) {
        self.state.lock().unwrap().faults.insert(path.to_owned(), (fault, times));
    }

    pub(crate) fn heal(&self) {
        self.state.lock().unwrap().faults.clear();
    }

    pub(crate) fn ignore_ranges(&self) {
        self.state.lock().unwrap().ignores_ranges = true;
    }

    pub(crate) fn omit_etags(&self) {
        self.state.lock().unwrap().has_no_etags = true;
    }

    /// The requests since the last call.
    pub(crate) fn received(&self) -> Vec<Received> {
        std::mem::take(&mut self.state.lock().unwrap().received)
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.received().into_iter().map(|one| one.path).collect()
    }
}

fn answer(connection: TcpStream, state: &Mutex<State>, folder: &Path) -> std::io::Result<()> {
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        if line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let header = |name: &str| {
        let named = lines.iter().filter_map(|line| line.split_once(": ")).find(|(found, _)| found.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.to_owned())
    };
    let path = lines[0].split(' ').nth(1).unwrap().trim_start_matches('/').to_owned();
    let received = Received { path: path.clone(), etag: header("if-none-match"), range: header("range") };
    let (fault, ignores_ranges, has_no_etags) = {
        let mut state = state.lock().unwrap();
        state.received.push(received.clone());
        let fault = state.faults.iter_mut().find(|(start, (_, times))| path.starts_with(*start) && *times > 0);
        let fault = fault.map(|(_, (fault, times))| {
            *times -= 1;
            fault.clone()
        });
        (fault, state.ignores_ranges, state.has_no_etags)
    };
    let file: PathBuf = folder.join(&path);
    respond(connection, &received, fault, fs::read(file).ok(), (ignores_ranges, has_no_etags))
}

fn respond(
    mut connection: TcpStream,
    received: &Received,
    fault: Option<Fault>,
    file: Option<Vec<u8>>,
    (ignores_ranges, has_no_etags): (bool, bool),
) -> std::io::Result<()> {
    let file = match &fault {
        Some(Fault::Drop) => return Ok(()),
        Some(Fault::Status(status)) => {
            return write!(connection, "HTTP/1.1 {status} Fault\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
        Some(Fault::Silent) => {
            thread::sleep(Duration::from_secs(20));
            return Ok(());
        }
        Some(Fault::Replace(bytes)) => Some(bytes.clone()),
        Some(Fault::Endless) => {
            write!(connection, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
            loop {
                connection.write_all(&[b' '; 8_192])?;
            }
        }
        _ => file,
    };
    let Some(file) = file else {
        return write!(connection, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    let etag = format!("\"{}\"", Digest::of(&file).short());
    if received.etag.as_deref() == Some(&etag) && !has_no_etags {
        return write!(connection, "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n");
    }
    let wanted = received
        .range
        .as_deref()
        .filter(|_| !ignores_ranges)
        .and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse::<usize>().ok());
    let start = wanted.unwrap_or(0);
    if start >= file.len() && start > 0 {
        return write!(connection, "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
    let body = &file[start..];
    let mut head = match wanted {
        Some(start) => format!("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {start}-{}/{}\r\n", file.len() - 1, file.len()),
        None => "HTTP/1.1 200 OK\r\n".to_owned(),
    };
    if !has_no_etags {
        head.extend(["ETag: ", &etag, "\r\n"]);
    }
    if !matches!(fault, Some(Fault::CutSilently(_))) {
        head.extend(["Content-Length: ", &body.len().to_string(), "\r\n"]);
    }
    connection.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes())?;
    match fault {
        Some(Fault::Cut(length) | Fault::CutSilently(length)) => connection.write_all(&body[..length.min(body.len())]),
        Some(Fault::Trickle(pause)) => body.chunks(1).try_for_each(|byte| {
            thread::sleep(pause);
            connection.write_all(byte)
        }),
        _ => connection.write_all(body),
    }
}
