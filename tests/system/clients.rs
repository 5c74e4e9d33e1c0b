//! Connecting AI clients: the real command changes their real configuration files in temporary home folders.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{INKLINGS, World, arg, finish, in_terminal};

const CLIENTS: [(&str, &str, &str); 5] = [
    ("claude-code", ".claude.json", ".mcp.json"),
    ("codex", ".codex/config.toml", ".codex/config.toml"),
    ("cursor", ".cursor/mcp.json", ".cursor/mcp.json"),
    ("vscode", ".config/Code/User/mcp.json", ".vscode/mcp.json"),
    ("gemini", ".gemini/settings.json", ".gemini/settings.json"),
];

fn install(world: &World, client: &str, more: &[&str]) -> Value {
    world.json(&[&["mcp", "install", client, "--yes"], more].concat())
}

fn uninstall(world: &World, client: &str, more: &[&str]) -> Value {
    world.json(&[&["mcp", "uninstall", client, "--yes"], more].concat())
}

/// The entry of a client's file in the list.
fn listed(world: &World, client: &str, scope: &str) -> Value {
    let list = world.json(&["mcp", "list"]);
    let entry = list["clients"].as_array().unwrap().iter().find(|one| one["id"] == client).unwrap();
    entry["files"].as_array().unwrap().iter().find(|file| file["scope"] == scope).unwrap().clone()
}

fn user_file(world: &World, path: &str, text: &str) -> PathBuf {
    world.file(&format!("person/{path}"), text)
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The command and arguments in a configuration file.
fn started(file: &Path) -> (String, Vec<String>) {
    let text = text(file);
    if file.extension().is_some_and(|extension| extension == "toml") {
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = ")).unwrap().to_owned();
        return (serde_json::from_str(&value("command")).unwrap(), serde_json::from_str(&value("args")).unwrap());
    }
    let config: Value = serde_json::from_str(&text).unwrap();
    let servers = if config["servers"].is_object() { &config["servers"] } else { &config["mcpServers"] };
    let entry = &servers["inklings"];
    (entry["command"].as_str().unwrap().to_owned(), serde_json::from_value(entry["args"].clone()).unwrap())
}

#[test]
fn every_client_is_connected_and_disconnected_for_the_user_and_for_a_project() {
    let world = World::new();
    for (client, user, project) in CLIENTS {
        let files = [("user", world.person().join(user)), ("project", world.workspace().join(project))];
        for (scope, file) in &files {
            let scope_args = ["--scope", scope];
            assert_eq!((&listed(&world, client, scope)["state"], &listed(&world, client, scope)["path"]), (&json!("none"), &json!(file)));
            let report = install(&world, client, &scope_args);
            assert_eq!((&report["changed"], &report["file"]["state"]), (&json!(true), &json!("current")), "{report}");
            let mut args = vec!["serve".to_owned(), "--mcp-stdio".to_owned()];
            if *scope == "project" {
                args.extend(["--workspace".to_owned(), arg(&world.workspace()).to_owned()]);
            }
            assert_eq!(started(file), (INKLINGS.to_owned(), args), "{client}");
            let before = text(file);
            assert_eq!(install(&world, client, &scope_args)["changed"], false);
            assert_eq!(text(file), before, "{client}");
            assert_eq!(listed(&world, client, scope)["state"], "current");
        }
        for (scope, file) in &files {
            assert_eq!(uninstall(&world, client, &["--scope", scope])["changed"], true);
            assert!(!file.exists(), "{client}: we created it");
            assert_eq!(uninstall(&world, client, &["--scope", scope])["changed"], false);
        }
    }
}

#[test]
fn a_file_keeps_its_comments_and_gets_its_text_back() {
    let world = World::new();
    let before = "// mine\n{\n\t\"servers\": {\n\t\t\"docs\": { \"url\": \"https://example.org\" }, // kept\n\t},\n}\n";
    let file = user_file(&world, ".config/Code/User/mcp.json", before);
    fs::set_permissions(&file, Permissions::from_mode(0o660)).unwrap();
    let backup = file.with_file_name("mcp.json.inklings-backup");
    install(&world, "vscode", &["--role", "viewer"]);
    let with_entry = text(&file);
    assert!(
        with_entry.starts_with("// mine\n{\n\t\"servers\": {\n\t\t\"docs\": { \"url\": \"https://example.org\" }, // kept\n"),
        "{with_entry}"
    );
    assert_eq!(text(&backup), before);
    for path in [&file, &backup] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o660);
    }
    let entry = listed(&world, "vscode", "user");
    assert_eq!((&entry["state"], &entry["role"]), (&json!("current"), &json!("viewer")));
    let printed = finish(world.command().args(["mcp", "list"]).env("PATH", "")).stdout;
    assert!(printed.contains("connected as viewer") && printed.contains("codex        user  not installed"), "{printed}");
    uninstall(&world, "vscode", &[]);
    assert_eq!((text(&file).as_str(), backup.exists()), (before, false));

    let toml = "model = \"m\" # why\r\n\r\n[mcp_servers.docs]\r\ncommand = \"npx\"\r\n";
    let file = user_file(&world, ".codex/config.toml", toml);
    install(&world, "codex", &[]);
    assert!(text(&file).starts_with(toml) && text(&file).contains("\r\n[mcp_servers.inklings]\r\n"));
    uninstall(&world, "codex", &[]);
    assert_eq!(text(&file), toml);
}

