use serde_json::json;

use crate::background::{Answer, World, send};

const ADDRESS: &str = "/api/skills?limit=1";

fn get(port: u16, token: &str, headers: &str) -> Answer {
    send(port, &format!("GET {ADDRESS}"), token, headers, &json!({}))
}

fn body(answer: &Answer) -> &str {
    answer.text.split_once("\r\n\r\n").unwrap().1
}

#[test]
fn a_known_answer_is_only_for_those_who_may_read_it() {
    let world = World::new();
    let port = world.start(0);
    let (admin, reader) = (world.token("admin", "tenant_admin"), world.token("reader", "viewer"));
    let partner = world.call("token/create", json!({ "name": "partner", "role": "viewer", "external": true }));
    let (first, second) = (get(port, &reader, ""), get(port, &reader, ""));
    assert_eq!((first.status, second.status), (200, 200));
    assert_eq!(body(&first), body(&second));
    for header in ["inklings-workspace: ", "x-content-type-options: nosniff", "cache-control: private, no-cache", "etag: "] {
        assert!(first.text.contains(header) && second.text.contains(header), "{header}");
    }
    assert_eq!(get(port, &reader, "If-None-Match: *\r\n").status, 304);
    assert_eq!(get(port, &reader, "Origin: http://evil.example\r\n").status, 403);
    assert_eq!(get(port, "inklings_wrong", "").status, 401);
    assert_eq!(get(port, partner["secret"].as_str().unwrap(), "").status, 403);
    let revoked = send(port, "POST /api/operations/token/revoke", &admin, "", &json!({ "token": "reader" }));
    assert_eq!((revoked.status, get(port, &reader, "").status), (200, 401));
    let status = world.call("server/status", json!({}));
    let known =
        status["calls"].as_array().unwrap().iter().filter(|call| call["caller"] == "token:reader" && call["target"] == "/api/skills");
    assert_eq!(known.count(), 3);
}

#[test]
fn pages_have_what_was_created_between_them() {
    let world = World::new();
    let port = world.start(0);
    let editor = world.token("ci", "editor");
    let page = |cursor: &str| {
        let answer = send(port, &format!("GET /api/skills?limit=1&cursor={cursor}"), &editor, "", &json!({}));
        serde_json::from_str::<serde_json::Value>(body(&answer)).unwrap()
    };
    let create = |name: &str| {
        let made = send(port, "POST /api/skills", &editor, "", &json!({ "name": name, "title": name, "description": "For a page." }));
        assert_eq!(made.status, 201, "{}", made.text);
    };
    create("zz-first");
    create("zz-third");
    assert_eq!(page("zz-first")["skills"][0]["slug"], "zz-third");
    create("zz-second");
    let second = page("zz-first");
    assert_eq!((second["skills"][0]["slug"].as_str(), second["next"].as_str()), (Some("zz-second"), Some("zz-second")));
    let third = page("zz-second");
    assert_eq!((third["skills"][0]["slug"].as_str(), third["next"].as_str()), (Some("zz-third"), None));
}
