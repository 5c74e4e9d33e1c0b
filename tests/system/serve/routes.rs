//! The addresses with names of their own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::http::Answer;
use super::{OUTSIDE, Server, token, world};

impl Server {
    /// `headers` are further ones, each with its line end.
    fn send(&self, token: &str, head: &str, headers: &str, body: &[u8]) -> Answer {
        self.raw(head, &format!("{}{headers}", self.headers(token)), body)
    }

    fn get(&self, address: &str) -> Answer {
        self.send(&self.owner, &format!("GET {address}"), "", b"")
    }

    fn json(&self, head: &str, headers: &str, body: &Value) -> Answer {
        self.send(&self.owner, head, headers, body.to_string().as_bytes())
    }
}

const NO_RUN: &str = "01a218ae-8ba7-76d9-a1c4-6cb3cf09f89f";

fn tag(answer: &Answer) -> String {
    answer.header("etag").unwrap_or_else(|| panic!("no tag: {answer:?}")).to_owned()
}

fn if_match(tag: &str) -> String {
    format!("If-Match: {tag}\r\n")
}

#[test]
fn skills_are_listed_in_pages_and_sent_once() {
    let world = world();
    for number in 0..5 {
        world.json(&["skill", "create", &format!("Skill {number}"), "--description", "For a page."]);
    }
    let server = Server::start(&world);
    let (mut slugs, mut address) = (Vec::new(), "/api/skills?limit=2".to_owned());
    loop {
        let page = server.get(&address).json();
        slugs.extend(page["skills"].as_array().unwrap().iter().map(|skill| skill["slug"].as_str().unwrap().to_owned()));
        match page["next"].as_str() {
            Some(next) => address = format!("/api/skills?limit=2&cursor={next}"),
            None => break,
        }
    }
    let here = world.json(&["skill", "list"]);
    let mut expected: Vec<&str> = here["skills"].as_array().unwrap().iter().map(|skill| skill["slug"].as_str().unwrap()).collect();
    expected.sort_unstable();
    assert_eq!(slugs, expected);
    let first = server.get("/api/skills?origin=human&lifecycle=released&limit=500");
    let known = server.send(
        &server.owner,
        "GET /api/skills?origin=human&lifecycle=released&limit=500",
        &format!("If-None-Match: {}\r\n", tag(&first)),
        b"",
    );
    assert_eq!((known.status, known.body.len()), (304, 0));
    // Another process changes a skill: the answer of before isn't sent again.
    world.json(&["skill", "disable", "skill-3"]);
    let changed = server.get("/api/skills?origin=human&lifecycle=released&limit=500");
    assert_ne!(tag(&changed), tag(&first));
    assert_eq!(server.get("/api/skills?enabled=false").json()["skills"][0]["name"], "skill-3");
    for wrong in ["limit=x", "enabled=1", "colour=red", "limit=1&limit=2", "lifecycle=unknown"] {
        let refused = server.get(&format!("/api/skills?{wrong}"));
        assert_eq!((refused.status, refused.json()["code"].clone()), (400, json!("invalid")), "{wrong}");
    }
}