#[test]
fn a_broken_file_is_reported_with_its_line_and_left_alone() {
    let world = World::new();
    let before = "{\n  \"token\": \"secret\",\n  \"mcpServers\": {\n";
    let file = user_file(&world, ".claude.json", before);
    let refused = world.refused(&["mcp", "install", "claude-code", "--yes"]);
    assert_eq!(refused["code"], "invalid");
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains(".claude.json: line ") && !refused.to_string().contains("secret"), "{refused}");
    assert!(refused["hint"].as_str().unwrap().contains("correct the file"), "{refused}");
    let entry = listed(&world, "claude-code", "user");
    assert!(entry["state"] == "broken" && entry["reason"].as_str().unwrap().starts_with("line "), "{entry}");
    assert_eq!((text(&file).as_str(), fs::read_dir(world.person()).unwrap().count()), (before, 1), "no backup either");
}

#[test]
fn a_server_of_somebody_else_is_only_replaced_on_request() {
    let world = World::new();
    let before = "{\"mcpServers\": {\"inklings\": {\"command\": \"npx\", \"args\": [\"other\"]}}}";
    let file = user_file(&world, ".cursor/mcp.json", before);
    assert_eq!(listed(&world, "cursor", "user")["state"], "foreign");
    for change in ["install", "uninstall"] {
        assert_eq!(world.refused(&["mcp", change, "cursor", "--yes"])["code"], "exists");
        assert_eq!(text(&file), before);
    }
    install(&world, "cursor", &["--replace"]);
    assert_eq!(started(&file).0, INKLINGS);
    assert_eq!(text(&file.with_file_name("mcp.json.inklings-backup")), before);
}

#[test]
fn an_entry_of_another_version_is_updated_and_keeps_its_other_values() {
    let world = World::new();
    let entry = |command: &str| {
        format!(
            "{{\n  \"mcpServers\": {{\n    \"inklings\": {{\n      \"command\": \"{command}\",\n      \"args\": [\"serve\", \"--mcp-stdio\"],\n      \"env\": {{\"A\": \"1\"}}\n    }}\n  }}\n}}\n"
        )
    };
    let file = user_file(&world, ".gemini/settings.json", &entry("/old/inklings"));
    assert_eq!(listed(&world, "gemini", "user")["state"], "outdated");
    install(&world, "gemini", &[]);
    assert_eq!(text(&file), entry(INKLINGS));
}

