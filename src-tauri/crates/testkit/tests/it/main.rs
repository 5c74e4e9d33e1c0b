//! The binary, as used from other languages.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

struct Running(Child, u16);

impl Drop for Running {
    fn drop(&mut self) {
        // Kills it if the test failed; otherwise it has already exited.
        let _ = self.0.kill();
    }
}

fn start(arguments: &[&str]) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scripted-model"));
    let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap();
    Running(child, ready["port"].as_u64().unwrap().try_into().unwrap())
}

impl Running {
    /// Sends a request and returns status and body.
    fn send(&self, method: &str, path: &str, body: &Value) -> (String, String) {
        let mut socket = TcpStream::connect(("127.0.0.1", self.1)).unwrap();
        let body = body.to_string();
        let head = format!("{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
        socket.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        // An interrupted answer ends with an error; the part before it is returned.
        let _ = socket.read_to_string(&mut answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.lines().next().unwrap().to_owned(), body.to_owned())
    }

    fn chat(&self, text: &str, stream: bool) -> (String, String) {
        let body = json!({"model": "m", "stream": stream, "messages": [{"role": "user", "content": text}]});
        self.send("POST", "/v1/chat/completions", &body)
    }
}

#[test]
fn it_answers_records_and_ends_with_its_input() {
    let script = json!({"steps": [{"when": {"user": "one"}, "then": {"reply": {"text": "first"}}}]}).to_string();
    let mut running = start(&["--script", &script]);
    let (status, body) = running.chat("one", false);
    assert!(status.contains("200") && body.contains(r#""content":"first""#), "{status} {body}");
    assert!(running.chat("one", false).1.contains("echo: one"), "a step is used once");
    assert!(running.chat("two", true).1.ends_with("data: [DONE]\n\n\r\n0\r\n\r\n"));
    let recorded: Value = serde_json::from_str(&running.send("GET", "/__requests", &Value::Null).1).unwrap();
    assert_eq!((recorded.as_array().unwrap().len(), &recorded[2]["body"]["stream"]), (3, &json!(true)));
    assert_eq!(recorded[0]["headers"]["host"], "test");

    let script = json!({"steps": [{"repeat": 0, "then": {"cut": {"chunks": ["half"]}}}]});
    assert!(running.send("POST", "/__script", &script).0.contains("200"));
    for _ in 0..2 {
        let (_, body) = running.chat("x", true);
        assert!(body.contains("half") && !body.contains("[DONE]") && !body.ends_with("0\r\n\r\n"), "{body}");
    }
    assert!(running.send("POST", "/__script", &json!({"steps": [{}]})).0.contains("400"));
    assert!(running.send("POST", "/v1/nothing", &Value::Null).0.contains("404"));

    drop(running.0.stdin.take());
    assert!(running.0.wait().unwrap().success());
}

#[test]
fn a_script_may_be_in_a_file_and_must_be_one() {
    let path = std::env::temp_dir().join(format!("scripted-model-{}.json", std::process::id()));
    std::fs::write(&path, r#"{"steps": [{"then": {"status": {"status": 418, "body": "short and stout"}}}]}"#).unwrap();
    let running = start(&["--script-file", path.to_str().unwrap()]);
    let (status, body) = running.chat("x", true);
    std::fs::remove_file(&path).unwrap();
    assert!(status.contains("418") && body == "short and stout", "{status} {body}");
    let mut bad = Command::new(env!("CARGO_BIN_EXE_scripted-model"));
    let output = bad.args(["--script", "{\"steps\": 1}"]).stdin(Stdio::null()).output().unwrap();
    assert!(!output.status.success() && output.stdout.is_empty());
}