#[test]
fn a_skill_is_created_changed_and_deleted_by_the_names_of_other_systems() {
    let world = world();
    let server = Server::start(&world);
    let made =
        server.json("POST /api/skills", "", &json!({ "name": "tea", "title": "Tea", "description": "Makes tea.", "content": "Boil." }));
    assert_eq!(made.status, 201, "{made:?}");
    let also = json!({ "slug": "coffee", "name": "Coffee", "description": "Makes coffee.", "instructions": "Grind.", "manifest": { "version": 1, "requiredTools": ["kettle"] } });
    let also = server.json("POST /api/skills", "", &also).json();
    assert_eq!(
        (also["name"].clone(), also["title"].clone(), also["content"].clone()),
        (json!("coffee"), json!("Coffee"), json!("Grind.\n"))
    );
    assert_eq!(also["manifestSummary"]["requiredTools"], json!(["kettle"]));
    assert_eq!(server.json("POST /api/skills", "", &json!({ "name": "tea", "title": "T", "description": "d" })).status, 409);
    for reserved in [json!({ "name": "Stats", "description": "d" }), json!({ "slug": "health", "name": "H", "description": "d" })] {
        assert_eq!(server.json("POST /api/skills", "", &reserved).status, 400, "{reserved}");
    }
    let around = json!({ "name": "tea", "skill": "release-notes", "reason": "r" });
    assert_eq!(server.json("POST /api/skills/deprecate", &if_match("*"), &around).status, 400);
    let address = made.header("location").unwrap().to_owned();
    assert_eq!(tag(&server.get(&address)), tag(&made));
    assert_eq!(server.get("/api/skills/detail?name=tea").json()["id"], made.json()["id"]);
    // What is missing is called as it is in requests.
    let in_body = server.json("POST /api/skills/promote", &if_match("*"), &json!({}));
    for (refused, place) in [(server.get("/api/skills/detail"), "query parameter"), (in_body, "body's field")] {
        assert_eq!((refused.status, refused.json()["message"].clone()), (400, json!(format!("the {place} \"name\" is missing"))));
    }
    let change = json!({ "title": "Green tea", "instructions": "Boil, then wait.", "tags": ["drink"], "enabled": false });
    assert_eq!(server.json(&format!("PATCH {address}"), "", &change).status, 428);
    let changed = server.json(&format!("PATCH {address}"), &if_match(&tag(&made)), &change);
    assert_eq!(changed.status, 200, "{changed:?}");
    let value = changed.json();
    assert_eq!((value["title"].clone(), value["enabled"].clone(), value["version"].clone()), (json!("Green tea"), json!(false), json!(2)));
    let stale = server.json(&format!("PATCH {address}"), &if_match(&tag(&made)), &json!({ "title": "Black tea" }));
    assert_eq!((stale.status, stale.json()["fields"]["revision"].clone()), (412, json!(2)));
    let unclear = json!({ "content": "a", "instructions": "b" });
    assert_eq!(server.json(&format!("PATCH {address}"), &if_match("*"), &unclear).status, 400);
    // Lifecycle, relations and health.
    let by_name = |verb: &str, more: Value| {
        let mut body = json!({ "name": "coffee" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.json(&format!("POST /api/skills/{verb}"), &if_match("*"), &body)
    };
    assert_eq!(server.json("POST /api/skills/deprecate", "", &json!({ "name": "coffee", "reason": "r" })).status, 428);
    assert_eq!(by_name("deprecate", json!({ "reason": "use tea" })).json()["lifecycle"], "deprecated");
    assert_eq!(server.get("/api/skills/health?name=coffee").json()["lifecycle"], "deprecated");
    assert_eq!(
        server.get("/api/skills/dependencies?name=coffee").json(),
        json!({ "name": "coffee", "dependencies": [], "dependents": [], "cycle": null })
    );
    assert_eq!(server.get("/api/skills/stats").json()["deprecated"], 1);
    assert_eq!(server.get("/api/skills/tea/readiness").status, 200);
    let packed = server.get("/api/skills/tea/export?format=markdown");
    assert!(String::from_utf8_lossy(&packed.body).contains("then wait"), "{packed:?}");
    assert_eq!(packed.header("content-disposition"), Some("attachment; filename=\"tea.md\""));
    let merged = server.json("POST /api/skills/merge", &if_match("*"), &json!({ "target": "tea", "source": "coffee" }));
    assert_eq!(merged.status, 200, "{merged:?}");
    // Folders of other systems, below the workspace alone.
    let exported = server.json("POST /api/skills/export", "", &json!({ "skills": ["tea"] }));
    assert_eq!(exported.status, 200, "{exported:?}");
    assert!(world.workspace().join(".cortex/skills/tea/SKILL.md").is_file());
    world.file("notes/.cortex/skills/cocoa/SKILL.md", "---\nname: cocoa\ndescription: Makes cocoa.\n---\n\nStir.\n");
    let loaded = server.json("POST /api/skills/load-human", "", &json!({})).json();
    assert_eq!((loaded["found"].clone(), server.get("/api/skills/cocoa").status), (json!(2), 200));
    std::fs::remove_dir_all(world.workspace().join(".cortex")).unwrap();
    std::os::unix::fs::symlink(world.home(), world.workspace().join(".cortex")).unwrap();
    for verb in ["load-human", "export"] {
        assert_eq!(server.json(&format!("POST /api/skills/{verb}"), "", &json!({})).status, 403, "{verb}");
    }
    assert_eq!(server.send(&server.owner, "DELETE /api/skills?name=tea", "", b"").status, 428);
    assert_eq!(server.send(&server.owner, "DELETE /api/skills?name=tea", &if_match("*"), b"").status, 200);
    assert_eq!(server.get("/api/skills/tea").status, 404);
}

#[test]
fn maintenance_changes_what_models_wrote_and_proposes_the_rest() {
    let world = world();
    let server = Server::start(&world);
    let text = "Counts the words of a page.";
    for (name, title, human) in [("count-one", "Count words", "Sort lines"), ("count-two", "Words count", "Lines sort")] {
        // The same words: each makes the other redundant.
        let call = json!({ "name": name, "title": title, "description": text, "content": "Count." });
        assert_eq!(server.call(&server.owner, "tool/create_skill", &call).status, 200);
        server.json(
            "POST /api/skills",
            "",
            &json!({ "name": format!("{name}-human"), "title": human, "description": "Sorts lines by length." }),
        );
    }
    let names =
        |list: &Value| -> Vec<String> { list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect() };
    let preview = server.json("POST /api/skills/health", "", &json!({ "dry_run": true })).json();
    assert_eq!(
        (names(&preview["changed"]), preview["changed"][0]["to"].clone()),
        (vec!["count-one".to_owned(), "count-two".to_owned()], Value::Null)
    );
    assert_eq!(server.get("/api/skills/health?name=count-one").json()["advice"], "degrade");
    let done = server.json("POST /api/skills/health", "", &json!({})).json();
    assert_eq!((done["changed"][0]["action"].clone(), done["changed"][0]["to"].clone()), (json!("degraded"), json!("degraded")));
    assert!(names(&done["proposed"]).contains(&"count-one-human".to_owned()), "{done}");
    assert_eq!(server.get("/api/skills/count-one-human").json()["lifecycle"], "released");
    assert_eq!(server.get("/api/skills/count-one").json()["lifecycle"], "degraded");
    // Alone, it is worth keeping.
    assert_eq!(server.send(&server.owner, "DELETE /api/skills/count-two", &if_match("*"), b"").status, 200);
    let done = server.json("POST /api/skills/health", "", &json!({})).json();
    assert_eq!((names(&done["changed"]), done["changed"][0]["to"].clone()), (vec!["count-one".to_owned()], json!("verified")));
}

#[test]
fn files_are_bytes_that_only_those_replace_who_have_seen_them() {
    let world = world();
    let server = Server::start(&world);
    let address = |path: &str| format!("/api/skills/release-notes/files/{path}");
    let put = |path: &str, headers: &str, bytes: &[u8]| server.send(&server.owner, &format!("PUT {}", address(path)), headers, bytes);
    let bytes: Vec<u8> = (0..=255).collect();
    let made = put("assets/a%20b.bin", "", &bytes);
    assert_eq!(made.status, 201, "{made:?}");
    let read = server.get(&address("assets/a%20b.bin"));
    assert_eq!((read.body == bytes, tag(&read)), (true, tag(&made)));
    assert_eq!(read.header("content-security-policy"), Some("sandbox; default-src 'none'"));
    assert_eq!(put("assets/a%20b.bin", "", b"x").status, 428);
    assert_eq!(put("assets/a%20b.bin", &if_match("\"x\""), b"x").status, 412);
    assert_eq!(put("assets/a%20b.bin", "If-None-Match: *\r\n", b"x").status, 412);
    assert_eq!(put("assets/a%20b.bin", &if_match(&tag(&made)), b"x").status, 200);
    assert_eq!(put("none.txt", &if_match("\"x\""), b"x").status, 412);
    let uploaded = server.send(&server.owner, &format!("POST {}", address("scripts/run.py")), "", b"print(1)\n");
    assert_eq!(uploaded.status, 201, "{uploaded:?}");
    let html = put("assets/page.html", "", b"<script>1</script>");
    assert_eq!(
        (html.status, server.get(&address("assets/page.html")).header("content-type").map(str::to_owned)),
        (201, Some("text/plain; charset=utf-8".to_owned()))
    );
    let tree = server.get("/api/skills/release-notes/tree").json();
    assert_eq!(tree["children"][0]["children"][0]["path"], "assets/a b.bin");
    assert_eq!(tree["children"][0]["children"][0]["size"], 1);
    let delete = |path: &str, headers: &str| server.send(&server.owner, &format!("DELETE {}", address(path)), headers, b"").status;
    assert_eq!(delete("scripts/run.py", ""), 428);
    assert_eq!(delete("scripts/run.py", &if_match("\"x\"")), 412);
    assert_eq!(delete("scripts/run.py", &if_match(&tag(&uploaded))), 200);
    assert_eq!(delete("scripts/run.py", &if_match("*")), 404);
    assert_eq!(server.get(&address("scripts/run.py")).status, 404);
    let is_plain = |ch: char| ch.is_ascii_graphic() && !matches!(ch, '?' | '#' | '"' | '<' | '>' | '|' | '\\');
    let plain = |path: &str| path.replace(|ch| !is_plain(ch), "%5c");
    let encoded = |path: &str| utf8_percent_encode(path, NON_ALPHANUMERIC).to_string();
    let spellings: Vec<String> = OUTSIDE.iter().flat_map(|path| [encoded(path), plain(path)]).collect();
    for spelling in &spellings {
        let read = server.get(&address(spelling));
        assert!(matches!(read.status, 400 | 404), "{spelling:?}: {read:?}");
    }
    // Some are names that files may have.
    for spelling in &spellings {
        assert!(put(spelling, "", b"x").status < 500, "{spelling:?}");
    }
    let outside: Vec<_> = std::fs::read_dir(world.root.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(outside.iter().all(|name| ["home", "notes", "person"].contains(&name.to_str().unwrap())), "{outside:?}");
}

#[test]
fn many_writers_of_a_file_lose_nothing() {
    const WRITERS: usize = 32;
    let world = world();
    let server = Server::start(&world);
    let address = "/api/skills/release-notes/files/log.txt";
    assert_eq!(server.send(&server.owner, &format!("PUT {address}"), "", b"").status, 201);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let server = &server;
            scope.spawn(move || {
                loop {
                    let read = server.get(address);
                    let text = [&read.body[..], format!("{writer}\n").as_bytes()].concat();
                    let written = server.send(&server.owner, &format!("PUT {address}"), &if_match(&tag(&read)), &text);
                    match written.status {
                        200 => return,
                        412 => {}
                        _ => panic!("{written:?}"),
                    }
                }
            });
        }
    });
    let text = String::from_utf8(server.get(address).body).unwrap();
    let mut writers: Vec<usize> = text.lines().map(|line| line.parse().unwrap()).collect();
    writers.sort_unstable();
    assert_eq!(writers, (0..WRITERS).collect::<Vec<_>>());
    // What was refused is the clients', not the user's.
    assert_eq!(server.call(&server.owner, "draft/list", &json!({})).json(), json!({ "drafts": [] }));
}

