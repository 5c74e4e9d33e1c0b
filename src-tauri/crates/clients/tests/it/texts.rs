//! Exact texts before and after a change.

use inklings_clients::{CLIENTS, Client, ConfigError, EntryState, ServerEntry, merged, removed, state};

pub(crate) fn client(id: &str) -> &'static Client {
    Client::find(id).unwrap()
}

pub(crate) fn entry() -> ServerEntry {
    ServerEntry::new("/usr/bin/inklings".as_ref(), None, None)
}

fn other_entry() -> ServerEntry {
    ServerEntry::new("/opt/\"new\"/inklings".as_ref(), Some("/work/notes".as_ref()), Some("viewer"))
}

/// Merges, merges again, removes, and returns the merged text.
#[track_caller]
fn round_trip(id: &str, before: &str) -> String {
    let client = client(id);
    let after = merged(client, before, &entry()).unwrap();
    assert_eq!(state(client, &after), Ok(EntryState::Ours(entry())), "{after}");
    assert_eq!(merged(client, &after, &entry()).unwrap(), after, "installing again changes nothing");
    assert_eq!(removed(client, &after, Some(before)).unwrap().as_deref(), Some(before), "from {after:?}");
    assert_eq!(removed(client, before, None), Ok(None));
    after
}

#[test]
fn a_new_file_has_the_shape_of_its_client() {
    assert_eq!(
        round_trip("claude-code", ""),
        r#"{
  "mcpServers": {
    "inklings": {
      "type": "stdio",
      "command": "/usr/bin/inklings",
      "args": ["serve", "--mcp-stdio"]
    }
  }
}
"#
    );
    assert_eq!(round_trip("codex", ""), "[mcp_servers.inklings]\ncommand = \"/usr/bin/inklings\"\nargs = [\"serve\", \"--mcp-stdio\"]\n");
    assert!(round_trip("vscode", "").starts_with("{\n  \"servers\": {\n    \"inklings\": {\n      \"type\": \"stdio\""));
    for id in ["cursor", "gemini"] {
        assert!(!round_trip(id, "").contains("type"), "{id}");
    }
}

#[test]
fn comments_commas_and_indentation_stay() {
    let before = "// mine\n{\n\t\"inputs\": [], // asked for\n\t\"servers\": {\n\t\t/* the first */\n\t\t\"a\": {\"command\": \"a\"}, // kept\n\t\t\"b\": {\n\t\t\t\"command\": \"b\"\n\t\t} // and this\n\t\t// last\n\t}\n}";
    let after = round_trip("vscode", before);
    assert!(after.contains("\n\t\t}, // and this\n\t\t\"inklings\": {\n\t\t\t\"type\": \"stdio\",\n"), "{after}");
    assert!(after.contains("\n\t\t}\n\t\t// last\n\t}\n}"), "{after}");
    let trailing = "{\n    \"servers\": {\n        \"a\": {\"command\": \"a\"},\n    },\n}\n";
    assert!(round_trip("vscode", trailing).contains("[\"serve\", \"--mcp-stdio\"]\n        },\n    },\n}\n"));
    round_trip("vscode", "{\n  // nothing yet\n}\n");
    round_trip("vscode", "{\n  \"servers\": {\n    // nothing yet\n  }\n}\n");
    round_trip("vscode", "// only a comment\n");
    round_trip("gemini", "{\n  \"theme\": \"dark\" // at night\n}\n");
    round_trip("gemini", "{\n  \"theme\": \"dark\", // at night\n}\n");
}

#[test]
fn line_ends_and_byte_order_marks_stay() {
    for (id, before) in [
        ("claude-code", "\u{FEFF}{\r\n  \"a\": 1,\r\n  \"mcpServers\": {}\r\n}\r\n"),
        ("cursor", "\u{FEFF}{\r\n  \"mcpServers\": {\r\n    \"a\": {} // kept\r\n  }\r\n}"),
        ("codex", "\u{FEFF}model = \"m\"\r\n\r\n[mcp_servers.a]\r\ncommand = \"a\"\r\n"),
    ] {
        let after = round_trip(id, before);
        assert!(after.starts_with('\u{FEFF}') && !after.replace("\r\n", "").contains('\n'), "{after:?}");
    }
}

