//! No command sends text of skills, chats or registries to a terminal that would obey it.

use inklings_testkit::{Action, Script, ScriptedModel, Step};

use crate::commands::commands;
use crate::support::{World, arg, in_terminal};

/// Untrusted text with a terminal title, a color and a bidirectional override.
const HOSTILE: &str = "\u{1b}]0;evil\u{7}\u{9b}31m\u{202e}";

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "a line for each command")]
async fn no_command_hands_control_characters_to_a_terminal() {
    let world = World::new();
    let server = ScriptedModel::start(Script::new([Step::from(Action::from(HOSTILE)).repeat(0)])).await.unwrap();
    let yaml = r"\e]0;evil\a\x9b31m\u202e";
    let skill = format!(
        "---\nname: \"Evil {yaml}\"\ndescription: \"Says {yaml} when: asked\"\ntags: [\"{yaml}\"]\nauthor: \"{yaml}\"\n---\n{HOSTILE}\n"
    );
    let json_text = serde_json::to_string(HOSTILE).unwrap();
    let declared = format!(
        r#"{{"category": {json_text}, "triggers": [{json_text}], "when_not_to_use": {json_text}, "artifacts": [
            {{"path": "prompts/p.j2", "kind": "prompt_template", "name": {json_text}, "ordinal": 1}},
            {{"path": "scripts/s.py", "kind": "code_template", "name": "Script", "ordinal": 2}}]}}"#
    );
    let script =
        format!("import inklings\nprint({json_text})\ninklings.progress(0.5, {json_text})\ninklings.submit({{'x': {json_text}}})\n");
    world.file("skills/evil/SKILL.md", &skill);
    world.file("skills/evil/skill.json", &declared);
    world.file("skills/evil/prompts/p.j2", format!("{HOSTILE} {{{{ topic }}}}"));
    world.file("skills/evil/scripts/s.py", script);
    world.file("skills/bad/SKILL.md", format!("---\nname: \"bad\ndescription: {HOSTILE}\n"));
    world.file("skills/evil/note.md", HOSTILE);
    world.file(
        &format!("notes/{HOSTILE}.md"),
        format!("---\ntype: \"{yaml}\"\ntags: [\"{yaml}\"]\n---\n# {HOSTILE}\n\n[[{HOSTILE}gone]] [[other]]\n"),
    );
    world.file("notes/other.md", format!("# Other\n\n[[{HOSTILE}]]\n"));
    let evil = world.root.path().join("skills/evil");
    let imported = world.json(&["import", arg(&evil)]);
    let slug = imported["items"][0]["slug"].as_str().unwrap().to_owned();
    let name = format!("model{HOSTILE}");
    let url = format!("{}/v1", server.url());
    world.json(&["model", "add", "local", "--kind", "openai-compatible", "--base-url", &url, "--model", &name, "--no-key"]);
    world.json(&["input", "save", &slug, "prompts/p.j2", HOSTILE, "--param", &format!("topic={HOSTILE}")]);
    world.json(&["settings", "set", "ui.theme", HOSTILE]);
    let note = world.file("note.md", format!("again {HOSTILE}"));
    world.json(&["skill", "edit", &slug, "--path", "note.md", "--from", arg(&note), "--message", HOSTILE]);
    let other = world.file("other.md", format!("mine {HOSTILE}"));
    world.refused(&["skill", "edit", &slug, "--path", "note.md", "--from", arg(&other), "--expected", "1"]);
    let ran = world.json(&["run", &slug, "--param", &format!("topic={HOSTILE}"), "--trust"]);
    let (run, trace) = (ran["run"].as_str().unwrap().to_owned(), ran["traces"][0]["id"].as_str().unwrap().to_owned());
    let deleted = world.json(&["skill", "create", &format!("Gone {HOSTILE}")]);
    let (deleted_id, deleted_slug) = (deleted["id"].as_str().unwrap().to_owned(), deleted["slug"].as_str().unwrap().to_owned());
    world.json(&["skill", "delete", &deleted_slug]);

    let chat = world.json(&["chat", "send", HOSTILE]);
    let answer = chat["messages"][1]["id"].as_str().unwrap().to_owned();
    let chat = chat["session"]["id"].as_str().unwrap().to_owned();

    let (evil, note) = (arg(&evil).to_owned(), arg(&note).to_owned());
    let path = |name: &str| world.root.path().join(format!("{name}{HOSTILE}")).to_str().unwrap().to_owned();
    let (copy, out, man, registry) = (path("copy"), path("out"), path("man"), path("registry"));
    let (slug, topic, unknown) = (slug.as_str(), format!("topic={HOSTILE}"), format!("{HOSTILE}=1"));
    let calls: &[&[&str]] = &[
        &["skill", "list"],
        &["skill", "show", slug],
        &["skill", "show", slug, "--path", "note.md"],
        &["skill", "create", HOSTILE],
        &["skill", "edit", HOSTILE],
        &["skill", "exec", slug, "scripts/s.py", "--", HOSTILE],
        &["skill", "grep", "evil"],
        &["skill", "uses", slug, "topic"],
        &["skill", "rename", slug, "topic", "theme", "--dry-run"],
        &["skill", "delete", HOSTILE],
        &["skill", "deleted"],
        &["skill", "deleted", &deleted_id, "--scope", "workspace"],
        &["skill", "restore", &deleted_id, "--scope", "workspace"],
        &["skill", "move", slug, "--to", "account"],
        &["skill", "duplicate", slug],
        &["skill", "fork", slug],
        &["skill", "enable", slug, HOSTILE],
        &["skill", "disable", HOSTILE],
        &["skill", "tag", HOSTILE, slug],
        &["skill", "category", HOSTILE, slug],
        &["skill", "set", slug, "--title", HOSTILE],
        &["skill", "stats"],
        &["skill", "history", slug],
        &["skill", "rollback", slug, "--to", "1"],
        &["skill", "revert", slug, "2"],
        &["skill", "tokens", slug],
        &["skill", "readiness", slug],
        &["skill", "check"],
        &["skill", "check", slug, "--all"],
        &["skill", "diff", slug, "--from", "1", "--to", "2"],
        &["file", "find", "evil"],
        &["file", "add", slug, &note],
        &["file", "copy", slug, "note.md", HOSTILE],
        &["file", "move", slug, "note.md", HOSTILE],
        &["file", "delete", slug, HOSTILE],
        &["artifact", "declare", slug, "--kind", "prompt_template", "--name", HOSTILE],
        &["artifact", "undeclare", slug, HOSTILE],
        &["input", "list", slug],
        &["input", "save", slug, "prompts/p.j2", HOSTILE, "--param", &topic],
        &["input", "delete", slug, "prompts/p.j2", HOSTILE],
        &["reference", "search", "evil"],
        &["reference", "attach", slug, &format!("costs{HOSTILE}.csv"), "--allow-missing"],
        &["reference", "list", slug],
        &["reference", "show", slug, HOSTILE],
        &["reference", "remove", slug, HOSTILE],
        &["draft", "list"],
        &["draft", "show", slug, "note.md"],
        &["draft", "discard", slug, "note.md"],
        &["validate", &evil],
        &["import", &evil, "--dry-run"],
        &["export", slug, "--out", &out],
        &["skill", "update", slug, "--dry-run"],
        &["link", "list", "--skill", HOSTILE],
        &["link", "add", &evil, "--scope", "account"],
        &["link", "list"],
        &["link", "sync"],
        &["link", "remove", HOSTILE],
        &["kit", "add", HOSTILE, slug],
        &["search", HOSTILE],
        &["search", slug, "--explain"],
        &["kit", "list"],
        &["kit", "rename", "desk", HOSTILE],
        &["kit", "remove", "desk", slug],
        &["kit", "delete", HOSTILE],
        &["target", "list"],
        &["target", "deploy", slug, "--to", "agents", "--create"],
        &["target", "status"],
        &["target", "pull", slug],
        &["target", "remove", slug],
        &["render", slug, "prompts/p.j2", "--param", &topic],
        &["run", slug, "--param", &topic],
        &["run", slug, "--param", &topic, "--stream"],
        &["run", slug, "--plan"],
        &["runs", "steps"],
        &["runs", "list"],
        &["runs", "show", &run],
        &["runs", "step", &trace],
        &["runs", "stats", "--by", "model"],
        &["runs", "export"],
        &["runs", "replay", &trace],
        &["runs", "approve", &run],
        &["runs", "reject", &run],
        &["runs", "delete", &run],
        &["action", "save", "evil", slug, "--param", &topic, "--param", &unknown],
        &["action", "list"],
        &["action", "run", "evil"],
        &["action", "run", HOSTILE],
        &["action", "delete", "evil"],
        &["model", "add", HOSTILE, "--kind", "ollama"],
        &["model", "default", HOSTILE],
        &["model", "list"],
        &["model", "discover"],
        &["model", "test"],
        &["model", "remove", HOSTILE],
        &["optimize", slug, HOSTILE],
        &["proposal", "list"],
        &["proposal", "show", &run],
        &["proposal", "edit", &run, HOSTILE],
        &["proposal", "wrap", slug],
        &["proposal", "rebase", &run],
        &["proposal", "accept", &run],
        &["proposal", "reject", &run],
        &["dspy", "status"],
        &["dspy", "list"],
        &["page", "search", "evil"],
        &["page", "list"],
        &["page", "show", "other"],
        &["page", "links", "other"],
        &["page", "history", "other"],
        &["page", "facets"],
        &["page", "status"],
        &["page", "refresh"],
        &["page", "check"],
        &["workspace", "list"],
        &["workspace", "sample"],
        &["workspace", "git-exclude"],
        &["workspace", "trust"],
        &["workspace", "distrust"],
        &["workspace", "remove", HOSTILE],
        &["settings", "list"],
        &["settings", "get", "ui.theme"],
        &["settings", "set", HOSTILE, HOSTILE],
        &["settings", "reset", HOSTILE],
        &["status"],
        &["serve", "--mcp-stdio", "--role", "viewer"],
        &["token", "create", HOSTILE, "--role", "viewer"],
        &["token", "list"],
        &["token", "revoke", HOSTILE],
        &["token", "calls"],
        &["functions"],
        &["mcp", "list"],
        &["mcp", "install", HOSTILE],
        &["mcp", "uninstall", HOSTILE],
        &["db", "check"],
        &["db", "backup", "--to", &copy],
        &["db", "restore", "--from", &copy],
        &["studio", HOSTILE],
        &["diagnostics"],
        &["schema"],
        &["completions", "bash"],
        &["skill", "index"],
        &["chat", "send", HOSTILE],
        &["chat", "list"],
        &["chat", "show", &chat],
        &["chat", "retry", &chat],
        &["chat", "resume", &chat],
        &["chat", "permit", &chat, HOSTILE, "once"],
        &["chat", "select", &chat, &answer],
        &["chat", "mark", &chat, &answer, "up"],
        &["chat", "rename", &chat, HOSTILE],
        &["chat", "reset-permissions"],
        &["chat", "delete", &chat],
        &["agent", "create", HOSTILE, "--notes", HOSTILE],
        &["agent", "list"],
        &["agent", "update", "evil", "--notes", HOSTILE],
        &["agent", "assign", "evil", HOSTILE],
        &["agent", "skills", "evil"],
        &["agent", "unassign", "evil", HOSTILE],
        &["agent", "delete", "evil"],
        &["notes", "set", HOSTILE],
        &["notes", "show"],
        &["skill", "deps", slug],
        &["skill", "promote", slug],
        &["skill", "deprecate", slug, "--reason", HOSTILE],
        &["skill", "reinstate", slug],
        &["skill", "archive", slug, "--reason", HOSTILE],
        &["skill", "reinstate", slug],
        &["skill", "merge", slug, HOSTILE],
        &["eval", "import", slug, &note],
        &["eval", "cases", slug],
        &["eval", "save", slug, "--run", &run],
        &["eval", "remove", slug, HOSTILE],
        &["eval", "status", slug],
        &["eval", "triggers", slug],
        &["eval", "run", slug],
        &["eval", "rewrite", slug],
        &["eval", "list"],
        &["eval", "show", &run],
        &["eval", "compare", &run, &run],
        &["eval", "delete", &run],
        &["eval", "export", &run],
        &["registry", "init", &registry, "--id", "evil.example", "--title", "Evil", "--publisher", "Evil"],
        &["registry", "plan", &registry, slug],
        &["registry", "publish", &registry, slug, "--changelog", HOSTILE],
        &["registry", "status", &registry],
        &["registry", "verify", &registry],
        &["registry", "refresh", &registry],
        &["registry", "rotate", &registry, "root", "snapshot", "publisher"],
        &["registry", "add", &registry, "--fingerprint", &"0".repeat(64)],
        &["registry", "list"],
        &["registry", "set", HOSTILE, "--priority", "1"],
        &["registry", "sync"],
        &["registry", "search", HOSTILE],
        &["registry", "show", HOSTILE],
        &["registry", "diff", HOSTILE, "--to", HOSTILE],
        &["registry", "files", HOSTILE],
        &["registry", "install", HOSTILE],
        &["registry", "installed"],
        &["registry", "update", HOSTILE],
        &["registry", "forks"],
        &["registry", "merge", slug],
        &["registry", "pin", HOSTILE],
        &["registry", "unpin", HOSTILE],
        &["registry", "rollback", HOSTILE],
        &["registry", "yank", &registry, slug, "1.0.0", "--reason", HOSTILE],
        &["registry", "revoke", &registry, slug, "1.0.0", "--reason", HOSTILE],
        &["registry", "remove", HOSTILE],
        &["page", "skills", "other"],
        &["dev", "man", &man],
    ];
    let mut shown = 0;
    for args in calls {
        let mut command = world.command();
        let run = in_terminal(command.env("TERM", "dumb").env("EDITOR", "true").arg("--workspace").arg(world.workspace()).args(*args));
        let text = run.stdout.replace("\r\n", "\n");
        let obeyed = text.chars().find(|ch| (ch.is_control() && !matches!(ch, '\n' | '\t')) || matches!(ch, '\u{202a}'..='\u{202e}'));
        assert_eq!(obeyed, None, "{args:?}: {text:?}");
        assert!(!text.contains("panicked"), "{args:?}: {text}");
        shown += usize::from(text.contains("^[]0;evil^G<U+009B>31m<U+202E>"));
    }
    assert!(shown >= 25, "only {shown} commands showed the text at all");
    let missing: Vec<_> =
        commands(&world).into_iter().filter(|command| !calls.iter().any(|args| args.join(" ").starts_with(command.as_str()))).collect();
    assert!(missing.is_empty(), "say here how to call {missing:?}");
}