#[test]
fn roles_hold_for_every_address() {
    let world = world();
    let (viewer, external) =
        (token(&world, &["reader", "--role", "viewer"]), token(&world, &["partner", "--role", "viewer", "--external"]));
    let server = Server::start(&world);
    let document = server.get("/openapi.json").json();
    for (path, methods) in document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(path, _)| path.starts_with("/api/skills") || path.starts_with("/api/runs") || path.starts_with("/api/traces"))
    {
        for (method, operation) in methods.as_object().unwrap() {
            let head = format!("{} {}", method.to_uppercase(), path.replace("{path}", "SKILL.md").replace(['{', '}'], ""));
            let refused = server.send(&external, &head, "", b"{}");
            assert_eq!(refused.status, 403, "{head}");
            let is_reading = operation["description"].as_str().unwrap().contains("skills.read");
            let head = format!(
                "{} {}",
                method.to_uppercase(),
                path.replace("{id}", "release-notes").replace("{path}", "SKILL.md").replace("{run}", NO_RUN).replace(['{', '}'], "")
            );
            let body = json!({ "name": "release-notes", "target": "release-notes", "reason": "r" }).to_string();
            let body = if method == "get" { String::new() } else { body };
            let query = if method == "delete" && path == "/api/skills" { "?name=release-notes" } else { "" };
            let status = server.send(&viewer, &format!("{head}{query}"), &if_match("*"), body.as_bytes()).status;
            assert_eq!(status == 403, !is_reading, "{head}: {status}");
        }
    }
    assert_eq!(server.send(&external, "GET /api/events", "", b"").status, 403);
    // The first event that a viewer sees is the first about a skill.
    let seen = events(&server, &viewer, "GET /api/events", "", "change", || {
        assert_eq!(server.call(&server.owner, "note/set", &json!({ "scope": "account", "text": "private" })).status, 200);
        world.json(&["skill", "create", "Other", "--description", "For all."]);
    });
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].1["kind"], "skill");
    // A revoked token ends its streams: their text ends.
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    write!(stream, "GET /api/events HTTP/1.1\r\nConnection: close\r\n{}\r\n", server.headers(&viewer)).unwrap();
    let mut lines = BufReader::new(stream).lines();
    assert!(lines.next().unwrap().unwrap().contains(" 200 "));
    world.json(&["token", "revoke", "reader"]);
    assert!(lines.all(|line| line.is_ok()));
    let anonymous = server.raw("GET /api/skills", &format!("Host: {}\r\n", server.address), b"");
    assert_eq!(anonymous.status, 401);
    let page = server.raw("GET /docs", &format!("Host: {}\r\n", server.address), b"");
    assert!(page.status == 200 && String::from_utf8_lossy(&page.body).contains("/api/skills/{id}"), "{}", page.status);
}