#[test]
fn a_file_in_one_line_stays_in_one() {
    let after = round_trip("claude-code", r#"{"a":1,"mcpServers":{"b":{"command":"b"}},"c":[1,2]}"#);
    let inserted = r#""b":{"command":"b"},"inklings":{"type":"stdio","command":"/usr/bin/inklings","args":["serve","--mcp-stdio"]}}"#;
    assert!(after.contains(inserted), "{after}");
    round_trip("claude-code", r#"{"a": 1}"#);
    round_trip("claude-code", r#"{"mcpServers":{}}"#);
    round_trip("claude-code", "{}");
    round_trip("claude-code", "{}\n");
    round_trip("cursor", r#"{"mcpServers": {"b": {}, }, }"#);
}

#[test]
fn the_first_and_the_middle_entry_are_removed_as_well() {
    for (before, after) in [
        (r#"{"mcpServers": {"inklings": {}, "b": 1}}"#, r#"{"mcpServers": {"b": 1}}"#),
        (r#"{"mcpServers": {"a": 1, "inklings": {}, "b": 1}}"#, r#"{"mcpServers": {"a": 1, "b": 1}}"#),
        ("{\n  \"mcpServers\": {\n    \"inklings\": {},\n    \"b\": 1\n  }\n}", "{\n  \"mcpServers\": {\n    \"b\": 1\n  }\n}"),
        ("{\n  \"mcpServers\": {\n    \"inklings\": {}\n  },\n  \"b\": 1\n}", "{\n  \"b\": 1\n}"),
    ] {
        assert_eq!(removed(client("cursor"), before, None).unwrap().as_deref(), Some(after));
    }
}

#[test]
fn tables_of_toml_stay_as_they_are_written() {
    let before = "# top\nmodel = 'm' # why\n\n[mcp_servers]\n\n[mcp_servers.docs] # docs\ncommand = \"npx\"\nargs = [\n  \"-y\", # yes\n]\n\n[mcp_servers.docs.env]\nTOKEN = \"t\"\n\n[[list]]\nat = 2026-01-01\n";
    assert!(round_trip("codex", before).starts_with(before));
    round_trip("codex", "model = \"m\"");
    round_trip("codex", "model = \"m\"\n\n\n");
    round_trip("codex", "# only a comment\n");
    round_trip("codex", "mcp_servers.docs.command = \"npx\"\n");
    round_trip("codex", "[mcp_servers]\ndocs = { command = \"npx\" }\n");
    round_trip("codex", "text = \"\"\"\n[mcp_servers.inklings]\n\"\"\"\n");
}

#[test]
fn all_forms_of_an_entry_of_toml_are_removed() {
    let kept = "a = 1\n\n[mcp_servers.b]\ncommand = \"b\"\n";
    let between = "a = 1\n\n[mcp_servers.inklings]\n# mine\ncommand = \"x\"\n\n[mcp_servers.inklings.env]\nA = \"\"\"\n[b]\n\"\"\"\n\n[mcp_servers.b]\ncommand = \"b\"\n";
    let apart =
        "a = 1\n\n[mcp_servers.inklings.env]\nA = \"1\"\n\n[mcp_servers.b]\ncommand = \"b\"\n\n[mcp_servers.inklings]\ncommand = \"x\"\n";
    for before in [between, apart] {
        assert_eq!(removed(client("codex"), before, None).unwrap().as_deref(), Some(kept), "{before}");
    }
    let inline = "[mcp_servers]\ninklings = { command = \"x\" } # mine\nb = { command = \"b\" }\n";
    assert_eq!(removed(client("codex"), inline, None).unwrap().as_deref(), Some("[mcp_servers]\nb = { command = \"b\" }\n"));
    let dotted = "mcp_servers.inklings.command = \"x\"\nmcp_servers.inklings.env.A = \"1\"\na = 1\n";
    assert_eq!(removed(client("codex"), dotted, None).unwrap().as_deref(), Some("a = 1\n"));
    let in_braces = "mcp_servers = { inklings = { command = \"x\" } }\n";
    assert_eq!(removed(client("codex"), in_braces, None), Err(ConfigError::Unsupported("mcp_servers")));
}

#[test]
fn an_update_keeps_what_the_user_set_in_the_entry() {
    let json = "{\n  \"mcpServers\": {\n    \"inklings\": {\n      // how\n      \"args\": [ \"serve\", \"--mcp-stdio\" ],\n      \"env\": { \"A\": \"1\" },\n      \"command\": \"/old/inklings\"\n    }\n  }\n}\n";
    let after = merged(client("cursor"), json, &entry()).unwrap();
    assert_eq!(after, json.replace("/old/inklings", "/usr/bin/inklings"), "equal arguments keep their layout");
    let toml = "[mcp_servers.inklings]\nargs = [\"serve\", \"--mcp-stdio\"] # how\nstartup_timeout_sec = 20\ncommand = '/old/inklings'\n";
    assert_eq!(merged(client("codex"), toml, &entry()).unwrap(), toml.replace("'/old/inklings'", "\"/usr/bin/inklings\""));
    for one in CLIENTS {
        let installed = merged(one, "", &entry()).unwrap();
        let changed = merged(one, &installed, &other_entry()).unwrap();
        assert_eq!(changed, merged(one, "", &other_entry()).unwrap(), "{}", one.id);
        assert_eq!(other_entry().role(), Some("viewer"));
        assert_eq!(merged(one, &changed, &entry()).unwrap(), installed, "{}", one.id);
    }
}

#[test]
fn an_entry_that_starts_something_else_is_foreign_and_replaced_as_a_whole() {
    for entry in [
        r#"{"command": "npx", "args": ["serve"]}"#,
        r#"{"command": "/usr/bin/inklings", "args": ["run"]}"#,
        r#"{"command": "/usr/bin/inklings"}"#,
        r#"{"type": "http", "command": "/usr/bin/inklings", "args": ["serve"]}"#,
        r#"{"url": "https://example.org"}"#,
        "[]",
        "null",
    ] {
        let before = format!("{{\n  \"mcpServers\": {{\n    \"inklings\": {entry}\n  }}\n}}\n");
        assert_eq!(state(client("claude-code"), &before), Ok(EntryState::Foreign), "{entry}");
        let after = merged(client("claude-code"), &before, &self::entry()).unwrap();
        assert_eq!(after, merged(client("claude-code"), "", &self::entry()).unwrap());
    }
    let before = "[mcp_servers.inklings]\nurl = \"https://example.org\"\n\n[mcp_servers.inklings.env]\nA = \"1\"\n\n[b]\n";
    let after = merged(client("codex"), before, &entry()).unwrap();
    assert!(after.starts_with("[b]\n\n[mcp_servers.inklings]\n") && !after.contains("example"), "{after}");
}

#[test]
fn a_broken_text_is_an_error_with_its_line_and_without_its_content() {
    let line = |id: &str, text: &str| match merged(client(id), text, &entry()).unwrap_err() {
        ConfigError::Syntax { line, .. } | ConfigError::NotATable { line, .. } | ConfigError::Duplicate { line, .. } => line,
        ConfigError::Unsupported(_) => 0,
    };
    assert_eq!(line("cursor", "{\n  \"token\": \"secret\"\n  \"b\": 1\n}"), 2);
    assert_eq!(line("claude-code", "{\n  // a comment\n}"), 2, "JSON has no comments");
    assert_eq!(line("claude-code", "{\"a\": 1,\n}"), 1, "nor trailing commas");
    assert_eq!(line("cursor", "[]"), 1);
    assert_eq!(line("cursor", "{\n\"mcpServers\": []}"), 2);
    assert_eq!(line("cursor", "{\"mcpServers\": {},\n\"mcpServers\": {}}"), 2);
    assert_eq!(line("cursor", "{\"mcpServers\": {\"inklings\": {},\n\"inklings\": {}}}"), 2);
    assert_eq!(line("codex", "token = \"secret\"\nb = = 1\n"), 2);
    assert_eq!(line("codex", "a = 1\nmcp_servers = 1\n"), 2);
    assert_eq!(line("codex", "mcp_servers = { docs = { command = \"npx\" } }\n"), 0);
    for (id, text) in
        [("cursor", "{\"token\": \"secret\" \"b\"}"), ("codex", "token = \"secret\" b\n"), ("codex", "secret = 1\nsecret = 2\n")]
    {
        let error = merged(client(id), text, &entry()).unwrap_err().to_string();
        assert!(!error.contains("secret") && error.starts_with("line "), "{error}");
    }
}