#[test]
fn an_updated_entry_keeps_its_role_and_its_other_arguments() {
    let world = World::new();
    let entry = |command: &str, args: Value| json!({ "mcpServers": { "inklings": { "command": command, "args": args } } }).to_string();
    let args = json!(["serve", "--toolset", "all", "--mcp-stdio", "--role=viewer", "--home", "/x"]);
    let file = user_file(&world, ".cursor/mcp.json", &entry("/old/inklings", args.clone()));
    let state = || (listed(&world, "cursor", "user")["state"].clone(), listed(&world, "cursor", "user")["role"].clone());
    assert_eq!(state(), (json!("outdated"), json!("viewer")));
    install(&world, "cursor", &[]);
    assert_eq!(started(&file), (INKLINGS.to_owned(), serde_json::from_value(args).unwrap()));
    assert_eq!(state(), (json!("current"), json!("viewer")));
    install(&world, "cursor", &["--role", "editor"]);
    assert_eq!(started(&file).1, ["serve", "--toolset", "all", "--mcp-stdio", "--role", "editor", "--home", "/x"]);
}

#[test]
fn a_link_to_dotfiles_is_written_through() {
    let world = World::new();
    let dotfile = world.file("dotfiles/mcp.json", "{}\n");
    let link = world.person().join(".cursor/mcp.json");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&dotfile, &link).unwrap();
    install(&world, "cursor", &[]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(started(&dotfile).0, INKLINGS);
    assert_eq!(fs::read_dir(dotfile.parent().unwrap()).unwrap().count(), 1, "the backup is beside the link");
    uninstall(&world, "cursor", &[]);
    assert_eq!(text(&dotfile), "{}\n");

    // A workspace may come from somebody else, and must not lead to other files.
    symlink(&dotfile, world.workspace().join(".mcp.json")).unwrap();
    let refused = world.refused(&["mcp", "install", "claude-code", "--scope", "project", "--yes"]);
    assert!(refused["message"].as_str().unwrap().ends_with("leads out of the workspace"), "{refused}");
    assert_eq!(text(&dotfile), "{}\n");
}

#[test]
fn a_read_only_file_stays() {
    let world = World::new();
    let file = user_file(&world, ".claude.json", "{}\n");
    fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
    assert_eq!(world.refused(&["mcp", "install", "claude-code", "--yes"])["code"], "readOnly");
    assert_eq!((text(&file).as_str(), fs::read_dir(world.person()).unwrap().count()), ("{}\n", 1));
}

#[test]
fn a_change_is_shown_and_asked_for_first() {
    let world = World::new();
    let file = user_file(&world, ".claude.json", "{\n  \"token\": \"secret\",\n  \"a\": 1,\n  \"b\": 2\n}\n");
    let before = text(&file);
    let refused = world.refused(&["mcp", "install", "claude-code"]);
    assert!(refused["code"] == "invalid" && refused["hint"].as_str().unwrap().contains("--yes"), "{refused}");
    let shown = finish(world.command().args(["mcp", "install", "claude-code", "--dry-run"])).stdout;
    assert!(shown.contains("\n+  \"mcpServers\": {\n") && shown.contains("\n   \"a\": 1,\n-  \"b\": 2\n+  \"b\": 2,\n"), "{shown}");
    assert!(!shown.contains("secret") && shown.ends_with("dry run: nothing was changed\n"), "{shown}");
    let preview = world.json(&["mcp", "install", "claude-code", "--dry-run"]);
    assert!(preview["backup"].as_str().unwrap().ends_with(".claude.json.inklings-backup") && preview["creates"] == false, "{preview}");
    // The answer is the end of the input.
    let asked = in_terminal(world.command().args(["mcp", "install", "claude-code"]));
    assert!(asked.stdout.contains("Add inklings? [y/N]") && !asked.ok, "{asked:?}");
    assert_eq!(text(&file), before);
    assert_eq!(world.refused(&["mcp", "install", "emacs", "--yes"])["code"], "notFound");
    assert_eq!(world.refused(&["mcp", "install", "codex", "--yes", "--role", "A b"])["code"], "invalid");
    let nowhere = finish(world.command().args(["--json", "mcp", "install", "codex", "--yes", "--scope", "project"]));
    assert!(!nowhere.ok && nowhere.stderr.contains("openWorkspace"), "{nowhere:?}");
}