/// Reads server-sent events until one is named `last`.
fn events(server: &Server, token: &str, head: &str, body: &str, last: &str, meanwhile: impl FnOnce()) -> Vec<(String, Value)> {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let headers = format!("{}Accept: text/event-stream\r\nContent-Length: {}\r\n", server.headers(token), body.len());
    write!(stream, "{head} HTTP/1.1\r\n{headers}\r\n{body}").unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    let status = lines.next().unwrap();
    assert!(status.contains(" 200 "), "{status}");
    meanwhile();
    let (mut all, mut name) = (Vec::new(), String::new());
    for line in lines {
        if let Some(event) = line.strip_prefix("event: ") {
            event.clone_into(&mut name);
        } else if let Some(data) = line.strip_prefix("data: ") {
            all.push((name.clone(), serde_json::from_str(data).unwrap()));
            if name == last {
                break;
            }
        }
    }
    all
}

#[test]
fn runs_and_changes_are_followed_as_they_happen() {
    let world = world();
    world.file("in/double/SKILL.md", "---\nname: double\ndescription: Doubles a number.\n---\n\nRun it.\n");
    let artifact = json!({ "path": "scripts/double.py", "kind": "code_template", "name": "Double", "ordinal": 1 });
    world.file("in/double/skill.json", json!({ "artifacts": [artifact] }).to_string());
    world.file("in/double/scripts/double.py", "import inklings\nprint('hello')\ninklings.submit(int(params['n']) * 2)\n");
    world.json(&["import", world.root.path().join("in").to_str().unwrap()]);
    world.json(&["workspace", "trust"]);
    let viewer = token(&world, &["reader", "--role", "viewer"]);
    let server = Server::start(&world);
    let body = json!({ "skill": "double", "artifact": "scripts/double.py", "params": { "n": "21" } }).to_string();
    let seen = events(&server, &server.owner, "POST /api/runs", &body, "outcome", || ());
    let (_, outcome) = seen.last().unwrap();
    assert_eq!((outcome["status"].clone(), outcome["value"].clone()), (json!("ok"), json!(42)), "{outcome}");
    let kinds: Vec<&str> = seen.iter().filter_map(|(_, event)| event["kind"].as_str()).collect();
    assert!(kinds.contains(&"began") && kinds.contains(&"log"), "{kinds:?}");
    let plain = server.json("POST /api/runs", "", &serde_json::from_str(&body).unwrap());
    assert_eq!(plain.json()["value"], 42);
    let runs = server.get("/api/runs?status=ok&limit=1").json();
    let run = runs["runs"][0]["run_id"].as_str().unwrap().to_owned();
    assert_eq!(run, plain.json()["run"].as_str().unwrap());
    // Its ID isn't another one's, which would be merged into it.
    let again = json!({ "run": run, "skill": "double", "artifact": "scripts/double.py", "params": { "n": "1" } });
    let again = server.json("POST /api/runs", "", &again);
    assert_eq!((again.status, again.json()["code"].clone()), (409, json!("exists")));
    assert_eq!(server.get(&format!("/api/runs/{run}")).status, 200);
    let trace = server.get("/api/traces?skill=double").json()["traces"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(server.get(&format!("/api/traces/{trace}")).status, 200);
    // It has ended.
    assert_eq!(server.json(&format!("POST /api/runs/{run}/cancel"), "", &json!({})).status, 404);
    // What didn't begin is no stream, and one of a run that has ended ends.
    let refused = server.json("POST /api/runs", "Accept: text/event-stream\r\n", &json!({ "skill": "nothing" }));
    assert_eq!((refused.status, refused.json()["code"].clone()), (404, json!("notFound")));
    assert_eq!(server.get(&format!("/api/runs/{run}/events")).status, 200);
    // The administrator would see the end of the runs, too.
    let seen = events(&server, &viewer, "GET /api/events", "", "change", || {
        world.json(&["skill", "create", "Other", "--description", "By another process."]);
    });
    assert_eq!(seen.last().unwrap().1["kind"], "skill");
}

#[test]
fn a_draft_is_sent_to_nobody_who_does_not_decide_about_it() {
    let world = world();
    let artifact = json!({ "path": "scripts/memo.py", "kind": "code_template", "name": "Memo", "ordinal": 1 });
    let gate = json!({ "key": "tone", "label": "Approve the tone", "when": "after_draft", "required": true });
    let declared = json!({ "artifacts": [artifact], "metadata": { "manifest": { "version": 1, "humanGates": [gate] } } });
    world.file("in/memo/SKILL.md", "---\nname: memo\ndescription: Writes memos.\n---\n\nRun it.\n");
    world.file("in/memo/skill.json", declared.to_string());
    world.file("in/memo/tools/usage.py", "import sys\nprint('the ' + 'draft')\nsys.exit(2)\n");
    world.file("in/memo/scripts/memo.py", "import inklings\ndraft = 'the ' + 'draft'\nprint(draft)\ninklings.submit(draft)\n");
    world.json(&["import", world.root.path().join("in").to_str().unwrap()]);
    world.json(&["workspace", "trust"]);
    let member = token(&world, &["ci", "--role", "member"]);
    let server = Server::start(&world);
    let body = json!({ "skill": "memo", "artifact": "scripts/memo.py" }).to_string();
    let seen = events(&server, &member, "POST /api/runs", &body, "outcome", || ());
    assert!(seen.iter().any(|(_, event)| event["kind"] == "ended"), "{seen:?}");
    assert!(seen.iter().all(|(_, event)| !event.to_string().contains("the draft")), "{seen:?}");
    let outcome = server.send(&member, "POST /api/runs", "", body.as_bytes()).json();
    assert_eq!((&outcome["status"], &outcome["text"], &outcome["value"]), (&json!("ok"), &Value::Null, &Value::Null));
    assert_eq!((&outcome["gates"][0]["key"], &outcome["gates"][0]["decision"]), (&json!("tone"), &Value::Null));
    assert!(!outcome.to_string().contains("the draft"), "{outcome}");
    // Nobody decides about the output of a run that failed, so the reason is told.
    let failed = server.call(&member, "tool/execute_plugin_script", &json!({ "skill": "memo", "path": "tools/usage.py" })).json();
    assert_eq!((&failed["exit_code"], &failed["stdout"]), (&json!(2), &json!("")), "{failed}");
    assert!(failed["warning"].as_str().unwrap().contains("the output is withheld"), "{failed}");
    // A revision from before the gate would have none.
    world.file("in/notes.md", "More.\n");
    world.json(&["skill", "edit", "memo", "--path", "notes.md", "--from", world.root.path().join("in/notes.md").to_str().unwrap()]);
    let earlier = json!({ "skill": "memo", "artifact": "scripts/memo.py", "revision": 1 });
    assert_eq!(server.send(&member, "POST /api/runs", "", earlier.to_string().as_bytes()).status, 403);
    // Whoever decides reads it.
    let run = server.get(&format!("/api/runs/{}", outcome["run"].as_str().unwrap())).json();
    assert!(run.to_string().contains("the draft"), "{run}");
    assert_eq!(server.json("POST /api/runs", "", &serde_json::from_str(&body).unwrap()).json()["value"], "the draft");
}
