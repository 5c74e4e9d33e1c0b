//! nginx on the loopback address, with its own folder, for one registry.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Debian installs it where `PATH` of users doesn't lead.
const PROGRAMS: [&str; 2] = ["/usr/sbin/nginx", "nginx"];
const DEADLINE: Duration = Duration::from_mins(1);
/// Attempts to find a port that no other program takes before nginx does.
const ATTEMPTS: usize = 20;
/// A request that marks a position in the log.
const MARK: &str = "/mark-";

/// A request in the access log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) status: u16,
    /// Of the body.
    pub(crate) bytes: u64,
}

pub(crate) struct Nginx {
    child: Child,
    port: u16,
    prefix: tempfile::TempDir,
    served: PathBuf,
    /// Number of marks in the log.
    marks: usize,
}

impl Nginx {
    /// Serves a folder. `directives` are those of its server.
    pub(crate) fn serve(folder: &Path, directives: &str) -> Self {
        let prefix = tempfile::tempdir().unwrap();
        for _ in 0..ATTEMPTS {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            if let Some(child) = start(prefix.path(), folder, port, directives) {
                return Self { child, port, prefix, served: folder.to_owned(), marks: 0 };
            }
        }
        panic!("nginx doesn't start: {}", fs::read_to_string(prefix.path().join("error.log")).unwrap_or_default());
    }

    /// Restarts it at the same address with other directives.
    pub(crate) fn restart_with(&mut self, directives: &str) {
        self.stop();
        let begun = Instant::now();
        loop {
            if let Some(child) = start(self.prefix.path(), &self.served, self.port, directives) {
                self.child = child;
                return;
            }
            assert!(begun.elapsed() < DEADLINE, "nginx doesn't start again");
        }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The requests since the last call.
    pub(crate) fn requests(&mut self) -> Vec<Request> {
        self.marks += 1;
        let mark = format!("{MARK}{}", self.marks);
        // One process writes the log in the order of the requests, each after its answer.
        let head = format!("GET {mark} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream.read_to_end(&mut Vec::new()).unwrap();
        let begun = Instant::now();
        loop {
            let all = log(self.prefix.path());
            if let Some(end) = all.iter().position(|one| one.path == mark) {
                let start = all[..end].iter().rposition(|one| one.path.starts_with(MARK)).map_or(0, |at| at + 1);
                return all[start..end].to_vec();
            }
            assert!(begun.elapsed() < DEADLINE, "the request isn't in the log");
            std::thread::yield_now();
        }
    }

    fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        self.stop();
    }
}

fn log(prefix: &Path) -> Vec<Request> {
    let text = fs::read_to_string(prefix.join("access.log")).unwrap_or_default();
    let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let request = |line: &str| {
        let mut fields = line.trim_end().split('\t');
        let mut field = || fields.next().unwrap().to_owned();
        Request { path: field(), status: field().parse().unwrap(), bytes: field().parse().unwrap() }
    };
    lines.map(request).collect()
}

/// `None` if another program took the port.
fn start(prefix: &Path, folder: &Path, port: u16, directives: &str) -> Option<Child> {
    let mut temporary = String::new();
    for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
        // Writing to a String can't fail.
        let _ = writeln!(temporary, "  {name}_temp_path {name};");
    }
    let configuration = format!(
        "daemon off;\nmaster_process off;\npid nginx.pid;\nerror_log error.log;\nevents {{ worker_connections 256; }}\nhttp {{\n{temporary}  \
         log_format requests '$uri\\t$status\\t$body_bytes_sent';\n  access_log access.log requests;\n  default_type application/octet-stream;\n  \
         sendfile on;\n  server {{\n    listen 127.0.0.1:{port};\n    root \"{}\";\n{directives}\n  }}\n}}\n",
        folder.display()
    );
    fs::write(prefix.join("nginx.conf"), configuration).unwrap();
    let mut command = Command::new(PROGRAMS.iter().find(|program| Path::new(program).exists()).unwrap_or(&PROGRAMS[1]));
    command.arg("-p").arg(prefix).args(["-e", "error.log", "-c", "nginx.conf"]).stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap_or_else(|error| panic!("{error}: apt-get install -y nginx"));
    let begun = Instant::now();
    loop {
        if child.try_wait().unwrap().is_some() {
            let said: Vec<String> = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok).collect();
            assert!(said.iter().any(|line| line.contains("Address already in use")), "{said:?}");
            return None;
        }
        // Another program that took the port would answer, too, but then nginx ends.
        if TcpStream::connect(("127.0.0.1", port)).is_ok() && prefix.join("nginx.pid").exists() {
            return Some(child);
        }
        assert!(begun.elapsed() < DEADLINE, "nginx doesn't answer");
        std::thread::yield_now();
    }
}
