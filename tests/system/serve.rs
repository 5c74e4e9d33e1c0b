//! `inklings serve`: other programs over HTTP, with tokens.

#[path = "serve/http.rs"]
mod http;
#[path = "serve/routes.rs"]
mod routes;

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use inklings_core::Digest;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use self::http::{Answer, send};
use crate::support::{Seeded, World, full};

struct Server {
    child: Child,
    /// `127.0.0.1:PORT`
    address: String,
    token_file: PathBuf,
    owner: String,
}

impl Server {
    fn start(world: &World) -> Self {
        let mut command = world.command();
        command.arg("--workspace").arg(world.workspace()).arg("serve");
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        let token_file = PathBuf::from(ready["tokenFile"].as_str().unwrap());
        let owner = std::fs::read_to_string(&token_file).unwrap();
        let address = ready["address"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
        Self { child, address, token_file, owner }
    }

    fn raw(&self, head: &str, headers: &str, body: &[u8]) -> Answer {
        let mut bytes = format!("{head} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n", body.len()).into_bytes();
        bytes.extend_from_slice(body);
        send(&self.address, &bytes).unwrap_or_else(|| panic!("no answer to {head}"))
    }

    fn headers(&self, token: &str) -> String {
        format!("Host: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n", self.address)
    }

    fn call(&self, token: &str, operation: &str, params: &Value) -> Answer {
        let body = params.to_string();
        self.raw(&format!("POST /api/operations/{operation}"), &self.headers(token), body.as_bytes())
    }

    fn end(mut self) -> PathBuf {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
        self.token_file.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn world() -> World {
    let world = World::new();
    world.json(&["skill", "create", "Release notes", "--description", "Writes release notes."]);
    world
}

fn token(world: &World, args: &[&str]) -> String {
    let created = world.json(&[&["token", "create"], args].concat());
    created["secret"].as_str().unwrap().to_owned()
}

#[test]
fn the_person_who_starts_it_is_let_in_by_a_file_that_lasts_as_long_as_the_server() {
    let world = world();
    let server = Server::start(&world);
    let mode = std::fs::metadata(&server.token_file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let listed = server.call(&server.owner, "skill/list", &json!({}));
    assert_eq!(listed.status, 200);
    let here = world.json(&["skill", "list"]);
    let slugs = |list: &Value| list["skills"].as_array().unwrap().iter().map(|one| one["slug"].to_string()).collect::<Vec<_>>();
    assert_eq!(slugs(&listed.json()), slugs(&here));
    let workspace = world.workspace().canonicalize().unwrap();
    assert_eq!(listed.header("inklings-workspace"), workspace.to_str());
    assert_eq!(listed.header("x-content-type-options"), Some("nosniff"));
    let health = server.raw("GET /api/health", &format!("Host: {}\r\n", server.address), b"");
    assert_eq!((health.status, health.json()["status"].as_str().unwrap().to_owned()), (200, "ok".to_owned()));
    let file = server.end();
    assert!(!file.exists());
}

#[test]
fn tokens_are_checked_and_revoked_and_what_they_did_is_logged() {
    let world = world();
    let (member, viewer) = (token(&world, &["ci", "--role", "member"]), token(&world, &["reader", "--role", "viewer", "--days", "30"]));
    let external = token(&world, &["partner", "--role", "viewer", "--external"]);
    let server = Server::start(&world);
    let skill = json!({ "name": "made", "title": "Made", "description": "By a token.", "content": "text\n" });
    let reply = server.call(&member, "tool/create_skill", &skill);
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(server.call(&server.owner, "library/card", &json!({ "skill": "made" })).json()["created_by"], "token:ci");
    // Until then, agents aren't offered it.
    assert_eq!(server.call(&server.owner, "skill/promote", &json!({ "skill": "made" })).json()["lifecycle"], "verified");
    let change = json!({ "name": "release-notes", "operation": "append", "content": "x" });
    for (token, params) in [(&member, &change), (&viewer, &change)] {
        let refused = server.call(token, "tool/update_skill", params);
        assert_eq!((refused.status, refused.json()["code"].clone()), (403, json!("forbidden")));
        assert_eq!(refused.header("content-type"), Some("application/problem+json"));
    }
    assert_eq!(server.call(&viewer, "skill/list", &json!({})).status, 200);
    assert_eq!(server.call(&viewer, "settings/get", &json!({})).status, 403);
    assert_eq!(server.call(&member, "token/list", &json!({})).status, 403);
    // An external token gets summaries, whatever else it asks for.
    let summaries = server.call(&external, "resource/external", &json!({})).json().to_string();
    assert!(summaries.contains("made") && !summaries.contains("text\\n"), "{summaries}");
    for operation in ["skill/list", "resource/list", "tool/read_skill"] {
        assert_eq!(server.call(&external, operation, &json!({ "name": "made" })).status, 403, "{operation}");
    }
    assert_eq!(server.raw("POST /mcp", &server.headers(&external), b"{}").status, 403);
    // A workspace's file lets nobody in.
    let planted = "inklings_planted_secret";
    let row = "INSERT INTO tokens VALUES ('planted', 'evil', 'system_admin', 0, ?1, '2026-01-01T00:00:00.000Z', NULL, NULL, NULL)";
    let database = Connection::open(world.workspace().join("agents.db")).unwrap();
    database.execute(row, [Digest::of(planted.as_bytes()).bytes()]).unwrap();
    assert_eq!(server.call(planted, "skill/list", &json!({})).status, 401);
    // A load that nobody can judge is counted, but not kept.
    for _ in 0..3 {
        assert_eq!(server.call(&viewer, "tool/load_skill", &json!({ "name": "made" })).status, 200);
    }
    let count = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT load_count FROM skills WHERE slug = 'made'"), 3);
    assert_eq!(count("SELECT count(*) FROM skill_invocations"), 0);
    // What is nearly a token isn't one.
    let last = if member.ends_with('A') { "B" } else { "A" };
    let forged = format!("{}{last}", &member[..member.len() - 1]);
    for wrong in [forged.as_str(), "", "x", "inklings_", &member[..20], &format!("{member}A"), &member.to_uppercase()] {
        let refused = server.call(wrong, "skill/list", &json!({}));
        assert!(matches!(refused.status, 401 | 429), "{wrong:?}: {refused:?}");
    }
    world.json(&["token", "revoke", "ci"]);
    let revoked = server.call(&member, "skill/list", &json!({}));
    assert_eq!((revoked.status, revoked.header("www-authenticate")), (401, Some("Bearer")));
    let taken = world.refused(&["token", "create", "ci", "--role", "viewer"]);
    assert_eq!(taken["code"], "exists");
    let calls = world.json(&["token", "calls"]);
    let logged: Vec<_> = calls["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| (call["actor"].clone(), call["operation"].clone(), call["code"].clone()))
        .collect();
    assert!(logged.contains(&(json!("token:ci"), json!("tool/create_skill"), Value::Null)), "{logged:?}");
    assert!(logged.contains(&(json!("token:reader"), json!("tool/update_skill"), json!("forbidden"))), "{logged:?}");
    assert!(!calls.to_string().contains("By a token."), "what was written isn't logged");
    // No secret is stored.
    let stored = std::fs::read(world.home().join("agents.db")).unwrap();
    let secret = member.splitn(3, '_').nth(2).unwrap().as_bytes();
    assert_eq!(secret.len(), 43, "32 bytes in base64");
    assert!(!stored.windows(secret.len()).any(|window| window == secret));
}

#[test]
fn requests_that_a_web_page_could_send_are_refused() {
    let world = world();
    let server = Server::start(&world);
    let with = |host: &str, more: &str| {
        let headers = format!("Host: {host}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n{more}", server.owner);
        server.raw("POST /api/operations/skill/list", &headers, b"{}").status
    };
    let own = server.address.clone();
    assert_eq!(with(&own, ""), 200);
    assert_eq!(with(&own, &format!("Origin: http://{own}\r\n")), 200);
    // A name that was made to point here.
    assert_eq!(with("evil.example", ""), 403);
    assert_eq!(with(&format!("evil.example:{}", own.rsplit(':').next().unwrap()), ""), 403);
    assert_eq!(with(&own, "Origin: http://evil.example\r\n"), 403);
    assert_eq!(with(&own, "Origin: null\r\n"), 403);
    // What a form can send.
    let form = format!("Host: {own}\r\nAuthorization: Bearer {}\r\nContent-Type: text/plain\r\n", server.owner);
    assert_eq!(server.raw("POST /api/operations/skill/list", &form, b"{}").status, 415);
    assert_eq!(server.raw("POST /mcp", &format!("Host: evil.example\r\nAuthorization: Bearer {}\r\n", server.owner), b"{}").status, 403);
}

#[test]
fn malformed_requests_get_a_problem_that_says_why() {
    let world = world();
    let server = Server::start(&world);
    let send = |body: &[u8]| server.raw("POST /api/operations/skill/get", &server.headers(&server.owner), body);
    for body in [&b"{"[..], b"[]", b"null", b"\xff\xfe", b"{\"skill\": 1}", b"{\"skill\": \"x\", \"more\": 1}"] {
        let refused = send(body);
        assert_eq!((refused.status, refused.json()["code"].clone()), (400, json!("invalid")), "{body:?}");
        assert!(refused.json()["detail"].as_str().is_some_and(|why| !why.is_empty()));
    }
    assert_eq!(send(b"{\"skill\": \"nothing\"}").status, 404);
    assert_eq!(server.call(&server.owner, "no/such", &json!({})).json()["code"], "unknownOperation");
    assert_eq!(server.raw("GET /api/operations/skill/list", &server.headers(&server.owner), b"").status, 405);
    assert_eq!(server.raw("GET /nothing", &server.headers(&server.owner), b"").status, 404);
    // The length is refused before anything is read.
    let length = 40 * 1024 * 1024;
    let head = format!(
        "POST /api/operations/skill/get HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{}\r\n",
        server.headers(&server.owner)
    );
    let mut bytes = head.into_bytes();
    bytes.resize(bytes.len() + length, b' ');
    assert_eq!(http::send(&server.address, &bytes).map_or(413, |answer| answer.status), 413);
    // Those who begin a request and say no more don't keep others out.
    let silent: Vec<_> = (0..100)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
            std::io::Write::write_all(&mut stream, b"POST /api/operations/skill/list HTTP/1.1\r\nHost: lo").unwrap();
            stream
        })
        .collect();
    assert_eq!(server.call(&server.owner, "skill/list", &json!({})).status, 200);
    drop(silent);
}

/// Spellings of paths that lead out of a skill, or would on another system.
const OUTSIDE: &[&str] = &[
    "../agents.db",
    "..",
    ".",
    "",
    "/",
    "/etc/passwd",
    "//etc/passwd",
    "a/../../x",
    "prompts/../../x",
    "./../x",
    "..\\x",
    "\\etc\\passwd",
    "C:\\x",
    "c:/x",
    "\\\\host\\share",
    "a\0b",
    "a/./b",
    "a//b",
    "a/",
    "..%2fx",
    "%2e%2e/x",
    "%2e%2e%2fx",
    "..%252fx",
    "..%c0%afx",
    "．．/x",
    "..／x",
    "CON",
    "nul.txt",
    "aux/x",
    "a/com1",
    "x.",
    "x ",
    " x",
    "a:b",
    "a*b",
    "a?b",
    "a|b",
    "a<b",
    "a\"b",
    "a\nb",
    "~/.ssh/id_rsa",
    "$HOME/x",
    "file:///etc/passwd",
    "....//x",
    "..;/x",
    "a/..",
    "a/\u{202e}b/../..",
    "\u{feff}../x",
];

#[test]
fn no_spelling_of_a_path_leads_out_of_a_skill() {
    let world = world();
    let server = Server::start(&world);
    assert!(OUTSIDE.len() >= 40);
    for path in OUTSIDE {
        for operation in ["file/bytes", "file/read", "tool/view_skill_artifact", "resource/read"] {
            let params = match operation {
                "resource/read" => json!({ "slug": "release-notes", "path": path }),
                _ => json!({ "skill": "release-notes", "path": path }),
            };
            let refused = server.call(&server.owner, operation, &params);
            assert!(matches!(refused.status, 400 | 404), "{operation} {path:?}: {refused:?}");
        }
        let write = json!({ "skill": "release-notes", "expected": 1, "changes": [{ "op": "write", "path": path, "text": "x" }] });
        let written = server.call(&server.owner, "skill/edit", &write);
        assert!(written.status < 500, "{path:?}: {written:?}");
    }
    let outside: Vec<_> = std::fs::read_dir(world.root.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(outside.iter().all(|name| ["home", "notes", "person"].contains(&name.to_str().unwrap())), "{outside:?}");
}

#[test]
fn random_requests_are_never_the_servers_fault() {
    let world = world();
    let server = Server::start(&world);
    let document = server.raw("GET /openapi.json", &server.headers(&server.owner), b"").json();
    // What follows events doesn't end by itself.
    let paths = document["paths"].as_object().unwrap().iter().filter(|(path, _)| !path.ends_with("/events"));
    let addresses: Vec<(String, String)> =
        paths.flat_map(|(path, methods)| methods.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone()))).collect();
    assert!(addresses.len() > 150);
    let mut random = Seeded(20);
    let words =
        ["skill", "name", "path", "query", "limit", "slug", "scope", "expected", "changes", "values", "id", "run", "params", "text"];
    let values = [
        json!(null),
        json!(-1),
        json!(1.5e300),
        json!(""),
        json!("release-notes"),
        json!("SKILL.md"),
        json!([]),
        json!([{}]),
        json!({}),
        json!("\u{0}\u{ffff}"),
        json!(true),
        json!("../x"),
    ];
    let requests = if full() { 10_000 } else { 1_000 };
    for _ in 0..requests {
        let (method, path) = &addresses[usize::try_from(random.below(addresses.len() as u64)).unwrap()];
        let fields = (0..random.below(5)).map(|_| {
            let (at, of) = (random.below(words.len() as u64), random.below(values.len() as u64));
            (words[usize::try_from(at).unwrap()].to_owned(), values[usize::try_from(of).unwrap()].clone())
        });
        let params = Value::Object(fields.collect());
        // Those that call models, or wait for them, aren't about parsing.
        if path.contains("/model/") || path.contains("/program/") {
            continue;
        }
        let mut address = path.clone();
        while let (Some(begin), Some(end)) = (address.find('{'), address.find('}')) {
            let value = &values[usize::try_from(random.below(values.len() as u64)).unwrap()];
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            address.replace_range(begin..=end, &utf8_percent_encode(&text, NON_ALPHANUMERIC).to_string());
        }
        let headers = format!("{}If-Match: *\r\n", server.headers(&server.owner));
        let answer = if matches!(method.as_str(), "GET" | "DELETE") {
            let pairs = params.as_object().unwrap().iter();
            let query = pairs.map(|(name, value)| format!("{name}={}", utf8_percent_encode(&value.to_string(), NON_ALPHANUMERIC)));
            server.raw(&format!("{method} {address}?{}", query.collect::<Vec<_>>().join("&")), &headers, b"")
        } else {
            server.raw(&format!("{method} {address}"), &headers, params.to_string().as_bytes())
        };
        assert!(answer.status < 500, "{method} {address} {params}: {answer:?}");
    }
}
